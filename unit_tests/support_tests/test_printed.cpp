// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file  What 13_transpose prints at its document's size, which its own test has no memory for, is NumPy 1's text.
#include <common/numpy_format.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <fstream>
#include <iterator>

namespace {

TEST(Printed, TransposesOfTheDocumentsSize) {
  std::ifstream file(PANTILE_EXAMPLES "/13_transpose/printed_16384.txt");
  std::string const expected{std::istreambuf_iterator<char>(file), {}};
  constexpr std::size_t n = 16384;
  auto const printed = [](auto const& at) { return example::format_array<std::int32_t>(n, n, false, true, at) + "\n"; };
  auto const a = [](std::size_t i, std::size_t j) { return static_cast<std::int32_t>(i * n + j); };
  EXPECT_EQ(printed(a) + "\n" + printed([&](std::size_t i, std::size_t j) { return a(j, i); }), expected);
}

}  // namespace

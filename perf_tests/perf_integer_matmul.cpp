// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file  matmul of int32 beside NumPy's, and against Pantile's own rate for float.
#include <peers/numpy.hpp>
#include <support/product.hpp>

namespace pantile::perf {

namespace {

/// NumPy's product of this size takes seconds from here on.
constexpr std::int64_t largest_for_numpy = 1024;

/// Sum of the elements' bits, each times its number from one, as numpy_peer.py forms it.
std::string checksum(HostMatrix<std::int32_t> const& c) {
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < c.size(); ++i) {
    sum += static_cast<std::uint64_t>(static_cast<std::int64_t>(c.data()[i])) * (i + 1);
  }
  return std::to_string(sum);
}

Contest integer_contest(std::int64_t n) {
  auto const p = std::make_shared<Product<Host, std::int32_t>>(Host(), square(n));
  Contest contest = product_contest(p, "GOP/s");
  if (Numpy* const numpy = n <= largest_for_numpy ? Numpy::process() : nullptr) {
    contest.peer("numpy", numpy->watch("matmul " + std::to_string(n)), [=] {
      bool const same = numpy->ask("checksum") == checksum(p->reference());
      return Verdict{same ? "" : "the checksum is not that of Pantile's product"};
    });
  }
  bound_by_own<float>(contest, "own_float", p);
  return contest;
}

bool const registered = on_start([] {
  std::vector<std::int64_t> sizes{64, 128, 256, 512, 1024, 2048};
  if (settings().smoke()) sizes = {6};
  if (settings().scale == Scale::quick) sizes = {64, 256};
  for (std::int64_t const n : sizes) {
    add_case("integers/int32/" + square(n).name(), [n] { return integer_contest(n); });
  }
});

}  // namespace

}  // namespace pantile::perf

// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  Tests for one instruction set of the host: the environment variable PANTILE_ISA names it, and where the
///        machine lacks it every test of the program is skipped, with a line that says so.

#include <pantile/impl/arch/host/isa.hpp>

#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

namespace pantile::testing {

/// Words that the property SKIP_REGULAR_EXPRESSION of these tests looks for.
inline constexpr char const* isa_skip_text = "this machine lacks the instruction set ";

class IsaEnvironment : public ::testing::Environment {
 public:
  void SetUp() override {
    char const* const asked = std::getenv("PANTILE_ISA");
    std::string const got = impl::arch::to_string(impl::arch::host_isa());
    if (asked != nullptr && got != asked) GTEST_SKIP() << isa_skip_text << asked;
    ::testing::Test::RecordProperty("isa", got);
  }
};

inline ::testing::Environment* const isa_environment = ::testing::AddGlobalTestEnvironment(new IsaEnvironment);

}  // namespace pantile::testing

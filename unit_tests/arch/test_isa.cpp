// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file  Which instruction set the host kernels are taken for: the widest that the CPU has, or the one that is asked
///         for.
#include <pantile/impl/arch/host/isa.hpp>

#include <gtest/gtest.h>

#include <cstdlib>
#include <optional>
#include <string>

namespace {

using pantile::impl::arch::all_isas;
using pantile::impl::arch::best_isa;
using pantile::impl::arch::has_isa;
using pantile::impl::arch::Isa;

/// The environment variable PANTILE_ISA while a test runs.
class BestIsa : public ::testing::Test {
 protected:
  BestIsa() {
    if (char const* const value = std::getenv("PANTILE_ISA")) m_before = value;
    unsetenv("PANTILE_ISA");
  }
  ~BestIsa() override {
    if (m_before) setenv("PANTILE_ISA", m_before->c_str(), 1);
  }
  static Isa when_asked_for(char const* name) {
    setenv("PANTILE_ISA", name, 1);
    Isa const isa = best_isa();
    unsetenv("PANTILE_ISA");
    return isa;
  }

 private:
  std::optional<std::string> m_before;
};

Isa widest() {
  Isa last = Isa::generic;
  for (Isa const isa : all_isas) last = has_isa(isa) ? isa : last;
  return last;
}

TEST_F(BestIsa, IsTheWidestThatTheCpuHas) {
  EXPECT_TRUE(has_isa(Isa::generic));
  EXPECT_EQ(best_isa(), widest());
}

TEST_F(BestIsa, IsTheOneAskedForWhereTheCpuHasIt) {
  for (Isa const isa : all_isas) {
    EXPECT_EQ(when_asked_for(to_string(isa)), has_isa(isa) ? isa : widest()) << to_string(isa);
  }
  EXPECT_EQ(when_asked_for("no such set"), widest());
  EXPECT_EQ(when_asked_for(""), widest());
}

TEST_F(BestIsa, SaysThatANameIsIgnored) {
  auto const said_of = [](char const* name) {
    ::testing::internal::CaptureStderr();
    (void)when_asked_for(name);
    return ::testing::internal::GetCapturedStderr();
  };
  EXPECT_EQ(said_of("no such set"), std::string("pantile: PANTILE_ISA=no such set is not an instruction set of this ") +
                                        "CPU, " + to_string(widest()) + " is used\n");
  for (Isa const isa : all_isas) EXPECT_EQ(said_of(to_string(isa)).empty(), has_isa(isa)) << to_string(isa);
  EXPECT_EQ(said_of(""), "");
}

}  // namespace

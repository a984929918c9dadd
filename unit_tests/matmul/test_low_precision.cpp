// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file  Elements narrower than their sums on hosts: every path of the blocked variant, and its plan.
#include <matmul/mixed.hpp>

#include <pantile/impl/matmul/host/policy.hpp>

#include <gmock/gmock.h>

namespace {

using namespace pantile::testing;
using pantile::impl::matmul::HostFacts;
using pantile::impl::matmul::HostPlan;
using pantile::impl::matmul::plan_on_host;
using Host = Kokkos::DefaultHostExecutionSpace;

HostFacts bytes() {
  HostFacts facts;
  facts.available = true;
  facts.panel_rows = 8;
  facts.panel_cols = 48;
  facts.lanes = 16;
  facts.k_pack = facts.position_bytes = 4;
  facts.behind = 1;
  facts.blocks = {192, 896, 2016};
  facts.element_bytes = 4;
  facts.last_level_bytes = facts.cache_bytes = 32 << 20;
  facts.a = facts.b = {1001, 1, true};
  facts.c = {1001, 1};
  return facts;
}

TEST(MatmulLowPrecisionPolicy, ThereArePathsForLittleWorkForMuchAndForConvertedResults) {
  HostPlan const little = plan_on_host(8, 8, 8, bytes(), {4});
  EXPECT_TRUE(little.pack_a && little.pack_b && little.in_c() && little.on_caller);
  HostPlan const much = plan_on_host(1000, 1000, 1000, bytes(), {4});
  EXPECT_TRUE(much.pack_a && much.pack_b && much.in_c() && !much.on_caller);
  EXPECT_EQ(much.threads(), 4);
  EXPECT_EQ(much.task_cols % 48, 0) << "tasks are whole register tiles";
  HostFacts scattered = bytes();
  scattered.c.col_stride = 2;
  EXPECT_FALSE(plan_on_host(1000, 1000, 1000, scattered, {4}).in_c());
  HostPlan const deep = plan_on_host(1000, 1000, 3001, bytes(), {1});
  EXPECT_EQ(deep.blocks.kc, plan_on_host(1000, 1000, 3001, bytes(), {7}).blocks.kc);
  EXPECT_EQ(deep.blocks.kc % 4, 0) << "blocks of k are whole groups";
}

/// C = 2 A B - C for shapes on both sides of what the plan turns on, in some mixes of layouts.
template <class TA, class TB, class TC>
void expect_every_path_right() {
  using Accumulator = pantile::default_accumulator_t<TA, TB, TC>;
  std::size_t number = 1;
  for (Shape const s : {Shape{1, 1, 1}, Shape{5, 9, 3}, Shape{40, 50, 60}, Shape{210, 75, 1000}, Shape{33, 2100, 21},
                        Shape{130, 290, 97}}) {
    auto const a = random_matrix<TA>(s.m, s.k, 1);
    auto const b = random_matrix<TB>(s.k, s.n, 2);
    auto const c = random_matrix<TC>(s.m, s.n, 3);
    auto const reference = reference_matmul(Accumulator(2), converted<Accumulator>(a), converted<Accumulator>(b),
                                            Accumulator(-1), converted<Accumulator>(c));
    for (int turn = 0; turn < 5; ++turn) {
      Placements const at = placements(31 * number++);
      SCOPED_TRACE(to_string(s) + " " + to_string(at));
      Placed<TA, Host> const A("A", a, at.a);
      Placed<TB, Host> const B("B", b, at.b);
      Placed<TC, Host> const C("C", c, at.c);
      pantile::matmul(Host{}, Accumulator(2), A.view(), B.view(), Accumulator(-1), C.view());
      Host{}.fence();
      EXPECT_TRUE(right(C.values(), reference));
      EXPECT_TRUE(C.surroundings_intact());
    }
  }
}

TEST(MatmulLowPrecision, BytesOfEitherSign) {
  expect_every_path_right<std::int8_t, std::int8_t, std::int32_t>();
  expect_every_path_right<std::uint8_t, std::int8_t, std::int32_t>();
  expect_every_path_right<std::int8_t, std::uint8_t, std::int32_t>();
  expect_every_path_right<std::uint8_t, std::uint8_t, std::uint32_t>();
}

TEST(MatmulLowPrecision, ResultsOfTheOperandsType) { expect_every_path_right<std::int8_t, std::int8_t, std::int8_t>(); }

template <class T>
void expect_sixteen_bits_right() {
  if constexpr (!is_there<T>) {
    GTEST_SKIP() << "this compiler has no such type";
  } else {
    expect_every_path_right<T, T, float>();
    expect_every_path_right<T, T, T>();
  }
}
TEST(MatmulLowPrecision, Half) { expect_sixteen_bits_right<CompilerHalf>(); }
TEST(MatmulLowPrecision, Brain) { expect_sixteen_bits_right<CompilerBrain>(); }

/// Products of the largest bytes: sums that 16 bits, and differences that signed words, do not hold.
TEST(MatmulLowPrecision, ExtremesOfLongSumsAreExact) {
  constexpr std::size_t k = 5000;
  Kokkos::View<std::uint8_t**, Kokkos::LayoutRight, Host> const A("A", 3, k);
  Kokkos::View<std::int8_t**, Kokkos::LayoutLeft, Host> const B("B", k, 2);
  Kokkos::View<std::int32_t**, Kokkos::LayoutRight, Host> const C("C", 3, 2);
  Kokkos::deep_copy(A, std::uint8_t{255});
  Kokkos::deep_copy(B, std::int8_t{-128});
  pantile::matmul(Host{}, 1, A, B, 0, C);
  Host{}.fence();
  EXPECT_EQ(C(2, 1), -255 * 128 * static_cast<std::int32_t>(k));
}

TEST(MatmulLowPrecision, ExplainNamesThePath) {
  Kokkos::View<std::int8_t**, Kokkos::LayoutRight, Host> const A("A", 300, 300), B("B", 300, 300);
  Kokkos::View<std::int32_t**, Kokkos::LayoutRight, Host> const C("C", 300, 300);
  auto const e = pantile::explain::matmul(Host{}, 1, A, B, 0, C);
  EXPECT_EQ(e.algorithm, "blocked");
  EXPECT_THAT(e.reason, ::testing::HasSubstr("packed in k-packs"));
  EXPECT_EQ(e.accumulator, "int32");
}

}  // namespace

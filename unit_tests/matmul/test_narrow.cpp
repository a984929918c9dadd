// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file  Elements narrower than their sums on hosts: every path of the blocked variant, and its plan.
#include <matmul/mixed.hpp>

#include <pantile/impl/matmul/blocked_policy.hpp>

#include <gmock/gmock.h>

namespace {

using namespace pantile::testing;
using pantile::impl::matmul::BlockedFacts;
using pantile::impl::matmul::BlockedPlan;
using pantile::impl::matmul::plan_blocked;
using Host = Kokkos::DefaultHostExecutionSpace;

BlockedFacts bytes() {
  BlockedFacts facts;
  facts.available = true;
  facts.panel_rows = 6;
  facts.panel_cols = 16;
  facts.blocks = {96, 256, 2048};
  facts.element_bytes = 4;
  facts.a_unit_cols = facts.b_unit_cols = facts.c_unit_cols = true;
  facts.narrow = {4, 8, 48, {192, 896, 2016}, true};
  return facts;
}

TEST(MatmulNarrowPolicy, ThereArePathsForLittleWorkForMuchAndForConvertedResults) {
  BlockedPlan const little = plan_blocked(8, 8, 8, bytes(), 4);
  EXPECT_TRUE(little.narrow && little.direct && little.on_caller);
  BlockedPlan const much = plan_blocked(1000, 1000, 1000, bytes(), 4);
  EXPECT_TRUE(much.narrow && much.direct && !much.on_caller);
  EXPECT_EQ(much.parts(), 4);
  EXPECT_EQ(much.panel_cols, 48) << "parts are whole register tiles of the narrow kernels";
  BlockedFacts scattered = bytes();
  scattered.c_unit_cols = false;
  EXPECT_FALSE(plan_blocked(1000, 1000, 1000, scattered, 4).direct);
  EXPECT_EQ(plan_blocked(1000, 1000, 3000, bytes(), 1).blocks.kc, plan_blocked(1000, 1000, 3000, bytes(), 7).blocks.kc);
}

/// C = 2 A B - C for shapes on both sides of what the plan turns on, in some mixes of layouts.
template <class TA, class TB, class TC>
void expect_every_path_right() {
  using Accumulator = pantile::default_accumulator_t<TA, TB, TC>;
  std::size_t number = 1;
  for (Shape const s : {Shape{1, 1, 1}, Shape{5, 9, 3}, Shape{40, 50, 60}, Shape{210, 75, 1000}, Shape{33, 2100, 21}, Shape{130, 290, 97}}) {
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

TEST(MatmulNarrow, BytesOfEitherSign) {
  expect_every_path_right<std::int8_t, std::int8_t, std::int32_t>();
  expect_every_path_right<std::uint8_t, std::int8_t, std::int32_t>();
  expect_every_path_right<std::int8_t, std::uint8_t, std::int32_t>();
  expect_every_path_right<std::uint8_t, std::uint8_t, std::uint32_t>();
}

TEST(MatmulNarrow, ResultsAsNarrowAsTheOperands) { expect_every_path_right<std::int8_t, std::int8_t, std::int8_t>(); }

template <class T>
void expect_sixteen_bits_right() {
  if constexpr (!is_there<T>) {
    GTEST_SKIP() << "this compiler has no such type";
  } else {
    expect_every_path_right<T, T, float>();
    expect_every_path_right<T, T, T>();
  }
}
TEST(MatmulNarrow, Half) { expect_sixteen_bits_right<CompilerHalf>(); }
TEST(MatmulNarrow, Brain) { expect_sixteen_bits_right<CompilerBrain>(); }

/// Products of the largest bytes: sums that 16 bits, and differences that signed words, do not hold.
TEST(MatmulNarrow, ExtremesOfLongSumsAreExact) {
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

TEST(MatmulNarrow, ExplainNamesThePath) {
  Kokkos::View<std::int8_t**, Kokkos::LayoutRight, Host> const A("A", 300, 300), B("B", 300, 300);
  Kokkos::View<std::int32_t**, Kokkos::LayoutRight, Host> const C("C", 300, 300);
  auto const e = pantile::explain::matmul(Host{}, 1, A, B, 0, C);
  EXPECT_EQ(e.algorithm, pantile::Algorithm::blocked);
  EXPECT_THAT(e.reason, ::testing::HasSubstr("narrow elements"));
  EXPECT_EQ(e.accumulator, "int32");
}

}  // namespace

// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file  Every mix of placements, conjugation, const and compile-time layouts, instances, and what explain says of it.
#include <transpose/cases.hpp>

#include <gmock/gmock.h>

namespace {

using namespace pantile::testing;
using Algorithm = pantile::TransposeAlgorithm;
using pantile::TransposeOptions;

template <class TestCase>
class TransposeLayouts : public ::testing::Test {};
using Cases = CasesOf<float, Kokkos::complex<double>, std::int8_t>;
TYPED_TEST_SUITE(TransposeLayouts, Cases);

TYPED_TEST(TransposeLayouts, AllPairsOfPlacements) {
  using T = typename TypeParam::T;
  typename TypeParam::Exec const exec;
  for (Shape const s : {Shape{9, 14}, Shape{1, 9}, Shape{9, 1}, Shape{40, 37}}) {
    auto const a = random_matrix<T>(s.rows, s.cols, 1);
    for (Placement const from : all_placements) {
      for (Placement const to : all_placements) {
        for (Algorithm const algorithm : transpose_algorithms) {
          for (bool const conjugate : {false, true}) {
            SCOPED_TRACE(std::string(to_string(algorithm)) + " " + to_string(s) + " placements " +
                         std::to_string(static_cast<int>(from)) + std::to_string(static_cast<int>(to)));
            expect_transposed(exec, a, from, to, {.conjugate = conjugate, .algorithm = algorithm});
          }
        }
      }
    }
  }
}

// Rows of more elements than one thread's piece of them, which are copied where both sides run along them.
TYPED_TEST(TransposeLayouts, RowsLongerThanAPiece) {
  using T = typename TypeParam::T;
  typename TypeParam::Exec const exec;
  for (Shape const s : {Shape{2, 4500}, Shape{4500, 2}}) {
    auto const a = random_matrix<T>(s.rows, s.cols, 1);
    for (Placement const from : all_placements) {
      for (Placement const to : all_placements) {
        SCOPED_TRACE(to_string(s) + " placements " + std::to_string(static_cast<int>(from)) +
                     std::to_string(static_cast<int>(to)));
        expect_transposed(exec, a, from, to, {});
      }
    }
  }
}

TYPED_TEST(TransposeLayouts, InPlaceInEveryPlacement) {
  using T = typename TypeParam::T;
  typename TypeParam::Exec const exec;
  auto const a = random_matrix<T>(40, 40, 1);
  for (Placement const placement : all_placements) {
    for (Algorithm const algorithm : transpose_algorithms) {
      for (bool const conjugate : {false, true}) {
        SCOPED_TRACE(std::string(to_string(algorithm)) + " " + std::to_string(static_cast<int>(placement)));
        expect_transposed_in_place(exec, a, placement, {.conjugate = conjugate, .algorithm = algorithm});
      }
    }
  }
}

/// What the policy of hosts is told: where rows begin in their cache lines, if all of them begin at the same place.
TEST(TransposeHostQuery, TellsOfPlacesInCacheLines) {
  namespace transpose = pantile::impl::transpose;
  alignas(64) static double memory[16 * 16];
  EXPECT_EQ(transpose::place_in_line(memory + 3, 128), 3);
  EXPECT_EQ(transpose::place_in_line(memory + 3, 72), 0) << "each row at another place";
  auto const* const between = reinterpret_cast<Kokkos::complex<double> const*>(memory + 3);
  EXPECT_EQ(transpose::place_in_line(between, 128), 0) << "no whole elements before";
  if (transpose::host_kernel<double>(false) == nullptr) GTEST_SKIP() << "no host kernels in this build";
  EXPECT_EQ(transpose::host_kernel<double>(true), transpose::host_kernel<double>(false)) << "real";
  for (int const ld : {8, 9, 16}) {
    transpose::Query query{.cache_bytes = 1};
    transpose::Problem<double> const p{{memory, 5, 5, ld, 1}, {memory, 5, 5, ld, 1}, false, true};
    transpose::ask_host_kernels(p, query);
    EXPECT_EQ(query.even_rows, ld != 9);
    EXPECT_EQ(query.cache_bytes, pantile::impl::arch::last_level_cache());
  }
}

TYPED_TEST(TransposeLayouts, TheSameViewTwiceIsInPlace) {
  using Exec = typename TypeParam::Exec;
  using T = typename TypeParam::T;
  auto const a = random_matrix<T>(35, 35, 1);
  Placed<T, Exec> const A("A", a, Placement::strided);
  pantile::transpose(Exec{}, A.view(), A.view());
  Exec{}.fence();
  EXPECT_TRUE(equal(A.values(), transposed(a)));
  EXPECT_TRUE(A.surroundings_intact());
  auto const explanation = pantile::explain::transpose(Exec{}, A.view(), A.view());
  EXPECT_THAT(explanation.path, ::testing::HasSubstr("in_place"));
}

TYPED_TEST(TransposeLayouts, StaticLayoutsConstAndUnmanagedViews) {
  using Exec = typename TypeParam::Exec;
  using T = typename TypeParam::T;
  using Memory = typename Exec::memory_space;
  auto const a = random_matrix<T>(13, 33, 1);
  Placed<T, Exec> const A("A", a, Placement::right), B("B", 33, 13, Placement::right), C("C", 33, 13, Placement::left);
  Kokkos::View<T const**, Kokkos::LayoutRight, Memory, Kokkos::MemoryUnmanaged> const source(A.view().data(), 13, 33);
  Kokkos::View<T**, Kokkos::LayoutRight, Memory, Kokkos::MemoryUnmanaged> const right(B.view().data(), 33, 13);
  Kokkos::View<T**, Kokkos::LayoutLeft, Memory, Kokkos::MemoryUnmanaged> const left(C.view().data(), 33, 13);
  pantile::transpose(source, right);
  pantile::transpose(source, left);
  Kokkos::fence();
  EXPECT_TRUE(equal(B.values(), transposed(a)));
  EXPECT_TRUE(equal(C.values(), transposed(a)));
}

TYPED_TEST(TransposeLayouts, RunsOnTheGivenInstance) {
  using Exec = typename TypeParam::Exec;
  using T = typename TypeParam::T;
  auto const instances = Kokkos::Experimental::partition_space(Exec{}, 1, 1);
  auto const a = random_matrix<T>(50, 60, 1), square = random_matrix<T>(50, 50, 2);
  expect_transposed(instances[0], a, Placement::right, Placement::right, {});
  expect_transposed_in_place(instances[1], square, Placement::left, {});
}

TEST(TransposeExplained, ACopyInDisguiseIsCalledOne) {
  Kokkos::View<double**, Kokkos::LayoutRight> const A("A", 100, 200);
  Kokkos::View<double**, Kokkos::LayoutLeft> const B("B", 200, 100);
  Kokkos::View<double**, Kokkos::LayoutRight> const C("C", 200, 100);
  auto const copy = pantile::explain::transpose(A, B, {.algorithm = Algorithm::padded});
  EXPECT_THAT(copy.path, ::testing::StartsWith("pantile::transpose[copy,"));
  EXPECT_THAT(copy.reason, ::testing::HasSubstr("a plain copy"));
  EXPECT_EQ(copy.scratch_bytes, 0U);
  auto const staged = pantile::explain::transpose(A, C, {.algorithm = Algorithm::padded, .tile = 20});
  EXPECT_THAT(staged.path, ::testing::StartsWith("pantile::transpose[padded,"));
  EXPECT_THAT(staged.path, ::testing::EndsWith(",double]"));
  EXPECT_THAT(staged.tile, ::testing::StartsWith("20x20, rows padded to 21"));
  EXPECT_EQ(staged.league_size, 5U * 10U);
  EXPECT_EQ(staged.scratch_bytes, 20U * 21U * 8U + 16U);
  EXPECT_EQ(staged.flops, 0);
  EXPECT_EQ(staged.bytes, 2.0 * 100 * 200 * 8);
}

TEST(TransposeExplained, InPlaceCountsTilesOnAndAboveTheDiagonal) {
  Kokkos::View<float**> const A("A", 100, 100);
  auto const e = pantile::explain::transpose(A, {.algorithm = Algorithm::tiled, .tile = 32});
  EXPECT_THAT(e.path, ::testing::StartsWith("pantile::transpose[tiled_in_place,"));
  EXPECT_EQ(e.league_size, 10U);
  EXPECT_EQ(e.scratch_bytes, 2U * 32U * 32U * 4U + 16U);
  EXPECT_EQ(e.bytes, 2.0 * 100 * 100 * 4);
}

}  // namespace

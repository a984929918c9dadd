// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file  Every mix of placements, in place, interleaved subviews, static layouts, instances.
#include <add/cases.hpp>

#include <gmock/gmock.h>

namespace {

using namespace pantile::testing;
using Algorithm = pantile::AddAlgorithm;

template <class TestCase>
class AddLayouts : public ::testing::Test {};
using Cases = CasesOf<float, Kokkos::complex<double>, std::int32_t>;
TYPED_TEST_SUITE(AddLayouts, Cases);

TYPED_TEST(AddLayouts, AllTriplesOfPlacements) {
  using T = typename TypeParam::T;
  typename TypeParam::Exec const exec;
  for (Shape const s : {Shape{7, 11}, Shape{1, 9}, Shape{9, 1}}) {
    Sum<T> const sum(scalar<T>(2, -1), random_matrix<T>(s.rows, s.cols, 1), scalar<T>(3, 2),
                     random_matrix<T>(s.rows, s.cols, 2));
    for (std::size_t triple = 0; triple < 125; ++triple) {
      for (Algorithm const algorithm : add_algorithms) {
        SCOPED_TRACE(std::string(to_string(algorithm)) + " " + to_string(s) + " triple " + std::to_string(triple));
        expect_sum(exec, sum, {.algorithm = algorithm}, placements(triple));
      }
    }
  }
}

/// Rows of A, B or C have gaps, or A, B or both run across C, in many tiles.
TYPED_TEST(AddLayouts, OtherStridesInEachOperandOfManyTiles) {
  using T = typename TypeParam::T;
  typename TypeParam::Exec const exec;
  Sum<T> const sum(scalar<T>(2, -1), random_matrix<T>(700, 300, 1), scalar<T>(3, 2), random_matrix<T>(700, 300, 2));
  Placements const gaps[] = {{.a = Placement::padded_right}, {.b = Placement::padded_right},
                             {.c = Placement::padded_right}, {.a = Placement::left},
                             {.b = Placement::padded_left},  {.a = Placement::left, .b = Placement::left}};
  for (Algorithm const algorithm : add_algorithms) {
    SCOPED_TRACE(to_string(algorithm));
    for (Placements const& at : gaps) expect_sum(exec, sum, {.algorithm = algorithm}, at);
  }
}

/// A column of A is a row across memory: no tile that is transposed.
TYPED_TEST(AddLayouts, OneColumnOfALongMatrix) {
  using Exec = typename TypeParam::Exec;
  using T = typename TypeParam::T;
  std::size_t const n = 20'000;
  auto const parent = random_matrix<T>(n, 5, 1), b = random_matrix<T>(n, 1, 2);
  Placed<T, Exec> const P("P", parent, Placement::right), B("B", b, Placement::right);
  Placed<T, Exec> const C("C", b, Placement::left);
  Kokkos::View<T**, Kokkos::LayoutStride, typename Exec::memory_space> const column(P.view().data() + 2,
                                                                                    Kokkos::LayoutStride(n, 5, 1, 1));
  pantile::add(Exec{}, T(2), column, T(3), B.view(), C.view());
  Exec{}.fence();
  HostMatrix<T> a = b;
  for (std::size_t i = 0; i < n; ++i) a.values[i] = parent.values[5 * i + 2];
  auto const wanted = reference_add(T(2), a, T(3), b);
  EXPECT_TRUE(within(C.values(), wanted.values, wanted.bound));
  EXPECT_TRUE(C.surroundings_intact());
}

TYPED_TEST(AddLayouts, InPlaceOfAOfBAndOfBoth) {
  using Exec = typename TypeParam::Exec;
  using T = typename TypeParam::T;
  Exec const exec;
  auto const a = random_matrix<T>(33, 70, 1), b = random_matrix<T>(33, 70, 2);
  T const alpha = scalar<T>(2, -1), beta = scalar<T>(3, 2);
  auto const both = reference_add(alpha, a, beta, b), own = reference_add(alpha, a, beta, a);
  for (Placement const placement : all_placements) {
    for (Algorithm const algorithm : add_algorithms) {
      SCOPED_TRACE(std::string(to_string(algorithm)) + " " + std::to_string(static_cast<int>(placement)));
      Placed<T, Exec> const A("A", a, placement), B("B", b, placement), C("C", a, placement);
      Placed<T, Exec> const source("source", a, Placement::right), D("D", b, Placement::left);
      pantile::add(exec, alpha, A.view(), beta, B.view(), A.view(), {.algorithm = algorithm});
      pantile::add(exec, alpha, source.view(), beta, D.view(), D.view(), {.algorithm = algorithm});
      pantile::add(exec, alpha, C.view(), beta, C.view(), C.view(), {.algorithm = algorithm});
      exec.fence();
      EXPECT_TRUE(within(A.values(), both.values, both.bound));
      EXPECT_TRUE(within(D.values(), both.values, both.bound));
      EXPECT_TRUE(within(C.values(), own.values, own.bound));
      EXPECT_TRUE(A.surroundings_intact() && C.surroundings_intact() && D.surroundings_intact());
    }
  }
}

// Three subviews that share a memory and no element: columns 0, 3, 6..., 1, 4, 7... and 2, 5, 8...
TYPED_TEST(AddLayouts, InterleavedSubviewsDoNotOverlap) {
  using Exec = typename TypeParam::Exec;
  using T = typename TypeParam::T;
  using View = Kokkos::View<T**, Kokkos::LayoutStride, typename Exec::memory_space>;
  auto const parent = random_matrix<T>(20, 30, 1);
  for (Algorithm const algorithm : add_algorithms) {
    Placed<T, Exec> const P("P", parent, Placement::right);
    auto const third = [&](int first) { return View(P.view().data() + first, Kokkos::LayoutStride(20, 30, 10, 3)); };
    pantile::add(Exec{}, T(2), third(0), T(3), third(1), third(2), {.algorithm = algorithm});
    Exec{}.fence();
    auto expected = parent;
    for (std::size_t i = 0; i < 20; ++i) {
      for (std::size_t j = 0; j < 30; j += 3) {
        HostMatrix<T> a(1, 1), b(1, 1);
        a(0, 0) = parent(i, j);
        b(0, 0) = parent(i, j + 1);
        expected(i, j + 2) = reference_add(T(2), a, T(3), b).values(0, 0);
      }
    }
    HostMatrix<double> bound(20, 30);
    for (double& value : bound.values) value = 20 * unit_roundoff<T>();
    EXPECT_TRUE(within(P.values(), expected, bound)) << to_string(algorithm);
  }
}

TYPED_TEST(AddLayouts, StaticLayoutsConstAndUnmanagedViews) {
  using Exec = typename TypeParam::Exec;
  using T = typename TypeParam::T;
  using Memory = typename Exec::memory_space;
  auto const a = random_matrix<T>(13, 33, 1), b = random_matrix<T>(13, 33, 2);
  Placed<T, Exec> const A("A", a, Placement::right), B("B", b, Placement::left), C("C", 13, 33, Placement::left);
  Kokkos::View<T const**, Kokkos::LayoutRight, Memory, Kokkos::MemoryUnmanaged> const left(A.view().data(), 13, 33);
  Kokkos::View<T**, Kokkos::LayoutLeft, Memory, Kokkos::MemoryUnmanaged> const right(B.view().data(), 13, 33);
  Kokkos::View<T**, Kokkos::LayoutLeft, Memory, Kokkos::MemoryUnmanaged> const sum(C.view().data(), 13, 33);
  pantile::add(2, left, 1, right, sum);
  Kokkos::fence();
  auto const reference = reference_add(T(2), a, T(1), b);
  EXPECT_TRUE(within(C.values(), reference.values, reference.bound));
}

TYPED_TEST(AddLayouts, RunsOnTheGivenInstance) {
  using Exec = typename TypeParam::Exec;
  using T = typename TypeParam::T;
  auto const instances = Kokkos::Experimental::partition_space(Exec{}, 1, 1);
  Sum<T> const sum(T(2), random_matrix<T>(50, 60, 1), T(3), random_matrix<T>(50, 60, 2));
  for (Algorithm const algorithm : add_algorithms) {
    expect_sum(instances[0], sum, {.algorithm = algorithm});
    expect_sum(instances[1], sum, {.algorithm = algorithm});
  }
}

}  // namespace

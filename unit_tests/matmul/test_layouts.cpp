// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file  Every mix of placements of A, B and C, and every pair of operators.
#include <matmul/cases.hpp>

namespace {

using namespace pantile::testing;
using Algorithm = pantile::MatmulAlgorithm;
using pantile::Op;

template <class TestCase>
class MatmulLayouts : public ::testing::Test {};
using Cases = CasesOf<float, Kokkos::complex<double>, std::int32_t>;
TYPED_TEST_SUITE(MatmulLayouts, Cases);

TYPED_TEST(MatmulLayouts, AllTriplesOfPlacements) {
  using T = typename TypeParam::T;
  typename TypeParam::Exec const exec;
  Call<T> const call({5, 7, 6});
  for (std::size_t triple = 0; triple < 125; ++triple) {
    for (Algorithm const algorithm : own_algorithms) {
      SCOPED_TRACE(std::string(to_string(algorithm)) + " " + to_string(placements(triple)));
      expect_right(exec, call, {.algorithm = algorithm}, placements(triple));
    }
    SCOPED_TRACE("small tile, " + to_string(placements(triple)));
    expect_right(exec, call, {.algorithm = Algorithm::tiled, .tile = {3, 4, 2}}, placements(triple));
  }
}

TYPED_TEST(MatmulLayouts, AllPairsOfOperators) {
  using T = typename TypeParam::T;
  typename TypeParam::Exec const exec;
  constexpr Op ops[] = {Op::none, Op::transpose, Op::conjugate, Op::conjugate_transpose};
  for (Op const op_a : ops) {
    for (Op const op_b : ops) {
      Call<T> const call({5, 7, 6}, scalar<T>(2, -1), scalar<T>(3, 2), op_a, op_b);
      for (Algorithm const algorithm : own_algorithms) {
        for (Placement const placement : all_placements) {
          SCOPED_TRACE(std::string(to_string(algorithm)) + " " + to_string(op_a) + " " + to_string(op_b));
          expect_right(exec, call, {.op_a = op_a, .op_b = op_b, .algorithm = algorithm},
                       {placement, Placement::left, placement});
          expect_right(exec, call, {.op_a = op_a, .op_b = op_b, .algorithm = algorithm},
                       {Placement::right, placement, Placement::right});
        }
      }
    }
  }
}

// A symmetric use of one matrix: A A^H, both operands the same View.
TYPED_TEST(MatmulLayouts, AAndBMayBeTheSame) {
  using Exec = typename TypeParam::Exec;
  using T = typename TypeParam::T;
  auto const a = random_matrix<T>(9, 4, 5);
  auto const reference = reference_matmul(T(1), a, apply(Op::conjugate_transpose, a), T(0), HostMatrix<T>(9, 9));
  for (Algorithm const algorithm : own_algorithms) {
    Placed<T, Exec> const A("A", a, Placement::padded_right), C("C", 9, 9, Placement::left);
    pantile::matmul(Exec{}, 1, A.view(), A.view(), 0, C.view(),
                    {.op_b = Op::conjugate_transpose, .algorithm = algorithm});
    Exec{}.fence();
    EXPECT_TRUE(within(C.values(), reference.values, reference.bound)) << to_string(algorithm);
  }
}

}  // namespace

// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file  The blocked variant where kernels run by default: on a device its own launches, with the scratch and the
///        teams that there are. test_multistage.cpp has the same kernels with teams of one host thread.
#include <matmul/cases.hpp>

namespace {

using namespace pantile::testing;
using Algorithm = pantile::MatmulAlgorithm;
using pantile::Op;

/// Around the edges of a device's tiles, one tile and several, fewer rows and columns than any, and few sums of many
/// products.
constexpr Shape shapes[] = {{1, 1, 1},      {5, 130, 3},   {63, 65, 16},   {64, 64, 64},   {127, 129, 17},
                            {128, 128, 15}, {129, 64, 33}, {257, 130, 8},  {260, 259, 40}, {300, 1, 70},
                            {8, 300, 130},  {8, 8, 5000},  {40, 48, 1500}, {16, 300, 300}};

template <class TestCase>
class MatmulDefaultSpace : public ::testing::Test {};
TYPED_TEST_SUITE(MatmulDefaultSpace, AllCases);

TYPED_TEST(MatmulDefaultSpace, BlockedIsRightAroundEveryTile) {
  using T = typename TypeParam::T;
  typename TypeParam::Exec const exec;
  std::size_t number = 0;
  for (Shape const shape : shapes) {
    Call<T> const call(shape);
    // Contiguous both ways first, which is what the fastest loads take; then any of the other placements.
    for (std::size_t const triple : {std::size_t{0}, std::size_t{31}, 17 * ++number % 125}) {
      SCOPED_TRACE(to_string(shape) + " " + to_string(placements(triple)));
      expect_right(exec, call, {.algorithm = Algorithm::blocked}, placements(triple));
    }
  }
}

TYPED_TEST(MatmulDefaultSpace, BlockedTakesEveryOperatorAndScalar) {
  using T = typename TypeParam::T;
  typename TypeParam::Exec const exec;
  for (Op const op_a : {Op::none, Op::transpose, Op::conjugate_transpose}) {
    for (Op const op_b : {Op::none, Op::conjugate, Op::conjugate_transpose}) {
      for (int const beta : {0, 1}) {
        Call<T> call({131, 140, 36}, T(1), T(beta), op_a, op_b);
        if (beta == 0) {
          for (T& value : call.c.values) value = poison<T>();
        }
        SCOPED_TRACE(std::string(to_string(op_a)) + " " + to_string(op_b) + " beta " + std::to_string(beta));
        expect_right(exec, call, {.op_a = op_a, .op_b = op_b, .algorithm = Algorithm::blocked});
      }
    }
  }
}

}  // namespace

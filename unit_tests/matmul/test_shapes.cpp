// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file  Every algorithm, element type and space over the shapes that the active tile makes critical.
#include <matmul/cases.hpp>

namespace {

using namespace pantile::testing;
using Algorithm = pantile::MatmulAlgorithm;

template <class TestCase>
class MatmulShapes : public ::testing::Test {};
TYPED_TEST_SUITE(MatmulShapes, AllCases);

TYPED_TEST(MatmulShapes, EveryAlgorithmIsRightAroundTheTile) {
  using Exec = typename TypeParam::Exec;
  using T = typename TypeParam::T;
  Exec const exec;
  std::size_t number = 0;
  for (Shape const shape : shapes_around(active_tile<Exec, T>(exec))) {
    Call<T> const call(shape);
    for (Algorithm const algorithm : own_algorithms) {
      Placements const at = placements(17 * number++);
      SCOPED_TRACE(std::string(to_string(algorithm)) + " " + to_string(shape) + " " + to_string(at));
      expect_right(exec, call, {.algorithm = algorithm}, at);
    }
  }
}

TYPED_TEST(MatmulShapes, OverwritesCWhenBetaIsZero) {
  using Exec = typename TypeParam::Exec;
  using T = typename TypeParam::T;
  Exec const exec;
  auto const tile = active_tile<Exec, T>(exec);
  auto const edge = [](int e) { return static_cast<std::size_t>(e) + 1; };
  for (Shape const shape : {Shape{1, 1, 1}, Shape{7, 5, 3}, Shape{edge(tile.m), edge(tile.n), edge(tile.k)}}) {
    Call<T> call(shape, scalar<T>(-1, 2), T(0));
    for (T& value : call.c.values) value = poison<T>();
    for (Algorithm const algorithm : own_algorithms) {
      SCOPED_TRACE(std::string(to_string(algorithm)) + " " + to_string(shape));
      expect_right(exec, call, {.algorithm = algorithm}, {Placement::left, Placement::right, Placement::strided});
    }
  }
}

// The notebook's assessment: (128 x 32).(32 x 128) and (128 x 8).(8 x 128) int32, equal to the last bit.
TEST(MatmulSources, AssessmentIsExact) {
  using Exec = Kokkos::DefaultExecutionSpace;
  for (std::size_t const n : {std::size_t{32}, std::size_t{8}}) {
    Call<std::int32_t> const call({128, 128, n}, 1, 0);
    for (Algorithm const algorithm : own_algorithms) expect_right(Exec{}, call, {.algorithm = algorithm});
    expect_right(Exec{}, call, {.algorithm = Algorithm::tiled, .tile = {32, 32, 32}});
  }
}

}  // namespace

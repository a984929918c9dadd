// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file  Every algorithm and element type; shapes around the edges that are in use; launch shapes of the notebook.
#include <add/cases.hpp>

#include <initializer_list>

namespace {

using namespace pantile::testing;
using pantile::AddOptions;
using Algorithm = pantile::AddAlgorithm;

template <class TestCase>
class AddShapes : public ::testing::Test {};
TYPED_TEST_SUITE(AddShapes, AllCases);

TYPED_TEST(AddShapes, AroundTheTile) {
  using T = typename TypeParam::T;
  typename TypeParam::Exec const exec;
  // 32, 64 and 256 are edges of element tiles; 4096 elements make a host tile of row pieces.
  std::vector<Shape> const shapes{{0, 5},   {5, 0},   {1, 1},     {31, 33},  {32, 32},   {63, 65},  {67, 131},
                                  {1, 255}, {257, 1}, {1, 4097},  {4097, 1}, {2, 4095},  {1367, 3}, {3, 1367},
                                  {64, 64}, {65, 63}, {127, 129}, {4, 8195}, {101, 103}, {8195, 2}};
  for (Shape const s : shapes) {
    Sum<T> const sum(scalar<T>(2, -1), random_matrix<T>(s.rows, s.cols, 1), scalar<T>(3, 2),
                     random_matrix<T>(s.rows, s.cols, 2));
    for (Algorithm const algorithm : add_algorithms) {
      SCOPED_TRACE(std::string(to_string(algorithm)) + " " + to_string(s));
      expect_sum(exec, sum, {.algorithm = algorithm});
      expect_sum(exec, sum, {.algorithm = algorithm},
                 {Placement::padded_right, Placement::padded_left, Placement::padded_right});
    }
  }
}

TYPED_TEST(AddShapes, AnyTile) {
  using T = typename TypeParam::T;
  typename TypeParam::Exec const exec;
  Sum<T> const sum(scalar<T>(2, 1), random_matrix<T>(37, 53, 1), scalar<T>(1, 1), random_matrix<T>(37, 53, 2));
  for (auto const& tile :
       std::initializer_list<pantile::Extent2>{{1, 1}, {7, 3}, {20, 20}, {0, 16}, {16, 0}, {37, 1}, {1, 53}}) {
    for (Algorithm const algorithm : {Algorithm::naive, Algorithm::tiled}) {
      SCOPED_TRACE(std::string(to_string(algorithm)) + " " + std::to_string(tile.x) + "x" + std::to_string(tile.y));
      expect_sum(exec, sum, {.algorithm = algorithm, .tile = tile});
      expect_sum(exec, sum, {.algorithm = algorithm, .tile = tile},
                 {Placement::left, Placement::left, Placement::padded_left});
    }
  }
}

// Rows 12 and 13 of the source documents: launches smaller than, equal to and larger than the data.
TYPED_TEST(AddShapes, AnyLaunchShape) {
  using T = typename TypeParam::T;
  typename TypeParam::Exec const exec;
  Sum<T> const sum(T(1), random_matrix<T>(64, 64, 1), T(1), random_matrix<T>(64, 64, 2));
  for (auto const& launch : std::initializer_list<pantile::LaunchShape>{{{6, 6}, {6, 6}},
                                                                        {{11, 11}, {6, 6}},
                                                                        {{1, 1}, {1, 1}},
                                                                        {{100, 1}, {3, 2}},
                                                                        {{0, 0}, {5, 7}},
                                                                        {{2, 3}, {0, 0}}}) {
    SCOPED_TRACE(std::to_string(launch.grid.x) + "x" + std::to_string(launch.grid.y));
    expect_sum(exec, sum, {.algorithm = Algorithm::grid_stride, .launch = launch});
    expect_sum(exec, sum, {.algorithm = Algorithm::grid_stride, .launch = launch},
               {Placement::right, Placement::strided, Placement::left});
  }
}

}  // namespace

// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file  Tile edges and launch shapes that the caller chooses.
#include <matmul/cases.hpp>

namespace {

using namespace pantile::testing;
using Algorithm = pantile::MatmulAlgorithm;
using pantile::LaunchShape;
using pantile::MatmulTile;

template <class TestCase>
class MatmulTiles : public ::testing::Test {};
using Cases = CasesOf<float, double, Kokkos::complex<double>, std::int32_t>;
TYPED_TEST_SUITE(MatmulTiles, Cases);

TYPED_TEST(MatmulTiles, AnyEdgeWorks) {
  using T = typename TypeParam::T;
  typename TypeParam::Exec const exec;
  for (MatmulTile const tile : {MatmulTile{16, 16, 16}, MatmulTile{20, 20, 20}, MatmulTile{32, 32, 32},
                                MatmulTile{7, 7, 7}, MatmulTile{1, 1, 1}, MatmulTile{5, 24, 3}, MatmulTile{24, 5, 40},
                                MatmulTile{0, 9, 0}, MatmulTile{0, 0, 3}, MatmulTile{100, 3, 1}}) {
    for (Shape const shape :
         {Shape{1, 1, 1}, Shape{16, 16, 16}, Shape{20, 20, 20}, Shape{33, 35, 37}, Shape{6, 64, 50}}) {
      SCOPED_TRACE(to_string(shape) + " tile " + std::to_string(tile.m) + "x" + std::to_string(tile.n) + "x" +
                   std::to_string(tile.k));
      Call<T> const call(shape);
      expect_right(exec, call, {.algorithm = Algorithm::tiled, .tile = tile});
      expect_right(exec, call, {.algorithm = Algorithm::tiled, .tile = tile},
                   {Placement::left, Placement::strided, Placement::padded_left});
    }
  }
}

TYPED_TEST(MatmulTiles, TheAskedTileIsTaken) {
  using Exec = typename TypeParam::Exec;
  using T = typename TypeParam::T;
  Kokkos::View<T**, Exec> const a("a", 50, 60), b("b", 60, 70), c("c", 50, 70);
  auto const e = pantile::explain::matmul(Exec{}, 1, a, b, 0, c, {.algorithm = Algorithm::tiled, .tile = {20, 21, 22}});
  bool const along_rows = std::is_same_v<typename Kokkos::View<T**, Exec>::array_layout, Kokkos::LayoutRight>;
  EXPECT_THAT(e.tile, ::testing::StartsWith("20x21x22 "))
      << "LayoutLeft results are computed transposed: " << along_rows;
  EXPECT_EQ(e.league_size, along_rows ? 3U * 4U : 3U * 4U);
  EXPECT_GT(e.scratch_bytes, 0U);
}

// The notebook's mm_stride: (3 x 4).(4 x 6) by (3, 7) blocks of (4, 3) threads; then fewer threads than data.
TYPED_TEST(MatmulTiles, AnyLaunchWorks) {
  using T = typename TypeParam::T;
  typename TypeParam::Exec const exec;
  for (LaunchShape const launch :
       {LaunchShape{{3, 7}, {4, 3}}, LaunchShape{{1, 1}, {1, 1}}, LaunchShape{{2, 3}, {3, 2}},
        LaunchShape{{40, 50}, {32, 8}}, LaunchShape{{0, 0}, {4, 3}}, LaunchShape{{3, 7}, {0, 0}},
        LaunchShape{{1, 64}, {1, 1}}, LaunchShape{{64, 1}, {1, 1}}}) {
    for (Shape const shape : {Shape{3, 6, 4}, Shape{1, 1, 1}, Shape{31, 29, 5}, Shape{2, 90, 3}, Shape{90, 2, 3}}) {
      SCOPED_TRACE(to_string(shape) + " grid " + std::to_string(launch.grid.x) + "," + std::to_string(launch.grid.y));
      Call<T> const call(shape);
      expect_right(exec, call, {.algorithm = Algorithm::grid_stride, .launch = launch});
      expect_right(exec, call, {.algorithm = Algorithm::grid_stride, .launch = launch},
                   {Placement::right, Placement::left, Placement::left});
    }
  }
}

// More threads than a 64-bit number can count are as good as one per element.
TEST(MatmulLaunch, HugeLaunchesDoNotOverflow) {
  constexpr int most = std::numeric_limits<int>::max();
  Call<double> const call({5, 6, 7});
  expect_right(Kokkos::DefaultExecutionSpace{}, call,
               {.algorithm = Algorithm::grid_stride, .launch = {{most, most}, {1024, 2097151}}});
}

}  // namespace

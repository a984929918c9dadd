// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file  Every algorithm and element type, shapes around the tile that is in use.
#include <transpose/cases.hpp>

namespace {

using namespace pantile::testing;
using Algorithm = pantile::TransposeAlgorithm;
using pantile::TransposeOptions;

template <class TestCase>
class TransposeShapes : public ::testing::Test {};
TYPED_TEST_SUITE(TransposeShapes, AllCases);

TYPED_TEST(TransposeShapes, OutOfPlace) {
  using T = typename TypeParam::T;
  typename TypeParam::Exec const exec;
  for (Algorithm const algorithm : transpose_algorithms) {
    TransposeOptions const options{.algorithm = algorithm};
    for (Shape const s : shapes_around(active_edge<typename TypeParam::Exec, T>(exec, options))) {
      SCOPED_TRACE(std::string(to_string(algorithm)) + " " + to_string(s));
      expect_transposed(exec, random_matrix<T>(s.rows, s.cols, 1), Placement::right, Placement::padded_right, options);
    }
  }
}

TYPED_TEST(TransposeShapes, InPlace) {
  using T = typename TypeParam::T;
  typename TypeParam::Exec const exec;
  for (Algorithm const algorithm : transpose_algorithms) {
    TransposeOptions const options{.algorithm = algorithm};
    std::size_t const edge = active_edge<typename TypeParam::Exec, T>(exec, options);
    for (std::size_t const n : {std::size_t{0}, std::size_t{1}, edge - 1, edge, edge + 1, 2 * edge, 3 * edge + 5}) {
      SCOPED_TRACE(std::string(to_string(algorithm)) + " " + std::to_string(n));
      expect_transposed_in_place(exec, random_matrix<T>(n, n, 1), Placement::padded_right, options);
    }
  }
}

// An element before the first row, and rows a multiple of 64 elements apart: hosts cut such matrices at cache lines.
TYPED_TEST(TransposeShapes, RowsThatAllBeginWithinACacheLine) {
  using T = typename TypeParam::T;
  typename TypeParam::Exec const exec;
  for (Shape const s : {Shape{509, 573}, Shape{573, 509}, Shape{573, 573}}) {
    SCOPED_TRACE(to_string(s));
    expect_transposed(exec, random_matrix<T>(s.rows, s.cols, 1), Placement::padded_right, Placement::padded_right, {});
  }
  expect_transposed_in_place(exec, random_matrix<T>(573, 573, 1), Placement::padded_right, {});
}

TYPED_TEST(TransposeShapes, AnyTileEdge) {
  using T = typename TypeParam::T;
  typename TypeParam::Exec const exec;
  auto const wide = random_matrix<T>(45, 67, 1), square = random_matrix<T>(47, 47, 2);
  constexpr bool device = pantile::impl::arch::Current<typename TypeParam::Exec>::device;
  std::vector<int> const rows_of_threads = device ? std::vector{0, 4, 50} : std::vector{0};
  for (Algorithm const algorithm : {Algorithm::tiled, Algorithm::padded}) {
    for (int const tile : {1, 2, 3, 7, 16, 20, 32, 50}) {
      for (int const rows_per_thread : rows_of_threads) {
        SCOPED_TRACE(std::string(to_string(algorithm)) + " tile " + std::to_string(tile));
        TransposeOptions const options{.algorithm = algorithm, .tile = tile, .rows_per_thread = rows_per_thread};
        expect_transposed(exec, wide, Placement::right, Placement::right, options);
        std::size_t const in_place = 2 * sizeof(T) * static_cast<std::size_t>(tile * (tile + 1));
        if (fits_scratch(exec, in_place)) expect_transposed_in_place(exec, square, Placement::left, options);
      }
    }
  }
}

}  // namespace

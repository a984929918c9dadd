// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file  The device's blocked transposition of elements of every width that it has a kernel for, out of place and in
///        place, by packs and one by one, at edges around its tiles. Hosts emulate them in
///        unit_tests/transpose/test_packed.cpp.
#include <support/int16.hpp>
#include <transpose/cases.hpp>

#include <cstdint>

namespace {

using namespace pantile::testing;
using Algorithm = pantile::TransposeAlgorithm;
using Exec = Kokkos::DefaultExecutionSpace;

template <class T>
class TransposeWidths : public ::testing::Test {};
using Elements = ::testing::Types<std::int8_t, std::int16_t, float, double, Kokkos::complex<double>>;
TYPED_TEST_SUITE(TransposeWidths, Elements);

/// Rows of whole packs are taken by packs, others element by element.
constexpr Placement placed[] = {Placement::right, Placement::left, Placement::padded_right};

template <class T>
std::size_t edge_of(int tiles) {
  using pantile::impl::transpose::PackedShape;
  return static_cast<std::size_t>(tiles == 1 ? PackedShape<sizeof(T), 1, true>::edge
                                             : PackedShape<sizeof(T), 2, true>::edge);
}

TYPED_TEST(TransposeWidths, OutOfPlace) {
  std::size_t const edge = edge_of<TypeParam>(1), band = pantile::impl::arch::device::packed_band;
  for (Shape const s :
       {Shape{edge, edge}, Shape{edge - 1, edge + 1}, Shape{2 * edge + 3, edge / 2 + 1}, Shape{3, 4 * edge},
        Shape{band * edge + 16, edge + 16}}) {  // in whole packs, and the last band of tiles is one tile high
    auto const a = random_matrix<TypeParam>(s.rows, s.cols, 1);
    for (Placement const at : placed) {
      SCOPED_TRACE(to_string(s) + " placement " + std::to_string(static_cast<int>(at)));
      expect_transposed(Exec{}, a, at, at, {.algorithm = Algorithm::blocked});
    }
  }
}

TYPED_TEST(TransposeWidths, InPlace) {
  std::size_t const edge = edge_of<TypeParam>(2);
  for (std::size_t const n : {std::size_t{1}, edge - 1, edge, edge + 1, edge + 16, 2 * edge + 5}) {
    auto const a = random_matrix<TypeParam>(n, n, 1);
    for (Placement const at : placed) {
      SCOPED_TRACE(std::to_string(n) + " placement " + std::to_string(static_cast<int>(at)));
      expect_transposed_in_place(Exec{}, a, at, {.algorithm = Algorithm::blocked});
    }
  }
}

/// Whole tiles alone, by packs and element by element: what an interpreter counts here is the work of a tile.
template <class T>
class TransposeWholeTiles : public ::testing::Test {};
using WholeElements = ::testing::Types<std::uint8_t, Kokkos::Experimental::half_t, std::int32_t, std::uint32_t, float,
                                       std::int64_t, double, Kokkos::complex<float>, Kokkos::complex<double>>;
TYPED_TEST_SUITE(TransposeWholeTiles, WholeElements);

template <class T>
void expect_whole_tiles_transposed(Placement at) {
  std::size_t const edge = edge_of<T>(1), pairs_edge = edge_of<T>(2);
  expect_transposed(Exec{}, random_matrix<T>(2 * edge, 4 * edge, 1), at, at, {.algorithm = Algorithm::blocked});
  expect_transposed_in_place(Exec{}, random_matrix<T>(3 * pairs_edge, 3 * pairs_edge, 1), at,
                             {.algorithm = Algorithm::blocked});
}

TYPED_TEST(TransposeWholeTiles, ByPacks) { expect_whole_tiles_transposed<TypeParam>(Placement::right); }
TYPED_TEST(TransposeWholeTiles, OneByOne) { expect_whole_tiles_transposed<TypeParam>(Placement::padded_right); }

/// Tiles in squares, of which those at the edge and at the diagonal have places without a tile.
TEST(TransposeManyTiles, InPlace) {
  std::size_t const n = 4 * pantile::impl::arch::device::packed_band * edge_of<double>(2) + 4;
  expect_transposed_in_place(Exec{}, random_matrix<double>(n, n, 1), Placement::right,
                             {.algorithm = Algorithm::blocked});
}

}  // namespace

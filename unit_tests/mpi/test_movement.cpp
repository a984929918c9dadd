// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file  Transposition, redistribution and addition.

#include <mpi/ranks.hpp>
#include <support/matcher.hpp>
#include <support/tool_events.hpp>

#include <pantile/mpi/add.hpp>
#include <pantile/mpi/matmul.hpp>
#include <pantile/mpi/redistribute.hpp>
#include <pantile/mpi/transpose.hpp>

#include <gmock/gmock.h>

#include <array>
#include <cstdint>
#include <limits>
#include <string>

namespace pantile::testing {
namespace {

using mpi::BlockSize;
using mpi::Distribution;
using mpi::ProcessGrid;

struct Extents {
  std::size_t rows, cols;
};
constexpr std::array<Extents, 8> shapes{{{1, 1}, {1, 30}, {30, 1}, {13, 17}, {40, 9}, {2, 2}, {0, 5}, {5, 0}}};
constexpr std::array<std::array<BlockSize, 2>, 4> pairs_of_blocks{{
    {BlockSize{2, 2}, BlockSize{2, 2}},
    {BlockSize{3, 5}, BlockSize{5, 3}},  // the transposed blocks
    {BlockSize{3, 4}, BlockSize{2, 7}},  // no edge fits another
    {BlockSize{64, 1}, BlockSize{64, 64}},
}};

template <class T>
Distribution over(ProcessGrid const& grid, HostMatrix<T> const& x, BlockSize block) {
  return {grid, static_cast<std::int64_t>(x.rows), static_cast<std::int64_t>(x.cols), block};
}

/// Tells every element from every other, and its conjugate from it.
template <class T>
HostMatrix<T> numbered(Extents extents) {
  HostMatrix<T> result(extents.rows, extents.cols);
  float next = 1;
  for (T& value : result.values) {
    if constexpr (is_complex_v<T>) {
      value = T(next, -next - 0.5f);
    } else {
      value = static_cast<T>(next);
    }
    next += 1;
  }
  return result;
}

template <class T>
HostMatrix<T> poisoned(std::size_t rows, std::size_t cols) {
  HostMatrix<T> result(rows, cols);
  for (T& value : result.values) value = poison<T>();
  return result;
}

template <class Layout, class T>
void expect_transposed(ProcessGrid const& grid, Extents extents, std::array<BlockSize, 2> blocks, bool conjugate) {
  SCOPED_TRACE(std::to_string(grid.rows()) + "x" + std::to_string(grid.cols()) + ": " + std::to_string(extents.rows) +
               "x" + std::to_string(extents.cols));
  auto const values = numbered<T>(extents);
  auto const before = poisoned<T>(values.cols, values.rows);
  Dealt<T, Layout> const a(over(grid, values, blocks[0]), values, 2), b(over(grid, before, blocks[1]), before, 1);
  mpi::transpose(a.matrix, b.matrix, {.conjugate = conjugate});
  EXPECT_TRUE(equal(b.gathered(), applied(conjugate ? Op::conjugate_transpose : Op::transpose, values)));
  EXPECT_TRUE(equal(a.gathered(), values));
  EXPECT_TRUE(b.surroundings_intact());
}

template <class T>
class MpiTranspose : public ::testing::Test {};
using Numbers = ::testing::Types<float, double, Kokkos::complex<float>, Kokkos::complex<double>>;
TYPED_TEST_SUITE(MpiTranspose, Numbers);

TYPED_TEST(MpiTranspose, EveryShapeOnEveryGrid) {
  for (ProcessGrid const& grid : all_grids()) {
    for (Extents const extents : shapes) {
      for (auto const& blocks : pairs_of_blocks) {
        for (bool const conjugate : {false, true}) {
          expect_transposed<Kokkos::LayoutLeft, TypeParam>(grid, extents, blocks, conjugate);
          expect_transposed<Kokkos::LayoutRight, TypeParam>(grid, extents, blocks, conjugate);
        }
      }
    }
  }
}

/// As the face does it, but with a tile of its own.
template <class View>
void transpose_in_rounds(mpi::DistributedMatrix<View> const& A, mpi::DistributedMatrix<View> const& B, bool conjugate,
                         std::size_t most_bytes) {
  if constexpr (impl::mpi::on_host<View>) {
    using T = impl::mpi::element_t<View>;
    impl::mpi::Transposed(impl::mpi::number_of<T>, conjugate, impl::mpi::part_of(A), most_bytes)
        .deal(impl::mpi::part_of(B));
  } else {
    typename View::execution_space const exec;
    impl::mpi::Exchange<impl::mpi::Move::transposed, typename View::execution_space, View, View>(exec, A, B, conjugate,
                                                                                                 most_bytes)
        .run();
  }
}

template <class Layout, class T>
void expect_transposed_in_rounds(ProcessGrid const& grid, std::array<BlockSize, 2> blocks, std::size_t most_bytes) {
  SCOPED_TRACE(std::to_string(grid.rows()) + "x" + std::to_string(grid.cols()) + ", " + std::to_string(most_bytes));
  auto const values = numbered<T>({23, 29});
  auto const before = poisoned<T>(29, 23);
  Dealt<T, Layout> const a(over(grid, values, blocks[0]), values, 2), b(over(grid, before, blocks[1]), before, 1);
  transpose_in_rounds(a.matrix, b.matrix, true, most_bytes);
  EXPECT_TRUE(equal(b.gathered(), applied(Op::conjugate_transpose, values)));
  EXPECT_TRUE(b.surroundings_intact());
}

// From one element a round to all but the last few.
TYPED_TEST(MpiTranspose, InRounds) {
  auto grids = all_grids();
  if (world_size() > 1) grids.emplace_back(MPI_COMM_WORLD, world_size() - 1, 1);
  for (ProcessGrid const& grid : grids) {
    for (auto const& blocks : pairs_of_blocks) {
      for (std::size_t const elements : {7, 110, 23 * 29 / world_size()}) {
        std::size_t const bytes = elements * sizeof(TypeParam);
        expect_transposed_in_rounds<Kokkos::LayoutLeft, TypeParam>(grid, blocks, bytes);
        expect_transposed_in_rounds<Kokkos::LayoutRight, TypeParam>(grid, blocks, bytes + 1);
      }
    }
  }
  expect_transposed_in_rounds<Kokkos::LayoutLeft, TypeParam>(grids.front(), pairs_of_blocks[2], 0);
}

TEST(MpiTransposition, TilesHoldNoMoreElementsThanTheyMay) {
  using impl::mpi::FastSlow;
  auto const expect = [](FastSlow part, std::int64_t elements, FastSlow tile) {
    FastSlow const found = impl::mpi::tile_of(part, elements);
    EXPECT_EQ(found.fast, tile.fast) << part.fast << "x" << part.slow << " in " << elements;
    EXPECT_EQ(found.slow, tile.slow) << part.fast << "x" << part.slow << " in " << elements;
  };
  expect({100, 200}, 20000, {100, 200});
  expect({100, 200}, 19999, {100, 199});
  expect({100, 200}, 6400, {100, 64});
  expect({100, 200}, 6399, {99, 64});
  expect({100, 20}, 1000, {50, 20});
  expect({100, 200}, 64, {1, 64});
  expect({100, 200}, 3, {1, 3});
  expect({100, 200}, 0, {1, 1});
  expect({0, 5}, 10, {1, 5});
  expect({5, 0}, 10, {5, 1});
  std::int64_t const large = (std::int64_t(1) << 31) - 1;
  expect({large, 1}, 1 << 23, {1 << 23, 1});
  expect({1, large}, 1 << 23, {1, 1 << 23});
}

/// What f() makes Kokkos allocate.
template <class F>
std::uint64_t bytes_allocated(F const& f) {
  ToolEvents const events;
  f();
  std::uint64_t bytes = 0;
  for (auto const& event : events.of(ToolEvents::Kind::allocation)) bytes += event.bytes;
  return bytes;
}

TEST(MpiTransposition, TakesMemoryForATile) {
  constexpr std::size_t most = impl::mpi::Transposed::most, header = 1024;
  ProcessGrid const grid(MPI_COMM_WORLD, 1, world_size());
  mpi::DistributedMatrix<Kokkos::View<double**, Kokkos::LayoutLeft>> small{{grid, 40, 120, {8, 5}}, {}},
      small_b{{grid, 120, 40, {5, 8}}, {}}, large{{grid, 600, 1000 * world_size(), {64, 64}}, {}},
      large_b{{grid, 1000 * world_size(), 600, {64, 64}}, {}};
  for (auto* matrix : {&small, &small_b, &large, &large_b}) {
    auto const [rows, cols] = matrix->distribution.local_extents();
    matrix->local = decltype(matrix->local)("part", rows, cols);
  }
  std::size_t const part = small.local.size() * sizeof(double);
  ASSERT_GT(large.local.size() * sizeof(double), most + header);
  using ::testing::AllOf;
  EXPECT_THAT(bytes_allocated([&] { mpi::transpose(small, small_b); }),
              AllOf(::testing::Ge(part), ::testing::Lt(part + header)));
  EXPECT_THAT(bytes_allocated([&] { mpi::transpose(large, large_b); }),
              AllOf(::testing::Gt(most / 2), ::testing::Lt(most + header)));
  EXPECT_THAT(bytes_allocated([&] { transpose_in_rounds(large, large_b, false, 5120); }),
              AllOf(::testing::Gt(0), ::testing::Lt(5120 + header)));
}

template <class Layout, class T>
void expect_moved(ProcessGrid const& from, ProcessGrid const& to, Extents extents, std::array<BlockSize, 2> blocks) {
  auto const values = numbered<T>(extents);
  auto const before = poisoned<T>(extents.rows, extents.cols);
  Dealt<T, Layout> const a(over(from, values, blocks[0]), values, 1), b(over(to, before, blocks[1]), before, 2);
  mpi::redistribute(a.matrix, b.matrix);
  EXPECT_TRUE(equal(b.gathered(), values));
  EXPECT_TRUE(equal(a.gathered(), values));
  EXPECT_TRUE(b.surroundings_intact());
}

template <class T>
class MpiRedistribute : public ::testing::Test {};
using Sizes =
    ::testing::Types<float, std::int32_t, double, std::int64_t, Kokkos::complex<float>, Kokkos::complex<double>>;
TYPED_TEST_SUITE(MpiRedistribute, Sizes);

/// Every grid to every other, and to one that a rank stays outside of.
template <class Move>
void for_each_pair_of_grids(Move const& move) {
  auto grids = all_grids();
  if (world_size() > 1) grids.emplace_back(MPI_COMM_WORLD, 1, world_size() - 1);
  for (ProcessGrid const& from : grids) {
    for (ProcessGrid const& to : grids) move(from, to);
  }
}

TYPED_TEST(MpiRedistribute, EveryGridToEveryOther) {
  for_each_pair_of_grids([](ProcessGrid const& from, ProcessGrid const& to) {
    expect_moved<Kokkos::LayoutLeft, TypeParam>(from, to, {13, 17}, {BlockSize{3, 4}, BlockSize{2, 7}});
    expect_moved<Kokkos::LayoutRight, TypeParam>(from, to, {13, 17}, {BlockSize{3, 4}, BlockSize{2, 7}});
  });
}

TEST(MpiRedistribution, EveryShape) {
  for_each_pair_of_grids([](ProcessGrid const& from, ProcessGrid const& to) {
    for (Extents const extents : shapes) {
      for (auto const& blocks : pairs_of_blocks) {
        expect_moved<Kokkos::LayoutLeft, double>(from, to, extents, blocks);
        expect_moved<Kokkos::LayoutRight, double>(from, to, extents, blocks);
      }
    }
  });
}

TEST(MpiRedistribution, GathersToRankZeroAndScatters) {
  ProcessGrid const all(MPI_COMM_WORLD, world_size(), 1), one(MPI_COMM_WORLD, 1, 1);
  auto const values = numbered<double>({11, 7});
  auto const before = poisoned<double>(11, 7);
  Dealt<double, Kokkos::LayoutRight> const dealt(over(all, values, {2, 3}), values),
      whole(over(one, values, {11, 7}), before), back(over(all, values, {1, 2}), before);
  mpi::redistribute(dealt.matrix, whole.matrix);
  if (world_rank() == 0) {
    EXPECT_EQ(whole.matrix.local(10, 6), 77);
  }
  EXPECT_EQ(whole.matrix.local.size(), world_rank() == 0 ? 77U : 0U);
  mpi::redistribute(whole.matrix, back.matrix);
  EXPECT_TRUE(equal(back.gathered(), values));
}

// Bits that no arithmetic would keep.
TEST(MpiRedistribution, CopiesBits) {
  ProcessGrid const grid(MPI_COMM_WORLD, 1, world_size());
  HostMatrix<std::int64_t> values(3, 8);
  for (std::size_t i = 0; i < values.values.size(); ++i) {
    values.values[i] = 0x7ff0000000000001 + static_cast<std::int64_t>(i);  // signalling NaNs, were they doubles
  }
  HostMatrix<std::int64_t> const before(3, 8);
  Dealt<std::int64_t, Kokkos::LayoutLeft> const a(over(grid, values, {1, 1}), values),
      b(over(grid, values, {2, 3}), before);
  mpi::redistribute(a.matrix, b.matrix);
  EXPECT_TRUE(equal(b.gathered(), values));
}

TEST(MpiAdd, StridedPartsOfEveryLayout) {
  for (ProcessGrid const& grid : all_grids()) {
    auto const a = numbered<double>({9, 11}), b = whole_numbers<double>(9, 11, 5), before = poisoned<double>(9, 11);
    auto expected = a;
    for (std::size_t i = 0; i < expected.values.size(); ++i) expected.values[i] = 2 * a.values[i] - 3 * b.values[i];
    Distribution const d = over(grid, a, {2, 3});
    Dealt<double, Kokkos::LayoutLeft> const da(d, a, 2);
    Dealt<double, Kokkos::LayoutRight> const db(d, b, 1), dc(d, before, 3);
    mpi::add(2.0, da.matrix, -3.0, db.matrix, dc.matrix);
    Kokkos::fence();
    EXPECT_TRUE(equal(dc.gathered(), expected));
    EXPECT_TRUE(dc.surroundings_intact());
  }
}

TEST(MpiRegions, NameTheOperation) {
  ProcessGrid const grid(MPI_COMM_WORLD, world_size(), 1);
  HostMatrix<double> const values = whole_numbers<double>(8, 8, 1);
  Distribution const d = over(grid, values, {2, 2});
  Dealt<double, Kokkos::LayoutLeft> const a(d, values), b(d, values), c(d, values);
  ToolEvents const events;
  mpi::matmul(1.0, a.matrix, b.matrix, 0.0, c.matrix);
  mpi::transpose(a.matrix, c.matrix);
  mpi::redistribute(a.matrix, c.matrix);
  mpi::add(1.0, a.matrix, 1.0, b.matrix, c.matrix);
  for (auto const* const operation : {"matmul", "transpose", "redistribute", "add"}) {
    EXPECT_EQ(events.count(ToolEvents::Kind::region, std::string("pantile::mpi::") + operation), 1U) << operation;
  }
}

TEST(MpiAdd, EverySecondElementAndIntegers) {
  ProcessGrid const grid(MPI_COMM_WORLD, world_size(), 1);
  Distribution const d(grid, 7, 5, {2, 2});
  auto const [rows, cols] = d.local_extents();
  Kokkos::View<std::int32_t**, Kokkos::LayoutLeft> const all("all", 2 * rows, 3 * cols);
  Kokkos::deep_copy(all, 4);
  Kokkos::View<std::int32_t**, Kokkos::LayoutStride> const part(
      all.data(), Kokkos::LayoutStride(rows, 2, cols, 3 * static_cast<std::size_t>(all.stride(1))));
  mpi::DistributedMatrix const matrix{d, part};
  mpi::add(2, matrix, 1, matrix, matrix);
  Kokkos::fence();
  auto const host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace{}, all);
  for (std::size_t i = 0; i < host.extent(0); ++i) {
    for (std::size_t j = 0; j < host.extent(1); ++j) {
      EXPECT_EQ(host(i, j), i % 2 == 0 && j % 3 == 0 ? 12 : 4) << i << "," << j;
    }
  }
}

}  // namespace
}  // namespace pantile::testing

// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mpi/ranks.hpp>
#include <support/matcher.hpp>
#include <support/oracle.hpp>

#include <pantile/mpi/matmul.hpp>

#include <gmock/gmock.h>

#include <array>
#include <string>

namespace pantile::testing {
namespace {

using mpi::BlockSize;
using mpi::Distribution;
using mpi::ProcessGrid;

struct Product {
  std::size_t m, n, k;
  std::array<BlockSize, 3> blocks;  // of A, B, C
  Op op_a = Op::none, op_b = Op::none;
};

std::string name_of(ProcessGrid const& grid, Product const& p) {
  std::string text = std::to_string(grid.rows()) + "x" + std::to_string(grid.cols()) + ": " + std::to_string(p.m) +
                     "x" + std::to_string(p.n) + "x" + std::to_string(p.k) + " " + to_string(p.op_a) + " " +
                     to_string(p.op_b);
  for (BlockSize const block : p.blocks) text += " " + std::to_string(block.rows) + "x" + std::to_string(block.cols);
  return text;
}

template <class T>
struct Values {
  HostMatrix<T> a, b, c;
};

/// C gathered from the ranks after the call; everything around it is intact.
template <class Layout, class T>
HostMatrix<T> distributed_product(ProcessGrid const& grid, Product const& p, T alpha, Values<T> const& values, T beta) {
  auto const over = [&](HostMatrix<T> const& x, BlockSize block) {
    return Distribution(grid, static_cast<std::int64_t>(x.rows), static_cast<std::int64_t>(x.cols), block);
  };
  Dealt<T, Layout> const a(over(values.a, p.blocks[0]), values.a, 1), b(over(values.b, p.blocks[1]), values.b),
      c(over(values.c, p.blocks[2]), values.c, 2);
  mpi::matmul(alpha, a.matrix, b.matrix, beta, c.matrix, {.op_a = p.op_a, .op_b = p.op_b});
  EXPECT_TRUE(c.surroundings_intact());
  EXPECT_TRUE(equal(a.gathered(), values.a));
  EXPECT_TRUE(equal(b.gathered(), values.b));
  return c.gathered();
}

template <class T, class Make>
Values<T> values_of(Product const& p, Make const& make) {
  return {transposes(p.op_a) ? make(p.k, p.m, 1) : make(p.m, p.k, 1),
          transposes(p.op_b) ? make(p.n, p.k, 2) : make(p.k, p.n, 2), make(p.m, p.n, 3)};
}

template <class T>
void expect_exact(ProcessGrid const& grid, Product const& p, T alpha, T beta) {
  SCOPED_TRACE(name_of(grid, p));
  auto const values = values_of<T>(p, whole_numbers<T>);
  auto const expected =
      reference_matmul(alpha, applied(p.op_a, values.a), applied(p.op_b, values.b), beta, values.c).values;
  EXPECT_TRUE(equal((distributed_product<Kokkos::LayoutLeft>(grid, p, alpha, values, beta)), expected)) << "LayoutLeft";
  EXPECT_TRUE(equal((distributed_product<Kokkos::LayoutRight>(grid, p, alpha, values, beta)), expected))
      << "LayoutRight";
}

template <class T>
class MpiMatmul : public ::testing::Test {};
using Numbers = ::testing::Types<float, double, Kokkos::complex<float>, Kokkos::complex<double>>;
TYPED_TEST_SUITE(MpiMatmul, Numbers);

constexpr std::array<std::array<BlockSize, 3>, 4> blocks_of_all_kinds{{
    {BlockSize{2, 2}, BlockSize{2, 2}, BlockSize{2, 2}},
    {BlockSize{3, 2}, BlockSize{2, 5}, BlockSize{3, 5}},
    {BlockSize{3, 2}, BlockSize{5, 1}, BlockSize{4, 7}},  // no edge fits another
    {BlockSize{64, 64}, BlockSize{1, 64}, BlockSize{64, 1}},
}};
constexpr std::array<Op, 3> ops{Op::none, Op::transpose, Op::conjugate_transpose};

TYPED_TEST(MpiMatmul, EveryOperatorOnEveryGrid) {
  for (ProcessGrid const& grid : all_grids()) {
    for (Op const op_a : ops) {
      for (Op const op_b : ops) {
        for (auto const& blocks : blocks_of_all_kinds) {
          expect_exact(grid, Product{13, 11, 17, blocks, op_a, op_b}, TypeParam(2), TypeParam(-3));
        }
      }
    }
  }
}

TYPED_TEST(MpiMatmul, EveryShape) {
  // Few rows, columns or products each make PBLAS take another algorithm; with less than a block some own nothing.
  std::array<std::array<std::size_t, 3>, 9> const shapes{
      {{1, 1, 1}, {1, 40, 3}, {40, 1, 3}, {3, 3, 40}, {40, 37, 2}, {2, 41, 38}, {39, 2, 40}, {5, 1, 1}, {32, 32, 32}}};
  for (ProcessGrid const& grid : all_grids()) {
    for (auto const& [m, n, k] : shapes) {
      for (auto const& blocks : blocks_of_all_kinds)
        expect_exact(grid, Product{m, n, k, blocks}, TypeParam(1), TypeParam(1));
    }
  }
}

/// 2 A B - 3 C of whole numbers, which T holds exactly: no wider sums, and quick.
template <class T>
HostMatrix<T> exact_product(HostMatrix<T> const& a, HostMatrix<T> const& b, HostMatrix<T> c) {
  for (std::size_t i = 0; i < c.rows; ++i) {
    for (std::size_t j = 0; j < c.cols; ++j) {
      T sum(0);
      for (std::size_t l = 0; l < a.cols; ++l) sum += a(i, l) * b(l, j);
      c(i, j) = T(2) * sum - T(3) * c(i, j);
    }
  }
  return c;
}

/// Several panels of 64 along k, whose last is shorter, and blocks that they cut. One reference for all grids.
template <class T>
void expect_panels(Op op_a, Op op_b) {
  Product p{150, 140, 170, {}, op_a, op_b};
  auto const values = values_of<T>(p, whole_numbers<T>);
  auto const expected = exact_product(applied(op_a, values.a), applied(op_b, values.b), values.c);
  for (ProcessGrid const& grid : all_grids()) {
    for (BlockSize const block : {BlockSize{7, 9}, BlockSize{64, 64}}) {
      p.blocks = {block, block, block};
      SCOPED_TRACE(name_of(grid, p));
      EXPECT_TRUE(equal((distributed_product<Kokkos::LayoutLeft>(grid, p, T(2), values, T(-3))), expected));
      EXPECT_TRUE(equal((distributed_product<Kokkos::LayoutRight>(grid, p, T(2), values, T(-3))), expected));
    }
  }
}

TYPED_TEST(MpiMatmul, SeveralPanels) {
  // All pairs of operators, dealt out among the types to save time; those of complex numbers conjugate.
  constexpr bool conjugates = is_complex_v<TypeParam>;
  for (Op const op_a : ops) {
    for (Op const op_b : ops) {
      bool const needs_complex = op_a == Op::conjugate_transpose || op_b == Op::conjugate_transpose;
      if (needs_complex == conjugates) expect_panels<TypeParam>(op_a, op_b);
    }
  }
}

TYPED_TEST(MpiMatmul, ExtentsOfZero) {
  for (ProcessGrid const& grid : all_grids()) {
    for (auto const& blocks : blocks_of_all_kinds) {
      expect_exact(grid, Product{0, 4, 3, blocks}, TypeParam(2), TypeParam(3));
      expect_exact(grid, Product{4, 0, 3, blocks}, TypeParam(2), TypeParam(3));
      expect_exact(grid, Product{4, 5, 0, blocks}, TypeParam(2), TypeParam(3));
      expect_exact(grid, Product{4, 5, 0, blocks}, TypeParam(2), TypeParam(0));
      expect_exact(grid, Product{0, 0, 0, blocks}, TypeParam(2), TypeParam(3));
    }
  }
}

TYPED_TEST(MpiMatmul, RandomWithinTheBound) {
  using T = TypeParam;
  T alpha(0.7), beta(-1.3);
  if constexpr (is_complex_v<T>) {
    alpha = T(0.7, -0.2);
    beta = T(-1.3, 0.4);
  }
  for (ProcessGrid const& grid : all_grids()) {
    Product const p{
        50, 60, 70, {BlockSize{8, 8}, BlockSize{7, 9}, BlockSize{5, 16}}, Op::none, Op::conjugate_transpose};
    SCOPED_TRACE(name_of(grid, p));
    auto const values = values_of<T>(p, random_matrix<T>);
    auto const expected = reference_matmul(alpha, values.a, applied(p.op_b, values.b), beta, values.c);
    EXPECT_TRUE(within((distributed_product<Kokkos::LayoutLeft>(grid, p, alpha, values, beta)), expected.values,
                       expected.bound));
    EXPECT_TRUE(within((distributed_product<Kokkos::LayoutRight>(grid, p, alpha, values, beta)), expected.values,
                       expected.bound));
  }
}

TYPED_TEST(MpiMatmul, WhatScalarsOfZeroDoNotRead) {
  using T = TypeParam;
  for (ProcessGrid const& grid : all_grids()) {
    for (auto const& blocks : blocks_of_all_kinds) {
      Product const p{9, 8, 7, blocks};
      SCOPED_TRACE(name_of(grid, p));
      auto values = values_of<T>(p, whole_numbers<T>);
      auto const product = reference_matmul(T(1), values.a, values.b, T(0), values.c).values;
      auto poisoned = values;
      for (T& value : poisoned.c.values) value = poison<T>();
      EXPECT_TRUE(equal((distributed_product<Kokkos::LayoutLeft>(grid, p, T(1), poisoned, T(0))), product));
      poisoned = values;
      for (T& value : poisoned.a.values) value = poison<T>();
      for (T& value : poisoned.b.values) value = poison<T>();
      EXPECT_TRUE(equal((distributed_product<Kokkos::LayoutRight>(grid, p, T(0), poisoned, T(1))), values.c));
    }
  }
}

TEST(MpiMatmulGrids, RanksOutsideOwnNothing) {
  int const places = std::max(1, world_size() - 1);
  ProcessGrid const grid(MPI_COMM_WORLD, 1, places);
  EXPECT_EQ(grid.contains_this_rank(), world_rank() < places);
  for (auto const& blocks : blocks_of_all_kinds) expect_exact(grid, Product{9, 8, 7, blocks}, 2.0, 1.0);
}

TEST(MpiMatmulGrids, GridsMadeTwiceAreOne) {
  ProcessGrid const one(MPI_COMM_WORLD, 1, world_size()), other(MPI_COMM_WORLD, 1, world_size());
  auto const a = whole_numbers<double>(6, 7, 1), b = whole_numbers<double>(7, 5, 2), c = whole_numbers<double>(6, 5, 3);
  Dealt<double, Kokkos::LayoutLeft> const da({one, 6, 7, {2, 2}}, a), db({other, 7, 5, {2, 2}}, b),
      dc({one, 6, 5, {2, 2}}, c);
  mpi::matmul(1.0, da.matrix, db.matrix, 1.0, dc.matrix);
  EXPECT_TRUE(equal(dc.gathered(), reference_matmul(1.0, a, b, 1.0, c).values));
}

// Each half of the ranks on a communicator of its own, with products of their own; MPI_COMM_WORLD would mix them up.
TEST(MpiMatmulGrids, HalvesOfTheRanksOnTheirOwn) {
  int const half = world_rank() % 2;
  MPI_Comm mine = MPI_COMM_NULL;
  MPI_Comm_split(MPI_COMM_WORLD, half, -world_rank(), &mine);  // and in the other order
  {
    int size = 0, rank = 0;
    MPI_Comm_size(mine, &size);
    MPI_Comm_rank(mine, &rank);
    ProcessGrid const grid(mine, size, 1);
    EXPECT_EQ(grid.row(), rank);
    for (int repeat = 0; repeat < 3 + 2 * half; ++repeat) {
      auto const a = whole_numbers<double>(9, 8, 1 + half), b = whole_numbers<double>(8, 7, 2),
                 c = whole_numbers<double>(9, 7, 3);
      Dealt<double, Kokkos::LayoutRight> const da({grid, 9, 8, {2, 3}}, a), db({grid, 8, 7, {3, 2}}, b),
          dc({grid, 9, 7, {2, 2}}, c);
      mpi::matmul(1.0, da.matrix, db.matrix, 0.0, dc.matrix);
      auto const expected = reference_matmul(1.0, a, b, 0.0, c).values;
      for (std::size_t i = 0; i < dc.matrix.local.extent(0); ++i) {
        for (std::size_t j = 0; j < dc.matrix.local.extent(1); ++j) {
          auto const row = static_cast<std::size_t>(dc.matrix.distribution.global_row(i));
          auto const col = static_cast<std::size_t>(dc.matrix.distribution.global_col(j));
          EXPECT_EQ(dc.matrix.local(i, j), expected(row, col));
        }
      }
    }
  }
  MPI_Comm_free(&mine);
}

}  // namespace
}  // namespace pantile::testing

// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file  Local Views in the memory of the default execution space, a device's where there is one: a few cases of every
///        operation, which an interpreter has the time for. The others are in the files of the operations.

#include <mpi/ranks.hpp>
#include <support/matcher.hpp>
#include <support/oracle.hpp>

#include <pantile/mpi/add.hpp>
#include <pantile/mpi/matmul.hpp>
#include <pantile/mpi/redistribute.hpp>
#include <pantile/mpi/transpose.hpp>

#include <gmock/gmock.h>

#include <string>
#include <vector>

namespace pantile::testing {
namespace {

using mpi::BlockSize;
using mpi::Distribution;
using mpi::ProcessGrid;

/// An element type and a layout.
template <class Element, class Order>
struct Kind {
  using T = Element;
  using Layout = Order;
};
using Left = Kokkos::LayoutLeft;
using Right = Kokkos::LayoutRight;
using Kinds = ::testing::Types<Kind<float, Left>, Kind<double, Left>, Kind<double, Right>,
                               Kind<Kokkos::complex<double>, Left>, Kind<Kokkos::complex<double>, Right>>;

template <class Kind>
class MpiDeviceParts : public ::testing::Test {
 protected:
  using T = typename Kind::T;
  using Part = Dealt<T, typename Kind::Layout>;

  static Part part(ProcessGrid const& grid, HostMatrix<T> const& x, BlockSize block, std::size_t gap = 0) {
    return Part({grid, static_cast<std::int64_t>(x.rows), static_cast<std::int64_t>(x.cols), block}, x, gap);
  }
};
TYPED_TEST_SUITE(MpiDeviceParts, Kinds);

/// Every shape, and one that the last rank is outside of.
std::vector<ProcessGrid> grids() {
  auto result = all_grids();
  if (world_size() > 2) result.push_back(ProcessGrid(MPI_COMM_WORLD, 1, world_size() - 1));
  return result;
}

TYPED_TEST(MpiDeviceParts, Products) {
  using T = TypeParam::T;
  for (ProcessGrid const& grid : grids()) {
    for (BlockSize const block : {BlockSize{3, 2}, BlockSize{64, 64}}) {
      auto const a = whole_numbers<T>(11, 17, 1), b = whole_numbers<T>(13, 17, 2), c = whole_numbers<T>(11, 13, 3);
      auto const da = this->part(grid, a, {2, 3}, 1), db = this->part(grid, b, block),
                 dc = this->part(grid, c, block, 2);
      mpi::matmul(T(2), da.matrix, db.matrix, T(-3), dc.matrix, {.op_b = Op::conjugate_transpose});
      auto const expected = reference_matmul(T(2), a, applied(Op::conjugate_transpose, b), T(-3), c).values;
      EXPECT_TRUE(equal(dc.gathered(), expected)) << grid.rows() << "x" << grid.cols();
      EXPECT_TRUE(dc.surroundings_intact());
      EXPECT_TRUE(equal(da.gathered(), a));
    }
  }
}

TYPED_TEST(MpiDeviceParts, Transpositions) {
  using T = TypeParam::T;
  for (ProcessGrid const& grid : grids()) {
    for (BlockSize const block : {BlockSize{3, 2}, BlockSize{64, 64}}) {
      auto const a = whole_numbers<T>(23, 14, 1), b = whole_numbers<T>(14, 23, 2);
      auto const da = this->part(grid, a, {2, 3}, 1), db = this->part(grid, b, block, 2);
      mpi::transpose(da.matrix, db.matrix, {.conjugate = true});
      EXPECT_TRUE(equal(db.gathered(), applied(Op::conjugate_transpose, a))) << grid.rows() << "x" << grid.cols();
      EXPECT_TRUE(db.surroundings_intact());
      EXPECT_TRUE(equal(da.gathered(), a));
    }
  }
}

TYPED_TEST(MpiDeviceParts, Redistributions) {
  using T = TypeParam::T;
  auto const all = grids();
  for (ProcessGrid const& from : all) {
    for (ProcessGrid const& to : {all.front(), all.back()}) {
      auto const a = whole_numbers<T>(23, 14, 1), b = whole_numbers<T>(23, 14, 2);
      auto const da = this->part(from, a, {2, 3}, 1), db = this->part(to, b, {5, 2}, 2);
      mpi::redistribute(da.matrix, db.matrix);
      EXPECT_TRUE(equal(db.gathered(), a))
          << from.rows() << "x" << from.cols() << " to " << to.rows() << "x" << to.cols();
      EXPECT_TRUE(db.surroundings_intact());
    }
  }
}

TYPED_TEST(MpiDeviceParts, Additions) {
  using T = TypeParam::T;
  for (ProcessGrid const& grid : grids()) {
    auto const a = whole_numbers<T>(9, 14, 1), b = whole_numbers<T>(9, 14, 2);
    auto expected = a;
    for (std::size_t i = 0; i < a.values.size(); ++i) expected.values[i] = T(2) * a.values[i] - T(3) * b.values[i];
    auto const da = this->part(grid, a, {2, 3}, 1), db = this->part(grid, b, {2, 3}), dc = this->part(grid, b, {2, 3});
    mpi::add(T(2), da.matrix, T(-3), db.matrix, dc.matrix);
    Kokkos::fence();
    EXPECT_TRUE(equal(dc.gathered(), expected)) << grid.rows() << "x" << grid.cols();
  }
}

TYPED_TEST(MpiDeviceParts, WithoutElements) {
  using T = TypeParam::T;
  for (ProcessGrid const& grid : grids()) {
    HostMatrix<T> const none(0, 5), to(5, 0);
    auto const c = whole_numbers<T>(5, 7, 1);
    auto const empty = this->part(grid, none, {2, 2}), turned = this->part(grid, to, {2, 2});
    auto const da = this->part(grid, to, {2, 2}), db = this->part(grid, HostMatrix<T>(0, 7), {2, 2}),
               dc = this->part(grid, c, {2, 2});
    mpi::transpose(empty.matrix, turned.matrix);
    mpi::redistribute(turned.matrix, da.matrix);
    mpi::matmul(T(1), da.matrix, db.matrix, T(2), dc.matrix);
    EXPECT_TRUE(equal(dc.gathered(), reference_matmul(T(1), to, HostMatrix<T>(0, 7), T(2), c).values));
  }
}

}  // namespace
}  // namespace pantile::testing

// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file  Local Views in the memory of the default execution space, a device's where there is one: a few cases of every
///        operation, which an interpreter has the time for. The others are in the files of the operations.

#include <mpi/ranks.hpp>
#include <support/matcher.hpp>
#include <support/oracle.hpp>
#include <support/refusal.hpp>

#include <pantile/mpi/add.hpp>
#include <pantile/mpi/matmul.hpp>
#include <pantile/mpi/redistribute.hpp>
#include <pantile/mpi/transpose.hpp>
#include <pantile/pinned.hpp>
#include <pantile/transfer.hpp>

#include <gmock/gmock.h>

#include <cstdint>
#include <new>
#include <optional>
#include <string>
#include <string_view>
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

// On an instance whose work nobody has waited for.
TYPED_TEST(MpiDeviceParts, BehindTheWorkOfAnInstance) {
  using T = TypeParam::T;
  auto const exec = Kokkos::Experimental::partition_space(Kokkos::DefaultExecutionSpace{}, std::vector<int>{1}).front();
  for (ProcessGrid const& grid : grids()) {
    auto const a = whole_numbers<T>(12, 12, 1), b = whole_numbers<T>(12, 12, 2);
    auto const source = this->part(grid, a, {2, 3});
    auto const fresh = [&] { return this->part(grid, b, {2, 3}, 1); };
    auto const before = [&](auto const& part) { pantile::copy(exec, part.matrix.local, source.matrix.local); };
    auto const first = fresh(), second = fresh(), third = fresh(), to = fresh();
    before(first);
    mpi::transpose(exec, first.matrix, to.matrix);
    EXPECT_TRUE(equal(to.gathered(), applied(Op::transpose, a)));
    before(second);
    mpi::redistribute(exec, second.matrix, to.matrix);
    EXPECT_TRUE(equal(to.gathered(), a));
    before(third);
    mpi::matmul(exec, T(1), third.matrix, source.matrix, T(0), to.matrix);
    EXPECT_TRUE(equal(to.gathered(), reference_matmul(T(1), a, a, T(0), b).values));
  }
}

// A on the host, B and C where the default space has them; and the other way round.
TYPED_TEST(MpiDeviceParts, BesidePartsOfTheHost) {
  using T = TypeParam::T;
  for (ProcessGrid const& grid : grids()) {
    auto const a = whole_numbers<T>(12, 12, 1), b = whole_numbers<T>(12, 12, 2);
    auto const from = this->part(grid, a, {2, 3}), to = this->part(grid, b, {4, 1}, 1);
    mpi::DistributedMatrix const host{from.matrix.distribution,
                                      Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace{}, from.matrix.local)};
    mpi::transpose(host, to.matrix);
    EXPECT_TRUE(equal(to.gathered(), applied(Op::transpose, a)));
    mpi::redistribute(host, to.matrix);
    EXPECT_TRUE(equal(to.gathered(), a));
    mpi::matmul(T(1), host, from.matrix, T(0), to.matrix);
    EXPECT_TRUE(equal(to.gathered(), reference_matmul(T(1), a, a, T(0), b).values));
    Kokkos::deep_copy(host.local, T(0));
    mpi::redistribute(Kokkos::DefaultExecutionSpace{}, to.matrix, host);
    Kokkos::deep_copy(from.matrix.local, host.local);
    EXPECT_TRUE(equal(from.gathered(), to.gathered()));
  }
}

TYPED_TEST(MpiDeviceParts, WithoutElements) {
  using T = TypeParam::T;
  for (ProcessGrid const& grid : grids()) {
    HostMatrix<T> const none(0, 5), to(5, 0);
    auto const c = whole_numbers<T>(5, 7, 1);
    auto const empty = this->part(grid, none, {2, 2}), transposed = this->part(grid, to, {2, 2});
    auto const da = this->part(grid, to, {2, 2}), db = this->part(grid, HostMatrix<T>(0, 7), {2, 2}),
               dc = this->part(grid, c, {2, 2});
    mpi::transpose(empty.matrix, transposed.matrix);
    mpi::redistribute(transposed.matrix, da.matrix);
    mpi::matmul(T(1), da.matrix, db.matrix, T(2), dc.matrix);
    EXPECT_TRUE(equal(dc.gathered(), reference_matmul(T(1), to, HostMatrix<T>(0, 7), T(2), c).values));
  }
}

/// Memory for messages and slabs, pinned or the device's, is missing while one of these is there.
class NoStagingMemory {
 public:
  NoStagingMemory() {
    free_staging();
    Kokkos::Tools::Experimental::set_allocate_data_callback(
        [](Kokkos::Tools::SpaceHandle, char const* name, void const*, std::uint64_t) {
          std::string_view const label(name);
          if (label == "pantile::transfer::pinned" || label == "pantile::mpi::turns") throw std::bad_alloc();
        });
  }
  NoStagingMemory(NoStagingMemory const&) = delete;
  NoStagingMemory& operator=(NoStagingMemory const&) = delete;
  ~NoStagingMemory() { Kokkos::Tools::Experimental::set_allocate_data_callback(nullptr); }
};

// All refuse, and the next call finds them together.
TEST(MpiDeviceMemory, StagingMemoryThatOneRankLacks) {
  using Part = Dealt<double, Left>;
  if (impl::mpi::on_host<Part::View>) GTEST_SKIP() << "parts on hosts take none";
  ProcessGrid const grid(MPI_COMM_WORLD, world_size(), 1);
  Distribution const square(grid, 12, 12, {2, 2});
  auto const values = whole_numbers<double>(12, 12, 1), before = whole_numbers<double>(12, 12, 2);
  Part const a(square, values), b(square, values), c(square, before);
  auto const expect_refused = [&](auto const& call) {
    std::optional<NoStagingMemory> without;
    if (world_rank() == world_size() - 1) without.emplace();
    EXPECT_THAT(refusal(call), ::testing::HasSubstr("(rank " + std::to_string(world_size() - 1) + ")"));
    without.reset();
    EXPECT_TRUE(equal(c.gathered(), before));
  };
  expect_refused([&] { mpi::matmul(1.0, a.matrix, b.matrix, 0.0, c.matrix); });
  expect_refused([&] { mpi::transpose(a.matrix, c.matrix); });
  expect_refused([&] { mpi::redistribute(a.matrix, c.matrix); });
  mpi::redistribute(a.matrix, c.matrix);
  EXPECT_TRUE(equal(c.gathered(), values));
}

// Some with parts on the host, the others with parts on a device.
TEST(MpiDeviceMemory, MemoryOfOneRankAlone) {
  using Part = Dealt<double, Left>;
  if (impl::mpi::on_host<Part::View> || world_size() == 1) GTEST_SKIP() << "there is no other rank or memory";
  Distribution const square(ProcessGrid(MPI_COMM_WORLD, world_size(), 1), 12, 12, {2, 2});
  auto const values = whole_numbers<double>(12, 12, 1);
  Part const a(square, values), b(square, values);
  mpi::DistributedMatrix const host{square, Kokkos::create_mirror_view(a.matrix.local)};
  mpi::DistributedMatrix const to{square, Kokkos::create_mirror_view(a.matrix.local)};
  std::string const said = refusal([&] {
    if (world_rank() == 0) {
      mpi::matmul(1.0, host, host, 0.0, to);
    } else {
      mpi::matmul(1.0, a.matrix, a.matrix, 0.0, b.matrix);
    }
  });
  EXPECT_THAT(said, ::testing::HasSubstr("local Views on devices or none"));
}

}  // namespace
}  // namespace pantile::testing

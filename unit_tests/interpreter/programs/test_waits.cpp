// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file  What Pantile promises to have waited for, on pinned memory: that alone the device writes behind the host's
///        back. Each of these fails on streams that work late if the wait is dropped (drop_fences.py).
#include <pantile/pinned.hpp>
#include <pantile/pipeline.hpp>
#include <pantile/transfer.hpp>
#include <pantile/transfer_scope.hpp>

#include <gtest/gtest.h>
#include <Kokkos_Core.hpp>

#include <cstdint>
#include <tuple>
#include <type_traits>
#include <vector>

namespace {

using Exec = Kokkos::DefaultExecutionSpace;
using Range = Kokkos::RangePolicy<Exec>;
using DeviceArray = Kokkos::View<int*, Exec>;

template <class From, class To>
struct TwiceInto {
  From from;
  To to;
  KOKKOS_INLINE_FUNCTION void operator()(int i) const { to(i) = 2 * from(i); }
};
template <class From, class To>
void twice_into(Exec const& exec, From const& from, To const& to) {
  Kokkos::parallel_for("twice", Range(exec, 0, static_cast<int>(to.extent(0))), TwiceInto<From, To>{from, to});
}

/// 0, 1, 2, ... times a factor.
template <class View>
void number(View const& view, int factor) {
  for (std::size_t i = 0; i < view.extent(0); ++i) view(i) = factor * static_cast<int>(i);
}
template <class View>
std::size_t wrong(View const& view, int factor) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < view.extent(0); ++i) count += view(i) != factor * static_cast<int>(i);
  return count;
}

std::vector<Exec> instances(int count) {
  return Kokkos::Experimental::partition_space(Exec{}, std::vector<int>(count, 1));
}

TEST(Waits, AScopesPinnedResultsAreBackWhenItCloses) {
  auto const exec = instances(1).front();
  auto const a = pantile::pinned<int>("a", 1000), b = pantile::pinned<int>("b", 1000);
  number(a, 1);
  number(b, 0);
  {
    pantile::TransferScope scope{exec};
    auto const from = scope.in(a);
    auto const to = scope.out(b);
    twice_into(exec, from, to);
  }
  EXPECT_EQ(wrong(b, 2), 0U);
}

TEST(Waits, APipelineStartsBehindTheWorkOfItsInstance) {
  auto const exec = instances(1).front();
  auto const a = pantile::pinned<int>("a", 1000), b = pantile::pinned<int>("b", 1000);
  DeviceArray const first("first", 1000), second("second", 1000);
  number(a, 1);
  number(b, 0);
  pantile::copy(exec, first, a);
  twice_into(exec, first, second);
  pantile::copy(exec, a, second);
  pantile::pipeline(
      exec, std::tuple(pantile::in(a), pantile::out(b)),
      [](Exec const& lane, auto const& from, auto const& to, std::int64_t) { twice_into(lane, from, to); },
      {.chunk_rows = 130});
  EXPECT_EQ(wrong(b, 4), 0U);
}

TEST(Waits, APipelinesPinnedResultsAreThereWhenItReturns) {
  auto const two = instances(2);
  auto const a = pantile::pinned<int>("a", 1000), b = pantile::pinned<int>("b", 1000);
  number(a, 1);
  number(b, 0);
  pantile::pipeline(
      two, std::tuple(pantile::in(a), pantile::out(b)),
      [](Exec const& lane, auto const& from, auto const& to, std::int64_t) { twice_into(lane, from, to); },
      {.chunk_rows = 70});
  EXPECT_EQ(wrong(b, 2), 0U);
}

/// The device's default instance does it: the caller has no stream to wait for.
TEST(Waits, AHostsInstanceHasItsCopyWhenTheCallReturns) {
  DeviceArray const there("there", 1000);
  auto const a = pantile::pinned<int>("a", 1000), b = pantile::pinned<int>("b", 1000);
  number(a, 1);
  number(b, 0);
  pantile::copy(Exec{}, there, a);
  Exec{}.fence();
  pantile::copy(Kokkos::DefaultHostExecutionSpace{}, b, there);
  EXPECT_EQ(wrong(b, 1), 0U);
}

/// A block of a matrix on either side: packed on the host, spread by a kernel that reads the device's copy.
TEST(Waits, StagingMemoryLivesAsLongAsItIsRead) {
  auto const exec = instances(1).front();
  Kokkos::View<int**, Kokkos::LayoutRight, Exec> const there("there", 50, 40);
  Kokkos::View<int**, Kokkos::LayoutRight, Kokkos::HostSpace> const sent("sent", 50, 40), back("back", 50, 40);
  for (int i = 0; i < 50; ++i) {
    for (int j = 0; j < 40; ++j) sent(i, j) = 40 * i + j;
  }
  auto const half = [](auto const& matrix) {
    return Kokkos::subview(matrix, Kokkos::ALL, Kokkos::pair<int, int>(3, 23));
  };
  ASSERT_EQ(pantile::explain::copy(exec, half(there), half(sent)).path, pantile::TransferPath::staged);
  pantile::copy(exec, half(there), half(sent));
  pantile::copy(exec, half(back), half(there));
  exec.fence();
  int differences = 0;
  for (int i = 0; i < 50; ++i) {
    for (int j = 3; j < 23; ++j) differences += back(i, j) != sent(i, j);
  }
  EXPECT_EQ(differences, 0);
}

/// Large enough for pieces through pinned chunks, and for chunks to be used again.
TEST(Waits, PageableArraysGoInPiecesBothWays) {
  constexpr std::size_t count = std::size_t{6} << 20;
  auto const exec = instances(1).front();
  Kokkos::View<int*, Kokkos::HostSpace> const a("a", count), b("b", count);
  number(a, 3);
  DeviceArray const there("there", count);
  ASSERT_EQ(pantile::explain::copy(exec, there, a).path, pantile::TransferPath::chunked);
  pantile::copy(exec, there, a);
  pantile::copy(exec, b, there);
  exec.fence();
  EXPECT_EQ(wrong(b, 3), 0U);
}

}  // namespace

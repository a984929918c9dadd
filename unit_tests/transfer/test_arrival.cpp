// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Verbs that return Views: to_device, device_copy, copy_to_host, device_like, pinned, mapped.
#include <support/matrices.hpp>
#include <support/spaces.hpp>
#include <support/tool_events.hpp>

#include <pantile/transfer.hpp>

#include <string>
#include <type_traits>

namespace {

using namespace pantile::testing;
using pantile::TransferPath;
using Kind = ToolEvents::Kind;
using Exec = Kokkos::DefaultExecutionSpace;
using Host = Kokkos::DefaultHostExecutionSpace;
constexpr bool one_memory = Kokkos::SpaceAccessibility<Exec, Kokkos::HostSpace>::accessible;

using Right = Kokkos::View<double**, Kokkos::LayoutRight, Kokkos::HostSpace>;

Right numbered(std::size_t rows, std::size_t cols) {
  Right const a("a", rows, cols);
  for (std::size_t i = 0; i < a.size(); ++i) a.data()[i] = static_cast<double>(i);
  return a;
}

template <class A, class B>
bool equal_on_host(A const& a, B const& b) {
  if (a.extent(0) != b.extent(0) || a.extent(1) != b.extent(1)) return false;
  for (std::size_t i = 0; i < a.extent(0); ++i) {
    for (std::size_t j = 0; j < a.extent(1); ++j) {
      if (a(i, j) != b(i, j)) return false;
    }
  }
  return true;
}

TEST(ToDevice, CopiesNothingWhereTheMemoryIsTheDevices) {
  Right const a = numbered(5, 7);
  ToolEvents const events;
  auto const d = pantile::to_device(Host{}, a);
  EXPECT_EQ(d.data(), a.data());
  EXPECT_EQ(a.use_count(), 2) << "the alias keeps the memory alive";
  auto const report = pantile::explain::to_device(Host{}, a);
  EXPECT_EQ(report.path, TransferPath::alias);
  EXPECT_EQ(report.bytes, 0u);
  EXPECT_FALSE(report.blocks);
  auto const h = pantile::copy_to_host(Host{}, a);
  EXPECT_EQ(h.data(), a.data());
  EXPECT_EQ(pantile::explain::copy_to_host(Host{}, a).path, TransferPath::alias);
  for (Kind const kind : {Kind::kernel, Kind::deep_copy, Kind::fence, Kind::allocation}) {
    EXPECT_EQ(events.count(kind), 0u);
  }
}

TEST(ToDevice, ResultIsReadOnlyOnEveryBackendAndKeepsTheLayout) {
  Right const a = numbered(5, 7);
  auto const d = pantile::to_device(Exec{}, a);
  using Result = std::remove_const_t<decltype(d)>;
  static_assert(std::is_same_v<Result::value_type, double const>);
  static_assert(std::is_same_v<Result::array_layout, Kokkos::LayoutRight>);
  static_assert(std::is_same_v<Result::execution_space, Exec>);
  auto const h = pantile::copy_to_host(Exec{}, d);
  static_assert(std::is_same_v<decltype(h)::value_type, double const>);
  Exec{}.fence();
  EXPECT_TRUE(equal_on_host(h, a));
}

TEST(ToDevice, ConvertsTheLayoutOnTheWay) {
  Right const a = numbered(45, 70);
  auto const report = pantile::explain::to_device<Kokkos::LayoutLeft>(Exec{}, a);
  EXPECT_EQ(report.path, one_memory ? TransferPath::kernel : TransferPath::staged);
  auto const d = pantile::to_device<Kokkos::LayoutLeft>(Exec{}, a);
  static_assert(std::is_same_v<decltype(d)::array_layout, Kokkos::LayoutLeft>);
  EXPECT_EQ(d.label(), "pantile::to_device(a)");
  EXPECT_EQ(d.stride(0), 1u);
  auto const h = pantile::copy_to_host<Kokkos::LayoutRight>(Exec{}, d);
  Exec{}.fence();
  EXPECT_NE(static_cast<void const*>(h.data()), static_cast<void const*>(a.data()));
  EXPECT_EQ(h.stride(1), 1u);
  EXPECT_TRUE(equal_on_host(h, a));
}

TEST(ToDevice, StridedViewsArrive) {
  Right const parent = numbered(9, 11);
  auto const block = Kokkos::subview(parent, Kokkos::make_pair(1, 8), Kokkos::make_pair(2, 9));
  auto const d = pantile::device_copy(Exec{}, block);
  EXPECT_EQ(d.span(), 49u) << "a copy is packed";
  auto const h = pantile::copy_to_host(Exec{}, d);
  Exec{}.fence();
  EXPECT_TRUE(equal_on_host(h, block));
  auto const column = Kokkos::subview(parent, Kokkos::ALL, 4);
  auto const d_column = pantile::device_copy(Exec{}, column);
  auto const h_column = pantile::copy_to_host(Exec{}, d_column);
  Exec{}.fence();
  for (std::size_t i = 0; i < 9; ++i) EXPECT_EQ(h_column(i), column(i));
}

TEST(ToDevice, EmptyAndUnmanagedViews) {
  Right const empty("empty", 0, 4);
  EXPECT_EQ(pantile::to_device<Kokkos::LayoutLeft>(Exec{}, empty).extent(1), 4u);
  double numbers[6] = {1, 2, 3, 4, 5, 6};
  Kokkos::View<double**, Kokkos::LayoutRight, Kokkos::HostSpace, Kokkos::MemoryUnmanaged> const mine(numbers, 2, 3);
  auto const d = pantile::to_device(Exec{}, mine);
  auto const h = pantile::copy_to_host(Exec{}, d);
  Exec{}.fence();
  EXPECT_EQ(h(1, 2), 6);
}

TEST(DeviceCopy, IsNeverAnAlias) {
  Right const a = numbered(3, 4);
  auto const d = pantile::device_copy(Host{}, a);
  static_assert(std::is_same_v<decltype(d)::value_type, double>);
  EXPECT_NE(d.data(), a.data());
  EXPECT_TRUE(equal_on_host(d, a));
  EXPECT_EQ(d.label(), "pantile::device_copy(a)");
}

TEST(CopyToHost, IntoTheCallersView) {
  Right const a = numbered(6, 5);
  auto const d = pantile::device_copy<Kokkos::LayoutLeft>(Exec{}, a);
  Right const back("back", 6, 5);
  pantile::copy_to_host(Exec{}, back, d);
  Exec{}.fence();
  EXPECT_TRUE(equal_on_host(back, a));
}

TEST(DeviceLike, HasExtentsAndLayout) {
  Right const a = numbered(6, 5);
  auto const d = pantile::device_like(Exec{}, a, "mine");
  static_assert(std::is_same_v<decltype(d)::array_layout, Kokkos::LayoutRight>);
  static_assert(std::is_same_v<decltype(d)::memory_space, Exec::memory_space>);
  static_assert(std::is_same_v<decltype(d)::value_type, double>);
  EXPECT_EQ(d.label(), "mine");
  EXPECT_EQ(d.extent(0), 6u);
  EXPECT_EQ(d.extent(1), 5u);
  Right::const_type const read_only = a;
  static_assert(std::is_same_v<decltype(pantile::device_like<Exec>(read_only, "d"))::value_type, double>);
  auto const columns = Kokkos::subview(Kokkos::View<int**, Kokkos::LayoutLeft, Kokkos::HostSpace>("l", 9, 9),
                                       Kokkos::make_pair(1, 4), Kokkos::make_pair(2, 7));
  Kokkos::View<int**, Kokkos::LayoutStride, Kokkos::HostSpace> const block = columns;
  auto const strided = pantile::device_like<Exec>(block, "s");
  EXPECT_EQ(strided.stride(0), 1u);
  EXPECT_EQ(strided.stride(1), 3u) << "packed, fast direction kept";
}

TEST(Pinned, IsHostMemoryOfTheAskedShape) {
  auto const matrix = pantile::pinned<float, Kokkos::LayoutLeft>("staging", 3, 4);
  static_assert(decltype(matrix)::rank() == 2);
  static_assert(std::is_same_v<pantile::PinnedView<float**, Kokkos::LayoutLeft> const, decltype(matrix)>);
  EXPECT_EQ(matrix.label(), "staging");
  EXPECT_EQ(matrix.stride(1), 3u);
  matrix(2, 3) = 1;  // the host writes it
  auto const vector = pantile::pinned<Kokkos::complex<double>>("v", 10);
  static_assert(decltype(vector)::rank() == 1);
  static_assert(std::is_same_v<pantile::PinnedView<Kokkos::complex<double>*> const, decltype(vector)>);
  auto const device = pantile::device_copy(Exec{}, matrix);
  auto const back = pantile::copy_to_host(Exec{}, device);
  Exec{}.fence();
  EXPECT_EQ(back(2, 3), 1);
  EXPECT_FALSE(pantile::explain::copy(Exec{}, device, matrix).pageable);
}

template <class View>
struct Increment {
  View view;
  KOKKOS_INLINE_FUNCTION void operator()(int i) const { view(i) += 1; }
};

TEST(Mapped, KernelsReachIt) {
  auto const v = pantile::mapped<int>("counts", 8);
  for (int i = 0; i < 8; ++i) v(i) = i;
  Kokkos::parallel_for(Kokkos::RangePolicy<Exec>(0, 8), Increment<std::remove_const_t<decltype(v)>>{v});
  Exec{}.fence();
  for (int i = 0; i < 8; ++i) EXPECT_EQ(v(i), i + 1);
  static_assert(std::is_same_v<decltype(v)::execution_space, Exec>);
  static_assert(std::is_same_v<pantile::MappedView<int*> const, decltype(v)>);
  auto const on_host = pantile::mapped<double, Kokkos::LayoutRight, Kokkos::DefaultHostExecutionSpace>("host", 2, 3);
  using Named = pantile::MappedView<double**, Kokkos::LayoutRight, Kokkos::DefaultHostExecutionSpace>;
  static_assert(std::is_same_v<Named const, decltype(on_host)>);
}

}  // namespace

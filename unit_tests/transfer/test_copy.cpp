// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <support/matcher.hpp>
#include <support/matrices.hpp>
#include <support/spaces.hpp>
#include <support/tool_events.hpp>

#include <pantile/transfer.hpp>

#include <string>
#include <type_traits>
#include <utility>

namespace {

using namespace pantile::testing;
using Kind = ToolEvents::Kind;

template <class TestCase>
class CopyOf : public ::testing::Test {};
TYPED_TEST_SUITE(CopyOf, AllCases);

// Edges around the 32 x 32 tile and around the smallest matrix that is tiled.
constexpr std::pair<std::size_t, std::size_t> shapes[] = {{0, 3}, {3, 0},   {1, 1},   {1, 9},    {9, 1},  {7, 5},
                                                          {8, 8}, {31, 33}, {32, 32}, {67, 101}, {3, 500}};

template <class T, class To, class From>
void expect_copies() {
  for (auto const [rows, cols] : shapes) {
    auto const values = random_matrix<T>(rows, cols, 7);
    for (Placement const to : all_placements) {
      for (Placement const from : all_placements) {
        Placed<T, From> const source("source", values, from);
        Placed<T, To> const destination("destination", rows, cols, to);
        typename Placed<T, From>::View::const_type const input = source.view();
        using Exec = Kokkos::DefaultExecutionSpace;
        pantile::copy(Exec{}, destination.view(), input);
        Exec{}.fence();
        EXPECT_TRUE(equal(destination.values(), values))
            << rows << "x" << cols << " from " << int(from) << " to " << int(to);
        EXPECT_TRUE(destination.surroundings_intact());
        EXPECT_TRUE(source.surroundings_intact() && equal(source.values(), values));
      }
    }
  }
}

using Exec = Kokkos::DefaultExecutionSpace;
using HostExec = Kokkos::DefaultHostExecutionSpace;

TYPED_TEST(CopyOf, EveryPlacementToEveryPlacement) {
  using T = typename TypeParam::T;
  using Space = typename TypeParam::Exec;
  expect_copies<T, Space, Space>();
  if constexpr (!std::is_same_v<typename Space::memory_space, typename HostExec::memory_space>) {
    expect_copies<T, Space, HostExec>();
    expect_copies<T, HostExec, Space>();
  }
}

TEST(Copy, LargeMatricesTurnOverManyBlocks) {
  auto const values = random_matrix<double>(1500, 1111, 3);
  Placed<double, HostExec> const source("source", values, Placement::padded_right);
  for (Placement const to : all_placements) {
    Placed<double, Exec> const destination("destination", 1500, 1111, to);
    pantile::copy(Exec{}, destination.view(), source.view());
    Exec{}.fence();
    EXPECT_TRUE(equal(destination.values(), values));
    EXPECT_TRUE(destination.surroundings_intact());
  }
}

TEST(Copy, TypedLayoutsAndTheDefaultInstance) {
  Kokkos::View<float**, Kokkos::LayoutRight, Kokkos::HostSpace> const a("a", 5, 7);
  for (int i = 0; i < 35; ++i) a.data()[i] = static_cast<float>(i);
  Kokkos::View<float**, Kokkos::LayoutLeft, Exec> const b("b", 5, 7);
  Kokkos::View<float[5][7], Kokkos::LayoutRight, Kokkos::HostSpace> const c("c");
  pantile::copy(b, a);
  pantile::copy(c, b);
  Kokkos::fence();
  for (int i = 0; i < 5; ++i) {
    for (int j = 0; j < 7; ++j) EXPECT_EQ(c(i, j), a(i, j));
  }
}

TEST(Copy, VectorsOfAnyStride) {
  for (std::size_t const n : {0, 1, 2, 1000, 100'003}) {
    Kokkos::View<int**, Kokkos::LayoutLeft, Kokkos::HostSpace> const parent("parent", 3, n);
    for (std::size_t i = 0; i < parent.size(); ++i) parent.data()[i] = static_cast<int>(i);
    auto const strided = Kokkos::subview(parent, 1, Kokkos::ALL);
    Kokkos::View<int*, Exec> const device("device", n);
    pantile::copy(Exec{}, device, strided);
    Kokkos::View<int**, Kokkos::LayoutRight, Kokkos::HostSpace> const back("back", n, 2);
    pantile::copy(Exec{}, Kokkos::subview(back, Kokkos::ALL, 1), device);
    Exec{}.fence();
    for (std::size_t i = 0; i < n; ++i) {
      ASSERT_EQ(back(i, 1), parent(1, i));
      ASSERT_EQ(back(i, 0), 0);
    }
  }
}

struct Cell {
  double centre[3];
  int id;
  friend bool operator==(Cell const&, Cell const&) = default;
};

TEST(Copy, AnyTriviallyCopyableType) {
  Kokkos::View<Cell**, Kokkos::LayoutRight, Kokkos::HostSpace> const a("a", 20, 11), c("c", 20, 11);
  for (int i = 0; i < 220; ++i) a.data()[i] = {{i + 0.5, i + 0.25, -i * 1.0}, i};
  Kokkos::View<Cell**, Kokkos::LayoutLeft, Exec> const b("b", 20, 11);
  pantile::copy(Exec{}, b, a);
  pantile::copy(Exec{}, c, b);
  Exec{}.fence();
  for (int i = 0; i < 220; ++i) EXPECT_EQ(c.data()[i], a.data()[i]);
  EXPECT_NE(pantile::explain::copy(Exec{}, b, a).label.find("32 bytes"), std::string::npos);
}

TEST(Copy, ABroadcastSourceIsSpread) {
  Kokkos::View<int*, Kokkos::HostSpace> const value("value", 1);
  value(0) = 5;
  Kokkos::View<int**, Kokkos::LayoutStride, Kokkos::HostSpace> const broadcast(value.data(),
                                                                               Kokkos::LayoutStride(40, 0, 30, 0));
  Kokkos::View<int**, Kokkos::HostSpace> const destination("destination", 40, 30);
  pantile::copy(HostExec{}, destination, broadcast);
  for (std::size_t i = 0; i < destination.size(); ++i) ASSERT_EQ(destination.data()[i], 5);
}

TEST(Copy, ToItselfDoesNothing) {
  Kokkos::View<double**, Exec> const a("a", 4, 6);
  ToolEvents const events;
  pantile::copy(Exec{}, a, a);
  auto const report = pantile::explain::copy(Exec{}, a, a);
  EXPECT_EQ(report.path, pantile::TransferPath::none);
  EXPECT_EQ(report.bytes, 0u);
  for (Kind const kind : {Kind::kernel, Kind::deep_copy, Kind::fence, Kind::allocation, Kind::region}) {
    EXPECT_EQ(events.count(kind), 0u);
  }
}

TEST(Copy, DoesWhatExplainSays) {
  Kokkos::View<double**, Kokkos::LayoutRight, Exec> const a("a", 40, 60), same("same", 40, 60);
  Kokkos::View<double**, Kokkos::LayoutLeft, Exec> const transposed("transposed", 40, 60);
  auto const prefix = "pantile::transfer[";
  {
    auto const report = pantile::explain::copy(Exec{}, same, a);
    EXPECT_EQ(report.path, pantile::TransferPath::direct);
    EXPECT_EQ(report.bytes, 40u * 60 * sizeof(double));
    ToolEvents const events;
    pantile::copy(Exec{}, same, a);
    EXPECT_EQ(events.count(Kind::deep_copy), 1u);
    EXPECT_EQ(events.count(Kind::region, report.label), 1u);
    EXPECT_EQ(events.count(Kind::allocation), 0u);
  }
  {
    auto const report = pantile::explain::copy(Exec{}, transposed, a);
    EXPECT_EQ(report.path, pantile::TransferPath::kernel);
    EXPECT_EQ(report.staging_bytes, 0u);
    ToolEvents const events;
    pantile::copy(Exec{}, transposed, a);
    EXPECT_EQ(events.count(Kind::deep_copy), 0u);
    EXPECT_EQ(events.count(Kind::region, report.label), 1u);
    EXPECT_EQ(events.count(Kind::kernel, "pantile::transfer[copy,"), 1u);
    EXPECT_EQ(events.count(Kind::kernel), 1u);
    EXPECT_EQ(events.count(Kind::allocation), 0u);
    EXPECT_EQ(events.count(Kind::region, prefix), events.count(Kind::region));
    for (auto const& fence : events.of(Kind::fence)) ADD_FAILURE() << "fence " << fence.label;
  }
  Exec{}.fence();
}

TEST(Copy, RunsOnTheCallersInstance) {
  auto const instances = Kokkos::Experimental::partition_space(Exec{}, 1, 1);
  Kokkos::View<float**, Kokkos::LayoutRight, Exec> const a("a", 50, 60);
  Kokkos::View<float**, Kokkos::LayoutLeft, Exec> const b("b", 50, 60);
  for (auto const& exec : instances) {
    ToolEvents const events;
    pantile::copy(exec, b, a);
    auto const kernels = events.of(Kind::kernel);
    ASSERT_EQ(kernels.size(), 1u);
    EXPECT_EQ(kernels[0].device, device_of(exec));
    exec.fence();
  }
}

}  // namespace

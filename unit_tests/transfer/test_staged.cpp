// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What runs where host and device memory are two: planned for invented memories, carried out on the host's.
#include <support/matcher.hpp>
#include <support/matrices.hpp>
#include <support/spaces.hpp>
#include <support/tool_events.hpp>

#include <pantile/transfer.hpp>

#include <pantile/impl/arch/device_traits.hpp>
#include <pantile/impl/transfer/launch_device.hpp>

#include <string>
#include <utility>

namespace {

using namespace pantile::testing;
using namespace pantile::impl::transfer;
using pantile::TransferPath;
using Kind = ToolEvents::Kind;
using HostExec = Kokkos::DefaultHostExecutionSpace;

template <class T>
using HostRoute = Route<HostExec, T, Kokkos::HostSpace, Kokkos::HostSpace, true>;

/// The plan for these matrices if the one lay on a device and the other on the host.
template <class T>
Plan plan_as_if(Problem<T> const& p, Memory to, Memory from) {
  return choose(make_query(p, to, from, true, false));
}

template <class T>
Problem<T> problem_of(Placed<T, HostExec> const& destination, Placed<T, HostExec> const& source) {
  return {pantile::impl::to_matrix(destination.view()), pantile::impl::to_const_matrix(source.view())};
}

template <class TestCase>
class StagedOf : public ::testing::Test {};
using Cases =
    ::testing::Types<Case<HostExec, double>, Case<HostExec, Kokkos::complex<double>>, Case<HostExec, std::int8_t>>;
TYPED_TEST_SUITE(StagedOf, Cases);

constexpr std::pair<std::size_t, std::size_t> shapes[] = {{0, 3}, {1, 1}, {1, 9}, {9, 1}, {7, 5}, {33, 67}};
constexpr std::pair<Memory, Memory> directions[] = {{Memory::device, Memory::host}, {Memory::host, Memory::device}};

TYPED_TEST(StagedOf, EveryPlacementToEveryPlacement) {
  using T = typename TypeParam::T;
  int staged = 0;
  for (auto const [rows, cols] : shapes) {
    auto const values = random_matrix<T>(rows, cols, 11);
    for (auto const [to_memory, from_memory] : directions) {
      for (Placement const to : all_placements) {
        for (Placement const from : all_placements) {
          Placed<T, HostExec> const source("source", values, from), destination("destination", rows, cols, to);
          auto const problem = problem_of(destination, source);
          Plan const plan = plan_as_if(problem, to_memory, from_memory);
          staged += plan.path == TransferPath::staged ? 1 : 0;
          HostRoute<T> const route(HostExec{}, problem, plan);
          route.run();
          route.wait_for_staging();
          EXPECT_TRUE(equal(destination.values(), values))
              << rows << "x" << cols << " from " << int(from) << " to " << int(to);
          EXPECT_TRUE(destination.surroundings_intact());
        }
      }
    }
  }
  EXPECT_GT(staged, 100);
}

TEST(Staged, ARouteCanBeTakenAgain) {
  Placed<int, HostExec> source("source", 5, 6, Placement::strided);
  Placed<int, HostExec> const destination("d", 5, 6, Placement::padded_left);
  auto const problem = problem_of(destination, source);
  HostRoute<int> const route(HostExec{}, problem, plan_as_if(problem, Memory::host, Memory::device));
  for (std::uint64_t seed : {1, 2}) {
    auto const values = random_matrix<int>(5, 6, seed);
    source.assign(values);
    route.run();
    EXPECT_TRUE(equal(destination.values(), values));
  }
}

TEST(Staged, PacksOnTheHostOnlyBetweenFences) {
  Placed<float, HostExec> const source("source", 30, 40, Placement::strided),
      destination("d", 30, 40, Placement::strided);
  auto const problem = problem_of(destination, source);
  Plan const plan = plan_as_if(problem, Memory::host, Memory::device);
  ASSERT_TRUE(plan.pack && plan.unpack && plan.unpack_on_host && !plan.pack_on_host);
  ToolEvents const events;
  {
    HostRoute<float> const route(HostExec{}, problem, plan);
    route.run();
    route.wait_for_staging();
  }
  EXPECT_EQ(events.count(Kind::allocation, "pantile::transfer::staging"), 2u);
  EXPECT_EQ(events.count(Kind::allocation), 2u);
  EXPECT_EQ(events.count(Kind::deep_copy), 1u);
  EXPECT_EQ(events.count(Kind::kernel, "pantile::transfer[pack,"), 1u);
  EXPECT_EQ(events.count(Kind::kernel, "pantile::transfer[unpack,"), 1u);
  EXPECT_EQ(events.count(Kind::region, "pantile::transfer[staged,"), 1u);
  EXPECT_EQ(events.count(Kind::fence, "pantile::transfer: before the host unpacks"), 1u);
  EXPECT_EQ(events.count(Kind::fence, "pantile::transfer: the host has unpacked"), 1u);
  EXPECT_EQ(events.count(Kind::fence, "pantile::transfer: before staging memory is freed"), 1u);
  EXPECT_EQ(events.count(Kind::fence, "pantile::transfer: before the host packs"), 0u);
}

TEST(Staged, NothingIsAllocatedWhereNothingIsStaged) {
  Placed<float, HostExec> const source("source", 30, 40, Placement::left), destination("d", 30, 40, Placement::left);
  auto const problem = problem_of(destination, source);
  Plan const plan = plan_as_if(problem, Memory::host, Memory::device);
  ASSERT_EQ(plan.path, TransferPath::direct);
  ToolEvents const events;
  HostRoute<float> const route(HostExec{}, problem, plan);
  route.run();
  route.wait_for_staging();
  EXPECT_EQ(events.count(Kind::allocation), 0u);
  EXPECT_EQ(events.count(Kind::deep_copy), 1u);
}

/// The devices' copying kernels, transposing and not, run on the host.
TYPED_TEST(StagedOf, DeviceKernelsCopyEveryPlacement) {
  using T = typename TypeParam::T;
  for (auto const [rows, cols] : shapes) {
    if (rows == 0) continue;  // no kernel is launched for no elements
    auto const values = random_matrix<T>(rows, cols, 13);
    for (Placement const to : all_placements) {
      for (Placement const from : all_placements) {
        Placed<T, HostExec> const source("source", values, from), destination("destination", rows, cols, to);
        auto const p = problem_of(destination, source);
        pantile::impl::transfer::run<HostExec, T, pantile::impl::arch::DeviceTraits>(HostExec{}, p.destination,
                                                                                     p.source, "pantile::test");
        HostExec{}.fence();
        EXPECT_TRUE(equal(destination.values(), values))
            << rows << "x" << cols << " from " << int(from) << " to " << int(to);
        EXPECT_TRUE(destination.surroundings_intact());
      }
    }
  }
}

TEST(Problem, ExtentsOfOneDoNotHideContiguity) {
  using Strided = Kokkos::View<int**, Kokkos::LayoutStride, Kokkos::HostSpace>;
  int numbers[12] = {};
  auto const sides = [&](std::size_t rows, std::size_t row_stride, std::size_t cols, std::size_t col_stride) {
    return side_of(pantile::impl::to_matrix(Strided(numbers, Kokkos::LayoutStride(rows, row_stride, cols, col_stride))),
                   Memory::host);
  };
  for (Side const side : {sides(1, 5, 4, 1), sides(4, 1, 1, 9), sides(1, 7, 1, 3)}) {
    EXPECT_TRUE(side.by_rows && side.by_columns);
  }
  for (Side const side : {sides(1, 1, 4, 3), sides(4, 3, 1, 1)}) EXPECT_FALSE(side.by_rows || side.by_columns);
  EXPECT_EQ(sides(1, 1, 4, 3).fast, Order::rows);
  EXPECT_EQ(sides(4, 3, 1, 1).fast, Order::columns);
  EXPECT_TRUE(sides(3, 4, 4, 1).by_rows && !sides(3, 4, 4, 1).by_columns);
  EXPECT_TRUE(!sides(3, 1, 4, 3).by_rows && sides(3, 1, 4, 3).by_columns);
  EXPECT_FALSE(sides(3, 5, 4, 1).by_rows);
}

TEST(Places, OfThisBuild) {
  EXPECT_EQ(memory_kind<Kokkos::HostSpace>(), Memory::host);
  static_assert(std::is_same_v<Driver<HostExec, Kokkos::HostSpace, Kokkos::HostSpace>, HostExec>);
  static_assert(at_home<HostExec, Kokkos::HostSpace>);
  using Device = Kokkos::DefaultExecutionSpace;
  using DeviceMemory = Device::memory_space;
  // Wherever one side lies on a device, its instance drives.
  static_assert(std::is_same_v<Driver<HostExec, DeviceMemory, Kokkos::HostSpace>, Device>);
  static_assert(std::is_same_v<Driver<Device, Kokkos::HostSpace, DeviceMemory>, Device>);
  static_assert(at_home<Device, DeviceMemory>);
}

}  // namespace

// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <support/arrays.hpp>
#include <support/spaces.hpp>
#include <support/tool_events.hpp>

#include <pantile/impl/arch/device_traits.hpp>
#include <pantile/reverse.hpp>

#include <gmock/gmock.h>

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <random>
#include <string>
#include <vector>

namespace {

using namespace pantile::testing;
using pantile::ReverseOptions;
using ::testing::AllOf;
using ::testing::HasSubstr;

template <class T>
std::vector<T> random_vector(std::size_t size) {
  std::mt19937_64 generator(size + 1);
  std::vector<T> result(size);
  for (T& value : result) value = random_value<T>(generator);
  return result;
}

template <class T>
std::vector<T> reversed(std::vector<T> values) {
  std::reverse(values.begin(), values.end());
  return values;
}

template <class TestCase>
class Reverse : public ::testing::Test {};
TYPED_TEST_SUITE(Reverse, AllCases);

TYPED_TEST(Reverse, TurnsEveryLengthAround) {
  using Exec = typename TypeParam::Exec;
  using T = typename TypeParam::T;
  int const tile = 32;
  for (std::size_t const n : {0, 1, 2, 4, 31, 32, 33, 63, 64, 65, 67, 127, 10007}) {
    auto const values = random_vector<T>(n);
    for (int const strided : {0, 1, 2, 3}) {
      auto const placement = [strided](int operand) {
        return (strided & operand) != 0 ? Placement::strided : Placement::right;
      };
      for (ReverseOptions const options : std::initializer_list<ReverseOptions>{{}, {.tile = tile}, {.tile = 1}}) {
        PlacedArray<T, Exec, 1> const x("x", {n}, values, placement(1));
        PlacedArray<T, Exec, 1> const y("y", {n}, placement(2)), z("z", {n}, values, placement(2));
        pantile::reverse(Exec{}, x.view(), y.view(), options);
        pantile::reverse(Exec{}, z.view(), options);
        Kokkos::fence();
        EXPECT_EQ(y.values(), reversed(values)) << n << " by " << options.tile;
        EXPECT_EQ(z.values(), reversed(values)) << n << " by " << options.tile << " in place";
        EXPECT_TRUE(y.surroundings_intact() && z.surroundings_intact());
      }
    }
  }
}

using Exec = Kokkos::DefaultExecutionSpace;

/// The course notebook's swap_with_shared: four numbers.
TEST(ReverseOfFour, IsTheNotebooks) {
  PlacedArray<std::int32_t, Exec, 1> const x("x", {4}, {0, 1, 2, 3}, Placement::right);
  PlacedArray<std::int32_t, Exec, 1> const y("y", {4}, Placement::right);
  pantile::reverse(x.view(), y.view());
  pantile::reverse(x.view());
  Kokkos::fence();
  EXPECT_EQ(y.values(), (std::vector<std::int32_t>{3, 2, 1, 0}));
  EXPECT_EQ(x.values(), y.values());
}

/// The kernels with several threads to a team, as devices have them, where this space has that many.
TEST(ReverseTeams, OfSeveralThreadsDoTheSame) {
  namespace impl = pantile::impl;
  Exec const exec;
  std::size_t const n = 5003;
  auto const values = random_vector<double>(n);
  PlacedArray<double, Exec, 1> const x("x", {n}, values, Placement::strided), y("y", {n}, Placement::right);
  impl::Vector<double> const in = impl::to_vector(x.view()), out = impl::to_vector(y.view());
  auto machine = impl::arch::machine(exec);
  machine.device = true;
  for (bool const in_place : {false, true}) {
    auto plan = impl::reverse::choose(machine, {static_cast<std::int64_t>(n), in_place, sizeof(double), {.tile = 100}});
    plan.team_size = std::min(exec.concurrency(), 2);
    plan.chunks = 3;
    impl::reverse::run<Exec, double, impl::arch::DeviceTraits>(
        exec, impl::reverse::Problem<double>{{in.data, in.size, in.stride}, in_place ? in : out, in_place}, plan);
    Kokkos::fence();
    EXPECT_EQ(in_place ? x.values() : y.values(), reversed(values));
  }
}

TEST(ReverseCalls, LaunchOneKernelOnTheCallersInstanceAndNothingElse) {
  auto const instances = Kokkos::Experimental::partition_space(Exec{}, 1, 1);
  PlacedArray<double, Exec, 1> const x("x", {1000}, Placement::right), y("y", {1000}, Placement::right);
  auto const both = [&] {
    pantile::reverse(instances[1], x.view(), y.view());
    pantile::reverse(instances[1], x.view());
  };
  both();  // Kokkos may enlarge its scratch here
  Kokkos::fence();
  using Kind = ToolEvents::Kind;
  ToolEvents const events;
  both();
  EXPECT_EQ(events.count(Kind::fence), 0u);
  EXPECT_EQ(events.count(Kind::allocation), 0u);
  auto const kernels = events.of(Kind::kernel);
  ASSERT_EQ(kernels.size(), 2u);
  EXPECT_THAT(kernels[0].label, HasSubstr("pantile::reverse[copy,"));
  EXPECT_THAT(kernels[1].label, HasSubstr("pantile::reverse[in_place,"));
  EXPECT_EQ(kernels[0].device, device_of(instances[1]));
  EXPECT_EQ(kernels[1].device, device_of(instances[1]));
  Kokkos::fence();
}

template <class F>
std::string error_of(F const& call) {
  try {
    call();
  } catch (pantile::Error const& error) {
    EXPECT_EQ(error.operation(), "reverse");
    return error.what();
  }
  return "no error";
}

TEST(ReverseErrors, NameTheRuleAndTheOperands) {
  PlacedArray<float, Exec, 1> const x("x", {4}, Placement::strided), y("y", {5}, Placement::right);
  EXPECT_THAT(error_of([&] { pantile::reverse(x.view(), y.view()); }),
              AllOf(HasSubstr("length of x (4) must equal length of y (5)"),
                    HasSubstr("x '' 4 strides (3), y '' 5 strides (1)")));
  EXPECT_THAT(error_of([&] { pantile::reverse(x.view(), x.view()); }), HasSubstr("y must not overlap x"));
  EXPECT_THAT(error_of([&] { pantile::reverse(x.view(), {.tile = -1}); }), HasSubstr("tile must not be negative"));
  EXPECT_THAT(error_of([&] { pantile::explain::reverse(Exec{}, y.view(), y.view(), {.tile = -1}); }),
              HasSubstr("tile must not be negative"));
  if (pantile::impl::arch::machine(Exec{}).device) {
    EXPECT_THAT(error_of([&] { pantile::reverse(x.view(), {.tile = 1 << 24}); }),
                HasSubstr("a tile of 16777216 elements needs 134217744 bytes of team scratch, the limit is "));
  }
  using View = Kokkos::View<float*, Kokkos::LayoutStride, typename Exec::memory_space>;
  View const null(nullptr, Kokkos::LayoutStride(4, 1)), still(x.view().data(), Kokkos::LayoutStride(4, 0));
  EXPECT_THAT(error_of([&] { pantile::reverse(null, x.view()); }), HasSubstr("x must not be null"));
  EXPECT_THAT(error_of([&] { pantile::reverse(x.view(), null); }), HasSubstr("y must not be null"));
  EXPECT_THAT(error_of([&] { pantile::reverse(still); }), HasSubstr("x must not overlap itself"));
  for (float const value : x.values()) EXPECT_EQ(value, 77.F);
}

TEST(ReverseExplanation, SaysWhatRuns) {
  PlacedArray<float, Exec, 1> const x("x", {1000}, Placement::right);
  auto const e = pantile::explain::reverse(Exec{}, x.view(), {.tile = 100});
  EXPECT_EQ(e.path, "pantile::reverse[in_place," + pantile::impl::arch::space_name<Exec>() + ",float]");
  EXPECT_EQ(e.league_size, 5u);
  EXPECT_EQ(e.tile, "100");
  EXPECT_EQ(e.scratch_bytes, pantile::impl::arch::machine(Exec{}).device ? 816u : 0u);
  EXPECT_EQ(e.bytes, 8000);
}

}  // namespace

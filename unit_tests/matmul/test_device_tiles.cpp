// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file  The kernels that devices run, with teams of host threads: one register tile per thread, kept in registers
///        over all steps of k. The program is started with 16 threads, so that teams are real.
#include <matmul/cases.hpp>

#include <pantile/impl/arch/device_traits.hpp>
#include <pantile/impl/matmul/device/launch.hpp>

namespace {

using namespace pantile::testing;
using Algorithm = pantile::MatmulAlgorithm;
using pantile::MatmulTile;
using pantile::impl::arch::DeviceTraits;
using pantile::impl::arch::MicroTile;
using Exec = Kokkos::DefaultHostExecutionSpace;
namespace matmul = pantile::impl::matmul;

/// The device's plan for this tile with this register tile.
template <class T>
matmul::Plan device_plan(MatmulTile tile, MicroTile micro, Shape s) {
  matmul::Plan plan;
  plan.algorithm = Algorithm::tiled;
  plan.tile = tile;
  plan.micro = micro;
  plan.team_size = static_cast<int>(matmul::micro_count(tile, micro));
  plan.scratch_bytes = matmul::tiled_scratch_bytes(tile, micro, sizeof(pantile::compute_t<T>), true);
  plan.scratch_level = 0;
  plan.tiles =
      pantile::impl::tile::TileGrid{static_cast<std::int64_t>(s.m), static_cast<std::int64_t>(s.n), tile.m, tile.n}
          .count();
  return plan;
}

template <class T>
void expect_right_on_device_tiles(MatmulTile tile, MicroTile micro) {
  Exec const exec;
  for (Shape const s : {Shape{1, 1, 1}, Shape{4, 4, 4}, Shape{17, 19, 7}, Shape{33, 5, 16}, Shape{3, 40, 5}}) {
    auto const plan = device_plan<T>(tile, micro, s);
    ASSERT_LE(plan.team_size, exec.concurrency());
    Call<T> const call(s);
    for (std::size_t const triple : {0U, 31U, 69U}) {
      SCOPED_TRACE(to_string(s) + " " + to_string(placements(triple)) + " team of " + std::to_string(plan.team_size));
      auto const at = placements(triple);
      Placed<T, Exec> const A("A", call.a, at.a), B("B", call.b, at.b), C("C", call.c, at.c);
      using pantile::impl::to_matrix;
      matmul::Problem<T, T, T, T> const problem{
          to_matrix(Kokkos::View<T const**, Kokkos::LayoutStride, Exec::memory_space>(A.view())),
          to_matrix(Kokkos::View<T const**, Kokkos::LayoutStride, Exec::memory_space>(B.view())),
          to_matrix(C.view()),
          false,
          false,
          call.alpha,
          call.beta};
      matmul::run<Exec, T, T, T, T, DeviceTraits>(exec, problem, plan);
      exec.fence();
      EXPECT_TRUE(within(C.values(), call.reference.values, call.reference.bound));
      EXPECT_TRUE(C.surroundings_intact());
    }
  }
}

class MatmulDeviceTiles : public ::testing::Test {
 protected:
  void SetUp() override {
    if (Exec{}.concurrency() < 16) GTEST_SKIP() << "needs 16 threads: --kokkos-num-threads=16";
  }
};

TEST_F(MatmulDeviceTiles, OneOutputPerThread) {
  expect_right_on_device_tiles<double>({4, 4, 4}, {1, 1});
  expect_right_on_device_tiles<double>({3, 5, 2}, {1, 1});
  expect_right_on_device_tiles<float>({16, 1, 3}, {1, 1});
  expect_right_on_device_tiles<std::int32_t>({1, 13, 1}, {1, 1});
}

TEST_F(MatmulDeviceTiles, FourByFourOutputsPerThread) {
  expect_right_on_device_tiles<double>({16, 16, 16}, {4, 4});
  expect_right_on_device_tiles<double>({10, 15, 3}, {4, 4});
  expect_right_on_device_tiles<float>({8, 32, 5}, {4, 4});
  expect_right_on_device_tiles<std::int32_t>({64, 4, 16}, {4, 4});
}

// What the policy itself chooses for a device, as far as sixteen threads go: small matrices.
TEST_F(MatmulDeviceTiles, PlansOfThePolicyRun) {
  using T = double;
  Exec const exec;
  auto machine = pantile::impl::arch::machine(exec);
  machine.device = true;
  machine.max_team_size = 1024;
  machine.scratch_levels = 1;
  for (Shape const s : {Shape{16, 16, 50}, Shape{9, 13, 17}, Shape{4, 4, 100}}) {
    Call<T> const call(s);
    Placed<T, Exec> const A("A", call.a, Placement::right), B("B", call.b, Placement::left),
        C("C", call.c, Placement::padded_right);
    using Const = Kokkos::View<T const**, Kokkos::LayoutStride, Exec::memory_space>;
    using pantile::impl::to_matrix;
    matmul::Problem<T, T, T, T> const problem{to_matrix(Const(A.view())),
                                              to_matrix(Const(B.view())),
                                              to_matrix(C.view()),
                                              false,
                                              false,
                                              call.alpha,
                                              call.beta};
    auto const plan =
        matmul::choose(machine, matmul::make_query<DeviceTraits>(problem, {.algorithm = Algorithm::tiled}));
    ASSERT_EQ(plan.refusal, "");
    ASSERT_LE(plan.team_size, 16);
    matmul::run<Exec, T, T, T, T, DeviceTraits>(exec, problem, plan);
    exec.fence();
    EXPECT_TRUE(within(C.values(), call.reference.values, call.reference.bound)) << to_string(s);
    EXPECT_TRUE(C.surroundings_intact());
  }
}

}  // namespace

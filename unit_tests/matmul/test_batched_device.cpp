// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file  Batches by the tiles of devices: which product and tile a team takes, on the host; what the policy chooses.
#include <matmul/batches.hpp>
#include <matmul/multistage.hpp>

#include <pantile/impl/arch/cuda/traits.hpp>

namespace {

using namespace pantile::testing;
namespace matmul = pantile::impl::matmul;
namespace arch = pantile::impl::arch;
using Index = pantile::impl::Index;

/// The first tile of the machine, with a thread in the place of a team's.
template <class... Tile>
auto first_tile(arch::DeviceTiles<Tile...>) {
  return std::get<0>(std::tuple<Tile...>{});
}

template <class T>
void expect_right_on_device(Shape const& shape, std::size_t count, BatchLayout const& layout, bool one_b) {
  auto const [m, n, k] = shape;
  PlacedBatch<T> a(count, m, k, layout, 1), b(one_b ? 1 : count, k, n, layout, 2), c(count, m, n, layout, 3);
  PlacedBatch<T> const before = c;
  using pantile::impl::to_batch;
  using pantile::impl::to_const_batch;
  auto const A = to_const_batch(a.view()), B = one_b ? to_const_batch(b.at(0)) : to_const_batch(b.view());
  auto const C = to_batch(c.view());
  matmul::BatchProblem<T, T, T, T> const batch{
      {A.first, B.first, C.first, false, false, T(2), T(3)}, static_cast<Index>(count), A.place, B.place, C.place};
  using Tile = decltype(first_tile(arch::Cuda::MatmulTiles<T, T, T>{}));
  using Kernel = matmul::MultistageKernel<T, T, T, T, Tile>;
  using Member = typename Kokkos::TeamPolicy<HostSpace>::member_type;
  matmul::BatchPlan plan;
  plan.algorithm = pantile::MatmulAlgorithm::blocked;
  plan.way = matmul::BatchWay::tiles;
  plan.device.tile = 0;
  plan.tiles = pantile::impl::tile::TileGrid{batch.first.m(), batch.first.n(), Tile::shape.m, Tile::shape.n}.count();
  plan.scratch_level = 1;
  plan.scratch_bytes = Kernel::panel_bytes + Kernel::template Group<Member>::state_bytes + 64;
  matmul::run<HostSpace, T, T, T, T, arch::Cuda>(HostSpace{}, batch, plan);
  HostSpace{}.fence();
  for (std::size_t i = 0; i < count; ++i) {
    auto const expected = reference_matmul(T(2), a.values(i), b.values(one_b ? 0 : i), T(3), before.values(i));
    ASSERT_TRUE(within(c.values(i), expected.values, expected.bound)) << "product " << i;
  }
  EXPECT_TRUE(c.surroundings_intact());
}

TEST(MatmulBatchOnDevices, TakesProductAfterProduct) {
  for (BatchLayout const& layout : batch_layouts) {
    for (Shape const shape : {Shape{3, 5, 7}, Shape{8, 12, 16}, Shape{130, 140, 20}}) {
      for (bool const one_b : {false, true}) {
        SCOPED_TRACE(std::string(layout.name) + " " + to_string(shape) + (one_b ? ", one B" : ""));
        expect_right_on_device<float>(shape, 3, layout, one_b);
      }
    }
  }
}

/// Products whose rows begin at whole packs, but not those of the next product: no wide loads or stores.
TEST(MatmulBatchOnDevices, TakesProductsAtOddStrides) {
  for (std::size_t const padding : {0U, 1U, 2U}) {
    BatchLayout const layout{"odd", {0, 1, 2}, 1, padding};
    expect_right_on_device<float>({8, 8, 8}, 5, layout, false);
    expect_right_on_device<float>({16, 4, 12}, 5, layout, false);
  }
}

TEST(MatmulBatchOnDevices, DoesNotSplitK) {
  arch::Machine machine{};
  machine.device = true;
  machine.concurrency = 132 * 2048;
  machine.multiprocessors = 132;
  machine.scratch_levels = 2;
  machine.scratch_limit[0] = machine.scratch_limit[1] = 200 * 1024;
  machine.scratch_of_multiprocessor = 228 * 1024;
  machine.scratch_of_thread = arch::Cuda::tuning.scratch_of_thread;
  machine.scratch_of_driver = arch::Cuda::tuning.scratch_of_driver;
  auto const shapes = matmul::device_tiles<arch::Cuda, float, float, float>();
  auto const plan_of = [&](bool has_addresses, pantile::MatmulAlgorithm algorithm, int edge = 32) {
    matmul::BatchQuery query;
    query.count = 10;
    query.has_addresses = has_addresses;
    query.one.batch = 10;
    query.one.m = query.one.n = edge;
    query.one.k = 100000;
    query.one.device_tiles = shapes;
    query.one.variants = matmul::micro_variants<arch::Cuda, float>();
    query.one.compute_size = sizeof(float);
    query.one.default_edge = arch::Cuda::matmul_edge<float>;
    query.one.default_depth = arch::Cuda::matmul_depth;
    query.one.tuning = arch::Cuda::tuning;
    query.one.options.algorithm = algorithm;
    return matmul::choose(machine, query);
  };
  using enum pantile::MatmulAlgorithm;
  auto const plan = plan_of(false, automatic);
  EXPECT_EQ(plan.way, matmul::BatchWay::tiles);
  EXPECT_EQ(plan.device.slices, 1);
  EXPECT_EQ(plan.workspace_bytes, 0U);
  auto const anywhere = plan_of(true, automatic);
  EXPECT_EQ(anywhere.way, matmul::BatchWay::scratch_tiles);
  EXPECT_EQ(anywhere.algorithm, tiled);
  EXPECT_EQ(anywhere.team_size, 64);
  EXPECT_EQ(anywhere.refusal, "");
  EXPECT_EQ(plan_of(true, automatic, 20).way, matmul::BatchWay::elements);  // a team of 25 threads
  EXPECT_EQ(plan_of(true, naive).way, matmul::BatchWay::elements);
  EXPECT_EQ(plan_of(true, blocked).refusal,
            "algorithm blocked on devices is for batches a stride apart, not for MatrixPointers");
}

}  // namespace

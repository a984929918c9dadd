// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file  The tables of tiles against the policy that chooses from them: each tile is the cheapest for some shape.
#include <pantile/impl/arch/cuda/traits.hpp>
#include <pantile/impl/arch/hip/traits.hpp>
#include <pantile/impl/matmul/device/policy.hpp>

#include <gtest/gtest.h>

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

namespace {

namespace arch = pantile::impl::arch;
namespace matmul = pantile::impl::matmul;
using pantile::Precision;

constexpr std::int64_t edges[] = {1,   8,   16,  17,  33,   64,   100,  128,  200,
                                  256, 384, 512, 777, 1024, 2048, 4096, 8192, 65536};
constexpr std::int64_t depths[] = {8, 64, 512, 4096, 65536};

/// An H100, and an MI300X: multiprocessors, and bytes of a team's scratch and of a multiprocessor's. Kokkos before 5.2
/// gives a team less.
template <class Arch>
std::vector<arch::Machine> machines() {
  constexpr bool cuda = std::is_same_v<Arch, arch::Cuda>;
  std::vector<arch::Machine> found;
  for (std::size_t const scratch : {std::size_t{40936}, std::size_t{cuda ? 215000 : 65000}}) {
    arch::Machine machine;
    machine.device = true;
    machine.multiprocessors = cuda ? 132 : 304;
    machine.concurrency = machine.multiprocessors * arch::DeviceTuning{}.multiprocessor_threads;
    machine.scratch_limit[0] = scratch;
    machine.scratch_of_multiprocessor = cuda ? 233472 : 65536;
    machine.scratch_of_thread = Arch::tuning.scratch_of_thread;
    machine.scratch_of_driver = Arch::tuning.scratch_of_driver;
    found.push_back(machine);
  }
  return found;
}

template <class Arch, class TA, class TB, class Compute>
void expect_every_tile_chosen() {
  using Tiles = typename Arch::template MatmulTiles<TA, TB, Compute>;
  auto const shapes = std::span(Tiles::shapes).first(Tiles::count);
  std::vector<int> chosen(shapes.size());
  for (arch::Machine const& machine : machines<Arch>()) {
    for (Precision const precision : {Precision::full, Precision::tf32, Precision::three_tf32}) {
      for (std::int64_t const m : edges) {
        for (std::int64_t const n : edges) {
          for (std::int64_t const k : depths) {
            matmul::Query const query{.m = m,
                                      .n = n,
                                      .k = k,
                                      .compute_size = sizeof(Compute),
                                      .device_tiles = shapes,
                                      .tuning = Arch::tuning,
                                      .options = {.precision = precision}};
            auto const plan = matmul::choose_tile(machine, query);
            if (plan.tile >= 0) ++chosen[static_cast<std::size_t>(plan.tile)];
          }
        }
      }
    }
  }
  for (std::size_t tile = 0; tile < chosen.size(); ++tile) {
    auto const& s = shapes[tile];
    EXPECT_GT(chosen[tile], 0) << "tile " << tile << " of " << chosen.size() << ": " << s.m << " x " << s.n << " x "
                               << s.k << " for elements of " << sizeof(TA) << " bytes";
  }
}

template <class Arch>
void expect_every_tile_of_every_type_chosen() {
  using Half = Kokkos::Experimental::half_t;
  using Brain = Kokkos::Experimental::bhalf_t;
  using Pair = Kokkos::complex<float>;
  using Quad = Kokkos::complex<double>;
  expect_every_tile_chosen<Arch, float, float, float>();
  expect_every_tile_chosen<Arch, double, double, double>();
  expect_every_tile_chosen<Arch, Pair, Pair, Pair>();
  expect_every_tile_chosen<Arch, Quad, Quad, Quad>();
  expect_every_tile_chosen<Arch, std::uint32_t, std::uint32_t, std::uint32_t>();
  expect_every_tile_chosen<Arch, std::uint64_t, std::uint64_t, std::uint64_t>();
  expect_every_tile_chosen<Arch, Half, Half, float>();
  expect_every_tile_chosen<Arch, Brain, Brain, float>();
  expect_every_tile_chosen<Arch, std::int8_t, std::int8_t, std::uint32_t>();
}

TEST(TileChoice, EveryTileForNvidiaIsTheCheapestSomewhere) { expect_every_tile_of_every_type_chosen<arch::Cuda>(); }
TEST(TileChoice, EveryTileForAmdIsTheCheapestSomewhere) { expect_every_tile_of_every_type_chosen<arch::Hip>(); }

}  // namespace

// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file  The device's counting kernel in several rounds, between which its teams flush their 32-bit counts: through
///        the face only 2^30 samples of a team get there. Hosts do the same in unit_tests/histogram/test_copies.cpp.
#include <histogram/samples.hpp>

#include <support/arrays.hpp>

#include <pantile/histogram.hpp>

#include <gmock/gmock.h>

#include <array>
#include <cstdint>
#include <vector>

namespace {

using namespace pantile::testing;
using Exec = Kokkos::DefaultExecutionSpace;
namespace histogram = pantile::impl::histogram;

using Counts = PlacedArray<std::uint32_t, Exec, 1>;
using Kernel = histogram::DeviceCountingKernel<std::int32_t, std::uint32_t>;

TEST(Rounds, CountEverySampleOnce) {
  constexpr std::size_t bins = 40;
  constexpr int copies = 4, threads = 64;
  auto samples = random_indices<std::int32_t>(5003, bins + 1, Distribution::skewed, 11);
  for (std::size_t s = 0; s < samples.size(); s += 13) samples[s] = s % 2 == 0 ? 1 << 20 : -1;
  auto const expected = serial_histogram<std::uint32_t>(samples, std::array{bins});
  PlacedArray<std::int32_t, Exec, 1> const values("samples", {samples.size()}, samples, Placement::right);
  for (int const teams : {1, 3}) {
    for (std::int64_t const round : {threads * 4, 4 * threads * 4, 1 << 30}) {
      Counts const counts("counts", {bins}, std::vector<std::uint32_t>(bins, 0), Placement::right);
      PlacedArray<std::uint64_t, Exec, 1> const ignored("ignored", {1}, {0}, Placement::right);
      auto const size = static_cast<pantile::impl::Index>(samples.size());
      Kernel kernel(
          {{values.view().data(), size, 1, 1, 0}, {}, {counts.view().data(), {bins}, {1}}, ignored.view().data(), true},
          0, copies);
      kernel.round = round;
      Kokkos::TeamPolicy<Exec> policy(teams, threads);
      policy.set_scratch_size(0, Kokkos::PerTeam(static_cast<int>((bins + 1) * 4 * copies + 64)));
      Kokkos::parallel_for("rounds", policy, kernel);
      Kokkos::fence();
      EXPECT_EQ(counts.values(), expected.counts) << teams << " teams, rounds of " << round;
      EXPECT_EQ(ignored.values().front(), expected.ignored);
      EXPECT_TRUE(counts.surroundings_intact());
    }
  }
}

}  // namespace

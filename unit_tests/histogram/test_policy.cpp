// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pantile/impl/histogram/policy.hpp>

#include <gmock/gmock.h>

#include <climits>

namespace {

using pantile::HistogramAlgorithm;
using pantile::impl::arch::Machine;
using pantile::impl::histogram::choose;
using ::testing::HasSubstr;

Machine const two_cores{"openmp", false, 2, 1, {32 * 1024, 20 * 1024 * 1024}, 2};
Machine const many_cores{"openmp", false, 64, 1, {32 * 1024, 20 * 1024 * 1024}, 2};
Machine const sixteen_cores{"openmp", false, 16, 1, {32 * 1024, 20 * 1024 * 1024}, 2};
Machine const one_core{"serial", false, 1, 1, {32 * 1024, 20 * 1024 * 1024}, 2};
Machine const gpu{"cuda", true, 132 * 2048, 1024, {40 * 1024, 0}, 1};

struct Row {
  char const* name;
  Machine machine;
  std::int64_t samples, bins;
  pantile::HistogramOptions options;
  HistogramAlgorithm algorithm;
  int teams;
  bool alone;
  int level;
};

constexpr auto atomic = HistogramAlgorithm::global_atomic;
constexpr auto scratch = HistogramAlgorithm::scratch;

// Two teams, each with what Kokkos and the driver take for themselves; and one within the limit of a team.
TEST(HistogramPolicy, DevicesCopiesFitATeamAndAMultiprocessor) {
  using pantile::impl::histogram::counting_teams_fit;
  Machine machine = gpu;
  machine.scratch_limit[0] = 1016;
  machine.scratch_of_multiprocessor = 2 * (1016 + 8 * 514 + 1024);
  machine.scratch_of_thread = 8;
  machine.scratch_of_driver = 1024;
  EXPECT_TRUE(counting_teams_fit(machine, 1000));
  EXPECT_FALSE(counting_teams_fit(machine, 1001));
  --machine.scratch_of_multiprocessor;
  EXPECT_FALSE(counting_teams_fit(machine, 1000));
  machine.scratch_of_driver = 0;
  EXPECT_TRUE(counting_teams_fit(machine, 1000)) << "AMD's driver takes none";
}

TEST(HistogramPolicy, ChoosesByTheTable) {
  Row const table[] = {
      {"host, much work", two_cores, 1 << 20, 256, {}, scratch, 2, false, 0},
      {"host, level 1", two_cores, 1 << 24, 100000, {}, scratch, 2, false, 1},
      {"host, too many bins for scratch", two_cores, 1 << 30, 1 << 24, {}, atomic, 1, true, 0},
      {"host, more bins than samples", two_cores, 100000, 100000, {}, atomic, 1, true, 0},
      {"the same with many cores", many_cores, 1 << 20, 1 << 20, {}, atomic, 32, false, 0},
      {"with as many as atomics pay for", sixteen_cores, 1 << 20, 1 << 20, {}, atomic, 16, false, 0},
      {"the same, teams asked for", two_cores, 100000, 100000, {.teams = 2}, atomic, 2, false, 0},
      {"host, work for one", two_cores, 65615, 10, {}, atomic, 1, true, 0},
      {"host, work for two", two_cores, 65616, 10, {}, scratch, 2, false, 0},
      {"host, of more bins too little", two_cores, 131071, 8192, {}, atomic, 1, true, 0},
      {"host, and enough", two_cores, 131072, 8192, {}, scratch, 2, false, 1},
      {"host, little work", two_cores, 1000, 10, {}, atomic, 1, true, 0},
      {"host, no work", two_cores, 0, 0, {}, atomic, 1, true, 0},
      {"host, teams asked for", two_cores, 1 << 20, 256, {.teams = 7}, scratch, 7, false, 0},
      {"host, teams asked for little work", two_cores, 1000, 10, {.teams = 2}, scratch, 2, false, 0},
      {"host, more teams than samples",
       two_cores,
       3,
       1,
       {.algorithm = scratch, .teams = 1 << 30},
       scratch,
       3,
       false,
       0},
      {"host, teams without samples", two_cores, 0, 1, {.algorithm = atomic, .teams = 7}, atomic, 1, true, 0},
      {"gpu, more teams than samples", gpu, 3, 1, {.algorithm = scratch, .teams = 7}, scratch, 3, false, 0},
      {"host, one team", two_cores, 1 << 20, 256, {.teams = 1}, atomic, 1, true, 0},
      {"host, one team with a copy", two_cores, 1 << 20, 256, {.algorithm = scratch, .teams = 1}, scratch, 1, false, 0},
      {"host, atomics by name", two_cores, 1 << 20, 256, {.algorithm = atomic}, atomic, 2, false, 0},
      {"serial", one_core, 1 << 20, 256, {}, atomic, 1, true, 0},
      {"gpu, much work", gpu, 1 << 28, 256, {}, scratch, 1056, false, 0},
      {"gpu, too many bins", gpu, 1 << 28, 11000, {}, atomic, 1056, false, 0},
      {"gpu, copies must pay", gpu, 1 << 20, 10000, {}, scratch, 26, false, 0},
      {"gpu, little work", gpu, 100, 10, {}, scratch, 1, false, 0},
      {"gpu, no work", gpu, 0, 10, {}, atomic, 1, false, 0},
  };
  for (Row const& row : table) {
    auto const plan = choose(row.machine, {row.samples, row.bins, 4, row.options});
    EXPECT_EQ(plan.algorithm, row.algorithm) << row.name;
    EXPECT_EQ(plan.teams, row.teams) << row.name;
    EXPECT_EQ(plan.alone, row.alone) << row.name;
    EXPECT_EQ(plan.scratch_level, row.level) << row.name;
    EXPECT_EQ(plan.refusal, "") << row.name;
    EXPECT_EQ(plan.team_size, row.machine.device ? 256 : 1) << row.name;
    EXPECT_STRNE(plan.reason, "") << row.name;
  }
}

// A host's one thread counts into the bins themselves where all samples are looked at before; where these are many,
// they are read once, and counts wait in a copy. The counting kernels check as many as their counts have bits for.
TEST(HistogramPolicy, HostsCheckManySamplesWhileTheyCountThem) {
  auto const plan_of = [](std::int64_t samples, bool counting, bool refuses) {
    return choose(one_core, {samples, 256, 8, {}, counting, refuses});
  };
  for (bool const counting : {false, true}) {
    EXPECT_TRUE(plan_of(1023, counting, true).alone);
    auto const plan = plan_of(1024, counting, true);
    EXPECT_EQ(plan.algorithm, scratch);
    EXPECT_TRUE(plan.one_pass);
    EXPECT_EQ(plan.copies > 0, counting);
    EXPECT_GT(plan.workspace_bytes, 0u);
    EXPECT_FALSE(plan_of(1024, counting, false).one_pass);
    EXPECT_EQ(plan_of(1024, counting, false).algorithm, counting ? scratch : atomic);
    EXPECT_TRUE(plan_of(std::int64_t{1} << 30, counting, true).one_pass);
    EXPECT_EQ(plan_of((std::int64_t{1} << 30) + 1, counting, true).one_pass, !counting);
  }
}

// Of 32 bits, with a bin for samples out of range, and an odd number of bins from copy to copy.
TEST(HistogramPolicy, HostsHaveFourCopiesOfFewBinsAndOneOfMore) {
  auto const plan_of = [](std::int64_t bins) { return choose(two_cores, {1 << 20, bins, 8, {}, true}); };
  EXPECT_EQ(plan_of(1024).copies, 4);
  EXPECT_EQ(plan_of(1024).scratch_bytes, 4u * 4 * 1026 + 16);
  EXPECT_EQ(plan_of(1025).copies, 1);
  EXPECT_EQ(plan_of(1027).scratch_bytes, 4u * 1032 + 16) << "1029 of them, in whole alignments";
}

// Kokkos counts a league's ranks in int and adds the number of teams to them.
TEST(HistogramPolicy, LeaguesOfCopiesHaveALimit) {
  auto const plan = choose(gpu, {std::int64_t{1} << 32, 256, 4, {.teams = INT_MAX}});
  EXPECT_EQ(plan.algorithm, scratch);
  EXPECT_EQ(plan.teams, pantile::impl::tile::league_limit);
}

TEST(HistogramPolicy, CountsScratchInWholeAlignments) {
  EXPECT_EQ(choose(gpu, {1000, 5, 4, {.algorithm = scratch}}).scratch_bytes, 32u + 16);
  EXPECT_EQ(choose(gpu, {1000, 10236, 4, {.algorithm = scratch}}).refusal, "");
  EXPECT_THAT(choose(gpu, {1000, 10237, 4, {.algorithm = scratch}}).refusal,
              HasSubstr("needs 40976 bytes of team scratch for 10237 bins, the limit is 40960 at level 0"));
  EXPECT_THAT(choose(two_cores, {1000, 3000000, 8, {.algorithm = scratch}}).refusal,
              HasSubstr("the limit is 20971520 at level 1"));
}

}  // namespace

// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pantile/impl/fill/policy.hpp>

#include <gmock/gmock.h>

namespace {

using Algorithm = pantile::FillAlgorithm;
using pantile::Coordinates;
using pantile::Extent2;
using pantile::LaunchShape;
using pantile::impl::arch::Machine;
using pantile::impl::fill::choose;

Machine const host{"openmp", false, 4, 1, {32 * 1024, 20 * 1024 * 1024}, 2};
Machine const gpu{"cuda", true, 132 * 2048, 1024, {40 * 1024, 0}, 1};

TEST(FillPolicy, ChoosesByTheTable) {
  LaunchShape const notebook{{3, 2}, {3, 2}};
  struct Row {
    char const* name;
    Machine machine;
    pantile::FillOptions options;
    bool fast_along_row;
    Algorithm algorithm;
    bool transposed;
    LaunchShape launch;
  };
  Row const table[] = {
      {"host", host, {}, true, Algorithm::naive, false, {}},
      {"host, left", host, {}, false, Algorithm::naive, true, {}},
      {"gpu, left", gpu, {}, false, Algorithm::naive, true, {}},
      {"launch asks for threads", host, {.launch = notebook}, true, Algorithm::grid_stride, false, notebook},
      {"a launch keeps its directions", gpu, {.launch = notebook}, false, Algorithm::grid_stride, false, notebook},
      {"threads", host, {.coordinates = Coordinates::thread}, true, Algorithm::grid_stride, false, {{1, 4}, {1, 1}}},
      {"gpu threads",
       gpu,
       {.algorithm = Algorithm::grid_stride},
       true,
       Algorithm::grid_stride,
       false,
       {{2, 13}, {32, 8}}},
  };
  for (Row const& row : table) {
    auto const plan = choose(row.machine, {100, 50, row.fast_along_row, row.options});
    EXPECT_EQ(plan.algorithm, row.algorithm) << row.name;
    EXPECT_EQ(plan.transposed, row.transposed) << row.name;
    EXPECT_EQ(plan.launch, row.launch) << row.name;
    EXPECT_EQ(plan.refusal, "") << row.name;
  }
}

TEST(FillPolicy, LittleOfOneValueNeedsNoLaunch) {
  auto const on_caller = [](Machine const& machine, std::int64_t constant_bytes) {
    return choose(machine, {.rows = 8, .cols = 8, .constant_bytes = constant_bytes}).on_caller;
  };
  EXPECT_TRUE(on_caller(host, 256 << 10));
  EXPECT_FALSE(on_caller(host, (256 << 10) + 1));
  EXPECT_FALSE(on_caller(host, -1)) << "a function";
  EXPECT_FALSE(on_caller(gpu, 512));
}

TEST(FillPolicy, RefusesWhatItDoesNotHave) {
  EXPECT_EQ(choose(host, {4, 4, true, {.algorithm = static_cast<Algorithm>(3)}}).refusal,
            "algorithm must be automatic, naive or grid_stride, not 3");
  EXPECT_EQ(choose(host, {4, 4, true, {.algorithm = Algorithm::naive, .launch = {{1, 1}, {1, 1}}}}).refusal,
            "launch is for algorithm grid_stride, not naive");
  EXPECT_EQ(choose(host, {4, 4, true, {.coordinates = static_cast<pantile::Coordinates>(77)}}).refusal,
            "coordinates must be element or thread, not 77");
}

}  // namespace

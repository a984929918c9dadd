// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <support/arrays.hpp>
#include <support/tool_events.hpp>

#include <histogram/samples.hpp>

#include <pantile/histogram.hpp>

#include <gmock/gmock.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace {

using namespace pantile::testing;
using pantile::Error;
using pantile::HistogramAlgorithm;
using pantile::HistogramOptions;
using pantile::OutOfRange;
using ::testing::AllOf;
using ::testing::HasSubstr;
using Space = Kokkos::DefaultExecutionSpace;

template <class F>
std::string error_of(F const& call) {
  try {
    call();
  } catch (Error const& error) {
    EXPECT_EQ(error.operation(), "histogram");
    return error.what();
  }
  return "no error";
}

class HistogramErrors : public ::testing::Test {
 protected:
  PlacedArray<std::int32_t, Space, 1> indices{"samples", {4}, {0, 1, 2, 1}, Placement::right};
  PlacedArray<std::int32_t, Space, 1> counts{"bins", {3}, {7, 8, 9}, Placement::strided};

  void TearDown() override {
    EXPECT_EQ(counts.values(), (std::vector<std::int32_t>{7, 8, 9}));
    EXPECT_TRUE(counts.surroundings_intact());
  }
};

TEST_F(HistogramErrors, NameTheFirstSampleOutOfRange) {
  std::vector<std::int32_t> many(50000, 1);
  many[123] = -4;
  many[40000] = 3;
  PlacedArray<std::int32_t, Space, 1> const bad("samples", {many.size()}, many, Placement::strided);
  EXPECT_THAT(error_of([&] { pantile::histogram(bad.view(), counts.view()); }),
              AllOf(HasSubstr("sample 123 has index (-4), which is outside the 3 bins"),
                    HasSubstr("indices '' 50000 strides (3), counts '' 3 strides (3) [called from")));
  many[123] = 0;
  PlacedArray<std::int32_t, Space, 1> const high("samples", {many.size()}, many, Placement::right);
  EXPECT_THAT(error_of([&] { pantile::histogram(high.view(), counts.view(), {.accumulate = true}); }),
              HasSubstr("sample 40000 has index (3), which is outside the 3 bins"));
  auto const huge = std::numeric_limits<std::uint64_t>::max();
  PlacedArray<std::uint64_t, Space, 1> const wide("samples", {2}, {0, huge}, Placement::right);
  EXPECT_THAT(error_of([&] { pantile::histogram(wide.view(), counts.view()); }),
              HasSubstr("sample 1 has index (18446744073709551615), which is outside the 3 bins"));
}

/// Samples of which `wrong` and its neighbour are out of range, from the first, second ... element of a row on.
template <class I>
void expect_first_of_neighbours_named() {
  constexpr std::size_t count = 200;
  Kokkos::View<std::int32_t*, Space> const counts("bins", 3);
  for (std::size_t const begin : {0, 1, 3}) {
    for (std::size_t const wrong : {std::size_t{0}, std::size_t{2}, count / 2, count - 2}) {
      std::vector<I> values(begin + count, I{2});
      values[begin + wrong] = I{5};
      values[begin + wrong + 1] = I{3};
      PlacedArray<I, Space, 1> const samples("samples", {values.size()}, values, Placement::right);
      auto const own = Kokkos::subview(samples.view(), std::pair(begin, values.size()));
      EXPECT_THAT(error_of([&] { pantile::histogram(own, counts); }),
                  HasSubstr("sample " + std::to_string(wrong) + " has index (5), which is outside the 3 bins"))
          << sizeof(I) << " bytes from " << begin;
    }
  }
}

TEST(HistogramOutside, TheFirstOfNeighboursIsNamed) {
  expect_first_of_neighbours_named<std::uint8_t>();
  expect_first_of_neighbours_named<std::int16_t>();
  expect_first_of_neighbours_named<std::int32_t>();
  expect_first_of_neighbours_named<std::int64_t>();
}

TEST(HistogramOutside, TheFirstIsNamedWhereEveryThreadFindsSeveral) {
  std::vector<std::int8_t> values(600000, 1);
  std::fill(values.begin() + 10000, values.end(), std::int8_t{-1});
  PlacedArray<std::int8_t, Space, 1> const samples("samples", {values.size()}, values, Placement::strided);
  Kokkos::View<std::int32_t*, Space> const counts("bins", 3);
  EXPECT_THAT(error_of([&] { pantile::histogram(samples.view(), counts); }), HasSubstr("sample 10000 has index (-1)"));
}

TEST(HistogramOutside, ATupleIsSoByAnyOfItsIndices) {
  Kokkos::View<std::int32_t***, Space> const counts("bins", 2, 5, 4);
  for (std::size_t const wrong : {0, 1, 2}) {
    std::vector<std::int32_t> values{0, 1, 2, 1, 4, 3};
    values[3 + wrong] = 5;
    PlacedArray<std::int32_t, Space, 2> const samples("samples", {2, 3}, values, Placement::right);
    EXPECT_THAT(error_of([&] { pantile::histogram(samples.view(), counts); }),
                AllOf(HasSubstr("sample 1 has index"), HasSubstr("outside the 2x5x4 bins")));
  }
}

/// One wrong component of many tuples, by rows and columns of samples, of every other sample too.
template <class Layout>
void expect_wrong_tuples_named() {
  using HostExec = Kokkos::DefaultHostExecutionSpace;
  using Strided = Kokkos::View<std::int32_t**, Kokkos::LayoutStride, Kokkos::HostSpace, Kokkos::MemoryUnmanaged>;
  int const n = 300;
  std::vector<std::int32_t> memory(static_cast<std::size_t>(4 * n));
  Kokkos::View<double**, Layout, Kokkos::HostSpace> const counts("bins", 3, 4);
  for (auto const& [row, col] : {std::pair{2, 1}, std::pair{1, n}, std::pair{2, 2 * n}}) {
    Strided const samples(memory.data(), Kokkos::LayoutStride(n, row, 2, col));
    for (int const wrong : {0, n / 2, n - 1}) {
      for (int const component : {0, 1}) {
        samples(wrong, component) = 3 + component;
        EXPECT_THAT(error_of([&] { pantile::histogram(HostExec{}, samples, counts); }),
                    HasSubstr("sample " + std::to_string(wrong) + " has index " + (component == 0 ? "(3,0)" : "(0,4)")))
            << row << " and " << col << " from index to index";
        samples(wrong, component) = 0;
      }
    }
    for (std::size_t b = 0; b < counts.size(); ++b) EXPECT_EQ(counts.data()[b], 0);
  }
}

TEST(HistogramOutside, ATupleIsSoWhereverItLies) {
  expect_wrong_tuples_named<Kokkos::LayoutRight>();
  expect_wrong_tuples_named<Kokkos::LayoutLeft>();
}

TEST_F(HistogramErrors, NameTheWholeTupleAndAllExtents) {
  PlacedArray<std::int64_t, Space, 2> const tuples("tuples", {2, 3}, {0, 0, 0, 1, 5, 0}, Placement::left);
  PlacedArray<float, Space, 3> const cube("cube", {2, 5, 4}, Placement::right);
  PlacedArray<float, Space, 1> const weights("weights", {2}, {1, 1}, Placement::right);
  EXPECT_THAT(error_of([&] { pantile::histogram(tuples.view(), weights.view(), cube.view()); }),
              AllOf(HasSubstr("sample 1 has index (1,5,0), which is outside the 2x5x4 bins"),
                    HasSubstr("weights '' 2 strides (1)")));
  EXPECT_EQ(cube.values(), std::vector<float>(40, 77));
}

TEST_F(HistogramErrors, RefuseSamplesForNoBins) {
  Kokkos::View<std::int32_t*, Space> const none("none", 0);
  EXPECT_THAT(error_of([&] { pantile::histogram(indices.view(), none); }),
              HasSubstr("sample 0 has index (0), which is outside the 0 bins"));
}

TEST_F(HistogramErrors, NameShapesThatDoNotMatch) {
  PlacedArray<std::int32_t, Space, 2> const pairs("pairs", {2, 2}, {0, 0, 0, 0}, Placement::right);
  EXPECT_THAT(error_of([&] { pantile::histogram(pairs.view(), counts.view()); }),
              HasSubstr("columns of indices (2) must equal the rank of counts (1)"));
  PlacedArray<std::int32_t, Space, 1> const weights("weights", {3}, {1, 1, 1}, Placement::right);
  EXPECT_THAT(error_of([&] { pantile::histogram(indices.view(), weights.view(), counts.view()); }),
              HasSubstr("length of weights (3) must equal the number of samples (4)"));
}

TEST_F(HistogramErrors, RefuseNegativeTeams) {
  EXPECT_THAT(error_of([&] { pantile::histogram(indices.view(), counts.view(), {.teams = -1}); }),
              HasSubstr("teams must not be negative"));
  auto const no_strategy = static_cast<HistogramAlgorithm>(77);
  EXPECT_THAT(error_of([&] { pantile::histogram(indices.view(), counts.view(), {.algorithm = no_strategy}); }),
              HasSubstr("algorithm must be automatic, global_atomic or scratch, not 77"));
  auto const no_answer = static_cast<OutOfRange>(3);
  EXPECT_THAT(error_of([&] { pantile::histogram(indices.view(), counts.view(), {.out_of_range = no_answer}); }),
              HasSubstr("out_of_range must be refuse, ignore or count, not 3"));
}

TEST_F(HistogramErrors, RefuseACounterThatIsNotUsedAndNoneWhereOneIs) {
  Kokkos::View<std::uint64_t, Space> const ignored("ignored");
  Kokkos::deep_copy(ignored, 77);
  auto const expect_refused = [&](HistogramOptions const& options, char const* rule) {
    EXPECT_THAT(error_of([&] { pantile::histogram(indices.view(), counts.view(), options); }), HasSubstr(rule));
    EXPECT_THAT(error_of([&] { pantile::histogram(indices.view(), indices.view(), counts.view(), options); }),
                HasSubstr(rule));
    EXPECT_THAT(error_of([&] { pantile::explain::histogram(indices.view(), counts.view(), options); }),
                HasSubstr(rule));
  };
  expect_refused({.ignored = ignored.data()}, "ignored is for out_of_range count, not refuse");
  expect_refused({.out_of_range = OutOfRange::ignore, .ignored = ignored.data()},
                 "ignored is for out_of_range count, not ignore");
  expect_refused({.out_of_range = OutOfRange::count}, "ignored must not be null with out_of_range count");
  std::uint64_t number = 0;
  Kokkos::deep_copy(number, ignored);
  EXPECT_EQ(number, 77u);
}

TEST_F(HistogramErrors, RefuseNullViews) {
  using Unmanaged = Kokkos::MemoryTraits<Kokkos::Unmanaged>;
  Kokkos::View<std::int32_t*, typename Space::memory_space, Unmanaged> const null(nullptr, 4);
  EXPECT_THAT(error_of([&] { pantile::histogram(null, counts.view()); }), HasSubstr("indices must not be null"));
  EXPECT_THAT(error_of([&] { pantile::histogram(indices.view(), null); }), HasSubstr("counts must not be null"));
  EXPECT_THAT(error_of([&] { pantile::histogram(indices.view(), null, counts.view()); }),
              HasSubstr("weights must not be null"));
}

TEST_F(HistogramErrors, RefuseSharedMemory) {
  EXPECT_THAT(error_of([&] { pantile::histogram(counts.view(), counts.view()); }),
              HasSubstr("counts must not overlap indices: they share memory"));
  EXPECT_THAT(error_of([&] { pantile::histogram(indices.view(), counts.view(), counts.view()); }),
              HasSubstr("length of weights (3) must equal"));
  PlacedArray<std::int32_t, Space, 1> const three("samples", {3}, {0, 1, 2}, Placement::right);
  EXPECT_THAT(error_of([&] { pantile::histogram(three.view(), counts.view(), counts.view()); }),
              HasSubstr("counts must not overlap weights"));
  Kokkos::View<std::uint64_t*, Space> const memory("memory", 64);
  auto const call = [&](auto const& i, auto const& w, auto const& c, std::size_t counter) {
    HistogramOptions const options{.out_of_range = OutOfRange::count, .ignored = memory.data() + counter};
    return error_of([&] { pantile::histogram(i, w, c, options); });
  };
  using Cube = Kokkos::View<std::uint64_t***, Kokkos::LayoutRight, typename Space::memory_space>;
  Cube const cube(memory.data(), 2, 2, 2);
  PlacedArray<std::int32_t, Space, 2> const tuple("tuple", {1, 3}, {0, 0, 0}, Placement::right);
  PlacedArray<std::uint64_t, Space, 1> const one("one", {1}, {1}, Placement::right);
  auto const front = Kokkos::subview(memory, Kokkos::pair(0, 4));
  PlacedArray<std::uint64_t, Space, 1> const four("four", {4}, {1, 1, 1, 1}, Placement::right);
  using Strided = Kokkos::View<std::int32_t*, Kokkos::LayoutStride, typename Space::memory_space>;
  Strided const still(counts.view().data(), Kokkos::LayoutStride(3, 0));
  EXPECT_THAT(error_of([&] { pantile::histogram(indices.view(), still); }),
              HasSubstr("counts must not overlap itself"));
  using StridedCube = Kokkos::View<std::uint64_t***, Kokkos::LayoutStride, typename Space::memory_space>;
  for (std::size_t const stride : {0, 1, 2, 3, 5}) {
    StridedCube const bins(memory.data(), Kokkos::LayoutStride(2, stride, 3, 6, 2, 3));
    std::string const said = call(tuple.view(), one.view(), bins, 63);
    bool const shares = stride == 0 || stride == 3;
    EXPECT_EQ(said.find("counts must not overlap itself") != std::string::npos, shares) << stride << ": " << said;
  }
  EXPECT_THAT(call(tuple.view(), one.view(), cube, 2), HasSubstr("counts must not overlap ignored"));
  // The last of the eight bins, and what lies behind it.
  EXPECT_THAT(call(tuple.view(), one.view(), cube, 7), HasSubstr("counts must not overlap ignored"));
  EXPECT_EQ(call(tuple.view(), one.view(), cube, 8), "no error");
  EXPECT_THAT(call(front, four.view(), counts.view(), 2), HasSubstr("ignored must not overlap indices"));
  EXPECT_THAT(call(four.view(), front, counts.view(), 2), HasSubstr("ignored must not overlap weights"));
}

TEST_F(HistogramErrors, NameTheScratchLimit) {
  std::size_t const bins = std::size_t{3} << 23;
  Kokkos::View<double*, Space> const many("many", bins);
  auto const machine = pantile::impl::arch::machine(Space{});
  auto const limit = std::to_string(machine.scratch_limit[machine.scratch_levels - 1]);
  // Hosts with counting kernels take copies of 32 bits and a bin for samples out of range; others those of the counts.
  bool const counting = !machine.device && pantile::impl::arch::host_kernels<pantile::impl::arch::HistogramKernels>();
  std::string const bytes = counting ? "100663328" : "201326608";
  EXPECT_THAT(error_of([&] { pantile::histogram(indices.view(), many, {.algorithm = HistogramAlgorithm::scratch}); }),
              HasSubstr("algorithm scratch needs " + bytes + " bytes of team scratch for 25165824 bins, the limit is " +
                        limit));
  EXPECT_THAT(error_of([&] {
                pantile::explain::histogram(Space{}, indices.view(), many, {.algorithm = HistogramAlgorithm::scratch});
              }),
              HasSubstr(bytes + " bytes"));
}

TEST(HistogramExplanation, SaysWhatRuns) {
  PlacedArray<std::int32_t, Space, 2> const pairs("pairs", {100, 2}, std::vector<std::int32_t>(200, 0),
                                                  Placement::right);
  PlacedArray<std::int32_t, Space, 2> const counts("counts", {4, 5}, Placement::right);
  PlacedArray<float, Space, 1> const weights("weights", {100}, Placement::right);
  PlacedArray<double, Space, 2> const sums("sums", {4, 5}, Placement::right);
  IgnoredCount<Space> const ignored;
  auto const atomic = pantile::explain::histogram(Space{}, pairs.view(), counts.view(),
                                                  ignored.options(HistogramAlgorithm::global_atomic));
  auto const space = pantile::impl::arch::space_name<Space>();
  EXPECT_EQ(atomic.path, "pantile::histogram[global_atomic," + space + ",int32]");
  EXPECT_EQ(atomic.algorithm, "global_atomic");
  EXPECT_EQ(atomic.flops, 100);
  EXPECT_EQ(atomic.bytes, 100 * 8 + 20 * 4);
  auto const scratch = pantile::explain::histogram(Space{}, pairs.view(), weights.view(), sums.view(),
                                                   {.algorithm = HistogramAlgorithm::scratch, .accumulate = true});
  EXPECT_EQ(scratch.path, "pantile::histogram[scratch," + space + ",float->double]");
  EXPECT_EQ(scratch.algorithm, "scratch");
  bool const device = pantile::impl::arch::Current<Space>::device;
  EXPECT_EQ(scratch.tile, device ? "20 bins" : "20 bins, checked in the same pass");
  EXPECT_EQ(scratch.scratch_bytes, 20u * 8 + 16);
  EXPECT_EQ(scratch.bytes, 100 * 12 + 20 * 8 * 2);
  EXPECT_NE(pantile::explain::histogram(Space{}, pairs.view(), weights.view(), sums.view(), ignored.options()).reason,
            "");
}

TEST(HistogramCalls, FenceOnlyWhereTheFaceSaysSo) {
  if (std::string(Space::name()) == "Threads") GTEST_SKIP() << "this backend makes its scratch anew between launches";
  auto const instances = Kokkos::Experimental::partition_space(Space{}, 1, 1);
  auto const& mine = instances[1];
  PlacedArray<std::int32_t, Space, 1> const indices("samples", {5000}, std::vector<std::int32_t>(5000, 2),
                                                    Placement::right);
  PlacedArray<std::int32_t, Space, 1> const counts("bins", {3}, Placement::right);
  IgnoredCount<Space> const ignored;
  auto const calls = [&] {
    for (HistogramAlgorithm const algorithm : all_algorithms) {
      pantile::histogram(mine, indices.view(), counts.view(), ignored.options(algorithm));
    }
  };
  // Kokkos may enlarge its scratch here, that of reductions too.
  calls();
  pantile::histogram(mine, indices.view(), counts.view(), {.algorithm = HistogramAlgorithm::global_atomic});
  Kokkos::fence();
  using Kind = ToolEvents::Kind;
  {
    ToolEvents const events;
    calls();
    EXPECT_EQ(events.count(Kind::fence), 0u);
    EXPECT_EQ(events.count(Kind::allocation), 0u);
    EXPECT_EQ(events.count(Kind::deep_copy), 0u);
    EXPECT_EQ(events.count(Kind::kernel), 6u);
    // Hosts' copies of the bins bring what the bins are to be.
    bool const device = pantile::impl::arch::Current<Space>::device;
    EXPECT_EQ(events.count(Kind::kernel, "pantile::histogram[clear,"), device ? 3u : 1u);
    for (auto const& kernel : events.of(Kind::kernel)) {
      EXPECT_EQ(kernel.device, device_of(mine)) << kernel.label;
      EXPECT_THAT(kernel.label, ::testing::StartsWith("pantile::histogram["));
    }
  }
  {
    ToolEvents const events;
    pantile::histogram(mine, indices.view(), counts.view(), {.algorithm = HistogramAlgorithm::global_atomic});
    EXPECT_EQ(events.count(Kind::kernel, "pantile::histogram[check,"), 1u);
    EXPECT_EQ(events.count(Kind::kernel), 3u);
    EXPECT_EQ(events.count(Kind::allocation), 0u);
    for (auto const& kernel : events.of(Kind::kernel)) EXPECT_EQ(kernel.device, device_of(mine)) << kernel.label;
  }
  if constexpr (!pantile::impl::arch::Current<Space>::device) {
    // The host's kernels look at the samples once: counts wait in copies of the bins until all were in range.
    ToolEvents const events;
    pantile::histogram(mine, indices.view(), counts.view());
    EXPECT_EQ(events.count(Kind::kernel, "pantile::histogram[scratch,"), 2u);
    EXPECT_EQ(events.count(Kind::kernel), 2u);
    EXPECT_EQ(events.count(Kind::allocation), 0u);
    EXPECT_THAT(pantile::explain::histogram(mine, indices.view(), counts.view()).tile,
                ::testing::HasSubstr("checked in the same pass"));
  }
  Kokkos::fence();
  EXPECT_EQ(counts.values(), (std::vector<std::int32_t>{0, 0, 5000}));
}

}  // namespace

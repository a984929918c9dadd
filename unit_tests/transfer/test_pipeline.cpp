// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pipelines: the face on this machine; and what runs where memories are two, with instances that work late.
#include <support/matrices.hpp>
#include <support/refusal.hpp>
#include <support/spaces.hpp>
#include <support/tool_events.hpp>
#include <transfer/late.hpp>

#include <pantile/add.hpp>
#include <pantile/pipeline.hpp>

#include <gmock/gmock.h>

#include <algorithm>
#include <memory>
#include <source_location>
#include <stdexcept>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace {

using namespace pantile::testing;
using namespace pantile::impl::transfer;
using pantile::PipelineOptions;
using pantile::impl::Index;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using Kind = ToolEvents::Kind;
using Exec = Kokkos::DefaultExecutionSpace;
using HostExec = Kokkos::DefaultHostExecutionSpace;
using Right = Kokkos::View<int**, Kokkos::LayoutRight, Kokkos::HostSpace>;
using Left = Kokkos::View<int**, Kokkos::LayoutLeft, Kokkos::HostSpace>;
using Strided = Kokkos::View<int**, Kokkos::LayoutStride, Kokkos::HostSpace>;
using Vector = Kokkos::View<int*, Kokkos::HostSpace>;

template <class View>
void number(View const& view) {
  for (std::size_t i = 0; i < view.extent(0); ++i) {
    for (std::size_t j = 0; j < view.extent(1); ++j) view(i, j) = static_cast<int>(1000 * i + j);
  }
}

// --- The plan ------------------------------------------------------------------------------------------------

TEST(PipelinePlan, ChunksCoverTheRows) {
  PipelineArray const array{.row_bytes = 8, .in = true, .staged = true};
  for (std::int64_t const rows : {1, 4, 5, 8, 9}) {
    PipelinePlan const plan = choose_pipeline(rows, std::span(&array, 1), {.chunk_rows = 4, .depth = 2});
    EXPECT_EQ(plan.chunks, (rows + 3) / 4);
    EXPECT_EQ(plan.depth, std::min<std::int64_t>(2, plan.chunks)) << "no instance without a chunk";
    std::int64_t next = 0;
    for (std::int64_t chunk = 0; chunk < plan.chunks; ++chunk) {
      EXPECT_EQ(plan.range(chunk).first, next);
      EXPECT_GT(plan.range(chunk).count, 0);
      next += plan.range(chunk).count;
    }
    EXPECT_EQ(next, rows);
  }
  EXPECT_EQ(choose_pipeline(0, std::span(&array, 1), {}).chunks, 0);
}

TEST(PipelinePlan, CountsBytesAndMemory) {
  PipelineArray const arrays[] = {{.row_bytes = 8, .in = true, .staged = true},
                                  {.row_bytes = 32, .in = true, .out = true},
                                  {.row_bytes = 16, .out = true, .staged = true},
                                  {.row_bytes = 1024, .in = true, .out = true, .alias = true}};
  PipelinePlan const plan = choose_pipeline(100, arrays, {.chunk_rows = 10, .depth = 3});
  EXPECT_EQ(plan.bytes_in, 100u * 40);
  EXPECT_EQ(plan.bytes_out, 100u * 48);
  EXPECT_EQ(plan.device_bytes, 3u * 10 * 56);
  EXPECT_EQ(plan.pinned_bytes, 3u * 10 * 24);
  EXPECT_TRUE(plan.overlapped && plan.staged);
  PipelinePlan const pinned = choose_pipeline(100, std::span(arrays).subspan(1, 1), {.chunk_rows = 10});
  EXPECT_TRUE(pinned.overlapped && !pinned.staged);
  PipelinePlan const alias = choose_pipeline(100, std::span(arrays).subspan(3), {.chunk_rows = 10});
  EXPECT_EQ(alias.depth, 1);
  EXPECT_FALSE(alias.overlapped || alias.staged);
  EXPECT_EQ(alias.device_bytes + alias.bytes_in + alias.bytes_out, 0u);
}

TEST(PipelinePlan, ChoosesChunksOfOneToEightMegabytesOfTheLargestArray) {
  auto const chunk_rows = [](std::int64_t rows, std::size_t row_bytes) {
    PipelineArray const arrays[] = {{.row_bytes = 8, .in = true}, {.row_bytes = row_bytes, .out = true}};
    return choose_pipeline(rows, arrays, {}).chunk_rows;
  };
  EXPECT_EQ(chunk_rows(100, 1024), 100) << "a small array is one chunk";
  EXPECT_EQ(chunk_rows(10'000, 1024), 1024);
  EXPECT_EQ(chunk_rows(64 * 1024, 1024), 4096);
  EXPECT_EQ(chunk_rows(100'000'000, 1024), 8192);
  EXPECT_EQ(chunk_rows(3, 1 << 30), 1) << "rows longer than a chunk";
  EXPECT_EQ(chunk_rows(5, 0), 5);
}

// --- The face ------------------------------------------------------------------------------------------------

/// destination = 2 source + rows' numbers, by Pantile's kernels on any backend.
struct Doubled {
  template <class In, class Out>
  void operator()(Exec const& exec, In const& a, Out const& c, std::int64_t) const {
    pantile::add(exec, 1, a, 1, a, c);
  }
};

TEST(Pipeline, EveryChunkAndDepth) {
  constexpr int rows = 7;
  Right const a("a", rows, 3), c("c", rows, 3);
  number(a);
  for (std::int64_t const chunk_rows : {0, 1, 3, 6, 7, 8}) {
    for (int const depth : {1, 2, 3, 9}) {
      Kokkos::deep_copy(c, -1);
      pantile::pipeline(Exec{}, a, c, Doubled{}, {.chunk_rows = chunk_rows, .depth = depth});
      for (int i = 0; i < rows; ++i) {
        for (int j = 0; j < 3; ++j) ASSERT_EQ(c(i, j), 2 * a(i, j)) << chunk_rows << " " << depth;
      }
    }
  }
}

TEST(Pipeline, ChunksTakeTurnsOnTheCallersInstances) {
  constexpr bool one_memory = Kokkos::SpaceAccessibility<Exec, Kokkos::HostSpace>::accessible;
  Right const a("a", 10, 3), c("c", 10, 3);
  number(a);
  auto const given = Kokkos::Experimental::partition_space(Exec{}, 1, 1, 1);
  auto const arrays = std::tuple(pantile::in(a), pantile::out(c));
  for (std::int64_t const chunk_rows : {2, 7, 10}) {
    Kokkos::deep_copy(c, -1);
    std::size_t chunk = 0;
    auto const body = [&](Exec const& exec, auto from, auto to, std::int64_t) {
      EXPECT_EQ(exec, given[one_memory ? 0 : chunk % given.size()]);
      ++chunk;
      pantile::add(exec, 1, from, 1, from, to);
    };
    PipelineOptions const options{.chunk_rows = chunk_rows};
    {
      ToolEvents const events;
      pantile::pipeline(given, arrays, body, options);
      EXPECT_EQ(events.count(Kind::fence, "pantile::pipeline: the work before, on the caller's instance"),
                one_memory ? 2u : 3u)
          << "the first one's own order is enough where it does everything";
    }
    EXPECT_EQ(chunk, static_cast<std::size_t>((10 + chunk_rows - 1) / chunk_rows));
    for (int i = 0; i < 10; ++i) {
      for (int j = 0; j < 3; ++j) ASSERT_EQ(c(i, j), 2 * a(i, j));
    }
    auto const report = pantile::explain::pipeline(given, arrays, body, options);
    EXPECT_EQ(report.depth, one_memory ? 1 : std::min(3, static_cast<int>(chunk)));
  }
  std::vector<Exec> const none;
  auto const body = [](auto const&...) { FAIL() << "called"; };
  EXPECT_THAT(refusal([&] { pantile::pipeline(none, arrays, body); }),
              HasSubstr("pipeline: instances must not be empty"));
  EXPECT_THAT(refusal([&] { (void)pantile::explain::pipeline(none, arrays); }),
              HasSubstr("instances must not be empty"));
  auto const two_depths =
      HasSubstr("depth is the number of the instances that are given and must be left zero, it is 1");
  EXPECT_THAT(refusal([&] { pantile::pipeline(given, arrays, body, {.depth = 1}); }), two_depths);
  EXPECT_THAT(refusal([&] { (void)pantile::explain::pipeline(given, arrays, {.depth = 1}); }), two_depths);
}

TEST(Pipeline, WithoutRowsTheBodyIsNotCalled) {
  Right const a("a", 0, 3), c("c", 0, 3);
  bool called = false;
  pantile::pipeline(Exec{}, a, c, [&](auto const&...) { called = true; });
  EXPECT_FALSE(called);
}

TEST(Pipeline, OnHostsTheBodyGetsTheArraysOwnRowsInOrder) {
  Right const parent("parent", 10, 6);
  auto const a = Kokkos::subview(parent, Kokkos::make_pair(1, 8), Kokkos::make_pair(2, 5));
  Left const c("c", 7, 3);
  Vector const v("v", 7);
  Strided::const_type const s = a;
  std::vector<std::int64_t> firsts;
  HostExec const exec;
  ToolEvents const events;
  pantile::pipeline(exec, std::tuple(pantile::in(s), pantile::inout(c), pantile::out(v)),
                    [&](HostExec const& instance, auto from, auto to, auto sums, std::int64_t first) {
                      EXPECT_EQ(instance, exec);
                      static_assert(std::is_same_v<typename decltype(from)::value_type, int const>);
                      static_assert(std::is_same_v<typename decltype(to)::value_type, int>);
                      static_assert(std::is_same_v<typename decltype(to)::array_layout, Kokkos::LayoutLeft>);
                      static_assert(decltype(sums)::rank() == 1);
                      EXPECT_EQ(from.data(), &a(first, 0));
                      EXPECT_EQ(to.data(), &c(first, 0));
                      EXPECT_EQ(sums.data(), &v(first));
                      EXPECT_EQ(from.extent(0), to.extent(0));
                      EXPECT_EQ(from.extent(1), 3u);
                      EXPECT_EQ(&to(0, 2), &c(first, 2));
                      firsts.push_back(first);
                    },
                    {.chunk_rows = 3});
  EXPECT_THAT(firsts, ElementsAre(0, 3, 6));
  EXPECT_EQ(events.count(Kind::allocation) + events.count(Kind::deep_copy) + events.count(Kind::kernel), 0u);
  EXPECT_EQ(events.count(Kind::region, "pantile::pipeline[in_place,"), 1u);
  auto const report = pantile::explain::pipeline(exec, std::tuple(pantile::in(s), pantile::out(v)), {.chunk_rows = 3});
  EXPECT_EQ(report.rows, 7);
  EXPECT_EQ(report.chunks, 3);
  EXPECT_EQ(report.depth, 1);
  EXPECT_EQ(report.bytes_in + report.bytes_out + report.device_bytes + report.pinned_bytes, 0u);
  EXPECT_FALSE(report.pageable);
}

TEST(Pipeline, OnlyInAndOnlyOut) {
  Vector const in("in", 10), out("out", 10);
  int calls = 0;
  pantile::pipeline(HostExec{}, std::tuple(pantile::in(in)),
                    [&](auto const&, auto a, std::int64_t first) { calls += a.data() == &in(first) ? 1 : 100; },
                    {.chunk_rows = 4});
  EXPECT_EQ(calls, 3);
  pantile::pipeline(HostExec{}, std::tuple(pantile::out(out)),
                    [&](auto const&, auto c, std::int64_t first) {
                      for (std::size_t i = 0; i < c.extent(0); ++i) c(i) = static_cast<int>(first + i);
                    },
                    {.chunk_rows = 4});
  for (int i = 0; i < 10; ++i) EXPECT_EQ(out(i), i);
}

TEST(Pipeline, ExplainsWithTheCallsOwnArguments) {
  Right const a("a", 100, 8), c("c", 100, 8);
  auto const report = pantile::explain::pipeline(Exec{}, a, c, Doubled{}, {.chunk_rows = 30, .depth = 2});
  constexpr bool one_memory = Kokkos::SpaceAccessibility<Exec, Kokkos::HostSpace>::accessible;
  EXPECT_EQ(report.chunks, 4);
  EXPECT_EQ(report.depth, one_memory ? 1 : 2);
  EXPECT_EQ(report.pageable, !one_memory);
  EXPECT_EQ(report.bytes_in, one_memory ? 0u : 3200u);
  EXPECT_EQ(report.pinned_bytes, one_memory ? 0u : 2u * 30 * 8 * 4 * 2);
  std::string const text = to_string(report);
  EXPECT_THAT(text, HasSubstr("4 of 30 rows, of 100"));
  EXPECT_EQ(text.find("pageable") != std::string::npos, report.pageable);
  EXPECT_THAT(text, HasSubstr("pantile::pipeline["));
}

TEST(Pipeline, RefusesWhatCannotBe) {
  Right const a("a", 10, 3), c("c", 10, 3), longer("longer", 11, 3), null;
  Right const nothing(nullptr, 10, 3);
  auto const call = [](auto const& source, auto const& destination, PipelineOptions const& options = {}) {
    auto const body = [](auto const&...) { FAIL() << "called"; };
    HostExec const exec;
    auto const told = refusal([&] { (void)pantile::explain::pipeline(exec, source, destination, body, options); });
    auto const done = refusal([&] { pantile::pipeline(exec, source, destination, body, options); });
    EXPECT_EQ(told.substr(0, 60), done.substr(0, 60));
    return done;
  };
  EXPECT_THAT(call(a, longer), HasSubstr("pantile::pipeline: the arrays must have the same number of rows: 10 and 11"));
  EXPECT_THAT(call(a, longer), HasSubstr("array 'longer' 11x3"));
  EXPECT_THAT(call(nothing, c), HasSubstr("array must not be null"));
  EXPECT_THAT(call(a, a), HasSubstr("array 2 must not overlap array 1: one of the two is written"));
  auto const last_rows = Kokkos::subview(longer, Kokkos::make_pair(1, 11), Kokkos::ALL);
  auto const first_rows = Kokkos::subview(longer, Kokkos::make_pair(0, 10), Kokkos::ALL);
  EXPECT_THAT(call(first_rows, last_rows), HasSubstr("must not overlap"));
  Strided const folded(a.data(), Kokkos::LayoutStride(10, 1, 3, 1));
  EXPECT_THAT(call(c, folded), HasSubstr("must not overlap itself"));
  EXPECT_THAT(call(a, c, {.depth = -1}), HasSubstr("depth must not be negative, it is -1"));
  EXPECT_THAT(call(a, c, {.chunk_rows = -1}), HasSubstr("chunk_rows must not be negative, it is -1"));
  EXPECT_EQ(refusal([&] {
              pantile::pipeline(HostExec{}, std::tuple(pantile::in(a), pantile::in(a)), [](auto const&...) {});
            }),
            "accepted")
      << "what is only read may be read twice";
}

TEST(Pipeline, AnExceptionOfTheBodyComesOut) {
  Right const a("a", 10, 3), c("c", 10, 3);
  int calls = 0;
  auto const body = [&](auto const&...) {
    if (++calls == 2) throw std::runtime_error("the body's");
  };
  EXPECT_THROW(pantile::pipeline(Exec{}, a, c, body, {.chunk_rows = 3}), std::runtime_error);
  EXPECT_EQ(calls, 2);
}

// --- Two memories, on the host -------------------------------------------------------------------------------

/// A port that copies though the memory is one.
template <Role role, class View>
using AwayPort = Port<
    Arrival<HostExec, View,
            std::conditional_t<role == Role::in, typename View::const_value_type, typename View::non_const_value_type>,
            pantile::SameLayout, false>,
    role, View>;

template <Role role, class View>
auto away(View const& view, bool staged) {
  return AwayPort<role, View>(view, staged);
}

/// Lane's calls, late: nothing happens before a fence.
struct LateLane {
  std::shared_ptr<LateQueue> queue = std::make_shared<LateQueue>();

  [[nodiscard]] LateQueue& exec() const { return *queue; }
  template <class ToSpace, class FromSpace, class T>
  void copy(Problem<T> const& p) const {
    queue->enqueue([p] { Lane<HostExec>(HostExec{}).copy<ToSpace, FromSpace>(p); });
  }
  void fence() const {
    ++queue->fences;
    queue->run_to(queue->put);
  }
};

template <class... Ports>
PipelinePlan plan_of(PipelineOptions const& options, Ports const&... ports) {
  return checked_pipeline(options, std::source_location::current(), ports...);
}

template <class Body, class... Ports>
std::vector<LateLane> run_late(PipelineOptions const& options, Body const& body, Ports... ports) {
  PipelinePlan const plan = plan_of(options, ports...);
  std::vector<LateLane> lanes(static_cast<std::size_t>(plan.depth));
  std::vector<HostExec> const instances(lanes.size());
  (ports.prepare(instances, plan), ...);
  run_pipeline(std::span<LateLane const>(lanes), plan, body, ports...);
  return lanes;
}

/// c = 2 a and b = b + c, when the queue comes to it.
struct LateBody {
  template <class A, class B, class C>
  void operator()(LateQueue& queue, A const& a, B const& b, C const& c, std::int64_t first) const {
    queue.enqueue([=] {
      for (std::size_t i = 0; i < a.extent(0); ++i) {
        for (std::size_t j = 0; j < a.extent(1); ++j) {
          c(i, j) = 2 * a(i, j);
          b(i) += c(i, j) + static_cast<int>(first);
        }
      }
    });
  }
};

template <class A, class C>
void expect_late_results(A const& a, C const& c, PipelineOptions const& options, bool staged) {
  SCOPED_TRACE(std::to_string(options.chunk_rows) + " rows, depth " + std::to_string(options.depth));
  auto const rows = static_cast<int>(a.extent(0)), cols = static_cast<int>(a.extent(1));
  Vector const b("b", rows);
  for (int i = 0; i < rows; ++i) b(i) = i;
  for (int i = 0; i < rows; ++i) {
    for (int j = 0; j < cols; ++j) c(i, j) = -1;
  }
  auto const lanes = run_late(options, LateBody{}, away<Role::in>(a, staged), away<Role::inout>(b, staged),
                              away<Role::out>(c, staged));
  for (LateLane const& lane : lanes) EXPECT_TRUE(lane.queue->work.empty());
  int const chunk = static_cast<int>(plan_of(options, away<Role::in>(a, staged)).chunk_rows);
  for (int i = 0; i < rows; ++i) {
    int sum = i;
    for (int j = 0; j < cols; ++j) {
      ASSERT_EQ(c(i, j), 2 * a(i, j)) << i << "," << j;
      sum += 2 * a(i, j) + i / chunk * chunk;
    }
    ASSERT_EQ(b(i), sum) << i;
  }
}

TEST(PipelineEngine, EveryChunkDepthAndLayout) {
  for (int const rows : {1, 3, 4, 7}) {
    for (int const cols : {1, 5}) {
      Right const right("right", rows, cols), wide("wide", rows, cols + 3);
      Left const left("left", rows, cols), high("high", rows + 2, cols);
      number(wide);
      number(high);
      Strided const padded = Kokkos::subview(wide, Kokkos::ALL, Kokkos::make_pair(2, 2 + cols));
      auto const padded_left = Kokkos::subview(high, Kokkos::make_pair(1, 1 + rows), Kokkos::ALL);
      for (std::int64_t const chunk_rows : {0, 1, 2, 3, 4, 8}) {
        for (int const depth : {1, 2, 3}) {
          for (bool const staged : {true, false}) {
            PipelineOptions const options{.chunk_rows = chunk_rows, .depth = depth};
            expect_late_results(padded, right, options, staged);
            expect_late_results(padded_left, left, options, staged);
            expect_late_results(padded, left, options, staged);
            expect_late_results(left, padded, options, staged);
          }
        }
      }
    }
  }
}

TEST(PipelineEngine, TheHostWaitsOnlyForPinnedMemoryItTouches) {
  Right const a("a", 12, 4), c("c", 12, 4);
  auto const fences = [&](bool staged) {
    auto const body = [](LateQueue&, auto const&...) {};
    auto const lanes =
        run_late({.chunk_rows = 2, .depth = 2}, body, away<Role::in>(a, staged), away<Role::out>(c, staged));
    return lanes[0].queue->fences + lanes[1].queue->fences;
  };
  EXPECT_EQ(fences(true), 6) << "once for each chunk";
  EXPECT_EQ(fences(false), 2) << "once for each lane, at the end";
}

TEST(PipelineEngine, ChunksAreInTheArraysLayoutAndPacked) {
  Right const wide("wide", 4, 9);
  Left const high("high", 9, 4);
  Strided const rows = Kokkos::subview(wide, Kokkos::ALL, Kokkos::make_pair(1, 6));
  Strided const columns = Kokkos::subview(high, Kokkos::make_pair(1, 5), Kokkos::ALL);
  auto const body = [&](LateQueue&, auto r, auto c, std::int64_t) {
    EXPECT_EQ(r.stride(0), 5u);
    EXPECT_EQ(r.stride(1), 1u);
    EXPECT_EQ(c.stride(0), 1u);
    EXPECT_EQ(c.stride(1), 2u);
    EXPECT_NE(r.data(), rows.data());
  };
  run_late({.chunk_rows = 2}, body, away<Role::in>(rows, true), away<Role::out>(columns, true));
}

TEST(PipelineEngine, AnExceptionDrainsEveryLane) {
  Right const a("a", 10, 3), c("c", 10, 3);
  std::vector<LateLane> const lanes(2);
  auto in = away<Role::in>(a, true);
  auto out = away<Role::out>(c, true);
  PipelinePlan const plan = plan_of({.chunk_rows = 2, .depth = 2}, in, out);
  in.prepare(std::vector<HostExec>(2), plan);
  out.prepare(std::vector<HostExec>(2), plan);
  int done = 0;
  auto const body = [&](LateQueue& queue, auto const&, auto const&, std::int64_t first) {
    queue.enqueue([&] { ++done; });
    if (first == 6) throw std::runtime_error("the body's");
  };
  EXPECT_THROW(run_pipeline(std::span<LateLane const>(lanes), plan, body, in, out), std::runtime_error);
  for (LateLane const& lane : lanes) EXPECT_TRUE(lane.queue->work.empty());
  EXPECT_EQ(done, 4);
}

TEST(PipelineEngine, PinnedMemoryIsKeptForTheNext) {
  Right const a("a", 12, 4), c("c", 12, 4);
  auto const body = [](LateQueue&, auto const&...) {};
  auto const run = [&] {
    run_late({.chunk_rows = 2, .depth = 3}, body, away<Role::in>(a, true), away<Role::out>(c, true));
  };
  pantile::free_staging();
  run();
  EXPECT_EQ(pantile::kept_staging_bytes(), 3u * 2 * 2 * 4 * sizeof(int));
  ToolEvents const events;
  run();
  EXPECT_EQ(events.count(Kind::allocation, "pantile::transfer::pinned"), 0u);
  EXPECT_EQ(events.count(Kind::allocation, "pantile::pipeline::chunk"), 6u);
  pantile::free_staging();
}

/// The instances of this machine: chunks run where they should, and what is launched is labelled.
TEST(PipelineEngine, RunsOnPartitionsOfAHostSpace) {
  Right const wide("wide", 20, 8), c("c", 20, 5);
  number(wide);
  auto const a = Kokkos::subview(wide, Kokkos::ALL, Kokkos::make_pair(0, 5));
  for (int const depth : {1, 2, 3}) {
    auto const instances =
        Kokkos::Experimental::partition_space(HostExec{}, std::vector<int>(static_cast<std::size_t>(depth), 1));
    std::vector<Lane<HostExec>> const lanes(instances.begin(), instances.end());
    for (bool const staged : {true, false}) {
      Kokkos::deep_copy(c, -1);
      auto in = away<Role::in>(a, staged);
      auto out = away<Role::out>(c, staged);
      PipelinePlan const plan = plan_of({.chunk_rows = 3, .depth = depth}, in, out);
      in.prepare(instances, plan);
      out.prepare(instances, plan);
      std::int64_t chunk = 0;
      auto const body = [&](HostExec const& exec, auto from, auto to, std::int64_t first) {
        EXPECT_EQ(exec, instances[static_cast<std::size_t>(chunk % depth)]);
        EXPECT_EQ(first, 3 * chunk);
        ++chunk;
        pantile::add(exec, 1, from, 1, from, to);
      };
      ToolEvents const events;
      run_pipeline(std::span<Lane<HostExec> const>(lanes), plan, body, in, out);
      EXPECT_EQ(chunk, 7);
      for (auto const& kernel : events.of(Kind::kernel)) EXPECT_EQ(kernel.label.rfind("pantile::", 0), 0u);
      for (auto const& fence : events.of(Kind::fence)) {
        // Where pinned memory is a device's, Kokkos waits in a copy by a host's instance.
        bool const kokkos_copy = fence.label.rfind("Kokkos::Impl::DeepCopy", 0) == 0;
        if (!std::is_same_v<pantile::impl::kokkos_ext::PinnedSpace, Kokkos::HostSpace> && kokkos_copy) continue;
        EXPECT_EQ(fence.label.rfind("pantile::", 0), 0u) << fence.label;
      }
      EXPECT_EQ(events.count(Kind::allocation), 0u);
      for (int i = 0; i < 20; ++i) {
        for (int j = 0; j < 5; ++j) ASSERT_EQ(c(i, j), 2 * a(i, j));
      }
    }
  }
}

TEST(PipelineEngine, TakesTheInstancesItIsGiven) {
  Right const a("a", 20, 5), c("c", 20, 5);
  number(a);
  std::vector<int> const shares(3, 1);
  auto const given = Kokkos::Experimental::partition_space(HostExec{}, shares);
  for (std::int64_t const chunk_rows : {3, 12}) {  // 7 chunks, and fewer than there are instances
    auto in = away<Role::in>(a, false);
    auto out = away<Role::out>(c, false);
    Pipeline<HostExec, decltype(in), decltype(out)> pipeline(
        {.chunk_rows = chunk_rows, .depth = 3}, std::source_location::current(), std::move(in), std::move(out));
    std::size_t chunk = 0;
    ToolEvents const events;
    pipeline.run(given, [&](HostExec const& exec, auto from, auto to, std::int64_t) {
      EXPECT_EQ(exec, given[chunk++ % 3]);
      pantile::add(exec, 1, from, 1, from, to);
    });
    EXPECT_EQ(chunk, chunk_rows == 3 ? 7u : 2u);
    EXPECT_EQ(events.count(Kind::fence, "pantile::pipeline: the work before, on the caller's instance"), 3u);
    for (int i = 0; i < 20; ++i) {
      for (int j = 0; j < 5; ++j) ASSERT_EQ(c(i, j), 2 * a(i, j));
    }
  }
}

}  // namespace

// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file  How threads share a product on hosts: plans for many threads and caches, and the loops by any number of
///        threads that come in any order.
#include <matmul/host_facts.hpp>
#include <support/machines.hpp>
#include <support/numbers.hpp>

#include <pantile/impl/matmul/host/launch.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <random>
#include <string>
#include <thread>
#include <vector>

namespace {

namespace host = pantile::impl::arch::host;
using namespace pantile::impl::matmul;
using pantile::impl::Index;
using pantile::testing::avx512_doubles;

struct Shape {
  std::int64_t m, n, k;
};
constexpr Shape shapes[] = {{1000, 1000, 1000}, {4096, 4096, 4096}, {300, 5000, 700},  {5000, 90, 2000},
                            {64, 64, 64},       {97, 20000, 513},   {20000, 130, 513}, {700, 700, 100000},
                            {2000, 2000, 8},    {8, 5000, 5000}};
/// Threads of a machine, and how many share a last-level cache: 2 to 16 caches, and one for all.
constexpr HostThreads machines[] = {{1},     {2},     {3},     {8},      {16, 8},  {20, 8},   {24, 8},   {32, 16},
                                    {48, 6}, {64, 8}, {64, 4}, {96, 12}, {128, 8}, {128, 64}, {192, 16}, {256}};

template <class F>
void for_each_plan(F const& f) {
  for (Shape const& s : shapes) {
    for (HostThreads const& threads : machines) {
      for (bool const beside : {false, true}) {
        HostFacts facts = avx512_doubles();
        facts.c.col_stride = beside ? 2 : 1;
        facts.a.must_pack = facts.b.must_pack = beside && s.k % 2 == 0;
        SCOPED_TRACE(std::to_string(s.m) + "x" + std::to_string(s.n) + "x" + std::to_string(s.k) + ", " +
                     std::to_string(threads.count) + " threads, " + std::to_string(threads.per_cache) + " a cache" +
                     (beside ? ", sums beside C" : ""));
        f(s, threads, facts, plan_on_host(s.m, s.n, s.k, facts, threads));
      }
    }
  }
}

// Counted by area: tasks of a block, blocks of a group and groups neither overlap nor leave anything out.
TEST(MatmulSharing, EveryProductIsTakenOnce) {
  for_each_plan([](Shape const& s, HostThreads const&, HostFacts const&, HostPlan const& plan) {
    if (plan.path != Path::tiles) return;
    std::int64_t products = 0;
    for (int group = 0; group < plan.groups(); ++group) {
      auto const ranges = group_ranges(plan, s.m, s.n, group);
      BlockWalk const walk(plan, ranges, s.k);
      for (std::int64_t index = 0; index < walk.count(); ++index) {
        SharedBlock const block = walk[index];
        ASSERT_GT(block.tasks(), 0);
        std::int64_t rows_end = block.rows.begin;
        for (std::int64_t down = 0; down < block.task_rows; ++down) {
          Range const rows = part_of(block.rows, plan.panel_rows, down, block.task_rows);
          ASSERT_EQ(rows.begin, rows_end);
          ASSERT_LE(rows.size(), plan.task_rows);
          rows_end = rows.end;
        }
        std::int64_t cols_end = block.cols.begin;
        for (std::int64_t across = 0; across < block.task_cols; ++across) {
          Range const cols = part_of(block.cols, plan.panel_cols, across, block.task_cols);
          ASSERT_EQ(cols.begin, cols_end);
          ASSERT_EQ((cols.begin - block.cols.begin) % plan.panel_cols, 0);
          cols_end = cols.end;
        }
        ASSERT_EQ(rows_end, block.rows.end);
        ASSERT_EQ(cols_end, block.cols.end);
        ASSERT_GE(block.packs * plan.pack_cols, plan.pack_b ? block.cols.size() : 0);
        products += block.rows.size() * block.cols.size() * block.depth.size();
      }
    }
    EXPECT_EQ(products, s.m * (s.n - plan.edge_cols) * s.k);
  });
}

TEST(MatmulSharing, ThreadsThatShareACacheAreAGroup) {
  for_each_plan([](Shape const&, HostThreads const& threads, HostFacts const&, HostPlan const& plan) {
    EXPECT_LE(plan.threads(), threads.count);
    EXPECT_LE(plan.pack_b ? plan.workers : 1, threads.per_cache);
  });
  HostPlan const many = plan_on_host(8192, 8192, 8192, avx512_doubles(), {64, 8});
  EXPECT_EQ(many.groups() * many.workers, 64);
  EXPECT_GT(many.workers, 1);
  HostPlan const two = plan_on_host(256, 256, 256, avx512_doubles(), {2});
  EXPECT_EQ(two.workers, 1) << "each packs its columns sooner than it reads from the other's cache";
}

// Of real machines, by any number of threads up to 256: parts of groups lie apart and are all of C, and no thread is
// left without work where there is enough for all.
TEST(MatmulSharing, AnyNumberOfThreadsOfRealMachines) {
  constexpr Shape large[] = {{4096, 4096, 512}, {300, 20000, 700}, {20000, 130, 513}};
  for (pantile::testing::Machine const& machine : pantile::testing::machines) {
    for (int count = 1; count <= 256; ++count) {
      HostThreads const threads{count, machine.caches().threads_per_cache(count)};
      for (Shape const& s : large) {
        HostPlan const plan = plan_on_host(s.m, s.n, s.k, avx512_doubles(), threads);
        ASSERT_EQ(plan.path, Path::tiles);
        SCOPED_TRACE(std::string(machine.name) + ", " + std::to_string(count) + " threads, " + std::to_string(s.m) +
                     "x" + std::to_string(s.n) + "x" + std::to_string(s.k));
        EXPECT_LE(plan.threads(), count);
        EXPECT_GT(4 * plan.threads(), 3 * count);
        EXPECT_LE(plan.pack_b ? plan.workers : 1, threads.per_cache);
        std::int64_t products = 0, largest = 0;
        for (int group = 0; group < plan.groups(); ++group) {
          auto const ranges = group_ranges(plan, s.m, s.n, group);
          std::int64_t const here = ranges.rows.size() * ranges.cols.size();
          products += here;
          largest = std::max(largest, here);
        }
        EXPECT_EQ(products, s.m * (s.n - plan.edge_cols));
        EXPECT_LT(largest * plan.groups(), 2 * s.m * s.n);
      }
    }
  }
}

// The same: threads of a group are all of one cache, also where a block has fewer tasks than a cache has threads.
TEST(MatmulSharing, GroupsAreCutAlongCaches) {
  constexpr Shape more[] = {{4096, 4096, 512}, {20000, 130, 513}, {20000, 200, 200}, {5000, 90, 2000}};
  HostFacts beside = avx512_doubles(), packed = avx512_doubles();
  beside.c.col_stride = packed.c.col_stride = 2;
  packed.a.must_pack = packed.b.must_pack = true;
  int with_few_tasks = 0;
  for (pantile::testing::Machine const& machine : pantile::testing::machines) {
    for (int count = 1; count <= 256; ++count) {
      HostThreads const threads{count, machine.caches().threads_per_cache(count)};
      for (Shape const& s : more) {
        for (HostFacts const& facts : {avx512_doubles(), beside, packed}) {
          HostPlan const plan = plan_on_host(s.m, s.n, s.k, facts, threads);
          if (!plan.pack_b && plan.in_c()) continue;
          auto const ranges = group_ranges(plan, s.m, s.n, 0);
          with_few_tasks += BlockWalk(plan, ranges, s.k)[0].tasks() < plan.workers;
          for (int first = 0; first < plan.threads(); first += plan.workers) {
            ASSERT_EQ(first / threads.per_cache, (first + plan.workers - 1) / threads.per_cache)
                << machine.name << ", " << count << " threads, " << s.m << "x" << s.n << "x" << s.k << ": "
                << plan.groups() << " groups of " << plan.workers;
          }
        }
      }
    }
  }
  EXPECT_GT(with_few_tasks, 0) << "threads that help the others of their group";
}

// All threads of a cache have one B, of as many bytes however deep it is; a thread adds no more than its packed A,
// which stays in a second-level cache.
TEST(MatmulSharing, WorkspaceIsBoundedByCachesAndNotByThreads) {
  for_each_plan([](Shape const& s, HostThreads const& threads, HostFacts const& facts, HostPlan const& plan) {
    if (plan.path != Path::tiles) return;
    int const caches = (threads.count + threads.per_cache - 1) / threads.per_cache;
    std::int64_t const one_b = (2048 + plan.groups() * 24) * facts.blocks.kc * 8;
    EXPECT_LE(plan.groups() * plan.b_bytes, caches * one_b);
    EXPECT_LE(plan.b_bytes, (2 * 2048 + 24) * plan.blocks.kc * 8) << "of each group";
    EXPECT_LE(plan.sums_bytes, host::most_sums * (host::most_sums + 64) * 8);
    if (threads.count > 2) {  // the part of groups that share a cache: one block, up to whole tiles and gaps
      std::int64_t const in_cache = std::max(1, std::min(threads.count, threads.per_cache) / plan.workers);
      std::int64_t const wide = plan.block_cols + 64;
      EXPECT_LE(in_cache * (plan.sums_bytes - 8 * (plan.panel_rows * wide + plan.block_rows * (64 + plan.panel_cols))),
                host::most_sums * host::most_sums * 8);
    }
    EXPECT_LE(plan.worker_bytes, 512 * 1024);
    HostPlan const little = in_little_memory(s.m, s.n, facts, plan);
    EXPECT_LE(little.workspace_bytes(), host::most_stack_bytes);
    EXPECT_EQ(little.blocks.kc, plan.blocks.kc);
    EXPECT_EQ(little.threads(), 1);
  });
  // 4096 x 4096 of double by 64 threads: 537 MB before threads shared B.
  EXPECT_LT(plan_on_host(4096, 4096, 4096, avx512_doubles(), {64}).workspace_bytes(), 48 << 20);
}

// Threads that share nothing and need little have it on their stacks; one more byte and it is the plan's again.
TEST(MatmulSharing, LittleWorkspaceOfOneThreadLiesOnItsStack) {
  HostFacts split = avx512_doubles();
  split.b.misaligned_rows = true;
  bool seen[2] = {};
  for (std::int64_t const k : {16, 40, 80, 120, 160, 320}) {
    HostPlan const plan = plan_on_host(500, 70, k, split, {2});
    ASSERT_TRUE(plan.pack_b && plan.groups() == 2 && plan.workers == 1);
    bool const little = plan.group_stride() <= stack_workspace_bytes;
    seen[little] = true;
    EXPECT_EQ(plan.on_stacks(), little);
    EXPECT_EQ(plan.workspace_bytes(), little ? 0 : 2 * plan.group_stride());
  }
  EXPECT_TRUE(seen[false] && seen[true]);
  HostPlan full = plan_on_host(500, 70, 40, split, {2});
  full.worker_bytes = stack_workspace_bytes - full.group_bytes();
  EXPECT_TRUE(full.on_stacks());
  full.worker_bytes += 1;
  EXPECT_FALSE(full.on_stacks());
  EXPECT_FALSE(plan_on_host(500, 70, 40, avx512_doubles(), {1}).on_stacks()) << "the calling thread's is another";
}

// Taking a task costs as much as a few hundred products of registers.
TEST(MatmulSharing, TasksAreWorthBeingTaken) {
  HostFacts facts = avx512_doubles();
  facts.b.col_stride = 2;
  for (std::int64_t const m : {500, 5000, 50000}) {
    HostPlan const plan = plan_on_host(m, 24, 16, facts, {2});
    ASSERT_TRUE(plan.pack_b);
    EXPECT_GE(plan.task_rows * plan.task_cols * 16, std::min<std::int64_t>(m / 4 * 24 * 16, host::task_products / 2));
    EXPECT_LE(plan.blocks.mc, 96);
  }
}

// Of many threads none waits long for the last: their tasks are alike, and as many for each.
TEST(MatmulSharing, LargeProductsKeepAllThreadsAtWork) {
  for (HostThreads const& threads : machines) {
    HostPlan const plan = plan_on_host(8192, 8192, 8192, avx512_doubles(), threads);
    SCOPED_TRACE(std::to_string(threads.count) + " threads, " + std::to_string(threads.per_cache) + " a cache");
    EXPECT_EQ(plan.threads(), threads.count);
    auto const ranges = group_ranges(plan, 8192, 8192, 0);
    SharedBlock const block = BlockWalk(plan, ranges, 8192)[0];
    double const tiles = static_cast<double>(pantile::impl::tile::ceil_div<std::int64_t>(block.rows.size(), 8)) *
                         static_cast<double>(pantile::impl::tile::ceil_div<std::int64_t>(block.cols.size(), 24));
    double const rounds = static_cast<double>(pantile::impl::tile::ceil_div<std::int64_t>(block.tasks(), plan.workers));
    double const slowest = rounds * static_cast<double>(plan.task_rows / 8) * static_cast<double>(plan.task_cols / 24);
    EXPECT_GE(tiles / plan.workers / slowest, 0.85) << "share of the time that threads work";
  }
}

/// C = 2 A B + 3 C of random numbers, as planned for some machine, by `run`.
template <class T>
class Case {
 public:
  using TC = T;
  Case(Index m, Index n, Index k, Index c_step)
      : m_m(m), m_n(n), m_k(k), m_c_step(c_step), m_a(fill(m * k)), m_b(fill(k * n)), m_start(fill(m * n * c_step)) {}

  template <class F>
  std::vector<T> operator()(HostThreads threads, F const& run) const {
    std::vector<T> c = m_start;
    Problem<T, T, T, T> const p{{m_a.data(), m_m, m_k, m_k, 1},
                                {m_b.data(), m_k, m_n, m_n, 1},
                                {c.data(), m_m, m_n, m_n * m_c_step, m_c_step},
                                false,
                                false,
                                T(2),
                                T(3)};
    HostPlan const plan = plan_on_host(m_m, m_n, m_k, host_facts(p), threads);
    EXPECT_EQ(plan.path, Path::tiles);
    auto const product = host_product(p, plan);
    std::vector<std::byte> memory(static_cast<std::size_t>(plan.workspace_bytes()) + 64);
    void* at = memory.data();
    std::size_t room = memory.size();
    auto* const workspace = static_cast<std::byte*>(std::align(64, room - 64, at, room));
    MacroKernel const kernel(product, plan, workspace);
    run(kernel, plan.threads());
    return c;
  }

 private:
  static std::vector<T> fill(Index count) {
    std::mt19937_64 random(static_cast<std::uint64_t>(count));
    std::vector<T> values(static_cast<std::size_t>(count));
    for (T& value : values) value = std::uniform_real_distribution<T>(-1, 1)(random);
    return values;
  }
  Index m_m, m_n, m_k, m_c_step;
  std::vector<T> m_a, m_b, m_start;
};

template <class T>
bool same_bits(std::vector<T> const& x, std::vector<T> const& y) {
  return x.size() == y.size() && std::memcmp(x.data(), y.data(), x.size() * sizeof(T)) == 0;
}

/// What the loops give does not depend on how many threads there are, on which come, and on their order.
template <class T>
void expect_same_bits(Index m, Index n, Index k, Index c_step) {
  SCOPED_TRACE(std::to_string(m) + "x" + std::to_string(n) + "x" + std::to_string(k) + ", C's columns " +
               std::to_string(c_step) + " apart");
  Case<T> const product(m, n, k, c_step);
  auto const expected = product({1}, [](auto const& kernel, int) { kernel(0); });
  for (HostThreads const threads : {HostThreads{1}, {2}, {3}, {8}, {16, 4}, {64, 8}, {64}}) {
    SCOPED_TRACE(std::to_string(threads.count) + " threads, " + std::to_string(threads.per_cache) + " a cache");
    auto const in_turn = [](auto const& kernel, int count) {
      for (int worker = 0; worker < count; ++worker) kernel(worker);
    };
    auto const last_first = [](auto const& kernel, int count) {
      for (int worker = count - 1; worker >= 0; --worker) kernel(worker);
    };
    auto const at_once = [](auto const& kernel, int count) {
      std::vector<std::thread> all;
      for (int worker = 0; worker < count; ++worker) all.emplace_back([&kernel, worker] { kernel(worker); });
      for (std::thread& one : all) one.join();
    };
    EXPECT_TRUE(same_bits(product(threads, in_turn), expected));
    EXPECT_TRUE(same_bits(product(threads, last_first), expected)) << "the last one first";
    EXPECT_TRUE(same_bits(product(threads, at_once), expected)) << "all at once";
  }
}

TEST(MatmulSharing, BitsDoNotDependOnThreads) {
  expect_same_bits<double>(500, 700, 1100, 1);  // A and B packed, several depths
  expect_same_bits<double>(300, 4300, 530, 1);  // several blocks of columns
  expect_same_bits<float>(1200, 1030, 300, 2);  // sums beside C, several blocks
  expect_same_bits<double>(129, 129, 129, 1);   // last columns in dot products
  expect_same_bits<float>(100, 100, 700, 1);    // nothing packed
  expect_same_bits<double>(500, 70, 80, 1);     // B packed on the threads' stacks
}

}  // namespace

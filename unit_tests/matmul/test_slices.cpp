// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file  Products on hosts with k in slices: plans for many threads, and sums by any number of threads in any order.
#include <matmul/host_facts.hpp>

#include <pantile/impl/matmul/host/launch.hpp>
#include <pantile/impl/matmul/policy.hpp>

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
  Index m, n, k;
};
constexpr Shape sliced[] = {{1, 1, 4'000'000}, {4, 4, 1'000'000},   {12, 200, 50'000}, {200, 12, 50'000},
                            {16, 16, 65'536},  {128, 128, 100'003}, {33, 97, 9'001},   {1, 2000, 20'000}};

TEST(MatmulSlices, FollowFromTheShapeAlone) {
  for (Shape const& s : sliced) {
    SCOPED_TRACE(std::to_string(s.m) + "x" + std::to_string(s.n) + "x" + std::to_string(s.k));
    HostPlan const one = plan_on_host(s.m, s.n, s.k, avx512_doubles(), {1});
    EXPECT_GT(one.slices.count, 1);
    EXPECT_LE(one.slices.count, host::most_slices);
    EXPECT_LT((one.slices.count - 1) * one.slices.depth, s.k);
    EXPECT_GE(one.slices.count * one.slices.depth, s.k);
    EXPECT_TRUE(one.path != Path::tiles || one.slices.depth % one.blocks.kc == 0) << "slices are whole blocks";
    for (int const threads : {2, 3, 8, 24, 48, 64, 96, 256}) {
      HostPlan const plan = plan_on_host(s.m, s.n, s.k, avx512_doubles(), {threads, 8});
      EXPECT_EQ(plan.slices.count, one.slices.count) << threads;
      EXPECT_EQ(plan.slices.depth, one.slices.depth) << threads;
      EXPECT_EQ(plan.blocks.kc, one.blocks.kc) << threads;
      EXPECT_EQ(plan.path, one.path) << threads;
      EXPECT_LE(plan.threads(), threads);
      std::int64_t const own = plan.slice_worker_bytes();
      EXPECT_LE(plan.workspace_bytes() - threads * own, host::most_slices * (host::sliced_bytes + 128 * 16 * 8));
      EXPECT_LE(own, 1536 * 1024) << "stays in a second-level cache, however many threads";
      HostSlices const& slices = plan.slices;
      EXPECT_GE(slices.row_stride, slices.block_cols);
      EXPECT_GE(slices.bytes, slices.block_rows * slices.row_stride * 8);
      EXPECT_EQ(plan.workspace_bytes(), slices.count * slices.bytes + slices.threads * own);
    }
    EXPECT_EQ(one.workspace_bytes(), 2 * one.slices.bytes + one.slice_worker_bytes()) << "one's own, and their sum";
    EXPECT_LE(in_little_memory(s.m, s.n, avx512_doubles(), one).workspace_bytes(), host::most_stack_bytes);
  }
}

// Threads of slices pack B for themselves: those of a cache no more than it holds, each no more than its share of what
// one thread packs, or than stays in its second-level cache.
TEST(MatmulSlices, OwnBIsBoundedByCaches) {
  HostFacts converted = avx512_doubles(), b_converted = converted, b_columns = converted, complex = converted;
  converted.a.must_pack = converted.b.must_pack = b_converted.b.must_pack = true;
  b_columns.b = {1, 100'000};
  complex.b = {1, 100'000};
  complex.real_products = 4;
  complex.element_bytes = complex.position_bytes = 16;
  constexpr Shape wide[] = {{4, 4000, 100'000}, {4000, 4, 100'000}, {16, 1000, 1'000'000}, {16, 1000, 16'384}};
  int cut = 0;
  for (Shape const& s : wide) {
    for (HostFacts const& facts : {converted, b_converted, b_columns, complex}) {
      HostPlan const one = plan_on_host(s.m, s.n, s.k, facts, {1});
      if (one.slices.count == 1 || one.path != Path::tiles) continue;
      for (HostThreads const threads : {HostThreads{2}, {8, 8}, {64, 8}, {64}, {72, 72}, {192, 8}, {192, 16}}) {
        SCOPED_TRACE(std::to_string(s.m) + "x" + std::to_string(s.n) + "x" + std::to_string(s.k) + ", " +
                     std::to_string(threads.count) + " threads, " + std::to_string(threads.per_cache) + " a cache");
        HostPlan const plan = plan_on_host(s.m, s.n, s.k, facts, threads);
        std::int64_t const together = std::min(plan.threads(), threads.per_cache);
        std::int64_t const nc_bytes = facts.blocks.nc * facts.blocks.kc * facts.position_bytes;
        EXPECT_LE(plan.b_bytes * together, facts.cache_bytes);
        EXPECT_LE(plan.b_bytes, std::max(nc_bytes / together, facts.second_level_bytes));
        EXPECT_LE(plan.block_cols, plan.pack_cols) << "a block is packed at once";
        EXPECT_EQ(plan.blocks.kc, one.blocks.kc);
        EXPECT_EQ(plan.slices.depth, one.slices.depth);
        cut += plan.b_bytes < one.b_bytes;
      }
    }
  }
  EXPECT_GT(cut, 40);
  auto const megabytes = [&](Shape const& s, HostFacts const& facts, HostThreads threads) {
    return plan_on_host(s.m, s.n, s.k, facts, threads).workspace_bytes() >> 20;
  };
  EXPECT_LE(megabytes(wide[0], converted, {64, 8}), 56) << "393 when each thread had the B of one";
  EXPECT_LE(megabytes(wide[0], converted, {192, 8}), 150) << "1166";
  EXPECT_LE(megabytes(wide[2], converted, {192, 8}), 150) << "776";
}

// The slowest of many threads takes little more than its share.
TEST(MatmulSlices, KeepAllThreadsAtWork) {
  for (int const threads : {2, 3, 6, 8, 16, 24, 32, 48, 64, 96, 128}) {
    SCOPED_TRACE(threads);
    HostPlan const plan = plan_on_host(128, 120, 65'536, avx512_doubles(), {threads});
    EXPECT_EQ(plan.threads(), threads);
    int const rounds = (plan.slices.parts() + threads - 1) / threads;
    EXPECT_GE(static_cast<double>(plan.slices.parts()) / (rounds * threads), 0.8);
  }
}

TEST(MatmulSlices, AreOfSmallResultsOfManyProducts) {
  auto const count = [](Index m, Index n, Index k) {
    return plan_on_host(m, n, k, avx512_doubles(), {64}).slices.count;
  };
  EXPECT_EQ(count(4096, 4096, 4096), 1);
  EXPECT_EQ(count(700, 700, 100'000), 1) << "C is much to hold many times, and enough to share out";
  EXPECT_EQ(count(128, 129, 100'000), 1) << "C is above 128 KB";
  EXPECT_EQ(count(128, 128, 1000), 1) << "not deep";
  EXPECT_EQ(count(4, 4, 100'000), 1) << "little work";
  EXPECT_EQ(count(Index{1} << 31, Index{1} << 31, Index{1} << 34), 1) << "products of extents beyond 64 bits";
  EXPECT_GT(count(128, 128, 4096), 1);
  EXPECT_EQ(split_text(plan_on_host(128, 128, 1000, avx512_doubles(), {2})), "");
  HostPlan const plan = plan_on_host(128, 128, 4096, avx512_doubles(), {2});
  EXPECT_EQ(split_text(plan),
            "; few sums of many products: k is split into 4 slices of 1024, whose sums are added in "
            "rising k (" +
                std::to_string(plan.workspace_bytes()) + " bytes of workspace)");
}

/// What of a product is in memory: A row-major, B row- or column-major, C with columns `step` apart.
struct Lies {
  bool b_columns, c_columns;
  Index step;
};

/// C = 2 A B + 3 C of such numbers.
template <class TA, class TB, class TC, class Accumulator>
class Case {
 public:
  Case(Shape const& s, Lies const& lies, double most, bool whole)
      : m_s(s),
        m_lies(lies),
        m_a(fill<TA>(s.m * s.k, most, whole)),
        m_b(fill<TB>(s.k * s.n, most, whole)),
        m_start(fill<TC>(s.m * s.n * lies.step, most, whole)) {}

  [[nodiscard]] HostPlan plan(HostThreads threads) const {
    std::vector<TC> c;
    auto const p = problem(c);
    return plan_on_host(m_s.m, m_s.n, m_s.k, host_facts(p), threads);
  }

  /// By run(product, plan, workspace).
  template <class F>
  std::vector<TC> operator()(HostThreads threads, F const& run) const {
    std::vector<TC> c = m_start;
    auto const p = problem(c);
    HostPlan const plan = plan_on_host(m_s.m, m_s.n, m_s.k, host_facts(p), threads);
    EXPECT_GT(plan.slices.count, 1);
    with_memory(p, plan, run);
    return c;
  }

  std::vector<TC> in_little_memory() const {
    std::vector<TC> c = m_start;
    auto const p = problem(c);
    HostPlan const plan = plan_on_host(m_s.m, m_s.n, m_s.k, host_facts(p), {});
    auto const whole = host_product(p, plan).whole;
    HostPlan const little = pantile::impl::matmul::in_little_memory(whole.m, whole.n, host_facts(p), plan);
    EXPECT_LE(little.workspace_bytes(), host::most_stack_bytes);
    with_memory(p, little, [](auto const& product, HostPlan const& by, std::byte* workspace) {
      run_alone(product, by, workspace);
    });
    return c;
  }

  /// Element by element, of numbers whose sums are exact.
  std::vector<TC> expected() const {
    std::vector<TC> c = m_start;
    auto const p = problem(c);
    for (Index i = 0; i < m_s.m; ++i) {
      for (Index j = 0; j < m_s.n; ++j) {
        Accumulator sum(0);
        for (Index q = 0; q < m_s.k; ++q) {
          sum += pantile::convert<Accumulator>(p.a.data[i * p.a.row_stride + q * p.a.col_stride]) *
                 pantile::convert<Accumulator>(p.b.data[q * p.b.row_stride + j * p.b.col_stride]);
        }
        TC& to = p.c.data[i * p.c.row_stride + j * p.c.col_stride];
        to = pantile::convert<TC>(Accumulator(2) * sum + Accumulator(3) * pantile::convert<Accumulator>(to));
      }
    }
    return c;
  }

 private:
  Problem<TA, TB, TC, Accumulator> problem(std::vector<TC>& c) const {
    auto const [m, n, k] = m_s;
    Index const step = m_lies.step;
    return {{m_a.data(), m, k, k, 1},
            {m_b.data(), k, n, m_lies.b_columns ? 1 : n, m_lies.b_columns ? k : 1},
            {c.data(), m, n, m_lies.c_columns ? step : n * step, m_lies.c_columns ? m * step : step},
            false,
            false,
            Accumulator(2),
            Accumulator(3)};
  }

  /// With no byte behind what the plan says.
  template <class P, class F>
  static void with_memory(P const& p, HostPlan const& plan, F const& run) {
    auto const bytes = static_cast<std::size_t>(plan.workspace_bytes());
    std::vector<std::byte> memory(bytes + 63);
    auto const address = reinterpret_cast<std::uintptr_t>(memory.data());
    std::size_t const front = (64 - address % 64) % 64;
    memory.resize(front + bytes);
    run(host_product(p, plan), plan, memory.data() + front);
  }

  template <class T>
  static std::vector<T> fill(Index count, double most, bool whole) {
    std::mt19937_64 random(static_cast<std::uint64_t>(count));
    std::uniform_real_distribution<double> some(-most, most);
    std::vector<T> values(static_cast<std::size_t>(count));
    for (T& value : values) value = T(whole ? static_cast<double>(static_cast<int>(some(random))) : some(random));
    return values;
  }

  Shape m_s;
  Lies m_lies;
  std::vector<TA> m_a;
  std::vector<TB> m_b;
  std::vector<TC> m_start;
};

template <class T>
bool same_bits(std::vector<T> const& x, std::vector<T> const& y) {
  return x.size() == y.size() && std::memcmp(x.data(), y.data(), x.size() * sizeof(T)) == 0;
}

/// f(0) to f(count - 1), one after the other, backwards, or all at once.
enum class Order { in_turn, last_first, at_once };
template <class F>
void for_each_thread(Order order, int count, F const& f) {
  std::vector<std::thread> all;
  for (int i = 0; i < count; ++i) {
    int const number = order == Order::last_first ? count - 1 - i : i;
    if (order == Order::at_once) {
      all.emplace_back([&f, number] { f(number); });
    } else {
      f(number);
    }
  }
  for (std::thread& one : all) one.join();
}

template <class TA, class TB, class TC, class Accumulator>
void expect_same_bits(Shape const& s, Lies const& lies) {
  SCOPED_TRACE(std::to_string(s.m) + "x" + std::to_string(s.n) + "x" + std::to_string(s.k));
  Case<TA, TB, TC, Accumulator> const exact(s, lies, 4, true), random(s, lies, 1, false);
  auto const alone = [](auto const& product, HostPlan const& plan, std::byte* workspace) {
    run_alone(product, plan, workspace);
  };
  EXPECT_TRUE(same_bits(exact({}, alone), exact.expected()));
  auto const expected = random({}, alone);
  EXPECT_TRUE(same_bits(random.in_little_memory(), expected)) << "in little memory";
  for (int const threads : {2, 3, 7, 64, 200}) {
    for (Order const order : {Order::in_turn, Order::last_first, Order::at_once}) {
      SCOPED_TRACE(std::to_string(threads) + " threads, order " + std::to_string(static_cast<int>(order)));
      auto const by_threads = [&](auto const& product, HostPlan const& plan, std::byte* workspace) {
        SlicedProduct const by_slices(product, plan, workspace);
        for_each_thread(order, plan.threads(), [&](int thread) { by_slices.compute(thread); });
        for_each_thread(order, plan.threads(), [&](int thread) { by_slices.add_up(thread); });
      };
      EXPECT_TRUE(same_bits(random({threads, 8}, by_threads), expected));
    }
  }
}

TEST(MatmulSlices, BitsDoNotDependOnThreads) {
  using Half = Kokkos::Experimental::half_t;
  expect_same_bits<double, double, double, double>({12, 200, 9001}, {false, false, 1});
  expect_same_bits<double, double, double, double>({100, 90, 4100}, {false, false, 2});  // C's columns apart
  expect_same_bits<double, double, double, double>({16, 16, 12'000}, {true, false, 1});  // few columns packed
  expect_same_bits<float, float, float, float>({33, 97, 5000}, {false, false, 1});       // last columns in dots
  expect_same_bits<float, float, float, float>({60, 3, 20'000}, {false, true, 1});       // few columns, streamed
  expect_same_bits<float, float, float, float>({1, 1, 2'200'000}, {false, false, 1});    // one dot product
  expect_same_bits<float, float, double, double>({20, 30, 6000}, {true, false, 1});      // converted
  expect_same_bits<float, float, double, double>({4, 600, 4800}, {false, false, 1});     // in blocks of columns
  expect_same_bits<Half, Half, Half, float>({20, 30, 8001}, {false, false, 1});          // low precision
  expect_same_bits<std::int8_t, std::int8_t, std::int32_t, std::int32_t>({20, 60, 9001}, {false, false, 1});
  using Complex = Kokkos::complex<double>;
  expect_same_bits<Complex, Complex, Complex, Complex>({5, 40, 5000}, {false, true, 1});
}

}  // namespace

// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file  Tiny products on hosts, which go without a plan: what is computed is what the plan, and `explain`, say.
#include <matmul/paths.hpp>
#include <support/matrices.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace pantile::testing {
namespace {

namespace host = impl::matmul;

template <class T>
class MatmulTiny : public ::testing::Test {};
using Elements = ::testing::Types<float, double, Kokkos::complex<float>, Kokkos::complex<double>>;
TYPED_TEST_SUITE(MatmulTiny, Elements);

template <class Call>
auto numbers_of(Call const& call) {
  return std::tie(call.m, call.n, call.k, call.a, call.a_rs, call.a_cs, call.b, call.b_rs, call.b_cs, call.c, call.c_rs,
                  call.c_cs, call.alpha[0], call.alpha[1], call.beta[0], call.beta[1], call.reads_c);
}
template <class Call>
auto hints_of(Call const& call) {
  auto const& hints = call.hints;
  return std::tie(call.packed_a, call.packed_b, hints.prefetches, hints.few_rows, hints.wide, hints.large_c);
}

/// The plan that explain tells of, and how the run takes the product: one and the same.
template <class T>
void expect_run_as_planned(ProblemOf<T, T, T, T> const& p) {
  auto const machine = impl::arch::with_caches(impl::arch::machine(Host{}));
  host::HostPlan const plan = host::choose(machine, host::make_call_query<impl::arch::Current<Host>>(p, {})).host;
  bool const exchange = host::exchanges_tiny(p.m(), p.n(), p.c.row_stride, p.c.col_stride);
  EXPECT_TRUE(plan.in_c() && plan.on_caller && !plan.pack_a) << plan.reason;
  auto const seen = exchange ? p.transposed() : p;
  constexpr int parts = is_complex_v<T> ? 2 : 1;
  using enum host::TinyWay;
  host::TinyWay const way =
      host::tiny_way(seen.m(), seen.n(), seen.k(), {seen.a.row_stride, seen.a.col_stride},
                     {seen.b.row_stride, seen.b.col_stride}, host::kernels_of<T, T, T>().shape.lanes, parts);
  bool const tiles = way == in_place || way == packed || way == transposed;
  EXPECT_EQ(plan.exchange, exchange != (way == dots_of_rows || way == along_columns));
  EXPECT_EQ(plan.path, tiles                  ? host::Path::tiles
                       : way == along_columns ? host::Path::skinny_rows
                                              : host::Path::skinny_dots);
  EXPECT_EQ(std::string(plan.reason).ends_with("C transposed in registers"), way == transposed);
  if (!tiles) return;
  EXPECT_EQ(plan.pack_b, way != in_place && seen.b.col_stride != 1);
  int const edge = parts == 2 ? 0
                              : host::tiny_edge_columns(seen.m(), seen.n(), seen.k(), seen.a.col_stride,
                                                        host::kernels_of<T, T, T>().shape.lanes);
  EXPECT_EQ(plan.edge_cols, edge);
  if (way != in_place) return;
  auto const planned = host::host_product(p, plan).whole;
  std::remove_const_t<decltype(planned)> run;
  host::set_tiny_call(run, exchange, p.a, p.b, p.c, p.conj_a, p.conj_b, p.alpha, p.beta);
  EXPECT_EQ(numbers_of(run), numbers_of(planned));
  EXPECT_EQ(hints_of(run), hints_of(planned));
  if constexpr (is_complex_v<T>) {
    EXPECT_EQ(std::tie(run.conj_a, run.conj_b), std::tie(planned.conj_a, planned.conj_b));
  }
}

/// Strides of a rows x cols matrix, by rows or columns, which are so far apart beside its extent.
template <class T>
impl::Matrix<T> matrix_at(int place, Index rows, Index cols, bool by_rows, Index gap) {
  auto* const data = reinterpret_cast<T*>(static_cast<std::uintptr_t>(place) << 52);
  if (by_rows) return {data, rows, cols, cols + gap, 1};
  return {data, rows, cols, 1, rows + gap};
}

TYPED_TEST(MatmulTiny, IsComputedAsExplained) {
  using T = TypeParam;
  std::size_t seen = 0;
  auto const check = [&](Index m, Index n, Index k, unsigned layouts) {
    Index const gap = (layouts & 8U) != 0 ? 3 : 0;
    ProblemOf<T, T, T, T> const p{matrix_at<T const>(1, m, k, (layouts & 1U) != 0, gap),
                                  matrix_at<T const>(2, k, n, (layouts & 2U) != 0, gap),
                                  matrix_at<T>(3, m, n, (layouts & 4U) != 0, gap),
                                  true,
                                  false,
                                  T(2),
                                  T(3)};
    if (!host::goes_as_tiny(p, {})) return;
    ++seen;
    SCOPED_TRACE(std::to_string(m) + "x" + std::to_string(n) + "x" + std::to_string(k) + ", layouts " +
                 std::to_string(layouts));
    expect_run_as_planned(p);
  };
  constexpr Index extents[] = {1, 2, 3, 5, 8, 14, 16, 17, 32, 33, 48, 57, 64, 100, 128};
  for (Index const m : extents) {
    for (Index const n : extents) {
      for (Index const k : extents) {
        for (unsigned layouts = 0; layouts < 16 && !this->HasFailure(); ++layouts) check(m, n, k, layouts);
      }
    }
  }
  EXPECT_GT(seen, 5000U);
}

// What goes without a plan has the bits of what has one, by every way, layout and operator.
TYPED_TEST(MatmulTiny, HasTheBitsOfItsPlan) {
  using T = TypeParam;
  std::size_t ways = 0;
  constexpr Index shapes[][3] = {{3, 5, 4},    {3, 64, 4},  {64, 3, 33},  {4, 40, 50},   {40, 4, 100},  {1, 50, 64},
                                 {50, 1, 64},  {8, 17, 64}, {17, 60, 12}, {100, 17, 60}, {17, 64, 100}, {70, 41, 20},
                                 {41, 33, 50}, {2, 2, 128}, {1, 1, 40},   {30, 30, 30},  {5, 128, 9},   {70, 3, 5},
                                 {70, 17, 64}, {33, 8, 20}, {9, 2, 3},    {64, 2, 70},   {64, 40, 4},   {7, 8, 70}};
  for (auto const& [m, n, k] : shapes) {
    auto const values = [](Index rows, Index cols, std::uint64_t seed) {
      return random_matrix<T>(static_cast<std::size_t>(rows), static_cast<std::size_t>(cols), seed).values;
    };
    std::vector<T> const a = values(m, k, 1), b = values(k, n, 2), old = values(m, n, 3);
    for (unsigned layouts = 0; layouts < 16; ++layouts) {
      std::vector<T> tiny = old, planned = old;
      auto const lying = [](auto* data, Index rows, Index cols, bool by_rows) {
        using Matrix = impl::Matrix<std::remove_pointer_t<decltype(data)>>;
        return by_rows ? Matrix{data, rows, cols, cols, 1} : Matrix{data, rows, cols, 1, rows};
      };
      auto const problem = [&](std::vector<T>& c) {
        return ProblemOf<T, T, T, T>{lying(a.data(), m, k, (layouts & 1U) != 0),
                                     lying(b.data(), k, n, (layouts & 2U) != 0),
                                     lying(c.data(), m, n, (layouts & 4U) != 0),
                                     (layouts & 8U) != 0,
                                     (layouts & 8U) == 0,
                                     T(2),
                                     (layouts & 8U) != 0 ? T(0) : T(3)};
      };
      auto const p = problem(tiny), q = problem(planned);
      if (!host::goes_as_tiny(p, {})) continue;
      host::run_tiny<T, T>(p.a, p.b, p.c, p.conj_a, p.conj_b, p.alpha, p.beta);
      auto facts = host::host_facts(q);
      facts.c_along_columns = host::exchanges_tiny(q.m(), q.n(), q.c.row_stride, q.c.col_stride);
      host::run_on_caller(q, host::plan_on_host(q.m(), q.n(), q.k(), facts, {}));
      ++ways;
      ASSERT_EQ(std::memcmp(tiny.data(), planned.data(), tiny.size() * sizeof(T)), 0)
          << m << "x" << n << "x" << k << ", layouts " << layouts;
    }
  }
  EXPECT_GT(ways, 150U);
}

// One row of a matrix that lies by columns is no row in memory: taken as a column it is one.
TEST(MatmulTinyExplained, ARowAcrossMemoryIsFormedInC) {
  Kokkos::View<double**, Kokkos::LayoutLeft, Host> const a("a", 3, 7), c("c", 3, 5);
  Kokkos::View<double**, Kokkos::LayoutRight, Host> const b("b", 7, 5);
  auto const row = [](auto const& parent) {
    return Kokkos::subview(parent, std::pair(1, 2), std::pair(std::size_t(0), parent.extent(1)));
  };
  auto const e = explain::matmul(Host{}, 1, row(a), b, 0, row(c));
  EXPECT_EQ(e.reason, "little work: on the calling thread, nothing packed");
}

}  // namespace
}  // namespace pantile::testing

// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file  Tiny products on hosts, which go without a plan: what is computed is what the plan, and `explain`, say.
#include <matmul/paths.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>

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
/// What only kernels for complex elements look at.
template <class Call>
auto hints_of(Call const& call) {
  auto const& hints = call.hints;
  return std::tie(call.conj_a, call.conj_b, call.packed_a, call.packed_b, hints.prefetches, hints.few_rows, hints.wide,
                  hints.large_c);
}

/// The plan that explain tells of and the call or plan of the run: one and the same.
template <class T>
void expect_run_as_planned(ProblemOf<T, T, T, T> const& p) {
  auto const machine = impl::arch::with_caches(impl::arch::machine(Host{}));
  auto const plan = host::choose(machine, host::make_call_query<impl::arch::Current<Host>>(p, {}));
  bool const exchange = host::exchanges_tiny(p.m(), p.n(), p.c.row_stride, p.c.col_stride);
  EXPECT_EQ(plan.host.exchange, exchange);
  EXPECT_TRUE(plan.host.in_c() && plan.host.on_caller && !plan.host.pack_a) << plan.reason;
  auto const seen = exchange ? p.transposed() : p;
  constexpr int real_products = is_complex_v<T> ? 4 : 1;
  int const edge = host::tiny_edge_columns(seen.m(), seen.n(), seen.k(), seen.a.col_stride,
                                           host::kernels_of<T, T, T>().shape.lanes, real_products);
  if (host::is_one_call(seen.n(), seen.b.col_stride, edge, real_products)) {
    EXPECT_TRUE(!plan.host.pack_b && plan.host.edge_cols == edge) << plan.reason;
    auto const planned = host::host_product(p, plan.host).whole;
    std::remove_const_t<decltype(planned)> run;
    host::set_tiny_call(run, exchange, p.a, p.b, p.c, p.conj_a, p.conj_b, p.alpha, p.beta);
    EXPECT_EQ(numbers_of(run), numbers_of(planned));
    if constexpr (is_complex_v<T>) {
      EXPECT_EQ(hints_of(run), hints_of(planned));
    }
  } else {
    auto facts = host::host_facts(p);
    facts.c_along_columns = exchange;
    host::Plan run = plan;
    run.host = host::plan_on_host(p.m(), p.n(), p.k(), facts, {});
    EXPECT_EQ(to_string(host::describe_plan<Host>(p, run)), to_string(host::describe_plan<Host>(p, plan)));
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
  constexpr Index extents[] = {1, 2, 5, 8, 14, 16, 17, 33, 48, 57, 64};
  for (Index const m : extents) {
    for (Index const n : extents) {
      for (Index const k : extents) {
        for (unsigned layouts = 0; layouts < 16 && !this->HasFailure(); ++layouts) check(m, n, k, layouts);
      }
    }
  }
  EXPECT_GT(seen, 5000U);
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

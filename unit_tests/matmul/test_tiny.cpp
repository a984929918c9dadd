// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file  Tiny products on hosts, whose calls are short: what is computed is what the plan, and `explain`, say.
#include <matmul/paths.hpp>
#include <support/matrices.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
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

// The short call and the plan that explain tells of have the same bits, by every path, layout and operator.
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
      host::HostPlan const plan = host::plan_on_host(m, n, k, host::host_facts(q), {2});
      if (!plan.tiny) continue;
      EXPECT_TRUE((host::is_ordinary<T>(p.a, p.b, p.c))) << m << "x" << n << "x" << k;
      host::run_tiny<T, T>(p.a, p.b, p.c, p.conj_a, p.conj_b, p.alpha, p.beta);
      host::run_on_caller(q, plan);
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

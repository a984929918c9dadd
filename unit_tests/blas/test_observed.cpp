// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file  A tool that listens changes no bit of a BLAS call: it sees the code that runs without it, in a region.

#include <blas/routines.hpp>
#include <support/tool_events.hpp>

#include <cstddef>
#include <cstring>
#include <random>
#include <vector>

namespace pantile::testing::blas {
namespace {

template <class T>
class BlasObserved : public ::testing::Test {};
TYPED_TEST_SUITE(BlasObserved, Elements);

/// Reals of (-1, 1), whose sums depend on their order.
template <class T>
std::vector<T> random_values(int count, unsigned seed) {
  using Real = typename RealOf<T>::type;
  std::mt19937 random(seed);
  std::uniform_real_distribution<Real> real(-1, 1);
  std::vector<T> values(static_cast<std::size_t>(count));
  for (T& value : values) {
    value = T(real(random));
    if constexpr (is_complex<T>) value.imag(real(random));
  }
  return values;
}

template <class T>
std::vector<T> product(int m, int n, int k, int trans_b) {
  std::vector<T> const a = random_values<T>(m * k, 1), b = random_values<T>(k * n, 2);
  std::vector<T> c = random_values<T>(m * n, 3);
  cblas_gemm(CblasRowMajor, CblasNoTrans, trans_b, m, n, k, T(0.3F), a.data(), k, b.data(),
             trans_b == CblasNoTrans ? n : k, T(0.7F), c.data(), n);
  return c;
}

template <class T>
void expect_same_bits(int m, int n, int k) {
  for (int const trans_b : {CblasNoTrans, CblasTrans}) {
    std::vector<T> const alone = product<T>(m, n, k, trans_b);
    ToolEvents const events;
    std::vector<T> const seen = product<T>(m, n, k, trans_b);
    EXPECT_EQ(events.count(ToolEvents::Kind::kernel, "pantile::matmul["), 1U) << "no tool was told";
    EXPECT_EQ(events.of(ToolEvents::Kind::region).size(), 1U);
    EXPECT_EQ(events.count(ToolEvents::Kind::region, "pantile::matmul"), 1U) << m << "x" << n << "x" << k;
    EXPECT_EQ(ToolEvents::open_regions(), 0);
    EXPECT_EQ(std::memcmp(alone.data(), seen.data(), seen.size() * sizeof(T)), 0) << m << "x" << n << "x" << k;
  }
}

TYPED_TEST(BlasObserved, TinyProducts) {
  for (int const n : {1, 4, 7, 8, 16, 31, 48}) expect_same_bits<TypeParam>(n, n, n);
  expect_same_bits<TypeParam>(1, 9, 14);
  expect_same_bits<TypeParam>(12, 3, 15);
}

TYPED_TEST(BlasObserved, SkinnyProducts) {
  expect_same_bits<TypeParam>(1, 900, 700);
  expect_same_bits<TypeParam>(4, 600, 500);
  expect_same_bits<TypeParam>(600, 2, 500);
  expect_same_bits<TypeParam>(3, 3, 5000);
  expect_same_bits<TypeParam>(300, 310, 5);
}

TYPED_TEST(BlasObserved, BlockedProducts) {
  expect_same_bits<TypeParam>(65, 67, 66);
  expect_same_bits<TypeParam>(131, 267, 300);
  expect_same_bits<TypeParam>(300, 310, 320);
}

}  // namespace
}  // namespace pantile::testing::blas

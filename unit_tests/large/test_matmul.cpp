// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file  matmul as a host does it by default: more than 2^31 results, and rows far apart in every operand and layout.
#include <support/large.hpp>
#include <support/sparse.hpp>

#include <pantile/matmul.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

namespace {

using namespace pantile::testing;
using Algorithm = pantile::MatmulAlgorithm;
using Host = Kokkos::DefaultHostExecutionSpace;

/// Rows of A, A B, and columns of B beyond 2^31 elements; C is of one byte.
TEST(LargeMatmul, OuterProductInto31Bits) {
  using Matrix = Kokkos::View<std::int8_t**, Kokkos::LayoutLeft, Host>;
  constexpr std::int64_t m = 47'400, n = 47'401;
  auto const c = large_matrix<Matrix>(m, n, 1);
  if (c.data() == nullptr) GTEST_SKIP() << "not enough memory";
  Matrix const a("A", m, 1), b("B", 1, n);
  for (std::size_t i = 0; i < m; ++i) a(i, 0) = large_value(i, 3);
  for (std::size_t j = 0; j < n; ++j) b(0, j) = large_value(5, j);
  pantile::matmul(Host{}, 1, a, b, 0, c);
  Host{}.fence();
  auto const expected = [](std::int64_t i, std::int64_t j) {
    return static_cast<std::int8_t>(large_value(i, 3) * large_value(5, j));
  };
  using Rows = Kokkos::View<std::int8_t**, Kokkos::LayoutRight, Host, Kokkos::MemoryUnmanaged>;
  EXPECT_EQ(large_mismatches(Rows(c.data(), n, m), [=](std::int64_t j, std::int64_t i) { return expected(i, j); }), 0);
}

/// k beyond 2^31: sums of ones and zeroes, which no memory was given to.
TEST(LargeMatmul, SumsOfMoreThan31BitsOfTerms) {
  constexpr std::int64_t k = (std::int64_t{1} << 31) + 77;
  SparseMemory const memory(2 * k);
  auto* const data = memory.as<std::int8_t>();
  if (data == nullptr) GTEST_SKIP() << "no address space";
  using Row = Kokkos::View<std::int8_t**, Kokkos::LayoutRight, Host, Kokkos::MemoryUnmanaged>;
  Row const a(data, 1, k), b(data + k, k, 1);
  Kokkos::View<std::int32_t**, Kokkos::LayoutRight, Host> const c("C", 1, 1);
  for (std::int64_t const at : {std::int64_t{0}, k / 3, k - 70, k - 1}) a.data()[at] = b.data()[at] = 11;
  b.data()[k - 71] = 100;
  pantile::matmul(Host{}, 1, a, b, 0, c);
  Host{}.fence();
  EXPECT_EQ(c(0, 0), 4 * 121);
}

template <class T, class TC>
struct Types {
  using Operand = T;
  using Result = TC;
};

template <class Pair>
class FarMatmul : public ::testing::Test {};
using Pairs = ::testing::Types<Types<float, float>, Types<double, double>,
                               Types<Kokkos::complex<double>, Kokkos::complex<double>>,
                               Types<std::int32_t, std::int32_t>, Types<std::int8_t, std::int32_t>>;
TYPED_TEST_SUITE(FarMatmul, Pairs);

/// m x n, in the memory with rows or columns so far apart (and misaligned), or dense.
template <class T>
auto placed(SparseMemory const& memory, bool far, bool by_rows, std::int64_t m, std::int64_t n,
            std::int64_t apart = far_apart) {
  using Matrix = Kokkos::View<T**, Kokkos::LayoutStride, Host>;
  if (!far && by_rows) return Matrix(Kokkos::View<T**, Kokkos::LayoutRight, Host>("dense", m, n));
  if (!far) return Matrix(Kokkos::View<T**, Kokkos::LayoutLeft, Host>("dense", m, n));
  Kokkos::LayoutStride const layout =
      by_rows ? Kokkos::LayoutStride(m, apart, n, 1) : Kokkos::LayoutStride(m, 1, n, apart);
  return Matrix(memory.as<T>() + 3, layout);
}

int small_value(std::size_t i, std::size_t j) { return static_cast<int>(large_value(i, j)) % 8; }

/// Elements of C = 2 A B + 3 C, of small integers, that are not right.
template <class A, class C>
std::int64_t wrong_products(A const& a, A const& b, C const& c, Algorithm algorithm) {
  using T = typename A::value_type;
  using TC = typename C::value_type;
  std::size_t const m = c.extent(0), n = c.extent(1), k = a.extent(1);
  for (std::size_t i = 0; i < m; ++i) {
    for (std::size_t p = 0; p < k; ++p) a(i, p) = T(small_value(i, p));
  }
  for (std::size_t p = 0; p < k; ++p) {
    for (std::size_t j = 0; j < n; ++j) b(p, j) = T(small_value(p + 3, j));
  }
  for (std::size_t i = 0; i < m; ++i) {
    for (std::size_t j = 0; j < n; ++j) c(i, j) = TC(small_value(i, j + 7));
  }
  pantile::matmul(Host{}, 2, a, b, 3, c, {.algorithm = algorithm});
  Host{}.fence();
  std::vector<int> sums(m * n);
  for (std::size_t i = 0; i < m; ++i) {
    for (std::size_t p = 0; p < k; ++p) {
      int const left = small_value(i, p);
      for (std::size_t j = 0; j < n; ++j) sums[i * n + j] += left * small_value(p + 3, j);
    }
  }
  std::int64_t wrong = 0;
  for (std::size_t i = 0; i < m; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      wrong += c(i, j) == TC(2 * sums[i * n + j] + 3 * small_value(i, j + 7)) ? 0 : 1;
    }
  }
  return wrong;
}

TYPED_TEST(FarMatmul, OffsetsBeyond32BitsInEveryOperandAndLayout) {
  using T = typename TypeParam::Operand;
  using TC = typename TypeParam::Result;
  constexpr std::size_t m = 67, n = 71, k = 69;
  constexpr std::int64_t bytes = far_span(72) * static_cast<std::int64_t>(sizeof(TC));
  SparseMemory const memory_a(bytes), memory_b(bytes), memory_c(bytes);
  if (!memory_a.as<T>() || !memory_b.as<T>() || !memory_c.as<TC>()) GTEST_SKIP() << "no address space";
  for (int const far : {1, 2, 4, 7}) {
    for (int layouts = 0; layouts < 8; ++layouts) {
      for (Algorithm const algorithm : {Algorithm::automatic, Algorithm::tiled}) {
        SCOPED_TRACE("far " + std::to_string(far) + ", layouts " + std::to_string(layouts) + ", " +
                     to_string(algorithm));
        auto const a = placed<T>(memory_a, (far & 1) != 0, (layouts & 1) != 0, m, k);
        auto const b = placed<T>(memory_b, (far & 2) != 0, (layouts & 2) != 0, k, n);
        auto const c = placed<TC>(memory_c, (far & 4) != 0, (layouts & 4) != 0, m, n);
        EXPECT_EQ(wrong_products(a, b, c, algorithm), 0);
      }
    }
  }
}

/// Offsets of blocks of rows, of columns and of k beyond 32 bits from the second block on.
TYPED_TEST(FarMatmul, OffsetsOfBlocksBeyond32Bits) {
  using T = typename TypeParam::Operand;
  using TC = typename TypeParam::Result;
  constexpr std::size_t size = 600;
  constexpr std::int64_t apart = (std::int64_t{1} << 23) + 16, span = size * apart;
  SparseMemory const memory(span * static_cast<std::int64_t>(std::max(sizeof(T), sizeof(TC))));
  if (!memory.as<T>()) GTEST_SKIP() << "no address space";
  for (std::size_t const n : {size, std::size_t{40}}) {  // few columns: A is not packed
    for (int const far : {1, 2, 4}) {
      for (bool const by_rows : {true, false}) {
        SCOPED_TRACE(std::to_string(n) + " columns, far " + std::to_string(far) +
                     (by_rows ? " by rows" : " by columns"));
        auto const a = placed<T>(memory, far == 1, by_rows, size, size, apart);
        auto const b = placed<T>(memory, far == 2, by_rows, size, n, apart);
        auto const c = placed<TC>(memory, far == 4, by_rows, size, n, apart);
        EXPECT_EQ(wrong_products(a, b, c, Algorithm::automatic), 0);
      }
    }
  }
}

}  // namespace

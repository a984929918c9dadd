// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file  matmul as a host does it by default: more than 2^31 results, and rows far apart in every operand and layout.
#include <support/large.hpp>
#include <support/sparse.hpp>

#include <pantile/matmul.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <type_traits>

namespace {

using namespace pantile::testing;
using pantile::Algorithm;
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

/// m x n, in the memory with rows or columns far apart (and misaligned), or dense.
template <class T>
auto placed(SparseMemory const& memory, bool far, bool by_rows, std::int64_t m, std::int64_t n) {
  using Matrix = Kokkos::View<T**, Kokkos::LayoutStride, Host>;
  if (!far && by_rows) return Matrix(Kokkos::View<T**, Kokkos::LayoutRight, Host>("dense", m, n));
  if (!far) return Matrix(Kokkos::View<T**, Kokkos::LayoutLeft, Host>("dense", m, n));
  Kokkos::LayoutStride const layout =
      by_rows ? Kokkos::LayoutStride(m, far_apart, n, 1) : Kokkos::LayoutStride(m, 1, n, far_apart);
  return Matrix(memory.as<T>() + 3, layout);
}

TYPED_TEST(FarMatmul, OffsetsBeyond32BitsInEveryOperandAndLayout) {
  using T = typename TypeParam::Operand;
  using TC = typename TypeParam::Result;
  constexpr std::size_t m = 67, n = 71, k = 69;
  constexpr std::int64_t bytes = far_span(72) * static_cast<std::int64_t>(sizeof(TC));
  SparseMemory const memory_a(bytes), memory_b(bytes), memory_c(bytes);
  if (!memory_a.as<T>() || !memory_b.as<T>() || !memory_c.as<TC>()) GTEST_SKIP() << "no address space";
  auto const small = [](std::size_t i, std::size_t j) { return static_cast<int>(large_value(i, j)) % 8; };
  for (int const far : {1, 2, 4, 7}) {
    for (int layouts = 0; layouts < 8; ++layouts) {
      for (Algorithm const algorithm : {Algorithm::automatic, Algorithm::tiled}) {
        SCOPED_TRACE("far " + std::to_string(far) + ", layouts " + std::to_string(layouts) + ", " +
                     to_string(algorithm));
        auto const a = placed<T>(memory_a, (far & 1) != 0, (layouts & 1) != 0, m, k);
        auto const b = placed<T>(memory_b, (far & 2) != 0, (layouts & 2) != 0, k, n);
        auto const c = placed<TC>(memory_c, (far & 4) != 0, (layouts & 4) != 0, m, n);
        for (std::size_t i = 0; i < m; ++i) {
          for (std::size_t p = 0; p < k; ++p) a(i, p) = T(small(i, p));
        }
        for (std::size_t p = 0; p < k; ++p) {
          for (std::size_t j = 0; j < n; ++j) b(p, j) = T(small(p + 3, j));
        }
        for (std::size_t i = 0; i < m; ++i) {
          for (std::size_t j = 0; j < n; ++j) c(i, j) = TC(small(i, j + 7));
        }
        pantile::matmul(Host{}, 2, a, b, 3, c, {.algorithm = algorithm});
        Host{}.fence();
        std::int64_t wrong = 0;
        for (std::size_t i = 0; i < m; ++i) {
          for (std::size_t j = 0; j < n; ++j) {
            int sum = 0;
            for (std::size_t p = 0; p < k; ++p) sum += small(i, p) * small(p + 3, j);
            wrong += c(i, j) == TC(2 * sum + 3 * small(i, j + 7)) ? 0 : 1;
          }
        }
        EXPECT_EQ(wrong, 0);
      }
    }
  }
}

}  // namespace

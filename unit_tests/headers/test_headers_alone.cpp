// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file  Pantile's headers and Kokkos, nothing else: no library, no definition. Micro-kernels are those of this
///         compilation.
#include <pantile/pantile.hpp>

#include <pantile/impl/arch/host/isa.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <string>

#if defined(PANTILE_USE_LIBRARY) || defined(PANTILE_USE_MICRO_KERNELS)
#error "this test is of the headers alone"
#endif

namespace {

using Exec = Kokkos::DefaultHostExecutionSpace;
template <class T>
using Matrix = Kokkos::View<T**, Kokkos::LayoutRight, Exec>;

template <class T>
Matrix<T> numbered(std::string const& name, int rows, int cols) {
  Matrix<T> const m(name, static_cast<std::size_t>(rows), static_cast<std::size_t>(cols));
  for (int i = 0; i < rows; ++i) {
    for (int j = 0; j < cols; ++j) m(i, j) = static_cast<T>((i * 7 + j * 3) % 11 - 4);
  }
  return m;
}

template <class T, class TC>
void expect_product(int m, int n, int k) {
  auto const a = numbered<T>("a", m, k);
  auto const b = numbered<T>("b", k, n);
  Matrix<TC> const c("c", static_cast<std::size_t>(m), static_cast<std::size_t>(n));
  pantile::matmul(Exec{}, 1, a, b, 0, c);
  EXPECT_NE(pantile::explain::matmul(Exec{}, 1, a, b, 0, c).instruction_set, "");
  Exec{}.fence();
  int wrong = 0;
  for (int i = 0; i < m; ++i) {
    for (int j = 0; j < n; ++j) {
      TC sum(0);
      for (int l = 0; l < k; ++l) sum += static_cast<TC>(a(i, l)) * static_cast<TC>(b(l, j));
      wrong += c(i, j) != sum;
    }
  }
  EXPECT_EQ(wrong, 0) << m << "x" << n << "x" << k;
}

TEST(HeadersAlone, Matmul) {
  for (int const edge : {1, 5, 31, 130}) {
    expect_product<float, float>(edge, edge + 1, edge + 2);
    expect_product<double, double>(edge, 2 * edge, edge);
    expect_product<Kokkos::complex<double>, Kokkos::complex<double>>(edge, edge, edge);
    expect_product<std::int32_t, std::int32_t>(edge, edge, edge);
    expect_product<std::int8_t, std::int32_t>(edge, edge, 3 * edge);
  }
}

TEST(HeadersAlone, TransposeAddHistogram) {
  auto const a = numbered<float>("a", 67, 131);
  Matrix<float> const b("b", 131, 67), c("c", 67, 131);
  pantile::transpose(Exec{}, a, b);
  pantile::add(Exec{}, 2, a, 3, a, c);
  Kokkos::View<int*, Exec> const samples("samples", 5000), counts("counts", 13);
  for (int s = 0; s < 5000; ++s) samples(s) = s % 13;
  pantile::histogram(Exec{}, samples, counts);
  Exec{}.fence();
  for (int i = 0; i < 67; ++i) {
    for (int j = 0; j < 131; ++j) ASSERT_TRUE(b(j, i) == a(i, j) && c(i, j) == 5 * a(i, j)) << i << " " << j;
  }
  for (int bin = 0; bin < 13; ++bin) EXPECT_EQ(counts(bin), (5000 - bin + 12) / 13);
}

}  // namespace

int main(int argc, char** argv) {
  Kokkos::ScopeGuard const kokkos(argc, argv);
  ::testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}

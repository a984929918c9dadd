// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file  Complex operands aligned as their real parts only, as BLAS allows: the same bits as aligned ones, and
///        operands that lie between each other without sharing memory, real ones too.

#include <blas/routines.hpp>

#include <cstring>
#include <vector>

namespace pantile::testing::blas {
namespace {

/// Real numbers in (-1, 1): sums of them depend on their order.
template <class T>
std::vector<T> random_elements(unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<typename RealOf<T>::type> number(-1, 1);
  std::vector<T> result(305 * 305);
  for (T& value : result) value = {number(random), number(random)};
  return result;
}

/// A copy of the first elements, a real number behind a multiple of 64 bytes or at one.
template <class T>
class Shifted {
 public:
  Shifted(std::vector<T> const& elements, std::size_t count, bool shifted)
      : m_memory(sizeof(T) * count + 64 + sizeof(Real)) {
    auto const begin = reinterpret_cast<std::uintptr_t>(m_memory.data());
    m_data = reinterpret_cast<T*>((begin + 63) / 64 * 64 + (shifted ? sizeof(Real) : 0));
    std::memcpy(static_cast<void*>(m_data), elements.data(), sizeof(T) * count);
  }
  [[nodiscard]] T* data() const { return m_data; }
  [[nodiscard]] std::vector<unsigned char> bytes(std::size_t count) const {
    auto const* const first = reinterpret_cast<unsigned char const*>(m_data);
    return {first, first + sizeof(T) * count};
  }

 private:
  using Real = typename RealOf<T>::type;
  std::vector<unsigned char> m_memory;
  T* m_data;
};

template <class T>
struct Alignment : ::testing::Test {
  static constexpr int operators[] = {CblasNoTrans, CblasTrans, CblasConjTrans, CblasConjNoTrans};

  std::vector<T> const first = random_elements<T>(1), second = random_elements<T>(2), third = random_elements<T>(3);

  /// C's bytes where bit 0, 1 and 2 of `shifts` say which of A, B and C are shifted.
  [[nodiscard]] std::vector<unsigned char> product(int ta, int tb, int n, int k, unsigned shifts) const {
    int const ld = std::max(n, k) + 3;
    auto const count = static_cast<std::size_t>(ld) * ld;
    Shifted<T> const a(first, count, (shifts & 1) != 0), b(second, count, (shifts & 2) != 0);
    Shifted<T> const c(third, count, (shifts & 4) != 0);
    cblas_gemm(CblasColMajor, ta, tb, n, n, k, T(1, -2), a.data(), ld, b.data(), ld, T(3, 1), c.data(), ld);
    return c.bytes(count);
  }
};
using ComplexElements = ::testing::Types<Cf, Cd>;
TYPED_TEST_SUITE(Alignment, ComplexElements);

TYPED_TEST(Alignment, ProductsHaveTheSameBits) {
  for (int const n : {1, 2, 3, 7, 16, 33, 48, 65, 100, 193, 257}) {
    for (int const k : {1, 5, 64, 300}) {
      for (int const ta : this->operators) {
        int const tb = this->operators[(ta + n) % 4];  // of all pairs, some for each size
        auto const aligned = this->product(ta, tb, n, k, 0);
        for (unsigned const shifts : {1U, 2U, 4U, 7U}) {
          ASSERT_TRUE(this->product(ta, tb, n, k, shifts) == aligned)
              << letter_of(ta) << letter_of(tb) << " n " << n << " k " << k << " shifted " << shifts;
        }
      }
    }
  }
}

TYPED_TEST(Alignment, CopiesHaveTheSameBits) {
  using T = TypeParam;
  for (int const trans : this->operators) {
    for (int const n : {1, 7, 64, 300}) {
      int const rows = n, cols = n / 2 + 1, ld = n + 2;
      auto const count = static_cast<std::size_t>(ld) * ld;
      auto const out_of_place = [&](bool shifted) {
        Shifted<T> const from(this->first, count, shifted), to(this->second, count, shifted);
        cblas_omatcopy(CblasColMajor, trans, rows, cols, T(2, -1), from.data(), ld, to.data(), ld);
        return to.bytes(count);
      };
      auto const in_place = [&](bool shifted, int width) {
        Shifted<T> const matrix(this->first, count, shifted);
        cblas_imatcopy(CblasColMajor, trans, rows, width, T(2, -1), matrix.data(), ld, ld);
        return matrix.bytes(count);
      };
      ASSERT_TRUE(out_of_place(true) == out_of_place(false)) << letter_of(trans) << " " << n;
      ASSERT_TRUE(in_place(true, rows) == in_place(false, rows)) << letter_of(trans) << " " << n;
      ASSERT_TRUE(in_place(true, cols) == in_place(false, cols)) << letter_of(trans) << " " << n;
    }
  }
}

/// A, B and C as blocks of rows of one matrix: their address ranges meet, with other leading dimensions for each call.
template <class T>
struct Interleaved : ::testing::Test {};
TYPED_TEST_SUITE(Interleaved, Elements);

TYPED_TEST(Interleaved, OperandsOfOneMemoryGiveTheBitsOfSeparateOnes) {
  using T = TypeParam;
  int const n = 100, ld = 310;
  std::vector<T> memory(static_cast<std::size_t>(ld) * 2 * n);
  std::mt19937 random(5);
  std::uniform_real_distribution<typename RealOf<T>::type> number(-1, 1);
  for (T& value : memory) value = T(number(random));
  // Columns of A and C every ld, of B every 2 ld.
  T* const a = memory.data();
  T* const b = memory.data() + n;
  T* const c = memory.data() + 2 * n + 5;
  auto const copy = [&](T const* from, int step) {
    std::vector<T> result(static_cast<std::size_t>(n) * n);
    for (int j = 0; j < n; ++j) {
      for (int i = 0; i < n; ++i)
        result[static_cast<std::size_t>(j) * n + i] = from[static_cast<std::size_t>(j) * step + i];
    }
    return result;
  };
  auto const separate_a = copy(a, ld), separate_b = copy(b, 2 * ld);
  auto expected = copy(c, ld);
  cblas_gemm(CblasColMajor, CblasNoTrans, CblasTrans, n, n, n, T(2), separate_a.data(), n, separate_b.data(), n, T(3),
             expected.data(), n);
  cblas_gemm(CblasColMajor, CblasNoTrans, CblasTrans, n, n, n, T(2), a, ld, b, 2 * ld, T(3), c, ld);
  EXPECT_TRUE(copy(c, ld) == expected);
}

}  // namespace
}  // namespace pantile::testing::blas

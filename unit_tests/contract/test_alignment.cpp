// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file  Complex operands on hosts that are aligned as their real parts only, and elements of the standard library's
///        type: every operation and algorithm gives the bits of Kokkos' type at multiples of its size.
#include <pantile/add.hpp>
#include <pantile/fill.hpp>
#include <pantile/matmul.hpp>
#include <pantile/reverse.hpp>
#include <pantile/transfer.hpp>
#include <pantile/transpose.hpp>

#include <gtest/gtest.h>
#include <Kokkos_Core.hpp>

#include <complex>
#include <cstdint>
#include <cstring>
#include <random>
#include <vector>

namespace {

using namespace pantile;
using Exec = Kokkos::DefaultHostExecutionSpace;

/// Matrices of Element in one memory that begins so many bytes behind a multiple of 64, with the same values each time.
template <class Element>
class Operands {
 public:
  using Real = typename Element::value_type;
  template <class Layout>
  using View = Kokkos::View<Element**, Layout, Kokkos::HostSpace, Kokkos::MemoryUnmanaged>;
  static constexpr std::size_t rows = 150, cols = 130, depth = 140;

  explicit Operands(std::size_t shift) : m_bytes(count * sizeof(Element) + 128) {
    auto const begin = reinterpret_cast<std::uintptr_t>(m_bytes.data());
    m_numbers = reinterpret_cast<Real*>((begin + 63) / 64 * 64 + shift);
    std::mt19937 random(7);
    std::uniform_real_distribution<Real> number(-1, 1);
    for (std::size_t i = 0; i < 2 * count; ++i) m_numbers[i] = number(random);
    auto* const data = reinterpret_cast<Element*>(m_numbers);
    a = View<Kokkos::LayoutRight>(data, rows, depth);
    b = View<Kokkos::LayoutLeft>(data + rows * depth, depth, cols);
    c = View<Kokkos::LayoutRight>(data + rows * depth + depth * cols, rows, cols);
    d = View<Kokkos::LayoutRight>(data + rows * depth + depth * cols + rows * cols, cols, rows);
  }
  [[nodiscard]] std::vector<Real> numbers() const { return {m_numbers, m_numbers + 2 * count}; }

  View<Kokkos::LayoutRight> a, c, d;
  View<Kokkos::LayoutLeft> b;

 private:
  static constexpr std::size_t count = rows * depth + depth * cols + 2 * rows * cols;
  std::vector<unsigned char> m_bytes;
  Real* m_numbers;
};

/// All numbers after the calls.
template <class Element, class Calls>
auto after(std::size_t shift, Calls const& calls) {
  Operands<Element> const operands(shift);
  calls(operands);
  Kokkos::fence();
  return operands.numbers();
}

template <class Real>
class AlignedAsReals : public ::testing::Test {
 protected:
  template <class Calls>
  static void expect_same_bits(Calls const& calls) {
    using Own = Kokkos::complex<Real>;
    using Standard = std::complex<Real>;
    auto const expected = after<Own>(0, calls);
    EXPECT_TRUE(after<Own>(sizeof(Real), calls) == expected) << "Kokkos' type, shifted";
    EXPECT_TRUE(after<Standard>(0, calls) == expected) << "the standard's type";
    EXPECT_TRUE(after<Standard>(sizeof(Real), calls) == expected) << "the standard's type, shifted";
  }
};
using Reals = ::testing::Types<float, double>;
TYPED_TEST_SUITE(AlignedAsReals, Reals);

TYPED_TEST(AlignedAsReals, Matmul) {
  using Alpha = Kokkos::complex<TypeParam>;
  for (MatmulAlgorithm const algorithm : {MatmulAlgorithm::automatic, MatmulAlgorithm::blocked, MatmulAlgorithm::tiled,
                                          MatmulAlgorithm::naive, MatmulAlgorithm::grid_stride}) {
    SCOPED_TRACE(to_string(algorithm));
    this->expect_same_bits([&](auto const& o) {
      matmul(Exec{}, Alpha(1, 2), o.a, o.b, Alpha(-1, 1), o.c, {.op_b = Op::conjugate, .algorithm = algorithm});
    });
  }
  for (int const n : {3, 16, 40}) {
    SCOPED_TRACE(n);
    this->expect_same_bits([&](auto const& o) {
      auto const part = [n](auto const& view) {
        return Kokkos::subview(view, std::pair(1, n + 1), std::pair(2, n + 2));
      };
      matmul(Exec{}, Alpha(1, 2), part(o.a), part(o.b), Alpha(-1, 1), part(o.c));
    });
  }
  this->expect_same_bits([&](auto const& o) { matmul(Exec{}, std::complex<TypeParam>(0, 1), o.a, o.b, 0, o.c); });
}

TYPED_TEST(AlignedAsReals, OtherOperations) {
  using Alpha = Kokkos::complex<TypeParam>;
  for (TransposeAlgorithm const algorithm : {TransposeAlgorithm::automatic, TransposeAlgorithm::naive,
                                             TransposeAlgorithm::tiled, TransposeAlgorithm::padded}) {
    SCOPED_TRACE(to_string(algorithm));
    this->expect_same_bits(
        [&](auto const& o) { transpose(Exec{}, o.c, o.d, {.conjugate = true, .algorithm = algorithm}); });
  }
  for (AddAlgorithm const algorithm :
       {AddAlgorithm::automatic, AddAlgorithm::naive, AddAlgorithm::tiled, AddAlgorithm::grid_stride}) {
    SCOPED_TRACE(to_string(algorithm));
    this->expect_same_bits([&](auto const& o) {
      auto const a = Kokkos::subview(o.a, std::pair(0, 100), std::pair(0, 100));
      auto const b = Kokkos::subview(o.b, std::pair(0, 100), std::pair(0, 100));
      auto const c = Kokkos::subview(o.c, std::pair(0, 100), std::pair(0, 100));
      add(Exec{}, Alpha(1, 2), a, Alpha(0, 1), b, c, {.algorithm = algorithm});
    });
  }
  this->expect_same_bits([](auto const& o) {
    auto const square = Kokkos::subview(o.c, std::pair(0, 100), std::pair(0, 100));
    transpose(Exec{}, square);
    copy(Exec{}, Kokkos::subview(o.a, std::pair(0, 100), std::pair(0, 100)),
         Kokkos::subview(o.b, std::pair(0, 100), std::pair(0, 100)));
    reverse(Exec{}, Kokkos::subview(o.d, 3, Kokkos::ALL));
    fill(Exec{}, Kokkos::subview(o.d, std::pair(5, 9), Kokkos::ALL), Alpha(2, 3));
  });
}

}  // namespace

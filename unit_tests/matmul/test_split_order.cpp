// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file  The order in which the sums of k's slices are added: rising k, bit by bit, on every tile of every machine,
/// emulated on the host. Each piece's sum is one product, so that nothing but this order is left to round.
#include <matmul/mixed.hpp>
#include <matmul/multistage.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <random>
#include <utility>
#include <vector>

namespace {

using namespace pantile::testing;
using pantile::impl::to_matrix;
using Exec = Kokkos::DefaultHostExecutionSpace;
namespace arch = pantile::impl::arch;
namespace matmul = pantile::impl::matmul;

/// Exponents of values of which the large one swallows the small ones, until it meets its negative.
struct Exponents {
  int large, small;
};

template <class T>
T swallowed_value(std::mt19937& random, Exponents const& e) {
  if constexpr (pantile::is_complex_v<T>) {
    auto const real = swallowed_value<typename T::value_type>(random, e);
    return T(real, swallowed_value<typename T::value_type>(random, e));
  } else {
    int const sign = random() % 2 == 0 ? 1 : -1, digits = static_cast<int>(random() % 16) + 16;
    return static_cast<T>(random() % 2 == 0 ? std::ldexp(sign, e.large) : std::ldexp(sign * digits, e.small));
  }
}

/// The pieces' sums, by columns of C.
template <class Sum>
struct Pieces {
  std::vector<std::vector<Sum>> sums;  // (piece, column)

  [[nodiscard]] Sum sum(std::vector<int> const& order, std::size_t column) const {
    Sum total(0);
    for (int const piece : order) total += sums[static_cast<std::size_t>(piece)][column];
    return total;
  }
  /// Would the sum in each of these orders differ from that in rising order, in some column?
  [[nodiscard]] bool show_every(std::vector<std::vector<int>> const& orders) const {
    std::vector<int> rising(sums.size());
    std::iota(rising.begin(), rising.end(), 0);
    auto const shows = [&](std::vector<int> const& order) {
      for (std::size_t j = 0; j < sums.front().size(); ++j) {
        if (!(sum(order, j) == sum(rising, j))) return true;
      }
      return false;
    };
    return std::all_of(orders.begin(), orders.end(), shows);
  }
};

/// Falling; the first one last; neighbours exchanged from the second on, since the first two may be: orders that a
/// fault would take.
std::vector<std::vector<int>> wrong_orders(int pieces) {
  std::vector<int> rising(static_cast<std::size_t>(pieces));
  std::iota(rising.begin(), rising.end(), 0);
  std::vector<std::vector<int>> orders(3, rising);
  std::reverse(orders[0].begin(), orders[0].end());
  std::rotate(orders[1].begin(), orders[1].begin() + 1, orders[1].end());
  for (std::size_t p = 1; p + 1 < orders[2].size(); p += 2) std::swap(orders[2][p], orders[2][p + 1]);
  return orders;
}

template <class T, class TC, class Accumulator, class Tile>
struct SplitCall {
  using Sum = pantile::compute_t<Accumulator>;
  static constexpr std::size_t rows = 3, columns = 37;

  int pieces, panels;
  std::size_t depth = static_cast<std::size_t>(panels * Tile::shape.k);
  std::size_t k = static_cast<std::size_t>(pieces - 1) * depth + 3;  // the last piece is shorter
  HostMatrix<T> a{rows, k}, b{k, columns};
  HostMatrix<TC> c{rows, columns}, expected{rows, columns};

  SplitCall(int pieces_, int panels_, Exponents const& exponents, bool reads_c) : pieces(pieces_), panels(panels_) {
    std::mt19937 random(static_cast<unsigned>(100 * pieces + panels));
    Pieces<Sum> values{std::vector(static_cast<std::size_t>(pieces), std::vector<Sum>(columns))};
    for (T& value : b.values) value = T(3);  // times zero
    int draws = 0;
    do {
      draw(random, exponents, values);
    } while (!values.show_every(wrong_orders(pieces)) && ++draws < 100);
    EXPECT_LT(draws, 100) << "these values show no order";
    std::vector<int> rising(static_cast<std::size_t>(pieces));
    std::iota(rising.begin(), rising.end(), 0);
    for (std::size_t i = 0; i < rows; ++i) {
      for (std::size_t j = 0; j < columns; ++j) {
        Sum const sum = values.sum(rising, j);
        c(i, j) = reads_c ? swallowed_value<TC>(random, exponents) : poison<TC>();
        Sum const signed_sum = i % 2 == 0 ? sum : Sum(0) - sum;
        expected(i, j) = static_cast<TC>(reads_c ? Sum(signed_sum + Sum(c(i, j))) : signed_sum);
      }
    }
  }

 private:
  void draw(std::mt19937& random, Exponents const& exponents, Pieces<Sum>& values) {
    for (std::size_t p = 0; p < values.sums.size(); ++p) {
      std::size_t const at = p * depth + 5 * p % std::min(depth, k - p * depth);
      for (std::size_t i = 0; i < rows; ++i) a(i, at) = T(i % 2 == 0 ? 1 : -1);
      for (std::size_t j = 0; j < columns; ++j) {
        b(at, j) = swallowed_value<T>(random, exponents);
        values.sums[p][j] = Sum(b(at, j));
      }
    }
  }
};

template <class Arch, class T, class TC, class Accumulator>
void expect_rising_pieces(Exponents const& exponents) {
  using Compute = pantile::compute_t<Accumulator>;
  for_each_tile(typename Arch::template MatmulTiles<T, T, Compute>{}, [&](int index, auto tile) {
    using enum arch::ProductEngine;
    using Tile = decltype(tile);
    if constexpr (Tile::shape.engine != tf32 && Tile::shape.engine != three_tf32) {
      struct Split {
        int pieces, panels;
        bool reads_c;
      };
      for (Split const split : {Split{3, 1, false}, {3, 1, true}, {5, 2, false}, {17, 1, true}}) {
        SCOPED_TRACE("tile " + std::to_string(index) + ", " + std::to_string(split.pieces) + " slices of " +
                     std::to_string(split.panels) + " panels" + (split.reads_c ? ", added to C" : ""));
        SplitCall<T, TC, Accumulator, Tile> const call(split.pieces, split.panels, exponents, split.reads_c);
        Placed<T, Exec> const A("A", call.a, Placement::right), B("B", call.b, Placement::right);
        Placed<TC, Exec> const C("C", call.c, Placement::padded_right);
        matmul::Problem<T, T, TC, Accumulator> const problem{const_matrix(A),
                                                             const_matrix(B),
                                                             to_matrix(C.view()),
                                                             false,
                                                             false,
                                                             Accumulator(1),
                                                             Accumulator(split.reads_c ? 1 : 0)};
        run_tile<Arch, Tile>(index, problem, split.panels);
        ASSERT_TRUE(equal(C.values(), call.expected));
      }
    }
  });
}

template <class T>
class MatmulSplitOrder : public ::testing::Test {};
using Reals = ::testing::Types<float, double, Kokkos::complex<float>, Kokkos::complex<double>>;
TYPED_TEST_SUITE(MatmulSplitOrder, Reals);

/// Digits of T and some more.
template <class T>
Exponents exponents_for() {
  if constexpr (pantile::is_complex_v<T>) {
    return exponents_for<typename T::value_type>();
  } else {
    return {std::numeric_limits<T>::digits + 7, 0};
  }
}

TYPED_TEST(MatmulSplitOrder, IsRisingOnCuda) {
  expect_rising_pieces<arch::Cuda, TypeParam, TypeParam, TypeParam>(exponents_for<TypeParam>());
}
TYPED_TEST(MatmulSplitOrder, IsRisingOnHip) {
  expect_rising_pieces<arch::Hip, TypeParam, TypeParam, TypeParam>(exponents_for<TypeParam>());
}

// The pieces' sums keep the accumulator's digits, and C is rounded to once.
TEST(MatmulSplitOrderOfMixedTypes, IsRisingInTheAccumulator) {
  expect_rising_pieces<arch::Cuda, float, float, double>(exponents_for<double>());
}

// K-packs, by matrix instructions.
TEST(MatmulSplitOrderOfMixedTypes, IsRisingForHalves) {
#if defined(__FLT16_MAX__)
  expect_rising_pieces<arch::Cuda, _Float16, float, float>({15, -14});
  expect_rising_pieces<arch::Hip, _Float16, float, float>({15, -14});
#else
  GTEST_SKIP() << "no such type here";
#endif
}

}  // namespace

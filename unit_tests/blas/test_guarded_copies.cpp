// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file  omatcopy and imatcopy with their operands between inaccessible pages: what is never touched, never read, and
///        what propagates. Exact.
#include <blas/guarded_operands.hpp>

#include <utility>

namespace pantile::testing::blas {
namespace {

constexpr int operators[] = {CblasNoTrans, CblasTrans, CblasConjTrans, CblasConjNoTrans};
constexpr int orders[] = {CblasColMajor, CblasRowMajor};
/// On the calling thread and by the team, square and not, few lines and short ones.
constexpr std::pair<int, int> shapes[] = {{1, 1},    {3, 5},    {40, 1},    {1, 40},   {33, 33},
                                          {65, 130}, {130, 17}, {301, 290}, {260, 260}};

double const nan = std::numeric_limits<double>::quiet_NaN();
double const infinity = std::numeric_limits<double>::infinity();

template <class T>
Number factor(double re, double im) {
  return is_complex<T> ? Number(re, im) : Number(re);
}

/// alpha op(A); a factor of one leaves every number as it is.
template <class T>
Numbers scaled_copy(Number alpha, Numbers const& a, int trans) {
  Numbers result = operated(a, trans);
  for (Number& value : result.values) {
    value = alpha == 0.0 ? 0.0 : alpha == 1.0 ? value : times<is_complex<T>>(alpha, value);
  }
  return result;
}

/// Numbers of all kinds: subnormal ones, infinities and NaN among small integers.
template <class T>
Numbers all_kinds(int rows, int cols) {
  Numbers a = small_integers<T>(rows, cols, 1);
  for (std::size_t i = 0; i < a.values.size(); i += 3) {
    a.values[i] = {std::ldexp(a.values[i].real(), least_exponent<T>),
                   std::ldexp(a.values[i].imag(), least_exponent<T>)};
  }
  if (rows * cols > 4) {
    a(rows - 1, cols - 1) = factor<T>(infinity, 0);
    a(0, cols - 1) = factor<T>(1, -infinity);
    a(rows - 1, 0) = nan;
    a(rows / 2, cols / 2) = factor<T>(-infinity, 2);
  }
  return a;
}

template <class T>
class GuardedCopies : public ::testing::Test {
 protected:
  template <class F>
  static void for_each_call(F const& f) {
    if (!GuardedMemory::available()) GTEST_SKIP() << "this system has no inaccessible pages";
    for (auto const& [rows, cols] : shapes) {
      for (Place const& place : places) {
        if (place.odd && !is_complex<T>) continue;
        for (int const order : orders) {
          for (int const trans : operators) {
            SCOPED_TRACE(::testing::Message() << rows << "x" << cols << " " << letter_of(trans) << " order " << order
                                              << ", " << to_string(place));
            f(rows, cols, place, order, trans);
            if (::testing::Test::HasFailure()) return;
          }
        }
      }
    }
  }
};
TYPED_TEST_SUITE(GuardedCopies, Elements);

TYPED_TEST(GuardedCopies, OutOfPlace) {
  using T = TypeParam;
  this->for_each_call([](int rows, int cols, Place const& place, int order, int trans) {
    Numbers const a = all_kinds<T>(rows, cols), nothing = filled<T>(rows, cols, nan);
    for (Number const alpha : {Number(0), Number(1), Number(2), factor<T>(3, -2)}) {
      Numbers const& values = alpha == 0.0 ? nothing : a;
      Numbers const expected = scaled_copy<T>(alpha, values, trans);
      GuardedOperand<T> const A("A", order, values, 2, place);
      GuardedOperand<T> B("B", order, filled<T>(expected.rows, expected.cols, nan), 3, place);
      cblas_omatcopy(order, trans, rows, cols, element_of<T>(alpha), A.data(), A.ld, B.data(), B.ld);
      EXPECT_TRUE(holds<T>(B, expected)) << "alpha " << alpha;
    }
  });
}

/// Memory for a matrix before and after a call, as one line.
template <class T>
struct InPlace {
  int order, before_ld, after_ld;
  Numbers memory;  ///< one row

  InPlace(int order_, Numbers const& a, Numbers const& result, bool same_ld, double rest)
      : order(order_),
        before_ld(ld_of(a) + 2),
        after_ld(same_ld && before_ld >= ld_of(result) ? before_ld : ld_of(result) + 4),
        memory(filled<T>(1, std::max(end(a, before_ld), end(result, after_ld)), rest)) {
    write(a, before_ld);
  }
  void write(Numbers const& x, int ld) {
    for (Index i = 0; i < x.rows; ++i) {
      for (Index j = 0; j < x.cols; ++j) memory.values[static_cast<std::size_t>(offset(i, j, ld))] = x(i, j);
    }
  }

 private:
  [[nodiscard]] int ld_of(Numbers const& x) const { return static_cast<int>(order == CblasColMajor ? x.rows : x.cols); }
  [[nodiscard]] Index offset(Index i, Index j, int ld) const {
    return order == CblasColMajor ? i + j * ld : i * ld + j;
  }
  [[nodiscard]] Index end(Numbers const& x, int ld) const { return offset(x.rows - 1, x.cols - 1, ld) + 1; }
};

TYPED_TEST(GuardedCopies, InPlace) {
  using T = TypeParam;
  this->for_each_call([](int rows, int cols, Place const& place, int order, int trans) {
    Numbers const a = all_kinds<T>(rows, cols), nothing = filled<T>(rows, cols, nan);
    for (Number const alpha : {Number(0), Number(1), factor<T>(3, -2)}) {
      for (bool const same_ld : {true, false}) {
        Numbers const& values = alpha == 0.0 ? nothing : a;
        Numbers const result = scaled_copy<T>(alpha, values, trans);
        InPlace<T> const before(order, values, result, same_ld, 7);
        InPlace<T> after = before;
        after.write(result, after.after_ld);
        GuardedMatrix<T> memory("A", 1, before.memory.values.size(), {before.memory.values.size(), 1}, place.guard,
                                place.template gap<T>());
        memory.fill([&](std::size_t, std::size_t at) { return element_of<T>(before.memory.values[at]); });
        cblas_imatcopy(order, trans, rows, cols, element_of<T>(alpha), memory.data(), before.before_ld,
                       before.after_ld);
        EXPECT_TRUE(holds<T>(memory, after.memory))
            << "alpha " << alpha << ", ld " << before.before_ld << " to " << before.after_ld;
      }
    }
  });
}

}  // namespace
}  // namespace pantile::testing::blas

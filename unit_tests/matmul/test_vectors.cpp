// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file  Matrix by vector and vector by matrix, as products with one column or row.
#include <matmul/cases.hpp>

namespace {

using namespace pantile::testing;
using Exec = Kokkos::DefaultExecutionSpace;
using pantile::Op;

template <class T>
using Strided = Kokkos::View<T*, Kokkos::LayoutStride, Exec>;

/// A View of rank 1 with the elements of a placed matrix of one column or row.
template <class T>
Strided<T> as_vector(Placed<T, Exec> const& placed) {
  auto const& m = placed.view();
  bool const column = m.extent(1) == 1;
  return Strided<T>(m.data(), Kokkos::LayoutStride(column ? m.extent(0) : m.extent(1), m.stride(column ? 0 : 1)));
}

template <class TestCase>
class MatmulVectors : public ::testing::Test {};
TYPED_TEST_SUITE(MatmulVectors, AllCases);

TYPED_TEST(MatmulVectors, ByMatricesAreRight) {
  using T = typename TypeParam::T;
  std::size_t number = 0;
  for (auto const& [m, k] : {std::pair{1, 1}, {1, 9}, {9, 1}, {16, 16}, {37, 41}, {300, 200}, {0, 3}, {3, 0}}) {
    auto const rows = static_cast<std::size_t>(m), depth = static_cast<std::size_t>(k);
    for (Op const op : {Op::none, Op::transpose, Op::conjugate_transpose}) {
      for (int repeat = 0; repeat < 5; ++repeat) {
        Placements const at = placements(17 * number++);
        SCOPED_TRACE(std::to_string(m) + "x" + std::to_string(k) + " " + to_string(op) + " " + to_string(at));
        Call<T> const by_column({rows, 1, depth}, scalar<T>(2, -1), scalar<T>(3, 2), op, Op::none);
        Placed<T, Exec> const A("A", by_column.a, at.a), x("x", by_column.b, at.b), y("y", by_column.c, at.c);
        pantile::matmul(Exec{}, by_column.alpha, A.view(), as_vector(x), by_column.beta, as_vector(y), {.op_a = op});
        Call<T> const by_row({1, rows, depth}, scalar<T>(2, -1), scalar<T>(3, 2), Op::none, op);
        Placed<T, Exec> const B("B", by_row.b, at.b), u("u", by_row.a, at.a), v("v", by_row.c, at.c);
        pantile::matmul(by_row.alpha, as_vector(u), B.view(), by_row.beta, as_vector(v), {.op_b = op});
        Kokkos::fence();
        EXPECT_TRUE(within(y.values(), by_column.reference.values, by_column.reference.bound));
        EXPECT_TRUE(within(v.values(), by_row.reference.values, by_row.reference.bound));
        EXPECT_TRUE(y.surroundings_intact() && v.surroundings_intact());
      }
    }
  }
}

TEST(MatmulVectorErrors, NameWhatDoesNotFit) {
  Kokkos::View<double**, Exec> const a("a", 3, 4);
  Kokkos::View<double*, Exec> const three("three", 3), four("four", 4);
  auto const rule = [](auto const& call) {
    try {
      call();
    } catch (pantile::Error const& error) {
      return error.rule();
    }
    return std::string("accepted");
  };
  EXPECT_EQ(rule([&] { pantile::matmul(1.0, a, three, 0.0, three); }),
            "columns of op(A) (4) must equal rows of op(B) (3)");
  EXPECT_EQ(rule([&] { pantile::matmul(1.0, a, four, 0.0, four); }),
            "C must be 3x1 (rows of op(A) by columns of op(B))");
  EXPECT_EQ(rule([&] { pantile::matmul(1.0, three, a, 0.0, three); }),
            "C must be 1x4 (rows of op(A) by columns of op(B))");
  Kokkos::View<double**, Exec> const square("square", 3, 3);
  EXPECT_EQ(rule([&] { pantile::matmul(1.0, square, three, 0.0, three); }), "C must not overlap B: they share memory");
  EXPECT_EQ(pantile::explain::matmul(1.0, a, four, 0.0, three).flops, 24);
}

}  // namespace

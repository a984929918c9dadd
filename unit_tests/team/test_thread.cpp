// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file  Products and transpositions by one thread each: of Views, of tiles in registers, of scratch.
#include <support/matcher.hpp>
#include <support/matrices.hpp>
#include <support/operators.hpp>
#include <support/oracle.hpp>

#include <team/launch.hpp>

#include <pantile/team/thread_matmul.hpp>
#include <pantile/team/thread_transpose.hpp>

#include <gmock/gmock.h>

#include <cstdint>

namespace {

using namespace pantile::testing;
using pantile::thread::RegisterTile;

struct ThreadShape {
  std::size_t m, n, k = 0;
};

template <class T>
class ThreadMatmul : public ::testing::Test {};
using ThreadElements = ::testing::Types<float, double, std::int32_t, Kokkos::complex<double>>;
TYPED_TEST_SUITE(ThreadMatmul, ThreadElements);

template <class T>
struct MultiplyAlone {
  typename Placed<T, TeamExec>::View a, b, c;
  T alpha, beta;
  pantile::KernelMatmulOptions options{};
  KOKKOS_FUNCTION void operator()(int) const { pantile::thread::matmul(alpha, a, b, beta, c, options); }
};

template <class Functor>
void run_threads(int count, Functor const& functor) {
  Kokkos::parallel_for("user kernel", Kokkos::RangePolicy<TeamExec>(0, count), functor);
  Kokkos::fence();
}

TYPED_TEST(ThreadMatmul, EqualsTheReference) {
  using T = TypeParam;
  for (ThreadShape const s :
       {ThreadShape{1, 1, 1}, ThreadShape{3, 3, 3}, ThreadShape{2, 5, 4}, ThreadShape{0, 2, 2}, ThreadShape{2, 3, 0}}) {
    auto const a = random_matrix<T>(s.m, s.k, 1), b = random_matrix<T>(s.k, s.n, 2), c = random_matrix<T>(s.m, s.n, 3);
    auto const reference = reference_matmul(T(2), a, b, T(3), c);
    for (Placement const placement : all_placements) {
      Placed<T, TeamExec> const A("A", a, placement), B("B", b, Placement::left), C("C", c, placement);
      run_threads(1, MultiplyAlone<T>{A.view(), B.view(), C.view(), T(2), T(3)});
      EXPECT_TRUE(within(C.values(), reference.values, reference.bound)) << s.m << "x" << s.n << "x" << s.k;
      EXPECT_TRUE(C.surroundings_intact());
    }
  }
}

TYPED_TEST(ThreadMatmul, TakesEachOperator) {
  using T = TypeParam;
  auto const c = random_matrix<T>(3, 2, 3);
  for (pantile::Op const op_a : all_ops) {
    for (pantile::Op const op_b : all_ops) {
      auto const a = random_operand<T>(op_a, 3, 5, 1), b = random_operand<T>(op_b, 5, 2, 2);
      auto const expected = reference_matmul(T(2), apply(op_a, a), apply(op_b, b), T(3), c);
      Placed<T, TeamExec> const A("A", a, Placement::left), B("B", b, Placement::padded_left),
          C("C", c, Placement::right);
      run_threads(1, MultiplyAlone<T>{A.view(), B.view(), C.view(), T(2), T(3), {op_a, op_b}});
      EXPECT_TRUE(within(C.values(), expected.values, expected.bound))
          << static_cast<int>(op_a) << static_cast<int>(op_b);
      EXPECT_TRUE(C.surroundings_intact());
    }
  }
}

TYPED_TEST(ThreadMatmul, DoesNotReadWhatIsMultipliedByZero) {
  using T = TypeParam;
  auto const a = random_matrix<T>(3, 4, 1), b = random_matrix<T>(4, 2, 2), c = random_matrix<T>(3, 2, 3);
  HostMatrix<T> bad_a(3, 4), bad_c(3, 2);
  for (T& value : bad_a.values) value = poison<T>();
  for (T& value : bad_c.values) value = poison<T>();
  auto const product = reference_matmul(T(1), a, b, T(0), c), scaled = reference_matmul(T(0), a, b, T(3), c);
  Placed<T, TeamExec> const A("A", a, Placement::right), Bad("A", bad_a, Placement::right), B("B", b, Placement::right),
      C("C", bad_c, Placement::right), D("D", c, Placement::right);
  run_threads(1, MultiplyAlone<T>{A.view(), B.view(), C.view(), T(1), T(0)});
  EXPECT_TRUE(within(C.values(), product.values, product.bound));
  run_threads(1, MultiplyAlone<T>{Bad.view(), B.view(), D.view(), T(0), T(3)});
  EXPECT_TRUE(within(D.values(), scaled.values, scaled.bound));
}

/// C = 2 A A B + C of 3x3 matrices of each thread's own, with A A in registers.
struct MultiplyInRegisters {
  using Points = Kokkos::View<std::int64_t* [3][3], TeamExec>;
  Points a, b, c;
  KOKKOS_FUNCTION void operator()(int p) const {
    RegisterTile<std::int64_t, 3, 3> square{};
    auto const of_point = [p](Points const& x) { return Kokkos::subview(x, p, Kokkos::ALL, Kokkos::ALL); };
    pantile::thread::matmul(1, of_point(a), of_point(a), 0, square);
    pantile::thread::matmul(2, square, of_point(b), 1, of_point(c));
  }
};

TEST(ThreadMatmulInRegisters, TakesTilesForViews) {
  constexpr int points = 50;
  MultiplyInRegisters::Points const a("a", points), b("b", points), c("c", points);
  auto const host_a = Kokkos::create_mirror_view(a), host_b = Kokkos::create_mirror_view(b);
  for (int p = 0; p < points; ++p) {
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) {
        host_a(p, i, j) = p + 3 * i - j;
        host_b(p, i, j) = 7 - p * i + j;
      }
    }
  }
  Kokkos::deep_copy(a, host_a);
  Kokkos::deep_copy(b, host_b);
  Kokkos::deep_copy(c, 5);
  run_threads(points, MultiplyInRegisters{a, b, c});
  auto const result = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), c);
  for (int p = 0; p < points; ++p) {
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) {
        std::int64_t expected = 5;
        for (int k = 0; k < 9; ++k) expected += 2 * host_a(p, i, k / 3) * host_a(p, k / 3, k % 3) * host_b(p, k % 3, j);
        ASSERT_EQ(result(p, i, j), expected) << p << " " << i << " " << j;
      }
    }
  }
}

/// C = A^T B^T of 2x3 and 3x2 matrices of each thread's own, by way of registers: extents that the types know.
struct MultiplyTransposedInRegisters {
  Kokkos::View<int* [2][3], TeamExec> a;
  Kokkos::View<int* [3][2], TeamExec> b;
  Kokkos::View<int* [3][3], TeamExec> c;
  KOKKOS_FUNCTION void operator()(int p) const {
    using pantile::Op;
    RegisterTile<int, 2, 3> tile{};
    for (int e = 0; e < 6; ++e) tile(e / 3, e % 3) = a(p, e / 3, e % 3);
    RegisterTile<int, 3, 3> product;
    pantile::thread::matmul(1, tile, Kokkos::subview(b, p, Kokkos::ALL, Kokkos::ALL), 0, product,
                            {.op_a = Op::transpose, .op_b = Op::transpose});
    for (int e = 0; e < 9; ++e) c(p, e / 3, e % 3) = product(e / 3, e % 3);
  }
};

TEST(ThreadMatmulInRegisters, TakesOperators) {
  constexpr int points = 20;
  MultiplyTransposedInRegisters const functor{decltype(MultiplyTransposedInRegisters::a)("a", points),
                                              decltype(MultiplyTransposedInRegisters::b)("b", points),
                                              decltype(MultiplyTransposedInRegisters::c)("c", points)};
  auto const a = Kokkos::create_mirror_view(functor.a);
  auto const b = Kokkos::create_mirror_view(functor.b);
  for (int e = 0; e < 6 * points; ++e) {
    a(e / 6, e / 3 % 2, e % 3) = e;
    b(e / 6, e / 2 % 3, e % 2) = 7 - e * e;
  }
  Kokkos::deep_copy(functor.a, a);
  Kokkos::deep_copy(functor.b, b);
  run_threads(points, functor);
  auto const c = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), functor.c);
  for (int p = 0; p < points; ++p) {
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) ASSERT_EQ(c(p, i, j), a(p, 0, i) * b(p, j, 0) + a(p, 1, i) * b(p, j, 1));
    }
  }
}

/// Products of a quarter of the width of C, and sums wider than C.
struct MultiplyMixed {
  Placed<std::int8_t, TeamExec>::View a, b;
  Placed<std::int32_t, TeamExec>::View c;
  Placed<float, TeamExec>::View x, y, z;
  KOKKOS_FUNCTION void operator()(int) const {
    pantile::thread::matmul(1, a, b, 0, c);
    pantile::thread::matmul<double>(1.0, x, y, 0.0, z);
  }
};

TEST(ThreadMatmulAccumulator, IsAsWideAsAsked) {
  HostMatrix<std::int8_t> a(1, 2), b(2, 1);
  a.values = {100, 100}, b.values = {100, 100};
  HostMatrix<float> x(1, 3), y(3, 1);
  x.values = {16777216, 1, -16777216}, y.values = {1, 1, 1};
  Placed<std::int8_t, TeamExec> const A("A", a, Placement::right), B("B", b, Placement::right);
  Placed<float, TeamExec> const X("X", x, Placement::right), Y("Y", y, Placement::right);
  Placed<std::int32_t, TeamExec> const C("C", 1, 1, Placement::right);
  Placed<float, TeamExec> const Z("Z", 1, 1, Placement::right);
  run_threads(1, MultiplyMixed{A.view(), B.view(), C.view(), X.view(), Y.view(), Z.view()});
  EXPECT_EQ(C.values()(0, 0), 20000);
  EXPECT_EQ(Z.values()(0, 0), 1.0F) << "2^24 + 1 is no float";
}

/// Each thread multiplies a part of a tile in scratch.
struct MultiplyScratch {
  Placed<double, TeamExec>::View b, c;
  KOKKOS_FUNCTION void operator()(TeamMember const& member) const {
    pantile::team::ScratchTile<double> const tile(member, 2, 2, 1);
    Kokkos::single(Kokkos::PerTeam(member), [&] {
      for (int i = 0; i < 4; ++i) tile(i / 2, i % 2) = i;
      pantile::thread::matmul(1.0, tile, b, 0.0, c);
    });
  }
};

TEST(ThreadMatmulInScratch, TakesTilesForViews) {
  HostMatrix<double> b(2, 1);
  b.values = {10, 1};
  Placed<double, TeamExec> const B("B", b, Placement::right), C("C", 2, 1, Placement::right);
  run_teams(1, 1, pantile::team::ScratchTile<double>::bytes(2, 2, 1), MultiplyScratch{B.view(), C.view()});
  EXPECT_EQ(C.values()(0, 0), 1);
  EXPECT_EQ(C.values()(1, 0), 23);
}

template <class T>
struct TransposeAlone {
  typename Placed<T, TeamExec>::View a, b;
  bool conjugated;
  KOKKOS_FUNCTION void operator()(int) const { pantile::thread::transpose(a, b, {.conjugate = conjugated}); }
};

TYPED_TEST(ThreadMatmul, TransposesBitByBit) {
  using T = TypeParam;
  for (ThreadShape const s :
       {ThreadShape{1, 1}, ThreadShape{3, 3}, ThreadShape{2, 5}, ThreadShape{0, 2}, ThreadShape{4, 0}}) {
    auto const a = random_matrix<T>(s.m, s.n, 1);
    for (bool const conjugated : {false, true}) {
      HostMatrix<T> expected(s.n, s.m);
      for (std::size_t i = 0; i < s.m; ++i) {
        for (std::size_t j = 0; j < s.n; ++j) expected(j, i) = conjugated ? pantile::conjugate(a(i, j)) : a(i, j);
      }
      for (Placement const placement : all_placements) {
        Placed<T, TeamExec> const A("A", a, placement), B("B", s.n, s.m, placement);
        run_threads(1, TransposeAlone<T>{A.view(), B.view(), conjugated});
        EXPECT_EQ(B.values().values, expected.values) << s.m << "x" << s.n << " " << conjugated;
        EXPECT_TRUE(B.surroundings_intact());
      }
    }
  }
}

/// Each thread transposes its 2x3 matrix in registers, and writes it back as 3x2 beside a tile in scratch.
struct TransposeInRegisters {
  Kokkos::View<int* [2][3], TeamExec> a;
  Kokkos::View<int* [3][2], TeamExec> b;
  KOKKOS_FUNCTION void operator()(int p) const {
    RegisterTile<int, 3, 2> transposed;
    pantile::thread::transpose(Kokkos::subview(a, p, Kokkos::ALL, Kokkos::ALL), transposed);
    RegisterTile<int, 2, 3> back;
    pantile::thread::transpose(transposed, back);
    pantile::thread::transpose(back, Kokkos::subview(b, p, Kokkos::ALL, Kokkos::ALL));
  }
};

TEST(ThreadTransposeInRegisters, TakesTilesForViews) {
  constexpr int points = 50;
  TransposeInRegisters const functor{decltype(TransposeInRegisters::a)("a", points),
                                     decltype(TransposeInRegisters::b)("b", points)};
  auto const host_a = Kokkos::create_mirror_view(functor.a);
  for (int e = 0; e < 6 * points; ++e) host_a(e / 6, e / 3 % 2, e % 3) = e;
  Kokkos::deep_copy(functor.a, host_a);
  run_threads(points, functor);
  auto const result = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), functor.b);
  for (int e = 0; e < 6 * points; ++e) ASSERT_EQ(result(e / 6, e % 3, e / 3 % 2), e);
}

}  // namespace

// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file  Algorithm::vendor: equal to the reference where Pantile is built with Kokkos Kernels, a clear error
///         otherwise.
#include <support/matcher.hpp>
#include <support/matrices.hpp>
#include <support/operators.hpp>
#include <support/oracle.hpp>
#include <support/spaces.hpp>

#include <pantile/config.hpp>
#include <pantile/matmul.hpp>

namespace {

using namespace pantile::testing;
using Algorithm = pantile::MatmulAlgorithm;
using pantile::Op;

template <class TestCase>
class Vendor : public ::testing::Test {};
using FloatingCases = CasesOf<float, double, Kokkos::complex<float>, Kokkos::complex<double>>;
TYPED_TEST_SUITE(Vendor, FloatingCases);

#if PANTILE_ENABLE_KOKKOS_KERNELS()

TYPED_TEST(Vendor, EqualsTheReferenceForLayoutsAndOperators) {
  using Exec = typename TypeParam::Exec;
  using T = typename TypeParam::T;
  constexpr std::size_t m = 37, n = 29, k = 23;
  constexpr Placement contiguous_one_way[] = {Placement::right, Placement::left, Placement::padded_right,
                                              Placement::padded_left};
  for (Placement const pa : contiguous_one_way) {
    for (Placement const pb : contiguous_one_way) {
      for (Placement const pc : contiguous_one_way) {
        for (Op const op : {Op::none, Op::transpose}) {
          auto const a = random_matrix<T>(op == Op::none ? m : k, op == Op::none ? k : m, 1);
          auto const b = random_matrix<T>(k, n, 2), c = random_matrix<T>(m, n, 3);
          Placed<T, Exec> const A("A", a, pa), B("B", b, pb), C("C", c, pc);
          pantile::matmul(Exec{}, T(2), A.view(), B.view(), T(-3), C.view(),
                          {.op_a = op, .algorithm = Algorithm::vendor});
          Kokkos::fence();
          auto const reference = reference_matmul(T(2), apply(op, a), b, T(-3), c);
          ASSERT_TRUE(within(C.values(), reference.values, reference.bound));
          ASSERT_TRUE(C.surroundings_intact());
        }
      }
    }
  }
}

TYPED_TEST(Vendor, ConjugateTransposeOfBothOperands) {
  using Exec = typename TypeParam::Exec;
  using T = typename TypeParam::T;
  auto const a = random_matrix<T>(11, 17, 1), b = random_matrix<T>(13, 11, 2), c = random_matrix<T>(17, 13, 3);
  Placed<T, Exec> const A("A", a, Placement::right), B("B", b, Placement::right), C("C", c, Placement::right);
  pantile::matmul(Exec{}, T(1), A.view(), B.view(), T(1), C.view(),
                  {.op_a = Op::conjugate_transpose, .op_b = Op::conjugate_transpose, .algorithm = Algorithm::vendor});
  Kokkos::fence();
  auto const reference =
      reference_matmul(T(1), apply(Op::conjugate_transpose, a), apply(Op::conjugate_transpose, b), T(1), c);
  EXPECT_TRUE(within(C.values(), reference.values, reference.bound));
}

TYPED_TEST(Vendor, RefusesWhatGemmCannotDo) {
  using Exec = typename TypeParam::Exec;
  using T = typename TypeParam::T;
  Placed<T, Exec> const A("A", random_matrix<T>(4, 4, 1), Placement::strided);
  Placed<T, Exec> const B("B", random_matrix<T>(4, 4, 2), Placement::right), C("C", 4, 4, Placement::right);
  auto const refused = [](auto const& call) {
    try {
      call();
    } catch (pantile::Error const& error) {
      return error.rule();
    }
    return std::string("accepted");
  };
  EXPECT_THAT(refused([&] {
                pantile::matmul(Exec{}, T(1), A.view(), B.view(), T(0), C.view(), {.algorithm = Algorithm::vendor});
              }),
              ::testing::HasSubstr("contiguous in one direction"));
  if constexpr (pantile::is_complex_v<T>) {
    EXPECT_THAT(refused([&] {
                  pantile::matmul(Exec{}, T(1), B.view(), B.view(), T(0), C.view(),
                                  {.op_a = Op::conjugate, .algorithm = Algorithm::vendor});
                }),
                ::testing::HasSubstr("cannot conjugate an operand without transposing it"));
  }
  EXPECT_TRUE(C.surroundings_intact());
}

TEST(VendorTypes, IntegersAreRefused) {
  Kokkos::View<std::int32_t**> const x("x", 2, 2), c("c", 2, 2);
  EXPECT_THROW(pantile::matmul(1, x, x, 0, c, {.algorithm = Algorithm::vendor}), pantile::Error);
}

#else

TYPED_TEST(Vendor, SaysThatItIsNotBuiltIn) {
  using T = typename TypeParam::T;
  Kokkos::View<T**, typename TypeParam::Exec> const A("A", 2, 2), B("B", 2, 2), C("C", 2, 2);
  try {
    pantile::matmul(T(1), A, B, T(0), C, {.algorithm = Algorithm::vendor});
    FAIL() << "accepted";
  } catch (pantile::Error const& error) {
    EXPECT_THAT(error.rule(), ::testing::HasSubstr("needs a Pantile built with Kokkos Kernels"));
  }
}

#endif

}  // namespace

// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file  Random shapes, tiles, placements and operators; rapidcheck shrinks what fails.
#include <matmul/cases.hpp>

#include <rapidcheck.h>

#include <cstdlib>

namespace {

using namespace pantile::testing;
using Algorithm = pantile::MatmulAlgorithm;
using pantile::Op;
using Exec = Kokkos::DefaultExecutionSpace;

template <class T>
void expect_right_for_random_calls() {
  auto const right = rc::check([] {
    // Half of them small: rows and columns alone, and what takes the short ways.
    auto const extent = [](int most) {
      return static_cast<std::size_t>(*rc::gen::inRange(0, *rc::gen::inRange(0, 2) == 0 ? 5 : most));
    };
    Shape const shape{extent(90), extent(90), extent(150)};
    constexpr Op ops[] = {Op::none, Op::transpose, Op::conjugate, Op::conjugate_transpose};
    pantile::MatmulOptions options{.op_a = ops[*rc::gen::inRange(0, 4)], .op_b = ops[*rc::gen::inRange(0, 4)]};
    if (*rc::gen::inRange(0, 2) == 0) {
      options.algorithm = own_algorithms[*rc::gen::inRange(0, 4)];
      if (options.algorithm == pantile::MatmulAlgorithm::tiled) {
        options.tile = {*rc::gen::inRange(0, 33), *rc::gen::inRange(0, 33), *rc::gen::inRange(0, 65)};
      }
    }
    Placements const at = placements(static_cast<std::size_t>(*rc::gen::inRange(0, 125)));
    Call<T> const call(shape, scalar<T>(*rc::gen::inRange(-2, 3), 1), scalar<T>(*rc::gen::inRange(-2, 3), 0),
                       options.op_a, options.op_b, static_cast<std::uint64_t>(*rc::gen::inRange(0, 1000)));
    Placed<T, Exec> const A("A", call.a, at.a), B("B", call.b, at.b), C("C", call.c, at.c);
    pantile::matmul(Exec{}, call.alpha, A.view(), B.view(), call.beta, C.view(), options);
    Kokkos::fence();
    auto const close = within(C.values(), call.reference.values, call.reference.bound);
    if (!close || !C.surroundings_intact()) RC_FAIL(to_string(shape) + ": " + close.message());
  });
  EXPECT_TRUE(right);
}

class MatmulRandom : public ::testing::Test {
 protected:
  // The same calls every time, unless the caller sets another seed.
  MatmulRandom() { setenv("RC_PARAMS", "seed=20260101 max_success=3000", 0); }
};

TEST_F(MatmulRandom, Double) { expect_right_for_random_calls<double>(); }
TEST_F(MatmulRandom, ComplexFloat) { expect_right_for_random_calls<Kokkos::complex<float>>(); }
TEST_F(MatmulRandom, Int32) { expect_right_for_random_calls<std::int32_t>(); }

}  // namespace

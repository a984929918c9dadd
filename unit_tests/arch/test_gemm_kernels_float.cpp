// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <arch/gemm_cases.hpp>

namespace {

PANTILE_TEST_GEMM_SETS(GemmKernels, float)
PANTILE_TEST_GEMM_SETS(GemmKernelsComplex, Pairs<float>)

TEST(GemmKernelsElsewhere, Real) { pantile::testing::expect_right_elsewhere<float>(); }
TEST(GemmKernelsElsewhere, Complex) { pantile::testing::expect_right_elsewhere<pantile::impl::arch::Pairs<float>>(); }

}  // namespace

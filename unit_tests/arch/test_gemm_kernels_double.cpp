// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <arch/gemm_cases.hpp>

namespace {

PANTILE_TEST_GEMM_SETS(GemmKernels, double)
PANTILE_TEST_GEMM_SETS(GemmKernelsComplex, Pairs<double>)

TEST(GemmKernelsElsewhere, Real) { pantile::testing::expect_right_elsewhere<double>(); }
TEST(GemmKernelsElsewhere, Complex) { pantile::testing::expect_right_elsewhere<pantile::impl::arch::Pairs<double>>(); }

}  // namespace

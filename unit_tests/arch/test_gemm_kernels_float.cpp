// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <arch/gemm_cases.hpp>

namespace {

PANTILE_TEST_GEMM_SETS(GemmKernels, float, false)
PANTILE_TEST_GEMM_SETS(GemmKernelsComplex, float, true)

TEST(GemmKernelsElsewhere, Real) { pantile::testing::expect_right_elsewhere<float, false>(); }
TEST(GemmKernelsElsewhere, Complex) { pantile::testing::expect_right_elsewhere<float, true>(); }

}  // namespace

// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <arch/gemm_cases.hpp>

namespace {

PANTILE_TEST_GEMM_SETS(GemmKernels32, std::uint32_t)
PANTILE_TEST_GEMM_SETS(GemmKernels64, std::uint64_t)

TEST(GemmKernelsElsewhere, Integers) {
  pantile::testing::expect_right_elsewhere<std::uint32_t>();
  pantile::testing::expect_right_elsewhere<std::uint64_t>();
}

}  // namespace

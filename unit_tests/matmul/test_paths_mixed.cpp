// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <matmul/path_tests.hpp>

namespace pantile::testing {

using Elements =
    ::testing::Types<Types<float, double, double>, Types<Kokkos::complex<float>, double, Kokkos::complex<double>>>;
INSTANTIATE_TYPED_TEST_SUITE_P(Elements, MatmulPaths, Elements);

}  // namespace pantile::testing

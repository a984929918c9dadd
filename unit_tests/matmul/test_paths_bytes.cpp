// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <matmul/path_tests.hpp>

namespace pantile::testing {

using Elements = ::testing::Types<Types<std::int8_t, std::int8_t, std::int32_t>,
                                  Types<std::uint8_t, std::int8_t, std::int64_t, std::int32_t>>;
INSTANTIATE_TYPED_TEST_SUITE_P(Elements, MatmulPaths, Elements);

}  // namespace pantile::testing

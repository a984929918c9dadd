// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <support/oracle.hpp>

namespace pantile::testing {

PANTILE_TEST_REFERENCES()

}  // namespace pantile::testing

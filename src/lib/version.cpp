// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pantile/version.hpp>

namespace pantile {

Version library_version() noexcept { return header_version; }

}  // namespace pantile

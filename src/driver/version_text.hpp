// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <pantile/version.hpp>

#include <string>

namespace pantile::driver {

/// "1.2.3"
inline std::string version_text(Version const& version) {
  return std::to_string(version.major) + "." + std::to_string(version.minor) + "." + std::to_string(version.patch);
}

}  // namespace pantile::driver

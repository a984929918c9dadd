// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  The version of these headers, which CMake reads from here. Patch 99 marks a development version.

#include <compare>

#define PANTILE_VERSION_MAJOR 0
#define PANTILE_VERSION_MINOR 1
#define PANTILE_VERSION_PATCH 99

namespace pantile {

struct Version {
  int major;
  int minor;
  int patch;
  friend constexpr auto operator<=>(Version const&, Version const&) = default;
};

/// Version of the headers that this file is compiled with.
inline constexpr Version header_version{PANTILE_VERSION_MAJOR, PANTILE_VERSION_MINOR, PANTILE_VERSION_PATCH};

/// Version of the compiled library that the program is linked to (target Pantile::pantile only).
[[nodiscard]] Version library_version() noexcept;

}  // namespace pantile

// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  Structures that begin with their size, from programs with an older or a newer header.

#include <c/status.hpp>

#include <pantile/policy.hpp>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <string>
#include <type_traits>

namespace pantile::c {

/// \brief  The caller's structure as this library knows it: what the caller's header lacks is zero, what this one lacks
///         must be zero. All zeroes for a null pointer.
template <class Options>
Options read(char const* name, Options const* given) {
  static_assert(std::is_trivially_copyable_v<Options>);
  Options known{};
  if (given == nullptr) return known;
  std::size_t const size = given->size;
  require(size >= sizeof given->size, [&] {
    return std::string(name) + ".size is " + std::to_string(size) + ": it must be the size of the structure";
  });
  auto const* const bytes = reinterpret_cast<unsigned char const*>(given);
  bool const rest_is_zero =
      size <= sizeof known || std::all_of(bytes + sizeof known, bytes + size, [](auto byte) { return byte == 0; });
  require(rest_is_zero, [&] { return std::string(name) + " asks for what only a newer library knows"; });
  std::memcpy(&known, given, std::min(size, sizeof known));
  return known;
}

inline Workspace workspace_of(pantile_workspace const& workspace) { return {workspace.data, workspace.bytes}; }
inline Extent2 extent_of(pantile_extent2 const& extent) { return {extent.x, extent.y}; }
inline LaunchShape launch_of(pantile_launch const& launch) { return {extent_of(launch.grid), extent_of(launch.block)}; }

}  // namespace pantile::c

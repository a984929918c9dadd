// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>

#include "io/array.hpp"
#include "io/npy_header.hpp"
#include "io/progress.hpp"

namespace pantile::driver {

/// Reads an .npy file of format 1.0, 2.0 or 3.0 with 1 to 3 dimensions, in C or Fortran order (kept as it is) and in
/// either byte order (changed to this machine's). A file takes no more memory than its own length; what the standard
/// input, `-`, declares is believed. Throws FileError.
Array read_npy(std::filesystem::path const& path, Progress const& progress = {});

/// An .npy file of which only the header was read.
struct NpyFile {
  NpyHeader header;
  std::uint64_t offset = 0;  ///< of the first element
  std::uint64_t size = 0;    ///< of the file
  std::int64_t changed = 0;  ///< when, in nanoseconds of the file system's clock
};

/// Reads the header of a regular file as read_npy does, and compares its size. Throws FileError.
NpyFile look_at_npy(std::filesystem::path const& path);

/// Whether a regular file begins as .npy files do. Throws FileError where there is no such file to be read.
bool is_npy(std::filesystem::path const& path);

/// Reverses the bytes of each component of so many.
void swap_bytes(std::span<std::byte> bytes, std::size_t component_size);

/// Writes format 1.0, or 3.0 where that has no room or letters for the header. The file appears whole or
/// not at all. Throws FileError, and std::invalid_argument for a view that require_valid() refuses.
void write_npy(std::filesystem::path const& path, ArrayView const& view, Progress const& progress = {});

}  // namespace pantile::driver

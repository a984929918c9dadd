// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <filesystem>

#include "io/array.hpp"
#include "io/progress.hpp"

namespace pantile::driver {

/// Reads an .npy file of format 1.0, 2.0 or 3.0 with 1 to 3 dimensions, in C or Fortran order (kept as it
/// is) and in either byte order (turned to this machine's). The size that the header declares is compared
/// with the file's before memory is taken, so that no file makes it allocate more than its own length; of the
/// standard input, `-`, which must end behind the array, it is believed. Throws FileError.
Array read_npy(std::filesystem::path const& path, Progress const& progress = {});

/// Writes format 1.0. The file appears whole or not at all. Throws FileError, and std::invalid_argument
/// for a view that require_valid() refuses.
void write_npy(std::filesystem::path const& path, ArrayView const& view, Progress const& progress = {});

}  // namespace pantile::driver

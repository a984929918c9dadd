// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <filesystem>

#include "io/array.hpp"
#include "io/progress.hpp"

namespace pantile::driver {

/// Reads .npy or Matrix Market, whichever the first bytes say; of the standard input, `-`, .npy only. Throws FileError.
Array read_matrix_file(std::filesystem::path const& path, Progress const& progress = {});

/// Writes .npy or, for the names *.mtx and *.mm, Matrix Market; `-` is an .npy on the standard output. Throws
/// FileError, also for other names.
void write_matrix_file(std::filesystem::path const& path, ArrayView const& view, Progress const& progress = {});

/// Throws the FileError that write_matrix_file would throw at its start: unknown name, folder or file that
/// cannot be written. For programs that must not find this out after hours of work.
void require_matrix_file_writable(std::filesystem::path const& path);

}  // namespace pantile::driver

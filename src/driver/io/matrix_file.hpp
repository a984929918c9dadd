// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <filesystem>
#include <optional>

#include "io/array.hpp"
#include "io/progress.hpp"

namespace pantile::driver {

/// What read_matrix_file would give, without elements: as little of the file is read as says so. Of the standard input,
/// which is read once, nothing. Throws FileError as read_matrix_file does.
std::optional<Array> look_at_matrix_file(std::filesystem::path const& path);

/// Reads .npy or Matrix Market, whichever the first bytes say, or the HDF5 dataset file.h5:/dataset; of the standard
/// input, `-`, .npy only. Throws FileError.
Array read_matrix_file(std::filesystem::path const& path, Progress const& progress = {});

/// Writes .npy or, for the names *.mtx and *.mm, Matrix Market, or the HDF5 dataset file.h5:/dataset; `-` is an .npy on
/// the standard output. Throws FileError, also for other names.
void write_matrix_file(std::filesystem::path const& path, ArrayView const& view, Progress const& progress = {});

/// Throws the FileError that write_matrix_file would throw at its start: unknown name, folder or file that
/// cannot be written. For programs that must not find this out after hours of work.
void require_matrix_file_writable(std::filesystem::path const& path);

/// Throws the FileError that write_matrix_file would throw for elements of that type in that shape.
void require_matrix_file_takes(std::filesystem::path const& path, ElementType const& type, Shape const& shape);

/// The file in which a matrix lies: the path itself, but of file.h5:/dataset the part before the colon.
std::filesystem::path file_of(std::filesystem::path const& path);

/// Whether both name one file (see is_same_file), of HDF5 files one dataset.
bool is_same_matrix(std::filesystem::path const& a, std::filesystem::path const& b);

}  // namespace pantile::driver

// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <cstddef>
#include <filesystem>

#include "io/array.hpp"
#include "io/progress.hpp"

namespace pantile::driver {

/// Most bytes that a coordinate (sparse) file may unfold to. An array file needs no such limit: each of its elements
/// takes space in the file.
inline constexpr std::size_t densified_cap = std::size_t{1} << 30;

/// Reads a Matrix Market file as a dense matrix in Fortran order of float64 (real, double and pattern), int64 or
/// complex128. Symmetries are unfolded; entries of a coordinate file that name the same element are added up. Throws
/// FileError, which names the line.
Array read_matrix_market(std::filesystem::path const& path, Progress const& progress = {},
                         std::size_t cap = densified_cap);

/// The type and shape that read_matrix_market gives, without elements: only the lines above them are read. Throws
/// FileError as it does.
Array look_at_matrix_market(std::filesystem::path const& path);

/// Throws the FileError that write_matrix_market would throw for elements of that type in that shape.
void require_matrix_market_takes(std::filesystem::path const& path, ElementType const& type, Shape const& shape);

/// Writes the array format, general, of a matrix or of a vector (as one column), whole or not at all. Every number
/// reads back with the same value. Refused with FileError: three dimensions, types that are no numbers, and uint64
/// values of 2^63 or more, which readers take as int64.
void write_matrix_market(std::filesystem::path const& path, ArrayView const& view, Progress const& progress = {});

}  // namespace pantile::driver

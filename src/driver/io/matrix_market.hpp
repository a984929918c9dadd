// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <cstddef>
#include <filesystem>

#include "io/array.hpp"
#include "io/progress.hpp"

namespace pantile::driver {

struct MatrixMarketOptions {
  /// Most bytes that a coordinate (sparse) file may unfold to. An array file needs no such limit: each of
  /// its elements takes space in the file.
  std::size_t densified_cap = std::size_t{1} << 30;
};

/// Reads a Matrix Market file as a dense matrix in Fortran order. real, double and pattern become float64,
/// integer becomes int64, complex becomes complex128. symmetric, skew-symmetric and hermitian files are
/// unfolded; entries of a coordinate file that name the same element are added up.
///
/// Strict: one entry a line, blank lines allowed, comments only above the size; every number is checked
/// for its range, and the number of entries must be the declared one. Sizes are compared with the length
/// of the file before memory is taken: an array file takes at most 16 times its own length, a coordinate
/// file at most options.densified_cap. Throws FileError, which names the line.
Array read_matrix_market(std::filesystem::path const& path, Progress const& progress = {},
                         MatrixMarketOptions const& options = {});

/// Writes the array format, general, of a matrix or of a vector (as one column). Every number reads back
/// with the same value: floating-point types are written as the shortest decimal that gives the same
/// float64 (inf and nan by these names), integers in full. Refused with FileError: three dimensions, types
/// that are no numbers, and uint64 values of 2^63 or more, which readers take as int64. The file appears
/// whole or not at all.
void write_matrix_market(std::filesystem::path const& path, ArrayView const& view, Progress const& progress = {});

}  // namespace pantile::driver

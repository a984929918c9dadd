// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "io/array.hpp"
#include "io/progress.hpp"

namespace pantile::driver {

/// Whether this program was built with HDF5.
extern bool const has_hdf5;

/// A dataset in an HDF5 file, as in file.h5:/group/name.
struct Hdf5Name {
  std::filesystem::path file;
  std::string dataset;  // without superfluous slashes
};

/// The name's parts where the path has .h5:/ or .hdf5:/ in it; nothing for other paths.
std::optional<Hdf5Name> parse_hdf5_name(std::filesystem::path const& path);

/// The type and shape of a dataset as read_hdf5 gives them, without elements. Throws FileError as it does.
Array look_at_hdf5(std::filesystem::path const& path, Hdf5Name const& name);

/// Reads a dataset of 1 to 3 dimensions. Complex numbers are compounds of r and i, booleans enumerations of FALSE and
/// TRUE, as h5py has them; opaque elements whose tag is NUMPY: and a type code are of that type, others raw bytes.
/// Throws FileError, also in builds without HDF5.
Array read_hdf5(std::filesystem::path const& path, Hdf5Name const& name, Progress const& progress = {});

/// Writes a dataset in C order, and what the file holds beside it again: the file appears whole or not at all. A
/// dataset of that name is replaced. Types that HDF5 does not have are opaque, with the tag that read_hdf5 knows.
/// Throws FileError, also in builds without HDF5; std::invalid_argument for a matrix in Fortran order.
void write_hdf5(std::filesystem::path const& path, Hdf5Name const& name, ArrayView const& view,
                Progress const& progress = {});

/// Throws the FileError that write_hdf5 would throw for elements of that type.
void require_hdf5_takes(std::filesystem::path const& path, ElementType const& type);

/// Throws the FileError that write_hdf5 would throw at its start.
void require_hdf5_writable(std::filesystem::path const& path, Hdf5Name const& name);

}  // namespace pantile::driver

// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Builds without HDF5 know the names of datasets and say why they are of no use.

#include "io/file_error.hpp"
#include "io/hdf5.hpp"

namespace pantile::driver {

bool const has_hdf5 = false;

constexpr std::string_view reason = "this program was built without HDF5 (Pantile_ENABLE_HDF5)";

Array look_at_hdf5(std::filesystem::path const& path, Hdf5Name const&) { fail_reading(path, reason); }

Array read_hdf5(std::filesystem::path const& path, Hdf5Name const&, Progress const&) { fail_reading(path, reason); }

void write_hdf5(std::filesystem::path const& path, Hdf5Name const&, ArrayView const&, Progress const&) {
  fail_writing(path, reason);
}

void require_hdf5_takes(std::filesystem::path const& path, ElementType const&) { fail_writing(path, reason); }

void require_hdf5_writable(std::filesystem::path const& path, Hdf5Name const&) { fail_writing(path, reason); }

}  // namespace pantile::driver

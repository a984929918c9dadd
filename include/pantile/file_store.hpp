// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  A matrix in a file, as an operand of out_of_core.hpp. POSIX; no Kokkos.

#include <pantile/tile_store.hpp>

#include <pantile/impl/out_of_core/file.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

namespace pantile::out_of_core {

/// \brief  A matrix whose elements lie in a file without gaps, from an offset on, in this machine's byte order: a raw
///         file, or an .npy file behind its header.
///
/// Parts are read by pread and written by pwrite, which do not use the file's own position. Contiguous runs of 1 MiB
/// and more bypass the page cache where the system allows it: whole blocks go directly from and to memory that begins
/// where begin_in_block() says, all else through a buffer of 2 MiB. Before shorter runs the system is advised of the
/// next ones, so that it can read ahead; where parts follow each other along the runs, of whole blocks.
class FileStore : public TileStore {
 public:
  /// \param  descriptor  of an open file; the store keeps a copy of it, the caller still closes this one
  /// \param  name        of the file, for messages
  /// \param  offset      of the first element in the file, in bytes
  /// \throws std::system_error  where the descriptor is not valid
  FileStore(int descriptor, std::string name, std::uint64_t offset, StoreShape const& shape)
      : m_matrix(descriptor, std::move(name), offset, shape) {}

  [[nodiscard]] StoreShape const& shape() const override { return m_matrix.shape(); }

  /// The part's own offset in a block of the file, where its first run bypasses the page cache; else 0.
  [[nodiscard]] std::size_t begin_in_block(Part const& part) const override { return m_matrix.begin_in_block(part); }

  /// One call at a time: a call keeps track of what the system has been advised of.
  /// \throws std::system_error   where the file cannot be read
  /// \throws std::runtime_error  where the file ends before the part does
  void read(Part const& part, std::byte* tile) override { m_matrix.read(part, tile); }

  /// \throws std::system_error  where the file cannot be written, as on a full disk
  void write(Part const& part, std::byte const* tile) override { m_matrix.write(part, tile); }

 private:
  impl::out_of_core::FileMatrix m_matrix;
};

}  // namespace pantile::out_of_core

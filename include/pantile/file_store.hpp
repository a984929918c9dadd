// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  A matrix in a file, for out_of_core.hpp. POSIX; no Kokkos.

#include <pantile/tile_store.hpp>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <unistd.h>

namespace pantile::out_of_core {

/// \brief  A matrix whose elements lie in a file without gaps, from an offset on, in this machine's byte order: a raw
///         file, or an .npy file behind its header.
///
/// Parts are moved by pread and pwrite, so that the file's own position says nothing. While a part in many pieces is
/// read, the system is told of the next pieces, which it may fetch at the same time.
class FileStore : public TileStore {
 public:
  /// \param  descriptor  of an open file; a copy of it is kept, and the caller's stays his own
  /// \param  name        of the file, for messages
  /// \param  offset      of the first element in the file, in bytes
  /// \throws std::system_error  where the descriptor is none
  FileStore(int descriptor, std::string name, std::uint64_t offset, StoreShape const& shape)
      : m_descriptor(::fcntl(descriptor, F_DUPFD_CLOEXEC, 0)),
        m_name(std::move(name)),
        m_offset(offset),
        m_shape(shape) {
    if (m_descriptor < 0) fail("open");
  }
  ~FileStore() override { ::close(m_descriptor); }
  FileStore(FileStore&&) = delete;
  FileStore& operator=(FileStore&&) = delete;

  [[nodiscard]] StoreShape const& shape() const override { return m_shape; }

  /// \throws std::system_error   where the file cannot be read
  /// \throws std::runtime_error  where it ends before the part
  void read(Part const& part, std::byte* tile) override {
    Part ahead = part;
    std::int64_t told = 0, done = 0;
    for_each_run(m_shape, part, [&](std::uint64_t place, std::uint64_t packed, std::uint64_t bytes) {
      if (bytes < static_cast<std::uint64_t>(part.count()) * m_shape.element_bytes && told - done < pieces_ahead / 2) {
        told = tell_ahead(part, ahead, done, told);
      }
      read_run(m_offset + place, tile + packed, bytes);
      ++done;
    });
  }

  /// \throws std::system_error  where the file cannot be written, as on a full disk
  void write(Part const& part, std::byte const* tile) override {
    for_each_run(m_shape, part, [&](std::uint64_t place, std::uint64_t packed, std::uint64_t bytes) {
      write_run(m_offset + place, tile + packed, bytes);
    });
  }

 private:
  static constexpr std::int64_t pieces_ahead = 64;

  [[noreturn]] void fail(char const* what) const {
    throw std::system_error(errno, std::generic_category(), "cannot " + std::string(what) + " '" + m_name + "'");
  }

  /// Tells the system of pieces up to pieces_ahead behind the one that is read next.
  std::int64_t tell_ahead(Part const& part, Part ahead, std::int64_t done, std::int64_t told) const {
    bool const rows = m_shape.order == Order::rows;
    std::int64_t const pieces = rows ? part.rows : part.cols;
    std::int64_t const end = std::min(done + pieces_ahead, pieces);
    (rows ? ahead.row : ahead.col) += told;
    (rows ? ahead.rows : ahead.cols) = end - told;
    for_each_run(m_shape, ahead, [&](std::uint64_t place, std::uint64_t, std::uint64_t bytes) {
      (void)::posix_fadvise(m_descriptor, static_cast<off_t>(m_offset + place), static_cast<off_t>(bytes),
                            POSIX_FADV_WILLNEED);
    });
    return end;
  }

  void read_run(std::uint64_t place, std::byte* to, std::uint64_t bytes) const {
    while (bytes > 0) {
      ssize_t const got = ::pread(m_descriptor, to, piece(bytes), static_cast<off_t>(place));
      if (got < 0 && errno == EINTR) continue;
      if (got < 0) fail("read");
      if (got == 0) {
        throw std::runtime_error("cannot read '" + m_name + "': it ends at byte " + std::to_string(place) + ", " +
                                 std::to_string(bytes) + " bytes too early");
      }
      place += static_cast<std::uint64_t>(got);
      to += got;
      bytes -= static_cast<std::uint64_t>(got);
    }
  }

  void write_run(std::uint64_t place, std::byte const* from, std::uint64_t bytes) const {
    while (bytes > 0) {
      ssize_t const put = ::pwrite(m_descriptor, from, piece(bytes), static_cast<off_t>(place));
      if (put < 0 && errno == EINTR) continue;
      if (put < 0) fail("write");
      place += static_cast<std::uint64_t>(put);
      from += put;
      bytes -= static_cast<std::uint64_t>(put);
    }
  }

  /// The kernel moves at most 2 GiB at a time.
  static std::size_t piece(std::uint64_t bytes) { return std::min(bytes, std::uint64_t{1} << 30); }

  int m_descriptor;
  std::string m_name;
  std::uint64_t m_offset;
  StoreShape m_shape;
};

}  // namespace pantile::out_of_core

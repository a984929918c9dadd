// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  A matrix in a file, for out_of_core.hpp. POSIX; no Kokkos.

#include <pantile/tile_store.hpp>

#include <pantile/impl/out_of_core/read_ahead.hpp>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
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
/// Parts are moved by pread and pwrite, which do not use the file's own position. While a part in many pieces is read,
/// the system is advised of the next pieces, which it may fetch at the same time; in whole blocks where parts follow
/// each other along the pieces. Pieces of 1 MiB and more bypass the page cache where the system allows it: whole blocks
/// directly from and to memory that begins where begin_in_block() says, else through a buffer of 2 MiB.
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
    m_direct = open_past_cache();
  }
  ~FileStore() override {
    ::close(m_descriptor);
    if (m_direct >= 0) ::close(m_direct);
  }
  FileStore(FileStore&&) = delete;
  FileStore& operator=(FileStore&&) = delete;

  [[nodiscard]] StoreShape const& shape() const override { return m_shape; }

  /// As in the file where the part begins with a piece that goes past the cache.
  [[nodiscard]] std::size_t begin_in_block(Part const& part) const override {
    std::uint64_t place = 0, bytes = 0;
    for_each_run(m_shape, part, [&](std::uint64_t first, std::uint64_t, std::uint64_t count) {
      if (bytes == 0) place = m_offset + first, bytes = count;
    });
    return goes_past_cache(bytes) && place % m_shape.element_bytes == 0 ? place % block : 0;
  }

  /// One call at a time: it remembers what has been read ahead.
  /// \throws std::system_error   where the file cannot be read
  /// \throws std::runtime_error  where it ends before the part
  void read(Part const& part, std::byte* tile) override {
    std::int64_t done = 0;
    m_ahead.begin(m_shape, part);
    auto const tell = [&](std::uint64_t first, std::uint64_t bytes) {
      (void)::posix_fadvise(m_descriptor, static_cast<off_t>(first), static_cast<off_t>(bytes), POSIX_FADV_WILLNEED);
    };
    for_each_run(m_shape, part, [&](std::uint64_t place, std::uint64_t packed, std::uint64_t bytes) {
      if (bytes < least_past_cache) m_ahead.before_piece(m_shape, m_offset, done++, tell);
      read_run(m_offset + place, tile + packed, bytes);
    });
  }

  /// \throws std::system_error  where the file cannot be written, as on a full disk
  void write(Part const& part, std::byte const* tile) override {
    for_each_run(m_shape, part, [&](std::uint64_t place, std::uint64_t packed, std::uint64_t bytes) {
      write_run(m_offset + place, tile + packed, bytes);
    });
  }

 private:
  static constexpr std::uint64_t block = block_bytes, most_blocks = impl::arch::host::most_past_cache_bytes;
  static constexpr std::uint64_t least_past_cache = impl::arch::host::least_past_cache_bytes;

  [[noreturn]] void fail(char const* what) const {
    throw std::system_error(errno, std::generic_category(), "cannot " + std::string(what) + " '" + m_name + "'");
  }

  /// The file once more, for what goes past the cache; -1 where there is no such way.
  [[nodiscard]] int open_past_cache() const {
#if defined(O_DIRECT)
    int const mode = ::fcntl(m_descriptor, F_GETFL) & O_ACCMODE;
    return ::open(("/proc/self/fd/" + std::to_string(m_descriptor)).c_str(), mode | O_DIRECT | O_CLOEXEC);
#else
    return -1;
#endif
  }

  [[nodiscard]] bool goes_past_cache(std::uint64_t bytes) const { return m_direct >= 0 && bytes >= least_past_cache; }

  /// Memory for what goes past the cache, whole blocks of the file; none where so many bytes go through the cache.
  using Blocks = std::unique_ptr<std::byte, decltype(&std::free)>;
  [[nodiscard]] Blocks blocks_for(std::uint64_t bytes) const {
    return {goes_past_cache(bytes) ? static_cast<std::byte*>(std::aligned_alloc(block, most_blocks)) : nullptr,
            &std::free};
  }

  /// Memory that begins in a block as the file does at `place`: a disk reaches its whole blocks.
  static bool fits(void const* memory, std::uint64_t place) {
    return reinterpret_cast<std::uintptr_t>(memory) % block == place % block;
  }
  static std::uint64_t to_next_block(std::uint64_t place) { return (block - place % block) % block; }
  /// As pread, whole blocks into memory that fits, the rest through blocks.
  ssize_t read_blocks(std::byte* blocks, std::uint64_t place, std::byte* to, std::uint64_t bytes) const {
    std::uint64_t const before = to_next_block(place);
    if (fits(to, place)) {
      if (before == 0 && bytes >= block) {
        return ::pread(m_direct, to, piece(bytes) / block * block, static_cast<off_t>(place));
      }
      if (before > 0) bytes = std::min(bytes, before);
    }
    std::uint64_t const skipped = place % block, whole = (skipped + bytes + block - 1) / block * block;
    ssize_t const got = ::pread(m_direct, blocks, std::min(whole, most_blocks), static_cast<off_t>(place - skipped));
    if (got < 0) return got;
    std::uint64_t const here = std::min(bytes, std::max(static_cast<std::uint64_t>(got), skipped) - skipped);
    std::memcpy(to, blocks + skipped, here);
    return static_cast<ssize_t>(here);
  }

  /// As pwrite; bytes that do not fill a whole block go through the cache.
  ssize_t write_blocks(std::byte* blocks, std::uint64_t place, std::byte const* from, std::uint64_t bytes) const {
    std::uint64_t const before = to_next_block(place);
    if (before > 0 || bytes < block) {
      return ::pwrite(m_descriptor, from, before > 0 ? std::min(before, bytes) : bytes, static_cast<off_t>(place));
    }
    if (fits(from, place)) {
      return ::pwrite(m_direct, from, piece(bytes) / block * block, static_cast<off_t>(place));
    }
    std::uint64_t const whole = std::min(bytes / block * block, most_blocks);
    std::memcpy(blocks, from, whole);
    return ::pwrite(m_direct, blocks, whole, static_cast<off_t>(place));
  }

  void read_run(std::uint64_t place, std::byte* to, std::uint64_t bytes) const {
    Blocks blocks = blocks_for(bytes);
    while (bytes > 0) {
      ssize_t const got = blocks ? read_blocks(blocks.get(), place, to, bytes)
                                 : ::pread(m_descriptor, to, piece(bytes), static_cast<off_t>(place));
      if (got < 0 && blocks && errno == EINVAL) {
        blocks.reset();  // the file wants larger blocks
        continue;
      }
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
    Blocks blocks = blocks_for(bytes);
    while (bytes > 0) {
      ssize_t const put = blocks ? write_blocks(blocks.get(), place, from, bytes)
                                 : ::pwrite(m_descriptor, from, piece(bytes), static_cast<off_t>(place));
      if (put < 0 && blocks && errno == EINVAL) {
        blocks.reset();
        continue;
      }
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
  int m_direct = -1;
  std::string m_name;
  std::uint64_t m_offset;
  StoreShape m_shape;
  impl::out_of_core::ReadAhead m_ahead;
};

}  // namespace pantile::out_of_core

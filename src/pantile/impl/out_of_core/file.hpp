// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  Reads and writes of a FileStore: large ones past the page cache, smaller reads with advice on what follows.

#include <pantile/tile_store.hpp>

#include <pantile/impl/arch/host/tuning/out_of_core.hpp>
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

namespace pantile::impl::out_of_core {

using namespace pantile::out_of_core;

/// \brief  An open file that is read and written at given places. Transfers of least_past_cache bytes and more bypass
///         the page cache by O_DIRECT, where the system has it.
class File {
 public:
  static constexpr std::uint64_t block = block_bytes;
  static constexpr std::uint64_t least_past_cache = arch::host::least_past_cache_bytes;

  /// A copy of the descriptor is kept. Throws std::system_error where it is none.
  File(int descriptor, std::string name)
      : m_descriptor(::fcntl(descriptor, F_DUPFD_CLOEXEC, 0)), m_name(std::move(name)) {
    if (m_descriptor < 0) fail("open");
    m_direct = open_past_cache();
  }
  ~File() {
    ::close(m_descriptor);
    if (m_direct >= 0) ::close(m_direct);
  }
  File(File&&) = delete;
  File& operator=(File&&) = delete;

  [[nodiscard]] bool goes_past_cache(std::uint64_t bytes) const { return m_direct >= 0 && bytes >= least_past_cache; }

  /// Advise the system that these bytes are read soon.
  void advise(std::uint64_t place, std::uint64_t bytes) const {
    (void)::posix_fadvise(m_descriptor, static_cast<off_t>(place), static_cast<off_t>(bytes), POSIX_FADV_WILLNEED);
  }

  void read(std::uint64_t place, std::byte* to, std::uint64_t bytes) const {
    Blocks blocks = blocks_for(bytes);
    while (bytes > 0) {
      ssize_t const got = blocks ? read_blocks(blocks.get(), place, to, bytes)
                                 : ::pread(m_descriptor, to, one_call(bytes), static_cast<off_t>(place));
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

  void write(std::uint64_t place, std::byte const* from, std::uint64_t bytes) const {
    Blocks blocks = blocks_for(bytes);
    while (bytes > 0) {
      ssize_t const put = blocks ? write_blocks(blocks.get(), place, from, bytes)
                                 : ::pwrite(m_descriptor, from, one_call(bytes), static_cast<off_t>(place));
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

 private:
  static constexpr std::uint64_t most_blocks = arch::host::most_past_cache_bytes;

  [[noreturn]] void fail(char const* what) const {
    throw std::system_error(errno, std::generic_category(), "cannot " + std::string(what) + " '" + m_name + "'");
  }

  /// A second descriptor of the file, for transfers past the cache; -1 where the system has none.
  [[nodiscard]] int open_past_cache() const {
#if defined(O_DIRECT)
    int const mode = ::fcntl(m_descriptor, F_GETFL) & O_ACCMODE;
    return ::open(("/proc/self/fd/" + std::to_string(m_descriptor)).c_str(), mode | O_DIRECT | O_CLOEXEC);
#else
    return -1;
#endif
  }

  /// A buffer of whole blocks for transfers past the cache; null where so many bytes go through the cache.
  using Blocks = std::unique_ptr<std::byte, decltype(&std::free)>;
  [[nodiscard]] Blocks blocks_for(std::uint64_t bytes) const {
    return {goes_past_cache(bytes) ? static_cast<std::byte*>(std::aligned_alloc(block, most_blocks)) : nullptr,
            &std::free};
  }

  /// Does the memory begin at the same offset in a block as the file at `place`? Then a disk can access it directly.
  static bool fits(void const* memory, std::uint64_t place) {
    return reinterpret_cast<std::uintptr_t>(memory) % block == place % block;
  }
  static std::uint64_t to_next_block(std::uint64_t place) { return (block - place % block) % block; }

  /// As pread: whole blocks straight into memory that fits, all else through `blocks`.
  ssize_t read_blocks(std::byte* blocks, std::uint64_t place, std::byte* to, std::uint64_t bytes) const {
    std::uint64_t const before = to_next_block(place);
    if (fits(to, place)) {
      if (before == 0 && bytes >= block) {
        return ::pread(m_direct, to, one_call(bytes) / block * block, static_cast<off_t>(place));
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
      return ::pwrite(m_direct, from, one_call(bytes) / block * block, static_cast<off_t>(place));
    }
    std::uint64_t const whole = std::min(bytes / block * block, most_blocks);
    std::memcpy(blocks, from, whole);
    return ::pwrite(m_direct, blocks, whole, static_cast<off_t>(place));
  }

  /// The kernel moves at most 2 GiB at a time.
  static std::size_t one_call(std::uint64_t bytes) { return std::min(bytes, std::uint64_t{1} << 30); }

  int m_descriptor;
  int m_direct = -1;
  std::string m_name;
};

/// \brief  The matrix of a FileStore: runs of contiguous elements are read and written by File.
class FileMatrix {
 public:
  FileMatrix(int descriptor, std::string name, std::uint64_t offset, StoreShape const& shape)
      : m_file(descriptor, std::move(name)), m_offset(offset), m_shape(shape) {}

  [[nodiscard]] StoreShape const& shape() const { return m_shape; }

  [[nodiscard]] std::size_t begin_in_block(Part const& part) const {
    std::uint64_t place = 0, bytes = 0;
    for_each_run(m_shape, part, [&](std::uint64_t first, std::uint64_t, std::uint64_t count) {
      if (bytes == 0) place = m_offset + first, bytes = count;
    });
    return m_file.goes_past_cache(bytes) && place % m_shape.element_bytes == 0 ? place % File::block : 0;
  }

  void read(Part const& part, std::byte* tile) {
    std::int64_t done = 0;
    m_ahead.begin(m_shape, part);
    auto const advise = [&](std::uint64_t first, std::uint64_t bytes) { m_file.advise(first, bytes); };
    for_each_run(m_shape, part, [&](std::uint64_t place, std::uint64_t packed, std::uint64_t bytes) {
      if (bytes < File::least_past_cache) m_ahead.before_run(m_shape, m_offset, done++, advise);
      m_file.read(m_offset + place, tile + packed, bytes);
    });
  }

  void write(Part const& part, std::byte const* tile) const {
    for_each_run(m_shape, part, [&](std::uint64_t place, std::uint64_t packed, std::uint64_t bytes) {
      m_file.write(m_offset + place, tile + packed, bytes);
    });
  }

 private:
  File m_file;
  std::uint64_t m_offset;
  StoreShape m_shape;
  ReadAhead m_ahead;
};

}  // namespace pantile::impl::out_of_core

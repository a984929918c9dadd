// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file  The device's global memory. Its addresses are of a range that the host cannot access: a pointer of the device
/// that host code follows ends the process there and then. The bytes lie elsewhere, beside a state per byte.

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <map>
#include <string>

namespace pantile_interpreter {

/// Memory that kernels may touch: what was allocated here, and host memory that was shared with them.
class Memory {
 public:
  /// \param  host_reaches_it  the bytes lie at their addresses, as for an MPI that takes a device's memory; what it
  ///                          writes is not seen, so that all that was allocated counts as initialised
  explicit Memory(bool host_reaches_it = false);
  ~Memory();
  Memory(Memory const&) = delete;
  Memory& operator=(Memory const&) = delete;

  static constexpr std::size_t alignment = 256;

  /// 0 if there is no room. Its bytes count as uninitialised until something writes them. 0 bytes get an address of
  /// their own.
  std::uint64_t allocate(std::size_t bytes);
  /// False if that address was not allocated, or freed before. Its range is not used again soon.
  bool free(std::uint64_t address);
  /// Lets kernels touch host memory under the host's own addresses; counts as initialised.
  void share(void* memory, std::size_t bytes);
  void unshare(void* memory);

  /// Copies between host and device. \throws Fault where the device's side leaves an allocation.
  void read(void* target, std::uint64_t source, std::size_t bytes);
  void write(std::uint64_t target, void const* source, std::size_t bytes);
  /// Within the device; uninitialised bytes stay so. \throws Fault
  void copy(std::uint64_t target, std::uint64_t source, std::size_t bytes);
  void fill(std::uint64_t target, unsigned char value, std::size_t bytes);

  /// Is this byte allocated or shared?
  [[nodiscard]] bool contains(std::uint64_t address) const;

  // What follows is for a language's loads and stores.

  enum class Access { read, write, modify };

  /// The bytes of an access by a kernel, or null where it must not happen: `why` says why not.
  /// A read of bytes that nobody wrote is refused if `initialised` is asked for; a write makes them initialised.
  template <std::size_t bytes>
  unsigned char* access(std::uint64_t address, Access kind, bool initialised) {
    std::uint64_t const offset = address - m_base;
    if (offset < m_capacity) [[likely]] {
      std::uint64_t const end = offset + bytes;
      if (end > m_capacity) return nullptr;
      unsigned char* const states = m_states + offset;
      if (!allowed<bytes>(states, kind == Access::write || !initialised ? allocated : written)) return nullptr;
      if (kind != Access::read) std::memset(states, written, bytes);
      return m_bytes + offset;
    }
    return shared_host(address, bytes);
  }

  /// What is wrong with an access that was refused.
  [[nodiscard]] std::string why(std::uint64_t address, std::size_t bytes) const;

  /// Is the address one of the device's own (not shared host memory)? Then `offset` is its place from the first one.
  [[nodiscard]] bool own(std::uint64_t address) const { return address - m_base < m_capacity; }
  [[nodiscard]] std::uint64_t offset(std::uint64_t address) const { return address - m_base; }
  [[nodiscard]] std::uint64_t capacity() const { return m_capacity; }

  /// Addresses of this many bytes that are never global memory, for a language's windows onto other spaces.
  static constexpr std::uint64_t window_bytes = std::uint64_t{1} << 24;
  [[nodiscard]] std::uint64_t window(int number) const { return m_base + m_capacity + window_bytes * unsigned(number); }

 private:
  // Bits of a state: a byte may be touched; somebody wrote it. 0 is what was never allocated, or freed.
  static constexpr unsigned char allocated = 1;
  static constexpr unsigned char written = 3;

  template <std::size_t bytes>
  static bool allowed(unsigned char const* states, unsigned char needed) {
    unsigned char all = 0xff;
    for (std::size_t k = 0; k < bytes; ++k) all &= states[k];
    return (all & needed) == needed;
  }

  [[nodiscard]] unsigned char* shared_host(std::uint64_t address, std::size_t bytes);
  /// The host's address of a range that a copy or fill names, and its states unless it is host memory.
  struct Range {
    unsigned char* bytes = nullptr;
    unsigned char* states = nullptr;
  };
  [[nodiscard]] Range range(std::uint64_t address, std::size_t bytes, char const* what);
  [[nodiscard]] std::uint64_t place(std::size_t bytes);

  bool m_host_reaches_it;
  std::uint64_t m_base = 0;      // of the addresses
  std::uint64_t m_capacity = 0;  // in bytes
  unsigned char* m_bytes = nullptr;
  unsigned char* m_states = nullptr;
  std::uint64_t m_next = alignment;                 // offset of what was never used
  std::map<std::uint64_t, std::size_t> m_blocks;    // offset -> bytes
  std::map<std::uint64_t, std::size_t> m_freed;     // the same
  std::map<std::uint64_t, std::size_t> m_host;      // address -> bytes
  std::uint64_t m_host_first = 1, m_host_last = 0;  // where the last access to host memory was found
};

}  // namespace pantile_interpreter

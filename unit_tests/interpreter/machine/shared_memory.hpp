// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file  The shared memory of one CTA: its bytes, and for each byte who wrote and who read it last.
///
/// Time is a count of synchronisations. A record holds the time of an access and the thread, in one word. Two accesses
/// of different threads to one byte, one of them a write, race unless a synchronisation of both lies between them: a
/// barrier of the CTA orders all threads, one of a warp its lanes, one of some lanes these.

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace pantile_interpreter {

/// A thread that accesses, and what it is ordered after.
struct Accessor {
  static constexpr unsigned lanes = 32;
  unsigned thread = 0;                   // in its CTA
  unsigned warp_time = 0;                // accesses of its warp until then came before
  unsigned const* lane_times = nullptr;  // the same per lane, where lanes were synchronised in parts
};

class SharedMemory {
 public:
  /// `races` off: only uninitialised reads and copies under way are told.
  explicit SharedMemory(std::size_t bytes, bool races);

  [[nodiscard]] std::size_t size() const { return m_size; }
  [[nodiscard]] unsigned char* bytes() { return m_bytes.data(); }
  [[nodiscard]] unsigned time() const { return m_time; }

  /// A CTA begins: nothing is written yet, and the bytes are poison.
  void begin();
  /// All threads of the CTA have met.
  void order_all() { m_barrier = m_time++; }
  /// Some threads have met: what they did until the returned time is ordered.
  unsigned order_some() { return m_time++; }

  enum class Problem : unsigned char { none, race, uninitialised, copy_under_way };

  /// Each notes an access of bytes within size().
  Problem read(std::size_t offset, std::size_t bytes, Accessor const& who);
  /// `value`: what will be written. Writes of equal values do not race.
  Problem write(std::size_t offset, std::size_t bytes, Accessor const& who, void const* value);
  Problem modify(std::size_t offset, std::size_t bytes, Accessor const& who);
  /// An asynchronous copy begins, which may write at any time until it has been waited for, and ends.
  Problem begin_copy(std::size_t offset, std::size_t bytes, Accessor const& who);
  void end_copy(std::size_t offset, std::size_t bytes, Accessor const& who);

  /// Who else took part in the last race that was found.
  [[nodiscard]] std::string other() const;

 private:
  using Record = std::uint32_t;
  static constexpr unsigned who_bits = 11;
  static constexpr unsigned who_mask = (1U << who_bits) - 1;
  // Beside single threads:
  static constexpr unsigned many_of_warp = 1024;    // several lanes of one warp have read
  static constexpr unsigned atomic_of_warp = 1056;  // atomics of one warp
  static constexpr unsigned atomic_of_several = 2045;
  static constexpr unsigned copy = 2046;  // an asynchronous copy that is under way
  static constexpr unsigned several_warps = 2047;
  static constexpr unsigned last_time = (1U << (32 - who_bits)) - 2;

  [[nodiscard]] Record record(unsigned who) const { return (m_time << who_bits) | who; }
  [[nodiscard]] bool ordered(Record record, Accessor const& who) const;
  [[nodiscard]] Problem check_write(std::size_t offset, std::size_t bytes, Accessor const& who,
                                    unsigned char const* value);
  void note_read(Record& reader, Accessor const& who) const;
  Problem read_slowly(std::size_t offset, std::size_t bytes, Accessor const& who);
  Problem race(Record with);

  std::size_t m_size;
  bool m_races;
  std::vector<unsigned char> m_bytes;
  std::vector<Record> m_writers, m_readers;
  unsigned m_time = 1;
  unsigned m_begin = 0;    // records until then are of CTAs before
  unsigned m_barrier = 0;  // the time of the last barrier
  Record m_other = 0;
};

}  // namespace pantile_interpreter

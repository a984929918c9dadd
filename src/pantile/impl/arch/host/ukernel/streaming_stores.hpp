// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  Non-temporal (streaming) stores of contiguous results.

#include <pantile/impl/arch/host/tuning/machine.hpp>
#include <pantile/impl/arch/host/ukernel/vector.hpp>

#include <cstddef>

namespace pantile::impl::arch {

/// \brief  Contiguous bytes, written piece by piece into a window of a first-level cache, from where whole lines go
///         past the caches, in the order of their addresses and without being read first.
/// \tparam Pages  of that window, or zero (perf_tests/notes/batches.md); of two, lines are fetched into that level
template <class S, int Pages = 0>
class StreamingStores {
 public:
  static constexpr Index line = 64;
  /// Of the window, for pieces of at most so many bytes.
  static constexpr Index window_bytes(Index piece) { return enough + line + piece; }
  static constexpr Index alignment = Pages > 0 ? host::page_bytes : line;

  /// \param  window  of window_bytes(), aligned
  /// \param  soon  with each line of the target one from here on is fetched
  PANTILE_INLINE StreamingStores(std::byte* window, void* target, void const* soon = nullptr)
      : m_window(window), m_soon(static_cast<char const*>(soon)) {
    m_head = m_filled = static_cast<Index>(reinterpret_cast<std::uintptr_t>(target) % line);
    m_target = static_cast<std::byte*>(target) - m_head;
  }
  /// Where the next piece is to be written, at the target's offset in a line.
  [[nodiscard]] PANTILE_INLINE std::byte* next() const { return m_window + m_filled; }
  /// So many bytes are written there.
  PANTILE_INLINE void wrote(Index bytes) {
    m_filled += bytes;
    if (m_filled >= enough) flush();
  }
  /// After the last piece.
  PANTILE_INLINE void end() {
    flush();
    if (m_filled > m_head) copy(m_head, m_filled);
    stream_end();
  }

 private:
  static constexpr Index enough = Pages > 0 ? host::page_window_bytes : host::window_bytes;
  using Word = std::uint64_t;

  /// Part of the first line of the window.
  PANTILE_INLINE void copy(Index from, Index to) {
    __builtin_memcpy(m_target + from, m_window + from, static_cast<std::size_t>(to - from));
  }
  __attribute__((noinline)) void flush() {
    if (m_filled < line) return;
    Index at = 0;
    if (m_head > 0) {
      copy(m_head, line);
      at = line;
      m_head = 0;
    }
    // m_soon stays in memory, since a store might change it: prefetches follow each other slowly, and none is lost.
    for (; at + line <= m_filled; at += line) {
      if constexpr (Pages > 0) fetch();
      move<true>(at, m_target + at);
      if constexpr (Pages == 0) fetch();
    }
    if (at < m_filled) move<false>(at, m_window);
    m_target += at;
    m_filled -= at;
  }
  PANTILE_INLINE void fetch() {
    if (m_soon == nullptr) return;
    __builtin_prefetch(m_soon, 0, Pages == 2 ? 3 : 2);
    m_soon += line;
  }
  template <bool Past>
  PANTILE_INLINE void move(Index at, std::byte* to) const {
    for (Index k = 0; k < line; k += S::bytes) {
      auto const value = load<S>(reinterpret_cast<Word const*>(m_window + at + k));
      if constexpr (Past) {
        stream<S>(reinterpret_cast<Word*>(to + k), value);
      } else {
        store<S>(reinterpret_cast<Word*>(to + k), value);
      }
    }
  }

  std::byte* m_window;
  char const* m_soon;
  std::byte* m_target;  ///< of the window's first line
  Index m_head;         ///< bytes before the target in its first line
  Index m_filled;
};

}  // namespace pantile::impl::arch

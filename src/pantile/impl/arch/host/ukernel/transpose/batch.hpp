// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  Batches of transpositions by one thread: tiny ones as permutations of registers, many past the cache.

#include <pantile/impl/arch/host/tuning/machine.hpp>
#include <pantile/impl/arch/host/tuning/movement.hpp>
#include <pantile/impl/arch/host/ukernel/streaming_stores.hpp>
#include <pantile/impl/arch/host/ukernel/transpose/block.hpp>
#include <pantile/impl/arch/host/ukernel/transpose/functions.hpp>
#include <pantile/impl/arch/host/ukernel/transpose/permutation.hpp>

#include <cstddef>

namespace pantile::impl::arch::transposing {

/// \tparam Mover  of single ones
template <class S, int Size, bool Conjugates, class Mover>
struct BatchMover {
  static void run(Move const& first, MoveBatch const& batch) {
    Index const row = first.rows * Size;
    bool const contiguous = first.target_ld == row && batch.target_step == first.cols * row;
    if (contiguous && batch.past && line_count * row <= piece_bytes<0>) return go_past(first, batch);
    Index const done = contiguous ? Permutation<S, Size, Conjugates>::run(first, batch) : 0;
    Move m = first;
    m.source += done * batch.source_step;
    m.target += done * batch.target_step;
    move_each(m, {batch.count - done, batch.source_step, batch.target_step, false}, contiguous);
  }

 private:
  /// Through the cache. By itself: what stands beside this loop changes what GCC makes of it.
  static __attribute__((noinline)) void move_each(Move m, MoveBatch const& batch, bool contiguous) {
    // Lines of targets that no cache holds are prefetched early: their stores would fill the store buffers. Those of
    // sources too: a few lines are no stream that hardware would fetch ahead.
    Index const bytes = contiguous && batch.target_step <= piece_bytes<0> ? batch.target_step : 0;
    Index const read = batch.source_step == bytes ? bytes : 0;
    for (Index left = batch.count; left > 0; --left) {
      for (Index at = 0; at < bytes; at += 64) __builtin_prefetch(m.target + host::moved_target_ahead_bytes + at, 1);
      for (Index at = 0; at < read; at += 64) __builtin_prefetch(m.source + host::moved_target_ahead_bytes + at);
      Mover::move(m);
      m.source += batch.source_step;
      m.target += batch.target_step;
    }
  }

  using Full = Block<S, Size, Conjugates>;
  static constexpr Index line = 64, line_count = line / Size;
  template <int Pages>
  static constexpr Index piece_bytes =
      Pages > 0 ? Pages* host::page_bytes - host::page_window_bytes : host::moved_piece_bytes;

  static __attribute__((noinline)) void go_past(Move const& first, MoveBatch const& batch) {
    if (batch.window_pages > 0 && are_lines(first)) return stream_lines(first, batch);
    Index const least = least_cols * first.rows * Size;
    if (batch.window_pages == 1 && least <= piece_bytes<1>) return stream_windows<1>(first, batch);
    if (batch.window_pages == 2 && least <= piece_bytes<2>) return stream_windows<2>(first, batch);
    stream_windows<0>(first, batch);
  }

  /// Columns of a chunk at least: each cache line of the source is read for few of them.
  static constexpr Index least_cols = Full::cols < 4 ? 4 : Full::cols;

  /// Few whole lines are rows of both, where registers are lines.
  static PANTILE_INLINE bool are_lines(Move const& m) {
    return S::bytes == line && m.rows % line_count == 0 && m.cols % line_count == 0 &&
           m.rows * m.cols * Size <= host::most_lines_bytes && reinterpret_cast<std::uintptr_t>(m.target) % line == 0;
  }

  /// Each line from registers past the caches, by strips of a line of the source's rows.
  static __attribute__((noinline)) void stream_lines(Move const& first, MoveBatch const& batch) {
    // In memory: prefetches that wait for each other follow each other slowly, and none is lost.
    std::byte const* volatile soon = first.source + host::moved_ahead_bytes;
    std::byte const* source = first.source;
    std::byte* target = first.target;
    for (Index left = batch.count; left > 0; --left, source += batch.source_step, target += batch.target_step) {
      for (Index col = 0; col < first.cols; col += line_count) {
        for (Index row = 0; row < first.rows; row += line_count) {
          for (Index at = col; at < col + line_count; at += Full::cols) {
            typename Full::Vector v[Full::cols];
            Full::take(source + row * first.source_ld + at * Size, first.source_ld, v);
            for (int j = 0; j < Full::cols; ++j) {
              stream<S>(reinterpret_cast<typename Full::Word*>(target + (at + j) * first.target_ld + row * Size), v[j]);
              __builtin_prefetch(soon);
              soon = soon + line;
            }
          }
        }
      }
    }
    stream_end();
  }

  /// Targets that follow each other, some rows of one at a time: the sources' next lines are fetched meanwhile.
  template <int Pages>
  static __attribute__((noinline)) void stream_windows(Move const& first, MoveBatch const& batch) {
    using Window = StreamingStores<S, Pages>;
    alignas(Window::alignment) std::byte window[Window::window_bytes(piece_bytes<Pages>)];
    Index const row = first.rows * Size, fit = piece_bytes<Pages> / row;
    Index const most = fit - fit % (fit < line_count ? least_cols : line_count);
    Index const all = first.cols * row;
    Index const ahead = all > host::moved_piece_bytes && all <= host::most_moved_source_bytes ? all : 0;
    Window to(window, first.target, first.source + ahead + host::moved_ahead_bytes);
    std::byte const* source = first.source;
    for (Index left = batch.count; left > 0; --left, source += batch.source_step) {
      for (Index col = 0; col < first.cols; col += most) {
        Index const cols = first.cols - col < most ? first.cols - col : most;
        Mover::move({source + col * Size, first.source_ld, to.next(), row, first.rows, cols});
        to.wrote(cols * row);
      }
    }
    to.end();
  }
};

}  // namespace pantile::impl::arch::transposing

// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  Batches of transpositions by one thread: tiny ones as permutations of registers, many past the cache.

#include <pantile/impl/arch/host/ukernel/outflow.hpp>
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
    if (contiguous && batch.past && line_count * row <= piece_bytes) return flow(first, batch);
    Index const done = contiguous ? Permutation<S, Size, Conjugates>::run(first, batch) : 0;
    Move m = first;
    m.source += done * batch.source_step;
    m.target += done * batch.target_step;
    // Lines of targets that no cache holds are asked for early: their stores would fill the store buffers.
    Index const bytes = contiguous && batch.target_step <= piece_bytes ? batch.target_step : 0;
    for (Index left = batch.count - done; left > 0; --left) {
      for (Index at = 0; at < bytes; at += 64) __builtin_prefetch(m.target + host::moved_target_ahead_bytes + at, 1);
      Mover::move(m);
      m.source += batch.source_step;
      m.target += batch.target_step;
    }
  }

 private:
  static constexpr Index line_count = 64 / Size;
  static constexpr Index piece_bytes = host::moved_piece_bytes;

  /// Targets that follow each other, some rows of one at a time: the sources' next lines are fetched meanwhile.
  static __attribute__((noinline)) void flow(Move const& first, MoveBatch const& batch) {
    alignas(64) std::byte window[Outflow<S>::window_bytes(piece_bytes)];
    Index const row = first.rows * Size, most = piece_bytes / row / line_count * line_count;
    Index const all = first.cols * row, ahead = all > piece_bytes && all <= host::most_moved_source_bytes ? all : 0;
    Outflow<S> to(window, first.target, first.source + ahead + host::moved_ahead_bytes);
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

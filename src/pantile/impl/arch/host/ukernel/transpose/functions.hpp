// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  What the host kernels of transposition take, and the table of them for one instruction set.

#include <pantile/impl/arch/host/tuning/movement.hpp>

#include <cstddef>
#include <cstdint>

namespace pantile::impl::arch {

namespace transposing {

/// target(j, i) = source(i, j) for a source of rows x cols; elements next to each other along the rows of both, leading
/// dimensions in bytes.
struct Move {
  std::byte const* source;
  std::int64_t source_ld;
  std::byte* target;
  std::int64_t target_ld;
  std::int64_t rows, cols;
};

/// So many matrices of one shape, and bytes from one's source and target to the next one's.
struct MoveBatch {
  std::int64_t count, source_step, target_step;
  bool past;             ///< the caches, where the targets follow each other
  int window_pages = 0;  ///< past them: of memory, two or one in a small first-level cache; zero: with large caches
};

/// Two tiles of one matrix, a of rows x cols and b of cols x rows, each to become the other one transposed; or one tile
/// on the diagonal, where a is b. ld in bytes. The next two, as large, may be prefetched.
struct Exchange {
  std::byte* a;
  std::byte* b;
  std::int64_t ld;
  std::int64_t rows, cols;
  std::byte const* next_a = nullptr;
  std::byte const* next_b = nullptr;
};

}  // namespace transposing

/// Edges of the tiles that are exchanged.
constexpr int transpose_exchange_edge(int element_size) {
  return element_size <= 4   ? host::exchanged_edge_4
         : element_size == 8 ? host::exchanged_edge_8
                             : host::exchanged_edge_16;
}

/// The same past the cache.
constexpr int transpose_streamed_edge(int element_size) {
  return element_size == 1 ? host::streamed_edge_1 : element_size <= 8 ? host::streamed_edge_8 : host::streamed_edge_16;
}

/// How stage and stream walk: down strips of so many bytes of the source's rows, by steps of so many bytes of the
/// target's.
struct TransposeStrips {
  int strip_bytes;
  int step_bytes;
};

/// Kernels for one element size. None allocates, all run on the calling thread.
struct TransposeKernel {
  void (*move)(transposing::Move const&);                                             ///< through the cache
  void (*move_batch)(transposing::Move const& first, transposing::MoveBatch const&);  ///< the same of each
  void (*stage)(transposing::Move const&);         ///< through a buffer, for what the second-level cache cannot hold
  void (*stream)(transposing::Move const&);        ///< the same, written past the cache; ends with a store fence
  void (*exchange)(transposing::Exchange const&);  ///< in place; edges up to transpose_exchange_edge
  /// The same written past the cache; edges up to transpose_streamed_edge.
  void (*stream_exchange)(transposing::Exchange const&);
  TransposeStrips staged, streamed;  ///< what stage and stream take at a time
  int close_stride;  ///< rows a multiple of this many bytes apart meet in so few sets of a cache that move is slow
};

/// Kernels of one instruction set, for elements of 1, 2, 4, 8 and 16 bytes, and the conjugating ones for 8 and 16.
struct TransposeKernels {
  TransposeKernel plain[5];
  TransposeKernel conjugating[2];
};

/// The kernels for elements of this size, null if there are none.
constexpr TransposeKernel const* find_transpose_kernel(TransposeKernels const& kernels, std::size_t size,
                                                       bool conjugates) {
  if (conjugates) return size == 8 ? &kernels.conjugating[0] : size == 16 ? &kernels.conjugating[1] : nullptr;
  switch (size) {
    case 1: return &kernels.plain[0];
    case 2: return &kernels.plain[1];
    case 4: return &kernels.plain[2];
    case 8: return &kernels.plain[3];
    case 16: return &kernels.plain[4];
    default: return nullptr;
  }
}

}  // namespace pantile::impl::arch

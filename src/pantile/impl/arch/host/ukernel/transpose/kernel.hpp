// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  Transposition of host matrices by blocks of registers: through the cache, through a buffer, in place.

#include <pantile/impl/arch/host/tuning/movement.hpp>
#include <pantile/impl/arch/host/ukernel/transpose/batch.hpp>
#include <pantile/impl/arch/host/ukernel/transpose/block.hpp>
#include <pantile/impl/arch/host/ukernel/transpose/functions.hpp>

#include <cstddef>

namespace pantile::impl::arch::transposing {

/// \brief  Matrices of elements of Size bytes. Leading dimensions are in bytes, extents those of the source.
template <class S, int Size, bool Conjugates>
struct Mover {
  using Full = Block<S, Size, Conjugates>;
  using Small = Block<PartOf<S, 16>, Size, Conjugates>;
  using Word = typename WordOf<Size>::type;
  /// Bytes and elements of a cache line.
  static constexpr int line = 64;
  static constexpr int line_count = line / Size;

  struct Element {
    Word part[Size / sizeof(Word)];
  };

  static PANTILE_INLINE void move_element(std::byte const* from, std::byte* to) {
    using Anywhere __attribute__((aligned(1), may_alias)) = Word;
    constexpr int parts = Size / static_cast<int>(sizeof(Word));
    for (int part = 0; part < parts; ++part) {
      Word value = reinterpret_cast<Anywhere const*>(from)[part];
      if (Conjugates && part == parts - 1) value ^= Word(1) << (8 * sizeof(Word) - 1);
      reinterpret_cast<Anywhere*>(to)[part] = value;
    }
  }

  /// Blocks with fewer rows or columns than a register has lanes, along the longer side.
  static PANTILE_INLINE void move_elements(Move const& m) {
    if (m.rows >= m.cols) {
      for (Index j = 0; j < m.cols; ++j) {
        for (Index i = 0; i < m.rows; ++i) {
          move_element(m.source + i * m.source_ld + j * Size, m.target + j * m.target_ld + i * Size);
        }
      }
    } else {
      for (Index i = 0; i < m.rows; ++i) {
        for (Index j = 0; j < m.cols; ++j) {
          move_element(m.source + i * m.source_ld + j * Size, m.target + j * m.target_ld + i * Size);
        }
      }
    }
  }

  /// Count blocks below each other and B::cols columns: they meet in the rows of the target.
  template <class B, int Count>
  static PANTILE_INLINE void move_blocks(std::byte const* source, Index source_ld, std::byte* target, Index target_ld) {
    typename B::Vector v[Count][B::cols];
    for (int k = 0; k < Count; ++k) B::take(source + k * B::rows * source_ld, source_ld, v[k]);
    for (int j = 0; j < B::cols; ++j) {
      for (int k = 0; k < Count; ++k) B::put(target + j * target_ld + k * B::rows * Size, v[k][j]);
    }
  }

  /// Rows of Count blocks and all columns; the last block overlaps the one before it where it must.
  template <class B, int Count>
  static PANTILE_INLINE void move_rows(Move const& m, Index row) {
    std::byte const* const source = m.source + row * m.source_ld;
    std::byte* const target = m.target + row * Size;
    Index col = 0;
    for (; col + B::cols <= m.cols; col += B::cols) {
      move_blocks<B, Count>(source + col * Size, m.source_ld, target + col * m.target_ld, m.target_ld);
    }
    if (col < m.cols) {
      col = m.cols - B::cols;
      move_blocks<B, Count>(source + col * Size, m.source_ld, target + col * m.target_ld, m.target_ld);
    }
  }

  /// Rows of the source to where every row of the target begins a line: stores across lines take twice the time.
  static PANTILE_INLINE Index rows_to_line(Move const& m) {
    auto const before = static_cast<Index>(-reinterpret_cast<std::uintptr_t>(m.target) % line);
    return m.target_ld % line == 0 && before % Size == 0 ? before / Size : 0;
  }

  /// All rows by blocks of B, the last of them overlapping; m has at least a block of rows and of columns.
  template <class B>
  static PANTILE_INLINE void move_all(Move const& m) {
    // Whole lines of the target at a time, unless that takes more registers than there are.
    constexpr int blocks = line / (B::rows * Size), count = blocks * B::cols <= S::registers / 2 ? blocks : 1;
    Index row = 0;
    if (Index const lead = rows_to_line(m); m.rows >= lead + line_count) {
      for (; row < lead; row += B::rows) move_rows<B, 1>(m, row);
      row = lead;
    }
    for (; row + count * B::rows <= m.rows; row += count * B::rows) move_rows<B, count>(m, row);
    for (; row + B::rows <= m.rows; row += B::rows) move_rows<B, 1>(m, row);
    if (row < m.rows) move_rows<B, 1>(m, m.rows - B::rows);
  }

  /// In cache.
  static PANTILE_INLINE void move(Move const& m) {
    if (m.rows >= Full::rows && m.cols >= Full::cols) {
      move_all<Full>(m);
    } else if (m.rows >= Small::rows && m.cols >= Small::cols) {
      move_all<Small>(m);
    } else {
      move_elements(m);
    }
  }

  static PANTILE_INLINE void copy_line(std::byte const* from, std::byte* to) {
    for (int k = 0; k < line; k += S::bytes) {
      store<S>(reinterpret_cast<Word*>(to + k), load<S>(reinterpret_cast<Word const*>(from + k)));
    }
  }

  /// To an aligned line that is not to be read into the cache first.
  static PANTILE_INLINE void stream_line(std::byte const* from, std::byte* to) {
    for (int k = 0; k < line; k += S::bytes) {
      stream<S>(reinterpret_cast<Word*>(to + k), load<S>(reinterpret_cast<Word const*>(from + k)));
    }
  }

  template <bool Past>
  static PANTILE_INLINE void put_line(std::byte const* from, std::byte* to) {
    if constexpr (Past) {
      stream_line(from, to);
    } else {
      copy_line(from, to);
    }
  }

  /// Part of a line, of a row this long that begins or ends with it. In cache its neighbours may be written twice.
  template <bool Past>
  static PANTILE_INLINE void put_head(std::byte const* from, std::byte* to, Index count, Index row) {
    if (!Past && row >= line) return copy_line(from, to);
    copy_bytes(from, to, count);
  }
  template <bool Past>
  static PANTILE_INLINE void put_tail(std::byte const* from, std::byte* to, Index count, Index row) {
    if (!Past && row >= line) return copy_line(from + count - line, to + count - line);
    copy_bytes(from, to, count);
  }

  /// What is left of a line: no whole elements where these lie across lines.
  static PANTILE_INLINE void copy_bytes(std::byte const* from, std::byte* to, Index count) {
    __builtin_memcpy(to, from, static_cast<std::size_t>(count));
  }

  /// \brief  A strip of the source, this wide and in steps of so many rows, is transposed into a buffer and streamed
  ///         from there, while the next lines of the source are prefetched.
  static constexpr TransposeStrips strips(bool past) {
    if (S::bytes < 64 || !past) return {host::strip_bytes, Size <= 2 ? host::small_step_bytes : host::step_bytes};
    if (Size <= 2) return {host::small_strip_bytes_512, host::small_step_bytes_512};
    return {host::strip_bytes_512, host::step_bytes_512};
  }
  /// Where neighbours are so far apart, stage is faster than move in cache, elsewhere slower (notes/transpose.md).
  static constexpr int close_stride = Size >= 8                     ? host::close_rows_8
                                      : Size == 4 || S::bytes >= 64 ? host::close_rows_4
                                                                    : host::close_rows_1;

  /// Where the next lines of the source are, for a prefetch with each line that is written: from memory into the second
  /// level (perf_tests/notes/transpose.md), else into the first. A row that begins within a line ends in one more.
  struct Ahead {
    std::byte const* next;
    std::byte const* end_of_row;
    Index width, ld;

    template <bool Past>
    PANTILE_INLINE void prefetch() {
      constexpr int locality = Past ? 2 : 3;
      __builtin_prefetch(next, 0, locality);
      next += line;
      if (next >= end_of_row) {
        if constexpr (Past) __builtin_prefetch(end_of_row - 1, 0, locality);
        next += ld - width;
        end_of_row += ld;
      }
    }
  };

  /// One row of the buffer to the target by whole lines of the target; what is left of the last one goes before the
  /// buffer's row, for the next step.
  template <bool Past>
  static PANTILE_INLINE void flush_row(std::byte* begin, std::byte* target, Index bytes, bool first, bool last,
                                       Ahead& ahead) {
    Index const place = static_cast<Index>(reinterpret_cast<std::uintptr_t>(target) % line);
    std::byte* from = begin - place;
    std::byte* to = target - place;
    std::byte* const end = begin + bytes;
    if (first && place != 0) {
      Index const head = line - place < bytes ? line - place : bytes;
      put_head<Past>(begin, target, head, bytes);
      from += line;
      to += line;
    }
    for (; from + line <= end; from += line, to += line) {
      put_line<Past>(from, to);
      ahead.template prefetch<Past>();
    }
    if (last) {
      if (from < end) put_tail<Past>(from, to, end - from, bytes);
    } else if (place != 0) {
      copy_line(from, begin - place);
    }
  }

  /// \brief  The same as move for rows that meet in few sets of the caches: so many at a time are copied next to each
  ///         other first, each line read once. A block of single bytes comes from as many rows as a register has bytes,
  ///         four times for each line. Wider elements lose by it.
  template <int Width>
  static PANTILE_INLINE void move_apart(Move const& m) {
    constexpr Index most_rows = host::apart_rows, ld = Width * Size + line;
    alignas(line) std::byte apart[most_rows * ld];
    for (Index row = 0; row < m.rows; row += most_rows) {
      Index const rows = m.rows - row < most_rows ? m.rows - row : most_rows;
      for (Index i = 0; i < rows; ++i) {
        std::byte const* const from = m.source + (row + i) * m.source_ld;
        std::byte* const to = apart + i * ld;
        Index k = 0;
        for (; k + line <= m.cols * Size; k += line) copy_line(from + k, to + k);
        copy_bytes(from + k, to + k, m.cols * Size - k);
      }
      move({apart, ld, m.target + row * Size, m.target_ld, rows, m.cols});
    }
  }

  /// \brief  Strip by strip through the buffer: each row of the target is written in long runs.
  /// \tparam Past  past the cache, for targets that do not stay in it; ends with a store fence
  template <bool Past>
  static PANTILE_INLINE void stage(Move const& m) {
    constexpr int strip_cols = strips(Past).strip_bytes / Size;
    constexpr int step_bytes = strips(Past).step_bytes, step_rows = step_bytes / Size;
    constexpr Index ld = step_bytes + line;  // a line before each row
    alignas(line) std::byte buffer[strip_cols * ld + line];
    std::byte* const begin = buffer + line;
    for (Index col = 0; col < m.cols; col += strip_cols) {
      Index const cols = m.cols - col < strip_cols ? m.cols - col : strip_cols;
      for (Index row = 0; row < m.rows; row += step_rows) {
        Index const rows = m.rows - row < step_rows ? m.rows - row : step_rows;
        bool const last = row + rows == m.rows;
        std::byte const* const source = m.source + row * m.source_ld + col * Size;
        Move const step{source, m.source_ld, begin, ld, rows, cols};
        if (Size == 1 && m.source_ld % host::close_byte_rows == 0) {
          move_apart<strip_cols>(step);
        } else {
          move(step);
        }
        std::byte const* const next = last ? m.source + col * Size : source + rows * m.source_ld;
        Ahead ahead{next, next + cols * Size, cols * Size, last ? 0 : m.source_ld};
        for (Index j = 0; j < cols; ++j) {
          flush_row<Past>(begin + j * ld, m.target + (col + j) * m.target_ld + row * Size, rows * Size, row == 0, last,
                          ahead);
        }
      }
    }
    if constexpr (Past) stream_end();
  }

  /// Exchange two tiles, a of rows x cols and b of cols x rows; or transpose one tile on the diagonal, where a is b.
  static PANTILE_INLINE void exchange(Exchange const& x) {
    alignas(line) std::byte buffer[exchange_edge * (exchange_edge * Size + line)];
    Index const ld = exchange_edge * Size + line;
    move({x.a, x.ld, buffer, ld, x.rows, x.cols});
    if (x.a != x.b) move({x.b, x.ld, x.a, x.ld, x.cols, x.rows});
    put_rows<false>(buffer, ld, x.b, x.ld, x.cols, x.rows);
  }

  /// Rows of a buffer to their places by whole lines of the target, and parts of lines at both ends.
  template <bool Past>
  static PANTILE_INLINE void put_rows(std::byte const* from, Index from_ld, std::byte* to, Index to_ld, Index rows,
                                      Index cols, Ahead ahead = {}) {
    Index const bytes = cols * Size;
    for (Index i = 0; i < rows; ++i, from += from_ld, to += to_ld) {
      Index const before = static_cast<Index>(-reinterpret_cast<std::uintptr_t>(to) % line);
      Index k = before < bytes ? before : bytes;
      if (k > 0) put_head<Past>(from, to, k, bytes);
      for (; k + line <= bytes; k += line) {
        put_line<Past>(from + k, to + k);
        if constexpr (Past) ahead.template prefetch<Past>();
      }
      if (k < bytes) put_tail<Past>(from + k, to + k, bytes - k, bytes);
    }
  }

  static constexpr int exchange_edge = transpose_exchange_edge(Size);

  /// The same through two buffers and past the cache, while the next tiles are prefetched.
  static PANTILE_INLINE void stream_exchange(Exchange const& x) {
    constexpr Index ld = streamed_edge * Size + line;
    auto const ahead_of = [&](std::byte const* next, Index cols) {
      return Ahead{next, next + cols * Size, cols * Size, x.ld};
    };
    alignas(line) std::byte first[streamed_edge * ld];
    move({x.a, x.ld, first, ld, x.rows, x.cols});
    if (x.a == x.b) {
      put_rows<true>(first, ld, x.b, x.ld, x.cols, x.rows, ahead_of(x.next_a, x.rows));
    } else {
      alignas(line) std::byte second[streamed_edge * ld];
      move({x.b, x.ld, second, ld, x.cols, x.rows});
      put_rows<true>(first, ld, x.b, x.ld, x.cols, x.rows, ahead_of(x.next_a, x.rows));
      put_rows<true>(second, ld, x.a, x.ld, x.rows, x.cols, ahead_of(x.next_b, x.cols));
    }
    stream_end();
  }

  static constexpr int streamed_edge = transpose_streamed_edge(Size);

  static void move_function(Move const& m) { move(m); }
  static void stage_function(Move const& m) { stage<false>(m); }
  static void stream_function(Move const& m) { stage<true>(m); }
  static void exchange_function(Exchange const& x) { exchange(x); }
  static void stream_exchange_function(Exchange const& x) { stream_exchange(x); }
  static constexpr TransposeKernel kernel{&move_function,     &BatchMover<S, Size, Conjugates, Mover>::run,
                                          &stage_function,    &stream_function,
                                          &exchange_function, &stream_exchange_function,
                                          strips(false),      strips(true),
                                          close_stride};
};

/// All kernels of an instruction set.
template <class S>
inline constexpr TransposeKernels kernels{
    {Mover<S, 1, false>::kernel, Mover<S, 2, false>::kernel, Mover<S, 4, false>::kernel, Mover<S, 8, false>::kernel,
     Mover<S, 16, false>::kernel},
    {Mover<S, 8, true>::kernel, Mover<S, 16, true>::kernel}};

}  // namespace pantile::impl::arch::transposing

namespace pantile::impl::arch {

template <class S>
constexpr TransposeKernels const* native_kernels(TransposeKernels const*) {
  return &transposing::kernels<S>;
}

}  // namespace pantile::impl::arch

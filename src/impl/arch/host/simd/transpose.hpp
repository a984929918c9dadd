// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  Transposition of host matrices by blocks of registers: through the cache, through a buffer, in place.

#include <pantile/impl/arch/host/simd/transpose_block.hpp>
#include <pantile/impl/arch/host/transpose_kernels.hpp>

#include <cstddef>

namespace pantile::impl::arch::transposing {

/// Registers of one piece, of an instruction set that has wider ones: a type of its own for each set.
template <class S>
struct Narrow {
  static constexpr int bytes = 16;
  static constexpr int registers = S::registers;
};

/// \brief  Matrices of elements of Size bytes. Leading dimensions are in bytes, extents those of the source.
template <class S, int Size, bool Conjugates>
struct Mover {
  using Full = Block<S, Size, Conjugates>;
  using Small = Block<Narrow<S>, Size, Conjugates>;
  using Word = typename WordOf<Size>::type;
  /// Bytes and elements of a cache line.
  static constexpr int line = 64;
  static constexpr int line_count = line / Size;

  struct Element {
    Word part[Size / sizeof(Word)];
  };

  static PANTILE_INLINE void move_element(std::byte const* from, std::byte* to) {
    using Aliasing __attribute__((may_alias)) = Word;
    constexpr int parts = Size / static_cast<int>(sizeof(Word));
    for (int part = 0; part < parts; ++part) {
      Word value = reinterpret_cast<Aliasing const*>(from)[part];
      if (Conjugates && part == parts - 1) value ^= Word(1) << (8 * sizeof(Word) - 1);
      reinterpret_cast<Aliasing*>(to)[part] = value;
    }
  }

  /// What is too narrow for a register, along the longer side.
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

  /// All rows by blocks of B, the last of them overlapping; m has at least a block of rows and of columns.
  template <class B>
  static PANTILE_INLINE void move_all(Move const& m) {
    // Whole lines of the target at a time, unless that takes more registers than there are.
    constexpr int blocks = line / (B::rows * Size), count = blocks * B::cols <= S::registers / 2 ? blocks : 1;
    Index row = 0;
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

  static PANTILE_INLINE void copy_bytes(std::byte const* from, std::byte* to, Index count) {
    for (Index k = 0; k < count; k += Size) {
      for (int part = 0; part < Size; part += static_cast<int>(sizeof(Word))) {
        using Aliasing __attribute__((may_alias)) = Word;
        *reinterpret_cast<Aliasing*>(to + k + part) = *reinterpret_cast<Aliasing const*>(from + k + part);
      }
    }
  }

  /// \brief  A strip of the source, this wide and in steps of so many rows, is transposed into a buffer and streamed from
  ///         there, while the next lines of the source are prefetched.
  ///
  /// Measured on an AMD EPYC Zen 3 (2 cores of a virtual machine, one thread, 8192 x 8192 doubles, pages of 4 KB, as a
  /// share of a copy with streaming stores in the same run, which moved 27 to 34 GB/s): this form 0.49 to 0.55. What
  /// bounds it: alone, reads run at 27 GB/s along whole rows of 8, at 19 in pieces of 4 KB, at 14.5 in pieces of 256
  /// bytes; streamed writes at 22, but in pieces of 64 bytes at a stride of a power of two at 7. Reads and writes one
  /// after the other could reach 0.62. Lost: blocks of 8 x 8 streamed from registers along 8 KB of the source 0.33 to 0.38 (0.6 to
  /// 0.7 where lines of the target are aligned and their stride is an odd or twice odd number of lines); no prefetch 0.32
  /// to 0.45; strips of 512 or 4096 bytes with prefetch 0.33 to 0.47; strips of 4 KB through a buffer of 128 to 256 KB
  /// 0.47 to 0.53; the same with two buffers, one filled while the other is streamed, 0.46 to 0.52; a ring of 8 rows of
  /// lines per column, streamed column by column as each one fills, 0.30 to 0.45 in strips of 256 bytes to 1 KB and 0.44
  /// to 0.58 in strips of 4 KB, with prefetch along rows or to the next ones; the source copied into a buffer first 0.22
  /// to 0.36; the next rows prefetched while rows are moved, 16 or 64 of them ahead, 0.26 to 0.55. Pages of 2 MB change
  /// little. Bytes: 0.26 at 8192 or 8191 x 8193, 0.4 to 0.48 at 8000 and 8256, since rows a multiple of 4 KB apart meet in few
  /// sets of both near caches; pieces of 128 or 512 bytes instead of 256 give the same.
  ///
  /// With AVX-512 on an AMD EPYC Zen 5 (the same of 44 to 50 GB/s; 8192 x 8192 and 4099 x 4099 doubles, 8192 x 8192 floats),
  /// strips and steps of 256 and 512 bytes 0.40 0.46 0.40, 256 and 256 0.47 0.45 0.41, 512 and 256 0.53 0.57 0.58, 1024 and
  /// 256 0.64 0.60 0.57, 1024 and 512 0.62 0.63 0.54, 1024 and 128 0.63 -- 0.50, 2048 and 256 0.57 -- 0.53, 4096 and 256
  /// 0.49 -- 0.48; elements of one byte, 8256 x 8256, 512 and 128 0.60, 256 and 256 0.52, 1024 and 256 0.48. Reads in pieces
  /// of 1 KB run at 27 GB/s there (33 to 36 along whole rows), streamed writes in pieces of 256 bytes at 22 (33), and no
  /// two of them overlap by more than a fifth; hints of the prefetch, a second buffer (0.45), streaming blocks of 8 x 8 from
  /// registers with prefetch (0.65), and pages of 2 MB (0.70) change little. In cache the narrow strips win: 512 x 512 floats
  /// 54 against 44 GB/s.
  static constexpr TransposeStrips strips(bool past) {
    if (S::bytes < 64 || !past) return {256, Size <= 2 ? 256 : 512};
    return Size <= 2 ? TransposeStrips{512, 128} : TransposeStrips{1024, 256};
  }
  /// Where neighbours are so far apart, measured as above from n = 200 to 1024: beside it move is up to 1.9 times as fast.
  static constexpr int close_stride = Size >= 8 ? 4096 : Size == 4 || S::bytes >= 64 ? 2048 : 1024;

  /// Where the next lines of the source are, for a prefetch with each line that is written.
  struct Ahead {
    std::byte const* next;
    std::byte const* end_of_row;
    Index width, ld;

    PANTILE_INLINE void prefetch() {
      __builtin_prefetch(next, 0, 3);
      next += line;
      if (next >= end_of_row) {
        next += ld - width;
        end_of_row += ld;
      }
    }
  };

  /// One row of the buffer to the target: whole lines are streamed, what is left of the last one goes to the front of
  /// the buffer's row, for the next step. begin has the target's place in a line.
  template <bool Past>
  static PANTILE_INLINE void flush_row(std::byte* begin, std::byte* target, Index bytes, bool first, bool last,
                                       Ahead& ahead) {
    Index const place = static_cast<Index>(reinterpret_cast<std::uintptr_t>(target) % line);
    std::byte* from = begin - place;
    std::byte* to = target - place;
    std::byte* const end = begin + bytes;
    if (first && place != 0) {
      Index const head = line - place < bytes ? line - place : bytes;
      copy_bytes(begin, target, head);
      from += line;
      to += line;
    }
    for (; from + line <= end; from += line, to += line) {
      if constexpr (Past) {
        stream_line(from, to);
      } else {
        copy_line(from, to);
      }
      ahead.prefetch();
    }
    if (last) {
      if (from < end) copy_bytes(from, to, end - from);
    } else if (place != 0) {
      copy_line(from, begin - place);
    }
  }

  /// \brief  The same as move for rows that meet in few sets of the caches: so many at a time are copied next to each
  ///         other first, each line read once.
  ///
  /// A block of single bytes comes from as many rows as a register has bytes, four times for each line. 8192 x 8192 bytes,
  /// share of a streaming copy without and with it: 0.39 and 0.47 (AVX2), 0.24 and 0.38 (AVX-512); 10240 x 10240 0.40 and
  /// 0.48, 0.37 and 0.43. Wider elements lose by it, down to 0.7 of what they had.
  template <int Width>
  static PANTILE_INLINE void move_apart(Move const& m) {
    constexpr Index most_rows = 64, ld = Width * Size + line;
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
  static constexpr int close_bytes = 1024;

  /// \brief  Strip by strip through the buffer: each row of the target is written in long pieces.
  /// \tparam Past  past the cache, for targets that do not stay in it; ends with a store fence
  template <bool Past>
  static PANTILE_INLINE void stage(Move const& m) {
    constexpr int strip_cols = strips(Past).strip_bytes / Size;
    constexpr int step_bytes = strips(Past).step_bytes, step_rows = step_bytes / Size;
    alignas(line) std::byte buffer[strip_cols * (step_bytes + 3 * line)];
    // Rows of the buffer have the places in a line that the target's have.
    Index const place = static_cast<Index>(reinterpret_cast<std::uintptr_t>(m.target) % line);
    Index const ld = step_bytes + line + (m.target_ld - step_bytes) % line + (m.target_ld < step_bytes ? line : 0);
    for (Index col = 0; col < m.cols; col += strip_cols) {
      Index const cols = m.cols - col < strip_cols ? m.cols - col : strip_cols;
      Index const first_place = (place + col * m.target_ld) % line;
      for (Index row = 0; row < m.rows; row += step_rows) {
        Index const rows = m.rows - row < step_rows ? m.rows - row : step_rows;
        bool const last = row + rows == m.rows;
        std::byte const* const source = m.source + row * m.source_ld + col * Size;
        Move const step{source, m.source_ld, buffer + first_place, ld, rows, cols};
        if (Size == 1 && m.source_ld % close_bytes == 0) {
          move_apart<strip_cols>(step);
        } else {
          move(step);
        }
        std::byte const* const next = last ? m.source + col * Size : source + rows * m.source_ld;
        Ahead ahead{next, next + cols * Size, cols * Size, last ? 0 : m.source_ld};
        for (Index j = 0; j < cols; ++j) {
          flush_row<Past>(buffer + first_place + j * ld, m.target + (col + j) * m.target_ld + row * Size, rows * Size,
                    row == 0, last, ahead);
        }
      }
    }
    if constexpr (Past) stream_end();
  }

  /// Exchange two tiles, a of rows x cols and b of cols x rows; or turn one tile on the diagonal, where a is b.
  static PANTILE_INLINE void exchange(Exchange const& x) {
    alignas(line) std::byte buffer[exchange_edge * (exchange_edge * Size + line)];
    Index const ld = exchange_edge * Size + line;
    move({x.a, x.ld, buffer, ld, x.rows, x.cols});
    if (x.a != x.b) move({x.b, x.ld, x.a, x.ld, x.cols, x.rows});
    for (Index j = 0; j < x.cols; ++j) {
      std::byte const* const from = buffer + j * ld;
      std::byte* const to = x.b + j * x.ld;
      Index k = 0;
      for (; k + line <= x.rows * Size; k += line) copy_line(from + k, to + k);
      copy_bytes(from + k, to + k, x.rows * Size - k);
    }
  }

  static constexpr int exchange_edge = transpose_exchange_edge(Size);

  /// \brief  The same through two buffers and past the cache, while the next tiles are prefetched.
  ///
  /// Share of a streaming copy on an AMD EPYC Zen 5, this and exchange: 8192 x 8192 of 8 bytes 0.73 and 0.46, of 4 0.55
  /// and 0.36, of 1 0.26 and 0.15, 4096 x 4096 of 16 0.82 and 0.65. Lost for 8 bytes: edges of 256 and 512 bytes 0.55 and 0.56,
  /// without prefetch 0.52; exchange with it 0.56, 0.43 and 0.32 for edges of 256, 512 and 1024 bytes.
  static PANTILE_INLINE void stream_exchange(Exchange const& x) {
    constexpr Index ld = streamed_edge * Size + line;
    alignas(line) std::byte first[streamed_edge * ld];
    move({x.a, x.ld, first, ld, x.rows, x.cols});
    if (x.a == x.b) {
      put_streamed(first, x.b, x.ld, x.cols, x.rows, x.next_a);
    } else {
      alignas(line) std::byte second[streamed_edge * ld];
      move({x.b, x.ld, second, ld, x.cols, x.rows});
      put_streamed(first, x.b, x.ld, x.cols, x.rows, x.next_a);
      put_streamed(second, x.a, x.ld, x.rows, x.cols, x.next_b);
    }
    stream_end();
  }

  static PANTILE_INLINE void put_streamed(std::byte const* buffer, std::byte* to, Index ld, Index rows, Index cols,
                                          std::byte const* next) {
    Ahead ahead{next, next + cols * Size, cols * Size, ld};
    for (Index i = 0; i < rows; ++i) {
      std::byte const* const from = buffer + i * (streamed_edge * Size + line);
      Index k = 0;
      for (; k + line <= cols * Size; k += line) {
        stream_line(from + k, to + i * ld + k);
        ahead.prefetch();
      }
      copy_bytes(from + k, to + i * ld + k, cols * Size - k);
    }
  }

  static constexpr int streamed_edge = transpose_streamed_edge(Size);

  static void move_function(Move const& m) { move(m); }
  static void stage_function(Move const& m) { stage<false>(m); }
  static void stream_function(Move const& m) { stage<true>(m); }
  static void exchange_function(Exchange const& x) { exchange(x); }
  static void stream_exchange_function(Exchange const& x) { stream_exchange(x); }
  static constexpr TransposeKernel kernel{&move_function, &stage_function, &stream_function, &exchange_function,
                                          &stream_exchange_function, strips(false), strips(true), close_stride};
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

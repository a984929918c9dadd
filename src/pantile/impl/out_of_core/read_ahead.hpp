// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  Which bytes of a file the system is advised of before they are read.

#include <pantile/tile_store.hpp>

#include <pantile/impl/arch/host/tuning/out_of_core.hpp>

#include <algorithm>
#include <cstdint>

namespace pantile::impl::out_of_core {

using namespace pantile::out_of_core;

/// \brief  Pieces ahead of the one that is read, part after part. Where short pieces follow those of the part before,
///         as of panels that go along k, those to come are advised too, up to the end of a block: fewer requests, and
///         each page in one of them.
class ReadAhead {
 public:
  static constexpr std::uint64_t block = arch::host::read_block_bytes, most_bytes = arch::host::most_read_bytes;
  static constexpr std::int64_t least_pieces = arch::host::least_read_pieces;

  /// A part is read next.
  void begin(StoreShape const& shape, Part const& part) {
    bool const rows = shape.order == Order::rows;
    Part const lines = rows ? part : part.transposed();
    m_piece = static_cast<std::uint64_t>(lines.cols) * shape.element_bytes;
    bool const follows = m_piece < block && lines.row == m_lines.row && lines.rows == m_lines.rows &&
                         lines.col == m_lines.col + m_lines.cols;
    m_begun = follows && m_follows;
    m_follows = follows;
    m_lines = lines;
    bool const one_piece = lines.rows == 1 || lines.cols == (rows ? shape.cols : shape.rows);
    m_told = one_piece ? lines.rows : 0;
  }

  /// tell(first byte of the file, bytes) where it is time to, before piece number `done` of the part is read.
  template <class Tell>
  void before_piece(StoreShape const& shape, std::uint64_t offset, std::int64_t done, Tell const& tell) {
    std::int64_t const pieces = std::max(least_pieces, static_cast<std::int64_t>(most_bytes / m_piece));
    if (m_told - done >= pieces / 2) return;
    std::int64_t const end = std::max(m_told, std::min(done + pieces, m_lines.rows));
    Part const ahead{m_lines.row + m_told, m_lines.col, end - m_told, m_lines.cols};
    m_told = end;
    for_each_run(shape, shape.order == Order::rows ? ahead : ahead.transposed(),
                 [&](std::uint64_t place, std::uint64_t, std::uint64_t bytes) {
                   std::uint64_t const first = offset + place, last = first + bytes;
                   std::uint64_t const from = m_begun ? up(first) : first, to = m_follows ? up(last) : last;
                   if (from < to) tell(from, to - from);
                 });
  }

 private:
  static constexpr std::uint64_t up(std::uint64_t byte) { return (byte + block - 1) / block * block; }

  Part m_lines{};                           // the part, its pieces as rows
  std::uint64_t m_piece = 1;                // bytes of one
  bool m_follows = false, m_begun = false;  // the part before; which was told up to the ends of blocks
  std::int64_t m_told = 0;
};

}  // namespace pantile::impl::out_of_core

// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  Read-ahead: which bytes of a file the system is advised of before they are read.

#include <pantile/tile_store.hpp>

#include <pantile/impl/arch/host/tuning/out_of_core.hpp>

#include <algorithm>
#include <cstdint>

namespace pantile::impl::out_of_core {

using namespace pantile::out_of_core;

/// \brief  Advises of the next contiguous runs of a part while one is read. Where the runs of a part continue those of
///         the part before, as in panels along k, advice extends to whole blocks: fewer requests, each page in one.
class ReadAhead {
 public:
  static constexpr std::uint64_t block = arch::host::read_block_bytes, most_bytes = arch::host::most_read_bytes;
  static constexpr std::int64_t least_runs = arch::host::least_read_pieces;

  /// A part is read next.
  void begin(StoreShape const& shape, Part const& part) {
    bool const rows = shape.order == Order::rows;
    Part const lines = rows ? part : part.transposed();
    m_run_bytes = static_cast<std::uint64_t>(lines.cols) * shape.element_bytes;
    bool const follows = m_run_bytes < block && lines.row == m_lines.row && lines.rows == m_lines.rows &&
                         lines.col == m_lines.col + m_lines.cols;
    m_begun = follows && m_follows;
    m_follows = follows;
    m_lines = lines;
    bool const one_run = lines.rows == 1 || lines.cols == (rows ? shape.cols : shape.rows);
    m_advised = one_run ? lines.rows : 0;
  }

  /// Calls advise(first byte of the file, bytes) where advice is due, before run number `done` of the part is read.
  template <class Advise>
  void before_run(StoreShape const& shape, std::uint64_t offset, std::int64_t done, Advise const& advise) {
    std::int64_t const runs = std::max(least_runs, static_cast<std::int64_t>(most_bytes / m_run_bytes));
    if (m_advised - done >= runs / 2) return;
    std::int64_t const end = std::max(m_advised, std::min(done + runs, m_lines.rows));
    Part const ahead{m_lines.row + m_advised, m_lines.col, end - m_advised, m_lines.cols};
    m_advised = end;
    for_each_run(shape, shape.order == Order::rows ? ahead : ahead.transposed(),
                 [&](std::uint64_t place, std::uint64_t, std::uint64_t bytes) {
                   std::uint64_t const first = offset + place, last = first + bytes;
                   std::uint64_t const from = m_begun ? up(first) : first, to = m_follows ? up(last) : last;
                   if (from < to) advise(from, to - from);
                 });
  }

 private:
  static constexpr std::uint64_t up(std::uint64_t byte) { return (byte + block - 1) / block * block; }

  Part m_lines{};                           // the part, its runs as rows
  std::uint64_t m_run_bytes = 1;            // of one run
  bool m_follows = false, m_begun = false;  // continues the part before; that part was advised of in whole blocks
  std::int64_t m_advised = 0;
};

}  // namespace pantile::impl::out_of_core

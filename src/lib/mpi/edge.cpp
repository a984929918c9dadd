// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pantile/impl/mpi/edge.hpp>

namespace pantile::impl::mpi {

Edges edges_of(pantile::mpi::Distribution const& a, pantile::mpi::Distribution const& b, bool transposed,
               bool row_major) {
  auto const &from = a.grid(), &to = b.grid();
  Direction const rows_b = along_rows(b), cols_b = along_cols(b);
  Edge const rows{along_rows(a), transposed ? cols_b : rows_b, from.row(), transposed ? to.col() : to.row()};
  Edge const cols{along_cols(a), transposed ? rows_b : cols_b, from.col(), transposed ? to.row() : to.col()};
  return row_major == transposed ? Edges{rows, cols, false} : Edges{cols, rows, true};
}

FastSlow tile_of(FastSlow part, std::int64_t elements) {
  constexpr std::int64_t least_slow = 64;
  auto const fitting = [elements](std::int64_t extent, std::int64_t other) {
    return std::clamp<std::int64_t>(elements / std::max<std::int64_t>(other, 1), 1, std::max<std::int64_t>(extent, 1));
  };
  std::int64_t const fast = fitting(part.fast, std::min(part.slow, least_slow));
  return {fast, fitting(part.slow, fast)};
}

}  // namespace pantile::impl::mpi

// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pantile/impl/mpi/transposed.hpp>

#include <pantile/transpose.hpp>

#include <mpi.h>

#include <array>
#include <cstdint>
#include <vector>

namespace pantile::impl::mpi {
namespace {

using pantile::mpi::LocalExtents;
using pantile::mpi::ProcessGrid;

struct NumberKind {
  std::size_t bytes;
  MPI_Datatype type;
};
NumberKind kind_of(Number number) {
  std::array<NumberKind, 4> const kinds{{{sizeof(float), MPI_FLOAT},
                                         {sizeof(double), MPI_DOUBLE},
                                         {2 * sizeof(float), MPI_C_FLOAT_COMPLEX},
                                         {2 * sizeof(double), MPI_C_DOUBLE_COMPLEX}}};
  return kinds[static_cast<std::size_t>(number)];
}

/// to = the tile's elements, transposed and without gaps. Its lines, of `slow` elements each, are `leading` apart.
template <class T>
void transpose_part(bool conjugate, void const* from, std::int64_t leading, FastSlow tile, void* to) {
  using Unmanaged = Kokkos::MemoryTraits<Kokkos::Unmanaged>;
  auto const fast = static_cast<std::size_t>(tile.fast), slow = static_cast<std::size_t>(tile.slow);
  Kokkos::View<T const**, Kokkos::LayoutStride, Kokkos::HostSpace, Unmanaged> const a(
      static_cast<T const*>(from), Kokkos::LayoutStride(fast, static_cast<std::size_t>(leading), slow, 1));
  Kokkos::View<T**, Kokkos::LayoutRight, Kokkos::HostSpace, Unmanaged> const b(static_cast<T*>(to), slow, fast);
  Kokkos::DefaultHostExecutionSpace const exec;
  pantile::transpose(exec, a, b, {.conjugate = conjugate});
  exec.fence("pantile::mpi: a transposed part");
}

MPI_Datatype indexed(Runs const& runs, MPI_Datatype element) {
  MPI_Datatype type = MPI_DATATYPE_NULL;
  MPI_Type_indexed(static_cast<int>(runs.begins.size()), runs.lengths.data(), runs.begins.data(), element, &type);
  return type;
}

/// What one side of the exchange has for each rank of the communicator.
class Shares {
 public:
  /// Lines of the matrix are `leading` elements apart; along its fast edge lie columns of the grid, or rows.
  Shares(ProcessGrid const& grid, Number number, std::int64_t leading, bool fast_along_cols)
      : m_grid_cols(grid.cols()), m_kind(kind_of(number)), m_leading(leading), m_fast_along_cols(fast_along_cols) {
    int ranks = 0;
    MPI_Comm_size(grid.communicator(), &ranks);
    counts.resize(static_cast<std::size_t>(ranks));
    places.resize(static_cast<std::size_t>(ranks));
    types.assign(static_cast<std::size_t>(ranks), MPI_BYTE);
  }
  Shares(Shares&&) = delete;
  Shares& operator=(Shares&&) = delete;
  ~Shares() {
    for (std::size_t rank = 0; rank < types.size(); ++rank) {
      if (counts[rank] != 0) MPI_Type_free(&types[rank]);
    }
  }

  /// For each place of the grid, its runs of `fast` in each of its lines of `slow`.
  void add(std::vector<Runs> const& fast, std::vector<Runs> const& slow) {
    for (std::size_t i = 0; i < fast.size(); ++i) {
      for (std::size_t j = 0; j < slow.size(); ++j) {
        if (fast[i].begins.empty() || slow[j].begins.empty()) continue;
        std::size_t const row = m_fast_along_cols ? j : i, col = m_fast_along_cols ? i : j;
        add(row * static_cast<std::size_t>(m_grid_cols) + col, fast[i], slow[j]);
      }
    }
  }

  std::vector<int> counts, places;
  std::vector<MPI_Datatype> types;

 private:
  void add(std::size_t rank, Runs const& fast, Runs const& slow) {
    MPI_Datatype line = indexed(fast, m_kind.type), spaced = MPI_DATATYPE_NULL;
    MPI_Type_create_resized(line, 0, m_leading * static_cast<std::int64_t>(m_kind.bytes), &spaced);
    types[rank] = indexed(slow, spaced);
    counts[rank] = 1;
    MPI_Type_commit(&types[rank]);
    MPI_Type_free(&spaced);
    MPI_Type_free(&line);
  }

  int m_grid_cols;
  NumberKind m_kind;
  std::int64_t m_leading;
  bool m_fast_along_cols;
};

FastSlow fast_slow(LocalExtents e, bool row_major) {
  auto const rows = static_cast<std::int64_t>(e.rows), cols = static_cast<std::int64_t>(e.cols);
  return row_major ? FastSlow{rows, cols} : FastSlow{cols, rows};
}

}  // namespace

Transposed::Transposed(Number number, bool conjugate, Part const& a, std::size_t most_bytes)
    : m_number(number),
      m_conjugate(conjugate),
      m_a(a),
      m_largest(fast_slow(a.distribution->local_extents(0, 0), a.row_major)),
      m_tile(tile_of(m_largest, static_cast<std::int64_t>(most_bytes / kind_of(number).bytes))) {
  FastSlow const mine = tile_at({});
  auto const elements = static_cast<std::size_t>(mine.fast * mine.slow);
  m_memory = decltype(m_memory)(Kokkos::view_alloc(Kokkos::WithoutInitializing, "pantile::mpi::transposed"),
                                elements * kind_of(number).bytes);
  transpose_tile({});
}

FastSlow Transposed::tile_at(FastSlow begin) const {
  FastSlow const mine = fast_slow(m_a.distribution->local_extents(), m_a.row_major);
  return {Window{begin.fast, m_tile.fast}.within(mine.fast), Window{begin.slow, m_tile.slow}.within(mine.slow)};
}

void Transposed::transpose_tile(FastSlow begin) const {
  FastSlow const tile = tile_at(begin);
  if (tile.fast == 0 || tile.slow == 0) return;
  auto const before = static_cast<std::size_t>(begin.fast * m_a.leading + begin.slow) * kind_of(m_number).bytes;
  constexpr std::array transposes{transpose_part<float>, transpose_part<double>, transpose_part<Kokkos::complex<float>>,
                                  transpose_part<Kokkos::complex<double>>};
  transposes[static_cast<std::size_t>(m_number)](m_conjugate, static_cast<std::byte*>(m_a.data) + before, m_a.leading,
                                                 tile, m_memory.data());
}

void Transposed::deal(Part const& b) const {
  ProcessGrid const& grid = b.distribution->grid();
  auto const [fast, slow, fast_along_cols] = edges_of(*m_a.distribution, *b.distribution, true, b.row_major);
  for (std::int64_t i = 0; i < m_largest.slow; i += m_tile.slow) {
    for (std::int64_t j = 0; j < m_largest.fast; j += m_tile.fast) {
      if (i + j > 0) transpose_tile({j, i});
      Window const in_line{j, m_tile.fast}, lines{i, m_tile.slow};
      // Along B's rows, which are A's columns, lie rows of B's grid, and columns of A's.
      Shares sends(grid, m_number, tile_at({j, i}).fast, b.row_major),
          receives(grid, m_number, b.leading, fast_along_cols);
      if (grid.contains_this_rank()) {
        sends.add(fast.sent(in_line), slow.sent(lines));
        receives.add(fast.received(in_line), slow.received(lines));
      }
      MPI_Alltoallw(m_memory.data(), sends.counts.data(), sends.places.data(), sends.types.data(), b.data,
                    receives.counts.data(), receives.places.data(), receives.types.data(), grid.communicator());
    }
  }
}

}  // namespace pantile::impl::mpi

// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pantile/impl/mpi/transposed.hpp>

#include <pantile/impl/mpi/direction.hpp>
#include <pantile/transpose.hpp>

#include <mpi.h>

#include <algorithm>
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

/// to (n, m) = from (m, n), transposed; to without gaps.
template <class T>
void transpose_part(bool conjugate, Part const& from, LocalExtents e, void* to) {
  using Exec = Kokkos::DefaultHostExecutionSpace;
  using Unmanaged = Kokkos::MemoryTraits<Kokkos::Unmanaged>;
  auto const leading = static_cast<std::size_t>(from.leading);
  Kokkos::LayoutStride const columns(e.rows, 1, e.cols, leading), rows(e.rows, leading, e.cols, 1);
  Kokkos::LayoutStride const columns_to(e.cols, 1, e.rows, e.cols), rows_to(e.cols, e.rows, e.rows, 1);
  Kokkos::View<T const**, Kokkos::LayoutStride, Kokkos::HostSpace, Unmanaged> const a(static_cast<T const*>(from.data),
                                                                                      from.row_major ? rows : columns);
  Kokkos::View<T**, Kokkos::LayoutStride, Kokkos::HostSpace, Unmanaged> const b(static_cast<T*>(to),
                                                                                from.row_major ? rows_to : columns_to);
  Exec const exec;
  pantile::transpose(exec, a, b, {.conjugate = conjugate});
  exec.fence("pantile::mpi: a transposed part");
}

/// Rows, or columns, of a part that lie side by side.
struct Runs {
  std::vector<int> begins, lengths;
};

/// Of the part at `place`, what lies at each place of another distribution of the same rows, or columns.
std::vector<Runs> runs_at(Direction const& mine, int place, Direction const& other) {
  std::vector<Runs> result(static_cast<std::size_t>(other.places));
  auto const extent = static_cast<std::int64_t>(mine.local_extent(place));
  for (std::int64_t local = 0, length = 0; local < extent; local += length) {
    std::int64_t const global = mine.global(static_cast<std::size_t>(local), place);
    length = std::min({mine.block - global % mine.block, other.block - global % other.block, extent - local});
    Runs& runs = result[other.place_of(global)];
    if (!runs.begins.empty() && runs.begins.back() + runs.lengths.back() == local) {
      runs.lengths.back() += static_cast<int>(length);
    } else {
      runs.begins.push_back(static_cast<int>(local));
      runs.lengths.push_back(static_cast<int>(length));
    }
  }
  return result;
}

MPI_Datatype indexed(Runs const& runs, MPI_Datatype element) {
  MPI_Datatype type = MPI_DATATYPE_NULL;
  MPI_Type_indexed(static_cast<int>(runs.begins.size()), runs.lengths.data(), runs.begins.data(), element, &type);
  return type;
}

/// What one side of the exchange has for each rank of the communicator.
class Shares {
 public:
  Shares(ProcessGrid const& grid, Number number, std::int64_t leading)
      : m_grid_cols(grid.cols()), m_kind(kind_of(number)), m_leading(leading) {
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

  /// The elements that lie in runs of `fast` in each line of `slow`, for the rank at that place.
  void add(std::size_t grid_row, std::size_t grid_col, Runs const& slow, Runs const& fast) {
    if (slow.begins.empty() || fast.begins.empty()) return;
    std::size_t const rank = grid_row * static_cast<std::size_t>(m_grid_cols) + grid_col;
    MPI_Datatype line = indexed(fast, m_kind.type), spaced = MPI_DATATYPE_NULL;
    MPI_Type_create_resized(line, 0, m_leading * static_cast<std::int64_t>(m_kind.bytes), &spaced);
    types[rank] = indexed(slow, spaced);
    counts[rank] = 1;
    MPI_Type_commit(&types[rank]);
    MPI_Type_free(&spaced);
    MPI_Type_free(&line);
  }

  std::vector<int> counts, places;
  std::vector<MPI_Datatype> types;

 private:
  int m_grid_cols;
  NumberKind m_kind;
  std::int64_t m_leading;
};

}  // namespace

Transposed::Transposed(Number number, bool conjugate, Part const& a) : m_number(number), m_part(a) {
  LocalExtents const e = a.distribution->local_extents();
  m_memory = decltype(m_memory)(Kokkos::view_alloc(Kokkos::WithoutInitializing, "pantile::mpi::transposed"),
                                e.rows * e.cols * kind_of(number).bytes);
  constexpr std::array transposes{transpose_part<float>, transpose_part<double>, transpose_part<Kokkos::complex<float>>,
                                  transpose_part<Kokkos::complex<double>>};
  transposes[static_cast<std::size_t>(number)](conjugate, a, e, m_memory.data());
  m_part.data = m_memory.data();
  m_part.leading = static_cast<std::int64_t>(a.row_major ? e.rows : e.cols);
}

void Transposed::deal(Part const& b) const {
  auto const &of_a = *m_part.distribution, &of_b = *b.distribution;
  ProcessGrid const& grid = of_b.grid();
  Shares sends(grid, m_number, m_part.leading), receives(grid, m_number, b.leading);
  if (grid.contains_this_rank()) {
    // Rows of B are columns of A.
    auto const rows_to = runs_at(along_cols(of_a), grid.col(), along_rows(of_b));
    auto const cols_to = runs_at(along_rows(of_a), grid.row(), along_cols(of_b));
    auto const rows_from = runs_at(along_rows(of_b), grid.row(), along_cols(of_a));
    auto const cols_from = runs_at(along_cols(of_b), grid.col(), along_rows(of_a));
    auto const add = [&](Shares& shares, std::size_t row, std::size_t col, Runs const& rows, Runs const& cols) {
      b.row_major ? shares.add(row, col, rows, cols) : shares.add(row, col, cols, rows);
    };
    for (std::size_t i = 0; i < rows_to.size(); ++i) {
      for (std::size_t j = 0; j < cols_to.size(); ++j) add(sends, i, j, rows_to[i], cols_to[j]);
    }
    for (std::size_t i = 0; i < cols_from.size(); ++i) {
      for (std::size_t j = 0; j < rows_from.size(); ++j) add(receives, i, j, rows_from[j], cols_from[i]);
    }
  }
  MPI_Alltoallw(m_part.data, sends.counts.data(), sends.places.data(), sends.types.data(), b.data,
                receives.counts.data(), receives.places.data(), receives.types.data(), grid.communicator());
}

}  // namespace pantile::impl::mpi

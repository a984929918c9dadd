// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  Matrices that every rank knows in full, dealt out and gathered again.

#include <support/matrices.hpp>

#include <pantile/mpi/distribution.hpp>
#include <pantile/policy.hpp>

#include <mpi.h>
#include <Kokkos_Core.hpp>

#include <cstddef>
#include <utility>
#include <vector>

namespace pantile::testing {

inline int world_rank() {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  return rank;
}
inline int world_size() {
  int size = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  return size;
}

/// Every shape with a place for every rank.
inline std::vector<mpi::ProcessGrid> all_grids() {
  std::vector<mpi::ProcessGrid> grids;
  for (int rows = 1; rows <= world_size(); ++rows) {
    if (world_size() % rows != 0) continue;
    // Not emplaced: of nvcc's host compiler that makes a place in the source that it refuses.
    grids.push_back(mpi::ProcessGrid(MPI_COMM_WORLD, rows, world_size() / rows));
  }
  return grids;
}

/// Small whole numbers: their products and sums are exact in every element type.
template <class T>
HostMatrix<T> whole_numbers(std::size_t rows, std::size_t cols, int seed) {
  HostMatrix<T> result(rows, cols);
  int next = seed;
  auto const number = [&] { return static_cast<float>((next = (next * 37 + 11) % 101) % 9 - 4); };
  for (T& value : result.values) {
    if constexpr (is_complex_v<T>) {
      value = T(number(), number());
    } else {
      value = static_cast<T>(number());
    }
  }
  return result;
}

/// \brief  This rank's part in a View whose rows or columns are `gap` elements farther apart than they need be, and
///         whose surroundings can be looked at.
template <class T, class Layout>
class Dealt {
 public:
  using View = Kokkos::View<T**, Layout>;

  Dealt(mpi::Distribution const& distribution, HostMatrix<T> const& values, std::size_t gap = 0)
      : matrix{distribution, View()} {
    auto const [rows, cols] = distribution.local_extents();
    constexpr bool left = std::is_same_v<Layout, Kokkos::LayoutLeft>;
    m_all = View("dealt", rows + (left ? gap : 0), cols + (left ? 0 : gap));
    matrix.local = Kokkos::subview(m_all, std::pair<std::size_t, std::size_t>(0, rows),
                                   std::pair<std::size_t, std::size_t>(0, cols));
    assign(values);
  }

  void assign(HostMatrix<T> const& values) {
    Kokkos::deep_copy(m_all, T(77));
    auto const host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace{}, m_all);
    for_each([&](std::size_t i, std::size_t j, std::size_t row, std::size_t col) { host(i, j) = values(row, col); });
    Kokkos::deep_copy(m_all, host);
  }

  /// The whole matrix, on every rank.
  [[nodiscard]] HostMatrix<T> gathered() const {
    auto const& d = matrix.distribution;
    HostMatrix<T> whole(static_cast<std::size_t>(d.rows()), static_cast<std::size_t>(d.cols()));
    auto const host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace{}, m_all);
    for_each([&](std::size_t i, std::size_t j, std::size_t row, std::size_t col) { whole(row, col) = host(i, j); });
    // All bits of an element that is another rank's are zero here.
    MPI_Allreduce(MPI_IN_PLACE, whole.values.data(), static_cast<int>(whole.values.size() * sizeof(T)), MPI_BYTE,
                  MPI_BOR, MPI_COMM_WORLD);
    return whole;
  }

  /// Is what lies between and behind rows or columns as it was?
  [[nodiscard]] bool surroundings_intact() const {
    auto const host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace{}, m_all);
    for (std::size_t i = 0; i < host.extent(0); ++i) {
      for (std::size_t j = 0; j < host.extent(1); ++j) {
        bool const inside = i < matrix.local.extent(0) && j < matrix.local.extent(1);
        if (!inside && !(host(i, j) == T(77))) return false;
      }
    }
    return true;
  }

  mpi::DistributedMatrix<View> matrix;

 private:
  /// f(local row, local column, row, column)
  template <class F>
  void for_each(F const& f) const {
    for (std::size_t i = 0; i < matrix.local.extent(0); ++i) {
      for (std::size_t j = 0; j < matrix.local.extent(1); ++j) {
        f(i, j, static_cast<std::size_t>(matrix.distribution.global_row(i)),
          static_cast<std::size_t>(matrix.distribution.global_col(j)));
      }
    }
  }

  View m_all;
};

/// After op.
template <class T>
HostMatrix<T> applied(Op op, HostMatrix<T> const& a) {
  HostMatrix<T> result(transposes(op) ? a.cols : a.rows, transposes(op) ? a.rows : a.cols);
  for (std::size_t i = 0; i < a.rows; ++i) {
    for (std::size_t j = 0; j < a.cols; ++j) {
      T value = a(i, j);
      if constexpr (is_complex_v<T>) {
        if (conjugates(op)) value = Kokkos::conj(value);
      }
      (transposes(op) ? result(j, i) : result(i, j)) = value;
    }
  }
  return result;
}

}  // namespace pantile::testing

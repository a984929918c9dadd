// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  A local View as an operand in host memory, where ScaLAPACK computes and MPI sends from.

#include <pantile/concepts.hpp>
#include <pantile/mpi/distribution.hpp>
#include <pantile/transfer.hpp>

#include <pantile/impl/mpi/checks.hpp>
#include <pantile/impl/mpi/pblas.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstdint>
#include <type_traits>

namespace pantile::impl::mpi {

/// The View itself where the host reaches it; else host memory, to which and from which it is copied.
template <class View>
class OnHost {
 public:
  explicit OnHost(DistributedMatrix<View> const& matrix) : m_matrix(matrix) {}

  /// What exec has under way is done, and the elements are on the host if they are read.
  template <class Exec>
  void bring(Exec const& exec, bool is_read) {
    if constexpr (is_reachable) {
      m_host = m_matrix.local;
    } else {
      m_host = Host(Kokkos::view_alloc(Kokkos::WithoutInitializing, "pantile::mpi::on_host"), m_matrix.local.extent(0),
                    m_matrix.local.extent(1));
      if (is_read) pantile::copy(exec, m_host, m_matrix.local);
    }
    exec.fence("pantile::mpi: before the host reads");
  }

  /// The elements are where the caller has them.
  template <class Exec>
  void take_back(Exec const& exec) const {
    if constexpr (!is_reachable) {
      pantile::copy(exec, m_matrix.local, m_host);
      exec.fence("pantile::mpi: before host memory is freed");
    }
  }

  [[nodiscard]] Part part() const {
    auto const m = to_const_matrix(m_host);
    // Of one column or none, Views have any stride.
    std::int64_t const leading = is_row_major<View> ? std::max(m.row_stride, m.cols) : std::max(m.col_stride, m.rows);
    auto* const data = const_cast<typename View::non_const_value_type*>(m.data);
    return {&m_matrix.distribution, data, std::max<std::int64_t>(leading, 1), is_row_major<View>};
  }

 private:
  static constexpr bool is_reachable = AccessibleFrom<View, Kokkos::DefaultHostExecutionSpace>;
  using Host = std::conditional_t<
      is_reachable, View,
      Kokkos::View<typename View::non_const_data_type, typename View::array_layout, Kokkos::HostSpace>>;

  DistributedMatrix<View> const& m_matrix;
  Host m_host;
};

}  // namespace pantile::impl::mpi

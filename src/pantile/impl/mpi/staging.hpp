// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  Which execution space can access a local View, and the staging memory for its elements.

#include <pantile/concepts.hpp>
#include <pantile/policy.hpp>

#include <pantile/impl/mpi/checks.hpp>
#include <pantile/impl/mpi/pblas.hpp>
#include <pantile/impl/transfer/block_pool.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace pantile::impl::mpi {

/// Of a View that the host reaches, or memory that stands for it.
template <class View>
Part part_of(Distribution const& distribution, View const& local) {
  auto const m = to_const_matrix(local);
  // Of one column or none, Views have any stride.
  std::int64_t const leading = is_row_major<View> ? std::max(m.row_stride, m.cols) : std::max(m.col_stride, m.rows);
  auto* const data = const_cast<typename View::non_const_value_type*>(m.data);
  return {&distribution, data, std::max<std::int64_t>(leading, 1), is_row_major<View>};
}
template <class View>
Part part_of(DistributedMatrix<View> const& matrix) {
  return part_of(matrix.distribution, matrix.local);
}

/// Exec where it reaches the View, else the View's own.
template <class View, class Exec>
using Reaching = std::conditional_t<AccessibleFrom<View, Exec>, Exec, typename View::execution_space>;

/// The caller's instance, or a default one.
template <class View, class Exec>
Reaching<View, Exec> reaching(Exec const& exec) {
  if constexpr (AccessibleFrom<View, Exec>) {
    return exec;
  } else {
    return {};
  }
}

/// \brief  Memory that is used by turns. Nobody is at work on it when it ends.
/// \tparam Space  a device's, or the host's
template <class Space>
class Turns {
 public:
  /// Pinned memory from the pool of pinned.hpp, or Space's own.
  void reserve(int turns, std::size_t bytes, bool in_space) {
    m_turns = static_cast<std::size_t>(turns);
    m_bytes = bytes;
    if (turns == 0 || bytes == 0) return;
    if (in_space) {
      m_in_space = View(Kokkos::view_alloc(Kokkos::WithoutInitializing, "pantile::mpi::turns"), m_turns * bytes);
      return;
    }
    m_pinned.reserve(turns, bytes, TransferOptions{}.keep_bytes);
    for (auto& block : m_pinned.blocks()) block.ready.wait("pantile::mpi: before staging memory is used again");
  }

  /// Null where nothing was reserved.
  [[nodiscard]] std::byte* of(std::int64_t step) {
    if (m_turns == 0 || m_bytes == 0) return nullptr;
    std::size_t const turn = static_cast<std::size_t>(step) % m_turns;
    return m_in_space.data() != nullptr ? m_in_space.data() + turn * m_bytes : m_pinned.blocks()[turn].memory.data();
  }

 private:
  using View = Kokkos::View<std::byte*, Space>;
  std::size_t m_turns = 0, m_bytes = 0;
  transfer::Chunks m_pinned;
  View m_in_space;
};

}  // namespace pantile::impl::mpi

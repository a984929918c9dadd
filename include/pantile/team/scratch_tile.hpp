// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  A typed matrix in team scratch: what Numba calls a shared array.

#include <pantile/concepts.hpp>
#include <pantile/element.hpp>

#include <pantile/impl/tile/shape.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>

namespace pantile::team {

/// \brief  rows x cols elements in team scratch, rows apart by cols + padding elements, beginning at a multiple of 16
///         bytes. Shared by the team and not initialised. A padding of 1 keeps columns free of bank conflicts on GPUs.
///
/// \code
///   using Member = Kokkos::TeamPolicy<>::member_type;
///   using Tile = pantile::team::ScratchTile<double>;
///   auto const policy = Kokkos::TeamPolicy<>(league, Kokkos::AUTO)
///                           .set_scratch_size(0, Kokkos::PerTeam(2 * Tile::bytes(32, 32, 1)));
///   Kokkos::parallel_for(policy, KOKKOS_LAMBDA(Member const& member) {
///     Tile const a(member, 32, 32, 1), b(member, 32, 32, 1);
///     pantile::team::team_for_2d(member, 32, 32, [&](int i, int j) { a(i, j) = 0; });
///     member.team_barrier();  // before a thread reads what another one wrote
///   });
/// \endcode
///
/// Each tile constructed takes its bytes from the scratch size of the policy: construct tiles once per kernel, not in a
/// loop.
template <class T>
class ScratchTile {
 public:
  using value_type = T;

  /// Bytes to add to the scratch size of the policy for one tile of this shape.
  [[nodiscard]] KOKKOS_INLINE_FUNCTION static constexpr int bytes(int rows, int cols, int padding = 0) {
    return static_cast<int>(payload(rows, cols, padding) + impl::tile::scratch_alignment);
  }

  /// Called by every thread of the team with the same arguments. No barrier.
  template <class Member>
  KOKKOS_INLINE_FUNCTION ScratchTile(Member const& member, int rows, int cols, int padding = 0, int scratch_level = 0)
      : m_data(static_cast<T*>(member.team_scratch(scratch_level)
                                   .get_shmem_aligned(payload(rows, cols, padding), impl::tile::scratch_alignment))),
        m_rows(rows),
        m_cols(cols),
        m_ld(cols + padding) {
    KOKKOS_ASSERT(m_data != nullptr && "pantile::team::ScratchTile: the policy's scratch size is too small");
  }

  KOKKOS_INLINE_FUNCTION T& operator()(int i, int j) const {
    KOKKOS_ASSERT(i >= 0 && i < m_rows && j >= 0 && j < m_ld);
    return m_data[i * m_ld + j];
  }

  [[nodiscard]] KOKKOS_INLINE_FUNCTION int rows() const { return m_rows; }
  [[nodiscard]] KOKKOS_INLINE_FUNCTION int cols() const { return m_cols; }
  /// Elements from one row to the next, padding included.
  [[nodiscard]] KOKKOS_INLINE_FUNCTION int ld() const { return m_ld; }
  /// All elements, padding included, as one array.
  [[nodiscard]] KOKKOS_INLINE_FUNCTION T* data() const { return m_data; }
  [[nodiscard]] KOKKOS_INLINE_FUNCTION int capacity() const { return m_rows * m_ld; }

  // As in a View, so that functions take tiles and Views alike.
  [[nodiscard]] KOKKOS_INLINE_FUNCTION static constexpr int rank() { return 2; }
  [[nodiscard]] KOKKOS_INLINE_FUNCTION int extent(int r) const { return r == 0 ? m_rows : m_cols; }
  [[nodiscard]] KOKKOS_INLINE_FUNCTION int stride(int r) const { return r == 0 ? m_ld : 1; }

 private:
  KOKKOS_INLINE_FUNCTION static constexpr std::size_t payload(int rows, int cols, int padding) {
    return impl::tile::scratch_bytes(static_cast<std::size_t>(rows) * static_cast<std::size_t>(cols + padding),
                                     sizeof(T));
  }

  T* m_data;
  int m_rows, m_cols, m_ld;
};

template <class T>
inline constexpr bool is_scratch_tile_v = false;
template <class T>
inline constexpr bool is_scratch_tile_v<ScratchTile<T>> = true;

/// A matrix for the functions of pantile::team: a rank-2 View or a ScratchTile.
template <class T>
concept TeamMatrix = MatrixView<T> || is_scratch_tile_v<T>;

}  // namespace pantile::team

// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  The shape of a matmul kernel for devices, known at compile time. Plain numbers for kernels and policy.

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace pantile::impl::arch {

/// How products are formed.
enum class ProductEngine {
  multiply_add,  ///< a thread's own fused multiply-adds
  matrix,        ///< a warp's matrix instruction, every product in the precision of the sums or exact
  tf32,          ///< matrix instructions for floats rounded to tf32, for callers who allow it (Precision)
  three_tf32     ///< three of them for a product
};

/// An engine as a word of a kernel's tag.
constexpr char const* word_of(ProductEngine engine) {
  switch (engine) {
    case ProductEngine::multiply_add: return "multiply_add";
    case ProductEngine::matrix: return "matrix";
    case ProductEngine::tf32: return "tf32";
    default: return "three_tf32";
  }
}

/// \brief  A team computes a tile of m x n outputs in steps of k, with `stages` panels of A and B in scratch: rows of
///         k-packs, one per output of the edge. A k-pack is an element of the sums' type, or as many neighbours along k
///         of low precision as matrix instructions take.
struct DeviceTile {
  int m, n, k;
  int warp_m, warp_n;      ///< outputs of a warp
  int thread_m, thread_n;  ///< of a thread; with a matrix instruction zero, it says who has what
  int stages;
  int warp;  ///< threads of a warp
  ProductEngine engine;
  bool async;      ///< panels come by copies that nobody waits for, otherwise through registers
  int min_blocks;  ///< teams that should fit a multiprocessor at once: bounds the registers
  int k_pack_bytes;
  int k_pack = 1;  ///< elements of one
  int ahead =
      1;  ///< steps of a panel that are read from scratch before they are multiplied; zero where registers are short
  bool across = false;    ///< and the first step of the panel that comes next, before the last products of this one
  int fetch_groups = 1;   ///< groups of warps that fetch one after the other, so that others multiply meanwhile
  bool in_order = false;  ///< nor earlier by the compiler's choice: lanes wait for each other after a step
  int rate = 1;           ///< multiply-adds per clock that a multiprocessor full of these teams should reach

  [[nodiscard]] constexpr int threads() const { return m / warp_m * (n / warp_n) * warp; }
  /// Rows of k-packs in a panel.
  [[nodiscard]] constexpr int k_pack_rows() const { return k / k_pack; }
  /// K-packs between the end of a panel's row and the next: columns of neighbouring rows are in different banks.
  [[nodiscard]] constexpr int padding() const {
    if (k_pack_bytes == 4) return engine == ProductEngine::multiply_add ? 4 : 8;
    return k_pack > 1 ? 2 : k_pack_bytes == 8 ? 4 : 1;
  }
  /// More of them between each four rows and the next four: NVIDIA's lanes that hold 16 bytes along k write every
  /// fourth row, those that take eight k-packs of 8 bytes along k eight rows, and eight of 4 bytes that become wider.
  [[nodiscard]] constexpr int padding_of_four() const {
    if (k_pack_bytes == 8 && k_pack == 1) return 2;
    if (k_pack_bytes >= 8 || engine == ProductEngine::multiply_add) return 0;
    return k_pack > 1 ? 8 : 4;
  }
  /// K-packs of a panel with so many outputs along its edge.
  [[nodiscard]] constexpr int panel_size(int edge) const {
    return k_pack_rows() * (edge + padding()) + k_pack_rows() / 4 * padding_of_four();
  }
  /// Bytes of all stages of both panels.
  [[nodiscard]] constexpr std::size_t scratch_bytes() const {
    return std::size_t(stages) * (panel_size(m) + panel_size(n)) * k_pack_bytes;
  }
};

/// Neighbours along k that a matrix instruction takes together: their bits, the first in the lowest.
template <class T, int Count>
struct KPack {
  using Bits = std::conditional_t<sizeof(T) * Count == 4, std::uint32_t, std::uint64_t>;
  static_assert(sizeof(T) * Count == sizeof(Bits));
  Bits bits;
};

/// The tiles that a machine has kernels for: types with a DeviceTile `shape`, and for matrix instructions the
/// `Product`.
template <class... Tile>
struct DeviceTiles {
  static constexpr int count = sizeof...(Tile);
  static constexpr DeviceTile shapes[count == 0 ? 1 : count] = {Tile::shape...};
};

/// Those for sums of this type, by its size; none for other sizes.
template <class Compute, class Of4, class Of8, class Of16>
using DeviceTilesOf = std::conditional_t<
    sizeof(Compute) == 4, Of4,
    std::conditional_t<sizeof(Compute) == 8, Of8, std::conditional_t<sizeof(Compute) == 16, Of16, DeviceTiles<>>>>;

}  // namespace pantile::impl::arch

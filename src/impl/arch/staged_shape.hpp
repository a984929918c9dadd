// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  The shape of a matmul kernel for devices: what a compiler must know. Plain numbers for kernels and policy.

#include <cstddef>
#include <type_traits>

namespace pantile::impl::arch {

/// How products are formed: a thread's own fused multiply-adds, or a warp's matrix instruction.
enum class ProductEngine { multiply_add, double_matrix };

/// \brief  A team computes a tile of m x n outputs in steps of k, with `stages` panels of A and B in scratch. Each warp has warp_m x warp_n of the outputs, each thread thread_m x thread_n of those.
struct StagedShape {
  int m, n, k;
  int warp_m, warp_n;
  int thread_m, thread_n;  ///< with a matrix instruction: zero, it says who has what
  int stages;
  int warp;  ///< threads of a warp
  ProductEngine engine;
  bool async;  ///< panels come by copies that nobody waits for, otherwise through registers
  int teams;   ///< that should fit a multiprocessor at once: bounds the registers

  [[nodiscard]] constexpr int threads() const { return m / warp_m * (n / warp_n) * warp; }
  /// Elements between rows of a panel in scratch: columns of neighbouring rows are in different banks.
  static constexpr int padding(std::size_t size) {
    return size == 8 ? 4 : size >= 16 ? 1 : static_cast<int>(16 / size);
  }
  /// Bytes of one stage of A's panel and of B's for elements of this size: rows of k, edges in a row.
  [[nodiscard]] constexpr std::size_t a_bytes(std::size_t size) const {
    return std::size_t(k) * (m + padding(size)) * size;
  }
  [[nodiscard]] constexpr std::size_t b_bytes(std::size_t size) const {
    return std::size_t(k) * (n + padding(size)) * size;
  }
  [[nodiscard]] constexpr std::size_t scratch_bytes(std::size_t size) const {
    return stages * (a_bytes(size) + b_bytes(size));
  }
};

/// The tiles that a machine has kernels for, largest first: types with a StagedShape `shape`.
template <class... Tile>
struct StagedTiles {
  static constexpr int count = sizeof...(Tile);
  static constexpr StagedShape shapes[count == 0 ? 1 : count] = {Tile::shape...};
};

/// Those for sums of this type, by its size; none for other sizes.
template <class Compute, class Of4, class Of8, class Of16>
using StagedTilesOf = std::conditional_t<
    sizeof(Compute) == 4, Of4,
    std::conditional_t<sizeof(Compute) == 8, Of8, std::conditional_t<sizeof(Compute) == 16, Of16, StagedTiles<>>>>;

}  // namespace pantile::impl::arch

// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  What a caller can choose: operators, algorithms, tiles and launch shapes. Plain aggregates, no Kokkos.

#include <cstddef>
#include <cstdint>

namespace pantile {

/// What is done to a matrix operand before it is used; as BLAS' N, T, (conjugate only), C.
enum class Op { none, transpose, conjugate, conjugate_transpose };

/// Two edges of a launch, x along columns (the fast direction of LayoutRight), y along rows.
struct Extent2 {
  int x = 0;
  int y = 0;
  friend constexpr bool operator==(Extent2, Extent2) = default;
};

/// \brief  A launch as CUDA and Numba write it: grid.x * grid.y blocks of block.x * block.y threads.
///         Zeroes let the library choose. For algorithm grid_stride; may be smaller or larger than the data.
struct LaunchShape {
  Extent2 grid{};
  Extent2 block{};
  friend constexpr bool operator==(LaunchShape, LaunchShape) = default;
};

/// Edges of a matmul tile: C is computed in (m, n) tiles, k taken in steps of k. Any positive edge; zeroes are chosen.
struct MatmulTile {
  int m = 0;
  int n = 0;
  int k = 0;
  friend constexpr bool operator==(MatmulTile, MatmulTile) = default;
};

/// \brief  How products of floats may be formed: a permission, taken where a machine has a faster way (NVIDIA from
///         sm_80 on); other element types and other machines compute in full.
///  - full:       as float has it
///  - three_tf32: each float as a sum of two tf32 numbers: the relative error of a product is at most 2^-20 instead of
///                2^-24, numbers of magnitude below 2^-100 lose more; infinities, and numbers from 2^128 - 2^116 on,
///                give NaN
///  - tf32:       each float rounded to 11 significant bits
enum class Precision { full, three_tf32, tf32 };

/// \brief  How `matmul` computes.
///  - automatic:   the library chooses; explain tells what and why
///  - naive:       one output element per thread of a 2D grid, no reuse
///  - grid_stride: a launch shape smaller than the data, every thread strides over the outputs
///  - tiled:       tile by tile, through team scratch
///  - blocked:     top speed: on hosts blocks for every cache and kernels for the CPU's own vector instructions; on
///                 devices panels copied to scratch ahead of their use and sums in registers
///  - vendor:      the vendor's library through Kokkos Kernels, where Pantile is built with it
enum class MatmulAlgorithm { automatic, naive, grid_stride, tiled, blocked, vendor };

/// \brief  Memory that a call works in: of its execution space, and no other call's until this one is done. As much as
///         `explain` says (workspace_bytes); then nothing is allocated or kept. Without it Pantile keeps memory of its
///         own.
struct Workspace {
  void* data = nullptr;
  std::size_t bytes = 0;
  friend constexpr bool operator==(Workspace const&, Workspace const&) = default;
};

/// \brief  Choices for matmul; defaults are the library's own. A choice that the algorithm does not use is refused.
struct MatmulOptions {
  Op op_a = Op::none;  ///< what is done to A first
  Op op_b = Op::none;  ///< what is done to B first
  MatmulAlgorithm algorithm = MatmulAlgorithm::automatic;
  MatmulTile tile{};                      ///< for tiled: edges of the tiles, zeroes are chosen
  LaunchShape launch{};                   ///< for grid_stride: blocks and threads, zeroes are chosen
  Precision precision = Precision::full;  ///< of products of floats, for automatic and blocked: a permission, no demand
  Workspace workspace{};                  ///< where given, nothing is allocated
  friend constexpr bool operator==(MatmulOptions const&, MatmulOptions const&) = default;
};

/// \brief  How `transpose` moves elements.
///  - automatic, naive: as matmul's
///  - tiled:   tile by tile through team scratch where that pays
///  - padded:  tiled, with padded scratch rows and several rows per thread
///  - blocked: on hosts kernels for the CPU's own vector instructions; on devices packs of up to 16 bytes, transposed
///             in registers
enum class TransposeAlgorithm { automatic, naive, tiled, padded, blocked };

/// \brief  Choices for transpose; defaults are the library's own. A choice that the algorithm does not use is refused,
///         but ignored by copies and by rectangular matrices in place, which have one kernel for every algorithm.
struct TransposeOptions {
  bool conjugate = false;  ///< conjugate transpose; no effect on real elements
  TransposeAlgorithm algorithm = TransposeAlgorithm::automatic;
  int tile = 0;  ///< for tiled, padded and automatic, which is padded then: edge of the square tiles, zero is chosen
  /// On devices, as tile: rows of a tile that a thread moves, zero is chosen. On hosts, where a thread moves whole
  /// tiles, refused
  int rows_per_thread = 0;
  Workspace workspace{};  ///< as matmul's
};

/// \brief  How `add` goes over the elements.
///  - automatic, grid_stride: as matmul's
///  - naive:   one element per iteration of a 2D range
///  - tiled:   on hosts a tile per iteration, whose pieces of rows are vectorised; on devices as naive, where a tile is
///             a thread block already
///  - blocked: on hosts long pieces of rows, past the cache where the operands exceed it; on devices packs of 16 bytes
enum class AddAlgorithm { automatic, naive, grid_stride, tiled, blocked };

/// \brief  Choices for add; defaults are the library's own. A choice that the algorithm does not use is refused.
struct AddOptions {
  AddAlgorithm algorithm = AddAlgorithm::automatic;
  Extent2 tile{};        ///< for naive, tiled and automatic: columns and rows of a tile, zeroes are chosen
  LaunchShape launch{};  ///< for grid_stride: blocks and threads, zeroes are chosen
};

/// \brief  How `histogram` adds. Both give the same integer counts.
///  - automatic:     the library chooses; explain tells what and why
///  - global_atomic: grid-stride loop, each sample is one atomic addition to its bin
///  - scratch:       every team counts into a copy of the bins of its own in team scratch and adds it to them once
enum class HistogramAlgorithm { automatic, global_atomic, scratch };

/// \brief  What becomes of samples that are out of range.
///  - refuse: an error names the first one, and nothing is counted; the call waits until that is known
///  - ignore: they are written nowhere; the call waits for nothing
///  - count:  ignored, and their number goes to HistogramOptions::ignored
enum class OutOfRange { refuse, ignore, count };

/// \brief  Choices for histogram; defaults are the library's own. A choice that the call does not use is refused.
struct HistogramOptions {
  HistogramAlgorithm algorithm = HistogramAlgorithm::automatic;
  OutOfRange out_of_range = OutOfRange::refuse;
  std::uint64_t* ignored = nullptr;  ///< for out_of_range count: their number, in memory of the execution space
  bool accumulate = false;           ///< add to what counts and *ignored hold, instead of overwriting them
  /// Teams that share the samples (hosts: threads), zero is chosen. No more start than there are samples; 1 on a host
  /// fixes the order
  int teams = 0;
  Workspace workspace{};  ///< as matmul's
};

/// Which coordinates a fill function gets: the element's, or those of the thread that writes it in a launch grid.
enum class Coordinates { element, thread };

/// How `fill` goes over the elements, as matmul's.
enum class FillAlgorithm { automatic, naive, grid_stride };

/// \brief  Choices for fill; defaults are the library's own.
struct FillOptions {
  FillAlgorithm algorithm = FillAlgorithm::automatic;
  LaunchShape launch{};                            ///< selects grid_stride: blocks and threads, zeroes are chosen
  Coordinates coordinates = Coordinates::element;  ///< what the function is given
};

/// \brief  Choices for reverse; defaults are the library's own.
struct ReverseOptions {
  int tile = 0;  ///< elements that a team reverses at a time, zero is chosen
};

/// \brief  How a copy goes between a device and pageable host memory: in pieces through pinned chunks, which the host
///         fills or empties while others are on the way. Says nothing where no such memory takes part, as on hosts.
struct TransferOptions {
  std::size_t chunk_bytes = std::size_t(8) << 20;   ///< of a chunk; zero: no chunks, the driver's own way
  int in_flight = 3;                                ///< chunks of one copy, at least 1
  std::size_t keep_bytes = std::size_t(128) << 20;  ///< pinned memory that is kept for later copies; the rest is freed
};

/// \brief  Choices for pipeline; defaults are the library's own.
struct PipelineOptions {
  std::int64_t chunk_rows = 0;  ///< rows of the arrays that travel at a time, zero is chosen
  /// Instances that take turns, each with memory of its own for a chunk of every array; zero is chosen, and with the
  /// caller's instances it must be zero
  int depth = 0;
};

constexpr bool transposes(Op op) { return op == Op::transpose || op == Op::conjugate_transpose; }
constexpr bool conjugates(Op op) { return op == Op::conjugate || op == Op::conjugate_transpose; }

}  // namespace pantile

#include <pantile/names.hpp>

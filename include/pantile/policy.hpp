// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  Options of the operations: operators, algorithms, tiles and launch shapes. Plain aggregates, no Kokkos.

#include <cstddef>
#include <cstdint>

namespace pantile {

/// Operator on a matrix operand: N, T and C of BLAS, and the conjugate without transposition.
enum class Op { none, transpose, conjugate, conjugate_transpose };

/// Extents in two dimensions: x columns (the fast direction of LayoutRight), y rows.
struct Extent2 {
  int x = 0;
  int y = 0;
  friend constexpr bool operator==(Extent2, Extent2) = default;
};

/// \brief  A launch as in CUDA and Numba: grid.x * grid.y blocks of block.x * block.y threads; zeroes: the library
///         chooses. For algorithm grid_stride; may be smaller or larger than the data.
struct LaunchShape {
  Extent2 grid{};
  Extent2 block{};
  friend constexpr bool operator==(LaunchShape, LaunchShape) = default;
};

/// Edges of a matmul tile: C in (m, n) tiles, k in steps of k. Any positive edge; zero: the library chooses.
struct MatmulTile {
  int m = 0;
  int n = 0;
  int k = 0;
  friend constexpr bool operator==(MatmulTile, MatmulTile) = default;
};

/// \brief  Least precision of products of floats. Less than full is used only where it is faster (NVIDIA, sm_80 and
///         later); other element types and machines always compute in full.
///  - full:       float arithmetic
///  - three_tf32: each float as a sum of two tf32 numbers: the relative error of a product is at most 2^-20 instead of
///                2^-24, more below a magnitude of 2^-100; infinities, and magnitudes of 2^128 - 2^116 and above,
///                give NaN
///  - tf32:       each float rounded to 11 significant bits
enum class Precision { full, three_tf32, tf32 };

/// \brief  How `matmul` computes.
///  - automatic:   the library chooses; explain says what and why
///  - naive:       one thread per element of C in a 2D range, no reuse of A and B
///  - grid_stride: a launch of any shape, each thread strides over the elements of C
///  - tiled:       tile by tile, through team scratch
///  - blocked:     the fastest: on hosts cache blocking and micro-kernels for the CPU's vector instructions; on
///                 devices a multistage pipeline of panels in scratch and sums in registers
///  - vendor:      the vendor's library through Kokkos Kernels, where Pantile is built with it
enum class MatmulAlgorithm { automatic, naive, grid_stride, tiled, blocked, vendor };

/// \brief  Memory for a call to work in, accessible to its execution space and used by no other call until this one is
///         done. Needs the bytes that `explain` says (workspace_bytes); then nothing is allocated. Where none is given
///         the library allocates and keeps its own.
struct Workspace {
  void* data = nullptr;
  std::size_t bytes = 0;
  friend constexpr bool operator==(Workspace const&, Workspace const&) = default;
};

/// \brief  Options of matmul. An option that the algorithm does not use is refused.
struct MatmulOptions {
  Op op_a = Op::none;  ///< operator on A
  Op op_b = Op::none;  ///< operator on B
  MatmulAlgorithm algorithm = MatmulAlgorithm::automatic;
  MatmulTile tile{};                      ///< for tiled: edges of the tiles
  LaunchShape launch{};                   ///< for grid_stride: blocks and threads
  Precision precision = Precision::full;  ///< of products of floats, for automatic and blocked: at least this
  Workspace workspace{};                  ///< nothing is allocated where it is given
  friend constexpr bool operator==(MatmulOptions const&, MatmulOptions const&) = default;
};

/// \brief  How `transpose` moves elements.
///  - automatic, naive: as matmul's
///  - tiled:   tile by tile; through team scratch where the layouts call for it
///  - padded:  tiled, with padded scratch rows and several rows per thread
///  - blocked: on hosts kernels for the CPU's vector instructions; on devices packs of up to 16 bytes, transposed
///             in registers
enum class TransposeAlgorithm { automatic, naive, tiled, padded, blocked };

/// \brief  Options of transpose. An option that the algorithm does not use is refused; copies and rectangular matrices
///         in place ignore algorithm and tiles: they have one kernel.
struct TransposeOptions {
  bool conjugate = false;  ///< conjugate transpose; no effect on real elements
  TransposeAlgorithm algorithm = TransposeAlgorithm::automatic;
  int tile = 0;  ///< edge of the square tiles, zero: the library chooses; with automatic it selects padded
  /// Rows of a tile that a thread moves, on devices only, for the same algorithms; zero: the library chooses. Refused
  /// on hosts, where a thread moves whole tiles
  int rows_per_thread = 0;
  Workspace workspace{};  ///< as matmul's
};

/// \brief  How `add` traverses the elements.
///  - automatic, grid_stride: as matmul's
///  - naive:   one element per iteration of a 2D range
///  - tiled:   on hosts a tile per iteration, with vectorised rows; on devices as naive, whose tiles are the thread
///             blocks
///  - blocked: on hosts long chunks of rows, with streaming stores past the cache if it is exceeded; on devices packs
enum class AddAlgorithm { automatic, naive, grid_stride, tiled, blocked };

/// \brief  Options of add. An option that the algorithm does not use is refused.
struct AddOptions {
  AddAlgorithm algorithm = AddAlgorithm::automatic;
  Extent2 tile{};        ///< for naive, tiled and automatic: columns and rows of a tile; zero: the library chooses
  LaunchShape launch{};  ///< for grid_stride: blocks and threads
};

/// \brief  How `histogram` adds. Both give the same integer counts.
///  - automatic:     the library chooses; explain says what and why
///  - global_atomic: grid-stride loop, each sample is one atomic addition to its bin
///  - scratch:       each team counts into its own copy of the bins in team scratch, and adds that to the bins once
enum class HistogramAlgorithm { automatic, global_atomic, scratch };

/// \brief  What to do with samples that are out of range.
///  - refuse: throw an Error about the first one and count nothing; the call waits for this check
///  - ignore: leave them out; the call does not wait
///  - count:  leave them out and write their number to HistogramOptions::ignored
enum class OutOfRange { refuse, ignore, count };

/// \brief  Options of histogram. An option that the call does not use is refused.
struct HistogramOptions {
  HistogramAlgorithm algorithm = HistogramAlgorithm::automatic;
  OutOfRange out_of_range = OutOfRange::refuse;
  std::uint64_t* ignored = nullptr;  ///< for out_of_range count: their number, in memory of the execution space
  bool accumulate = false;           ///< add to what counts and *ignored hold, instead of overwriting them
  /// Teams (on hosts threads) that share the samples, at most one per sample; zero: the library chooses. On a host 1
  /// fixes the order of additions
  int teams = 0;
  Workspace workspace{};  ///< as matmul's
};

/// Coordinates that a fill function gets: of the element, or of the thread of the launch that writes it.
enum class Coordinates { element, thread };

/// How `fill` traverses the elements; as matmul's.
enum class FillAlgorithm { automatic, naive, grid_stride };

/// \brief  Options of fill.
struct FillOptions {
  FillAlgorithm algorithm = FillAlgorithm::automatic;
  LaunchShape launch{};                            ///< blocks and threads; selects grid_stride
  Coordinates coordinates = Coordinates::element;  ///< arguments of the function
};

/// \brief  Options of reverse.
struct ReverseOptions {
  int tile = 0;  ///< elements that a team reverses at a time, zero: the library chooses
};

/// \brief  How copies between a device and pageable host memory are pipelined: through pinned chunks, which the host
///         fills or empties while others are transferred. Without effect on all other copies.
struct TransferOptions {
  std::size_t chunk_bytes = std::size_t(8) << 20;   ///< of a chunk; zero: no chunks, one copy by the driver
  int in_flight = 3;                                ///< most chunks of one copy at a time, at least 1
  std::size_t keep_bytes = std::size_t(128) << 20;  ///< pinned memory that is kept for later copies; the rest is freed
};

/// \brief  Options of pipeline.
struct PipelineOptions {
  std::int64_t chunk_rows = 0;  ///< rows of a chunk, zero: the library chooses
  /// Instances that take turns, each with memory for a chunk of every array; zero: the library chooses. Must be zero
  /// where the caller gives the instances
  int depth = 0;
};

constexpr bool transposes(Op op) { return op == Op::transpose || op == Op::conjugate_transpose; }
constexpr bool conjugates(Op op) { return op == Op::conjugate || op == Op::conjugate_transpose; }

}  // namespace pantile

#include <pantile/names.hpp>

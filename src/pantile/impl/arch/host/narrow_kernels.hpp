// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  What the blocked matmul asks of an instruction set for elements narrower than the numbers they are summed in:
///        one product on one thread, both operands packed into words of 32 bits.

#include <pantile/impl/arch/host/gemm_kernels.hpp>

#include <cstdint>

namespace pantile::impl::arch {

/// Integers of 8 bits, signed or not, summed modulo 2^32.
struct Bytes {
  using Element = std::uint8_t;
  using Sum = std::uint32_t;
};
/// IEEE 754 binary16, summed in float.
struct Half16 {
  using Element = std::uint16_t;
  using Sum = float;
};
/// bfloat16: the upper half of a float, summed in float.
struct Brain16 {
  using Element = std::uint16_t;
  using Sum = float;
};

/// \brief  C (m x n) = alpha A B + beta C on the calling thread, C in the type of the sums with contiguous columns.
///         Strides in elements. beta is not used, and C not read, unless reads_c.
template <class Format>
struct NarrowCall {
  using Element = typename Format::Element;
  using Sum = typename Format::Sum;
  std::int64_t m, n, k;
  Element const* a;
  std::int64_t a_rs, a_cs;
  Element const* b;
  std::int64_t b_rs, b_cs;
  Sum* c;
  std::int64_t c_rs;
  Sum alpha, beta;
  bool reads_c;
  bool a_signed, b_signed;  ///< Bytes only
  GemmBlocks blocks;        ///< in elements
  void* workspace;          ///< of narrow_workspace_bytes(), aligned to 64 bytes
};

/// The functions of one instruction set.
template <class Format>
struct NarrowKernels {
  using format = Format;
  int rows, cols;     ///< of the register tile
  int group;          ///< elements in a word
  GemmBlocks blocks;  ///< in elements
  void (*run)(NarrowCall<Format> const&);
};

/// Words along a packed line of this many elements: what corrects the sums takes one more.
__attribute__((always_inline)) constexpr std::int64_t narrow_words(std::int64_t depth, int group) {
  return (depth + group - 1) / group + 1;
}

/// \brief  Bytes of workspace for blocks of at most these sizes.
/// \param  panel_rows, panel_cols  of the register tile
__attribute__((always_inline)) constexpr std::int64_t narrow_workspace_bytes(GemmBlocks const& blocks, int panel_rows,
                                                                             int panel_cols, int group) {
  return gemm_workspace_bytes({blocks.mc, narrow_words(blocks.kc, group), blocks.nc}, panel_rows, panel_cols, 4, true, true);
}

}  // namespace pantile::impl::arch

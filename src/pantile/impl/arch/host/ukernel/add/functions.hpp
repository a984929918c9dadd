// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  What the host kernels of addition take, and the table of them for one instruction set.

#include <cstdint>

namespace pantile::impl::arch {

namespace adding {

/// c = alpha a + beta b for rows of elements next to each other; b is null where only a is read. Leading dimensions in
/// elements; alpha and beta are one number, or the two parts of a complex one.
template <class Real>
struct Rows {
  Real const* a;
  Real const* b;
  Real* c;
  std::int64_t a_ld, b_ld, c_ld;
  std::int64_t rows, cols;
  Real alpha[2], beta[2];
  bool past;  ///< write past the cache, with a store fence at the end; c is then neither a nor b
};

}  // namespace adding

/// Kernels of one instruction set. Signed integers are added as unsigned ones. For complex elements, Real is that of
/// their parts, and all counts are of elements.
struct AddKernels {
  void (*float_rows)(adding::Rows<float> const&);
  void (*double_rows)(adding::Rows<double> const&);
  void (*complex_float_rows)(adding::Rows<float> const&);
  void (*complex_double_rows)(adding::Rows<double> const&);
  void (*word_rows)(adding::Rows<std::uint32_t> const&);
  void (*long_rows)(adding::Rows<std::uint64_t> const&);
};

}  // namespace pantile::impl::arch

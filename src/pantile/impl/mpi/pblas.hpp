// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  Calls of ScaLAPACK without Views: on checked operands in host memory.

#include <pantile/mpi/distribution.hpp>
#include <pantile/policy.hpp>

#include <cstddef>
#include <cstdint>

namespace pantile::impl::mpi {

/// The element types of ScaLAPACK, by its letters.
enum class Number { s, d, c, z };

/// A rank's part in host memory.
struct Part {
  pantile::mpi::Distribution const* distribution = nullptr;
  void* data = nullptr;
  std::int64_t leading = 1;  ///< elements from one column to the next; of row-major parts, from one row
  bool row_major = false;
};

/// C = alpha op_a(A) op_b(B) + beta C; scalars are of the number's type. Parts have one order and one grid.
void gemm(Number number, Op op_a, Op op_b, void const* alpha, Part const& a, Part const& b, void const* beta,
          Part const& c);

/// B = A, whose elements have 4, 8 or 16 bytes. Parts have one order, and grids of one communicator.
void redistribute(std::size_t element_bytes, Part const& a, Part const& b);

}  // namespace pantile::impl::mpi

// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  How a product of parts on devices is cut, so that host memory holds a few slabs of two operands and the third
///        as a whole. Numbers alone.

#include <pantile/mpi/distribution.hpp>
#include <pantile/policy.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace pantile::impl::mpi {

/// Rows or columns of matrices, cut into slabs that are distributed matrices of their own.
struct Slabs {
  std::int64_t extent = 0, width = 0;

  /// One at least.
  [[nodiscard]] std::int64_t count() const { return extent > width ? (extent + width - 1) / width : 1; }
  [[nodiscard]] std::int64_t begin(std::int64_t slab) const { return slab * width; }
  [[nodiscard]] std::int64_t length(std::int64_t slab) const { return std::min(width, extent - begin(slab)); }
};

/// Which edges of an operand are cut.
enum class Cut { none, rows, cols };

struct ProductPlan {
  std::array<Cut, 3> cuts{};  ///< of A, B and C
  Slabs slabs;
  std::size_t host_bytes = 0;  ///< that the largest part's rank takes for operands on devices

  [[nodiscard]] bool cuts_sums() const { return cuts[2] == Cut::none; }
};

/// A product's operands as the plan sees them: A, B and C.
struct ProductOperands {
  std::array<pantile::mpi::Distribution const*, 3> distributions;
  std::array<bool, 3> on_device;
  std::size_t element_bytes;
};

/// \brief  The cut of m, n or k that takes least host memory; of equal ones that of k, for which C stays where it is
///         and all slabs together are sent no more than the whole product; of slab_bytes, or more where blocks of both
///         operands begin at the grid's first place later than that. Without parts on devices nothing is cut.
ProductPlan plan_product(ProductOperands const& operands, Op op_a, Op op_b, std::size_t slab_bytes);

}  // namespace pantile::impl::mpi

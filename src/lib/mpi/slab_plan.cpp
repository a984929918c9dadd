// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pantile/impl/mpi/slab_plan.hpp>

#include <pantile/impl/mpi/edge.hpp>

#include <numeric>

namespace pantile::impl::mpi {
namespace {

using pantile::mpi::Distribution;

Direction along(Distribution const& d, Cut cut) { return cut == Cut::rows ? along_rows(d) : along_cols(d); }

/// Lines from one that begins a block at the first place to the next such.
std::int64_t round_of(Direction const& d) {
  return d.places == 1 ? 1 : std::clamp<std::int64_t>(d.block, 1, std::max<std::int64_t>(d.extent, 1)) * d.places;
}

/// Of the largest part of an operand, of which so many lines are cut off.
std::size_t bytes_of(Distribution const& d, Cut cut, std::int64_t width, std::size_t element_bytes) {
  auto const part = d.local_extents(0, 0);
  if (cut == Cut::none) return part.rows * part.cols * element_bytes;
  Direction lines = along(d, cut);
  lines.extent = width;
  return lines.local_extent(0) * (cut == Cut::rows ? part.cols : part.rows) * element_bytes;
}

/// These cuts, of which two are along the edge.
ProductPlan plan_along(ProductOperands const& operands, std::array<Cut, 3> const& cuts, std::size_t slab_bytes) {
  ProductPlan plan{cuts, {}, 0};
  std::int64_t round = 1;
  for (std::size_t i = 0; i < 3; ++i) {
    if (cuts[i] == Cut::none) continue;
    Direction const d = along(*operands.distributions[i], cuts[i]);
    plan.slabs.extent = d.extent;
    round = std::lcm(round, round_of(d));
  }
  round = std::min(round, std::max<std::int64_t>(plan.slabs.extent, 1));
  auto const bytes = [&](std::size_t i, std::int64_t width) {
    return operands.on_device[i] ? bytes_of(*operands.distributions[i], cuts[i], width, operands.element_bytes) : 0;
  };
  std::size_t largest = 1;  // of a round
  for (std::size_t i = 0; i < 3; ++i) largest = std::max(largest, cuts[i] == Cut::none ? 0 : bytes(i, round));
  auto const rounds = static_cast<std::int64_t>(std::max<std::size_t>(slab_bytes / largest, 1));
  plan.slabs.width = rounds >= (plan.slabs.extent + round - 1) / round ? plan.slabs.extent : rounds * round;
  std::size_t const buffers = plan.slabs.count() > 1 ? 2 : 1;
  for (std::size_t i = 0; i < 3; ++i)
    plan.host_bytes += (cuts[i] == Cut::none ? 1 : buffers) * bytes(i, plan.slabs.width);
  return plan;
}

}  // namespace

ProductPlan plan_product(ProductOperands const& operands, Op op_a, Op op_b, std::size_t slab_bytes) {
  bool const transposed_a = transposes(op_a), transposed_b = transposes(op_b);
  Cut const m_of_a = transposed_a ? Cut::cols : Cut::rows, k_of_a = transposed_a ? Cut::rows : Cut::cols;
  Cut const k_of_b = transposed_b ? Cut::cols : Cut::rows, n_of_b = transposed_b ? Cut::rows : Cut::cols;
  auto const [a, b, c] = operands.on_device;
  if (!a && !b && !c) return {};
  ProductPlan best = plan_along(operands, {k_of_a, k_of_b, Cut::none}, slab_bytes);
  for (std::array<Cut, 3> const& cuts :
       {std::array{Cut::none, n_of_b, Cut::cols}, std::array{m_of_a, Cut::none, Cut::rows}}) {
    ProductPlan const other = plan_along(operands, cuts, slab_bytes);
    if (other.host_bytes < best.host_bytes) best = other;
  }
  return best;
}

}  // namespace pantile::impl::mpi

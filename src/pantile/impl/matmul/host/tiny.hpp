// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  The plan of a tiny product, done: a few calls of the kernels on the calling thread.

#include <pantile/impl/arch/host/ukernel/gemm/table.hpp>
#include <pantile/impl/matmul/host/plan.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace pantile::impl::matmul {

/// \brief  Tiles of a tiny product, whose last columns may be dot products.
/// \param  workspace  where B is packed, panel after panel; null: it is read where it lies
template <class Kernels, class Real>
void run_tiny_tiles(Kernels const& kernels, arch::GemmCall<Real>& call, int edge_cols, std::int64_t parts,
                    std::byte* workspace) {
  auto const run = [&](int edge) {
    if (edge == 0) return kernels.tiny(call);
    kernels.tiny_batch(call, {.count = 1, .a_step = 0, .b_step = 0, .c_step = 0, .streams = false, .edge_cols = edge});
  };
  if (workspace == nullptr) return run(edge_cols);
  int const width = kernels.shape.panel_cols;
  arch::PackCall panel{.from = call.b,
                       .line_stride = call.b_cs,
                       .depth_stride = call.b_rs,
                       .lines = width,
                       .depth = call.k,
                       .to = workspace,
                       .width = width,
                       .is_signed = true,
                       .other_signed = true,
                       .conjugates = false};
  std::int64_t const step = width * call.b_cs * parts;
  call.b = reinterpret_cast<Real const*>(workspace);
  call.b_rs = width;
  call.b_cs = 1;
  for (std::int64_t left = call.n; left > 0; left -= width) {
    panel.lines = call.n = std::min<std::int64_t>(left, width);
    kernels.pack_b(panel);
    run(left <= width ? edge_cols : 0);
    panel.from = static_cast<Real const*>(panel.from) + step;
    call.c += width * parts;
  }
}

/// Numbers in an element of a format.
template <class Format>
inline constexpr int parts_of = std::is_same_v<Format, arch::Pairs<arch::sum_t<Format>>> ? 2 : 1;

/// The kernel of a path; of tiles, that of the last columns.
template <class Kernels>
typename Kernels::Gemm kernel_of(Kernels const& kernels, Path path) {
  switch (path) {
    case Path::skinny_rows: return kernels.skinny_rows;
    case Path::skinny_dots: return kernels.skinny_dots;
    case Path::rank_k: return kernels.rank_k;
    case Path::column_rows: return kernels.column_rows;
    case Path::transposed_tiles: return kernels.tiny_transposed;
    default: return kernels.column_dots;
  }
}

/// The calls of the kernels that a tiny product is.
template <class Format>
void run_tiny_calls(arch::GemmKernels<Format> const& kernels, arch::GemmCall<arch::sum_t<Format>>& call, TinyPlan plan,
                    std::byte* workspace) {
  if (plan.path == Path::tiles) {
    return run_tiny_tiles(kernels, call, plan.edge_cols, parts_of<Format>, plan.pack_b ? workspace : nullptr);
  }
  call.workspace = workspace;
  kernel_of(kernels, plan.path)(call);
}

}  // namespace pantile::impl::matmul

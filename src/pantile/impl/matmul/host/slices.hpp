// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  Split k on hosts: each slice of k is a product of its own, whose sums are formed in workspace and added to
///        those of the slices before it.

#include <pantile/impl/matmul/host/macro_kernel.hpp>
#include <pantile/impl/matmul/host/plan.hpp>
#include <pantile/impl/matmul/host/product.hpp>
#include <pantile/impl/tile/shape.hpp>

#include <cstddef>

namespace pantile::impl::matmul {

/// All of a product on the calling thread, k in one.
template <class R>
void run_unsliced(HostProduct<R> const& product, HostPlan const& plan, std::byte* workspace) {
  MacroKernel<R> const kernel(product, plan, workspace);
  for (int worker = 0; worker < plan.threads(); ++worker) kernel(worker);
}

/// \brief  A product with plan.slices, with workspace of plan.workspace_bytes(), aligned to 64 bytes: by one thread
///         alone, or by threads that all compute before the first one adds up.
template <class R>
class SlicedProduct {
 public:
  SlicedProduct(HostProduct<R> const& product, HostPlan const& plan, std::byte* workspace)
      : m_product(product), m_plan(plan), m_of_slice(plan.of_slice()), m_slices(plan.slices), m_workspace(workspace) {}

  void alone() const {
    auto const& whole = m_product.whole;
    for (Index row = 0; row < whole.m; row += m_slices.block_rows) {
      for (Index col = 0; col < whole.n; col += m_slices.block_cols) {
        Range const rows{row, tile::smaller(whole.m, row + m_slices.block_rows)};
        Range const cols{col, tile::smaller(whole.n, col + m_slices.block_cols)};
        for (int slice = 0; slice < m_slices.count; ++slice) {
          bool const first = slice == 0;
          run_unsliced(part(rows, cols, slice, sums(first ? 0 : 1)), m_of_slice, m_workspace + 2 * m_slices.bytes);
          if (!first) add(sums(1), rows.size(), cols.size(), sums(0));
        }
        store(rows, cols, sums(0));
      }
    }
  }

  /// The parts of thread number `thread`.
  void compute(Index thread) const {
    auto const& whole = m_product.whole;
    int const of_slice = m_slices.grid_rows * m_slices.grid_cols;
    std::byte* const own = m_workspace + m_slices.count * m_slices.bytes + thread * m_plan.slice_worker_bytes();
    Range const parts = part_of({0, m_slices.parts()}, 1, thread, m_slices.threads);
    for (Index number = parts.begin; number < parts.end; ++number) {
      Index const slice = number / of_slice, at = number % of_slice;
      Range const rows = part_of({0, whole.m}, m_plan.panel_rows, at / m_slices.grid_cols, m_slices.grid_rows);
      Range const cols = part_of({0, whole.n}, m_plan.panel_cols, at % m_slices.grid_cols, m_slices.grid_cols);
      run_unsliced(part(rows, cols, slice, at_element(sums(slice), rows.begin, cols.begin)), m_of_slice, own);
    }
  }

  /// C's part of thread number `thread`: of its rows or columns, whatever are more.
  void add_up(Index thread) const {
    Index const m = m_product.whole.m, n = m_product.whole.n;
    bool const by_rows = m > n;
    Range const rows = by_rows ? part_of({0, m}, 1, thread, m_slices.threads) : Range{0, m};
    Range const cols = by_rows ? Range{0, n} : part_of({0, n}, elements_of_lines, thread, m_slices.threads);
    R* const total = at_element(sums(0), rows.begin, cols.begin);
    for (int slice = 1; slice < m_slices.count; ++slice) {
      add(at_element(sums(slice), rows.begin, cols.begin), rows.size(), cols.size(), total);
    }
    store(rows, cols, total);
  }

 private:
  [[nodiscard]] R* sums(Index slice) const { return reinterpret_cast<R*>(m_workspace + slice * m_slices.bytes); }
  [[nodiscard]] R* at_element(R* from, Index row, Index col) const {
    return from + (row * m_slices.row_stride + col) * m_product.parts;
  }

  /// These rows and columns of a slice's product.
  HostProduct<R> part(Range const& rows, Range const& cols, Index slice, R* to) const {
    HostProduct<R> part = m_product;
    auto& call = part.whole;
    Index const begin = slice * m_slices.depth;
    part.a.data = m_product.a.at(rows.begin, begin);
    part.b.data = m_product.b.at(cols.begin, begin);
    call.m = rows.size();
    call.n = cols.size();
    call.k = tile::smaller(m_slices.depth, m_product.whole.k - begin);
    call.a = reinterpret_cast<R const*>(part.a.data);
    call.b = reinterpret_cast<R const*>(part.b.data);
    call.c = to;
    call.c_rs = m_slices.row_stride;
    call.c_cs = 1;
    call.alpha[0] = R(1);
    call.alpha[1] = R(0);
    call.reads_c = false;
    return part;
  }

  void add(R const* from, Index rows, Index cols, R* to) const {
    Index const stride = m_slices.row_stride * m_product.parts;
    for (Index i = 0; i < rows; ++i) {
      for (Index j = 0; j < cols * m_product.parts; ++j) to[i * stride + j] += from[i * stride + j];
    }
  }

  void store(Range const& rows, Range const& cols, R const* from) const {
    m_product.store_block(from, m_slices.row_stride, rows.begin, rows.size(), cols.begin, cols.size());
  }

  HostProduct<R> const& m_product;
  HostPlan const& m_plan;
  HostPlan const m_of_slice;
  HostSlices const& m_slices;
  std::byte* m_workspace;
};

}  // namespace pantile::impl::matmul

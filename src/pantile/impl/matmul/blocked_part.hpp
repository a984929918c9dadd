// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  A part of C of the blocked matmul on hosts, on one thread: its product by the kernels of the CPU's instruction
///        set, on the operands themselves or on what they are converted to, piece by piece.

#include <pantile/impl/arch/host/kernels.hpp>
#include <pantile/impl/matmul/blocked_facts.hpp>
#include <pantile/impl/matmul/problem.hpp>

#include <type_traits>
#include <utility>

namespace pantile::impl::matmul {

/// One part of C on one thread.
template <class TA, class TB, class TC, class Accumulator>
class BlockedPart {
 public:
  using Compute = compute_t<Accumulator>;
  using Real = typename BlockedElement<Compute>::Real;
  using Call = arch::GemmCall<Real>;
  using Narrow = NarrowOf<TA, TB, Compute>;

  BlockedPart(Problem<TA, TB, TC, Accumulator> const& p, BlockedPlan const& plan) : m_problem(p), m_plan(plan) {}

  /// Compute part number `part`, counted row by row, with plan.workspace_bytes at `workspace`.
  void operator()(int part, void* workspace) const {
    Index row = 0, row_end = m_problem.m(), col = 0, col_end = m_problem.n();
    if (m_plan.parts() > 1) {
      int const down = part / m_plan.grid_cols, across = part % m_plan.grid_cols;
      row = part_begin(m_problem.m(), m_plan.panel_rows, down, m_plan.grid_rows);
      row_end = part_begin(m_problem.m(), m_plan.panel_rows, down + 1, m_plan.grid_rows);
      col = part_begin(m_problem.n(), m_plan.panel_cols, across, m_plan.grid_cols);
      col_end = part_begin(m_problem.n(), m_plan.panel_cols, across + 1, m_plan.grid_cols);
    }
    // The last columns are the part's that has them.
    Index const edge = col_end == m_problem.n() ? tile::smaller<Index>(m_plan.edge_cols, col_end - col) : 0;
    if (m_plan.narrow) {
      if constexpr (Narrow::available) narrow(row, row_end, col, col_end, workspace);
    } else if (m_plan.direct) {
      if constexpr (is_kernel_element<TA, Compute> && is_kernel_element<TB, Compute> && is_kernel_element<TC, Compute>) {
        direct(row, row_end - row, col, col_end - col - edge, workspace);
        if (edge > 0) edge_columns(row, row_end - row, col_end - edge, edge, workspace);
      }
    } else if (m_plan.beside) {
      if constexpr (is_kernel_element<TA, Compute> && is_kernel_element<TB, Compute>) {
        by_pieces(row, row_end, col, col_end, workspace, [&](Index i, Index rows, Index j, Index cols, Compute* sums, void* rest) {
          Call call = direct_call(i, rows, j, cols, rest);
          call.c = const_cast<Real*>(reals(sums));
          call.c_rs = m_plan.piece_stride;
          call.c_cs = 1;
          assign(call.alpha, Compute(1));
          call.reads_c = false;
          run(call);
        });
      }
    } else {
      converted(row, row_end, col, col_end, workspace);
    }
  }

 private:
  static Real const* reals(void const* p) { return static_cast<Real const*>(p); }
  static void assign(Real (&to)[2], Compute const& from) {
    if constexpr (is_complex_v<Compute>) {
      to[0] = from.real();
      to[1] = from.imag();
    } else {
      to[0] = from;
      to[1] = Real(0);
    }
  }
  static void run(Call const& call) {
    auto const& kernels = *arch::host_kernels<arch::GemmKernels<Real>>();
    if constexpr (is_complex_v<Compute>) {
      kernels.complex(call);
    } else {
      kernels.real(call);
    }
  }

  void direct(Index row, Index rows, Index col, Index cols, void* workspace) const {
    if (cols == 0) return;
    run(direct_call(row, rows, col, cols, workspace));
  }

  /// A few columns as rows of C^T = B^T A^T, in dot products of A's rows.
  void edge_columns(Index row, Index rows, Index col, Index cols, void* workspace) const {
    Call call = direct_call(row, rows, col, cols, workspace);
    std::swap(call.m, call.n);
    std::swap(call.a, call.b);
    std::swap(call.a_rs, call.b_cs);
    std::swap(call.a_cs, call.b_rs);
    std::swap(call.c_rs, call.c_cs);
    std::swap(call.conj_a, call.conj_b);
    call.method = arch::GemmMethod::dots;
    run(call);
  }

  Call direct_call(Index row, Index rows, Index col, Index cols, void* workspace) const {
    auto const& p = m_problem;
    Call call;
    call.m = rows;
    call.n = cols;
    call.k = p.k();
    call.a = reals(p.a.data + row * p.a.row_stride);
    call.a_rs = p.a.row_stride;
    call.a_cs = p.a.col_stride;
    call.b = reals(p.b.data + col * p.b.col_stride);
    call.b_rs = p.b.row_stride;
    call.b_cs = p.b.col_stride;
    call.c = const_cast<Real*>(reals(p.c.data + row * p.c.row_stride + col * p.c.col_stride));
    call.c_rs = p.c.row_stride;
    call.c_cs = p.c.col_stride;
    assign(call.alpha, convert<Compute>(p.alpha));
    assign(call.beta, convert<Compute>(p.beta));
    call.reads_c = !(p.beta == Accumulator(0));
    call.conj_a = p.conj_a;
    call.conj_b = p.conj_b;
    call.method = m_plan.method;
    call.pack_a = m_plan.pack_a;
    call.pack_b = m_plan.pack_b;
    call.far = m_plan.far;
    call.blocks = m_plan.blocks;
    call.workspace = workspace;
    return call;
  }

  /// Narrow elements: C takes the sums at once, or piece by piece from workspace.
  void narrow(Index row, Index row_end, Index col, Index col_end, void* workspace) const {
    auto const& p = m_problem;
    if (m_plan.direct) {
      auto* const c = const_cast<Real*>(reals(p.c.data + row * p.c.row_stride + col * p.c.col_stride));
      narrow_piece(row, row_end - row, col, col_end - col, c, p.c.row_stride, convert<Compute>(p.alpha),
                   convert<Compute>(p.beta), !(p.beta == Accumulator(0)), workspace);
      return;
    }
    by_pieces(row, row_end, col, col_end, workspace, [&](Index i, Index rows, Index j, Index cols, Compute* sums, void* rest) {
      narrow_piece(i, rows, j, cols, sums, m_plan.piece_stride, Compute(1), Compute(0), false, rest);
    });
  }

  /// C in pieces whose sums wait in workspace: f forms them, with what is left of the workspace, and C takes them.
  template <class F>
  void by_pieces(Index row, Index row_end, Index col, Index col_end, void* workspace, F const& f) const {
    auto* const sums = static_cast<Compute*>(workspace);
    Compute* const rest = sums + piece_count(m_plan);
    Epilogue<TC, Accumulator> const epilogue(m_problem.alpha, m_problem.beta);
    for (Index j = col; j < col_end; j += m_plan.piece_cols) {
      Index const cols = tile::smaller(m_plan.piece_cols, col_end - j);
      for (Index i = row; i < row_end; i += m_plan.piece_rows) {
        Index const rows = tile::smaller(m_plan.piece_rows, row_end - i);
        f(i, rows, j, cols, sums, rest);
        store(epilogue, i, j, rows, cols, sums);
      }
    }
  }

  void narrow_piece(Index row, Index rows, Index col, Index cols, Compute* c, Index c_rs, Compute alpha, Compute beta,
                    bool reads_c, void* workspace) const {
    using Format = typename Narrow::Format;
    using Narrowed = typename Format::Element;
    auto const& p = m_problem;
    arch::NarrowCall<Format> call{};
    call.m = rows;
    call.n = cols;
    call.k = p.k();
    call.a = reinterpret_cast<Narrowed const*>(p.a.data + row * p.a.row_stride);
    call.a_rs = p.a.row_stride;
    call.a_cs = p.a.col_stride;
    call.b = reinterpret_cast<Narrowed const*>(p.b.data + col * p.b.col_stride);
    call.b_rs = p.b.row_stride;
    call.b_cs = p.b.col_stride;
    call.c = c;
    call.c_rs = c_rs;
    call.alpha = alpha;
    call.beta = beta;
    call.reads_c = reads_c;
    call.a_signed = std::is_signed_v<TA>;
    call.b_signed = std::is_signed_v<TB>;
    call.blocks = m_plan.blocks;
    call.workspace = workspace;
    arch::host_kernels<arch::NarrowKernels<Format>>()->run(call);
  }

  /// Piece by piece of C: its sums in workspace, over all of k, from pieces of A and B in compute type. Only then does C
  /// take them, so that each element is rounded to its type once.
  void converted(Index row, Index row_end, Index col, Index col_end, void* workspace) const {
    using Blocks = ConvertedBlocks;
    by_pieces(row, row_end, col, col_end, workspace, [&](Index i, Index rows, Index j, Index cols, Compute* sums, Compute* a) {
      Compute* const b = a + Blocks::rows * Blocks::depth;
      for (Index p = 0; p < m_problem.k(); p += Blocks::depth) {
        Index const depth = tile::smaller(Blocks::depth, m_problem.k() - p);
        convert_piece(m_problem.a, m_problem.conj_a, i, p, rows, depth, a);
        convert_piece(m_problem.b, m_problem.conj_b, p, j, depth, cols, b);
        multiply_pieces(rows, cols, depth, p > 0, a, b, sums, b + Blocks::depth * Blocks::cols);
      }
    });
  }

  /// Row by row into dense memory, walking the source along its contiguous direction.
  template <class T>
  static void convert_piece(Matrix<T const> const& source, bool conjugated, Index row, Index col, Index rows, Index cols,
                            Compute* target) {
    auto const element = [&](Index i, Index j) {
      Compute const value = convert<Compute>(source.data[(row + i) * source.row_stride + (col + j) * source.col_stride]);
      return conjugated ? conjugate(value) : value;
    };
    if (source.fast_along_row()) {
      for (Index i = 0; i < rows; ++i) {
        for (Index j = 0; j < cols; ++j) target[i * cols + j] = element(i, j);
      }
    } else {
      for (Index j = 0; j < cols; ++j) {
        for (Index i = 0; i < rows; ++i) target[i * cols + j] = element(i, j);
      }
    }
  }

  void multiply_pieces(Index rows, Index cols, Index depth, bool add, Compute const* a, Compute const* b, Compute* sums,
                       void* workspace) const {
    Call call{};
    call.m = rows;
    call.n = cols;
    call.k = depth;
    call.a = reals(a);
    call.a_rs = depth;
    call.a_cs = 1;
    call.b = reals(b);
    call.b_rs = cols;
    call.b_cs = 1;
    call.c = const_cast<Real*>(reals(sums));
    call.c_rs = m_plan.piece_stride;
    call.c_cs = 1;
    call.alpha[0] = Real(1);
    call.beta[0] = Real(1);
    call.reads_c = add;
    call.pack_a = m_plan.pack_a;
    call.pack_b = m_plan.pack_b;
    call.blocks = m_plan.blocks;
    call.workspace = workspace;
    run(call);
  }

  void store(Epilogue<TC, Accumulator> const& epilogue, Index row, Index col, Index rows, Index cols,
             Compute const* sums) const {
    auto const& c = m_problem.c;
    for (Index i = 0; i < rows; ++i) {
      TC* const target = c.data + (row + i) * c.row_stride + col * c.col_stride;
      for (Index j = 0; j < cols; ++j) epilogue(sums[i * m_plan.piece_stride + j], target[j * c.col_stride]);
    }
  }

  Problem<TA, TB, TC, Accumulator> const& m_problem;
  BlockedPlan const& m_plan;
};

}  // namespace pantile::impl::matmul

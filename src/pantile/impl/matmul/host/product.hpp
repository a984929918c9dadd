// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  A product as the loops on hosts take it: types of elements are left behind in functions that pack and store
///         them.

#include <pantile/impl/matmul/host/facts.hpp>
#include <pantile/impl/matmul/problem.hpp>
#include <pantile/impl/tile/shape.hpp>

#include <cstddef>
#include <type_traits>
#include <utility>

namespace pantile::impl::matmul {

/// An operand of a product and how it is packed. Lines are A's rows, B's columns.
struct HostOperand {
  std::byte const* data;
  Index element_bytes;
  arch::PackCall packing;  ///< strides and what does not change from block to block
  arch::Pack pack;

  /// The element of a line at a depth.
  [[nodiscard]] std::byte const* at(Index line, Index depth) const {
    return data + (line * packing.line_stride + depth * packing.depth_stride) * element_bytes;
  }
  void pack_block(Index line, Index lines, Index depth_begin, Index depth, void* to) const {
    arch::PackCall call = packing;
    call.from = at(line, depth_begin);
    call.lines = lines;
    call.depth = depth;
    call.to = to;
    pack(call);
  }
};

/// The product that a plan is of: of A and B, or of B^T and A^T where plan.exchange, with a result that is then C^T.
template <class R>
struct HostProduct {
  using Gemm = void (*)(arch::GemmCall<R> const&);
  arch::GemmCall<R> whole;  ///< the product; A, B and C as they lie
  HostOperand a, b;
  Index parts;  ///< numbers in an element of a sum
  Gemm block, skinny_rows, skinny_dots, rank_k;
  /// Sums of rows x cols elements of the problem's C from (row, col) on go to where they belong; null where they are
  /// formed in C.
  void (*store)(void const* problem, R const* sums, Index row_stride, Index col_stride, Index row, Index rows,
                Index col, Index cols);
  void const* problem;
  bool exchanged;

  /// See it as C^T = B^T A^T, of operands that nothing converts.
  void exchange() {
    whole = arch::transposed(whole);
    std::swap(a.data, b.data);
    std::swap(a.packing.line_stride, b.packing.line_stride);
    std::swap(a.packing.depth_stride, b.packing.depth_stride);
    exchanged = !exchanged;
  }
  /// The operands of another problem of the same shape and strides; what store takes is the caller's to change.
  void move_to(void const* a_data, void const* b_data, void* c_data) {
    if (exchanged) std::swap(a_data, b_data);
    whole.a = static_cast<R const*>(a_data);
    whole.b = static_cast<R const*>(b_data);
    whole.c = static_cast<R*>(c_data);
    a.data = static_cast<std::byte const*>(a_data);
    b.data = static_cast<std::byte const*>(b_data);
  }
  /// Sums of this product, whose rows are so far apart.
  void store_block(R const* sums, Index stride, Index row, Index rows, Index col, Index cols) const {
    if (exchanged) return store(problem, sums, 1, stride, col, cols, row, rows);
    store(problem, sums, stride, 1, row, rows, col, cols);
  }
};

/// \brief  Packing that converts: any element to the type that sums are formed in. Lines beyond the last one are zero.
template <class T, class Compute>
void pack_converted(arch::PackCall const& call) {
  auto const* from = static_cast<T const*>(call.from);
  auto* to = static_cast<Compute*>(call.to);
  auto const converted = [&](Index line, Index k) {
    auto const value = convert<Compute>(from[line * call.line_stride + k * call.depth_stride]);
    return call.conjugates ? conjugate(value) : value;
  };
  for (Index first = 0; first < call.lines; first += call.width, to += call.width * call.depth) {
    Index const lines = tile::smaller<Index>(call.width, call.lines - first);
    if (call.depth_stride == 1) {
      for (Index i = 0; i < lines; ++i) {
        for (Index k = 0; k < call.depth; ++k) to[k * call.width + i] = converted(first + i, k);
      }
    } else {
      for (Index k = 0; k < call.depth; ++k) {
        for (Index i = 0; i < lines; ++i) to[k * call.width + i] = converted(first + i, k);
      }
    }
    for (Index k = 0; k < call.depth; ++k) {
      for (Index i = lines; i < call.width; ++i) to[k * call.width + i] = Compute(0);
    }
  }
}

/// C takes sums: rounded to its type once.
template <class TA, class TB, class TC, class Accumulator>
void store_sums(void const* problem, typename HostElement<compute_t<Accumulator>>::Real const* sums, Index row_stride,
                Index col_stride, Index row, Index rows, Index col, Index cols) {
  auto const& p = *static_cast<Problem<TA, TB, TC, Accumulator> const*>(problem);
  auto const* const from = reinterpret_cast<compute_t<Accumulator> const*>(sums);
  Epilogue<TC, Accumulator> const epilogue(p.alpha, p.beta);
  for (Index i = 0; i < rows; ++i) {
    TC* const target = p.c.data + (row + i) * p.c.row_stride + col * p.c.col_stride;
    for (Index j = 0; j < cols; ++j) epilogue(from[i * row_stride + j * col_stride], target[j * p.c.col_stride]);
  }
}

/// alpha or beta as the kernels take them.
template <class Real, class Accumulator>
void assign(Real (&to)[2], Accumulator const& factor) {
  auto const value = convert<compute_t<Accumulator>>(factor);
  if constexpr (is_complex_v<Accumulator>) {
    to[0] = value.real();
    to[1] = value.imag();
  } else {
    to[0] = value;
    to[1] = Real(0);
  }
}

/// \brief  The product of a problem. The one place where its operands get to the kernels, but for run_tiny.
/// \param  p  must outlive it
template <class TA, class TB, class TC, class Accumulator>
auto host_product(Problem<TA, TB, TC, Accumulator> const& p, HostPlan const& plan) {
  using Compute = compute_t<Accumulator>;
  using Real = typename HostElement<Compute>::Real;
  constexpr bool low = computes_low<TA, TB, Compute>();
  constexpr bool a_lies = low || is_kernel_element<TA, Compute>, b_lies = low || is_kernel_element<TB, Compute>;
  auto const& kernels = kernels_of<TA, TB, Compute>();
  HostProduct<Real> product{};
  product.parts = is_complex_v<Compute> ? 2 : 1;
  auto& whole = product.whole;
  whole.m = p.m();
  whole.n = p.n();
  whole.k = p.k();
  whole.a = reinterpret_cast<Real const*>(p.a.data);
  whole.a_rs = p.a.row_stride;
  whole.a_cs = p.a.col_stride;
  whole.b = reinterpret_cast<Real const*>(p.b.data);
  whole.b_rs = p.b.row_stride;
  whole.b_cs = p.b.col_stride;
  whole.c = reinterpret_cast<Real*>(p.c.data);
  whole.c_rs = p.c.row_stride;
  whole.c_cs = p.c.col_stride;
  assign(whole.alpha, p.alpha);
  assign(whole.beta, p.beta);
  whole.reads_c = !(p.beta == Accumulator(0));
  whole.conj_a = p.conj_a && a_lies;
  whole.conj_b = p.conj_b && b_lies;
  whole.hints = plan.hints;
  product.a = {reinterpret_cast<std::byte const*>(p.a.data),
               sizeof(TA),
               {nullptr, p.a.row_stride, p.a.col_stride, 0, 0, nullptr, kernels.rows, std::is_signed_v<TA>,
                std::is_signed_v<TB>, p.conj_a},
               kernels.pack_a};
  product.b = {reinterpret_cast<std::byte const*>(p.b.data),
               sizeof(TB),
               {nullptr, p.b.col_stride, p.b.row_stride, 0, 0, nullptr, kernels.cols, std::is_signed_v<TB>,
                std::is_signed_v<TA>, p.conj_b},
               kernels.pack_b};
  if constexpr (!a_lies) product.a.pack = &pack_converted<TA, Compute>;
  if constexpr (!b_lies) product.b.pack = &pack_converted<TB, Compute>;
  product.block = kernels.block;
  product.skinny_rows = kernels.skinny_rows;
  product.skinny_dots = kernels.skinny_dots;
  product.rank_k = kernels.rank_k;
  if ((!plan.in_c && plan.path == Path::tiles) || plan.slices.count > 1) {
    product.store = &store_sums<TA, TB, TC, Accumulator>;
    product.problem = &p;
  }
  if (plan.exchange) product.exchange();
  return product;
}

}  // namespace pantile::impl::matmul

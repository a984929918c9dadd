// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  A product as the loops on hosts take it: element types are erased, and known only to the functions that pack
///         and store.

#include <pantile/impl/matmul/host/facts.hpp>
#include <pantile/impl/matmul/host/tiny.hpp>
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
  /// As A or B of the kernels, unless packing has to convert.
  void pack_by(arch::Pack kernels, int width) {
    if (pack == nullptr) pack = kernels;
    packing.width = width;
  }
};

/// The product that a plan is of: of A and B, or of B^T and A^T where `exchanged`, with a result that is then C^T.
template <class R>
struct HostProduct {
  using Gemm = void (*)(arch::GemmCall<R> const&);
  arch::GemmCall<R> whole;  ///< the product; A, B and C as they lie
  HostOperand a, b;
  Index parts;            ///< numbers in an element of a sum
  Gemm block, streaming;  ///< of blocks of tiles; of what streams an operand, the last columns beside tiles included
  /// Sums of rows x cols elements of C from (row, col) on, whose rows are `stride` apart, go to where they belong.
  void (*store)(arch::GemmCall<R> const& whole, R const* sums, Index stride, Index row, Index rows, Index col,
                Index cols);
  /// All of a tiny one, with workspace of stack_workspace_bytes; the call is used up.
  void (*tiny)(arch::GemmCall<R>& call, TinyPlan plan, std::byte* workspace);
  bool exchanged;

  /// The operands of another problem of the same shape and strides.
  void move_to(void const* a_data, void const* b_data, void* c_data) {
    if (exchanged) std::swap(a_data, b_data);
    whole.a = static_cast<R const*>(a_data);
    whole.b = static_cast<R const*>(b_data);
    whole.c = static_cast<R*>(c_data);
    a.data = static_cast<std::byte const*>(a_data);
    b.data = static_cast<std::byte const*>(b_data);
  }
  void store_block(R const* sums, Index stride, Index row, Index rows, Index col, Index cols) const {
    store(whole, sums, stride, row, rows, col, cols);
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

/// alpha or beta as the kernels take them, and back.
template <class Real, class Accumulator>
[[gnu::always_inline]] inline void assign(Real (&to)[2], Accumulator const& factor) {
  auto const value = convert<compute_t<Accumulator>>(factor);
  if constexpr (is_complex_v<Accumulator>) {
    to[0] = value.real();
    to[1] = value.imag();
  } else {
    to[0] = value;
    to[1] = Real(0);
  }
}
template <class Accumulator, class Real>
Accumulator factor_of(Real const (&from)[2]) {
  using Compute = compute_t<Accumulator>;
  if constexpr (is_complex_v<Accumulator>) {
    return convert<Accumulator>(Compute(from[0], from[1]));
  } else {
    return convert<Accumulator>(Compute(from[0]));
  }
}

/// C takes sums: rounded to its type once.
template <class TC, class Accumulator, class Real>
void store_sums(arch::GemmCall<Real> const& whole, Real const* sums, Index stride, Index row, Index rows, Index col,
                Index cols) {
  auto const* const from = reinterpret_cast<compute_t<Accumulator> const*>(sums);
  Epilogue<TC, Accumulator> const epilogue(factor_of<Accumulator>(whole.alpha), factor_of<Accumulator>(whole.beta));
  Index const row_stride = whole.c_rs, col_stride = whole.c_cs;
  TC* const to = reinterpret_cast<TC*>(whole.c) + row * row_stride + col * col_stride;
  for (Index i = 0; i < rows; ++i) {
    for (Index j = 0; j < cols; ++j) epilogue(from[i * stride + j], to[i * row_stride + j * col_stride]);
  }
}

/// \brief  The operands and factors of a call, of A B or, where `exchange`, of C^T = B^T A^T: the one place where a
///         plan's exchange is applied. They come by value and stay in registers: what is stored to be read again at
///         once costs as much as a tiny product.
template <class Real, class TA, class TB, class TC, class Accumulator>
[[gnu::always_inline]] inline void set_operands(arch::GemmCall<Real>& call, bool exchange, Matrix<TA const> a,
                                                Matrix<TB const> b, Matrix<TC> c, bool conj_a, bool conj_b,
                                                Accumulator const& alpha, Accumulator const& beta) {
  call.m = exchange ? c.cols : c.rows;
  call.n = exchange ? c.rows : c.cols;
  call.k = a.cols;
  auto const* const a_data = reinterpret_cast<Real const*>(a.data);
  auto const* const b_data = reinterpret_cast<Real const*>(b.data);
  call.a = exchange ? b_data : a_data;
  call.a_rs = exchange ? b.col_stride : a.row_stride;
  call.a_cs = exchange ? b.row_stride : a.col_stride;
  call.b = exchange ? a_data : b_data;
  call.b_rs = exchange ? a.col_stride : b.row_stride;
  call.b_cs = exchange ? a.row_stride : b.col_stride;
  call.c = reinterpret_cast<Real*>(c.data);
  call.c_rs = exchange ? c.col_stride : c.row_stride;
  call.c_cs = exchange ? c.row_stride : c.col_stride;
  call.reads_c = !(beta == Accumulator(0));
  if constexpr (is_complex_v<Accumulator>) {
    call.conj_a = exchange ? conj_b : conj_a;
    call.conj_b = exchange ? conj_a : conj_b;
  }
  assign(call.alpha, alpha);
  assign(call.beta, beta);
}

/// Do kernels take elements of T as they lie, in products with those of Other?
template <class T, class Other, class Compute>
inline constexpr bool lies_as_computed = computes_low<T, Other, Compute>() || is_kernel_element<T, Compute>;

/// \param  x  its rows are lines
template <class T, class Other, class Compute>
HostOperand host_operand(Matrix<T const> const& x, bool conjugates) {
  HostOperand operand{
      reinterpret_cast<std::byte const*>(x.data),
      sizeof(T),
      {nullptr, x.row_stride, x.col_stride, 0, 0, nullptr, 0, std::is_signed_v<T>, std::is_signed_v<Other>, conjugates},
      nullptr};
  if constexpr (!lies_as_computed<T, Other, Compute>) operand.pack = &pack_converted<T, Compute>;
  return operand;
}

/// The product of a plan, the way round that it says.
template <class TA, class TB, class TC, class Accumulator>
auto host_product(Problem<TA, TB, TC, Accumulator> const& p, HostPlan const& plan) {
  using Compute = compute_t<Accumulator>;
  using Real = typename HostElement<Compute>::Real;
  auto const& kernels = kernels_of<TA, TB, Compute>();
  // Made where they stay: copies of what was just stored number by number wait for it.
  auto const lines_of_a = [&] { return host_operand<TA, TB, Compute>(p.a, p.conj_a); };
  auto const lines_of_b = [&] { return host_operand<TB, TA, Compute>(p.b.transposed(), p.conj_b); };
  HostProduct<Real> product{
      .whole = {},
      .a = plan.exchange ? lines_of_b() : lines_of_a(),
      .b = plan.exchange ? lines_of_a() : lines_of_b(),
      .parts = is_complex_v<Compute> ? 2 : 1,
      .block = kernels.block,
      .streaming = kernel_of(kernels, plan.path),
      .store = &store_sums<TC, Accumulator, Real>,
      .tiny = [](arch::GemmCall<Real>& call, TinyPlan tiny,
                 std::byte* workspace) { run_tiny_calls(kernels_of<TA, TB, Compute>(), call, tiny, workspace); },
      .exchanged = plan.exchange};
  set_operands(product.whole, plan.exchange, p.a, p.b, p.c, p.conj_a && lies_as_computed<TA, TB, Compute>,
               p.conj_b && lies_as_computed<TB, TA, Compute>, p.alpha, p.beta);
  product.whole.hints = plan.hints;
  product.a.pack_by(kernels.pack_a, kernels.shape.panel_rows);
  product.b.pack_by(kernels.pack_b, kernels.shape.panel_cols);
  return product;
}

}  // namespace pantile::impl::matmul

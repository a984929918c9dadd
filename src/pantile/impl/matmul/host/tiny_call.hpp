// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  Calls whose product is tiny, on hosts: from operands to kernels in as few steps as possible.

#include <pantile/concepts.hpp>
#include <pantile/impl/arch/current.hpp>
#include <pantile/impl/kokkos_ext/observed_kernel.hpp>
#include <pantile/impl/launch/host_workspace.hpp>
#include <pantile/impl/matmul/host/policy.hpp>
#include <pantile/impl/matmul/host/product.hpp>
#include <pantile/impl/matmul/host/tiny.hpp>
#include <pantile/impl/matmul/labels.hpp>
#include <pantile/impl/view/matrix.hpp>
#include <pantile/impl/view/overlap.hpp>
#include <pantile/policy.hpp>

#include <Kokkos_Core.hpp>

#include <type_traits>

namespace pantile::impl::matmul {

/// Is a product of such extents tiny for this process' kernels?
template <class T, class Accumulator>
[[gnu::always_inline]] inline bool is_tiny_here(Index m, Index n, Index k) {
  Index const largest = std::max(m, std::max(n, k));
  if (largest <= arch::host::tiny_edge) return true;
  return largest <= arch::host::most_tiny_edge &&
         is_tiny(m, n, k, kernels_of<T, T, compute_t<Accumulator>>().shape.lanes, is_complex_v<T> ? 4 : 1);
}

/// A tiny product that may take more than one call of the kernels, or workspace.
template <class Format>
[[gnu::noinline]] void run_other_tiny(arch::GemmKernels<Format> const& kernels,
                                      arch::GemmCall<arch::sum_t<Format>>& call) {
  TinyPlan const plan = plan_tiny_rows(call.m, call.n, call.k, {call.a_rs, call.a_cs}, {call.b_rs, call.b_cs},
                                       kernels.shape.lanes, parts_of<Format>);
  if (!plan.needs_workspace()) return run_tiny_calls(kernels, call, plan, nullptr);
  launch::with_stack<stack_workspace_bytes>(
      [&](std::byte* workspace) { run_tiny_calls(kernels, call, plan, workspace); });
}

/// \brief  A product that is tiny (is_tiny), in as few steps as can be: what plan_tiny says, whose longer half is asked
///         only where it is not one call of the kernels.
template <class T, class Accumulator>
[[gnu::always_inline]] inline void run_tiny(Matrix<T const> a, Matrix<T const> b, Matrix<T> c, bool conj_a, bool conj_b,
                                            Accumulator const& alpha, Accumulator const& beta) {
  using Compute = compute_t<Accumulator>;
  arch::GemmCall<typename HostElement<Compute>::Real> call;
  bool const exchange = exchanges_tiny(c.rows, c.cols, c.row_stride, c.col_stride);
  set_operands(call, exchange, a, b, c, conj_a, conj_b, alpha, beta);
  call.packed_a = call.packed_b = false;
  call.hints = {};
  if (!is_one_call(call.m, call.n, call.k, call.a_rs, call.b_cs)) {
    return run_other_tiny(kernels_of<T, T, Compute>(), call);
  }
  kernels_of<T, T, Compute>().tiny(call);
}

/// Is the call valid, tiny and of ordinary strides? All others are left to the general path and its errors.
template <class Accumulator, class T>
[[gnu::always_inline]] inline bool is_ordinary(Matrix<T const> const& a, Matrix<T const> const& b, Matrix<T> const& c) {
  Index const m = c.rows, n = c.cols, k = a.cols;
  // A stride of zero along k is for the general path, which packs.
  if (a.col_stride == 0 || b.row_stride == 0) return false;
  bool const shapes =
      a.rows == m && b.rows == k && b.cols == n && m > 0 && n > 0 && k > 0 && is_tiny_here<T, Accumulator>(m, n, k);
  bool const rows_apart =
      c.col_stride == 1 ? c.row_stride >= n || m == 1 : c.row_stride == 1 && (c.col_stride >= m || n == 1);
  return shapes && rows_apart && a.data != nullptr && b.data != nullptr && c.data != nullptr && ranges_apart(c, a) &&
         ranges_apart(c, b);
}

/// A matrix or its transpose, number by number: a pair of numbers that changes places in memory waits for its stores.
template <class T>
Matrix<T> transposed_if(bool transposes, Matrix<T> const& x) {
  return {x.data, transposes ? x.cols : x.rows, transposes ? x.rows : x.cols, transposes ? x.col_stride : x.row_stride,
          transposes ? x.row_stride : x.col_stride};
}

/// \brief  Does the caller leave everything but the operators to the library? A precision is a permission that hosts do
///         not use, and any memory is enough, but bytes without memory are an error.
inline bool leaves_choices(MatmulOptions const& options) {
  auto const [m, n, k] = options.tile;
  auto const [grid, block] = options.launch;
  bool const workspace_fits = options.workspace.data != nullptr || options.workspace.bytes == 0;
  return options.algorithm == MatmulAlgorithm::automatic && is_enumerator(options.precision) && workspace_fits &&
         (m | n | k | grid.x | grid.y | block.x | block.y) == 0;
}

/// Are there kernels for tiny products of these types? All operands have one.
template <class TA, class TB, class TC, class Accumulator>
inline constexpr bool has_tiny =
    std::is_same_v<TA, TC> && std::is_same_v<TB, TC> && std::is_same_v<kokkos_element_t<TC>, Accumulator> &&
    HostElement<compute_t<Accumulator>>::available && is_kernel_element<TC, compute_t<Accumulator>>;

/// \brief  Compute a tiny product on the calling thread.
/// \return false if this is not one; then nothing was done
template <class Asked, class Exec, class Alpha, class ViewA, class ViewB, class Beta, class ViewC>
bool multiply_tiny([[maybe_unused]] Exec const& exec, Alpha const& alpha, ViewA const& A, ViewB const& B,
                   Beta const& beta, ViewC const& C, MatmulOptions const& options) {
  using T = operand_t<Exec, typename ViewC::value_type>;
  using TA = operand_t<Exec, typename ViewA::non_const_value_type>;
  using TB = operand_t<Exec, typename ViewB::non_const_value_type>;
  using Accumulator = typename AccumulatorFor<Asked, TA, TB, T>::type;
  if constexpr (!MatrixBatch<ViewC> && !arch::Current<Exec>::device && has_tiny<TA, TB, T, Accumulator> &&
                AccessibleFrom<ViewC, Exec> && AccessibleFrom<ViewA, Exec> && AccessibleFrom<ViewB, Exec>) {
    if (C.extent(0) > arch::host::most_tiny_edge || C.extent(1) > arch::host::most_tiny_edge) return false;
    bool const listens = Kokkos::Tools::profileLibraryLoaded();
    if (!leaves_choices(options) || !is_enumerator(options.op_a) || !is_enumerator(options.op_b)) return false;
    bool const transposes_a = transposes(options.op_a), transposes_b = transposes(options.op_b);
    Matrix<T const> const a = transposed_if(transposes_a, as_operand<Exec>(to_const_matrix<vector_a>(A)));
    Matrix<T const> const b = transposed_if(transposes_b, as_operand<Exec>(to_const_matrix<vector_b>(B)));
    Matrix<T> const c = as_operand<Exec>(to_matrix<vector_c<ViewA>>(C));
    if (!is_ordinary<Accumulator>(a, b, c)) return false;
    Accumulator const factor = to_scalar<Accumulator>(alpha);
    if (factor == Accumulator(0)) return false;
    kokkos_ext::ObservedKernel const observed(
        [&] {
          return kokkos_ext::KernelFacts(label<Exec, T, T, T>(MatmulAlgorithm::blocked), exec, region_label("matmul"));
        },
        listens);
    run_tiny(a, b, c, conjugates(options.op_a), conjugates(options.op_b), factor, to_scalar<Accumulator>(beta));
    return true;
  }
  return false;
}

}  // namespace pantile::impl::matmul

// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <blas/gemm.hpp>
#include <blas/instance_pool.hpp>

#include <pantile/matmul.hpp>

#include <pantile/impl/arch/host/tuning/movement.hpp>
#include <pantile/impl/kokkos_ext/observed_kernel.hpp>
#include <pantile/impl/matmul/host/launch.hpp>
#include <pantile/impl/matmul/host/tiny_call.hpp>
#include <pantile/impl/matmul/labels.hpp>
#include <pantile/impl/view/overlap.hpp>

namespace pantile::blas {
namespace {

pantile::Op operation(Operator op) {
  if (op.transposes) return op.conjugates ? pantile::Op::conjugate_transpose : pantile::Op::transpose;
  return op.conjugates ? pantile::Op::conjugate : pantile::Op::none;
}

/// op(X) as the kernels take it; nothing moves.
template <class T>
pantile::impl::Matrix<T> matrix(Columns<T> const& m, Operator op) {
  pantile::impl::Matrix<T> const straight{m.data, m.rows, m.cols, 1, m.ld};
  return op.transposes ? straight.transposed() : straight;
}

template <class T>
T element_of(Columns<T const> const& m, Operator op, Index i, Index j) {
  T const value = op.transposes ? m(j, i) : m(i, j);
  return op.conjugates ? pantile::conjugate(value) : value;
}

/// c += factor * column; a stride that the compiler knows to be 1 is vectorised.
template <bool Conjugate, class T>
void add_column(Index rows, T factor, T const* column, Index stride, T* c) {
  auto const add = [&](auto step) {
    for (Index i = 0; i < rows; ++i) {
      T const value = column[i * step];
      c[i] += product(factor, Conjugate ? pantile::conjugate(value) : value);
    }
  };
  if (stride == 1) return add(pantile::impl::UnitStride{});
  add(stride);
}

/// Column by column: for beta C alone, and where C overlaps A or B, against the rules of BLAS.
template <class T>
void plain_gemm(GemmCall<T> const& call) {
  bool const scales_only = call.alpha == T(0) || call.k == 0;
  Index const rows = call.c.rows, a_row = call.op_a.transposes ? call.a.ld : 1,
              a_col = call.op_a.transposes ? 1 : call.a.ld;
  for (Index j = 0; j < call.c.cols; ++j) {
    T* const c = &call.c(0, j);
    for (Index i = 0; i < rows; ++i) c[i] = call.beta == T(0) ? T(0) : product(call.beta, c[i]);
    for (Index l = 0; l < call.k && !scales_only; ++l) {
      T const factor = product(call.alpha, element_of(call.b, call.op_b, l, j));
      if (is_complex_v<T> && call.op_a.conjugates) {
        add_column<true>(rows, factor, call.a.data + l * a_col, a_row, c);
      } else {
        add_column<false>(rows, factor, call.a.data + l * a_col, a_row, c);
      }
    }
  }
}

using Host = Kokkos::DefaultHostExecutionSpace;
template <class T>
using Element = pantile::impl::operand_t<Host, T>;

/// The call as a tool that listens sees it, which a call of the face shows in the same way.
template <class T>
pantile::impl::kokkos_ext::KernelFacts facts_of_gemm() {
  using E = Element<T>;
  return {pantile::impl::matmul::label<Host, E, E, E>(pantile::MatmulAlgorithm::blocked), Host(),
          pantile::impl::region_label("matmul")};
}

/// A tiny product in as few steps as can be. False if this is none, or memory is shared as far as one can tell so soon;
/// then nothing was done.
template <class T>
bool tiny_gemm(GemmCall<T> const& call) {
  namespace matmul = pantile::impl::matmul;
  if (call.alpha == T(0) || call.k == 0) return false;
  using Accumulator = pantile::impl::kokkos_element_t<T>;
  if (!matmul::is_tiny_here<Element<T>, Accumulator>(call.c.rows, call.c.cols, call.k)) return false;
  bool const listens = Kokkos::Tools::profileLibraryLoaded();
  auto const a = pantile::impl::as_operand<Host>(matrix(call.a, call.op_a));
  auto const b = pantile::impl::as_operand<Host>(matrix(call.b, call.op_b));
  auto const c = pantile::impl::as_operand<Host>(matrix(call.c, {}));
  if (!pantile::impl::ranges_apart(c, a) || !pantile::impl::ranges_apart(c, b)) return false;
  pantile::impl::kokkos_ext::ObservedKernel const observed([] { return facts_of_gemm<T>(); }, listens);
  matmul::run_tiny<Element<T>, Accumulator>(a, b, c, call.op_a.conjugates, call.op_b.conjugates, call.alpha, call.beta);
  return true;
}

/// On the team. False if there is none; then nothing has been written.
template <class T>
bool instance_gemm(GemmCall<T> const& call) {
  pantile::MatmulOptions options;
  options.op_a = operation(call.op_a);
  options.op_b = operation(call.op_b);
  return on_instance(Lending::team, [&](auto const& exec) {
    pantile::matmul(exec, call.alpha, view(call.a), view(call.b), call.beta, view(call.c), options);
  });
}

/// By the host's kernels: little work on the calling thread, for which Kokkos need not be initialised, and all of it
/// where there is no team. False if C shares memory with A or B, or is only scaled and small; then nothing was done.
template <class T>
bool pantile_gemm(GemmCall<T> const& call) {
  namespace matmul = pantile::impl::matmul;
  using E = Element<T>;
  matmul::Problem<E, E, E, pantile::impl::kokkos_element_t<T>> const problem{
      pantile::impl::as_operand<Host>(matrix(call.a, call.op_a)),
      pantile::impl::as_operand<Host>(matrix(call.b, call.op_b)),
      pantile::impl::as_operand<Host>(matrix(call.c, {})),
      call.op_a.conjugates,
      call.op_b.conjugates,
      call.alpha,
      call.beta};
  if (problem.scales_only()) return problem.c.count() > pantile::impl::arch::host::small_count && instance_gemm(call);
  if (!pantile::impl::are_apart(problem.c, problem.a) || !pantile::impl::are_apart(problem.c, problem.b)) return false;
  auto facts = matmul::host_facts(problem);
  facts.c_along_columns = true;  // a single row or column too
  auto const planned = [&](int threads) {
    return matmul::plan_on_host(problem.m(), problem.n(), problem.k(), facts, {.count = threads});
  };
  // What is work for one thread only is so however many there are.
  if (!planned(2).on_caller && instance_gemm(call)) return true;
  pantile::impl::kokkos_ext::ObservedKernel const observed([] { return facts_of_gemm<T>(); });
  matmul::run_on_caller(problem, planned(1));
  return true;
}

}  // namespace

template <class T>
void gemm(GemmCall<T> const& call) noexcept {
  if (call.c.rows == 0 || call.c.cols == 0) return;
  if ((call.alpha == T(0) || call.k == 0) && call.beta == T(1)) return;
  if (!tiny_gemm(call) && !pantile_gemm(call)) plain_gemm(call);
}

template void gemm(GemmCall<float> const&) noexcept;
template void gemm(GemmCall<double> const&) noexcept;
template void gemm(GemmCall<std::complex<float>> const&) noexcept;
template void gemm(GemmCall<std::complex<double>> const&) noexcept;

}  // namespace pantile::blas

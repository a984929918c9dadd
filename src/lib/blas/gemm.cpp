// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <blas/failure.hpp>
#include <blas/gemm.hpp>
#include <blas/lanes.hpp>

#include <pantile/error.hpp>
#include <pantile/matmul.hpp>

#include <pantile/impl/matmul/kernel_blocked.hpp>
#include <pantile/impl/view/overlap.hpp>

#include <exception>
#include <type_traits>

namespace pantile::blas {
namespace {

/// Multiplications that plain loops do in the time that the host's kernels take to start (n = 2, 3, 4 of double, one thread
/// of an AMD EPYC Zen 3, two runs: 40, 82 and 98 ns with plain loops, 75, 80 and 78 with the kernels).
constexpr double plain_work = 8;

pantile::Op operation(Operator op) {
  if (op.transposes) return op.conjugates ? pantile::Op::conjugate_transpose : pantile::Op::transpose;
  return op.conjugates ? pantile::Op::conjugate : pantile::Op::none;
}

/// op(X), of Kokkos' element type; nothing moves.
template <class K, class T>
pantile::impl::Matrix<K> matrix(Columns<T> const& m, Operator op) {
  pantile::impl::Matrix<K> const straight{reinterpret_cast<K*>(m.data), m.rows, m.cols, 1, m.ld};
  return op.transposes ? straight.transposed() : straight;
}

template <class T>
T element_of(Columns<T const> const& m, Operator op, Index i, Index j) {
  T const value = op.transposes ? m(j, i) : m(i, j);
  return op.conjugates ? conjugated(value) : value;
}

/// c += factor * column; a stride that the compiler knows to be 1 is vectorised.
template <bool Conjugate, class T, class Stride>
void add_column(Index rows, T factor, T const* column, Stride stride, T* c) {
  for (Index i = 0; i < rows; ++i) {
    T const value = column[i * stride];
    c[i] += product(factor, Conjugate ? conjugated(value) : value);
  }
}

template <bool Conjugate, class T>
void add_column(Index rows, T factor, T const* column, Index stride, T* c) {
  if (stride == 1) {
    add_column<Conjugate>(rows, factor, column, std::integral_constant<Index, 1>{}, c);
  } else {
    add_column<Conjugate, T, Index>(rows, factor, column, stride, c);
  }
}

/// \brief  Column by column, no Kokkos and no memory: for next to no work, where Kokkos is not to be had, where operands
///         are not aligned as Kokkos' complex numbers are, and where Pantile takes operands to overlap.
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
      if (is_complex<T> && call.op_a.conjugates) {
        add_column<true>(rows, factor, call.a.data + l * a_col, a_row, c);
      } else {
        add_column<false>(rows, factor, call.a.data + l * a_col, a_row, c);
      }
    }
  }
}

/// \brief  Little work, on the calling thread by the host's kernels: no lane to wait for, Kokkos initialised or not.
///         False if it is not such a call; then nothing has been written.
template <class T>
bool small_gemm(GemmCall<T> const& call) {
  using K = kokkos_t<T>;
  namespace matmul = pantile::impl::matmul;
  if (Kokkos::Tools::profileLibraryLoaded()) return false;
  auto const a = matrix<K const>(call.a, call.op_a), b = matrix<K const>(call.b, call.op_b);
  auto const c = matrix<K>(call.c, {});
  if (!pantile::impl::are_apart(c, a) || !pantile::impl::are_apart(c, b)) return false;
  bool const conj_a = call.op_a.conjugates, conj_b = call.op_b.conjugates;
  if (matmul::is_tiny(c.rows, c.cols, call.k, is_complex<T> ? 4 : 1)) {
    matmul::run_tiny<K>(a, b, c, conj_a, conj_b, K(call.alpha), K(call.beta));
    return true;
  }
  auto const problem =
      matmul::with_row_major_result<K>(matmul::Problem<K, K, K, K>{a, b, c, conj_a, conj_b, K(call.alpha), K(call.beta)});
  auto const plan = matmul::plan_blocked(problem.m(), problem.n(), problem.k(), matmul::blocked_facts(problem), 1);
  if (!plan.on_caller) return false;
  matmul::run_on_caller(problem, plan);
  return true;
}

/// On an instance: a lane where there is little work. False if Pantile cannot take the call; then nothing has been written.
template <class T>
bool instance_gemm(GemmCall<T> const& call, bool small) {
  using K = kokkos_t<T>;
  pantile::MatmulOptions options;
  options.op_a = operation(call.op_a);
  options.op_b = operation(call.op_b);
  try {
    return on_instance(small, [&](auto const& exec) {
      pantile::matmul(exec, K(call.alpha), view(call.a), view(call.b), K(call.beta), view(call.c), options);
    });
  } catch (pantile::Error const&) {
    return false;
  }
}

template <class T>
bool pantile_gemm(GemmCall<T> const& call) {
  constexpr double real_products = is_complex<T> ? 4 : 1;
  double const work = static_cast<double>(call.c.rows) * static_cast<double>(call.c.cols) * static_cast<double>(call.k);
  bool const small = work * real_products <= pantile::impl::matmul::launch_work;
  if (work <= plain_work || (small && call.alpha == T(0))) return false;
  if (!aligned(call.a.data) || !aligned(call.b.data) || !aligned(call.c.data)) return false;
  return (small && small_gemm(call)) || instance_gemm(call, small);
}

}  // namespace

template <class T>
void gemm(GemmCall<T> const& call) noexcept {
  if (call.c.rows == 0 || call.c.cols == 0) return;
  if ((call.alpha == T(0) || call.k == 0) && call.beta == T(1)) return;
  try {
    if (!pantile_gemm(call)) plain_gemm(call);
  } catch (std::exception const& error) {
    fail("?gemm", error.what());
  }
}

template void gemm(GemmCall<float> const&) noexcept;
template void gemm(GemmCall<double> const&) noexcept;
template void gemm(GemmCall<std::complex<float>> const&) noexcept;
template void gemm(GemmCall<std::complex<double>> const&) noexcept;

}  // namespace pantile::blas

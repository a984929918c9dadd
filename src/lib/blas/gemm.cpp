// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <blas/failure.hpp>
#include <blas/gemm.hpp>
#include <blas/lanes.hpp>

#include <pantile/error.hpp>
#include <pantile/matmul.hpp>

#include <exception>
#include <type_traits>

namespace pantile::blas {
namespace {

/// Multiplications that are not worth a launch. Plain loops take 0.3 us for n = 8 and 1.5 us for n = 16 of double,
/// where a launch takes 1.1 and 2.3 us (one thread of a shared AMD EPYC, GCC 16 -O3, Kokkos 5.2).
constexpr double tiny_work = 12.0 * 12.0 * 12.0;

/// Multiplications that are not worth a team: an estimate, not a measured crossover.
constexpr double small_work = 64.0 * 64.0 * 64.0;

pantile::Op operation(Operator op) {
  if (op.transposes) return op.conjugates ? pantile::Op::conjugate_transpose : pantile::Op::transpose;
  return op.conjugates ? pantile::Op::conjugate : pantile::Op::none;
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

/// \brief  Column by column, no Kokkos and no memory: for products that a call would cost more than, where Kokkos is not
///         to be had, where operands are not aligned as Kokkos' complex numbers are, and where Pantile takes operands
///         to overlap.
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

/// False if Pantile cannot take the call; then nothing has been written.
template <class T>
bool pantile_gemm(GemmCall<T> const& call) {
  using K = kokkos_t<T>;
  double const work = static_cast<double>(call.c.rows) * static_cast<double>(call.c.cols) * static_cast<double>(call.k);
  if (work <= tiny_work) return false;
  if (!aligned(call.a.data) || !aligned(call.b.data) || !aligned(call.c.data)) return false;
  pantile::MatmulOptions options;
  options.op_a = operation(call.op_a);
  options.op_b = operation(call.op_b);
  try {
    return on_instance(work <= small_work, [&](auto const& exec) {
      pantile::matmul(exec, K(call.alpha), view(call.a), view(call.b), K(call.beta), view(call.c), options);
    });
  } catch (pantile::Error const&) {
    return false;
  }
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

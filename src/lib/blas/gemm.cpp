// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <blas/failure.hpp>
#include <blas/gemm.hpp>
#include <blas/lanes.hpp>

#include <pantile/error.hpp>
#include <pantile/matmul.hpp>

#include <exception>

namespace pantile::blas {
namespace {

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

/// \brief  Column by column, no Kokkos and no memory: what is left where Kokkos is not to be had, where operands are
/// not
///         aligned as Kokkos' complex numbers are, and where Pantile takes operands to overlap.
template <class T>
void plain_gemm(GemmCall<T> const& call) {
  bool const scales_only = call.alpha == T(0) || call.k == 0;
  for (Index j = 0; j < call.c.cols; ++j) {
    for (Index i = 0; i < call.c.rows; ++i) {
      T& c = call.c(i, j);
      c = call.beta == T(0) ? T(0) : product(call.beta, c);
    }
    for (Index l = 0; l < call.k && !scales_only; ++l) {
      T const factor = product(call.alpha, element_of(call.b, call.op_b, l, j));
      for (Index i = 0; i < call.c.rows; ++i) call.c(i, j) += product(factor, element_of(call.a, call.op_a, i, l));
    }
  }
}

/// False if Pantile cannot take the call; then nothing has been written.
template <class T>
bool pantile_gemm(GemmCall<T> const& call) {
  using K = kokkos_t<T>;
  if (!aligned(call.a.data) || !aligned(call.b.data) || !aligned(call.c.data)) return false;
  double const work = static_cast<double>(call.c.rows) * static_cast<double>(call.c.cols) * static_cast<double>(call.k);
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

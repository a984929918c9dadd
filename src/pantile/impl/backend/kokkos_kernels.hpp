// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  The vendor's gemm through Kokkos Kernels. Taken only when asked for by name.

#include <pantile/config.hpp>
#include <pantile/element.hpp>
#include <pantile/impl/view/matrix.hpp>

#include <Kokkos_Core.hpp>
#if PANTILE_ENABLE_KOKKOS_KERNELS()
#include <KokkosBlas3_gemm.hpp>
#endif

#include <cstdint>
#include <type_traits>

namespace pantile::impl::backend {

/// gemm libraries take one type for all operands, float, double or complex.
template <class TA, class TB, class TC, class Accumulator>
inline constexpr bool gemm_types_v =
    std::is_same_v<TA, TC> && std::is_same_v<TB, TC> && std::is_same_v<kokkos_element_t<TC>, Accumulator> &&
    !is_integer_v<TC> && std::is_same_v<Accumulator, compute_t<TC>>;

/// Kokkos' complex numbers may ask for more alignment than the operands have.
template <class T>
bool is_aligned(Matrix<T> const& x) {
  constexpr std::uintptr_t step = alignof(kokkos_element_t<std::remove_const_t<T>>);
  return x.count() == 0 || reinterpret_cast<std::uintptr_t>(x.data) % step == 0;
}

/// A matrix that gemm can read: one direction contiguous, the other with a leading dimension.
template <class T>
bool has_leading_dimension(Matrix<T> const& x) {
  bool const by_columns = x.row_stride == 1 && x.col_stride >= x.rows;
  bool const by_rows = x.col_stride == 1 && x.row_stride >= x.cols;
  return x.count() == 0 || by_columns || by_rows;
}

/// gemm sees such a matrix transposed.
template <class T>
bool along_rows(Matrix<T> const& x) {
  return !(x.row_stride == 1 && x.col_stride >= x.rows);
}

/// Why the vendor's gemm cannot do this problem; empty if it can.
template <class TA, class TB, class TC, class Accumulator, class Problem>
char const* gemm_refusal([[maybe_unused]] Problem const& p) {
#if PANTILE_ENABLE_KOKKOS_KERNELS()
  if constexpr (!gemm_types_v<TA, TB, TC, Accumulator>) {
    return "algorithm vendor takes float, double and complex operands of one type, accumulated in that type";
  } else {
    if (!has_leading_dimension(p.a) || !has_leading_dimension(p.b) || !has_leading_dimension(p.c)) {
      return "algorithm vendor needs operands that are contiguous in one direction";
    }
    if (!is_aligned(p.a) || !is_aligned(p.b) || !is_aligned(p.c)) {
      return "algorithm vendor needs complex operands at multiples of their size in memory";
    }
    // Conjugation is only known together with a transpose, that is for operands that lie across C (see gemm below).
    bool const across_a = along_rows(p.a) != along_rows(p.c), across_b = along_rows(p.b) != along_rows(p.c);
    if (is_complex_v<TC> && ((p.conj_a && !across_a) || (p.conj_b && !across_b))) {
      return "algorithm vendor cannot conjugate an operand without transposing it";
    }
    return "";
  }
#else
  return "algorithm vendor needs a Pantile built with Kokkos Kernels (Pantile_ENABLE_KOKKOS_KERNELS)";
#endif
}

#if PANTILE_ENABLE_KOKKOS_KERNELS()

/// A LayoutLeft View of the matrix or of its transpose, and the gemm mode that makes up for it.
template <class Exec, class T>
struct GemmOperand {
  using Plain = kokkos_element_t<std::remove_const_t<T>>;
  using Element = std::conditional_t<std::is_const_v<T>, Plain const, Plain>;
  using Parent = Kokkos::View<Element**, Kokkos::LayoutLeft, typename Exec::memory_space, Kokkos::MemoryUnmanaged>;
  using View = decltype(Kokkos::subview(Parent{}, std::pair<Index, Index>{}, Kokkos::ALL));
  View view;
  bool transposed;

  explicit GemmOperand(Matrix<T> x) : transposed(along_rows(x)) {
    if (transposed) x = x.transposed();
    Parent const parent(reinterpret_cast<Element*>(x.data), x.col_stride, x.cols);
    view = Kokkos::subview(parent, std::pair<Index, Index>(0, x.rows), Kokkos::ALL);
  }
};

/// C = alpha A B + beta C by KokkosBlas::gemm. C must lie along its columns or its rows; gemm_refusal has been asked.
template <class Exec, class Problem>
void gemm(Exec const& exec, Problem const& p) {
  using TA = std::remove_const_t<std::remove_reference_t<decltype(p.a(0, 0))>>;
  using TB = std::remove_const_t<std::remove_reference_t<decltype(p.b(0, 0))>>;
  using T = std::remove_reference_t<decltype(p.c(0, 0))>;
  if constexpr (gemm_types_v<TA, TB, T, std::remove_cv_t<decltype(p.alpha)>>) {
    // All three as LayoutLeft: a C that lies along its rows is computed as C^T = B^T A^T.
    GemmOperand<Exec, T> const c(p.c);
    GemmOperand<Exec, T const> const left(c.transposed ? p.b.transposed() : p.a);
    GemmOperand<Exec, T const> const right(c.transposed ? p.a.transposed() : p.b);
    auto const mode = [](bool transposed, bool conjugated) { return transposed ? (conjugated ? "C" : "T") : "N"; };
    KokkosBlas::gemm(exec, mode(left.transposed, c.transposed ? p.conj_b : p.conj_a),
                     mode(right.transposed, c.transposed ? p.conj_a : p.conj_b), p.alpha, left.view, right.view, p.beta,
                     c.view);
  }
}

#else

template <class Exec, class Problem>
void gemm(Exec const&, Problem const&) {}

#endif

}  // namespace pantile::impl::backend

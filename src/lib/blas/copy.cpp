// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <blas/calls.hpp>
#include <blas/instance_pool.hpp>

#include <pantile/add.hpp>
#include <pantile/transpose.hpp>

#include <pantile/impl/arch/host/tuning/movement.hpp>

#include <cstddef>
#include <memory>
#include <new>

namespace pantile::blas {
namespace {

/// Is it not worth a team?
template <class T>
bool is_small(Columns<T> const& m) {
  using impl::arch::host::small_count;
  return m.rows <= small_count && m.cols <= small_count && m.rows * m.cols <= small_count;
}

template <class T>
T scaled(Operator op, T alpha, T value) {
  if (alpha == T(0)) return T(0);
  if (op.conjugates) value = pantile::conjugate(value);
  return alpha == T(1) ? value : product(alpha, value);
}

/// Element by element, where Kokkos is not to be had or cannot take the operands.
template <class T>
void plain_copy(Operator op, T alpha, Columns<T const> const& a, Columns<T> const& b) {
  for (Index j = 0; j < b.cols; ++j) {
    for (Index i = 0; i < b.rows; ++i) b(i, j) = scaled(op, alpha, op.transposes ? a(j, i) : a(i, j));
  }
}

/// \brief  A = alpha op(A) in the memory that it has: elements go round in the cycles of the permutation, or along
///         chains that begin in memory which only the result has.
template <class T>
class InPlace {
 public:
  InPlace(Operator op, T alpha, Columns<T> const& a, Index ld)
      : m_op(op),
        m_alpha(alpha),
        m_a(a),
        m_rows(op.transposes ? a.cols : a.rows),
        m_cols(op.transposes ? a.rows : a.cols),
        m_ld(ld) {}

  void run() const {
    for (Index j = 0; j < m_cols; ++j) {
      for (Index i = 0; i < m_rows; ++i) {
        if (!is_source(i + j * m_ld)) move_chain(i + j * m_ld);
      }
    }
    for (Index j = 0; j < m_cols; ++j) {
      for (Index i = 0; i < m_rows; ++i) {
        if (leads_cycle(i + j * m_ld)) move_cycle(i + j * m_ld);
      }
    }
  }

 private:
  /// Places of A, of the result, and where an element of the result comes from.
  [[nodiscard]] bool is_source(Index place) const { return place % m_a.ld < m_a.rows && place / m_a.ld < m_a.cols; }
  [[nodiscard]] bool is_target(Index place) const { return place % m_ld < m_rows && place / m_ld < m_cols; }
  [[nodiscard]] Index source_of(Index place) const {
    Index const i = place % m_ld, j = place / m_ld;
    return m_op.transposes ? j + i * m_a.ld : i + j * m_a.ld;
  }
  void move(Index to, T value) const { m_a.data[to] = scaled(m_op, m_alpha, value); }

  void move_chain(Index place) const {
    while (is_target(place)) {
      Index const from = source_of(place);
      move(place, m_a.data[from]);
      place = from;
    }
  }
  [[nodiscard]] bool leads_cycle(Index first) const {
    Index place = first;
    do {
      if (place < first || !is_target(place)) return false;
      place = source_of(place);
    } while (place != first);
    return true;
  }
  void move_cycle(Index first) const {
    T const kept = m_a.data[first];
    Index place = first;
    for (Index from = source_of(place); from != first; from = source_of(place)) {
      move(place, m_a.data[from]);
      place = from;
    }
    move(place, kept);
  }

  Operator m_op;
  T m_alpha;
  Columns<T> m_a;
  Index m_rows, m_cols, m_ld;
};

/// A = alpha A
template <class Exec, class T>
void scale(Exec const& exec, T alpha, Columns<T> const& a) {
  if (alpha == T(1)) return;
  auto const A = view(a);
  pantile::add(exec, alpha, A, T(0), A, A);
}

/// The signs of the imaginary parts, which are a matrix of real numbers at twice the strides.
template <class Exec, class T>
void conjugate(Exec const& exec, Columns<T> const& a) {
  if constexpr (is_complex_v<T>) {
    using R = typename impl::RealOf<T>::type;
    StridedView<R> const imaginary(reinterpret_cast<R*>(a.data) + 1, Kokkos::LayoutStride(a.rows, 2, a.cols, 2 * a.ld));
    pantile::add(exec, R(-1), imaginary, R(0), imaginary, imaginary);
  }
}

/// Passes over B: one, or two where it is conjugated and scaled.
template <class Exec, class T>
void pantile_copy(Exec const& exec, Operator op, T alpha, Columns<T const> const& a, Columns<T> const& b) {
  auto const A = view(a), A_transposed = transposed_view(a);
  auto const B = view(b);
  bool const moves_only = alpha == T(1) || op.conjugates;
  if (moves_only && alpha != T(0)) {
    // transpose(A^T, B) is the copy of A to B.
    pantile::transpose(exec, op.transposes ? A : A_transposed, B, {.conjugate = op.conjugates});
    scale(exec, alpha, b);
  } else {
    pantile::add(exec, alpha, op.transposes ? A_transposed : A, T(0), B, B);
  }
}

/// On an instance, or without memory for one, element by element.
template <class T>
void copy_somehow(Operator op, T alpha, Columns<T const> const& a, Columns<T> const& b) {
  auto const pass = [&](auto const& exec) { pantile_copy(exec, op, alpha, a, b); };
  if (!on_instance(is_small(b) ? Lending::pooled : Lending::any, pass)) plain_copy(op, alpha, a, b);
}

/// A pass of work in place, all of it or, where there is no instance for it, by `otherwise`.
template <class T, class Pass>
void pass_in_place(Columns<T> const& a, Pass const& pass, InPlace<T> const& otherwise) {
  if (!on_instance(is_small(a) ? Lending::pooled : Lending::any, pass)) otherwise.run();
}

template <class T>
void square_in_place(Operator op, T alpha, Columns<T> const& a) {
  if (op.transposes) {
    pass_in_place(
        a, [&](auto const& exec) { pantile::transpose(exec, view(a), {.conjugate = op.conjugates}); },
        InPlace<T>(op, T(1), a, a.ld));
  } else if (op.conjugates) {
    pass_in_place(
        a, [&](auto const& exec) { conjugate(exec, a); }, InPlace<T>(op, T(1), a, a.ld));
  }
  if (alpha != T(1)) {
    pass_in_place(
        a, [&](auto const& exec) { scale(exec, alpha, a); }, InPlace<T>({}, alpha, a, a.ld));
  }
}

}  // namespace

template <class T>
void copy(CopyShape const& s, void const* alpha, void const* a, void* b) noexcept {
  Columns<T const> const from{static_cast<T const*>(a), s.a_rows(), s.a_cols(), s.lda};
  Columns<T> const to{static_cast<T*>(b), s.b_rows(), s.b_cols(), s.ldb};
  if (to.rows > 0 && to.cols > 0) copy_somehow(*s.op, *static_cast<T const*>(alpha), from, to);
}

template <class T>
void copy_in_place(CopyShape const& s, void const* given_alpha, void* data) noexcept {
  Columns<T> const a{static_cast<T*>(data), s.a_rows(), s.a_cols(), s.lda};
  Operator const op = *s.op;
  T const alpha = *static_cast<T const*>(given_alpha);
  Index const rows = s.b_rows(), cols = s.b_cols(), ld = s.ldb;
  if (rows == 0 || cols == 0) return;
  if (a.ld == ld && (!op.transposes || rows == cols)) return square_in_place(op, alpha, a);
  std::unique_ptr<T[]> const memory(new (std::nothrow) T[static_cast<std::size_t>(rows * cols)]);
  if (memory == nullptr) {
    InPlace<T>(op, alpha, a, ld).run();
    return;
  }
  Columns<T> const result{memory.get(), rows, cols, rows};
  copy_somehow(op, alpha, {a.data, a.rows, a.cols, a.ld}, result);
  copy_somehow<T>({}, T(1), {result.data, rows, cols, rows}, {a.data, rows, cols, ld});
}

#define PANTILE_BLAS_COPIES(T)                                                       \
  template void copy<T>(CopyShape const&, void const*, void const*, void*) noexcept; \
  template void copy_in_place<T>(CopyShape const&, void const*, void*) noexcept;
PANTILE_BLAS_COPIES(float)
PANTILE_BLAS_COPIES(double)
PANTILE_BLAS_COPIES(std::complex<float>)
PANTILE_BLAS_COPIES(std::complex<double>)

}  // namespace pantile::blas

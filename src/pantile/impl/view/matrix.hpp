// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  The normalised operands: every layout, subview and transpose becomes a pointer, extents and strides, so that
///        one kernel per element type serves them all; their element types, and the caller's scalars.

#include <pantile/concepts.hpp>
#include <pantile/element.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <type_traits>

namespace pantile::impl {

/// \brief  A complex number in memory, aligned as its real part. As std::complex is, whose functions are for hosts
///         alone: nvcc compiles kernels of host spaces for devices too. May alias Kokkos' and the standard's.
template <class R>
class [[gnu::may_alias]] PackedComplex {
 public:
  PackedComplex() = default;
  KOKKOS_INLINE_FUNCTION constexpr explicit PackedComplex(R re, R im = R(0)) : m_re(re), m_im(im) {}
  [[nodiscard]] KOKKOS_INLINE_FUNCTION constexpr R real() const { return m_re; }
  [[nodiscard]] KOKKOS_INLINE_FUNCTION constexpr R imag() const { return m_im; }

 private:
  R m_re, m_im;
};

template <class R>
struct KokkosElement<PackedComplex<R>> {
  using type = Kokkos::complex<R>;
};
template <class R>
struct RealOf<PackedComplex<R>> {
  using type = R;
};

/// \brief  The type as which kernels of Exec take elements T. Hosts take complex numbers aligned as their real parts:
///         more is promised neither by BLAS nor by an unmanaged View. Devices load Kokkos' by one access.
template <class Exec, class T>
struct OperandElement : KokkosElement<T> {};
template <class Exec, class T>
  requires(is_complex_v<T> && std::is_same_v<typename Exec::memory_space, Kokkos::HostSpace>)
struct OperandElement<Exec, T> {
  using type = PackedComplex<typename RealOf<T>::type>;
};
template <class Exec, class T>
struct OperandElement<Exec, T const> {
  using type = typename OperandElement<Exec, T>::type const;
};
/// Is the View's memory of devices, which load a complex number by one access too, whatever its type declares?
template <class View>
inline constexpr bool is_loaded_whole = !std::is_same_v<typename View::memory_space, Kokkos::HostSpace> &&
                                        !std::is_same_v<typename View::memory_space, Kokkos::AnonymousSpace>;

template <class Exec, class T>
using operand_t = typename OperandElement<Exec, T>::type;

/// Index type of all global offsets: View's own size_type has 32 bits on some backends.
using Index = std::int64_t;

/// Unmanaged strided vector.
template <class T>
struct Vector {
  T* data = nullptr;
  Index size = 0;
  Index stride = 1;

  KOKKOS_INLINE_FUNCTION T& operator()(Index i) const {
    KOKKOS_ASSERT(i >= 0 && i < size);
    return data[i * stride];
  }
};

/// Unmanaged strided matrix; transposing exchanges extents and strides and moves nothing.
template <class T>
struct Matrix {
  T* data = nullptr;
  Index rows = 0;
  Index cols = 0;
  Index row_stride = 1;
  Index col_stride = 1;

  KOKKOS_INLINE_FUNCTION T& operator()(Index i, Index j) const {
    KOKKOS_ASSERT(i >= 0 && i < rows && j >= 0 && j < cols);
    return data[i * row_stride + j * col_stride];
  }

  [[nodiscard]] KOKKOS_INLINE_FUNCTION constexpr Matrix transposed() const {
    return {data, cols, rows, col_stride, row_stride};
  }

  /// The direction in which neighbours lie closest: true when walking along a row (j) is the fast way. A single row or
  /// column has one direction only, whatever its strides say.
  [[nodiscard]] KOKKOS_INLINE_FUNCTION constexpr bool fast_along_row() const {
    if (rows <= 1 || cols <= 1 || col_stride == row_stride) return cols >= rows;
    return col_stride < row_stride;
  }

  [[nodiscard]] constexpr Index count() const { return rows * cols; }

  /// Rows follow each other without a gap, so that the matrix can be walked as one row.
  [[nodiscard]] constexpr bool is_one_row() const { return rows <= 1 || row_stride == cols * col_stride; }
  [[nodiscard]] constexpr Matrix as_one_row() const { return {data, 1, count(), count() * col_stride, col_stride}; }
};

/// A stride of one that the compiler knows.
struct UnitStride {
  KOKKOS_INLINE_FUNCTION constexpr operator Index() const { return 1; }
};

/// f(stride), as a UnitStride where it is one.
template <class F>
KOKKOS_INLINE_FUNCTION void with_stride(Index stride, F const& f) {
  if (stride == 1) {
    f(UnitStride{});
  } else {
    f(stride);
  }
}

/// Which matrix a vector is.
enum class VectorIs { column, row };

/// \brief  Normalise a rank-2 View, or what has the same members, or a rank-1 View as one column or row; in kernels
///         too. The result does not own: the caller's View must outlive the work, as the faces say.
template <VectorIs Is = VectorIs::column, class View>
KOKKOS_INLINE_FUNCTION Matrix<typename View::value_type> to_matrix(View const& view) {
  if constexpr (View::rank() == 1) {
    auto const size = static_cast<Index>(view.extent(0)), stride = static_cast<Index>(view.stride(0));
    if constexpr (Is == VectorIs::row) return {view.data(), 1, size, size * stride, stride};
    return {view.data(), size, 1, stride, 1};
  } else {
    return {view.data(), static_cast<Index>(view.extent(0)), static_cast<Index>(view.extent(1)),
            static_cast<Index>(view.stride(0)), static_cast<Index>(view.stride(1))};
  }
}

/// Normalise an operand that is read only, whether or not its View says so.
template <VectorIs Is = VectorIs::column, class View>
KOKKOS_INLINE_FUNCTION Matrix<typename View::non_const_value_type const> to_const_matrix(View const& view) {
  auto const m = to_matrix<Is>(view);
  return {m.data, m.rows, m.cols, m.row_stride, m.col_stride};
}

/// The operand in the element type that kernels of Exec take.
template <class Exec, class T>
Matrix<operand_t<Exec, T>> as_operand(Matrix<T> const& m) {
  return {reinterpret_cast<operand_t<Exec, T>*>(m.data), m.rows, m.cols, m.row_stride, m.col_stride};
}
template <class Exec, class T>
Vector<operand_t<Exec, T>> as_operand(Vector<T> const& v) {
  return {reinterpret_cast<operand_t<Exec, T>*>(v.data), v.size, v.stride};
}

/// Normalise a rank-1 View.
template <class View>
KOKKOS_INLINE_FUNCTION Vector<typename View::value_type> to_vector(View const& view) {
  return {view.data(), static_cast<Index>(view.extent(0)), static_cast<Index>(view.stride(0))};
}

/// A number as an element: real to complex with a zero imaginary part, integers modulo 2^w. For kernels too.
template <Element T, class Value>
KOKKOS_INLINE_FUNCTION constexpr T to_element(Value const& value) {
  if constexpr (std::is_arithmetic_v<Value> && is_complex_v<T>) {
    return T(static_cast<typename RealOf<T>::type>(value), 0);
  } else if constexpr (std::is_arithmetic_v<Value>) {
    return static_cast<T>(value);
  } else {
    return convert<T>(value);
  }
}

template <class Asked, class A, class B, class C>
struct AccumulatorFor {
  using type = kokkos_element_t<Asked>;
};
template <class A, class B, class C>
struct AccumulatorFor<DefaultAccumulator, A, B, C> {
  using type = default_accumulator_t<A, B, C>;
};

/// The element types of a call as its kernels see them.
template <class AskedAccumulator, class Exec, class ViewA, class ViewB, class ViewC>
struct OperandTypes {
  static_assert(AccessibleFrom<ViewA, Exec> && AccessibleFrom<ViewB, Exec> && AccessibleFrom<ViewC, Exec>,
                "pantile: the memory of A, B and C must be accessible from the execution space");
  using TA = operand_t<Exec, typename ViewA::non_const_value_type>;
  using TB = operand_t<Exec, typename ViewB::non_const_value_type>;
  using TC = operand_t<Exec, typename ViewC::value_type>;
  using Accumulator = typename AccumulatorFor<AskedAccumulator, TA, TB, TC>::type;
  static_assert(Element<Accumulator>, "pantile: the accumulator must be an element type");
  static_assert(is_complex_v<Accumulator> || (!is_complex_v<TA> && !is_complex_v<TB>),
                "pantile: a real accumulator cannot take complex operands");
  static_assert(is_complex_v<TC> || !is_complex_v<Accumulator>,
                "pantile: a complex result cannot be stored in a real C");
  template <template <class, class, class, class> class P>
  using Of = P<TA, TB, TC, Accumulator>;
};

/// alpha and beta to the accumulator; conversions that would lose their meaning do not compile.
template <class Accumulator, class Scalar>
Accumulator to_scalar(Scalar const& value) {
  if constexpr (std::is_arithmetic_v<Scalar>) {
    static_assert(!is_integer_v<Accumulator> || std::is_integral_v<Scalar>,
                  "pantile: alpha and beta must be integers when the accumulator is an integer type");
    if constexpr (is_complex_v<Accumulator>) {
      return Accumulator(static_cast<typename RealOf<Accumulator>::type>(value), 0);
    } else {
      return static_cast<Accumulator>(value);
    }
  } else {
    static_assert(Element<Scalar>, "pantile: alpha and beta must be numbers of an element type");
    return convert<Accumulator>(kokkos_element_t<Scalar>(value));
  }
}

}  // namespace pantile::impl

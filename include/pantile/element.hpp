// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  Element types: a number type is described to Pantile by a specialisation of `element_traits`.

#include <pantile/impl/compiler_ext/types.hpp>

#include <Kokkos_Core.hpp>

#include <complex>
#include <concepts>
#include <cstdint>
#include <type_traits>

namespace pantile {

enum class ElementKind { integer, real, complex };

/// \brief  What Pantile knows of an element type. Specialise it to add a type (CONTRIBUTING, recipe "element type").
///
/// A specialisation gives
///  - `name`: for labels and messages;
///  - `kind`: integer, real or complex;
///  - `accumulator_type`: the type in which sums are formed unless the caller chooses another;
///  - `compute_type`: the type in which the accumulator's arithmetic is done. It differs from the accumulator for
///    signed integers only: they are computed unsigned, so that overflow wraps modulo 2^w and is never undefined.
template <class T>
struct element_traits;

namespace impl {
template <class T, ElementKind Kind, class Accumulator = T, class Compute = T>
struct ElementTraitsBase {
  static constexpr ElementKind kind = Kind;
  using accumulator_type = Accumulator;
  using compute_type = Compute;
};

template <class T, class Accumulator>
using IntegerTraits = ElementTraitsBase<T, ElementKind::integer, Accumulator, std::make_unsigned_t<Accumulator>>;

/// std::complex as Kokkos::complex, in which arithmetic is done; any other type as it is.
template <class T>
struct KokkosElement {
  using type = T;
};
template <class T>
struct KokkosElement<std::complex<T>> {
  using type = Kokkos::complex<T>;
};
template <class T>
using kokkos_element_t = typename KokkosElement<T>::type;
}  // namespace impl

template <>
struct element_traits<float> : impl::ElementTraitsBase<float, ElementKind::real> {
  static constexpr char const* name = "float";
};
template <>
struct element_traits<double> : impl::ElementTraitsBase<double, ElementKind::real> {
  static constexpr char const* name = "double";
};
/// Kokkos::complex and std::complex; sums are Kokkos::complex. On hosts both need the alignment of their real type
/// only, on devices that of Kokkos::complex.
template <class T>
  requires(std::is_same_v<impl::kokkos_element_t<T>, Kokkos::complex<float>> ||
           std::is_same_v<impl::kokkos_element_t<T>, Kokkos::complex<double>>)
struct element_traits<T> : impl::ElementTraitsBase<impl::kokkos_element_t<T>, ElementKind::complex> {
  static constexpr char const* name = sizeof(T) == 8 ? "complex<float>" : "complex<double>";
};
template <>
struct element_traits<std::int8_t> : impl::IntegerTraits<std::int8_t, std::int32_t> {
  static constexpr char const* name = "int8";
};
template <>
struct element_traits<std::uint8_t> : impl::IntegerTraits<std::uint8_t, std::uint32_t> {
  static constexpr char const* name = "uint8";
};
template <>
struct element_traits<std::int32_t> : impl::IntegerTraits<std::int32_t, std::int32_t> {
  static constexpr char const* name = "int32";
};
template <>
struct element_traits<std::uint32_t> : impl::IntegerTraits<std::uint32_t, std::uint32_t> {
  static constexpr char const* name = "uint32";
};
/// long and long long: std::int64_t is one of them, and both have 64 bits.
template <std::integral T>
  requires(sizeof(T) == 8)
struct element_traits<T>
    : impl::IntegerTraits<T, std::conditional_t<std::is_signed_v<T>, std::int64_t, std::uint64_t>> {
  static constexpr char const* name = std::is_signed_v<T> ? "int64" : "uint64";
};

// Kokkos' half_t and bhalf_t are aliases of float where a backend has no such type. Compilers for hosts have _Float16
// and __bf16, which are std::float16_t and std::bfloat16_t of C++23.
namespace impl {
/// IEEE 754 binary16.
template <class T>
inline constexpr bool is_half =
    (std::is_same_v<T, Kokkos::Experimental::half_t> && !std::is_same_v<T, float>) || std::is_same_v<T, CompilerHalf>;
/// bfloat16: the upper half of a float.
template <class T>
inline constexpr bool is_brain = ((std::is_same_v<T, Kokkos::Experimental::bhalf_t> && !std::is_same_v<T, float>) ||
                                  std::is_same_v<T, CompilerBrain>)&&!is_half<T>;
}  // namespace impl

template <class T>
  requires(impl::is_half<T> || impl::is_brain<T>)
struct element_traits<T> : impl::ElementTraitsBase<T, ElementKind::real, float, float> {
  static constexpr char const* name = impl::is_half<T> ? "half" : "bhalf";
};

/// A type with an `element_traits` specialisation.
template <class T>
concept Element = requires {
  element_traits<std::remove_cv_t<T>>::kind;
  element_traits<std::remove_cv_t<T>>::name;
  typename element_traits<std::remove_cv_t<T>>::accumulator_type;
  typename element_traits<std::remove_cv_t<T>>::compute_type;
};

template <Element T>
inline constexpr bool is_complex_v = element_traits<std::remove_cv_t<T>>::kind == ElementKind::complex;
template <Element T>
inline constexpr bool is_integer_v = element_traits<std::remove_cv_t<T>>::kind == ElementKind::integer;
template <Element T>
inline constexpr char const* element_name_v = element_traits<std::remove_cv_t<T>>::name;
template <Element T>
using compute_t = typename element_traits<std::remove_cv_t<T>>::compute_type;

namespace impl {

template <class T>
struct RealOf {
  using type = T;
};
template <class T>
struct RealOf<Kokkos::complex<T>> {
  using type = T;
};
template <class T>
struct RealOf<std::complex<T>> : RealOf<Kokkos::complex<T>> {};

// The wider of two accumulators: complex if one is, real if one is, else the common integer type.
template <class T, class U>
struct WiderAccumulator {
  using real = std::common_type_t<typename RealOf<T>::type, typename RealOf<U>::type>;
  using type = std::conditional_t<is_complex_v<T> || is_complex_v<U>, Kokkos::complex<real>, real>;
};

}  // namespace impl

/// Accumulator where the caller gives none: the widest of the accumulator types of A, B and C.
template <Element A, Element B, Element C>
using default_accumulator_t = typename impl::WiderAccumulator<
    typename impl::WiderAccumulator<typename element_traits<std::remove_cv_t<A>>::accumulator_type,
                                    typename element_traits<std::remove_cv_t<B>>::accumulator_type>::type,
    typename element_traits<std::remove_cv_t<C>>::accumulator_type>::type;

/// \brief  Convert between element types: real to complex with a zero imaginary part, integers modulo 2^w. Complex to
///         real does not compile.
template <Element To, Element From>
KOKKOS_INLINE_FUNCTION constexpr To convert(From const& value) {
  if constexpr (std::is_same_v<To, From>) {
    return value;
  } else if constexpr (is_complex_v<To>) {
    using Real = typename impl::RealOf<To>::type;
    if constexpr (is_complex_v<From>) {
      return To(static_cast<Real>(value.real()), static_cast<Real>(value.imag()));
    } else {
      return To(static_cast<Real>(value), Real(0));
    }
  } else {
    static_assert(!is_complex_v<From>, "pantile: a complex element cannot be converted to a real one");
    return static_cast<To>(value);
  }
}

/// Complex conjugate; the value itself for real and integer types.
template <Element T>
KOKKOS_INLINE_FUNCTION constexpr T conjugate(T const& value) {
  if constexpr (is_complex_v<T>) {
    return T(value.real(), -value.imag());
  } else {
    return value;
  }
}

/// sum + a * b in a compute type; the complex product is the textbook formula, without C's recovery of infinities.
template <Element T>
KOKKOS_INLINE_FUNCTION constexpr T multiply_add(T const& a, T const& b, T const& sum) {
  if constexpr (is_complex_v<T>) {
    return T(sum.real() + a.real() * b.real() - a.imag() * b.imag(),
             sum.imag() + a.real() * b.imag() + a.imag() * b.real());
  } else {
    return sum + a * b;
  }
}

}  // namespace pantile

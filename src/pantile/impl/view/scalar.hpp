// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  The accumulator of a call, and the caller's scalars converted to it.

#include <pantile/concepts.hpp>

#include <Kokkos_Core.hpp>

#include <type_traits>

namespace pantile::impl {

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

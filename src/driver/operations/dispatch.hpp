// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "errors.hpp"
#include "io/element_type.hpp"
#include "operations/operations.hpp"

#include <pantile/element.hpp>

#include <Kokkos_Core.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <type_traits>

namespace pantile::driver {

/// \brief  f(std::type_identity<T>{}) for the C++ type T of an element type that is in the compiled library. Integers
///         wrap, so that the code of signed ones serves unsigned 64-bit ones.
/// \throws InputError  for the others, which says what else the operation takes
template <class F>
auto with_element(std::string_view operation, ElementType type, F const& f, std::string_view also = "") {
  switch (type) {
    case ElementType::float32: return f(std::type_identity<float>{});
    case ElementType::float64: return f(std::type_identity<double>{});
    case ElementType::complex64: return f(std::type_identity<Kokkos::complex<float>>{});
    case ElementType::complex128: return f(std::type_identity<Kokkos::complex<double>>{});
    case ElementType::int32: return f(std::type_identity<std::int32_t>{});
    case ElementType::int64:
    case ElementType::uint64: return f(std::type_identity<std::int64_t>{});
    case ElementType::uint32: return f(std::type_identity<std::uint32_t>{});
    default:
      throw InputError(std::string(operation) + " does not take " + element_name(type) + " elements, but " +
                       common_element_names() + std::string(also));
  }
}

/// IEEE half precision: Kokkos' where a backend has it, else the compiler's, if that does.
using KokkosHalf = Kokkos::Experimental::half_t;
using Half = std::conditional_t<std::is_same_v<KokkosHalf, float>, impl::CompilerHalf, KokkosHalf>;
inline constexpr bool has_half = !std::is_same_v<Half, impl::NoSuchType>;

/// The element types of a product.
template <class T, class TC, class Accumulator>
struct MatmulTypes {
  using Input = T;
  using Output = TC;
  using Sum = Accumulator;
};

/// Whether a product is of the pairings that the compiled library does not hold.
inline bool is_mixed(ElementType type, std::optional<ElementType> accumulator) {
  using enum ElementType::Id;
  return type == int8 || type == uint8 || (has_half && type == float16) || accumulator.value_or(type) != type;
}

/// \brief  f(MatmulTypes<...>{}) for those pairings: 8-bit integers summed in 32, half in float, float in double.
/// \throws InputError  for others
template <class F>
auto with_mixed_types(ElementType type, std::optional<ElementType> accumulator, F const& f) {
  ElementType const own = type == ElementType::float32   ? ElementType::float64
                          : type == ElementType::float16 ? ElementType::float32
                                                         : ElementType::int32;
  if (accumulator.value_or(own) == own) {
    if constexpr (has_half) {
      if (type == ElementType::float16) return f(MatmulTypes<Half, Half, float>{});
    }
    if (type == ElementType::float32) return f(MatmulTypes<float, float, double>{});
    if (type == ElementType::int8) return f(MatmulTypes<std::int8_t, std::int32_t, std::int32_t>{});
    if (type == ElementType::uint8) return f(MatmulTypes<std::uint8_t, std::int32_t, std::int32_t>{});
  }
  throw InputError("matmul of " + element_name(type) + " elements cannot sum in " +
                   element_name(accumulator.value_or(own)) +
                   ": each type sums in itself, float32 in float64 too, int8 and uint8 in int32, float16 in float32");
}

}  // namespace pantile::driver

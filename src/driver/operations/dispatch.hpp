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

/// \brief  f.operator()<T, TC, Sum>() for the types of A and B, of C and of sums: each type sums in itself, and what
///         the compiled library does not hold are 8-bit integers summed in 32, half in float, float in double.
/// \throws InputError  for others
template <class F>
auto with_matmul_types(ElementType type, std::optional<ElementType> accumulator, F const& f) {
  using enum ElementType::Id;
  bool const mixed =
      type == int8 || type == uint8 || (has_half && type == float16) || accumulator.value_or(type) != type;
  if (!mixed) {
    return with_element(
        "matmul", type, [&]<class T>(std::type_identity<T>) { return f.template operator()<T, T, T>(); }, matmul_also);
  }
  ElementType const own = type == float32 ? float64 : type == float16 ? float32 : int32;
  if (accumulator.value_or(own) == own) {
    if constexpr (has_half) {
      if (type == float16) return f.template operator()<Half, Half, float>();
    }
    if (type == float32) return f.template operator()<float, float, double>();
    if (type == int8) return f.template operator()<std::int8_t, std::int32_t, std::int32_t>();
    if (type == uint8) return f.template operator()<std::uint8_t, std::int32_t, std::int32_t>();
  }
  throw InputError("matmul of " + element_name(type) + " elements cannot sum in " +
                   element_name(accumulator.value_or(own)) +
                   ": each type sums in itself, float32 in float64 too, int8 and uint8 in int32, float16 in float32");
}

}  // namespace pantile::driver

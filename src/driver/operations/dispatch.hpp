// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "errors.hpp"
#include "io/element_type.hpp"
#include "operations/operations.hpp"

#include <Kokkos_Core.hpp>

#include <string>
#include <string_view>
#include <type_traits>

namespace pantile::driver {

// Kokkos' complex numbers have the bytes of the file's.
template <>
inline constexpr ElementType element_type_of<Kokkos::complex<float>> = ElementType::complex64;
template <>
inline constexpr ElementType element_type_of<Kokkos::complex<double>> = ElementType::complex128;

/// \brief  f(std::type_identity<T>{}) for the C++ type T of an element type that is in the compiled library.
/// \throws InputError  for the others
template <class F>
void with_element(std::string_view operation, ElementType type, F const& f) {
  switch (type) {
    case ElementType::float32: return f(std::type_identity<float>{});
    case ElementType::float64: return f(std::type_identity<double>{});
    case ElementType::complex64: return f(std::type_identity<Kokkos::complex<float>>{});
    case ElementType::complex128: return f(std::type_identity<Kokkos::complex<double>>{});
    case ElementType::int32: return f(std::type_identity<std::int32_t>{});
    case ElementType::int64: return f(std::type_identity<std::int64_t>{});
    case ElementType::uint32: return f(std::type_identity<std::uint32_t>{});
    default:
      throw InputError(std::string(operation) + " does not take " + element_name(type) + " elements, but " +
                       common_element_names());
  }
}

}  // namespace pantile::driver

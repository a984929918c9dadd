// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  Which C++ type computes each element type of the C face: the one table, and calls by it.

#include <c/status.hpp>

#include <pantile/element.hpp>

#include <Kokkos_Core.hpp>

#include <complex>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <type_traits>

namespace pantile::c {

/// One line: the number in C, and the type whose compiled code serves it.
template <pantile_element Number, class T>
struct Line {
  static constexpr pantile_element number = Number;
  using Type = T;
};
template <class... Lines>
struct Table {};

/// \brief  What the library's instances of matrices hold. Complex numbers are the standard's, which need no more than
///         their parts' alignment; integers of one width wrap alike.
using MatrixElements =
    Table<Line<PANTILE_FLOAT, float>, Line<PANTILE_DOUBLE, double>, Line<PANTILE_COMPLEX_FLOAT, std::complex<float>>,
          Line<PANTILE_COMPLEX_DOUBLE, std::complex<double>>, Line<PANTILE_INT32, std::int32_t>,
          Line<PANTILE_UINT32, std::uint32_t>, Line<PANTILE_INT64, std::int64_t>, Line<PANTILE_UINT64, std::int64_t>>;

/// Kokkos' number of 16 bits where a backend has one, for devices too, else the compiler's, if that has one.
template <class Kokkos16, class Compilers>
using Held16 = std::conditional_t<std::is_same_v<Kokkos16, float>, Compilers, Kokkos16>;
using Half = Held16<Kokkos::Experimental::half_t, impl::CompilerHalf>;
using Brain = Held16<Kokkos::Experimental::bhalf_t, impl::CompilerBrain>;
template <class T>
inline constexpr bool exists = !std::is_same_v<T, impl::NoSuchType>;

template <class... Lines>
auto with_low_precision(Table<Lines...>)
    -> Table<Lines..., Line<PANTILE_INT8, std::int8_t>, Line<PANTILE_UINT8, std::uint8_t>, Line<PANTILE_HALF, Half>,
             Line<PANTILE_BFLOAT16, Brain>>;
/// What is only moved: compiled here, where the library's instances do not hold it.
using MovedElements = decltype(with_low_precision(MatrixElements()));

bool is_element(pantile_element element);
std::string element_name(pantile_element element);
std::size_t element_size(pantile_element element);
/// Of the numbers that elements consist of.
std::size_t element_alignment(pantile_element element);

/// An operand's name and element type.
struct Typed {
  char const* name;
  pantile_element element;
};

/// "A is float, B is double"
std::string list(std::initializer_list<Typed> operands);

/// The element type of all operands; PANTILE_NOT_SUPPORTED where they differ.
pantile_element common_element(std::initializer_list<Typed> operands);

[[noreturn]] void refuse_element(Typed const& operand);

/// Calls f(std::type_identity<T>) with the type of the operand's line; PANTILE_NOT_SUPPORTED where there is none.
template <class... Lines, class F>
void with_type(Table<Lines...>, Typed const& operand, F const& f) {
  auto const serves = [&]<class T>(pantile_element number, std::type_identity<T> type) {
    if constexpr (exists<T>) {
      if (number == operand.element) f(type);
      return number == operand.element;
    } else {
      return false;
    }
  };
  if (!(serves(Lines::number, std::type_identity<typename Lines::Type>{}) || ...)) refuse_element(operand);
}

}  // namespace pantile::c

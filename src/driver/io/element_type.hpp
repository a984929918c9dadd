// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <array>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace pantile::driver {

/// What one element of a file's array is.
enum class ElementType : std::uint8_t {
  float16,
  bfloat16,
  float32,
  float64,
  complex64,
  complex128,
  int8,
  int16,
  int32,
  int64,
  uint8,
  uint16,
  uint32,
  uint64
};

/// `kind` and `size` are NumPy's type code: `f` and 8 make `<f8`. NumPy has no code for bfloat16: the
/// ml_dtypes package, which gives Python that type, stores it as two raw bytes, `<V2`, and so does Pantile.
struct ElementInfo {
  ElementType type;
  std::string_view name;
  char kind;
  std::size_t size;
  std::size_t component_size;  // what a change of byte order turns round: half of a complex number
};

inline constexpr std::array<ElementInfo, 14> element_infos{{
    {ElementType::float16, "float16", 'f', 2, 2},
    {ElementType::bfloat16, "bfloat16", 'V', 2, 2},
    {ElementType::float32, "float32", 'f', 4, 4},
    {ElementType::float64, "float64", 'f', 8, 8},
    {ElementType::complex64, "complex64", 'c', 8, 4},
    {ElementType::complex128, "complex128", 'c', 16, 8},
    {ElementType::int8, "int8", 'i', 1, 1},
    {ElementType::int16, "int16", 'i', 2, 2},
    {ElementType::int32, "int32", 'i', 4, 4},
    {ElementType::int64, "int64", 'i', 8, 8},
    {ElementType::uint8, "uint8", 'u', 1, 1},
    {ElementType::uint16, "uint16", 'u', 2, 2},
    {ElementType::uint32, "uint32", 'u', 4, 4},
    {ElementType::uint64, "uint64", 'u', 8, 8},
}};

constexpr ElementInfo const& element_info(ElementType type) { return element_infos[static_cast<std::size_t>(type)]; }

constexpr std::size_t element_size(ElementType type) { return element_info(type).size; }

constexpr std::string_view element_name(ElementType type) { return element_info(type).name; }

/// NumPy's code of the type in this machine's byte order, for instance `<f8` or `|u1`.
std::string npy_descr(ElementType type);

/// The type of that name ("float32"), nothing for an unknown name.
std::optional<ElementType> parse_element_name(std::string_view name);

/// All names, separated by ", ": for help texts and messages.
std::string element_names();

/// The file's type for a C++ type; no value (and no compile) for a type that files do not hold.
template <class T>
inline constexpr ElementType element_type_of = [] {
  static_assert(sizeof(T) == 0, "pantile::driver: no file element type for this C++ type");
  return ElementType{};
}();
template <>
inline constexpr ElementType element_type_of<float> = ElementType::float32;
template <>
inline constexpr ElementType element_type_of<double> = ElementType::float64;
template <>
inline constexpr ElementType element_type_of<std::complex<float>> = ElementType::complex64;
template <>
inline constexpr ElementType element_type_of<std::complex<double>> = ElementType::complex128;
template <>
inline constexpr ElementType element_type_of<std::int8_t> = ElementType::int8;
template <>
inline constexpr ElementType element_type_of<std::int16_t> = ElementType::int16;
template <>
inline constexpr ElementType element_type_of<std::int32_t> = ElementType::int32;
template <>
inline constexpr ElementType element_type_of<std::int64_t> = ElementType::int64;
template <>
inline constexpr ElementType element_type_of<std::uint8_t> = ElementType::uint8;
template <>
inline constexpr ElementType element_type_of<std::uint16_t> = ElementType::uint16;
template <>
inline constexpr ElementType element_type_of<std::uint32_t> = ElementType::uint32;
template <>
inline constexpr ElementType element_type_of<std::uint64_t> = ElementType::uint64;

}  // namespace pantile::driver

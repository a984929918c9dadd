// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace pantile::driver {

/// What one element of a file's array is: a number, or bytes that operations can only move.
class ElementType {
 public:
  enum Id : std::uint8_t {
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
    uint64,
    boolean,  // from here on no number that operations know
    float128,
    complex256,
    datetime64,  // with a unit, such as [ns]
    timedelta64,
    bytes,  // NumPy's S, U and V, whose elements have a size of their own
    string,
    raw,
    record  // a structured type, with fields
  };

  ElementType(Id id = float16);  // NOLINT: an id is a type
  /// Of bytes, string, raw and records, of which an element has `size` bytes; of times and records with their words.
  ElementType(Id id, std::size_t size, std::string words = {}) : m_id(id), m_size(size), m_words(std::move(words)) {}

  operator Id() const { return m_id; }  // NOLINT: for switch
  [[nodiscard]] std::size_t size() const { return m_size; }
  /// A time's unit, with its brackets; a record's fields, as a list of Python's.
  [[nodiscard]] std::string const& words() const { return m_words; }

  friend bool operator==(ElementType const&, ElementType const&) = default;
  friend bool operator==(ElementType const& type, Id id) { return type.m_id == id; }

 private:
  Id m_id;
  std::size_t m_size;
  std::string m_words;
};

/// `kind` and `size` are NumPy's type code: `f` and 8 make `<f8`. NumPy has no code for bfloat16: the
/// ml_dtypes package, which gives Python that type, stores it as two raw bytes, `<V2`, and so does Pantile.
/// float128 is what NumPy calls a long double of 16 bytes, whatever its format.
struct ElementInfo {
  ElementType::Id type;
  std::string_view name;
  char kind;
  std::size_t size;            // zero: of each type its own
  std::size_t component_size;  // what a change of byte order reverses: half of a complex number
};

inline constexpr std::array<ElementInfo, 23> element_infos{{
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
    {ElementType::boolean, "bool", 'b', 1, 1},
    {ElementType::float128, "float128", 'f', 16, 16},
    {ElementType::complex256, "complex256", 'c', 32, 16},
    {ElementType::datetime64, "datetime64", 'M', 8, 8},
    {ElementType::timedelta64, "timedelta64", 'm', 8, 8},
    {ElementType::bytes, "S", 'S', 0, 1},
    {ElementType::string, "U", 'U', 0, 4},
    {ElementType::raw, "V", 'V', 0, 1},
    {ElementType::record, "record", '[', 0, 1},
}};

constexpr ElementInfo const& element_info(ElementType::Id id) { return element_infos[static_cast<std::size_t>(id)]; }

inline ElementType::ElementType(Id id) : m_id(id), m_size(element_info(id).size) {}

/// The types with which operations may compute; the others are only moved.
constexpr bool is_number(ElementType::Id id) { return id < ElementType::boolean; }

inline std::size_t element_size(ElementType const& type) { return type.size(); }

/// "float32"; with NumPy's length or unit, "S5", "datetime64[ns]"; "record10", of 10 bytes.
std::string element_name(ElementType const& type);

/// NumPy's code of the type in this machine's byte order, for instance `<f8` or `|u1`; of a record its fields.
std::string npy_descr(ElementType const& type);

/// The type of NumPy's code without the byte order, as in "f8", "U10", "M8[ns]"; nothing where there is none.
std::optional<ElementType> parse_npy_code(std::string_view code);

/// All names, separated by ", ": for messages.
std::string element_names();

/// `kind` of the files' type for a C++ type, of any library for complex numbers.
template <class T>
constexpr char kind_of() {
  if constexpr (std::is_floating_point_v<T>) return 'f';
  if constexpr (requires(T number) { number.imag(); }) return 'c';
  if constexpr (std::is_integral_v<T>) return std::is_signed_v<T> ? 'i' : 'u';
  return '?';
}

/// The file's type for a C++ type; no value (and no compile) for a type that files do not hold.
template <class T>
inline constexpr ElementType::Id element_type_of = [] {
  constexpr auto alike = [](ElementInfo const& info) { return info.kind == kind_of<T>() && info.size == sizeof(T); };
  constexpr auto found = std::find_if(element_infos.begin(), element_infos.end(), alike);
  static_assert(found != element_infos.end(), "pantile::driver: no file element type for this C++ type");
  return found->type;
}();

}  // namespace pantile::driver

// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "io/hdf5_types.hpp"

#include <array>
#include <string>
#include <string_view>

namespace pantile::driver {

namespace {

/// What h5py writes in front of NumPy's type code (h5py.opaque_dtype).
constexpr std::string_view numpy_tag = "NUMPY:";

/// Bits of IEEE 754's binary formats: where the exponent begins, and how many it has. The fraction is below, the sign
/// above.
struct FloatFormat {
  ElementType::Id type;
  std::size_t exponent_place, exponent_bits;
};
constexpr std::array<FloatFormat, 3> float_formats{
    {{ElementType::float16, 10, 5}, {ElementType::float32, 23, 8}, {ElementType::float64, 52, 11}}};

Hdf5Type float_type(FloatFormat const& format) {
  Hdf5Type type(H5Tcopy(H5T_NATIVE_DOUBLE));
  std::size_t const bits = 8 * element_info(format.type).size;
  // Fields first: they must lie within the size, before and after.
  bool const good =
      H5Tset_fields(type.id(), bits - 1, format.exponent_place, format.exponent_bits, 0, format.exponent_place) >= 0 &&
      H5Tset_precision(type.id(), bits) >= 0 && H5Tset_size(type.id(), bits / 8) >= 0 &&
      H5Tset_ebias(type.id(), (std::size_t{1} << (format.exponent_bits - 1)) - 1) >= 0;
  return good ? std::move(type) : Hdf5Type();
}

std::optional<ElementType> float_of(hid_t type) {
  std::size_t sign = 0, exponent_place = 0, exponent_bits = 0, fraction_place = 0, fraction_bits = 0;
  if (H5Tget_fields(type, &sign, &exponent_place, &exponent_bits, &fraction_place, &fraction_bits) < 0) return {};
  for (FloatFormat const& format : float_formats) {
    std::size_t const size = element_info(format.type).size;
    if (H5Tget_size(type) == size && sign == 8 * size - 1 && exponent_place == format.exponent_place &&
        exponent_bits == format.exponent_bits && fraction_place == 0 && fraction_bits == exponent_place) {
      return format.type;
    }
  }
  return {};
}

std::optional<ElementType> number_of(char kind, std::size_t size) {
  return parse_npy_code(std::string(1, kind) + std::to_string(size));
}

Hdf5Type integer_type(ElementInfo const& info) {
  Hdf5Type type(H5Tcopy(info.kind == 'u' ? H5T_NATIVE_UINT64 : H5T_NATIVE_INT64));
  return H5Tset_size(type.id(), info.size) >= 0 ? std::move(type) : Hdf5Type();
}

/// The member's name and type are these of the real or the imaginary part.
std::optional<ElementType> part_of(hid_t type, unsigned index, std::string_view wanted) {
  char* const name = H5Tget_member_name(type, index);
  bool const same = name != nullptr && name == wanted;
  H5free_memory(name);
  if (!same || H5Tget_member_class(type, index) != H5T_FLOAT) return {};
  return float_of(Hdf5Type(H5Tget_member_type(type, index)).id());
}

std::optional<ElementType> complex_of(hid_t type) {
  if (H5Tget_nmembers(type) != 2) return {};
  auto const re = part_of(type, 0, "r"), im = part_of(type, 1, "i");
  if (!re || re != im) return {};
  return number_of('c', 2 * re->size());
}

Hdf5Type complex_type(ElementType const& type) {
  std::size_t const half = type.size() / 2;
  Hdf5Type const part(H5Tcopy(half == 4 ? H5T_NATIVE_FLOAT : H5T_NATIVE_DOUBLE));
  Hdf5Type compound(H5Tcreate(H5T_COMPOUND, 2 * half));
  bool const good =
      H5Tinsert(compound.id(), "r", 0, part.id()) >= 0 && H5Tinsert(compound.id(), "i", half, part.id()) >= 0;
  return good ? std::move(compound) : Hdf5Type();
}

Hdf5Type boolean_type() {
  Hdf5Type type(H5Tenum_create(H5T_NATIVE_INT8));
  for (std::int8_t value : {0, 1}) {
    if (H5Tenum_insert(type.id(), value == 0 ? "FALSE" : "TRUE", &value) < 0) return {};
  }
  return type;
}

std::optional<ElementType> opaque_of(hid_t type) {
  char* const text = H5Tget_tag(type);
  std::string const tag = text == nullptr ? "" : text;
  H5free_memory(text);
  std::size_t const size = H5Tget_size(type);
  if (!tag.starts_with(numpy_tag)) return number_of('V', size);
  auto const code = std::string_view(tag).substr(numpy_tag.size());
  auto const element = code.empty() ? std::nullopt : parse_npy_code(code.substr(1));
  bool const native = element && npy_descr(*element) == code;
  return native && element->size() == size ? element : std::nullopt;
}

Hdf5Type opaque_type(ElementType const& type) {
  Hdf5Type opaque(H5Tcreate(H5T_OPAQUE, type.size()));
  std::string const tag = type == ElementType::raw ? "" : std::string(numpy_tag) + npy_descr(type);
  return H5Tset_tag(opaque.id(), tag.c_str()) >= 0 ? std::move(opaque) : Hdf5Type();
}

Hdf5Type string_type(std::size_t size) {
  Hdf5Type type(H5Tcopy(H5T_C_S1));
  bool const good = H5Tset_size(type.id(), size) >= 0 && H5Tset_strpad(type.id(), H5T_STR_NULLPAD) >= 0;
  return good ? std::move(type) : Hdf5Type();
}

}  // namespace

std::optional<ElementType> element_type_of_hdf5(hid_t type) {
  std::size_t const size = H5Tget_size(type);
  switch (H5Tget_class(type)) {
    case H5T_INTEGER: return number_of(H5Tget_sign(type) == H5T_SGN_NONE ? 'u' : 'i', size);
    case H5T_FLOAT: return float_of(type);
    case H5T_COMPOUND: return complex_of(type);
    case H5T_ENUM: {
      bool const boolean = H5Tequal(type, boolean_type().id()) > 0;
      return boolean ? std::optional<ElementType>(ElementType::boolean) : std::nullopt;
    }
    case H5T_STRING: return H5Tis_variable_str(type) > 0 ? std::nullopt : number_of('S', size);
    case H5T_OPAQUE: return opaque_of(type);
    default: return {};
  }
}

Hdf5Type hdf5_type_of(ElementType const& type) {
  ElementInfo const& info = element_info(type);
  for (FloatFormat const& format : float_formats) {
    if (format.type == type) return float_type(format);
  }
  switch (type) {
    case ElementType::complex64:
    case ElementType::complex128: return complex_type(type);
    case ElementType::boolean: return boolean_type();
    case ElementType::bytes: return string_type(type.size());
    default: return info.kind == 'i' || info.kind == 'u' ? integer_type(info) : opaque_type(type);
  }
}

}  // namespace pantile::driver

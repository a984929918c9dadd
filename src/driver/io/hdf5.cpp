// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "io/hdf5.hpp"

#include <hdf5.h>

#include <algorithm>
#include <array>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "io/file_error.hpp"
#include "io/file_stream.hpp"

namespace pantile::driver {

bool const has_hdf5 = true;

namespace {

/// An object of the HDF5 library that is closed by `Close`; negative where a call failed.
template <herr_t (*Close)(hid_t)>
class Hdf5Handle {
 public:
  Hdf5Handle() = default;
  explicit Hdf5Handle(hid_t id) : m_id(id) {}
  Hdf5Handle(Hdf5Handle&& other) noexcept : m_id(std::exchange(other.m_id, H5I_INVALID_HID)) {}
  Hdf5Handle& operator=(Hdf5Handle&&) = delete;
  ~Hdf5Handle() {
    if (m_id >= 0) Close(m_id);
  }

  explicit operator bool() const { return m_id >= 0; }
  hid_t id() const { return m_id; }
  /// False where closing fails, as when the last bytes cannot be written.
  bool close() { return Close(std::exchange(m_id, H5I_INVALID_HID)) >= 0; }

 private:
  hid_t m_id = H5I_INVALID_HID;
};
using Hdf5Type = Hdf5Handle<H5Tclose>;
using Hdf5File = Hdf5Handle<H5Fclose>;
using Hdf5Dataset = Hdf5Handle<H5Dclose>;
using Hdf5Space = Hdf5Handle<H5Sclose>;
using Hdf5List = Hdf5Handle<H5Pclose>;
using Hdf5Object = Hdf5Handle<H5Oclose>;

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

/// The element type of a dataset's type; nothing for what has none here.
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

/// The type in memory, and in files that are written, for elements in this machine's byte order. Invalid where the
/// library cannot make it.
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

/// The library's own reports go nowhere: errors here are one sentence.
void be_silent() { H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr); }

/// Whether the file has an object of that name; links are followed. Every group on the way must be there to ask.
bool exists(hid_t file, std::string const& dataset) {
  for (std::size_t end = dataset.find('/', 1);; end = dataset.find('/', end + 1)) {
    if (H5Lexists(file, dataset.substr(0, end).c_str(), H5P_DEFAULT) <= 0) return false;
    if (end == dataset.npos) break;
  }
  return H5Oexists_by_name(file, dataset.c_str(), H5P_DEFAULT) > 0;
}

bool is_dataset(hid_t file, std::string const& name) {
  Hdf5Object const object(H5Oopen(file, name.c_str(), H5P_DEFAULT));
  return object && H5Iget_type(object.id()) == H5I_DATASET;
}

Shape shape_of(hid_t dataset, std::filesystem::path const& path) {
  Hdf5Space const space(H5Dget_space(dataset));
  int const rank = H5Sget_simple_extent_ndims(space.id());
  if (H5Sget_simple_extent_type(space.id()) == H5S_NULL || rank < 1 || rank > static_cast<int>(Shape::max_rank)) {
    fail_reading(path, "the dataset has ", rank, " dimensions, where 1 to ", Shape::max_rank, " are needed");
  }
  std::array<hsize_t, Shape::max_rank> extents{};
  H5Sget_simple_extent_dims(space.id(), extents.data(), nullptr);
  Shape shape;
  for (int i = 0; i < rank; ++i) shape.push_back(extents[static_cast<std::size_t>(i)]);
  return shape;
}

/// Throws FileError where the file holds something else than a dataset under the name.
void require_replaceable(hid_t file, std::filesystem::path const& path, Hdf5Name const& name) {
  if (exists(file, name.dataset) && !is_dataset(file, name.dataset)) {
    fail_writing(path, in_quotes(name.dataset), " is there already and no dataset");
  }
}

Hdf5File open_older(std::filesystem::path const& file, std::filesystem::path const& path, unsigned mode) {
  Hdf5File older(H5Fopen(file.c_str(), mode, H5P_DEFAULT));
  if (!older) fail_writing(path, "the file is there already and no HDF5 file");
  return older;
}

void copy_contents(std::filesystem::path const& from, OutputFile& to) {
  InputFile file(from);
  std::vector<std::byte> piece(std::size_t{1} << 20);
  while (std::size_t const got = file.read_some(piece)) to.write(std::span(piece).first(got));
}

/// Puts the elements into the open file. False where the library fails, as on a full disk.
bool put(hid_t file, std::string const& name, ArrayView const& view) {
  if (exists(file, name) && H5Ldelete(file, name.c_str(), H5P_DEFAULT) < 0) return false;
  std::array<hsize_t, Shape::max_rank> extents{};
  std::ranges::copy(view.shape.extents(), extents.begin());
  Hdf5Space const space(H5Screate_simple(static_cast<int>(view.shape.rank()), extents.data(), nullptr));
  Hdf5Type const type = hdf5_type_of(view.type);
  Hdf5List const links(H5Pcreate(H5P_LINK_CREATE));
  H5Pset_create_intermediate_group(links.id(), 1);
  Hdf5Dataset dataset(H5Dcreate2(file, name.c_str(), type.id(), space.id(), links.id(), H5P_DEFAULT, H5P_DEFAULT));
  if (!dataset) return false;
  bool const empty = view.shape.count() == 0;
  bool const written = empty || H5Dwrite(dataset.id(), type.id(), H5S_ALL, H5S_ALL, H5P_DEFAULT, view.data) >= 0;
  return dataset.close() && written;
}

/// A dataset that is open, and what it holds, without elements.
struct OpenDataset {
  Hdf5File file;
  Hdf5Dataset dataset;
  Array array;
};

OpenDataset open_dataset(std::filesystem::path const& path, Hdf5Name const& name) {
  be_silent();
  InputFile const readable(name.file);  // says what is wrong with the file as such
  Hdf5File file(H5Fopen(name.file.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT));
  if (!file) fail_reading(path, "it is no HDF5 file");
  if (!exists(file.id(), name.dataset)) fail_reading(path, "the file has no dataset ", in_quotes(name.dataset));
  if (!is_dataset(file.id(), name.dataset)) fail_reading(path, in_quotes(name.dataset), " is no dataset");
  Hdf5Dataset dataset(H5Dopen2(file.id(), name.dataset.c_str(), H5P_DEFAULT));
  Hdf5Type const stored(H5Dget_type(dataset.id()));
  auto const type = element_type_of_hdf5(stored.id());
  if (!type) fail_reading(path, "the type of the dataset's elements is none of ", element_names());
  Shape const shape = shape_of(dataset.id(), path);
  if (!shape.fits(type->size())) {
    fail_reading(path, "the dataset has shape ", shape.text(), ", whose extents multiply to 2^63 bytes or more");
  }
  return {std::move(file), std::move(dataset), Array{*type, shape, Order::c, {}}};
}

}  // namespace

Array look_at_hdf5(std::filesystem::path const& path, Hdf5Name const& name) { return open_dataset(path, name).array; }

Array read_hdf5(std::filesystem::path const& path, Hdf5Name const& name, Progress const& progress) {
  OpenDataset open = open_dataset(path, name);
  Array& array = open.array;
  array.storage = allocate_for(path, array.count() * element_size(array.type));
  bool const read = array.count() == 0 || H5Dread(open.dataset.id(), hdf5_type_of(array.type).id(), H5S_ALL, H5S_ALL,
                                                  H5P_DEFAULT, array.data()) >= 0;
  if (!read) fail_reading(path, "the HDF5 library cannot read the elements");
  ProgressMeter(progress, array.storage.size()).finish();
  return std::move(array);
}

void require_hdf5_takes(std::filesystem::path const& path, ElementType const& type) {
  if (type == ElementType::record) fail_writing(path, "elements with fields are written to .npy files only");
}

void write_hdf5(std::filesystem::path const& path, Hdf5Name const& name, ArrayView const& view,
                Progress const& progress) {
  require_valid(view);
  if (view.order != Order::c && view.shape.rank() > 1) {
    throw std::invalid_argument("pantile::driver: HDF5 datasets are in C order");
  }
  require_hdf5_takes(path, view.type);
  be_silent();
  OutputFile output(name.file);
  bool const older = std::filesystem::exists(name.file);
  if (older) copy_contents(name.file, output);
  std::filesystem::path const& temporary = output.temporary();
  Hdf5File file = older ? open_older(temporary, path, H5F_ACC_RDWR)
                        : Hdf5File(H5Fcreate(temporary.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT));
  if (!file) fail_writing(path, "the HDF5 library cannot create a file");
  require_replaceable(file.id(), path, name);
  bool const put_there = put(file.id(), name.dataset, view);
  if (!file.close() || !put_there) fail_writing(path, "the HDF5 library cannot write the elements");
  ProgressMeter(progress, view.bytes()).finish();
  output.commit();
}

void require_hdf5_writable(std::filesystem::path const& path, Hdf5Name const& name) {
  be_silent();
  if (name.dataset == "/") fail_writing(path, "the name of the dataset is missing");
  require_writable(name.file);
  if (std::filesystem::exists(name.file)) {
    require_replaceable(open_older(name.file, path, H5F_ACC_RDONLY).id(), path, name);
  }
}

}  // namespace pantile::driver

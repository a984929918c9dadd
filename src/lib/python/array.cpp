// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <python/array.hpp>

#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>

#include <algorithm>

namespace nb = nanobind;

namespace pantile::python {
namespace {

using Code = nb::dlpack::dtype_code;

struct Kind {
  pantile_element element;
  Code code;
  int bits;
  char const* name;
};
constexpr Kind kinds[] = {
    {PANTILE_FLOAT, Code::Float, 32, "float32"},
    {PANTILE_DOUBLE, Code::Float, 64, "float64"},
    {PANTILE_COMPLEX_FLOAT, Code::Complex, 64, "complex64"},
    {PANTILE_COMPLEX_DOUBLE, Code::Complex, 128, "complex128"},
    {PANTILE_INT8, Code::Int, 8, "int8"},
    {PANTILE_UINT8, Code::UInt, 8, "uint8"},
    {PANTILE_INT32, Code::Int, 32, "int32"},
    {PANTILE_UINT32, Code::UInt, 32, "uint32"},
    {PANTILE_INT64, Code::Int, 64, "int64"},
    {PANTILE_UINT64, Code::UInt, 64, "uint64"},
    {PANTILE_HALF, Code::Float, 16, "float16"},
    {PANTILE_BFLOAT16, Code::Bfloat, 16, "bfloat16"},
};

Kind const& kind_of(pantile_element element) {
  return *std::find_if(std::begin(kinds), std::end(kinds), [&](Kind const& kind) { return kind.element == element; });
}

/// The element type of DLPack's code, bits and lanes, of which an element has one.
pantile_element element_of(Call const& call, char const* name, Code code, int bits, int lanes = 1) {
  auto const kind = std::find_if(std::begin(kinds), std::end(kinds),
                                 [&](Kind const& k) { return k.code == code && k.bits == bits && lanes == 1; });
  if (kind == std::end(kinds)) {
    constexpr char const* letters[] = {"int", "uint", "float", "opaque", "bfloat", "complex", "bool"};
    auto const number = static_cast<std::size_t>(code);
    call.refuse(PyExc_TypeError, std::string("the library has no elements of ") + name + "'s type, " +
                                     (number < std::size(letters) ? letters[number] : "float") + std::to_string(bits) +
                                     (lanes == 1 ? "" : "x" + std::to_string(lanes)));
  }
  return kind->element;
}

/// Strides that no element is found by say nothing: negative ones would be refused.
void simplify(Array& array) {
  bool const empty = std::count(array.extents.begin(), array.extents.end(), 0) > 0;
  for (std::size_t axis = 0; axis < array.rank(); ++axis) {
    if (empty || array.extents[axis] == 1) array.strides[axis] = std::max<std::int64_t>(array.strides[axis], 0);
  }
}

/// \brief  What nanobind takes the array from: a memoryview, which has the strides that ctypes leaves out, or a buffer
///         that has none; else a DLPack capsule, which must not be of a copy (allowed since version 1); else none.
///         nanobind's own last resort, torch.utils.dlpack, forgets that a tensor is conjugated or has a gradient.
nb::object source_of(Call const& call, char const* name, nb::handle given) {
  if (PyObject_CheckBuffer(given.ptr()) != 0) {
    if (PyObject* const view = PyMemoryView_FromObject(given.ptr()); view != nullptr) return nb::steal(view);
    PyErr_Clear();
    return nb::borrow(given);
  }
  if (!nb::hasattr(given, "__dlpack__")) return {};
  nb::object const hand_over = given.attr("__dlpack__");
  try {
    try {
      return hand_over(nb::arg("max_version") = nb::make_tuple(1, 0), nb::arg("copy") = false);
    } catch (nb::python_error const& error) {
      if (!error.matches(PyExc_TypeError)) throw;
      return hand_over();  // DLPack before version 1
    }
  } catch (nb::python_error const& error) {
    call.refuse(PyExc_TypeError,
                std::string(name) + " is not handed over: " + nb::cast<std::string>(nb::str(error.value())));
  }
}

/// ml_dtypes' bfloat16 in an array of NumPy, which neither buffers nor NumPy's DLPack have a code for.
bool is_brain_buffer(nb::handle given) {
  if (PyObject_CheckBuffer(given.ptr()) == 0 || !nb::hasattr(given, "view")) return false;
  return nb::cast<std::string>(nb::str(nb::getattr(dtype_of(given), "name", nb::str("")))) == "bfloat16";
}

/// By DLPack or the buffer protocol.
template <class... Access>
bool take(Call const& call, Array& array, nb::handle given) {
  bool const brain = is_brain_buffer(given);
  nb::object const source = source_of(call, array.name, brain ? given.attr("view")("uint16") : nb::borrow(given));
  nb::ndarray<Access...> found;
  if (!source.is_valid() || !nb::try_cast(source, found, false)) return false;
  array.data = const_cast<void*>(static_cast<void const*>(found.data()));
  array.element = brain ? PANTILE_BFLOAT16
                        : element_of(call, array.name, static_cast<Code>(found.dtype().code), found.dtype().bits,
                                     found.dtype().lanes);
  for (std::size_t axis = 0; axis < found.ndim(); ++axis) {
    array.extents.push_back(static_cast<std::int64_t>(found.shape(axis)));
    array.strides.push_back(found.stride(axis));
  }
  int const place = found.device_type();
  array.on_device =
      place != nb::device::cpu::value && place != nb::device::cuda_host::value && place != nb::device::rocm_host::value;
  array.held = std::make_shared<nb::ndarray<Access...>>(std::move(found));
  return true;
}

[[noreturn]] void refuse_mask(Call const& call, char const* name) {
  call.refuse(PyExc_TypeError, std::string(name) + " must not have a mask: the library would take what it hides");
}

/// By `__cuda_array_interface__`, version 2 or 3. \return  whether it may be written
bool take_from_device(Call const& call, Array& array, nb::dict const& interface) {
  if (interface.contains("mask") && !interface["mask"].is_none()) refuse_mask(call, array.name);
  auto const type = nb::cast<std::string>(interface["typestr"]);
  auto const code = std::string_view("iuf-cb").find(type.size() > 2 ? type[1] : ' ');
  if (code == std::string_view::npos || type[0] == '>') {
    call.refuse(PyExc_TypeError, std::string("the library has no elements of ") + array.name + "'s type, " + type);
  }
  constexpr Code codes[] = {Code::Int, Code::UInt, Code::Float, Code::Float, Code::Complex, Code::Bool};
  array.element = element_of(call, array.name, codes[code], 8 * std::atoi(type.c_str() + 2));
  std::int64_t const size = element_size(array.element);
  for (nb::handle extent : interface["shape"]) array.extents.push_back(nb::cast<std::int64_t>(extent));
  array.strides.resize(array.rank());
  std::int64_t stride = 1;
  for (std::size_t axis = array.rank(); axis-- > 0; stride *= array.extents[axis]) array.strides[axis] = stride;
  if (interface.contains("strides") && !interface["strides"].is_none()) {
    for (std::size_t axis = 0; axis < array.rank(); ++axis) {
      auto const bytes = nb::cast<std::int64_t>(interface["strides"][axis]);
      call.require(bytes % size == 0, [&] { return std::string(array.name) + "'s strides must be whole elements"; });
      array.strides[axis] = bytes / size;
    }
  }
  array.data = reinterpret_cast<void*>(nb::cast<std::uintptr_t>(interface["data"][0]));
  if (interface.contains("stream") && !interface["stream"].is_none()) {
    array.stream = reinterpret_cast<void*>(nb::cast<std::uintptr_t>(interface["stream"]));
  }
  array.on_device = true;
  return !nb::cast<bool>(interface["data"][1]);
}

/// "numpy.ndarray"
std::string qualified_type(nb::handle object) {
  nb::handle const type = object.type();
  return nb::cast<std::string>(type.attr("__module__")) + "." + nb::cast<std::string>(type.attr("__qualname__"));
}

/// " of >f8" where elements have a type.
std::string type_of_elements(nb::handle given) {
  nb::object const dtype = dtype_of(given);
  return dtype.is_none() ? "" : " of " + nb::cast<std::string>(nb::str(nb::getattr(dtype, "str", dtype)));
}

/// The function empty_like of the library that the array's type, or a base of it, comes from.
nb::object maker_of(nb::handle array) {
  auto const modules = nb::borrow<nb::dict>(PyImport_GetModuleDict());
  for (nb::handle type : nb::borrow<nb::tuple>(array.type().attr("__mro__"))) {
    auto const module = nb::cast<std::string>(type.attr("__module__"));
    auto const library = module.substr(0, module.find('.'));
    if (modules.contains(library.c_str()) && nb::hasattr(modules[library.c_str()], "empty_like")) {
      return modules[library.c_str()].attr("empty_like");
    }
  }
  return {};
}

}  // namespace

void Array::insert_axis(std::size_t axis) {
  extents.insert(extents.begin() + static_cast<std::ptrdiff_t>(axis), 1);
  strides.insert(strides.begin() + static_cast<std::ptrdiff_t>(axis), 0);
}

void Array::remove_axis(std::size_t axis) {
  extents.erase(extents.begin() + static_cast<std::ptrdiff_t>(axis));
  strides.erase(strides.begin() + static_cast<std::ptrdiff_t>(axis));
}

Array import_array(Call const& call, char const* name, nb::handle given, Access access) {
  Array array;
  array.name = name;
  array.object = nb::borrow(given);
  if (nb::hasattr(given, "mask") && nb::hasattr(given, "filled")) refuse_mask(call, name);
  bool writable = true;
  bool found = access == Access::write && take<>(call, array, given);
  if (!found) {
    writable = access == Access::read;
    found = take<nb::ro>(call, array, given);
  }
  if (!found && nb::hasattr(given, "__cuda_array_interface__")) {
    nb::object const interface = given.attr("__cuda_array_interface__");
    found = nb::isinstance<nb::dict>(interface);
    if (found) writable = take_from_device(call, array, nb::borrow<nb::dict>(interface)) || access == Access::read;
  }
  if (!found) {
    call.refuse(PyExc_TypeError, std::string(name) +
                                     " must be an array that DLPack, the buffer protocol or __cuda_array_interface__ "
                                     "hands over as it lies: numbers of this machine, whole elements apart; it is a " +
                                     qualified_type(given) + type_of_elements(given));
  }
  call.require(writable, [&] { return std::string(name) + " must be writable"; });
  simplify(array);
  return array;
}

Array result_array(Call const& call, nb::handle out, nb::handle like, nb::handle dtype, Extents const& extents) {
  if (!out.is_none()) {
    Array given = import_array(call, "out", out, Access::write);
    call.require(given.extents == extents,
                 [&] { return "out has the shape " + text(given.extents) + ", the result " + text(extents); });
    return given;
  }
  nb::list shape;
  for (std::int64_t const extent : extents) shape.append(extent);
  nb::object made;
  if (nb::hasattr(like, "new_empty")) {  // PyTorch
    made = like.attr("new_empty")(nb::tuple(shape), nb::arg("dtype") = dtype);
  } else if (nb::object const make = maker_of(like); make.is_valid()) {  // NumPy, CuPy
    made = make(like, nb::arg("shape") = nb::tuple(shape), nb::arg("dtype") = dtype, nb::arg("order") = "C");
  } else {
    call.refuse(PyExc_TypeError,
                "out must be given: there is no function that makes arrays like a " + qualified_type(like));
  }
  return import_array(call, "out", made, Access::write);
}

nb::object dtype_of(nb::handle array) { return nb::getattr(array, "dtype", nb::none()); }

pantile_element element_named(std::string_view name) {
  auto const kind = std::find_if(std::begin(kinds), std::end(kinds), [&](Kind const& k) { return k.name == name; });
  return kind == std::end(kinds) ? 0 : kind->element;
}

std::string element_name(pantile_element element) { return kind_of(element).name; }
std::int64_t element_size(pantile_element element) { return kind_of(element).bits / 8; }

std::string text(Extents const& extents) {
  std::string words;
  for (std::int64_t const extent : extents) words += (words.empty() ? "" : ", ") + std::to_string(extent);
  return "(" + words + (extents.size() == 1 ? ",)" : ")");
}

}  // namespace pantile::python

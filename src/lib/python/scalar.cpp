// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <python/array.hpp>
#include <python/scalar.hpp>

#include <nanobind/stl/string.h>

#include <complex>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>

namespace nb = nanobind;

namespace pantile::python {
namespace {

template <class T>
Scalar stored(T value) {
  Scalar scalar{};
  std::memcpy(scalar.bytes, &value, sizeof value);
  return scalar;
}

/// TypeError and OverflowError in our words where Python has set one.
void check(Call const& call, char const* name, nb::handle number, pantile_element element) {
  if (PyErr_Occurred() == nullptr) return;
  if (PyErr_ExceptionMatches(PyExc_OverflowError) != 0) {
    PyErr_Clear();
    call.refuse(PyExc_OverflowError, std::string(name) + " is beyond the numbers of " + element_name(element));
  }
  if (PyErr_ExceptionMatches(PyExc_TypeError) == 0) throw nb::python_error();
  PyErr_Clear();
  call.refuse(PyExc_TypeError, std::string(name) + " must be a number that " + element_name(element) +
                                   " has, it is a " + nb::cast<std::string>(number.type().attr("__name__")));
}

template <class T>
Scalar integer(Call const& call, char const* name, nb::handle number, pantile_element element) {
  nb::object const index = nb::steal(PyNumber_Index(number.ptr()));
  check(call, name, number, element);
  nb::int_ const least(std::numeric_limits<T>::min()), most(std::numeric_limits<T>::max());
  if (index < least || index > most) {
    nb::object const digits = nb::steal(PyObject_Str(index.ptr()));  // none where they are too many
    PyErr_Clear();
    call.refuse(PyExc_OverflowError,
                std::string(name) + " is " +
                    (digits.is_valid() ? nb::cast<std::string>(digits) + ", which is no " : "beyond the numbers of ") +
                    element_name(element));
  }
  return stored(static_cast<T>(PyLong_AsUnsignedLongLongMask(index.ptr())));
}

}  // namespace

Scalar scalar_of(Call const& call, char const* name, nb::handle number, pantile_element element) {
  auto const real = [&] {
    double const value = PyFloat_AsDouble(number.ptr());
    check(call, name, number, element);
    return value;
  };
  auto const complex = [&] {
    Py_complex const value = PyComplex_AsCComplex(number.ptr());
    check(call, name, number, element);
    return std::complex<double>(value.real, value.imag);
  };
  switch (element) {
    case PANTILE_FLOAT: return stored(static_cast<float>(real()));
    case PANTILE_DOUBLE: return stored(real());
    case PANTILE_COMPLEX_FLOAT: return stored(std::complex<float>(complex()));
    case PANTILE_COMPLEX_DOUBLE: return stored(complex());
    case PANTILE_INT32: return integer<std::int32_t>(call, name, number, element);
    case PANTILE_UINT32: return integer<std::uint32_t>(call, name, number, element);
    case PANTILE_INT64: return integer<std::int64_t>(call, name, number, element);
    case PANTILE_UINT64: return integer<std::uint64_t>(call, name, number, element);
    default: return {};  // the C face refuses the operands
  }
}

}  // namespace pantile::python

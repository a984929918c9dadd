// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file  The extension module of the Python package pantile, over libpantile_c.
#include <python/functions.hpp>

#include <nanobind/eval.h>
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

namespace nb = nanobind;

nb::object pantile::python::refuse_arguments(std::string const& name, std::string const& parameters,
                                             nb::args const& args, nb::kwargs const& kwargs) {
  nb::dict space;
  nb::exec(nb::str(("def " + name + "(" + parameters + "): pass").c_str()), space);
  space[name.c_str()](*args, **kwargs);
  throw nb::next_overload();  // Python has taken them
}

NB_MODULE(_pantile, module) {
  using namespace pantile::python;
  nb::set_leak_warnings(false);  // what a program leaves to its end is none of the library's business to print
  module.attr("__version__") = pantile_version();

  nb::enum_<Op>(module, "Op", "What is done to an operand before it is used.")
      .value("NONE", Op::none)
      .value("TRANSPOSE", Op::transpose)
      .value("CONJUGATE", Op::conjugate)
      .value("CONJUGATE_TRANSPOSE", Op::conjugate_transpose);
  nb::enum_<OutOfRange>(module, "OutOfRange", "What becomes of samples without a bin.")
      .value("REFUSE", OutOfRange::refuse)
      .value("IGNORE", OutOfRange::ignore);
  nb::class_<Explanation>(module, "Explanation", "What a call would do, in words and numbers.")
      .def_ro("text", &Explanation::text)
      .def_ro("workspace_bytes", &Explanation::workspace_bytes, "bytes that the call works in")
      .def_ro("flops", &Explanation::flops, "arithmetic operations")
      .def_ro("bytes", &Explanation::bytes, "least bytes to move")
      .def("__str__", [](Explanation const& explanation) { return explanation.text; });

  define_matmul(module);
  define_transpose(module);
  define_add(module);
  define_histogram(module);
}

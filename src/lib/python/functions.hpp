// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  How an operation becomes two functions in Python: the one that does it, and the one that explains.

#include <python/call.hpp>

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include <string>
#include <type_traits>

namespace pantile::python {

// The C face's numbers, as Python's enumerations.
enum class Op : pantile_op { none, transpose, conjugate, conjugate_transpose };
enum class OutOfRange : std::int32_t { refuse, ignore };

/// An argument as the choice that it must be, such as an Op. \throws TypeError
template <class Choice>
Choice choice_of(Call const& call, char const* name, nanobind::handle given) {
  Choice choice{};
  if (!nanobind::try_cast(given, choice)) {
    std::string const type = std::is_same_v<Choice, bool>
                                 ? "bool"
                                 : "pantile." + nanobind::cast<std::string>(nanobind::type<Choice>().attr("__name__"));
    call.refuse(PyExc_TypeError, std::string(name) + " must be a " + type + ", it is a " +
                                     nanobind::cast<std::string>(given.type().attr("__name__")));
  }
  return choice;
}

/// A parameter that is told by our own words what it must be, None too.
inline nanobind::arg any(char const* name) { return nanobind::arg(name).none(); }

inline std::string parameter(nanobind::arg const& own) { return own.name_; }
inline std::string parameter(nanobind::arg_v const& own) { return std::string(own.name_) + "=None"; }
inline std::string parameter(nanobind::kw_only const&) { return "*"; }

/// \brief  For arguments that are not a function's own: what Python says of them to the function `name`.
/// \param  parameters  as Python writes them
/// \throws TypeError, one sentence
nanobind::object refuse_arguments(std::string const& name, std::string const& parameters, nanobind::args const& args,
                                  nanobind::kwargs const& kwargs);

/// \param  names     of the function and of its explanation
/// \param  function  called with a Call and Python's arguments
/// \param  about     the arguments' names and defaults
template <class... Arguments, class... About>
void define(nanobind::module_& module, char const* const (&names)[2], char const* words,
            nanobind::object (*function)(Call const&, Arguments...), About const&... about) {
  auto const body = [function](char const* name, bool explains) {
    return [=](Arguments... arguments) { return function(Call(name, explains), arguments...); };
  };
  constexpr char const* explanation =
      "What the call without explain_ would do for its first matrices, which are all of them where their strides allow "
      "it, and why: an Explanation.";
  std::string parameters;
  ((parameters += parameter(about) + ", "), ...);
  for (bool const explains : {false, true}) {
    char const* const name = names[explains ? 1 : 0];
    char const* const help = explains ? explanation : words;
    module.def(name, body(name, explains), about..., help);
    // Behind it an overload for all other calls: nanobind would list types, which say nothing of a wrong keyword.
    std::string const others = "def " + std::string(name) + "(other arguments) -> TypeError";
    module.def(
        name,
        [=](nanobind::args const& args, nanobind::kwargs const& kwargs) {
          return refuse_arguments(name, parameters, args, kwargs);
        },
        nanobind::sig(others.c_str()), help);
  }
}

void define_matmul(nanobind::module_& module);
void define_transpose(nanobind::module_& module);
void define_add(nanobind::module_& module);
void define_histogram(nanobind::module_& module);

}  // namespace pantile::python

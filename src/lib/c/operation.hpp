// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  What the units of operations have in common: an operation's two C functions, and on the way to its face the
///        type and the instance.

#include <c/explanation.hpp>
#include <c/face.hpp>
#include <c/operands.hpp>
#include <c/options.hpp>

#include <type_traits>

namespace pantile::c {

/// f(instance, std::type_identity<T>) with the type of the operand's line, one of Elements; the workspace, where the
/// caller gives one, is memory that the instance reaches.
template <class Elements, class F>
void with_call(Elements, Typed const& operand, pantile_exec const* exec, Workspace const& workspace, F const& f) {
  with_type(Elements(), operand, [&](auto type) {
    on_instance(exec, [&](auto const& instance) {
      check_place(instance, "workspace", workspace.data);
      f(instance, type);
    });
  });
}

/// The face of this name, or where there is an `explanation` to give that of its call.
#define PANTILE_C_RUN(FACE, ...)                              \
  do {                                                        \
    if (explanation == nullptr) {                             \
      pantile::FACE(__VA_ARGS__);                             \
    } else {                                                  \
      give(explanation, pantile::explain::FACE(__VA_ARGS__)); \
    }                                                         \
  } while (false)

/// An operation as one function of its arguments, which computes where the explanation to give is null.
template <class Arguments>
using Operation = void (*)(Arguments const&, pantile_explanation*);

/// \param  name  the C function's
template <class Arguments>
pantile_status compute(char const* name, Operation<Arguments> operation,
                       std::type_identity_t<Arguments> const& arguments) noexcept {
  return guarded(name, [&] { operation(arguments, nullptr); });
}
template <class Arguments>
pantile_status explain_call(char const* name, Operation<Arguments> operation,
                            std::type_identity_t<Arguments> const& arguments,
                            pantile_explanation* explanation) noexcept {
  return guarded(name, [&] {
    check(explanation);
    operation(arguments, explanation);
  });
}

}  // namespace pantile::c

#define PANTILE_C_LIST(...) \
  { __VA_ARGS__ }
/// \brief  The two C functions of an operation, which is a function of pantile::c.
/// \param  ARGUMENTS  the names of their parameters, in parentheses
#define PANTILE_C_FUNCTIONS(NAME, ARGUMENTS, ...)                                                         \
  pantile_status pantile_##NAME(__VA_ARGS__) {                                                            \
    return pantile::c::compute("pantile_" #NAME, pantile::c::NAME, PANTILE_C_LIST ARGUMENTS);             \
  }                                                                                                       \
  pantile_status pantile_explain_##NAME(__VA_ARGS__, pantile_explanation* explanation) {                  \
    return pantile::c::explain_call("pantile_explain_" #NAME, pantile::c::NAME, PANTILE_C_LIST ARGUMENTS, \
                                    explanation);                                                         \
  }

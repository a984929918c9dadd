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

}  // namespace pantile::c

#define PANTILE_C_LIST(...) __VA_ARGS__
/// \brief  The two C functions of an operation, and then, with a body behind it, the function of pantile::c that they
///         call with the explanation to give: where that is null, it computes.
/// \param  ARGUMENTS  the names of the parameters, in parentheses
#define PANTILE_C_OPERATION(NAME, ARGUMENTS, ...)                                                               \
  namespace pantile::c {                                                                                        \
  void NAME(__VA_ARGS__, pantile_explanation* explanation);                                                     \
  }                                                                                                             \
  pantile_status pantile_##NAME(__VA_ARGS__) {                                                                  \
    return pantile::c::guarded("pantile_" #NAME, [&] { pantile::c::NAME(PANTILE_C_LIST ARGUMENTS, nullptr); }); \
  }                                                                                                             \
  pantile_status pantile_explain_##NAME(__VA_ARGS__, pantile_explanation* explanation) {                        \
    return pantile::c::guarded("pantile_explain_" #NAME, [&] {                                                  \
      pantile::c::check(explanation);                                                                           \
      pantile::c::NAME(PANTILE_C_LIST ARGUMENTS, explanation);                                                  \
    });                                                                                                         \
  }                                                                                                             \
  void pantile::c::NAME(__VA_ARGS__, pantile_explanation* explanation)

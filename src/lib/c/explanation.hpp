// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  An operation's two C functions, and explanations into the caller's structure.

#include <c/status.hpp>

#include <pantile/c/types.h>

#include <pantile/explain.hpp>
#include <pantile/transfer_report.hpp>

#include <type_traits>

namespace pantile::c {

/// Throws where the structure cannot take an answer.
void check(pantile_explanation const* explanation);

void give(pantile_explanation* explanation, Explanation const& answer);
void give(pantile_explanation* explanation, TransferReport const& answer);

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

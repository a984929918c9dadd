// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  What a call says when it refuses.

#include <pantile/error.hpp>

#include <string>

namespace pantile::testing {

/// what() of the pantile::Error that the call throws; "accepted" if it throws none.
template <class Call>
std::string refusal(Call const& call) {
  try {
    call();
  } catch (Error const& error) {
    return error.what();
  }
  return "accepted";
}

}  // namespace pantile::testing

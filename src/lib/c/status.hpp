// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  From exceptions to status codes and this thread's message: nothing is thrown out of the C face.

#include <pantile/c/types.h>

#include <stdexcept>
#include <string>

namespace pantile::c {

/// What the C face itself refuses.
class Refusal : public std::runtime_error {
 public:
  Refusal(pantile_status status, std::string const& sentence) : std::runtime_error(sentence), m_status(status) {}
  [[nodiscard]] pantile_status status() const noexcept { return m_status; }

 private:
  pantile_status m_status;
};

/// An argument that no call may have.
template <class Sentence>
void require(bool holds, Sentence const& sentence) {
  if (!holds) throw Refusal(PANTILE_INVALID, sentence());
}

/// The status of the exception that is being handled; its words become the thread's message.
pantile_status status_of_exception(char const* call) noexcept;

/// Calls f and turns what it throws into a status. \param call  the C function's name
template <class F>
pantile_status guarded(char const* call, F const& f) noexcept {
  try {
    f();
    return PANTILE_OK;
  } catch (...) {
    return status_of_exception(call);
  }
}

}  // namespace pantile::c

// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <c/face.hpp>
#include <c/status.hpp>

#include <pantile/error.hpp>

#include <cstdio>
#include <cstring>
#include <new>
#include <string_view>

namespace pantile::c {
namespace {

// No memory is needed to say that there is none.
thread_local char message[1024] = "";

void say(char const* call, std::string_view words) {
  std::snprintf(message, sizeof message, "%s: %.*s", call, static_cast<int>(words.size()), words.data());
}

/// Rule and operands, without the C++ face's name and the place in this library that called it, nor the labels that
/// unmanaged Views do not have.
void say(char const* call, Error const& error) {
  std::string_view words = error.what();
  words.remove_prefix(words.find(": ") + 2);
  say(call, words.substr(0, words.rfind(" [called from ")));
  constexpr std::string_view no_label = " ''";
  while (char* const place = std::strstr(message, no_label.data())) {
    std::memmove(place, place + no_label.size(), std::strlen(place + no_label.size()) + 1);
  }
}

}  // namespace

pantile_status status_of_exception(char const* call) noexcept {
  try {
    throw;
  } catch (Refusal const& refusal) {
    say(call, refusal.what());
    return refusal.status();
  } catch (Error const& error) {
    say(call, error);
    return PANTILE_INVALID;
  } catch (std::bad_alloc const&) {
    say(call, "there is no memory for it");
    return PANTILE_NO_MEMORY;
  } catch (std::exception const& exception) {
    say(call, exception.what());
  } catch (...) {
    say(call, "an exception of an unknown type");
  }
  return PANTILE_FAILED;
}

}  // namespace pantile::c

extern "C" {

char const* pantile_last_error_message(void) { return pantile::c::message; }

char const* pantile_version(void) { return PANTILE_C_VERSION; }

}  // extern "C"

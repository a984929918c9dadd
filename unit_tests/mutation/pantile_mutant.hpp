// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  Which of the mutants in an instrumented copy of the sources is awake: none, or the one whose number the
///        environment variable PANTILE_MUTANT has. With PANTILE_MUTANTS_REACHED=FILE, of PANTILE_MUTANT_COUNT zero
///        bytes, the byte of each mutant that is passed by becomes one instead, also by processes that end early.

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdlib>
#include <type_traits>

namespace pantile_mutation {

struct Choice {
  bool watched[PANTILE_MUTANT_COUNT] = {};  // those that passers-by have to ask about
  unsigned char* reached = nullptr;

  Choice() {
    if (char const* const file = std::getenv("PANTILE_MUTANTS_REACHED")) {
      int const descriptor = ::open(file, O_RDWR);
      void* const bytes = ::mmap(nullptr, sizeof(watched), PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
      if (descriptor < 0 || bytes == MAP_FAILED) std::abort();
      ::close(descriptor);
      reached = static_cast<unsigned char*>(bytes);
      for (bool& one : watched) one = true;
    } else if (char const* const text = std::getenv("PANTILE_MUTANT")) {
      watched[std::atoi(text) % PANTILE_MUTANT_COUNT] = true;
    }
  }

  /// Is it awake? While recording none is.
  [[gnu::noinline, gnu::cold]] bool ask(int number) {
    if (reached == nullptr) return true;
    reached[number] = 1;
    watched[number] = false;
    return false;
  }
};

inline Choice choice;

[[gnu::always_inline]] constexpr bool awake(int number) {
  if (std::is_constant_evaluated()) return false;
  return __builtin_expect(choice.watched[number], 0) && choice.ask(number);
}

}  // namespace pantile_mutation

#define PANTILE_MUTANT(number) ::pantile_mutation::awake(number)

// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  Tags that describe a device's kernel in words, for the checks of its machine code.

#include <initializer_list>

namespace pantile::impl::arch {

/// \brief  The static member `tag` of a kernel: what it computes, how, and of which types. By these words
///         scripts/lib/device/rules.py finds the rules for its machine code. "untuned" is the first word of kernels of
///         teams that nobody tunes; "any_address" of one that cannot know in which memory it works.
struct KernelTag {
  char text[96] = {};

  consteval KernelTag(std::initializer_list<char const*> words) {
    char* at = text;
    for (char const* word : words) {
      if (at != text) *at++ = ' ';
      while (*word != '\0') *at++ = *word++;
    }
  }
};

}  // namespace pantile::impl::arch

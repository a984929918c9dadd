// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <cstdlib>
#include <limits>
#include <new>

// Replaces the global allocation functions of the one test program that includes it (in one source file).

namespace pantile::driver::test {

struct AllocationWatch {
  std::size_t largest = 0;                                         // seen since reset()
  std::size_t limit = std::numeric_limits<std::size_t>::max();     // an allocation beyond it fails
  std::size_t left = std::numeric_limits<std::size_t>::max();      // this many succeed, then one fails

  void reset() { *this = {}; }

  void check(std::size_t size) {
    if (size > largest) largest = size;
    if (size > limit) throw std::bad_alloc();
    if (left-- == 0) throw std::bad_alloc();
  }
};

inline AllocationWatch allocation_watch;

}  // namespace pantile::driver::test

void* operator new(std::size_t size) {
  pantile::driver::test::allocation_watch.check(size);
  if (void* const memory = std::malloc(size ? size : 1)) return memory;
  throw std::bad_alloc();
}

void* operator new(std::size_t size, std::align_val_t alignment) {
  pantile::driver::test::allocation_watch.check(size);
  const auto step = static_cast<std::size_t>(alignment);
  if (void* const memory = std::aligned_alloc(step, (size + step - 1) / step * step)) return memory;
  throw std::bad_alloc();
}

void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }

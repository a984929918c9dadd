// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Replaces the global allocation functions; apart from their users, so that no compiler sees through the pairs.

#include "allocation_watch.hpp"

#include <cstdlib>
#include <new>

namespace {

void check(std::size_t size) {
  auto& watch = pantile::driver::test::allocation_watch;
  if (size > watch.largest) watch.largest = size;
  if (size > watch.limit) throw std::bad_alloc();
  if (watch.left-- == 0) throw std::bad_alloc();
}

}  // namespace

void* operator new(std::size_t size) {
  check(size);
  if (void* const memory = std::malloc(size ? size : 1)) return memory;
  throw std::bad_alloc();
}

void* operator new(std::size_t size, std::align_val_t alignment) {
  check(size);
  auto const step = static_cast<std::size_t>(alignment);
  if (void* const memory = std::aligned_alloc(step, (size + step - 1) / step * step)) return memory;
  throw std::bad_alloc();
}

// Address sanitizer's does not call the one above, and what it gives is not freed by the one below.
void* operator new(std::size_t size, std::nothrow_t const&) noexcept {
  try {
    return operator new(size);
  } catch (std::bad_alloc const&) {
    return nullptr;
  }
}

void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::nothrow_t const&) noexcept { std::free(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }

// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <support/failing_allocation.hpp>

#include <dlfcn.h>

#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstring>

// glibc's own allocator behind the names that this file replaces.
extern "C" {
void* __libc_malloc(std::size_t bytes);
void* __libc_calloc(std::size_t count, std::size_t bytes);
void* __libc_realloc(void* memory, std::size_t bytes);
void* __libc_memalign(std::size_t alignment, std::size_t bytes);
}

namespace {

constexpr long off = -1;
std::atomic<long> left = off;
std::atomic<bool> has_failed = false;

/// libgomp and libomp end the program where they find no memory.
bool is_of_openmp(void const* caller) {
  Dl_info info;
  return dladdr(caller, &info) != 0 && info.dli_fname != nullptr &&
         (std::strstr(info.dli_fname, "libgomp") != nullptr || std::strstr(info.dli_fname, "libomp") != nullptr);
}

bool fails(void const* caller) {
  long const now = left.load(std::memory_order_relaxed);
  bool const every = now == pantile::testing::FailingAllocation::every;
  if ((now < 0 && !every) || is_of_openmp(caller)) return false;
  if (!every && left.fetch_sub(1) != 0) return false;
  has_failed = true;
  errno = ENOMEM;
  return true;
}

}  // namespace

extern "C" {

void* malloc(std::size_t bytes) { return fails(__builtin_return_address(0)) ? nullptr : __libc_malloc(bytes); }
void* calloc(std::size_t count, std::size_t bytes) {
  return fails(__builtin_return_address(0)) ? nullptr : __libc_calloc(count, bytes);
}
void* realloc(void* memory, std::size_t bytes) {
  return fails(__builtin_return_address(0)) ? nullptr : __libc_realloc(memory, bytes);
}
void* memalign(std::size_t alignment, std::size_t bytes) {
  return fails(__builtin_return_address(0)) ? nullptr : __libc_memalign(alignment, bytes);
}
void* aligned_alloc(std::size_t alignment, std::size_t bytes) {
  return fails(__builtin_return_address(0)) ? nullptr : __libc_memalign(alignment, bytes);
}
int posix_memalign(void** memory, std::size_t alignment, std::size_t bytes) {
  if (fails(__builtin_return_address(0))) return ENOMEM;
  *memory = __libc_memalign(alignment, bytes);
  return *memory == nullptr ? ENOMEM : 0;
}

}  // extern "C"

namespace pantile::testing {

FailingAllocation::FailingAllocation(long nth) : m_nth(nth) {
  has_failed = false;
  left = nth;
}
FailingAllocation::~FailingAllocation() { left = off; }
bool FailingAllocation::happened() { return has_failed; }
long FailingAllocation::seen() const { return m_nth - left; }

}  // namespace pantile::testing

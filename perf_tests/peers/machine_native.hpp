// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  One thread's part of the machine's bounds. Their unit is compiled for this machine; it and this header
///        include nothing of Kokkos or Pantile, so that no inline function compiled so gets into what is measured.

#include <cstddef>
#include <cstdint>

namespace pantile::perf::machine {

/// Independent fused multiply-adds in registers; returns the number of operations done. `result` keeps them alive.
template <class T>
double multiply_adds(std::int64_t steps, T& result);

/// memcpy, and a copy by stores that go past the caches where the machine has such stores.
void copy(void* target, void const* source, std::size_t bytes);
void stream_copy(void* target, void const* source, std::size_t bytes);

/// c = alpha a + beta b, stored through the caches and past them.
template <class T>
void add(T* c, T const* a, T const* b, T alpha, T beta, std::size_t count);
template <class T>
void stream_add(T* c, T const* a, T const* b, T alpha, T beta, std::size_t count);

/// Bytes of the vectors that the unit was compiled for.
std::size_t vector_bytes();

}  // namespace pantile::perf::machine

// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  The course's addition in plain CUDA C: C = A + beta B of row-major (m, n) matrices on the device.

#include <cstdint>

namespace pantile::perf::cuda_c {

/// One element per thread of 16 x 16 blocks.
template <class T>
void add(std::int64_t m, std::int64_t n, T const* a, T beta, T const* b, T* c, void* stream);

/// As the course launches it: 64 x 64 blocks of 6 x 6 threads, which stride over the matrix.
template <class T>
void add_strided(std::int64_t m, std::int64_t n, T const* a, T beta, T const* b, T* c, void* stream);

}  // namespace pantile::perf::cuda_c

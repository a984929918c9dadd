// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  The course's transpositions in plain CUDA C: B (n, m) = A^T of a row-major A (m, n) on the device.

#include <cstdint>

namespace pantile::perf::cuda_c {

/// Through 32 x 32 shared tiles, blocks of 32 x 32 threads.
template <class T>
void transpose_tile(std::int64_t m, std::int64_t n, T const* a, T* b, void* stream);

/// The same with shared rows of 33 elements and blocks of 32 x 8 threads, each of which moves four elements.
template <class T>
void transpose_padded(std::int64_t m, std::int64_t n, T const* a, T* b, void* stream);

}  // namespace pantile::perf::cuda_c

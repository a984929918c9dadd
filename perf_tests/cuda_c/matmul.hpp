// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  The source documents' matmul kernels in plain CUDA C: the baseline that Pantile's rungs are measured against.

namespace pantile::perf::cuda_c {

// Row-major m x k and k x n floats on the device. `stream` is a cudaStream_t; null is the default stream.

/// C = A B, one output per thread of 16 x 16 blocks.
void naive(int m, int n, int k, float const* a, float const* b, float* c, void* stream = nullptr);

/// The same with at most 64 x 64 blocks, whose threads stride over the outputs.
void grid_stride(int m, int n, int k, float const* a, float const* b, float* c, void* stream = nullptr);

/// The same with 32 x 32 shared tiles, as the CUDA guide's square product has them; right for every shape.
void shared_tile(int m, int n, int k, float const* a, float const* b, float* c, void* stream = nullptr);

}  // namespace pantile::perf::cuda_c

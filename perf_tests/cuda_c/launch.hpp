// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  What the twins share: the stream as callers without CUDA's headers hand it over, and grids over a matrix.

#include <cstdint>

namespace pantile::perf::cuda_c {

inline cudaStream_t stream_of(void* stream) { return static_cast<cudaStream_t>(stream); }

inline unsigned pieces(std::int64_t size, std::int64_t piece) {
  return static_cast<unsigned>((size + piece - 1) / piece);
}

}  // namespace pantile::perf::cuda_c

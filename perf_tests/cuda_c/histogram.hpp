// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  The Numba guide's histogram in plain CUDA C.

#include <cstdint>

namespace pantile::perf::cuda_c {

/// Sets the counts to zero; then each thread of a grid-stride loop adds its samples to the bins in memory, one atomic
/// addition each. Samples out of range are skipped.
template <class T>
void fill_bins(std::int64_t size, std::int64_t bins, T const* samples, std::uint32_t* counts, void* stream);

}  // namespace pantile::perf::cuda_c

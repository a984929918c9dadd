// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cuda_c/histogram.hpp>
#include <cuda_c/launch.hpp>

namespace pantile::perf::cuda_c {

namespace {

template <class T>
__global__ void fill_bins_kernel(std::int64_t size, std::int64_t bins, T const* samples, std::uint32_t* counts) {
  std::int64_t const threads = static_cast<std::int64_t>(gridDim.x) * blockDim.x;
  for (std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < size; i += threads) {
    auto const bin = static_cast<std::int64_t>(samples[i]);
    if (bin >= 0 && bin < bins) atomicAdd(&counts[bin], 1u);
  }
}

}  // namespace

template <class T>
void fill_bins(std::int64_t size, std::int64_t bins, T const* samples, std::uint32_t* counts, void* stream) {
  cudaMemsetAsync(counts, 0, static_cast<std::size_t>(bins) * sizeof(std::uint32_t), stream_of(stream));
  fill_bins_kernel<<<2048, 256, 0, stream_of(stream)>>>(size, bins, samples, counts);
}

template void fill_bins(std::int64_t, std::int64_t, std::int32_t const*, std::uint32_t*, void*);
template void fill_bins(std::int64_t, std::int64_t, std::uint8_t const*, std::uint32_t*, void*);

}  // namespace pantile::perf::cuda_c

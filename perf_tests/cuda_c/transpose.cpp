// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cuda_c/launch.hpp>
#include <cuda_c/transpose.hpp>

namespace pantile::perf::cuda_c {

namespace {

constexpr int edge = 32;

/// The blocks lie in one dimension: in two, rows of a tall matrix would exceed what the second may have.
template <class T, int Pitch, int Rows>
__global__ void transpose_kernel(std::int64_t m, std::int64_t n, std::int64_t tiles_across, T const* a, T* b) {
  __shared__ T tile[edge][Pitch];
  std::int64_t const i0 = blockIdx.x / tiles_across * edge, j0 = blockIdx.x % tiles_across * edge;
  for (int r = threadIdx.y; r < edge; r += Rows) {
    std::int64_t const i = i0 + r, j = j0 + threadIdx.x;
    if (i < m && j < n) tile[r][threadIdx.x] = a[i * n + j];
  }
  __syncthreads();
  for (int r = threadIdx.y; r < edge; r += Rows) {
    std::int64_t const j = j0 + r, i = i0 + threadIdx.x;
    if (i < m && j < n) b[j * m + i] = tile[threadIdx.x][r];
  }
}

template <class T, int Pitch, int Rows>
void launch(std::int64_t m, std::int64_t n, T const* a, T* b, void* stream) {
  unsigned const across = pieces(n, edge), down = pieces(m, edge);
  transpose_kernel<T, Pitch, Rows><<<across * down, dim3(edge, Rows), 0, stream_of(stream)>>>(m, n, across, a, b);
}

}  // namespace

template <class T>
void transpose_tile(std::int64_t m, std::int64_t n, T const* a, T* b, void* stream) {
  launch<T, edge, edge>(m, n, a, b, stream);
}

template <class T>
void transpose_padded(std::int64_t m, std::int64_t n, T const* a, T* b, void* stream) {
  launch<T, edge + 1, 8>(m, n, a, b, stream);
}

template void transpose_tile(std::int64_t, std::int64_t, float const*, float*, void*);
template void transpose_tile(std::int64_t, std::int64_t, double const*, double*, void*);
template void transpose_padded(std::int64_t, std::int64_t, float const*, float*, void*);
template void transpose_padded(std::int64_t, std::int64_t, double const*, double*, void*);

}  // namespace pantile::perf::cuda_c

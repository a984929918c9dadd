// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cuda_c/add.hpp>
#include <cuda_c/launch.hpp>

namespace pantile::perf::cuda_c {

namespace {

template <class T>
__global__ void add_kernel(std::int64_t m, std::int64_t n, T const* a, T beta, T const* b, T* c) {
  std::int64_t const rows = gridDim.y * blockDim.y, cols = gridDim.x * blockDim.x;
  for (std::int64_t i = blockIdx.y * blockDim.y + threadIdx.y; i < m; i += rows) {
    for (std::int64_t j = blockIdx.x * blockDim.x + threadIdx.x; j < n; j += cols) {
      c[i * n + j] = a[i * n + j] + beta * b[i * n + j];
    }
  }
}

}  // namespace

template <class T>
void add(std::int64_t m, std::int64_t n, T const* a, T beta, T const* b, T* c, void* stream) {
  add_kernel<<<dim3(pieces(n, 16), pieces(m, 16)), dim3(16, 16), 0, stream_of(stream)>>>(m, n, a, beta, b, c);
}

template <class T>
void add_strided(std::int64_t m, std::int64_t n, T const* a, T beta, T const* b, T* c, void* stream) {
  add_kernel<<<dim3(64, 64), dim3(6, 6), 0, stream_of(stream)>>>(m, n, a, beta, b, c);
}

template void add(std::int64_t, std::int64_t, float const*, float, float const*, float*, void*);
template void add(std::int64_t, std::int64_t, double const*, double, double const*, double*, void*);
template void add_strided(std::int64_t, std::int64_t, float const*, float, float const*, float*, void*);
template void add_strided(std::int64_t, std::int64_t, double const*, double, double const*, double*, void*);

}  // namespace pantile::perf::cuda_c

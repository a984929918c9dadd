// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cuda_c/launch.hpp>
#include <cuda_c/matmul.hpp>

namespace {

constexpr int edge = 32;

__global__ void naive_kernel(int m, int n, int k, float const* a, float const* b, float* c) {
  int const col = blockIdx.x * blockDim.x + threadIdx.x;
  int const row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= m || col >= n) return;
  float sum = 0;
  for (int l = 0; l < k; ++l) sum += a[row * k + l] * b[l * n + col];
  c[row * n + col] = sum;
}

__global__ void shared_tile_kernel(int m, int n, int k, float const* a, float const* b, float* c) {
  __shared__ float a_tile[edge][edge];
  __shared__ float b_tile[edge][edge];
  int const col = blockIdx.x * edge + threadIdx.x;
  int const row = blockIdx.y * edge + threadIdx.y;
  float sum = 0;
  for (int l0 = 0; l0 < k; l0 += edge) {
    int const a_col = l0 + threadIdx.x;
    int const b_row = l0 + threadIdx.y;
    a_tile[threadIdx.y][threadIdx.x] = row < m && a_col < k ? a[row * k + a_col] : 0;
    b_tile[threadIdx.y][threadIdx.x] = b_row < k && col < n ? b[b_row * n + col] : 0;
    __syncthreads();
    for (int l = 0; l < edge; ++l) sum += a_tile[threadIdx.y][l] * b_tile[l][threadIdx.x];
    __syncthreads();
  }
  if (row < m && col < n) c[row * n + col] = sum;
}

__global__ void grid_stride_kernel(int m, int n, int k, float const* a, float const* b, float* c) {
  for (int row = blockIdx.y * blockDim.y + threadIdx.y; row < m; row += gridDim.y * blockDim.y) {
    for (int col = blockIdx.x * blockDim.x + threadIdx.x; col < n; col += gridDim.x * blockDim.x) {
      float sum = 0;
      for (int l = 0; l < k; ++l) sum += a[row * k + l] * b[l * n + col];
      c[row * n + col] = sum;
    }
  }
}

dim3 blocks(int m, int n, int block) { return dim3((n + block - 1) / block, (m + block - 1) / block); }

}  // namespace

namespace pantile::perf::cuda_c {

void naive(int m, int n, int k, float const* a, float const* b, float* c, void* stream) {
  naive_kernel<<<blocks(m, n, 16), dim3(16, 16), 0, stream_of(stream)>>>(m, n, k, a, b, c);
}

void grid_stride(int m, int n, int k, float const* a, float const* b, float* c, void* stream) {
  dim3 const whole = blocks(m, n, 16);
  dim3 const part(whole.x > 64 ? 64 : whole.x, whole.y > 64 ? 64 : whole.y);
  grid_stride_kernel<<<part, dim3(16, 16), 0, stream_of(stream)>>>(m, n, k, a, b, c);
}

void shared_tile(int m, int n, int k, float const* a, float const* b, float* c, void* stream) {
  shared_tile_kernel<<<blocks(m, n, edge), dim3(edge, edge), 0, stream_of(stream)>>>(m, n, k, a, b, c);
}

}  // namespace pantile::perf::cuda_c

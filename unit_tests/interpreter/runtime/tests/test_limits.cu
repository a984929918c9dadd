// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file  What the runtime refuses, with the codes of the real one, and what it says of kernels. Compiled to machine
/// code too,
///        so that registers are the real ones.
#include <interpreter/runtime/tests/device_memory.hpp>

#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <memory>

namespace {

using namespace pantile_interpreter::testing;

__global__ void set(int* target, int value) { *target = value; }
__global__ void __launch_bounds__(128) bounded(int* target) { target[threadIdx.x] = 1; }
__global__ void with_static(int* target) {
  __shared__ int words[1024];
  words[threadIdx.x] = static_cast<int>(threadIdx.x);
  __syncthreads();
  target[threadIdx.x] = words[threadIdx.x ^ 1];
}
__global__ void with_dynamic(int* target, int last) {
  extern __shared__ int scratch[];
  scratch[last] = 5;
  *target = scratch[last];
}
/// Far more than 64 values live at once.
__global__ void hungry(double* x) {
  double v[96];
  for (int k = 0; k < 96; ++k) v[k] = x[k];
  for (int round = 0; round < 96; ++round) {
#pragma unroll
    for (int k = 0; k < 96; ++k) v[k] = v[k] * v[(k + 1) % 96] + v[(k + 7) % 96];
  }
  for (int k = 0; k < 96; ++k) x[k] = v[k];
}

/// The error of a launch, taken back.
template <class Kernel, class... Arguments>
cudaError_t launch(Kernel kernel, dim3 grid, dim3 block, std::size_t shared, Arguments... arguments) {
  kernel<<<grid, block, shared>>>(arguments...);
  return cudaGetLastError();
}

TEST(Limits, CtasAndGrids) {
  DeviceIntegers const x(2048);
  EXPECT_EQ(launch(set, 1, 1024, 0, x.data(), 1), cudaSuccess);
  EXPECT_EQ(launch(set, 1, 1025, 0, x.data(), 1), cudaErrorInvalidConfiguration);
  EXPECT_EQ(launch(set, 1, dim3(1, 1, 65), 0, x.data(), 1), cudaErrorInvalidConfiguration);
  EXPECT_EQ(launch(set, 1, dim3(32, 32, 2), 0, x.data(), 1), cudaErrorInvalidConfiguration);
  EXPECT_EQ(launch(set, 1, 0, 0, x.data(), 1), cudaErrorInvalidConfiguration);
  EXPECT_EQ(launch(set, 0, 1, 0, x.data(), 1), cudaErrorInvalidConfiguration);
  EXPECT_EQ(launch(set, dim3(1, 65536), 1, 0, x.data(), 1), cudaErrorInvalidConfiguration);
  EXPECT_EQ(launch(set, dim3(2, 1, 65536), 1, 0, x.data(), 1), cudaErrorInvalidConfiguration);
}

TEST(Limits, ARefusedLaunchDoesNothing) {
  DeviceIntegers const x(1);
  EXPECT_EQ(launch(set, 1, 1, 0, x.data(), 1), cudaSuccess);
  EXPECT_NE(launch(set, 1, 2000, 0, x.data(), 2), cudaSuccess);
  ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_EQ(read_now(x.data()), 1);
}

TEST(Limits, LaunchBounds) {
  DeviceIntegers const x(256);
  EXPECT_EQ(launch(bounded, 1, 128, 0, x.data()), cudaSuccess);
  EXPECT_EQ(launch(bounded, 1, 129, 0, x.data()), cudaErrorLaunchOutOfResources);
  cudaFuncAttributes attributes;
  ASSERT_EQ(cudaFuncGetAttributes(&attributes, bounded), cudaSuccess);
  EXPECT_EQ(attributes.maxThreadsPerBlock, 128);
}

TEST(Limits, Registers) {
  double* x = nullptr;
  ASSERT_EQ(cudaMalloc(&x, 96 * sizeof(double)), cudaSuccess);
  ASSERT_EQ(cudaMemset(x, 0, 96 * sizeof(double)), cudaSuccess);
  cudaFuncAttributes attributes;
  ASSERT_EQ(cudaFuncGetAttributes(&attributes, hungry), cudaSuccess);
  EXPECT_GT(attributes.numRegs, 64) << "the machine code says how many";
  EXPECT_LE(attributes.numRegs, 255);
  EXPECT_EQ(launch(hungry, 1, 1024, 0, x), cudaErrorLaunchOutOfResources);
  EXPECT_EQ(launch(hungry, 1, 1, 0, x), cudaSuccess);
  ASSERT_EQ(cudaFuncGetAttributes(&attributes, set), cudaSuccess);
  EXPECT_LT(attributes.numRegs, 32);
  EXPECT_EQ(cudaFree(x), cudaSuccess);
}

TEST(Limits, DynamicSharedMemoryIsAskedFor) {
  DeviceIntegers const x(1);
  constexpr int default_bytes = 48 << 10, most = 227 << 10;
  EXPECT_EQ(launch(with_dynamic, 1, 1, default_bytes, x.data(), default_bytes / 4 - 1), cudaSuccess);
  EXPECT_EQ(launch(with_dynamic, 1, 1, default_bytes + 16, x.data(), 0), cudaErrorInvalidValue);
  constexpr auto attribute = cudaFuncAttributeMaxDynamicSharedMemorySize;
  EXPECT_EQ(cudaFuncSetAttribute(with_dynamic, attribute, most + 1), cudaErrorInvalidValue);
  EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidValue);
  EXPECT_EQ(cudaFuncSetAttribute(with_dynamic, attribute, most), cudaSuccess);
  EXPECT_EQ(launch(with_dynamic, 1, 1, most, x.data(), most / 4 - 1), cudaSuccess);
  EXPECT_EQ(launch(with_dynamic, 1, 1, most + 16, x.data(), 0), cudaErrorInvalidValue);
  ASSERT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_EQ(read_now(x.data()), 5);
}

TEST(Limits, StaticSharedMemoryCountsWithIt) {
  DeviceIntegers const x(1024);
  cudaFuncAttributes attributes;
  ASSERT_EQ(cudaFuncGetAttributes(&attributes, with_static), cudaSuccess);
  EXPECT_EQ(attributes.sharedSizeBytes, 4096U);
  EXPECT_EQ(attributes.maxDynamicSharedSizeBytes, (48 << 10) - 4096);
  EXPECT_EQ(launch(with_static, 1, 1024, (48 << 10) - 4096, x.data()), cudaSuccess);
  EXPECT_EQ(launch(with_static, 1, 1024, (48 << 10) - 4095, x.data()), cudaErrorInvalidValue);
  constexpr auto attribute = cudaFuncAttributeMaxDynamicSharedMemorySize;
  EXPECT_EQ(cudaFuncSetAttribute(with_static, attribute, (227 << 10) - 4095), cudaErrorInvalidValue);
  EXPECT_EQ(cudaFuncSetAttribute(with_static, attribute, (227 << 10) - 4096), cudaSuccess);
  (void)cudaGetLastError();
}

TEST(Limits, Memory) {
  void* memory = nullptr;
  EXPECT_EQ(cudaMalloc(&memory, std::size_t{1} << 44), cudaErrorMemoryAllocation);
  EXPECT_EQ(memory, nullptr);
  EXPECT_EQ(cudaGetLastError(), cudaErrorMemoryAllocation);
  EXPECT_EQ(cudaGetLastError(), cudaSuccess);
  EXPECT_EQ(cudaMallocManaged(&memory, std::size_t{1} << 44), cudaErrorMemoryAllocation);
  EXPECT_EQ(cudaMalloc(&memory, 0), cudaSuccess);
  EXPECT_EQ(memory, nullptr);
  std::size_t free_before = 0, free_after = 0, total = 0;
  ASSERT_EQ(cudaMemGetInfo(&free_before, &total), cudaSuccess);
  ASSERT_EQ(cudaMalloc(&memory, 1000), cudaSuccess);
  ASSERT_EQ(cudaMemGetInfo(&free_after, &total), cudaSuccess);
  EXPECT_EQ(free_before - free_after, 1000U);
  EXPECT_EQ(cudaFreeHost(memory), cudaErrorInvalidValue) << "it is not the host's";
  EXPECT_EQ(cudaFree(memory), cudaSuccess);
  EXPECT_EQ(cudaFree(memory), cudaErrorInvalidValue) << "freed twice";
  EXPECT_EQ(cudaFree(nullptr), cudaSuccess);
  (void)cudaGetLastError();
}

TEST(Limits, DirectionsOfCopies) {
  DeviceIntegers const x(1);
  PinnedIntegers const pinned(1);
  int host = 1;
  EXPECT_EQ(cudaMemcpy(x.data(), &host, 4, cudaMemcpyDeviceToDevice), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemcpy(x.data(), &host, 4, cudaMemcpyDeviceToHost), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemcpy(&host, x.data(), 4, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemcpy(&host, x.data(), 4, cudaMemcpyHostToHost), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemcpy(x.data(), &host, 4, cudaMemcpyDefault), cudaSuccess);
  EXPECT_EQ(cudaMemcpy(pinned.data(), x.data(), 4, cudaMemcpyDeviceToHost), cudaSuccess);
  EXPECT_EQ(pinned[0], 1);
  EXPECT_EQ(cudaMemset(&host, 0, 4), cudaErrorInvalidValue);
  (void)cudaGetLastError();
}

TEST(Limits, Rows) {
  DeviceIntegers const x(12);
  int const source[8] = {1, 2, 3, 4, 5, 6, 7, 8};
  int target[4] = {};
  ASSERT_EQ(cudaMemcpy2D(x.data(), 16, source, 16, 8, 2, cudaMemcpyHostToDevice), cudaSuccess);
  ASSERT_EQ(cudaMemcpy2D(target, 8, x.data(), 16, 8, 2, cudaMemcpyDeviceToHost), cudaSuccess);
  EXPECT_EQ(target[0], 1);
  EXPECT_EQ(target[1], 2);
  EXPECT_EQ(target[2], 5);
  EXPECT_EQ(target[3], 6);
  EXPECT_EQ(cudaMemcpy2D(x.data(), 4, source, 16, 8, 2, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
  (void)cudaGetLastError();
}

TEST(Limits, WhatPointersAre) {
  DeviceIntegers const device(2);
  PinnedIntegers const pinned(1);
  ManagedIntegers const managed(1);
  int pageable = 0;
  auto const type_of = [](void const* memory) {
    cudaPointerAttributes attributes;
    EXPECT_EQ(cudaPointerGetAttributes(&attributes, memory), cudaSuccess);
    return attributes.type;
  };
  EXPECT_EQ(type_of(device.data() + 1), cudaMemoryTypeDevice);
  EXPECT_EQ(type_of(pinned.data()), cudaMemoryTypeHost);
  EXPECT_EQ(type_of(managed.data()), cudaMemoryTypeManaged);
  EXPECT_EQ(type_of(&pageable), cudaMemoryTypeUnregistered);
  alignas(64) static int registered[16];
  EXPECT_EQ(cudaHostUnregister(registered), cudaErrorHostMemoryNotRegistered);
  ASSERT_EQ(cudaHostRegister(registered, sizeof registered, cudaHostRegisterDefault), cudaSuccess);
  EXPECT_EQ(type_of(registered + 3), cudaMemoryTypeHost);
  EXPECT_EQ(cudaHostRegister(registered + 1, 4, cudaHostRegisterDefault), cudaErrorHostMemoryAlreadyRegistered);
  ASSERT_EQ(cudaHostUnregister(registered), cudaSuccess);
  EXPECT_EQ(type_of(registered), cudaMemoryTypeUnregistered);
  (void)cudaGetLastError();
}

TEST(Limits, HandlesThatAreNotThere) {
  cudaStream_t stream = nullptr;
  ASSERT_EQ(cudaStreamCreate(&stream), cudaSuccess);
  ASSERT_EQ(cudaStreamDestroy(stream), cudaSuccess);
  EXPECT_EQ(cudaStreamDestroy(stream), cudaErrorInvalidResourceHandle);
  EXPECT_EQ(cudaStreamSynchronize(stream), cudaErrorInvalidResourceHandle);
  cudaEvent_t event = nullptr;
  ASSERT_EQ(cudaEventCreate(&event), cudaSuccess);
  ASSERT_EQ(cudaEventDestroy(event), cudaSuccess);
  EXPECT_EQ(cudaEventSynchronize(event), cudaErrorInvalidResourceHandle);
  EXPECT_EQ(cudaSetDevice(1), cudaErrorInvalidDevice);
  int nothing = 0;
  EXPECT_EQ(cudaLaunchKernel(&nothing, 1, 1, nullptr, 0, nullptr), cudaErrorInvalidDeviceFunction);
  EXPECT_STREQ(cudaGetErrorName(cudaPeekAtLastError()), "cudaErrorInvalidDeviceFunction");
  EXPECT_STREQ(cudaGetErrorString(cudaGetLastError()), "invalid device function");
}

TEST(Limits, TheDevice) {
  cudaDeviceProp p;
  ASSERT_EQ(cudaGetDeviceProperties(&p, 0), cudaSuccess);
  EXPECT_EQ(p.major, 9);
  EXPECT_EQ(p.warpSize, 32);
  EXPECT_EQ(p.sharedMemPerBlockOptin, std::size_t{227} << 10);
  int value = 0;
  ASSERT_EQ(cudaDeviceGetAttribute(&value, cudaDevAttrMultiProcessorCount, 0), cudaSuccess);
  EXPECT_EQ(value, p.multiProcessorCount);
  EXPECT_EQ(cudaGetDeviceProperties(&p, 1), cudaErrorInvalidDevice);
  (void)cudaGetLastError();
}

}  // namespace

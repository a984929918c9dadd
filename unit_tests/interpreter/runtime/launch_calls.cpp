// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file  Kernels: how nvcc's start-up code makes them known, their attributes, their launches and what limits these.
#include <interpreter/runtime/runtime.hpp>

#include <algorithm>
#include <cstring>
#include <vector>

using namespace pantile_interpreter::runtime;

namespace {

struct Configuration {
  dim3 grid, block;
  std::size_t shared;
  cudaStream_t stream;
};

/// Between <<<>>> and the launch that it stands before.
thread_local std::vector<Configuration> configurations;

bool in_range(dim3 const& grid, dim3 const& block) {
  auto const within = [](unsigned value, unsigned most) { return value >= 1 && value <= most; };
  return within(grid.x, 2147483647) && within(grid.y, 65535) && within(grid.z, 65535) && within(block.x, 1024) &&
         within(block.y, 1024) && within(block.z, 64) &&
         std::uint64_t{block.x} * block.y * block.z <= std::uint64_t{limits::threads_per_cta};
}

/// Registers are handed to warps in units of 256, and warps come in fours.
std::size_t registers_of_cta(int of_thread, std::size_t threads) {
  std::size_t const warps = (threads + 31) / 32;
  std::size_t const of_warp = (static_cast<std::size_t>(of_thread) * 32 + 255) / 256 * 256;
  return (warps + 3) / 4 * 4 * of_warp;
}

/// What the real runtime answers to a launch that does not fit.
cudaError_t fits(DeviceFunction& function, dim3 const& grid, dim3 const& block, std::size_t shared) {
  if (!in_range(grid, block)) return cudaErrorInvalidConfiguration;
  std::size_t const threads = std::size_t{block.x} * block.y * block.z;
  KernelInfo const& info = function.info();
  if (threads > static_cast<std::size_t>(info.max_threads)) return cudaErrorLaunchOutOfResources;
  if (registers_of_cta(info.registers, threads) > std::size_t{limits::registers}) return cudaErrorLaunchOutOfResources;
  if (shared > function.max_dynamic_shared() || shared + info.static_shared > limits::shared_per_cta_opt_in) {
    return cudaErrorInvalidValue;
  }
  return cudaSuccess;
}

cudaError_t launch(void const* host, dim3 grid, dim3 block, void** arguments, std::size_t shared, cudaStream_t handle) {
  return with_stream(handle, [&](Stream& stream) {
    DeviceFunction* const function = runtime().programs().find_function(host);
    if (function == nullptr) return cudaErrorInvalidDeviceFunction;
    cudaError_t const error = fits(*function, grid, block, shared);
    if (error != cudaSuccess) return error;
    // The arguments are the caller's until the launch returns; the kernel runs later.
    auto const run = function->prepared({grid.x, grid.y, grid.z}, {block.x, block.y, block.z}, shared, arguments);
    runtime().streams().add(stream, run);
    return cudaSuccess;
  });
}

}  // namespace

extern "C" {

void** __cudaRegisterFatBinary(void* wrapper) {
  std::scoped_lock const alone(runtime().lock());
  return reinterpret_cast<void**>(runtime().programs().add(wrapper));
}
void __cudaRegisterFatBinaryEnd(void**) {}
void __cudaUnregisterFatBinary(void**) {}
char __cudaInitModule(void**) { return 1; }

void __cudaRegisterFunction(void** program, char const* host, char*, char const* name, int, uint3*, uint3*, dim3*,
                            dim3*, int*) {
  std::scoped_lock const alone(runtime().lock());
  runtime().programs().add_function(reinterpret_cast<Program*>(program), host, name);
}
void __cudaRegisterVar(void** program, char* host, char*, char const* name, int, size_t, int, int) {
  std::scoped_lock const alone(runtime().lock());
  runtime().programs().add_symbol(reinterpret_cast<Program*>(program), host, name);
}
void __cudaRegisterManagedVar(void**, void**, char*, char const* name, int, size_t, int, int) {
  stop(std::string("the managed variable ") + name + ": those are not there");
}

unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared, CUstream_st* stream) {
  configurations.push_back({grid, block, shared, stream});
  return 0;
}
cudaError_t __cudaPopCallConfiguration(dim3* grid, dim3* block, size_t* shared, void* stream) {
  if (configurations.empty()) return remember(cudaErrorInvalidConfiguration);
  Configuration const top = configurations.back();
  configurations.pop_back();
  *grid = top.grid;
  *block = top.block;
  *shared = top.shared;
  std::memcpy(stream, &top.stream, sizeof top.stream);
  return cudaSuccess;
}

cudaError_t cudaLaunchKernel(void const* host, dim3 grid, dim3 block, void** arguments, size_t shared,
                             cudaStream_t stream) {
  return launch(host, grid, block, arguments, shared, stream);
}

// CUDA 13's programs ask for a kernel once and launch what they got.
cudaError_t __cudaGetKernel(cudaKernel_t* kernel, void const* host) {
  return answered([&] {
    if (runtime().programs().find_function(host) == nullptr) return cudaErrorInvalidDeviceFunction;
    *kernel = reinterpret_cast<cudaKernel_t>(const_cast<void*>(host));
    return cudaSuccess;
  });
}
cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void** arguments, size_t shared,
                               cudaStream_t stream) {
  return launch(kernel, grid, block, arguments, shared, stream);
}

cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* result, void const* host) {
  return answered([&] {
    DeviceFunction* const function = runtime().programs().find_function(host);
    if (function == nullptr) return cudaErrorInvalidDeviceFunction;
    KernelInfo const& info = function->info();
    *result = {};
    result->numRegs = info.registers;
    result->maxThreadsPerBlock = std::min(info.max_threads, limits::threads_per_cta);
    result->sharedSizeBytes = info.static_shared;
    result->localSizeBytes = info.local;
    result->constSizeBytes = info.constant;
    result->ptxVersion = result->binaryVersion = limits::architecture;
    result->maxDynamicSharedSizeBytes = static_cast<int>(function->max_dynamic_shared());
    result->preferredShmemCarveout = -1;
    return cudaSuccess;
  });
}

cudaError_t cudaFuncSetAttribute(void const* host, cudaFuncAttribute attribute, int value) {
  return answered([&] {
    DeviceFunction* const function = runtime().programs().find_function(host);
    if (function == nullptr) return cudaErrorInvalidDeviceFunction;
    if (attribute == cudaFuncAttributePreferredSharedMemoryCarveout) {
      return value >= -1 && value <= 100 ? cudaSuccess : cudaErrorInvalidValue;
    }
    if (attribute != cudaFuncAttributeMaxDynamicSharedMemorySize || value < 0) return cudaErrorInvalidValue;
    std::size_t const most = limits::shared_per_cta_opt_in - function->info().static_shared;
    if (static_cast<std::size_t>(value) > most) return cudaErrorInvalidValue;
    function->set_max_dynamic_shared(static_cast<std::size_t>(value));
    return cudaSuccess;
  });
}

cudaError_t cudaFuncSetCacheConfig(void const* host, cudaFuncCache) {
  return answered([&] {
    return runtime().programs().find_function(host) == nullptr ? cudaErrorInvalidDeviceFunction : cudaSuccess;
  });
}

}  // extern "C"

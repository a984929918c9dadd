// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file  The device, of compute capability 9.0, and what programs ask of it; a second one may have memory.
#include <interpreter/runtime/runtime.hpp>

#include <cstring>

using namespace pantile_interpreter::runtime;

namespace {

/// As NVIDIA's sm_90 where kernels can tell; few multiprocessors, so that programs cut their work into few pieces.
cudaDeviceProp properties() {
  cudaDeviceProp p{};
  std::strncpy(p.name, "interpreter of PTX (sm_90)", sizeof p.name - 1);
  p.major = 9;
  p.minor = 0;
  p.totalGlobalMem = runtime().store().capacity();
  p.sharedMemPerBlock = limits::shared_per_cta;
  p.sharedMemPerBlockOptin = limits::shared_per_cta_opt_in;
  p.sharedMemPerMultiprocessor = limits::shared_per_multiprocessor;
  p.reservedSharedMemPerBlock = limits::shared_reserved;
  p.regsPerBlock = limits::registers;
  p.regsPerMultiprocessor = limits::registers;
  p.warpSize = 32;
  p.memPitch = 2147483647;
  p.maxThreadsPerBlock = limits::threads_per_cta;
  p.maxThreadsDim[0] = p.maxThreadsDim[1] = 1024;
  p.maxThreadsDim[2] = 64;
  p.maxGridSize[0] = 2147483647;
  p.maxGridSize[1] = p.maxGridSize[2] = 65535;
  p.maxThreadsPerMultiProcessor = 2048;
  p.maxBlocksPerMultiProcessor = 32;
  p.multiProcessorCount = limits::multiprocessors;
  p.clockRate = 1'000'000;
  p.memoryClockRate = 1'000'000;
  p.memoryBusWidth = 5120;
  p.l2CacheSize = 50 << 20;
  p.totalConstMem = 65536;
  p.textureAlignment = 512;
  p.texturePitchAlignment = 32;
  p.concurrentKernels = 1;
  p.asyncEngineCount = 3;
  p.deviceOverlap = 1;
  p.unifiedAddressing = 1;
  p.managedMemory = 1;
  p.canMapHostMemory = 1;
  p.concurrentManagedAccess = 1;
  p.streamPrioritiesSupported = 1;
  p.globalL1CacheSupported = p.localL1CacheSupported = 1;
  p.memoryPoolsSupported = 1;
  return p;
}

bool is_device(int number) { return number >= 0 && number < Store::devices(); }

cudaError_t attribute(int& value, cudaDeviceAttr which) {
  cudaDeviceProp const p = properties();
  switch (which) {
    case cudaDevAttrMaxThreadsPerBlock: value = p.maxThreadsPerBlock; break;
    case cudaDevAttrMaxSharedMemoryPerBlock: value = static_cast<int>(p.sharedMemPerBlock); break;
    case cudaDevAttrMaxSharedMemoryPerBlockOptin: value = static_cast<int>(p.sharedMemPerBlockOptin); break;
    case cudaDevAttrMaxSharedMemoryPerMultiprocessor: value = static_cast<int>(p.sharedMemPerMultiprocessor); break;
    case cudaDevAttrReservedSharedMemoryPerBlock: value = static_cast<int>(p.reservedSharedMemPerBlock); break;
    case cudaDevAttrWarpSize: value = p.warpSize; break;
    case cudaDevAttrMaxRegistersPerBlock: value = p.regsPerBlock; break;
    case cudaDevAttrMaxThreadsPerMultiProcessor: value = p.maxThreadsPerMultiProcessor; break;
    case cudaDevAttrMaxBlocksPerMultiprocessor: value = p.maxBlocksPerMultiProcessor; break;
    case cudaDevAttrMultiProcessorCount: value = p.multiProcessorCount; break;
    case cudaDevAttrComputeCapabilityMajor: value = p.major; break;
    case cudaDevAttrComputeCapabilityMinor: value = p.minor; break;
    case cudaDevAttrUnifiedAddressing: value = p.unifiedAddressing; break;
    case cudaDevAttrManagedMemory: value = p.managedMemory; break;
    case cudaDevAttrConcurrentManagedAccess: value = p.concurrentManagedAccess; break;
    case cudaDevAttrMemoryPoolsSupported: value = p.memoryPoolsSupported; break;
    case cudaDevAttrPageableMemoryAccess: value = 0; break;
    default: return cudaErrorNotSupported;
  }
  return cudaSuccess;
}

}  // namespace

extern "C" {

cudaError_t cudaGetDeviceCount(int* count) {
  return answered([&] { return *count = Store::devices(), cudaSuccess; });
}
cudaError_t cudaGetDevice(int* device) {
  return answered([&] { return *device = Store::current_device, cudaSuccess; });
}
cudaError_t cudaSetDevice(int device) {
  return answered([&] {
    if (!is_device(device)) return cudaErrorInvalidDevice;
    return Store::current_device = device, cudaSuccess;
  });
}
cudaError_t cudaGetDeviceProperties(cudaDeviceProp* result, int device) {
  return answered([&] {
    if (!is_device(device)) return cudaErrorInvalidDevice;
    *result = properties();
    return cudaSuccess;
  });
}
cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr which, int device) {
  return answered([&] { return is_device(device) ? attribute(*value, which) : cudaErrorInvalidDevice; });
}
cudaError_t cudaDeviceSetLimit(cudaLimit, size_t) {
  return answered([] { return cudaSuccess; });
}
cudaError_t cudaDeviceGetLimit(size_t* value, cudaLimit limit) {
  return answered([&] { return *value = limit == cudaLimitStackSize ? 1024 : 8 << 20, cudaSuccess; });
}
cudaError_t cudaDeviceSynchronize() {
  return answered([] { return runtime().streams().finish_all(), cudaSuccess; });
}
cudaError_t cudaDeviceGetStreamPriorityRange(int* least, int* greatest) {
  return answered([&] { return *least = 0, *greatest = -5, cudaSuccess; });
}
cudaError_t cudaRuntimeGetVersion(int* version) {
  return answered([&] { return *version = CUDART_VERSION, cudaSuccess; });
}
cudaError_t cudaDriverGetVersion(int* version) {
  return answered([&] { return *version = CUDART_VERSION, cudaSuccess; });
}

}  // extern "C"

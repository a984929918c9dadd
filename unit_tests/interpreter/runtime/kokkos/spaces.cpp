// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file  Stand-in for Kokkos 5.2's CUDA library: memory spaces, their allocation records, copies between them.
#define KOKKOS_IMPL_PUBLIC_INCLUDE
#include <Kokkos_Core.hpp>

#include <impl/Kokkos_SharedAlloc_timpl.hpp>

#include <string>

namespace Kokkos {
namespace {

/// What the three spaces have in common: tell the tools, or say why there is no memory.
void* handed_out(cudaError_t error, void* memory, char const* space, char const* label, std::size_t bytes,
                 std::size_t logical, Tools::SpaceHandle handle) {
  if (error != cudaSuccess) {
    (void)cudaGetLastError();  // it is said here
    Impl::throw_bad_alloc(space, bytes, label);
  }
  if (Profiling::profileLibraryLoaded()) Profiling::allocateData(handle, label, memory, logical > 0 ? logical : bytes);
  return memory;
}

void taken_back(void* memory, char const* label, std::size_t bytes, std::size_t logical, Tools::SpaceHandle handle) {
  if (memory == nullptr || !Profiling::profileLibraryLoaded()) return;
  Profiling::deallocateData(handle, label, memory, logical > 0 ? logical : bytes);
}

constexpr char const* no_label = "[unlabeled]";

}  // namespace

// --- CudaSpace ---

CudaSpace::CudaSpace() : m_device(0), m_stream(nullptr) {}
CudaSpace::CudaSpace(int device, cudaStream_t stream) : m_device(device), m_stream(stream) {}

void* CudaSpace::allocate(Cuda const& exec, std::size_t size) const { return allocate(exec, no_label, size); }
void* CudaSpace::allocate(Cuda const& exec, char const* label, std::size_t size, std::size_t logical) const {
  return impl_allocate(exec, label, size, logical);
}
void* CudaSpace::allocate(std::size_t size) const { return allocate(no_label, size); }
void* CudaSpace::allocate(char const* label, std::size_t size, std::size_t logical) const {
  return impl_allocate(label, size, logical);
}
void CudaSpace::deallocate(void* memory, std::size_t size) const { deallocate(no_label, memory, size); }
void CudaSpace::deallocate(char const* label, void* memory, std::size_t size, std::size_t logical) const {
  impl_deallocate(label, memory, size, logical);
}
void* CudaSpace::impl_allocate(Cuda const&, char const* label, std::size_t size, std::size_t logical,
                               Tools::SpaceHandle handle) const {
  return impl_allocate(label, size, logical, handle);
}
void* CudaSpace::impl_allocate(char const* label, std::size_t size, std::size_t logical,
                               Tools::SpaceHandle handle) const {
  void* memory = nullptr;
  cudaError_t const error = cudaMalloc(&memory, size);
  return handed_out(error, memory, name(), label, size, logical, handle);
}
void CudaSpace::impl_deallocate(char const* label, void* memory, std::size_t size, std::size_t logical,
                                Tools::SpaceHandle handle) const {
  taken_back(memory, label, size, logical, handle);
  KOKKOS_IMPL_CUDA_SAFE_CALL(cudaFree(memory));
}

// --- CudaUVMSpace ---

CudaUVMSpace::CudaUVMSpace() : m_device(0), m_stream(nullptr) {}
CudaUVMSpace::CudaUVMSpace(int device, cudaStream_t stream) : m_device(device), m_stream(stream) {}

void* CudaUVMSpace::allocate(std::size_t size) const { return allocate(no_label, size); }
void* CudaUVMSpace::allocate(char const* label, std::size_t size, std::size_t logical) const {
  return impl_allocate(label, size, logical);
}
void CudaUVMSpace::deallocate(void* memory, std::size_t size) const { deallocate(no_label, memory, size); }
void CudaUVMSpace::deallocate(char const* label, void* memory, std::size_t size, std::size_t logical) const {
  impl_deallocate(label, memory, size, logical);
}
void* CudaUVMSpace::impl_allocate(char const* label, std::size_t size, std::size_t logical,
                                  Tools::SpaceHandle handle) const {
  void* memory = nullptr;
  cudaError_t const error = cudaMallocManaged(&memory, size, cudaMemAttachGlobal);
  return handed_out(error, memory, name(), label, size, logical, handle);
}
void CudaUVMSpace::impl_deallocate(char const* label, void* memory, std::size_t size, std::size_t logical,
                                   Tools::SpaceHandle handle) const {
  Cuda::impl_static_fence("Kokkos::CudaUVMSpace::impl_deallocate: Pre UVM Deallocation");
  taken_back(memory, label, size, logical, handle);
  KOKKOS_IMPL_CUDA_SAFE_CALL(cudaFree(memory));
}

// --- CudaHostPinnedSpace ---

CudaHostPinnedSpace::CudaHostPinnedSpace() : m_device(0), m_stream(nullptr) {}
CudaHostPinnedSpace::CudaHostPinnedSpace(int device, cudaStream_t stream) : m_device(device), m_stream(stream) {}

void* CudaHostPinnedSpace::allocate(std::size_t size) const { return allocate(no_label, size); }
void* CudaHostPinnedSpace::allocate(char const* label, std::size_t size, std::size_t logical) const {
  return impl_allocate(label, size, logical);
}
void CudaHostPinnedSpace::deallocate(void* memory, std::size_t size) const { deallocate(no_label, memory, size); }
void CudaHostPinnedSpace::deallocate(char const* label, void* memory, std::size_t size, std::size_t logical) const {
  impl_deallocate(label, memory, size, logical);
}
void* CudaHostPinnedSpace::impl_allocate(char const* label, std::size_t size, std::size_t logical,
                                         Tools::SpaceHandle handle) const {
  void* memory = nullptr;
  cudaError_t const error = cudaHostAlloc(&memory, size, cudaHostAllocDefault);
  return handed_out(error, memory, name(), label, size, logical, handle);
}
void CudaHostPinnedSpace::impl_deallocate(char const* label, void* memory, std::size_t size, std::size_t logical,
                                          Tools::SpaceHandle handle) const {
  taken_back(memory, label, size, logical, handle);
  KOKKOS_IMPL_CUDA_SAFE_CALL(cudaFreeHost(memory));
}

// --- Copies ---

namespace Impl {

void DeepCopyCuda(void* target, void const* source, std::size_t bytes) {
  KOKKOS_IMPL_CUDA_SAFE_CALL(cudaMemcpy(target, source, bytes, cudaMemcpyDefault));
}

void DeepCopyAsyncCuda(Cuda const& instance, void* target, void const* source, std::size_t bytes) {
  KOKKOS_IMPL_CUDA_SAFE_CALL(cudaMemcpyAsync(target, source, bytes, cudaMemcpyDefault, instance.cuda_stream()));
}

void DeepCopyAsyncCuda(void* target, void const* source, std::size_t bytes) {
  cudaStream_t const stream = cuda_get_deep_copy_stream();
  KOKKOS_IMPL_CUDA_SAFE_CALL(cudaMemcpyAsync(target, source, bytes, cudaMemcpyDefault, stream));
  Tools::Experimental::Impl::profile_fence_event<Cuda>(
      "Kokkos::Impl::DeepCopyAsyncCuda: Deep Copy Stream Sync",
      Tools::Experimental::SpecialSynchronizationCases::DeepCopyResourceSynchronization,
      [&] { KOKKOS_IMPL_CUDA_SAFE_CALL(cudaStreamSynchronize(stream)); });
}

}  // namespace Impl
}  // namespace Kokkos

KOKKOS_IMPL_HOST_INACCESSIBLE_SHARED_ALLOCATION_RECORD_EXPLICIT_INSTANTIATION(Kokkos::CudaSpace);
KOKKOS_IMPL_SHARED_ALLOCATION_RECORD_EXPLICIT_INSTANTIATION(Kokkos::CudaUVMSpace);
KOKKOS_IMPL_SHARED_ALLOCATION_RECORD_EXPLICIT_INSTANTIATION(Kokkos::CudaHostPinnedSpace);

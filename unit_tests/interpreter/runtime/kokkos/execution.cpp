// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file  Stand-in for Kokkos 5.2's CUDA library: the execution space, and how it starts and ends with Kokkos.
#define KOKKOS_IMPL_PUBLIC_INCLUDE
#include <Kokkos_Core.hpp>

#include <impl/Kokkos_CheckUsage.hpp>
#include <impl/Kokkos_ExecSpaceManager.hpp>
#include <interpreter/runtime/kokkos/dropped.hpp>

#include <ostream>
#include <string>

namespace desul::Impl {

int32_t* CUDA_SPACE_ATOMIC_LOCKS_DEVICE_h = nullptr;
int32_t* CUDA_SPACE_ATOMIC_LOCKS_NODE_h = nullptr;

}  // namespace desul::Impl

namespace Kokkos {
namespace {

using Impl::CudaInternal;
using Impl::HostSharedPtr;

/// Locks for atomics on elements that the hardware has none for.
void make_lock_arrays() {
  constexpr std::size_t bytes = (std::size_t{CUDA_SPACE_ATOMIC_MASK} + 1) * sizeof(std::int32_t);
  for (std::int32_t** array :
       {&desul::Impl::CUDA_SPACE_ATOMIC_LOCKS_DEVICE_h, &desul::Impl::CUDA_SPACE_ATOMIC_LOCKS_NODE_h}) {
    void* locks = nullptr;
    KOKKOS_IMPL_CUDA_SAFE_CALL(cudaMalloc(&locks, bytes));
    KOKKOS_IMPL_CUDA_SAFE_CALL(cudaMemset(locks, 0, bytes));
    *array = static_cast<std::int32_t*>(locks);
  }
}

void free_lock_arrays() {
  for (std::int32_t** array :
       {&desul::Impl::CUDA_SPACE_ATOMIC_LOCKS_DEVICE_h, &desul::Impl::CUDA_SPACE_ATOMIC_LOCKS_NODE_h}) {
    KOKKOS_IMPL_CUDA_SAFE_CALL(cudaFree(*array));
    *array = nullptr;
  }
}

/// Where large functors wait for their copy into constant memory.
void make_constant_staging() {
  void* staging = nullptr;
  KOKKOS_IMPL_CUDA_SAFE_CALL(cudaMallocHost(&staging, Impl::CudaTraits::ConstantMemoryUsage));
  CudaInternal::constantMemHostStagingPerDevice[0] = static_cast<unsigned long*>(staging);
  KOKKOS_IMPL_CUDA_SAFE_CALL(cudaEventCreate(&CudaInternal::constantMemReusablePerDevice[0]));
  CudaInternal::constantMemMutexPerDevice[0];
}

}  // namespace

namespace Impl {
/// For copies without an instance.
cudaStream_t cuda_get_deep_copy_stream() {
  static cudaStream_t const stream = [] {
    cudaStream_t fresh = nullptr;
    KOKKOS_IMPL_CUDA_SAFE_CALL(cudaStreamCreate(&fresh));
    return fresh;
  }();
  return stream;
}
}  // namespace Impl

Cuda::Cuda()
    : m_space_instance((Impl::check_execution_space_constructor_precondition(name()), CudaInternal::default_instance)) {
}

Cuda::Cuda(cudaStream_t stream, Impl::ManageStream manage)
    : m_space_instance((Impl::check_execution_space_constructor_precondition(name()), new CudaInternal(stream)),
                       [manage](CudaInternal* instance) {
                         instance->fence("Kokkos::Cuda: fence before an instance ends");
                         if (manage == Impl::ManageStream::yes) (void)cudaStreamDestroy(instance->m_stream);
                         delete instance;
                       }) {}

void Cuda::impl_initialize(InitializationSettings const&) {
  KOKKOS_IMPL_CUDA_SAFE_CALL(cudaSetDevice(0));
  KOKKOS_IMPL_CUDA_SAFE_CALL(cudaGetDeviceProperties(&CudaInternal::m_deviceProp, 0));
  CudaInternal::m_cudaArch = CudaInternal::m_deviceProp.major * 100 + CudaInternal::m_deviceProp.minor * 10;
  CudaInternal::cuda_devices.insert(0);
  make_constant_staging();
  make_lock_arrays();
  cudaStream_t stream = nullptr;
  KOKKOS_IMPL_CUDA_SAFE_CALL(cudaStreamCreate(&stream));
  CudaInternal::default_instance = HostSharedPtr<CudaInternal>(new CudaInternal(stream), [](CudaInternal* instance) {
    cudaStream_t const own = instance->m_stream;
    delete instance;
    (void)cudaStreamDestroy(own);
  });
}

void Cuda::impl_finalize() {
  (void)cudaDeviceSynchronize();
  CudaInternal::default_instance = nullptr;
  free_lock_arrays();
  KOKKOS_IMPL_CUDA_SAFE_CALL(cudaFreeHost(CudaInternal::constantMemHostStagingPerDevice[0]));
  KOKKOS_IMPL_CUDA_SAFE_CALL(cudaEventDestroy(CudaInternal::constantMemReusablePerDevice[0]));
  CudaInternal::constantMemHostStagingPerDevice.clear();
  CudaInternal::constantMemReusablePerDevice.clear();
}

void Cuda::impl_static_fence(std::string const& name) {
  Kokkos::Tools::Experimental::Impl::profile_fence_event<Kokkos::Cuda>(
      name, Kokkos::Tools::Experimental::SpecialSynchronizationCases::GlobalDeviceSynchronization, [&] {
        if (!Impl::is_dropped(name)) KOKKOS_IMPL_CUDA_SAFE_CALL(cudaDeviceSynchronize());
      });
}

void Cuda::fence(std::string const& name) const { m_space_instance->fence(name); }
int Cuda::concurrency() const { return CudaInternal::concurrency(); }
void Cuda::print_configuration(std::ostream& out, bool) const { m_space_instance->print_configuration(out); }
cudaStream_t Cuda::cuda_stream() const { return m_space_instance->m_stream; }
int Cuda::cuda_device() const { return m_space_instance->m_cudaDev; }
cudaDeviceProp const& Cuda::cuda_device_prop() const { return CudaInternal::m_deviceProp; }
uint32_t Cuda::impl_instance_id() const noexcept { return m_space_instance->impl_get_instance_id(); }
char const* Cuda::name() { return "Cuda"; }

namespace Impl {
/// Kokkos::initialize and finalize call the space once it is registered.
int const g_cuda_space_factory_initialized = initialize_space_factory<Cuda>("150_Cuda");
}  // namespace Impl

}  // namespace Kokkos

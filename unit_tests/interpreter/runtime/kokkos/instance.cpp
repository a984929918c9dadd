// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file  Stand-in for Kokkos 5.2's CUDA library, which Debian does not ship: the state behind an instance of
///        Kokkos::Cuda. Debian's libkokkoscore has the rest (initialisation, tools, host spaces).
#define KOKKOS_IMPL_PUBLIC_INCLUDE
#include <Kokkos_Core.hpp>

#include <interpreter/runtime/kokkos/dropped.hpp>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ostream>
#include <string>

namespace Kokkos::Impl {

cudaDeviceProp CudaInternal::m_deviceProp;
int CudaInternal::m_cudaArch = -1;
std::set<int> CudaInternal::cuda_devices;
HostSharedPtr<CudaInternal> CudaInternal::default_instance;
std::map<int, unsigned long*> CudaInternal::constantMemHostStagingPerDevice;
std::map<int, cudaEvent_t> CudaInternal::constantMemReusablePerDevice;
std::map<int, std::mutex> CudaInternal::constantMemMutexPerDevice;

namespace {

/// Words of the instance's own memory, which grows with the largest request. The old one is freed after its kernels.
/// All is done in the instance's own stream: the default one would order it behind others that nobody waited for.
CudaSpace::size_type* grown(cudaStream_t stream, CudaSpace::size_type*& words, std::size_t& count, std::size_t bytes,
                            bool zeroed) {
  std::size_t const needed = (bytes + sizeof(CudaSpace::size_type) - 1) / sizeof(CudaSpace::size_type);
  if (needed <= count) return words;
  if (words != nullptr) KOKKOS_IMPL_CUDA_SAFE_CALL(cudaStreamSynchronize(stream));
  KOKKOS_IMPL_CUDA_SAFE_CALL(cudaFree(words));
  count = std::max<std::size_t>(needed, 1024);
  void* fresh = nullptr;
  KOKKOS_IMPL_CUDA_SAFE_CALL(cudaMalloc(&fresh, count * sizeof(CudaSpace::size_type)));
  if (zeroed) KOKKOS_IMPL_CUDA_SAFE_CALL(cudaMemsetAsync(fresh, 0, count * sizeof(CudaSpace::size_type), stream));
  words = static_cast<CudaSpace::size_type*>(fresh);
  return words;
}

}  // namespace

CudaInternal::CudaInternal(cudaStream_t stream) : m_cudaDev(0), m_stream(stream) {
  m_num_scratch_locks = static_cast<std::size_t>(concurrency());
  void* locks = nullptr;
  KOKKOS_IMPL_CUDA_SAFE_CALL(cudaMalloc(&locks, m_num_scratch_locks * sizeof(std::int32_t)));
  KOKKOS_IMPL_CUDA_SAFE_CALL(cudaMemsetAsync(locks, 0, m_num_scratch_locks * sizeof(std::int32_t), stream));
  m_scratch_locks = static_cast<std::int32_t*>(locks);
}

CudaInternal::~CudaInternal() {
  for (size_type* words : {m_scratchSpace, m_scratchFlags, m_scratchFunctor}) (void)cudaFree(words);
  (void)cudaFreeHost(m_scratchUnified);
  for (void* memory : m_team_scratch_ptr) (void)cudaFree(memory);
  (void)cudaFree(m_scratch_locks);
}

int CudaInternal::concurrency() { return m_deviceProp.maxThreadsPerMultiProcessor * m_deviceProp.multiProcessorCount; }

int CudaInternal::verify_is_initialized(char const* const label) const {
  if (m_cudaDev < 0) throw_runtime_exception(std::string("Kokkos::Cuda::") + label + ": not initialized");
  return m_cudaDev;
}

void CudaInternal::print_configuration(std::ostream& out) const {
  out << "Kokkos::Cuda[0] " << m_deviceProp.name << " capability " << m_deviceProp.major << '.' << m_deviceProp.minor
      << '\n';
}

uint32_t CudaInternal::impl_get_instance_id() const { return m_instance_id; }

bool is_dropped(std::string const& fence) {
  static char const* const label = std::getenv("PANTILE_INTERPRETER_DROP_FENCE");
  return label != nullptr && fence == label;
}

void CudaInternal::fence(std::string const& name) const {
  Kokkos::Tools::Experimental::Impl::profile_fence_event<Kokkos::Cuda>(
      name, Kokkos::Tools::Experimental::Impl::DirectFenceIDHandle{impl_get_instance_id()}, [&] {
        if (!is_dropped(name)) KOKKOS_IMPL_CUDA_SAFE_CALL(cudaStreamSynchronize(m_stream));
      });
}

void CudaInternal::fence() const { fence("Kokkos::CudaInternal::fence(): Unnamed Instance Fence"); }

CudaInternal::size_type* CudaInternal::scratch_space(std::size_t size) const {
  return grown(m_stream, m_scratchSpace, m_scratchSpaceCount, size, false);
}
CudaInternal::size_type* CudaInternal::scratch_flags(std::size_t size) const {
  return grown(m_stream, m_scratchFlags, m_scratchFlagsCount, size, true);
}
CudaInternal::size_type* CudaInternal::scratch_functor(std::size_t size) const {
  return grown(m_stream, m_scratchFunctor, m_scratchFunctorSize, size, false);
}

/// Memory that the host reads too: where reductions leave their results.
CudaInternal::size_type* CudaInternal::scratch_unified(std::size_t size) const {
  std::size_t const needed = (size + sizeof(size_type) - 1) / sizeof(size_type);
  if (needed <= m_scratchUnifiedCount) return m_scratchUnified;
  if (m_scratchUnified != nullptr) KOKKOS_IMPL_CUDA_SAFE_CALL(cudaStreamSynchronize(m_stream));
  KOKKOS_IMPL_CUDA_SAFE_CALL(cudaFreeHost(m_scratchUnified));
  void* fresh = nullptr;
  m_scratchUnifiedCount = std::max<std::size_t>(needed, 1024);
  KOKKOS_IMPL_CUDA_SAFE_CALL(cudaMallocHost(&fresh, m_scratchUnifiedCount * sizeof(size_type)));
  m_scratchUnified = static_cast<size_type*>(fresh);
  return m_scratchUnified;
}

int CudaInternal::acquire_team_scratch_space() {
  for (int slot = 0;; slot = (slot + 1) % m_n_team_scratch) {
    int free = 0;
    if (m_team_scratch_pool[slot].compare_exchange_strong(free, 1)) return slot;
  }
}

void* CudaInternal::resize_team_scratch_space(int slot, std::int64_t bytes, bool force_shrink) {
  std::int64_t& size = m_team_scratch_current_size[slot];
  if (bytes > size || (force_shrink && bytes < size)) {
    if (m_team_scratch_ptr[slot] != nullptr) KOKKOS_IMPL_CUDA_SAFE_CALL(cudaStreamSynchronize(m_stream));
    KOKKOS_IMPL_CUDA_SAFE_CALL(cudaFree(m_team_scratch_ptr[slot]));
    m_team_scratch_ptr[slot] = nullptr;
    KOKKOS_IMPL_CUDA_SAFE_CALL(cudaMalloc(&m_team_scratch_ptr[slot], static_cast<std::size_t>(bytes)));
    size = bytes;
  }
  return m_team_scratch_ptr[slot];
}

void CudaInternal::release_team_scratch_space(int slot) { m_team_scratch_pool[slot] = 0; }

CudaSpace::size_type* cuda_internal_scratch_flags(Cuda const& instance, std::size_t size) {
  return instance.impl_internal_space_instance()->scratch_flags(size);
}
CudaSpace::size_type* cuda_internal_scratch_space(Cuda const& instance, std::size_t size) {
  return instance.impl_internal_space_instance()->scratch_space(size);
}
CudaSpace::size_type* cuda_internal_scratch_unified(Cuda const& instance, std::size_t size) {
  return instance.impl_internal_space_instance()->scratch_unified(size);
}

namespace {

std::string error_text(cudaError error, char const* call, char const* file, int line) {
  std::string text = std::string(call) + " error( " + cudaGetErrorName(error) + "): " + cudaGetErrorString(error);
  if (file != nullptr) text += std::string(" ") + file + ":" + std::to_string(line);
  return text;
}

}  // namespace

void cuda_internal_error_throw(cudaError error, char const* call, char const* file, int line) {
  throw_runtime_exception(error_text(error, call, file, line));
}

void cuda_internal_error_abort(cudaError error, char const* call, char const* file, int line) {
  std::fprintf(stderr, "%s\n", error_text(error, call, file, line).c_str());
  std::abort();
}

}  // namespace Kokkos::Impl

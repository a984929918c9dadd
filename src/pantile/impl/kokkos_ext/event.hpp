// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  A mark in the queue of an execution-space instance that the host can wait for. Kokkos has fences only, which
///        also wait for what was enqueued after the mark; CUDA and HIP have events.

#include <Kokkos_Core.hpp>

#include <memory>
#include <optional>
#include <string>

namespace pantile::impl::kokkos_ext {

/// \brief  Any execution space: waiting fences the instance.
template <class Exec>
class Event {
 public:
  /// Mark what has been enqueued on exec so far; an earlier mark is forgotten.
  void record(Exec const& exec) { m_exec = exec; }
  /// Block until the work before the mark is done; without a mark, not at all.
  void wait(std::string const& why) {
    if (m_exec) m_exec->fence(why);
    m_exec.reset();
  }

 private:
  std::optional<Exec> m_exec;
};

#if defined(KOKKOS_ENABLE_CUDA) || defined(KOKKOS_ENABLE_HIP)

#if defined(KOKKOS_ENABLE_CUDA)
/// The calls of CUDA's runtime under the names used below.
struct DeviceEvents {
  using Exec = Kokkos::Cuda;
  using Handle = cudaEvent_t;
  static int device_of(Exec const& exec) { return exec.cuda_device(); }
  static bool current(int& device) { return cudaGetDevice(&device) == cudaSuccess; }
  static bool use(int device) { return cudaSetDevice(device) == cudaSuccess; }
  static bool create(Handle& event) { return cudaEventCreateWithFlags(&event, cudaEventDisableTiming) == cudaSuccess; }
  static bool record(Handle event, Exec const& exec) {
    return cudaEventRecord(event, exec.cuda_stream()) == cudaSuccess;
  }
  static bool wait(Handle event) { return cudaEventSynchronize(event) == cudaSuccess; }
  static void destroy(Handle event) { (void)cudaEventDestroy(event); }
};
#else
/// The calls of HIP's runtime under the names used below.
struct DeviceEvents {
  using Exec = Kokkos::HIP;
  using Handle = hipEvent_t;
  static int device_of(Exec const& exec) { return exec.hip_device(); }
  static bool current(int& device) { return hipGetDevice(&device) == hipSuccess; }
  static bool use(int device) { return hipSetDevice(device) == hipSuccess; }
  /// What came into memory that is pinned without coherence is there for the host once the event is.
  static bool create(Handle& event) {
    return hipEventCreateWithFlags(&event, hipEventDisableTiming | hipEventReleaseToSystem) == hipSuccess;
  }
  static bool record(Handle event, Exec const& exec) { return hipEventRecord(event, exec.hip_stream()) == hipSuccess; }
  static bool wait(Handle event) { return hipEventSynchronize(event) == hipSuccess; }
  static void destroy(Handle event) { (void)hipEventDestroy(event); }
};
#endif

/// \brief  A native event, made at the first record and kept. Where the runtime refuses one, the instance is fenced
///         when the mark is set, which is always right; Kokkos reports what is wrong with the device at its next call.
template <>
class Event<DeviceEvents::Exec> {
 public:
  using Exec = DeviceEvents::Exec;

  void record(Exec const& exec) {
    m_pending = make_for(DeviceEvents::device_of(exec)) && DeviceEvents::record(m_event.get(), exec);
    if (!m_pending) exec.fence("pantile: no event to wait for");
  }
  void wait(std::string const&) {
    if (m_pending && m_event) (void)DeviceEvents::wait(m_event.get());
    m_pending = false;
  }

 private:
  struct Destroy {
    using pointer = DeviceEvents::Handle;
    void operator()(pointer event) const { DeviceEvents::destroy(event); }
  };

  /// An event belongs to the device that was current when it was made.
  bool make_for(int device) {
    if (m_event && m_device == device) return true;
    m_event.reset();
    int before = 0;
    if (!DeviceEvents::current(before) || !DeviceEvents::use(device)) return false;
    DeviceEvents::Handle made{};
    if (DeviceEvents::create(made)) m_event.reset(made);
    m_device = device;
    return DeviceEvents::use(before) && m_event;
  }

  std::unique_ptr<void, Destroy> m_event;
  int m_device = -1;
  bool m_pending = false;
};

#endif

}  // namespace pantile::impl::kokkos_ext

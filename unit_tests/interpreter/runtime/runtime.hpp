// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  The state behind the entry points of libcudart, and how each of them answers.

#include <interpreter/runtime/programs.hpp>
#include <interpreter/runtime/store.hpp>
#include <interpreter/runtime/streams.hpp>

#include <cuda_runtime_api.h>

#include <chrono>
#include <exception>
#include <map>
#include <memory>
#include <mutex>
#include <string>

namespace pantile_interpreter::runtime {

/// Of sm_90, from the CUDA C++ programming guide's table of technical specifications.
namespace limits {
inline constexpr int architecture = 90;
inline constexpr int multiprocessors = 4;  // not of the hardware: few, so that little work is cut into few pieces
inline constexpr int threads_per_cta = 1024;
inline constexpr int registers = 65536;
inline constexpr std::size_t shared_per_cta = 48 << 10;
inline constexpr std::size_t shared_per_cta_opt_in = 227 << 10;
inline constexpr std::size_t shared_per_multiprocessor = 228 << 10;
inline constexpr std::size_t shared_reserved = 1 << 10;
}  // namespace limits

struct Event {
  using Clock = std::chrono::steady_clock;
  Operation::Pointer operation;             // of the last record
  std::shared_ptr<Clock::time_point> time;  // of its execution
};

class Runtime {
 public:
  Runtime();

  [[nodiscard]] std::recursive_mutex& lock() { return m_lock; }
  [[nodiscard]] Streams& streams() { return m_streams; }
  [[nodiscard]] Store& store() { return m_store; }
  [[nodiscard]] Programs& programs() { return m_programs; }

  /// Waits for the device, as the real runtime does without promising it, or not.
  void before_memory_is_freed() {
    if (m_frees_wait) m_streams.finish_all();
  }

  /// The stream of a handle, or nullptr: null and cudaStreamLegacy are the legacy default stream.
  [[nodiscard]] Stream* find_stream(cudaStream_t handle);

  Event* create_event();
  bool destroy_event(cudaEvent_t handle);
  [[nodiscard]] Event* find_event(cudaEvent_t handle);

 private:
  std::recursive_mutex m_lock;
  bool m_frees_wait;
  Streams m_streams;
  Store m_store;
  Programs m_programs;
  std::map<void*, std::unique_ptr<Event>> m_events;
};

/// One for the process; never destroyed, since programs call it from their own destructors.
Runtime& runtime();

/// Makes it the thread's last error, and returns it.
cudaError_t remember(cudaError_t error);

/// Says what is wrong in one sentence and ends the process with a status of its own: no program goes on after a fault.
[[noreturn]] void stop(std::string const& sentence);
inline constexpr int stop_status = 70;
[[noreturn]] void stop_at_missing(char const* entry);

/// How every entry point answers: alone, with its error remembered; a fault of a kernel stops the program.
template <class Call>
cudaError_t answered(Call&& call) {
  std::scoped_lock const alone(runtime().lock());
  try {
    return remember(call());
  } catch (std::exception const& fault) {
    stop(fault.what());
  }
}

/// The same with the stream of a handle.
template <class Call>
cudaError_t with_stream(cudaStream_t handle, Call&& call) {
  return answered([&] {
    Stream* const stream = runtime().find_stream(handle);
    return stream == nullptr ? cudaErrorInvalidResourceHandle : call(*stream);
  });
}

}  // namespace pantile_interpreter::runtime

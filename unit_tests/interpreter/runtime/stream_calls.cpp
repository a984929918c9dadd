// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file  Streams and events.
#include <interpreter/runtime/runtime.hpp>

#include <cstdlib>

using namespace pantile_interpreter::runtime;

namespace {

cudaError_t create(cudaStream_t* stream, unsigned flags, int priority) {
  return answered([&] {
    if (flags != cudaStreamDefault && flags != cudaStreamNonBlocking) return cudaErrorInvalidValue;
    *stream = reinterpret_cast<cudaStream_t>(runtime().streams().create(flags == cudaStreamDefault, priority));
    return cudaSuccess;
  });
}

cudaError_t create(cudaEvent_t* event) {
  return answered([&] { return *event = reinterpret_cast<cudaEvent_t>(runtime().create_event()), cudaSuccess; });
}

/// A fault that can be planted: to wait for an event does not wait.
bool events_are_dropped() {
  static bool const dropped = std::getenv("PANTILE_INTERPRETER_DROP_EVENTS") != nullptr;
  return dropped;
}

}  // namespace

extern "C" {

cudaError_t cudaStreamCreate(cudaStream_t* stream) { return create(stream, cudaStreamDefault, 0); }
cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned flags) { return create(stream, flags, 0); }
cudaError_t cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned flags, int priority) {
  return create(stream, flags, priority);
}
cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  return answered([&] {
    auto* const own = reinterpret_cast<Stream*>(stream);
    return runtime().streams().destroy(own) ? cudaSuccess : cudaErrorInvalidResourceHandle;
  });
}
cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
  return with_stream(stream, [](Stream& s) { return runtime().streams().finish(s), cudaSuccess; });
}
cudaError_t cudaStreamQuery(cudaStream_t stream) {
  return with_stream(stream,
                     [](Stream& s) { return runtime().streams().advance(s) ? cudaSuccess : cudaErrorNotReady; });
}
cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned) {
  return with_stream(stream, [&](Stream& s) {
    Event* const own = runtime().find_event(event);
    if (own == nullptr) return cudaErrorInvalidResourceHandle;
    runtime().streams().wait_for(s, own->operation);
    return cudaSuccess;
  });
}
cudaError_t cudaStreamIsCapturing(cudaStream_t stream, cudaStreamCaptureStatus* status) {
  return with_stream(stream, [&](Stream&) { return *status = cudaStreamCaptureStatusNone, cudaSuccess; });
}
cudaError_t cudaStreamGetPriority(cudaStream_t stream, int* priority) {
  return with_stream(stream, [&](Stream& s) { return *priority = s.priority(), cudaSuccess; });
}
cudaError_t cudaStreamGetFlags(cudaStream_t stream, unsigned* flags) {
  return with_stream(stream, [&](Stream& s) {
    *flags = s.blocking() ? cudaStreamDefault : cudaStreamNonBlocking;
    return cudaSuccess;
  });
}
cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void* data) {
  return with_stream(stream, [&](Stream& s) {
    runtime().streams().add(s, [function, data] { function(data); });
    return cudaSuccess;
  });
}

cudaError_t cudaEventCreate(cudaEvent_t* event) { return create(event); }
cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned) { return create(event); }
cudaError_t cudaEventDestroy(cudaEvent_t event) {
  return answered([&] { return runtime().destroy_event(event) ? cudaSuccess : cudaErrorInvalidResourceHandle; });
}
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  return with_stream(stream, [&](Stream& s) {
    Event* const own = runtime().find_event(event);
    if (own == nullptr) return cudaErrorInvalidResourceHandle;
    auto const time = std::make_shared<Event::Clock::time_point>();
    own->time = time;
    own->operation = runtime().streams().add(s, [time] { *time = Event::Clock::now(); });
    return cudaSuccess;
  });
}
cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream, unsigned) {
  return cudaEventRecord(event, stream);
}
cudaError_t cudaEventSynchronize(cudaEvent_t event) {
  return answered([&] {
    Event* const own = runtime().find_event(event);
    if (own == nullptr) return cudaErrorInvalidResourceHandle;
    if (!events_are_dropped()) runtime().streams().finish(own->operation);
    return cudaSuccess;
  });
}
cudaError_t cudaEventQuery(cudaEvent_t event) {
  return answered([&] {
    Event* const own = runtime().find_event(event);
    if (own == nullptr) return cudaErrorInvalidResourceHandle;
    return runtime().streams().advance(own->operation) ? cudaSuccess : cudaErrorNotReady;
  });
}
cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t from, cudaEvent_t to) {
  return answered([&] {
    Event const* const first = runtime().find_event(from);
    Event const* const second = runtime().find_event(to);
    if (first == nullptr || second == nullptr || !first->operation || !second->operation) {
      return cudaErrorInvalidResourceHandle;
    }
    if (!first->operation->done() || !second->operation->done()) return cudaErrorNotReady;
    *milliseconds = std::chrono::duration<float, std::milli>(*second->time - *first->time).count();
    return cudaSuccess;
  });
}

}  // extern "C"

// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file  Memory: allocation, copies and when the host waits for them (CUDA runtime API, "API synchronization
/// behavior").
#include <interpreter/runtime/report.hpp>
#include <interpreter/runtime/runtime.hpp>

#include <cstring>
#include <memory>
#include <stdexcept>
#include <vector>

using namespace pantile_interpreter::runtime;

namespace {

/// Allocation of one kind: no bytes give a null pointer.
template <class Allocate>
cudaError_t allocate(void** memory, std::size_t bytes, Allocate&& call) {
  return answered([&] {
    if (memory == nullptr) return cudaErrorInvalidValue;
    *memory = nullptr;
    if (bytes == 0) return cudaSuccess;
    *memory = call(runtime().store());
    return *memory == nullptr ? cudaErrorMemoryAllocation : cudaSuccess;
  });
}

/// Does the direction say what the pointers are? With unified addressing pinned and managed memory is on both sides.
bool direction_is_right(void* target, void const* source, cudaMemcpyKind kind) {
  Store const& store = runtime().store();
  auto const on_device = [&](void const* p) { return store.place_of(p) != Place::pageable; };
  auto const on_host = [&](void const* p) { return store.place_of(p) != Place::device; };
  switch (kind) {
    case cudaMemcpyHostToHost: return on_host(target) && on_host(source);
    case cudaMemcpyHostToDevice: return on_device(target) && on_host(source);
    case cudaMemcpyDeviceToHost: return on_host(target) && on_device(source);
    case cudaMemcpyDeviceToDevice: return on_device(target) && on_device(source);
    case cudaMemcpyDefault: return true;
  }
  return false;
}

/// The rows of a copy: one for a plain one.
struct Rows {
  void* target;
  std::size_t target_pitch;
  void const* source;
  std::size_t source_pitch;
  std::size_t width, height;
};

/// The places of a copy's two sides; another one when it runs means that somebody freed the memory too early.
struct Sides {
  Place target, source;
  explicit Sides(Rows const& rows)
      : target(runtime().store().place_of(rows.target)), source(runtime().store().place_of(rows.source)) {}
  bool operator==(Sides const&) const = default;
};

void copy_now(Rows const& rows, Sides const& promised) {
  if (Sides(rows) != promised) throw std::runtime_error("a copy whose memory was freed before it was waited for");
  Store& store = runtime().store();
  bool const brings_results = promised.source == Place::device && promised.target != Place::device;
  for (std::size_t row = 0; row < rows.height; ++row) {
    char* const target = static_cast<char*>(rows.target) + row * rows.target_pitch;
    store.copy(target, static_cast<char const*>(rows.source) + row * rows.source_pitch, rows.width);
    if (brings_results) report().add_result(target, rows.width);
  }
}

/// Puts the copy into the stream. What lies in pageable memory is read at the call, as the real runtime stages it.
Operation::Pointer enqueue(Stream& stream, Rows rows) {
  if (runtime().store().place_of(rows.source) != Place::pageable) {
    return runtime().streams().add(stream, [rows, sides = Sides(rows)] { copy_now(rows, sides); });
  }
  auto const staged = std::make_shared<std::vector<char>>(rows.width * rows.height);
  for (std::size_t row = 0; row < rows.height; ++row) {
    std::memcpy(staged->data() + row * rows.width, static_cast<char const*>(rows.source) + row * rows.source_pitch,
                rows.width);
  }
  rows.source = staged->data();
  rows.source_pitch = rows.width;
  return runtime().streams().add(stream, [rows, staged, sides = Sides(rows)] { copy_now(rows, sides); });
}

enum class Waits { as_memcpy, as_memcpy_async };

/// Between device memory nobody waits, into pageable memory every copy does, otherwise that of cudaMemcpy.
bool host_waits(Rows const& rows, Waits waits) {
  Place const source = runtime().store().place_of(rows.source);
  Place const target = runtime().store().place_of(rows.target);
  if (target == Place::pageable) return true;
  if (waits == Waits::as_memcpy_async) return false;
  return !(source == Place::device && target == Place::device);
}

cudaError_t copy(Rows const& rows, cudaMemcpyKind kind, cudaStream_t handle, Waits waits) {
  return with_stream(handle, [&](Stream& stream) {
    if (rows.width == 0 || rows.height == 0) return cudaSuccess;
    if (rows.height > 1 && (rows.width > rows.target_pitch || rows.width > rows.source_pitch))
      return cudaErrorInvalidValue;
    if (!direction_is_right(rows.target, rows.source, kind)) return cudaErrorInvalidValue;
    auto const operation = enqueue(stream, rows);
    if (host_waits(rows, waits)) runtime().streams().finish(operation);
    return cudaSuccess;
  });
}

/// Memory that the host reads too is set before the call returns.
cudaError_t fill(void* target, int value, std::size_t bytes, cudaStream_t handle, Waits waits) {
  return with_stream(handle, [&](Stream& stream) {
    if (bytes == 0) return cudaSuccess;
    if (runtime().store().place_of(target) == Place::pageable) return cudaErrorInvalidValue;
    auto const operation = runtime().streams().add(
        stream, [=] { runtime().store().fill(target, static_cast<unsigned char>(value), bytes); });
    bool const host_reads_it = runtime().store().place_of(target) != Place::device;
    if (host_reads_it && waits == Waits::as_memcpy) runtime().streams().finish(operation);
    return cudaSuccess;
  });
}

/// The place in a device's variable, or nullptr with the error.
void* place_in(void const* host, std::size_t offset, std::size_t bytes, cudaError_t& error) {
  Symbol const symbol = runtime().programs().find_symbol(host);
  error = symbol.bytes == 0                                        ? cudaErrorInvalidSymbol
          : offset > symbol.bytes || bytes > symbol.bytes - offset ? cudaErrorInvalidValue
                                                                   : cudaSuccess;
  return error == cudaSuccess ? reinterpret_cast<void*>(symbol.address + offset) : nullptr;
}

cudaError_t copy_to_symbol(void const* symbol, void const* source, std::size_t bytes, std::size_t offset,
                           cudaMemcpyKind kind, cudaStream_t stream, Waits waits) {
  return answered([&] {
    cudaError_t error = cudaSuccess;
    void* const target = place_in(symbol, offset, bytes, error);
    return error != cudaSuccess ? error : copy({target, bytes, source, bytes, bytes, 1}, kind, stream, waits);
  });
}

cudaError_t copy_from_symbol(void* target, void const* symbol, std::size_t bytes, std::size_t offset,
                             cudaMemcpyKind kind, cudaStream_t stream, Waits waits) {
  return answered([&] {
    cudaError_t error = cudaSuccess;
    void const* const source = place_in(symbol, offset, bytes, error);
    return error != cudaSuccess ? error : copy({target, bytes, source, bytes, bytes, 1}, kind, stream, waits);
  });
}

}  // namespace

extern "C" {

cudaError_t cudaMalloc(void** memory, size_t bytes) {
  return allocate(memory, bytes, [&](Store& store) { return store.allocate_device(bytes); });
}
cudaError_t cudaMallocAsync(void** memory, size_t bytes, cudaStream_t stream) {
  return with_stream(stream, [&](Stream&) { return cudaMalloc(memory, bytes); });
}
cudaError_t cudaMallocManaged(void** memory, size_t bytes, unsigned) {
  return allocate(memory, bytes, [&](Store& store) { return store.allocate_host(bytes, Place::managed); });
}
cudaError_t cudaHostAlloc(void** memory, size_t bytes, unsigned) {
  return allocate(memory, bytes, [&](Store& store) { return store.allocate_host(bytes, Place::pinned); });
}
cudaError_t cudaMallocHost(void** memory, size_t bytes) { return cudaHostAlloc(memory, bytes, cudaHostAllocDefault); }

// To free memory waits for the device, unless programs that do not count on it are asked for.
cudaError_t cudaFree(void* memory) {
  return answered([&] {
    if (memory == nullptr) return cudaSuccess;
    runtime().before_memory_is_freed();
    return runtime().store().free_device(memory) ? cudaSuccess : cudaErrorInvalidValue;
  });
}
cudaError_t cudaFreeHost(void* memory) {
  return answered([&] {
    if (memory == nullptr) return cudaSuccess;
    runtime().before_memory_is_freed();
    return runtime().store().free_pinned(memory) ? cudaSuccess : cudaErrorInvalidValue;
  });
}
// Behind what is in the stream; what is put elsewhere later may come too late.
cudaError_t cudaFreeAsync(void* memory, cudaStream_t stream) {
  return with_stream(stream, [&](Stream& s) {
    if (memory == nullptr) return cudaSuccess;
    if (runtime().store().place_of(memory) != Place::device) return cudaErrorInvalidValue;
    runtime().streams().add(s, [memory] { runtime().store().free_device(memory); });
    return cudaSuccess;
  });
}

cudaError_t cudaHostRegister(void* memory, size_t bytes, unsigned) {
  return answered([&] {
    if (memory == nullptr || bytes == 0) return cudaErrorInvalidValue;
    return runtime().store().register_host(memory, bytes) ? cudaSuccess : cudaErrorHostMemoryAlreadyRegistered;
  });
}
cudaError_t cudaHostUnregister(void* memory) {
  return answered([&] {
    runtime().streams().finish_all();
    return runtime().store().unregister_host(memory) ? cudaSuccess : cudaErrorHostMemoryNotRegistered;
  });
}
cudaError_t cudaHostGetDevicePointer(void** result, void* host, unsigned) {
  return answered([&] {
    Place const place = runtime().store().place_of(host);
    if (place != Place::pinned && place != Place::managed) return cudaErrorInvalidValue;
    *result = host;
    return cudaSuccess;
  });
}
cudaError_t cudaMemGetInfo(size_t* free, size_t* total) {
  return answered([&] {
    *total = runtime().store().capacity();
    *free = *total - runtime().store().used();
    return cudaSuccess;
  });
}
cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* result, void const* memory) {
  return answered([&] {
    *result = {};
    Place const place = runtime().store().place_of(memory);
    int const device = runtime().store().device_of(memory);
    result->device = place == Place::pageable ? -2 : device;
    void* const address = const_cast<void*>(memory);
    bool const reached = place != Place::device || device == Store::current_device;
    if (place != Place::pageable && reached) result->devicePointer = address;
    if (place != Place::device) result->hostPointer = place == Place::pageable ? nullptr : address;
    result->type = place == Place::device    ? cudaMemoryTypeDevice
                   : place == Place::managed ? cudaMemoryTypeManaged
                   : place == Place::pinned  ? cudaMemoryTypeHost
                                             : cudaMemoryTypeUnregistered;
    return cudaSuccess;
  });
}

cudaError_t cudaMemcpy(void* target, void const* source, size_t bytes, cudaMemcpyKind kind) {
  return copy({target, bytes, source, bytes, bytes, 1}, kind, nullptr, Waits::as_memcpy);
}
cudaError_t cudaMemcpyAsync(void* target, void const* source, size_t bytes, cudaMemcpyKind kind, cudaStream_t stream) {
  return copy({target, bytes, source, bytes, bytes, 1}, kind, stream, Waits::as_memcpy_async);
}
cudaError_t cudaMemcpy2D(void* target, size_t target_pitch, void const* source, size_t source_pitch, size_t width,
                         size_t height, cudaMemcpyKind kind) {
  return copy({target, target_pitch, source, source_pitch, width, height}, kind, nullptr, Waits::as_memcpy);
}
cudaError_t cudaMemcpy2DAsync(void* target, size_t target_pitch, void const* source, size_t source_pitch, size_t width,
                              size_t height, cudaMemcpyKind kind, cudaStream_t stream) {
  return copy({target, target_pitch, source, source_pitch, width, height}, kind, stream, Waits::as_memcpy_async);
}
cudaError_t cudaMemset(void* target, int value, size_t bytes) {
  return fill(target, value, bytes, nullptr, Waits::as_memcpy);
}
cudaError_t cudaMemsetAsync(void* target, int value, size_t bytes, cudaStream_t stream) {
  return fill(target, value, bytes, stream, Waits::as_memcpy_async);
}

cudaError_t cudaMemcpyToSymbol(void const* symbol, void const* source, size_t bytes, size_t offset,
                               cudaMemcpyKind kind) {
  return copy_to_symbol(symbol, source, bytes, offset, kind, nullptr, Waits::as_memcpy);
}
cudaError_t cudaMemcpyToSymbolAsync(void const* symbol, void const* source, size_t bytes, size_t offset,
                                    cudaMemcpyKind kind, cudaStream_t stream) {
  return copy_to_symbol(symbol, source, bytes, offset, kind, stream, Waits::as_memcpy_async);
}
cudaError_t cudaMemcpyFromSymbol(void* target, void const* symbol, size_t bytes, size_t offset, cudaMemcpyKind kind) {
  return copy_from_symbol(target, symbol, bytes, offset, kind, nullptr, Waits::as_memcpy);
}
cudaError_t cudaGetSymbolAddress(void** result, void const* symbol) {
  return answered([&] {
    cudaError_t error = cudaSuccess;
    *result = place_in(symbol, 0, 0, error);
    return error;
  });
}
cudaError_t cudaGetSymbolSize(size_t* bytes, void const* symbol) {
  return answered([&] {
    *bytes = runtime().programs().find_symbol(symbol).bytes;
    return *bytes == 0 ? cudaErrorInvalidSymbol : cudaSuccess;
  });
}

}  // extern "C"

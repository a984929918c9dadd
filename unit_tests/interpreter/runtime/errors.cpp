// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file  The runtime's errors: the last one of each thread, names and texts.
#include <interpreter/runtime/runtime.hpp>

#include <utility>

namespace pantile_interpreter::runtime {
namespace {

struct ErrorText {
  cudaError_t error;
  char const* name;
  char const* text;
};

/// Those that this runtime returns, in the words of NVIDIA's.
constexpr ErrorText error_texts[] = {
    {cudaSuccess, "cudaSuccess", "no error"},
    {cudaErrorInvalidValue, "cudaErrorInvalidValue", "invalid argument"},
    {cudaErrorMemoryAllocation, "cudaErrorMemoryAllocation", "out of memory"},
    {cudaErrorInvalidConfiguration, "cudaErrorInvalidConfiguration", "invalid configuration argument"},
    {cudaErrorInvalidSymbol, "cudaErrorInvalidSymbol", "invalid device symbol"},
    {cudaErrorInvalidMemcpyDirection, "cudaErrorInvalidMemcpyDirection", "invalid copy direction for memcpy"},
    {cudaErrorInvalidDeviceFunction, "cudaErrorInvalidDeviceFunction", "invalid device function"},
    {cudaErrorInvalidDevice, "cudaErrorInvalidDevice", "invalid device ordinal"},
    {cudaErrorInvalidResourceHandle, "cudaErrorInvalidResourceHandle", "invalid resource handle"},
    {cudaErrorNotReady, "cudaErrorNotReady", "device not ready"},
    {cudaErrorLaunchOutOfResources, "cudaErrorLaunchOutOfResources", "too many resources requested for launch"},
    {cudaErrorHostMemoryAlreadyRegistered, "cudaErrorHostMemoryAlreadyRegistered",
     "part or all of the requested memory range is already mapped"},
    {cudaErrorHostMemoryNotRegistered, "cudaErrorHostMemoryNotRegistered",
     "pointer does not correspond to a registered memory region"},
    {cudaErrorNotSupported, "cudaErrorNotSupported", "operation not supported"},
};

ErrorText const* find(cudaError_t error) {
  for (ErrorText const& entry : error_texts) {
    if (entry.error == error) return &entry;
  }
  return nullptr;
}

thread_local cudaError_t last_error = cudaSuccess;

}  // namespace

cudaError_t remember(cudaError_t error) {
  // Not ready is an answer; it does not become the last error.
  if (error != cudaSuccess && error != cudaErrorNotReady) last_error = error;
  return error;
}

}  // namespace pantile_interpreter::runtime

using pantile_interpreter::runtime::last_error;

extern "C" cudaError_t cudaGetLastError() { return std::exchange(last_error, cudaSuccess); }
extern "C" cudaError_t cudaPeekAtLastError() { return last_error; }

extern "C" char const* cudaGetErrorName(cudaError_t error) {
  auto const* const entry = pantile_interpreter::runtime::find(error);
  return entry == nullptr ? "unrecognized error code" : entry->name;
}

extern "C" char const* cudaGetErrorString(cudaError_t error) {
  auto const* const entry = pantile_interpreter::runtime::find(error);
  return entry == nullptr ? "unrecognized error code" : entry->text;
}

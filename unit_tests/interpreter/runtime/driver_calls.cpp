// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file  libcuda.so.1: the few entry points of the driver that programs on the runtime call themselves. One context.
#include <cuda.h>

namespace {

CUcontext const the_context = reinterpret_cast<CUcontext>(1);

}  // namespace

extern "C" {

CUresult cuInit(unsigned) { return CUDA_SUCCESS; }
CUresult cuDriverGetVersion(int* version) { return *version = CUDA_VERSION, CUDA_SUCCESS; }
CUresult cuDeviceGetCount(int* count) { return *count = 1, CUDA_SUCCESS; }
CUresult cuDeviceGet(CUdevice* device, int number) {
  *device = 0;
  return number == 0 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_DEVICE;
}
CUresult cuCtxGetCurrent(CUcontext* context) { return *context = the_context, CUDA_SUCCESS; }
CUresult cuCtxGetDevice(CUdevice* device) { return *device = 0, CUDA_SUCCESS; }
CUresult cuCtxPushCurrent(CUcontext) { return CUDA_SUCCESS; }
CUresult cuCtxPopCurrent(CUcontext* context) { return *context = the_context, CUDA_SUCCESS; }
CUresult cuStreamGetCtx(CUstream, CUcontext* context) { return *context = the_context, CUDA_SUCCESS; }
CUresult cuGetErrorName(CUresult error, char const** name) {
  *name = error == CUDA_SUCCESS ? "CUDA_SUCCESS" : "CUDA_ERROR_INVALID_DEVICE";
  return CUDA_SUCCESS;
}

}  // extern "C"

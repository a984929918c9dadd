// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  Number types of 16 bits that the host's compiler has; front ends of device compilers know them in part only.

namespace pantile::impl {

/// Stands for a type that there is not.
struct NoSuchType;

#if defined(__FLT16_MAX__) && !defined(__CUDACC__) && !defined(__HIPCC__) && !defined(__SYCL_DEVICE_ONLY__)
using CompilerHalf = _Float16;  ///< std::float16_t of C++23
#else
using CompilerHalf = NoSuchType;
#endif

#if defined(__BFLT16_MAX__) && !defined(__CUDACC__) && !defined(__HIPCC__) && !defined(__SYCL_DEVICE_ONLY__)
using CompilerBrain = __bf16;  ///< std::bfloat16_t of C++23
#else
using CompilerBrain = NoSuchType;
#endif

}  // namespace pantile::impl

// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  PANTILE_FOR_EACH_SPACE(MACRO, KEYWORD, ELEMENT...): MACRO(KEYWORD, space, ELEMENT...) for each execution
///        space of this Kokkos. The preprocessor is needed: explicit instantiations cannot be made in a loop.

#include <Kokkos_Core.hpp>

#if defined(KOKKOS_ENABLE_SERIAL)
#define PANTILE_FOR_SERIAL(MACRO, KEYWORD, ...) MACRO(KEYWORD, Kokkos::Serial, __VA_ARGS__)
#else
#define PANTILE_FOR_SERIAL(MACRO, KEYWORD, ...)
#endif
#if defined(KOKKOS_ENABLE_OPENMP)
#define PANTILE_FOR_OPENMP(MACRO, KEYWORD, ...) MACRO(KEYWORD, Kokkos::OpenMP, __VA_ARGS__)
#else
#define PANTILE_FOR_OPENMP(MACRO, KEYWORD, ...)
#endif
#if defined(KOKKOS_ENABLE_THREADS)
#define PANTILE_FOR_THREADS(MACRO, KEYWORD, ...) MACRO(KEYWORD, Kokkos::Threads, __VA_ARGS__)
#else
#define PANTILE_FOR_THREADS(MACRO, KEYWORD, ...)
#endif
#if defined(KOKKOS_ENABLE_CUDA)
#define PANTILE_FOR_CUDA(MACRO, KEYWORD, ...) MACRO(KEYWORD, Kokkos::Cuda, __VA_ARGS__)
#else
#define PANTILE_FOR_CUDA(MACRO, KEYWORD, ...)
#endif
#if defined(KOKKOS_ENABLE_HIP)
#define PANTILE_FOR_HIP(MACRO, KEYWORD, ...) MACRO(KEYWORD, Kokkos::HIP, __VA_ARGS__)
#else
#define PANTILE_FOR_HIP(MACRO, KEYWORD, ...)
#endif

#define PANTILE_FOR_EACH_SPACE(MACRO, KEYWORD, ...) \
  PANTILE_FOR_SERIAL(MACRO, KEYWORD, __VA_ARGS__)   \
  PANTILE_FOR_OPENMP(MACRO, KEYWORD, __VA_ARGS__)   \
  PANTILE_FOR_THREADS(MACRO, KEYWORD, __VA_ARGS__)  \
  PANTILE_FOR_CUDA(MACRO, KEYWORD, __VA_ARGS__)     \
  PANTILE_FOR_HIP(MACRO, KEYWORD, __VA_ARGS__)

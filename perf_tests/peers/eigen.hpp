// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  Eigen, in a unit of its own that is compiled with -O3 for the machine that compiles it: it has no choice of
///        instructions at run time. Only where CMake finds it (PANTILE_PERF_EIGEN).

#include <cstddef>
#include <cstdint>
#include <string>

namespace pantile::perf::eigen {

/// Version and how it was compiled.
std::string description();

void set_threads(int threads);

/// C = A B, all contiguous and row-major: float, double and std::complex of both.
template <class T>
void multiply(std::int64_t m, std::int64_t n, std::int64_t k, T const* a, T const* b, T* c);

/// The same of squares whose edge the compiler knows: 4, 8, 16, 24, 32, 48, 100; `count` products that follow each
/// other. False for another edge.
template <class T>
bool multiply_fixed(std::int64_t n, std::size_t count, T const* a, T const* b, T* c);

/// B = A^T, A row-major (m, n): 1- and 2-byte integers, float, double, std::complex<double>.
template <class T>
void transpose(std::int64_t m, std::int64_t n, T const* a, T* b);

}  // namespace pantile::perf::eigen

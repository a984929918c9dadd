// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <peers/eigen.hpp>

#include <Eigen/Core>

#include <complex>

namespace pantile::perf::eigen {

namespace {

template <class T>
using RowMajor = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
template <class T>
using In = Eigen::Map<RowMajor<T> const>;
template <class T>
using Out = Eigen::Map<RowMajor<T>>;

}  // namespace

std::string description() {
  return "Eigen " + std::to_string(EIGEN_WORLD_VERSION) + "." + std::to_string(EIGEN_MAJOR_VERSION) + "." +
         std::to_string(EIGEN_MINOR_VERSION) + ", compiled with " PANTILE_PERF_NATIVE_FLAGS ": " +
         Eigen::SimdInstructionSetsInUse();
}

void set_threads(int threads) { Eigen::setNbThreads(threads); }

template <class T>
void multiply(std::int64_t m, std::int64_t n, std::int64_t k, T const* a, T const* b, T* c) {
  Out<T>(c, m, n).noalias() = In<T>(a, m, k) * In<T>(b, k, n);
}

template <class T>
void transpose(std::int64_t m, std::int64_t n, T const* a, T* b) {
  Out<T>(b, n, m) = In<T>(a, m, n).transpose();
}

template void multiply(std::int64_t, std::int64_t, std::int64_t, float const*, float const*, float*);
template void multiply(std::int64_t, std::int64_t, std::int64_t, double const*, double const*, double*);
template void multiply(std::int64_t, std::int64_t, std::int64_t, std::complex<float> const*, std::complex<float> const*,
                       std::complex<float>*);
template void multiply(std::int64_t, std::int64_t, std::int64_t, std::complex<double> const*,
                       std::complex<double> const*, std::complex<double>*);
template void transpose(std::int64_t, std::int64_t, std::int8_t const*, std::int8_t*);
template void transpose(std::int64_t, std::int64_t, std::int16_t const*, std::int16_t*);
template void transpose(std::int64_t, std::int64_t, float const*, float*);
template void transpose(std::int64_t, std::int64_t, double const*, double*);
template void transpose(std::int64_t, std::int64_t, std::complex<double> const*, std::complex<double>*);

}  // namespace pantile::perf::eigen

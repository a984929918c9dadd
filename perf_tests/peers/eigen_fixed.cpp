// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <peers/eigen.hpp>

#include <Eigen/Core>

namespace pantile::perf::eigen {

namespace {

template <int Edge, class T>
void multiply_squares(std::size_t count, T const* a, T const* b, T* c) {
  using Square = Eigen::Matrix<T, Edge, Edge, Eigen::RowMajor>;
  constexpr std::size_t step = std::size_t(Edge) * Edge;
  for (; count > 0; --count, a += step, b += step, c += step) {
    Eigen::Map<Square>(c).noalias() = Eigen::Map<Square const>(a) * Eigen::Map<Square const>(b);
  }
}

template <class T, int... Edge>
bool multiply_one_of(std::int64_t n, std::size_t count, T const* a, T const* b, T* c) {
  return ((n == Edge && (multiply_squares<Edge>(count, a, b, c), true)) || ...);
}

}  // namespace

template <class T>
bool multiply_fixed(std::int64_t n, std::size_t count, T const* a, T const* b, T* c) {
  return multiply_one_of<T, 4, 8, 16, 24, 32, 48, 100>(n, count, a, b, c);
}

template bool multiply_fixed(std::int64_t, std::size_t, float const*, float const*, float*);
template bool multiply_fixed(std::int64_t, std::size_t, double const*, double const*, double*);

}  // namespace pantile::perf::eigen

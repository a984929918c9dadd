// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  Random operands drawn on the device, the same on every run, and what is asked of them as a whole.

#include <gpu/contest.hpp>
#include <support/random.hpp>

#include <pantile/element.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>
#include <vector>

namespace pantile::perf::gpu {

template <class T, class Layout = Kokkos::LayoutRight>
using Matrix = Kokkos::View<T**, Layout, Exec::memory_space>;
template <class T>
using Vector = Kokkos::View<T*, Exec::memory_space>;

using Range = Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::int64_t>>;

/// Integers of all bit patterns; reals between -1 and 1; complex numbers of two such.
template <class T>
KOKKOS_INLINE_FUNCTION T random_value(std::uint64_t i) {
  if constexpr (std::is_integral_v<T>) {
    return static_cast<T>(random_bits(i) >> 32);
  } else if constexpr (is_complex_v<T>) {
    using Real = typename T::value_type;
    return T(random_value<Real>(2 * i), random_value<Real>(2 * i + 1));
  } else if constexpr (std::is_same_v<T, double>) {
    return static_cast<double>(random_bits(i) >> 11) * 0x1p-52 - 1.0;
  } else {
    return static_cast<T>(static_cast<float>(random_bits(i) >> 40) * 0x1p-23f - 1.0f);
  }
}

template <class T>
struct FillRandom {
  T* data;
  std::uint64_t seed;
  KOKKOS_FUNCTION void operator()(std::int64_t i) const {
    data[i] = random_value<T>((seed << 40) + static_cast<std::uint64_t>(i));
  }
};

/// Of a View without gaps.
template <class View>
void fill_random(View const& view, std::uint64_t seed) {
  using T = typename View::value_type;
  Kokkos::parallel_for("pantile::perf::fill_random", Range(instance(), 0, static_cast<std::int64_t>(view.size())),
                       FillRandom<T>{view.data(), seed});
}

template <class T, class Layout = Kokkos::LayoutRight>
Matrix<T, Layout> make_matrix(std::int64_t rows, std::int64_t cols) {
  return Matrix<T, Layout>(Kokkos::view_alloc(Kokkos::WithoutInitializing, "pantile::perf::matrix"), rows, cols);
}

template <class T>
Vector<T> make_vector(std::int64_t size) {
  return Vector<T>(Kokkos::view_alloc(Kokkos::WithoutInitializing, "pantile::perf::vector"), size);
}

template <class T, class Layout = Kokkos::LayoutRight>
Matrix<T, Layout> random_matrix(std::int64_t rows, std::int64_t cols, std::uint64_t seed) {
  auto const matrix = make_matrix<T, Layout>(rows, cols);
  fill_random(matrix, seed);
  return matrix;
}

/// How many sets of operands of so many bytes keep a call from finding its own in the last-level cache.
inline std::int64_t sets_for(double bytes) {
  constexpr double past_any_cache = 512e6;
  return settings().smoke() ? 2 : static_cast<std::int64_t>(std::clamp(std::ceil(past_any_cache / bytes), 1.0, 8.0));
}

/// A value that no right result has: NaN, or the largest integer.
template <class T>
T spoilt() {
  if constexpr (std::is_integral_v<T>) {
    return std::numeric_limits<T>::max();
  } else if constexpr (is_complex_v<T>) {
    return T(std::numeric_limits<typename T::value_type>::quiet_NaN());
  } else {
    return static_cast<T>(std::numeric_limits<float>::quiet_NaN());
  }
}

template <class View>
void spoil(View const& view) {
  Kokkos::deep_copy(instance(), view, spoilt<typename View::value_type>());
}

/// A copy of so many bytes by the runtime itself: the bound of everything that moves data. In turn between buffers that
/// the caches do not hold together, as the contestants' operands.
class DeviceCopy {
 public:
  explicit DeviceCopy(std::int64_t bytes) {
    for (std::int64_t set = sets_for(2.0 * static_cast<double>(bytes)); set > 0; --set) {
      m_source.push_back(make_vector<char>(bytes));
      m_target.push_back(make_vector<char>(bytes));
      fill_random(m_source.back(), 99);
    }
  }
  void operator()(std::int64_t call) const {
    std::size_t const set = static_cast<std::size_t>(call) % m_source.size();
    Kokkos::deep_copy(instance(), m_target[set], m_source[set]);
  }

 private:
  std::vector<Vector<char>> m_source, m_target;
};

/// Number of i below `size` for which `differs(i)`.
template <class Differs>
std::int64_t count_if(std::int64_t size, Differs const& differs) {
  std::int64_t total = 0;
  Kokkos::parallel_reduce("pantile::perf::count_if", Range(instance(), 0, size), differs, total);
  return total;
}

inline Verdict all_equal(std::int64_t wrong, std::int64_t of) {
  if (wrong == 0) return {};
  return {std::to_string(wrong) + " of " + std::to_string(of) + " elements are wrong", {}};
}

}  // namespace pantile::perf::gpu

// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  Random operands drawn where they lie, the same on every run, and what is asked of results as a whole.

#include <support/contest.hpp>
#include <support/random.hpp>

#include <pantile/element.hpp>

#include <algorithm>
#include <cmath>

/// The library names no 16-bit integer; a user's own specialisation makes one.
template <>
struct pantile::element_traits<std::int16_t> {
  static constexpr char const* name = "int16";
  static constexpr pantile::ElementKind kind = pantile::ElementKind::integer;
  using accumulator_type = std::int32_t;
  using compute_type = std::uint32_t;
};

namespace pantile::perf {

template <class T, class Space = Exec, class Layout = Kokkos::LayoutRight>
using Matrix = Kokkos::View<T**, Layout, typename Space::memory_space>;
template <class T>
using HostMatrix = Matrix<T, Host>;
template <class T, class Space = Exec>
using Vector = Kokkos::View<T*, typename Space::memory_space>;

template <class Space>
using Range = Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>>;

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
template <class Space, class View>
void fill_random(Space const& exec, View const& view, std::uint64_t seed) {
  Kokkos::parallel_for("pantile::perf::fill_random", Range<Space>(exec, 0, static_cast<std::int64_t>(view.size())),
                       FillRandom<typename View::value_type>{view.data(), seed});
}

template <class T, class Space = Exec, class Layout = Kokkos::LayoutRight>
Matrix<T, Space, Layout> make_matrix(std::int64_t rows, std::int64_t cols) {
  return Matrix<T, Space, Layout>(Kokkos::view_alloc(Kokkos::WithoutInitializing, "pantile::perf::matrix"), rows, cols);
}

template <class T, class Space = Exec>
Vector<T, Space> make_vector(std::int64_t size) {
  return Vector<T, Space>(Kokkos::view_alloc(Kokkos::WithoutInitializing, "pantile::perf::vector"), size);
}

template <class T, class Space>
Matrix<T, Space> random_matrix(Space const& exec, std::int64_t rows, std::int64_t cols, std::uint64_t seed) {
  auto const matrix = make_matrix<T, Space>(rows, cols);
  fill_random(exec, matrix, seed);
  return matrix;
}

/// How many sets of operands of so many bytes keep a call on a device from finding its own in the last-level cache.
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

template <class Space, class View>
void spoil(Space const& exec, View const& view) {
  Kokkos::deep_copy(exec, view, spoilt<typename View::value_type>());
}

template <class Differs>
struct CountIf {
  Differs differs;
  KOKKOS_FUNCTION void operator()(std::int64_t i, std::int64_t j, std::int64_t& count) const {
    count += differs(i, j) ? 1 : 0;
  }
};

/// Wrong where `differs(i, j)` for any of so many rows and columns; on a device it is a device's function.
template <class Space, class Differs>
Verdict none_differs(Space const& exec, std::int64_t rows, std::int64_t cols, Differs const& differs) {
  using Elements = Kokkos::MDRangePolicy<Space, Kokkos::Rank<2>, Kokkos::IndexType<std::int64_t>>;
  std::int64_t wrong = 0;
  Kokkos::parallel_reduce("pantile::perf::none_differs", Elements(exec, {0, 0}, {rows, cols}),
                          CountIf<Differs>{differs}, wrong);
  if (wrong == 0) return {};
  return {std::to_string(wrong) + " of " + std::to_string(rows * cols) + " elements are wrong"};
}

template <class ViewA, class ViewB>
struct NotTransposed {
  ViewA a;
  ViewB b;
  KOKKOS_FUNCTION bool operator()(std::int64_t i, std::int64_t j) const { return !(b(i, j) == a(j, i)); }
};

/// Is every b(j, i) = a(i, j)?
template <class Space, class ViewA, class ViewB>
Verdict transposed(Space const& exec, ViewA const& a, ViewB const& b) {
  return none_differs(exec, static_cast<std::int64_t>(b.extent(0)), static_cast<std::int64_t>(b.extent(1)),
                      NotTransposed<ViewA, ViewB>{a, b});
}

}  // namespace pantile::perf

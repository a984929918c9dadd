// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  Host-side matrices for oracles, and Views of every layout made from them and read back.

#include <support/buffer.hpp>

#include <pantile/element.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace pantile::testing {

/// Row-major matrix of plain values: the form in which oracles work.
template <class T>
struct HostMatrix {
  std::size_t rows = 0, cols = 0;
  std::vector<T> values;
  HostMatrix(std::size_t rows_, std::size_t cols_) : rows(rows_), cols(cols_), values(rows_ * cols_) {}
  T& operator()(std::size_t i, std::size_t j) { return values[i * cols + j]; }
  T const& operator()(std::size_t i, std::size_t j) const { return values[i * cols + j]; }
};

/// Uniform in (-1, 1) for real and complex, the whole range for integers. The seed is fixed by the caller.
template <class T>
T random_value(std::mt19937_64& generator) {
  if constexpr (is_complex_v<T>) {
    using Real = typename T::value_type;
    return T(random_value<Real>(generator), random_value<Real>(generator));
  } else if constexpr (is_integer_v<T>) {
    return static_cast<T>(generator());
  } else {
    return static_cast<T>(std::uniform_real_distribution<double>(-1, 1)(generator));
  }
}

template <class T>
HostMatrix<T> random_matrix(std::size_t rows, std::size_t cols, std::uint64_t seed) {
  std::mt19937_64 generator(seed);
  HostMatrix<T> result(rows, cols);
  for (T& value : result.values) value = random_value<T>(generator);
  return result;
}

/// NaN, or the largest integer: what C is filled with where it must not be read.
template <class T>
T poison() {
  if constexpr (is_complex_v<T>) {
    return T(poison<typename T::value_type>(), poison<typename T::value_type>());
  } else if constexpr (is_integer_v<T>) {
    return std::numeric_limits<T>::max();
  } else {
    return static_cast<T>(std::numeric_limits<double>::quiet_NaN());
  }
}

/// \brief  How the View of a test lies in memory.
///  - right, left: contiguous; - padded_right, padded_left: a subview with a longer leading dimension and odd offset;
///  - strided: every second row and third column of a larger View (LayoutStride).
enum class Placement { right, left, padded_right, padded_left, strided };
inline constexpr Placement all_placements[] = {Placement::right, Placement::left, Placement::padded_right,
                                               Placement::padded_left, Placement::strided};

/// A LayoutStride View on the space of Exec, whatever the placement, that keeps its parent alive and can check that the
/// parent's elements outside the View were not written.
template <class T, class Exec>
class Placed {
 public:
  using View = Kokkos::View<T**, Kokkos::LayoutStride, typename Exec::memory_space>;

  Placed(std::string const& label, std::size_t rows, std::size_t cols, Placement placement) {
    bool const left = placement == Placement::left || placement == Placement::padded_left;
    bool const padded = placement == Placement::padded_left || placement == Placement::padded_right;
    std::size_t const row_step = placement == Placement::strided ? 2 : 1;
    std::size_t const col_step = placement == Placement::strided ? 3 : 1;
    m_offset = padded || placement == Placement::strided ? 1 : 0;
    std::size_t const ld = left ? rows + (padded ? 3 : 0) : cols * col_step + (padded ? 3 : 0);
    m_row_stride = left ? 1 : ld * row_step;
    m_col_stride = left ? ld : col_step;
    std::size_t const span = (left ? ld * cols : ld * row_step * rows) + m_offset;
    m_span = span;
    m_parent = Buffer(label, span * sizeof(T),
                      std::is_same_v<typename Exec::memory_space, Kokkos::DefaultHostExecutionSpace::memory_space>);
    m_parent.write(std::vector<T>(span, guard()).data());
    T* const data = static_cast<T*>(m_parent.data());
    m_view =
        View(data == nullptr ? nullptr : data + m_offset, Kokkos::LayoutStride(rows, m_row_stride, cols, m_col_stride));
  }

  /// Placed matrix with these values.
  Placed(std::string const& label, HostMatrix<T> const& values, Placement placement)
      : Placed(label, values.rows, values.cols, placement) {
    assign(values);
  }

  [[nodiscard]] View const& view() const { return m_view; }

  void assign(HostMatrix<T> const& values) {
    auto parent = read_parent();
    for (std::size_t i = 0; i < values.rows; ++i) {
      for (std::size_t j = 0; j < values.cols; ++j) parent[position(i, j)] = values(i, j);
    }
    m_parent.write(parent.data());
  }

  /// Read back; call after a fence.
  [[nodiscard]] HostMatrix<T> values() const {
    HostMatrix<T> result(m_view.extent(0), m_view.extent(1));
    auto const parent = read_parent();
    for (std::size_t i = 0; i < result.rows; ++i) {
      for (std::size_t j = 0; j < result.cols; ++j) result(i, j) = parent[position(i, j)];
    }
    return result;
  }

  /// True if no element of the parent outside the View has changed.
  [[nodiscard]] bool surroundings_intact() const {
    auto const parent = read_parent();
    std::vector<bool> inside(parent.size(), false);
    for (std::size_t i = 0; i < m_view.extent(0); ++i) {
      for (std::size_t j = 0; j < m_view.extent(1); ++j) inside[position(i, j)] = true;
    }
    for (std::size_t p = 0; p < inside.size(); ++p) {
      if (!inside[p] && !(parent[p] == guard())) return false;
    }
    return true;
  }

 private:
  static T guard() { return T(77); }
  [[nodiscard]] std::size_t position(std::size_t i, std::size_t j) const {
    return m_offset + i * m_row_stride + j * m_col_stride;
  }
  [[nodiscard]] std::vector<T> read_parent() const {
    std::vector<T> parent(m_span);
    m_parent.read(parent.data());
    return parent;
  }

  std::size_t m_offset = 0, m_row_stride = 1, m_col_stride = 1;
  std::size_t m_span = 0;
  Buffer m_parent;
  View m_view;
};

}  // namespace pantile::testing

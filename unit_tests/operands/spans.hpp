// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  mdspans for tests: those that the compiler and Kokkos have, and one of our own, which is always there.

#include <support/matrices.hpp>

#include <pantile/mdspan.hpp>

#include <array>
#include <complex>
#include <cstddef>
#include <type_traits>
#include <vector>
#if defined(__has_include)
#if __has_include(<mdspan>)
#include <mdspan>
#endif
#endif

namespace pantile::testing {

/// What an mdspan with strides needs to have at least.
template <class T, std::size_t Rank = 2>
struct PlainSpan {
  using element_type = T;
  using extents_type = std::array<std::size_t, Rank>;
  using accessor_type = void;
  using reference = T&;
  static constexpr std::size_t rank() { return Rank; }
  static constexpr bool is_always_strided() { return true; }
  [[nodiscard]] T* data_handle() const { return data; }
  [[nodiscard]] std::size_t extent(std::size_t r) const { return extents[r]; }
  [[nodiscard]] std::size_t stride(std::size_t r) const { return strides[r]; }

  T* data = nullptr;
  extents_type extents{}, strides{};
};

/// A matrix of numbers, of std::complex where T is one, row by row, with room behind each row.
template <class T>
struct Rows {
  using Element =
      std::conditional_t<is_complex_v<T>, std::complex<typename impl::RealOf<T>::type>, std::remove_const_t<T>>;

  explicit Rows(HostMatrix<T> const& from, std::size_t padding = 0)
      : rows(from.rows), cols(from.cols), stride(from.cols + padding), values(rows * stride) {
    for (std::size_t i = 0; i < rows; ++i) {
      for (std::size_t j = 0; j < cols; ++j) {
        if constexpr (is_complex_v<T>) {
          values[i * stride + j] = {from(i, j).real(), from(i, j).imag()};
        } else {
          values[i * stride + j] = from(i, j);
        }
      }
    }
  }
  [[nodiscard]] PlainSpan<Element> span() { return {values.data(), {rows, cols}, {stride, 1}}; }
  [[nodiscard]] PlainSpan<Element const> const_span() const { return {values.data(), {rows, cols}, {stride, 1}}; }
  [[nodiscard]] HostMatrix<T> matrix() const {
    HostMatrix<T> result(rows, cols);
    for (std::size_t i = 0; i < rows; ++i) {
      for (std::size_t j = 0; j < cols; ++j) result(i, j) = T(values[i * stride + j]);
    }
    return result;
  }

  std::size_t rows, cols, stride;
  std::vector<Element> values;
};

}  // namespace pantile::testing

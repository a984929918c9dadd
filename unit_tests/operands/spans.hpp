// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  mdspans for tests: those that the compiler and Kokkos have, and one of our own, which is always there.

#include <support/matrices.hpp>

#include <pantile/mdspan.hpp>

#include <gtest/gtest.h>
#include <Kokkos_Core.hpp>

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

// Where an mdspan comes from: its types, and a matrix of rows that are a stride apart.
struct PlainSpans {
  template <class T>
  static PlainSpan<T> matrix(T* data, std::size_t rows, std::size_t cols, std::size_t stride) {
    return {data, {rows, cols}, {stride, 1}};
  }
};
#if defined(__cpp_lib_mdspan)
struct StandardMdspan {
  template <class T, class Extents, class Layout = std::layout_right>
  using Span = std::mdspan<T, Extents, Layout>;
  template <class Index, std::size_t... Known>
  using Extents = std::extents<Index, Known...>;
  template <class Index, std::size_t Rank>
  using AnyExtents = std::dextents<Index, Rank>;
  using Left = std::layout_left;
  using Strided = std::layout_stride;

  template <class T>
  static auto matrix(T* data, std::size_t rows, std::size_t cols, std::size_t stride) {
    using Two = AnyExtents<std::size_t, 2>;
    return Span<T, Two, Strided>(data, Strided::mapping<Two>(Two(rows, cols), std::array{stride, std::size_t{1}}));
  }
};
#endif
#if defined(KOKKOS_ENABLE_IMPL_MDSPAN)
struct KokkosMdspan {
  template <class T, class Extents, class Layout = Kokkos::layout_right>
  using Span = Kokkos::mdspan<T, Extents, Layout>;
  template <class Index, std::size_t... Known>
  using Extents = Kokkos::extents<Index, Known...>;
  template <class Index, std::size_t Rank>
  using AnyExtents = Kokkos::dextents<Index, Rank>;
  using Left = Kokkos::layout_left;
  using Strided = Kokkos::layout_stride;

  template <class T>
  static auto matrix(T* data, std::size_t rows, std::size_t cols, std::size_t stride) {
    using Two = AnyExtents<std::size_t, 2>;
    return Span<T, Two, Strided>(data, Strided::mapping<Two>(Two(rows, cols), std::array{stride, std::size_t{1}}));
  }
};
#endif

template <class... Kinds>
struct ListOfKinds {
  using AndPlainSpans = ::testing::Types<PlainSpans, Kinds...>;
  using Alone = ::testing::Types<Kinds...>;
};
#if defined(__cpp_lib_mdspan) && defined(KOKKOS_ENABLE_IMPL_MDSPAN)
using Mdspans = ListOfKinds<StandardMdspan, KokkosMdspan>;
#elif defined(__cpp_lib_mdspan)
using Mdspans = ListOfKinds<StandardMdspan>;
#elif defined(KOKKOS_ENABLE_IMPL_MDSPAN)
using Mdspans = ListOfKinds<KokkosMdspan>;
#else
using Mdspans = ListOfKinds<>;
#define PANTILE_TEST_NO_MDSPAN
#endif

/// A matrix of numbers, of std::complex where T is one, row by row, with room behind each row.
template <class T, class Kind = PlainSpans>
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
  [[nodiscard]] auto span() { return Kind::template matrix<Element>(values.data(), rows, cols, stride); }
  [[nodiscard]] auto const_span() const {
    return Kind::template matrix<Element const>(values.data(), rows, cols, stride);
  }
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

// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  Matrices of more than 2^31 elements, for tests that are skipped where the memory is not there.

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <exception>
#include <fstream>
#include <limits>
#include <string>

namespace pantile::testing {

/// Bytes that the host can give out without swapping; unlimited where the system does not say.
inline std::int64_t available_host_bytes() {
  std::ifstream info("/proc/meminfo");
  std::string word;
  while (info >> word) {
    std::int64_t kilobytes = 0;
    if (word == "MemAvailable:" && info >> kilobytes) return kilobytes * 1024;
  }
  return std::numeric_limits<std::int64_t>::max();
}

/// An uninitialised matrix, or a null View when there is no room for `copies` of it and another gigabyte.
template <class View>
View large_matrix(std::int64_t rows, std::int64_t cols, int copies) {
  std::int64_t const bytes = rows * cols * static_cast<std::int64_t>(sizeof(typename View::value_type));
  if (available_host_bytes() < copies * bytes + (std::int64_t{1} << 30)) return {};
  try {
    return View(Kokkos::view_alloc("large", Kokkos::WithoutInitializing), rows, cols);
  } catch (std::exception const&) {
    return {};
  }
}

/// A value that tells its place: neighbours differ, and so do places that 32-bit offsets would confuse.
KOKKOS_INLINE_FUNCTION std::int8_t large_value(std::int64_t i, std::int64_t j) {
  auto const mixed = static_cast<std::uint32_t>(i) * 2654435761U + static_cast<std::uint32_t>(j) * 2246822519U;
  return static_cast<std::int8_t>(mixed >> 24U);
}

/// Element (i, j) = value(i, j).
template <class View, class Value>
void large_fill(View const& view, Value const& value) {
  auto const cols = static_cast<std::int64_t>(view.extent(1));
  Kokkos::parallel_for(
      "large_fill", Kokkos::RangePolicy<typename View::execution_space>(0, view.extent(0)),
      KOKKOS_LAMBDA(std::int64_t i) {
        for (std::int64_t j = 0; j < cols; ++j) view(i, j) = value(i, j);
      });
}

/// Number of elements (i, j) that are not value(i, j).
template <class View, class Value>
std::int64_t large_mismatches(View const& view, Value const& value) {
  auto const cols = static_cast<std::int64_t>(view.extent(1));
  std::int64_t mismatches = 0;
  Kokkos::parallel_reduce(
      "large_mismatches", Kokkos::RangePolicy<typename View::execution_space>(0, view.extent(0)),
      KOKKOS_LAMBDA(std::int64_t i, std::int64_t & sum) {
        std::int64_t bad = 0;
        for (std::int64_t j = 0; j < cols; ++j) bad += view(i, j) == value(i, j) ? 0 : 1;
        sum += bad;
      },
      mismatches);
  return mismatches;
}

/// large_value at (i, j), and at (j, i).
struct LargeValue {
  KOKKOS_INLINE_FUNCTION std::int8_t operator()(std::int64_t i, std::int64_t j) const { return large_value(i, j); }
};
struct LargeValueTransposed {
  KOKKOS_INLINE_FUNCTION std::int8_t operator()(std::int64_t i, std::int64_t j) const { return large_value(j, i); }
};

}  // namespace pantile::testing

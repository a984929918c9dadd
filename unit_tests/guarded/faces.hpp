// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  Views of guarded matrices, and every algorithm that a face takes.

#include <support/guarded.hpp>
#include <support/isa.hpp>

#include <pantile/error.hpp>
#include <pantile/policy.hpp>

#include <gtest/gtest.h>
#include <Kokkos_Core.hpp>

#include <vector>

namespace pantile::testing {

using Host = Kokkos::DefaultHostExecutionSpace;
template <class T>
using HostView = Kokkos::View<T**, Kokkos::LayoutStride, Kokkos::HostSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
template <class T>
using HostVector = Kokkos::View<T*, Kokkos::LayoutStride, Kokkos::HostSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;

template <class T>
HostView<T> view(GuardedMatrix<T> const& m) {
  return HostView<T>(m.data(), Kokkos::LayoutStride(m.rows, m.strides.row, m.cols, m.strides.col));
}
/// The rows of a matrix of one column.
template <class T>
HostVector<T> vector_view(GuardedMatrix<T> const& m) {
  return HostVector<T>(m.data(), Kokkos::LayoutStride(m.rows, m.strides.row));
}

/// Row by row, column by column, and neither, with gaps between.
inline std::vector<Strides> all_strides(std::size_t rows, std::size_t cols) {
  return {{cols, 1}, {cols + 3, 1}, {1, rows}, {1, rows + 1}, {3 * cols + 1, 3}};
}

/// \brief  The algorithms that a call accepts: whether explain(algorithm) throws tells which. A new one takes part by
///         itself.
template <class Algorithm, class Explain>
std::vector<Algorithm> accepted(Explain const& explain) {
  std::vector<Algorithm> result;
  for (int i = 0; is_enumerator(static_cast<Algorithm>(i)); ++i) {
    auto const algorithm = static_cast<Algorithm>(i);
    try {
      explain(algorithm);
      result.push_back(algorithm);
    } catch (Error const&) {
      continue;
    }
  }
  return result;
}

class GuardedFaces : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!GuardedMemory::available()) GTEST_SKIP() << "this system has no inaccessible pages";
  }
};

}  // namespace pantile::testing

// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  What the transpose tests share: shapes around the active tile, the oracle, one call compared with it.

#include <support/matcher.hpp>
#include <support/matrices.hpp>
#include <support/spaces.hpp>

#include <pantile/transpose.hpp>

#include <string>
#include <vector>

namespace pantile::testing {

inline constexpr TransposeAlgorithm transpose_algorithms[] = {TransposeAlgorithm::automatic, TransposeAlgorithm::naive,
                                                              TransposeAlgorithm::tiled, TransposeAlgorithm::padded};

struct Shape {
  std::size_t rows, cols;
};

inline std::string to_string(Shape const& s) { return std::to_string(s.rows) + "x" + std::to_string(s.cols); }

/// Do so many bytes fit into a team's scratch? Hosts have other memory besides, devices refuse the call.
template <class Exec>
bool fits_scratch(Exec const& exec, std::size_t bytes) {
  auto const machine = impl::arch::machine(exec);
  return !machine.device || bytes + impl::tile::scratch_alignment <= machine.scratch_limit[0];
}

/// Edge of the tile that the policy takes for matrices larger than any tile.
template <class Exec, class T>
std::size_t active_edge(Exec const& exec, TransposeOptions options) {
  constexpr impl::Index large = 1 << 20;
  options.algorithm = TransposeAlgorithm::tiled;
  impl::transpose::Problem<T> const problem{
      {nullptr, large, large, large, 1}, {nullptr, large, large, 1, large}, false, false};
  auto const query = impl::transpose::make_query<impl::arch::Current<Exec>>(problem, options);
  return static_cast<std::size_t>(impl::transpose::choose(impl::arch::machine(exec), query).tile);
}

/// 0, 1, edge - 1, edge, edge + 1, 2 edge + 3 in each direction, prime, tall and wide.
inline std::vector<Shape> shapes_around(std::size_t edge) {
  std::vector<Shape> shapes{{37, 41}, {1009, 3}, {3, 1009}, {1009, 1}, {1, 1009}};
  std::vector<std::size_t> const around{0, 1, edge - 1, edge, edge + 1, 2 * edge + 3};
  for (std::size_t const rows : around) {
    for (std::size_t const cols : around) shapes.push_back({rows, cols});
  }
  return shapes;
}

template <class T>
HostMatrix<T> transposed(HostMatrix<T> const& x, bool conjugated = false) {
  HostMatrix<T> result(x.cols, x.rows);
  for (std::size_t i = 0; i < x.rows; ++i) {
    for (std::size_t j = 0; j < x.cols; ++j) result(j, i) = conjugated ? conjugate(x(i, j)) : x(i, j);
  }
  return result;
}

/// Matrix of poison: what a result is filled with before the call.
template <class T>
HostMatrix<T> poisoned(std::size_t rows, std::size_t cols) {
  HostMatrix<T> result(rows, cols);
  for (T& value : result.values) value = poison<T>();
  return result;
}

/// B = A^T from one placement to another: B must be equal to the oracle, A as it was, nothing around B written.
template <class Exec, class T>
void expect_transposed(Exec const& exec, HostMatrix<T> const& a, Placement from, Placement to,
                       TransposeOptions const& options) {
  Placed<T, Exec> const A("A", a, from), B("B", poisoned<T>(a.cols, a.rows), to);
  pantile::transpose(exec, A.view(), B.view(), options);
  exec.fence();
  EXPECT_TRUE(equal(B.values(), transposed(a, options.conjugate)));
  EXPECT_TRUE(B.surroundings_intact());
  EXPECT_TRUE(equal(A.values(), a));
}

/// A = A^T in place.
template <class Exec, class T>
void expect_transposed_in_place(Exec const& exec, HostMatrix<T> const& a, Placement placement,
                                TransposeOptions const& options) {
  Placed<T, Exec> const A("A", a, placement);
  pantile::transpose(exec, A.view(), options);
  exec.fence();
  EXPECT_TRUE(equal(A.values(), transposed(a, options.conjugate)));
  EXPECT_TRUE(A.surroundings_intact());
}

}  // namespace pantile::testing

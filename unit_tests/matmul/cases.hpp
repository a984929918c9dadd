// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  What the matmul tests share: shapes around the active tile, scalars, one call compared with the oracle.

#include <support/matcher.hpp>
#include <support/matrices.hpp>
#include <support/operators.hpp>
#include <support/oracle.hpp>
#include <support/spaces.hpp>

#include <pantile/config.hpp>
#include <pantile/matmul.hpp>

#include <string>
#include <vector>

namespace pantile::testing {

struct Shape {
  std::size_t m, n, k;
};

inline std::string to_string(Shape const& s) {
  return std::to_string(s.m) + "x" + std::to_string(s.n) + "x" + std::to_string(s.k);
}

/// Pantile's own algorithms, all of which take any call.
inline constexpr MatmulAlgorithm own_algorithms[] = {MatmulAlgorithm::automatic, MatmulAlgorithm::naive,
                                                     MatmulAlgorithm::grid_stride, MatmulAlgorithm::tiled};

/// Tile that the policy takes for operands larger than any tile.
template <class Exec, class T>
MatmulTile active_tile(Exec const& exec, MatmulOptions options = {}) {
  constexpr impl::Index large = 1 << 20;
  options.algorithm = MatmulAlgorithm::tiled;
  impl::matmul::Problem<T, T, T, T> const problem{{nullptr, large, large, large, 1},
                                                  {nullptr, large, large, large, 1},
                                                  {nullptr, large, large, large, 1},
                                                  false,
                                                  false,
                                                  T(1),
                                                  T(0)};
  auto const query = impl::matmul::make_query<impl::arch::Current<Exec>>(problem, options);
  return impl::matmul::choose(impl::arch::with_caches(impl::arch::machine(exec)), query).tile;
}

/// 0, 1, edge - 1, edge, edge + 1, 2 edge + 3 in each direction and in all of them, prime, tall, wide and deep.
inline std::vector<Shape> shapes_around(MatmulTile const& tile) {
  std::vector<Shape> shapes{{1, 1, 1}, {37, 41, 43}, {499, 3, 2}, {3, 499, 7}, {2, 3, 1009}, {8, 128, 8}};
  auto const around = [](int edge) {
    auto const e = static_cast<std::size_t>(edge);
    return std::vector<std::size_t>{0, 1, e - 1, e, e + 1, 2 * e + 3};
  };
  for (std::size_t const m : around(tile.m)) shapes.push_back({m, 17, 5});
  for (std::size_t const n : around(tile.n)) shapes.push_back({5, n, 17});
  for (std::size_t const k : around(tile.k)) shapes.push_back({17, 5, k});
  for (std::size_t const at : {2U, 3U, 4U, 5U}) {
    shapes.push_back({around(tile.m)[at], around(tile.n)[at], around(tile.k)[at]});
  }
  return shapes;
}

/// A scalar with all its parts in use: complex where T is.
template <class T>
T scalar(int real, int imag) {
  if constexpr (is_complex_v<T>) {
    return T(static_cast<typename T::value_type>(real), static_cast<typename T::value_type>(imag));
  } else {
    return T(real);
  }
}

/// Random operands of one call and what must come out.
template <class T>
struct Call {
  HostMatrix<T> a, b, c;  // as stored: before op_a, op_b
  T alpha, beta;
  Reference<T> reference;

  Call(Shape s, T alpha_, T beta_, Op op_a = Op::none, Op op_b = Op::none, std::uint64_t seed = 1)
      : a(random_operand<T>(op_a, s.m, s.k, seed)),
        b(random_operand<T>(op_b, s.k, s.n, seed + 1)),
        c(random_matrix<T>(s.m, s.n, seed + 2)),
        alpha(alpha_),
        beta(beta_),
        reference(reference_matmul(alpha, apply(op_a, a), apply(op_b, b), beta, c)) {}
  explicit Call(Shape s) : Call(s, scalar<T>(2, -1), scalar<T>(3, 2)) {}
};

/// Where the three operands of a call lie.
struct Placements {
  Placement a = Placement::right, b = Placement::right, c = Placement::right;
};

inline std::string to_string(Placements const& at) {
  auto const one = [](Placement p) { return std::to_string(static_cast<int>(p)); };
  return "placements " + one(at.a) + one(at.b) + one(at.c);
}

/// The i-th of all 125 triples.
inline Placements placements(std::size_t i) {
  return {all_placements[i % 5], all_placements[i / 5 % 5], all_placements[i / 25 % 5]};
}

/// Run the call on this instance; C must be right and nothing around it written.
template <class Exec, class T>
void expect_right(Exec const& exec, Call<T> const& call, MatmulOptions const& options, Placements const& at = {}) {
  Placed<T, Exec> const A("A", call.a, at.a), B("B", call.b, at.b), C("C", call.c, at.c);
  pantile::matmul(exec, call.alpha, A.view(), B.view(), call.beta, C.view(), options);
  exec.fence();
  EXPECT_TRUE(within(C.values(), call.reference.values, call.reference.bound));
  EXPECT_TRUE(C.surroundings_intact());
}

}  // namespace pantile::testing

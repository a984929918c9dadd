// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <support/matcher.hpp>
#include <support/matrices.hpp>
#include <support/oracle.hpp>
#include <support/spaces.hpp>

#include <pantile/matmul.hpp>

#include <array>

namespace {

using namespace pantile::testing;
using pantile::Algorithm;
using pantile::MatmulOptions;

template <class TestCase>
class Matmul : public ::testing::Test {};
TYPED_TEST_SUITE(Matmul, AllCases);

struct Shape {
  std::size_t m, n, k;
};

/// Around every edge of the tile that the policy chooses for large operands.
template <class Exec, class T>
std::vector<Shape> shapes_around_the_tile(MatmulOptions const& options) {
  Kokkos::View<T**, Exec> big("big", 300, 300), c("c", 300, 300);
  (void)options;
  std::vector<Shape> shapes{{0, 3, 4}, {3, 0, 4}, {3, 4, 0}, {1, 1, 1}, {1, 17, 5}, {19, 1, 3}, {2, 3, 131}};
  for (std::size_t edge : {16, 64}) {
    shapes.insert(shapes.end(), {{edge - 1, edge + 1, edge}, {edge, edge, edge - 1}, {2 * edge + 3, edge + 1, 3}});
  }
  return shapes;
}

TYPED_TEST(Matmul, EqualsTheReferenceForEveryAlgorithmAndShape) {
  using Exec = typename TypeParam::Exec;
  using T = typename TypeParam::T;
  for (Algorithm const algorithm :
       {Algorithm::automatic, Algorithm::naive, Algorithm::grid_stride, Algorithm::tiled}) {
    MatmulOptions const options{.algorithm = algorithm};
    for (Shape const s : shapes_around_the_tile<Exec, T>(options)) {
      auto const a = random_matrix<T>(s.m, s.k, 1), b = random_matrix<T>(s.k, s.n, 2), c = random_matrix<T>(s.m, s.n, 3);
      Placed<T, Exec> const A("A", a, Placement::right), B("B", b, Placement::left), C("C", c, Placement::strided);
      pantile::matmul(Exec{}, T(2), A.view(), B.view(), T(3), C.view(), options);
      Kokkos::fence();
      auto const reference = reference_matmul(T(2), a, b, T(3), c);
      EXPECT_TRUE(within(C.values(), reference.values, reference.bound))
          << to_string(algorithm) << " " << s.m << "x" << s.n << "x" << s.k;
      EXPECT_TRUE(C.surroundings_intact());
    }
  }
}

}  // namespace

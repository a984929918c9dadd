// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <support/matcher.hpp>
#include <support/matrices.hpp>
#include <support/operators.hpp>
#include <support/oracle.hpp>

#include <team/launch.hpp>

#include <pantile/team/load_store.hpp>
#include <pantile/team/loops.hpp>
#include <pantile/team/matmul.hpp>

#include <gmock/gmock.h>

#include <cstdint>
#include <vector>

namespace {

using namespace pantile::testing;
using pantile::MatmulTile;
using pantile::team::MatmulScratch;
using pantile::team::ScratchTile;

template <class T>
class TeamMatmul : public ::testing::Test {};
using TeamElements = ::testing::Types<float, std::int32_t, Kokkos::complex<double>>;
TYPED_TEST_SUITE(TeamMatmul, TeamElements);

/// One team computes the whole product.
template <class T>
struct Multiply {
  typename Placed<T, TeamExec>::View a, b, c;
  T alpha, beta;
  MatmulTile tile;
  pantile::KernelMatmulOptions options{};
  KOKKOS_FUNCTION void operator()(TeamMember const& member) const {
    MatmulScratch<T> const scratch(member, tile);
    pantile::team::matmul(member, alpha, a, b, beta, c, scratch, options);
  }
};

struct Shape {
  std::size_t m, n, k;
};

/// None, one, less and more than the tile, itself, several with edges. By the tile's measure: threads of a team wait
/// for each other at every step of a tile, and asleep (Kokkos' barriers soon yield) each waits for its core where
/// others want it too.
std::vector<Shape> shapes_around(MatmulTile const& tile) {
  auto const m = static_cast<std::size_t>(tile.m), n = static_cast<std::size_t>(tile.n),
             k = static_cast<std::size_t>(tile.k);
  return {{0, 3, 2}, {3, 3, 0}, {1, 1, 1}, {m - 1, n + 1, k}, {m, n, k}, {m + 2, n + 1, 2 * k + 1}};
}

TYPED_TEST(TeamMatmul, EqualsTheReferenceForEveryShapeTileAndTeam) {
  using T = TypeParam;
  for (int const size : team_sizes()) {
    for (MatmulTile const tile : {MatmulScratch<T>::default_tile, MatmulTile{5, 7, 3}, MatmulTile{1, 1, 1}}) {
      for (Shape const s : shapes_around(tile)) {
        auto const a = random_matrix<T>(s.m, s.k, 1), b = random_matrix<T>(s.k, s.n, 2),
                   c = random_matrix<T>(s.m, s.n, 3);
        for (Placement const placement : {Placement::right, Placement::padded_left, Placement::strided}) {
          Placed<T, TeamExec> const A("A", a, placement), B("B", b, Placement::right), C("C", c, placement);
          run_teams(1, size, MatmulScratch<T>::bytes(tile),
                    Multiply<T>{A.view(), B.view(), C.view(), T(2), T(3), tile});
          auto const reference = reference_matmul(T(2), a, b, T(3), c);
          EXPECT_TRUE(within(C.values(), reference.values, reference.bound)) << s.m << "x" << s.n << "x" << s.k;
          EXPECT_TRUE(C.surroundings_intact());
        }
      }
    }
  }
}

TYPED_TEST(TeamMatmul, TakesEachOperator) {
  using T = TypeParam;
  MatmulTile const tile{4, 3, 5};
  auto const c = random_matrix<T>(6, 5, 3);
  for (int const size : team_sizes()) {
    for (pantile::Op const op_a : all_ops) {
      for (pantile::Op const op_b : all_ops) {
        auto const a = random_operand<T>(op_a, 6, 7, 1), b = random_operand<T>(op_b, 7, 5, 2);
        auto const expected = reference_matmul(T(2), apply(op_a, a), apply(op_b, b), T(3), c);
        Placed<T, TeamExec> const A("A", a, Placement::right), B("B", b, Placement::padded_left),
            C("C", c, Placement::right);
        run_teams(1, size, MatmulScratch<T>::bytes(tile),
                  Multiply<T>{A.view(), B.view(), C.view(), T(2), T(3), tile, {op_a, op_b}});
        EXPECT_TRUE(within(C.values(), expected.values, expected.bound))
            << static_cast<int>(op_a) << static_cast<int>(op_b);
        EXPECT_TRUE(C.surroundings_intact());
      }
    }
  }
}

TYPED_TEST(TeamMatmul, DoesNotReadWhatIsMultipliedByZero) {
  using T = TypeParam;
  auto const a = random_matrix<T>(9, 5, 1), b = random_matrix<T>(5, 6, 2), c = random_matrix<T>(9, 6, 3);
  HostMatrix<T> bad_a(9, 5), bad_c(9, 6);
  for (T& value : bad_a.values) value = poison<T>();
  for (T& value : bad_c.values) value = poison<T>();
  MatmulTile const tile{4, 4, 4};
  auto const product = reference_matmul(T(1), a, b, T(0), c), scaled = reference_matmul(T(0), a, b, T(3), c);
  for (int const size : team_sizes()) {
    for (Placement const placement : {Placement::right, Placement::left}) {
      Placed<T, TeamExec> const A("A", a, Placement::right), Bad("A", bad_a, Placement::right),
          B("B", b, Placement::right), C("C", bad_c, placement), D("D", c, placement);
      run_teams(1, size, MatmulScratch<T>::bytes(tile), Multiply<T>{A.view(), B.view(), C.view(), T(1), T(0), tile});
      EXPECT_TRUE(within(C.values(), product.values, product.bound));
      run_teams(1, size, MatmulScratch<T>::bytes(tile), Multiply<T>{Bad.view(), B.view(), D.view(), T(0), T(3), tile});
      EXPECT_TRUE(within(D.values(), scaled.values, scaled.bound));
    }
  }
}

/// D = (A B) B with the intermediate in a scratch tile and A read through one; a batch of them, one per team.
struct MultiplyTwice {
  Placed<double, TeamExec>::View a, b, d;  // a and d: teams below each other, 6 rows each
  KOKKOS_FUNCTION void operator()(TeamMember const& member) const {
    MatmulScratch<double> const scratch(member, {4, 4, 4});
    ScratchTile<double> const left(member, 6, 6, 1), between(member, 6, 6, 1);
    std::int64_t const first = 6 * member.league_rank();
    pantile::team::load_tile(member, a, first, 0, left);
    member.team_barrier();
    pantile::team::matmul(member, 1, left, b, 0, between, scratch);
    pantile::team::matmul(member, 1.0, between, b, 0.0, left, scratch);
    pantile::team::store_tile(member, left, d, first, 0);
  }
};

TEST(TeamMatmulInScratch, TakesTilesForViews) {
  auto const a = random_matrix<double>(18, 6, 1), b = random_matrix<double>(6, 6, 2);
  HostMatrix<double> const none18(18, 6);
  auto const ab = reference_matmul(1.0, a, b, 0.0, none18);
  auto const abb = reference_matmul(1.0, ab.values, b, 0.0, none18);
  for (int const size : team_sizes()) {
    Placed<double, TeamExec> const A("A", a, Placement::right), B("B", b, Placement::left),
        D("D", 18, 6, Placement::strided);
    run_teams(3, size, MatmulScratch<double>::bytes({4, 4, 4}) + 2 * ScratchTile<double>::bytes(6, 6, 1),
              MultiplyTwice{A.view(), B.view(), D.view()});
    HostMatrix<double> bound(18, 6);
    for (double& value : bound.values) value = 1e-13;  // two products of 6 terms below 1
    EXPECT_TRUE(within(D.values(), abb.values, bound));
    EXPECT_TRUE(D.surroundings_intact());
  }
}

/// Products of half the width of the accumulator.
struct MultiplyBytes {
  Placed<std::int8_t, TeamExec>::View a, b;
  Placed<std::int32_t, TeamExec>::View c;
  KOKKOS_FUNCTION void operator()(TeamMember const& member) const {
    MatmulScratch<std::int32_t> const scratch(member);
    pantile::team::matmul(member, 1, a, b, 0, c, scratch);
  }
};

TEST(TeamMatmulAccumulator, IsThatOfTheScratch) {
  constexpr MatmulTile tile = MatmulScratch<std::int32_t>::default_tile;
  constexpr auto m = static_cast<std::size_t>(tile.m) + 1, n = static_cast<std::size_t>(tile.n) + 2,
                 k = std::size_t{200};
  auto const a = random_matrix<std::int8_t>(m, k, 1), b = random_matrix<std::int8_t>(k, n, 2);
  HostMatrix<std::int32_t> expected(m, n);
  for (std::size_t i = 0; i < m; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      for (std::size_t p = 0; p < k; ++p) expected(i, j) += a(i, p) * b(p, j);
    }
  }
  Placed<std::int8_t, TeamExec> const A("A", a, Placement::right), B("B", b, Placement::right);
  for (int const size : team_sizes()) {
    Placed<std::int32_t, TeamExec> const C("C", m, n, Placement::right);
    run_teams(1, size, MatmulScratch<std::int32_t>::bytes(), MultiplyBytes{A.view(), B.view(), C.view()});
    EXPECT_TRUE(equal(C.values(), expected));
    EXPECT_TRUE(C.surroundings_intact());
  }
}

}  // namespace

// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file  Every error exit of matmul: its rule, its operands, the caller's place, and C as it was.
#include <matmul/cases.hpp>

#include <initializer_list>
#include <limits>
#include <optional>
#include <source_location>

namespace {

using namespace pantile::testing;
using Algorithm = pantile::MatmulAlgorithm;
using pantile::MatmulOptions;
using pantile::Op;
using ::testing::AllOf;
using ::testing::HasSubstr;
using Exec = Kokkos::DefaultExecutionSpace;
using View = Kokkos::View<double**, Kokkos::LayoutRight, Exec>;

/// What the call throws; matmul and explain must refuse alike and leave C alone.
template <class ViewA, class ViewB, class ViewC>
pantile::Error refusal(ViewA const& a, ViewB const& b, ViewC const& c, MatmulOptions const& options = {},
                       std::source_location where = std::source_location::current()) {
  std::optional<pantile::Error> refused, explained;
  try {
    pantile::matmul(Exec{}, 1.0, a, b, 0.0, c, options, where);
  } catch (pantile::Error const& error) {
    refused = error;
  }
  try {
    (void)pantile::explain::matmul(Exec{}, 1.0, a, b, 0.0, c, options, where);
  } catch (pantile::Error const& error) {
    explained = error;
  }
  EXPECT_TRUE(refused.has_value()) << "accepted";
  EXPECT_TRUE(explained.has_value()) << "explained";
  if (!refused || !explained) return pantile::Error("none", "accepted", "", where);
  EXPECT_STREQ(refused->what(), explained->what());
  EXPECT_EQ(refused->operation(), "matmul");
  EXPECT_EQ(refused->where().line(), where.line());
  return *refused;
}

class MatmulErrors : public ::testing::Test {
 protected:
  MatmulErrors() { Kokkos::deep_copy(c, 5.0); }
  ~MatmulErrors() override {
    auto const host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace{}, c);
    for (std::size_t i = 0; i < 3; ++i) {
      for (std::size_t j = 0; j < 5; ++j) EXPECT_EQ(host(i, j), 5.0) << "C was written";
    }
  }
  View const a{"left", 3, 4}, b{"right", 4, 5}, c{"result", 3, 5};
  View const null_a{nullptr, 3, 4}, null_b{nullptr, 4, 5}, null_c{nullptr, 3, 5};
};

TEST_F(MatmulErrors, TheTextNamesOperationRuleOperandsAndPlace) {
  std::string const text = refusal(a, a, c).what();
  EXPECT_THAT(text, ::testing::StartsWith("pantile::matmul: columns of op(A) (4) must equal rows of op(B) (3); "));
  EXPECT_THAT(text, HasSubstr("A 'left' 3x4 strides (4,1), B 'left' 3x4 strides (4,1), C 'result' 3x5 strides (5,1)"));
  EXPECT_THAT(text, ::testing::ContainsRegex("\\[called from .*test_errors\\.cpp:[0-9]+\\]"));
  EXPECT_THAT(text, ::testing::Not(HasSubstr("\n")));
}

TEST_F(MatmulErrors, InnerExtents) {
  EXPECT_EQ(refusal(a, b, c, {.op_a = Op::transpose}).rule(), "columns of op(A) (3) must equal rows of op(B) (4)");
  EXPECT_EQ(refusal(a, b, c, {.op_b = Op::conjugate_transpose}).rule(),
            "columns of op(A) (4) must equal rows of op(B) (5)");
}

TEST_F(MatmulErrors, ResultExtents) {
  View const wrong_rows("c", 4, 5), wrong_cols("c", 3, 4);
  EXPECT_EQ(refusal(a, b, wrong_rows).rule(), "C must be 3x5 (rows of op(A) by columns of op(B))");
  EXPECT_EQ(refusal(a, b, wrong_cols).rule(), "C must be 3x5 (rows of op(A) by columns of op(B))");
}

TEST_F(MatmulErrors, NullOperands) {
  EXPECT_EQ(refusal(null_a, b, c).rule(), "A must not be null: its View has extents but no memory");
  EXPECT_EQ(refusal(a, null_b, c).rule(), "B must not be null: its View has extents but no memory");
  EXPECT_EQ(refusal(a, b, null_c).rule(), "C must not be null: its View has extents but no memory");
}

TEST_F(MatmulErrors, COverlapsAnOperand) {
  View const square("square", 4, 4), other("other", 4, 4);
  EXPECT_EQ(refusal(square, other, square).rule(), "C must not overlap A: they share memory");
  EXPECT_EQ(refusal(other, square, square).rule(), "C must not overlap B: they share memory");
  View const big("big", 9, 9);
  auto const part = [&](int i, int j) { return Kokkos::subview(big, std::pair(i, i + 4), std::pair(j, j + 4)); };
  EXPECT_EQ(refusal(part(0, 0), square, part(3, 3)).rule(), "C must not overlap A: they share memory");
  EXPECT_EQ(refusal(square, part(3, 3), part(0, 0)).rule(), "C must not overlap B: they share memory");
  // By columns, where they meet in A's last one.
  Kokkos::View<double**, Kokkos::LayoutLeft, Exec> const wide("wide", 4, 7);
  auto const cols = [&](int j) { return Kokkos::subview(wide, Kokkos::ALL, std::pair(j, j + 4)); };
  EXPECT_EQ(refusal(cols(0), square, cols(3)).rule(), "C must not overlap A: they share memory");
  EXPECT_EQ(refusal(square, cols(0), cols(3)).rule(), "C must not overlap B: they share memory");
  // Side by side in one parent is no overlap, though their address ranges cross.
  EXPECT_NO_THROW(pantile::matmul(1.0, part(0, 0), part(4, 0), 0.0, part(0, 4)));
}

TEST_F(MatmulErrors, COverlapsItself) {
  using Strided = Kokkos::View<double**, Kokkos::LayoutStride, Exec>;
  Kokkos::View<double*, Exec> const memory("memory", 64);
  auto const strided = [&](std::size_t row, std::size_t col) {
    return Strided(memory.data(), Kokkos::LayoutStride(3, row, 5, col));
  };
  for (auto const& bad :
       {strided(0, 1), strided(1, 0), strided(0, 0), strided(1, 1), strided(4, 1), strided(2, 1), strided(3, 2)}) {
    EXPECT_EQ(refusal(a, b, bad).rule(), "C must not overlap itself: two of its elements share memory");
  }
  for (auto const& good : {strided(5, 1), strided(1, 3), strided(7, 2), strided(5, 3)}) {
    EXPECT_NO_THROW(pantile::matmul(1.0, a, b, 0.0, good));
  }
}

TEST_F(MatmulErrors, TileEdges) {
  for (auto const& tile : std::initializer_list<pantile::MatmulTile>{{-1, 0, 0}, {0, -16, 0}, {16, 16, -1}}) {
    EXPECT_EQ(refusal(a, b, c, {.algorithm = Algorithm::tiled, .tile = tile}).rule(),
              "tile edges must not be negative");
  }
  EXPECT_EQ(refusal(a, b, c, {.algorithm = Algorithm::tiled, .tile = {1, 1, std::numeric_limits<int>::max()}}).rule(),
            "tile edges must not exceed 1048576");
  // Whether the algorithm asks for tiles or not.
  for (Algorithm const algorithm : {Algorithm::automatic, Algorithm::naive, Algorithm::grid_stride}) {
    for (auto const& tile :
         std::initializer_list<pantile::MatmulTile>{{(1 << 20) + 1, 0, 0}, {0, 1 << 21, 0}, {1, 1, 1 << 30}}) {
      EXPECT_EQ(refusal(a, b, c, {.algorithm = algorithm, .tile = tile}).rule(), "tile edges must not exceed 1048576");
    }
    EXPECT_EQ(refusal(a, b, c, {.algorithm = algorithm, .tile = {1, 1, 1}}).rule(),
              std::string("tile is for algorithm tiled, not ") + to_string(algorithm));
  }
}

TEST_F(MatmulErrors, OptionsOfOtherAlgorithms) {
  EXPECT_EQ(refusal(a, b, c, {.launch = {{1, 1}, {1, 1}}}).rule(),
            "launch is for algorithm grid_stride, not automatic");
  EXPECT_EQ(refusal(a, b, c, {.algorithm = Algorithm::naive, .precision = pantile::Precision::tf32}).rule(),
            "precision is for algorithm automatic or blocked, not naive");
  EXPECT_NO_THROW(pantile::explain::matmul(1.0, a, b, 0.0, c, {.precision = pantile::Precision::tf32}));
}

TEST_F(MatmulErrors, OperatorsThatAreNone) {
  auto const none = static_cast<pantile::Op>(77), negative = static_cast<pantile::Op>(-1);
  EXPECT_EQ(refusal(a, b, c, {.op_a = none}).rule(),
            "op_a must be none, transpose, conjugate or conjugate_transpose, not 77");
  EXPECT_EQ(refusal(a, b, c, {.op_b = negative}).rule(),
            "op_b must be none, transpose, conjugate or conjugate_transpose, not -1");
}

TEST_F(MatmulErrors, PrecisionThatIsNone) {
  EXPECT_EQ(refusal(a, b, c, {.precision = static_cast<pantile::Precision>(3)}).rule(),
            "precision must be full, three_tf32 or tf32, not 3");
}

TEST_F(MatmulErrors, ExplainedLaunchesHaveWork) {
  pantile::MatmulOptions const options{.algorithm = Algorithm::grid_stride, .launch = {{7, 1}, {2, 9}}};
  auto const e = pantile::explain::matmul(1.0, a, b, 0.0, c, options);
  EXPECT_EQ(e.league_size, static_cast<std::size_t>((c.extent(1) + 1) / 2));
  EXPECT_EQ(e.team_size, static_cast<int>(2 * c.extent(0)));
}

TEST_F(MatmulErrors, ATileBeyondScratchIsNamedWithTheLimit) {
  int const level = pantile::impl::arch::Current<Exec>::scratch_levels - 1;
  std::string const limit = std::to_string(Kokkos::TeamPolicy<Exec>::scratch_size_max(level));
  // Few threads even with one output each, but panels that no scratch holds.
  EXPECT_THAT(refusal(a, b, c, {.algorithm = Algorithm::tiled, .tile = {4, 8, 1 << 20}}).rule(),
              AllOf(HasSubstr("tile 4x8x1048576 needs "), HasSubstr(" bytes of team scratch, the limit is " + limit)));
  // The caller's edges are named, also where C's layout makes us compute its transpose.
  Kokkos::View<double**, Kokkos::LayoutLeft, Exec> const left("c", 3, 5);
  EXPECT_THAT(refusal(a, b, left, {.algorithm = Algorithm::tiled, .tile = {4, 8, 1 << 20}}).rule(),
              HasSubstr("tile 4x8x1048576 needs "));
}

TEST_F(MatmulErrors, LaunchEdges) {
  for (auto const& launch : std::initializer_list<pantile::LaunchShape>{{{-1, 1}, {1, 1}},
                                                                        {{1, -1}, {1, 1}},
                                                                        {{1, 1}, {-1, 1}},
                                                                        {{1, 1}, {1, -1}},
                                                                        {{0, 1}, {1, 1}},
                                                                        {{1, 0}, {1, 1}},
                                                                        {{1, 1}, {0, 1}},
                                                                        {{1, 1}, {1, 0}}}) {
    EXPECT_EQ(refusal(a, b, c, {.algorithm = Algorithm::grid_stride, .launch = launch}).rule(),
              "launch edges must be positive, or zero in pairs to be chosen");
  }
  EXPECT_EQ(refusal(a, b, c, {.algorithm = Algorithm::grid_stride, .launch = {{1, 1}, {1 << 16, 1 << 15}}}).rule(),
            "a launch block must not have more than 2147483647 threads");
}

TEST_F(MatmulErrors, AlgorithmsThatAreNone) {
  std::string const known = "algorithm must be automatic, naive, grid_stride, tiled, blocked or vendor, not ";
  EXPECT_EQ(refusal(a, b, c, {.algorithm = static_cast<Algorithm>(6)}).rule(), known + "6");
  // Also where there would be nothing to do.
  View const empty("empty", 0, 4), nothing("nothing", 0, 5);
  EXPECT_EQ(refusal(empty, b, nothing, {.algorithm = static_cast<Algorithm>(-1)}).rule(), known + "-1");
}

TEST_F(MatmulErrors, TheVendorIsNamedWhereItIsMissing) {
#if !PANTILE_ENABLE_KOKKOS_KERNELS()
  EXPECT_EQ(refusal(a, b, c, {.algorithm = Algorithm::vendor}).rule(),
            "algorithm vendor needs a Pantile built with Kokkos Kernels (Pantile_ENABLE_KOKKOS_KERNELS)");
#endif
}

TEST_F(MatmulErrors, IsAnInvalidArgument) { EXPECT_THROW(pantile::matmul(1.0, a, a, 0.0, c), std::invalid_argument); }

}  // namespace

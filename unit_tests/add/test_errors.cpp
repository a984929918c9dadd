// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file  Every way in which add refuses, in its words; C stays as it was. And what explain says of accepted calls.
#include <add/cases.hpp>
#include <support/refusal.hpp>

#include <gmock/gmock.h>

#include <utility>

namespace {

using namespace pantile::testing;
using pantile::add;
using Algorithm = pantile::AddAlgorithm;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;

using View = Kokkos::View<double**, Kokkos::LayoutRight>;
using Range = std::pair<int, int>;

TEST(AddErrors, Shapes) {
  View const x("x", 3, 4), y("y", 4, 3);
  char const* const rule = "pantile::add: A, B and C must have the same extents";
  EXPECT_THAT(refusal([&] { add(1, y, 1, x, x); }),
              AllOf(StartsWith(rule), HasSubstr("A 'y' 4x3 strides (3,1), B 'x' 3x4 strides (4,1), C 'x' 3x4"),
                    HasSubstr("test_errors.cpp")));
  EXPECT_THAT(refusal([&] { add(1, x, 1, y, x); }), StartsWith(rule));
  EXPECT_THAT(refusal([&] { add(1, x, 1, x, y); }), StartsWith(rule));
  EXPECT_THAT(refusal([&] { pantile::explain::add(1, x, 1, x, y); }), StartsWith(rule));
}

TEST(AddErrors, NullViews) {
  View const x("x", 3, 4);
  Kokkos::View<double**, Kokkos::LayoutRight, Kokkos::MemoryUnmanaged> const none(nullptr, 3, 4);
  EXPECT_THAT(refusal([&] { add(1, none, 1, x, x); }), HasSubstr("A must not be null"));
  EXPECT_THAT(refusal([&] { add(1, x, 1, none, x); }), HasSubstr("B must not be null"));
  EXPECT_THAT(refusal([&] { add(1, x, 1, x, none); }), HasSubstr("C must not be null"));
  View const empty;
  EXPECT_EQ(refusal([&] { add(1, empty, 1, empty, empty); }), "accepted");
}

TEST(AddErrors, Aliasing) {
  View const P("P", 8, 8), x("x", 4, 4);
  auto const part = [&](Range rows, Range cols) { return Kokkos::subview(P, rows, cols); };
  auto const corner = part({0, 4}, {0, 4});
  EXPECT_THAT(refusal([&] {
                add(1, corner, 1, x, part({1, 5}, {1, 5}));
              }),
              HasSubstr("C must be exactly A or not overlap it: they share memory"));
  EXPECT_THAT(refusal([&] {
                add(1, x, 1, corner, part({0, 4}, {3, 7}));
              }),
              HasSubstr("C must be exactly B or not overlap it: they share memory"));
  EXPECT_THAT(refusal([&] {
                add(0, corner, 1, x, part({1, 5}, {1, 5}));
              }),
              HasSubstr("C must be exactly A"))
      << "whether A is read makes no difference";
  Kokkos::View<double**, Kokkos::LayoutLeft, Kokkos::MemoryUnmanaged> const transposed(P.data(), 8, 8);
  EXPECT_THAT(refusal([&] { add(1, transposed, 1, P, P); }), HasSubstr("C must be exactly A"));
  EXPECT_EQ(refusal([&] { add(1, corner, 1, x, part({0, 4}, {4, 8})); }), "accepted");
  EXPECT_EQ(refusal([&] { add(1, corner, 1, part({2, 6}, {2, 6}), x); }), "accepted") << "A and B may overlap";
  Kokkos::View<double**, Kokkos::LayoutStride> const broadcast(x.data(), Kokkos::LayoutStride(4, 0, 4, 1));
  EXPECT_THAT(refusal([&] { add(1, corner, 1, corner, broadcast); }), HasSubstr("C must not overlap itself"));
  EXPECT_EQ(refusal([&] { add(1, broadcast, 1, corner, corner); }), "accepted");
  Kokkos::fence();
}

TEST(AddErrors, Options) {
  View const x("x", 3, 4);
  EXPECT_THAT(refusal([&] { add(1, x, 1, x, x, {.algorithm = static_cast<Algorithm>(77)}); }),
              HasSubstr("algorithm must be automatic, naive, grid_stride, tiled or blocked, not 77"));
  EXPECT_THAT(refusal([&] {
                add(1, x, 1, x, x, {.algorithm = Algorithm::blocked, .tile = {4, 4}});
              }),
              HasSubstr("tile is for algorithm automatic or naive or tiled, not blocked"));
  EXPECT_THAT(refusal([&] {
                add(1, x, 1, x, x, {.launch = {{1, 1}, {1, 1}}});
              }),
              HasSubstr("launch is for algorithm grid_stride, not automatic"));
  EXPECT_THAT(refusal([&] { add(1, x, 1, x, x, {.tile = {-1, 2}}); }), HasSubstr("tile edges must not be negative"));
  EXPECT_THAT(refusal([&] { add(1, x, 1, x, x, {.tile = {2, -1}}); }), HasSubstr("tile edges must not be negative"));
  EXPECT_THAT(refusal([&] {
                add(1, x, 1, x, x, {.launch = {{1, 0}, {1, 1}}});
              }),
              HasSubstr("launch edges must be positive, or zero in pairs to be chosen"));
  EXPECT_THAT(refusal([&] {
                add(1, x, 1, x, x, {.algorithm = Algorithm::naive, .tile = {100'000, 100'000}});
              }),
              HasSubstr("tile 100000x100000 needs 10000000000 "));
}

TEST(AddErrors, NothingIsWritten) {
  using Exec = Kokkos::DefaultExecutionSpace;
  auto const c = random_matrix<double>(9, 9, 1);
  Placed<double, Exec> const A("A", c, Placement::right), C("C", c, Placement::right);
  EXPECT_NE(
      refusal([&] { add(Exec{}, 2, A.view(), 2, A.view(), C.view(), {.algorithm = static_cast<Algorithm>(77)}); }),
      "accepted");
  EXPECT_NE(refusal([&] { add(Exec{}, 2, A.view(), 2, A.view(), C.view(), {.tile = {-1, 0}}); }), "accepted");
  Kokkos::fence();
  EXPECT_TRUE(equal(C.values(), c));
}

TEST(AddExplained, OperationsAndBytesFollowWhatIsRead) {
  View const x("x", 10, 20), y("y", 10, 20);
  Kokkos::View<Kokkos::complex<float>**> const z("z", 10, 20);
  auto const both = pantile::explain::add(2, x, 3, y, x);
  EXPECT_THAT(both.path, ::testing::MatchesRegex("pantile::add\\[[a-z_]+,[a-z]+,double\\]"));
  EXPECT_EQ(both.operation, "add");
  EXPECT_EQ(both.flops, 3.0 * 200);
  EXPECT_EQ(both.bytes, 3.0 * 200 * 8);
  auto const one = pantile::explain::add(0, x, 3, y, x);
  EXPECT_EQ(one.flops, 1.0 * 200);
  EXPECT_EQ(one.bytes, 2.0 * 200 * 8);
  auto const none = pantile::explain::add(0, x, 0, y, x);
  EXPECT_EQ(none.flops, 0.0);
  EXPECT_EQ(none.bytes, 1.0 * 200 * 8);
  EXPECT_EQ(pantile::explain::add(1, z, 1, z, z).flops, 14.0 * 200);
}

TEST(AddExplained, EdgesAreTheCallers) {
  Kokkos::View<double**, Kokkos::LayoutLeft> const left("left", 100, 200);
  auto const tiled = pantile::explain::add(1, left, 1, left, left, {.algorithm = Algorithm::naive, .tile = {4, 16}});
  EXPECT_EQ(tiled.tile, "4x16");
  auto const strided =
      pantile::explain::add(1, left, 1, left, left, {.algorithm = Algorithm::grid_stride, .launch = {{2, 3}, {4, 5}}});
  EXPECT_EQ(strided.tile, "4x5 threads");
  EXPECT_EQ(strided.league_size, 6U);
  EXPECT_EQ(strided.team_size, 20);
  // Of 30 rows of blocks, 20 have rows to do.
  auto const cut =
      pantile::explain::add(1, left, 1, left, left, {.algorithm = Algorithm::grid_stride, .launch = {{2, 30}, {4, 5}}});
  EXPECT_EQ(cut.league_size, 40U);
  EXPECT_EQ(cut.team_size, 20);
}

}  // namespace

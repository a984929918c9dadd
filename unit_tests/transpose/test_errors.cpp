// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file  Every way in which transpose refuses, in its words; B stays as it was.
#include <support/matcher.hpp>
#include <support/refusal.hpp>
#include <transpose/cases.hpp>

#include <gmock/gmock.h>

#include <utility>

namespace {

using namespace pantile::testing;
using Algorithm = pantile::TransposeAlgorithm;
using pantile::transpose;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;

using View = Kokkos::View<double**, Kokkos::LayoutRight>;
using Strided = Kokkos::View<double**, Kokkos::LayoutStride>;
using Range = std::pair<int, int>;

TEST(TransposeErrors, Shapes) {
  View const A("A", 3, 4), B("B", 3, 4);
  EXPECT_THAT(refusal([&] { transpose(A, B); }),
              AllOf(StartsWith("pantile::transpose: B must be 4x3 (columns of A by rows of A); "
                               "A 'A' 3x4 strides (4,1), B 'B' 3x4 strides (4,1) [called from "),
                    HasSubstr("test_errors.cpp")));
  EXPECT_THAT(refusal([&] { transpose(A); }), HasSubstr("A must be square to be transposed in place, it is 3x4"));
  EXPECT_THAT(refusal([&] { pantile::explain::transpose(A, B); }), HasSubstr("B must be 4x3"));
  EXPECT_THAT(refusal([&] { pantile::explain::transpose(A); }), HasSubstr("A must be square"));
}

TEST(TransposeErrors, NullViews) {
  View const A("A", 3, 4), B("B", 4, 3);
  Kokkos::View<double**, Kokkos::LayoutRight, Kokkos::MemoryUnmanaged> const none(nullptr, 3, 4), none_t(nullptr, 4, 3),
      none_square(nullptr, 3, 3);
  EXPECT_THAT(refusal([&] { transpose(none, B); }), HasSubstr("A must not be null"));
  EXPECT_THAT(refusal([&] { transpose(A, none_t); }), HasSubstr("B must not be null"));
  EXPECT_THAT(refusal([&] { transpose(none_square); }), HasSubstr("A must not be null"));
  EXPECT_EQ(refusal([&] { transpose(View("A", 0, 4), View("B", 4, 0)); }), "accepted");
}

TEST(TransposeErrors, Aliasing) {
  View const P("P", 8, 8);
  auto const part = [&](Range rows, Range cols) { return Kokkos::subview(P, rows, cols); };
  char const* const rule =
      "B must be exactly A, or A's memory seen as columns by rows where both are dense, or not "
      "overlap A: they share memory";
  EXPECT_THAT(refusal([&] { transpose(part({0, 4}, {0, 4}), part({3, 7}, {3, 7})); }), HasSubstr(rule));
  EXPECT_THAT(refusal([&] { transpose(part({0, 1}, {0, 8}), part({0, 8}, {0, 1})); }), HasSubstr(rule));
  EXPECT_THAT(refusal([&] { transpose(part({0, 3}, {0, 8}), View(P.data() + 1, 8, 3)); }), HasSubstr(rule));
  EXPECT_THAT(refusal([&] { transpose(part({0, 3}, {0, 7}), View(P.data(), 7, 3)); }), HasSubstr(rule));
  EXPECT_EQ(refusal([&] { transpose(part({0, 3}, {0, 8}), View(P.data(), 8, 3)); }), "accepted");
  EXPECT_EQ(refusal([&] { transpose(part({0, 4}, {0, 4}), part({0, 4}, {4, 8})); }), "accepted");
  EXPECT_EQ(refusal([&] { transpose(part({0, 4}, {0, 4}), part({0, 4}, {0, 4})); }), "accepted");
  Kokkos::fence();
}

TEST(TransposeErrors, SelfOverlap) {
  View const A("A", 4, 4), memory("memory", 4, 4);
  Strided const broadcast(memory.data(), Kokkos::LayoutStride(4, 0, 4, 1));
  EXPECT_THAT(refusal([&] { transpose(A, broadcast); }), HasSubstr("B must not overlap itself"));
  EXPECT_THAT(refusal([&] { transpose(broadcast); }), HasSubstr("A must not overlap itself"));
  EXPECT_EQ(refusal([&] { transpose(broadcast, A); }), "accepted") << "a source may repeat itself";
  Kokkos::fence();
}

TEST(TransposeErrors, Options) {
  View const A("A", 100, 100), B("B", 100, 100);
  auto const none = static_cast<Algorithm>(77);
  char const* const known = "algorithm must be automatic, naive, tiled, padded or blocked, not 77";
  EXPECT_THAT(refusal([&] { transpose(A, B, {.algorithm = none}); }), HasSubstr(known));
  EXPECT_THAT(refusal([&] { transpose(A, {.algorithm = none}); }), HasSubstr(known));
  for (Algorithm const algorithm : {Algorithm::naive, Algorithm::blocked}) {
    EXPECT_THAT(
        refusal([&] { transpose(A, B, {.algorithm = algorithm, .tile = 32}); }),
        HasSubstr(std::string("tile is for algorithm automatic or tiled or padded, not ") + to_string(algorithm)));
    EXPECT_THAT(refusal([&] { transpose(A, {.algorithm = algorithm, .rows_per_thread = 2}); }),
                HasSubstr("rows_per_thread is for algorithm automatic or tiled or padded, not "));
  }
  if (!pantile::impl::arch::Current<Kokkos::DefaultExecutionSpace>::device) {
    for (Algorithm const algorithm : {Algorithm::automatic, Algorithm::tiled, Algorithm::padded}) {
      EXPECT_THAT(refusal([&] { transpose(A, B, {.algorithm = algorithm, .rows_per_thread = 2}); }),
                  HasSubstr("rows_per_thread is for devices: on hosts a thread moves whole tiles"));
    }
  }
  char const* const negative = "tile and rows_per_thread must not be negative";
  EXPECT_THAT(refusal([&] { transpose(A, B, {.tile = -1}); }), HasSubstr(negative));
  EXPECT_THAT(refusal([&] { transpose(A, B, {.rows_per_thread = -1}); }), HasSubstr(negative));
  EXPECT_THAT(refusal([&] { transpose(A, {.tile = -1}); }), HasSubstr(negative));
  EXPECT_THAT(refusal([&] { transpose(A, B, {.algorithm = Algorithm::tiled, .tile = 2'000'000}); }),
              HasSubstr("tile edges must not exceed 1048576"));
  EXPECT_THAT(refusal([&] { transpose(A, B, {.algorithm = Algorithm::tiled, .tile = 1'000'000}); }),
              HasSubstr("tile 1000000x1000000 needs 8000000000016 bytes of team scratch, the limit is "));
  EXPECT_THAT(refusal([&] { transpose(A, {.algorithm = Algorithm::padded, .tile = 1'000'000}); }),
              HasSubstr("tile 1000000x1000000 needs 16000016000016 bytes of team scratch"));
}

TEST(TransposeErrors, NothingIsWritten) {
  using Exec = Kokkos::DefaultExecutionSpace;
  auto const b = random_matrix<double>(100, 100, 1);
  Placed<double, Exec> const A("A", b, Placement::right), B("B", b, Placement::right);
  EXPECT_NE(refusal([&] { transpose(Exec{}, A.view(), B.view(), {.algorithm = Algorithm::tiled, .tile = 1'000'000}); }),
            "accepted");
  EXPECT_NE(refusal([&] { transpose(Exec{}, A.view(), B.view(), {.algorithm = static_cast<Algorithm>(77)}); }),
            "accepted");
  Kokkos::fence();
  EXPECT_TRUE(equal(B.values(), b));
}

}  // namespace

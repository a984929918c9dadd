// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <support/matcher.hpp>
#include <support/matrices.hpp>
#include <support/spaces.hpp>
#include <support/tool_events.hpp>

#include <pantile/fill.hpp>

#include <gmock/gmock.h>

#include <cstdint>
#include <initializer_list>
#include <limits>
#include <string>

namespace {

using namespace pantile::testing;
using Algorithm = pantile::FillAlgorithm;
using pantile::Coordinates;
using pantile::FillOptions;
using ::testing::HasSubstr;

/// Different for every element of the shapes tested.
struct Numbered {
  KOKKOS_FUNCTION std::int64_t operator()(std::int64_t row, std::int64_t col) const { return 1000 * row + col + 1; }
};

struct Sum {
  KOKKOS_FUNCTION int operator()(int row, int col) const { return row + col; }
};

template <class TestCase>
class Fill : public ::testing::Test {};
TYPED_TEST_SUITE(Fill, AllCases);

TYPED_TEST(Fill, GivesEveryElementItsCoordinates) {
  using Exec = typename TypeParam::Exec;
  using T = typename TypeParam::T;
  struct Shape {
    std::size_t rows, cols;
  };
  for (Algorithm const algorithm : {Algorithm::automatic, Algorithm::naive, Algorithm::grid_stride}) {
    for (Shape const s : std::initializer_list<Shape>{
             {0, 3}, {3, 0}, {1, 1}, {1, 131}, {131, 1}, {31, 33}, {32, 32}, {67, 65}, {2, 4099}}) {
      HostMatrix<T> expected(s.rows, s.cols);
      for (std::size_t i = 0; i < s.rows; ++i) {
        for (std::size_t j = 0; j < s.cols; ++j) expected(i, j) = T(static_cast<float>(1000 * i + j + 1));
      }
      for (Placement const placement : all_placements) {
        HostMatrix<T> const before(s.rows, s.cols);
        Placed<T, Exec> const C("C", before, placement);
        pantile::fill(Exec{}, C.view(), Numbered{}, {.algorithm = algorithm});
        Kokkos::fence();
        EXPECT_TRUE(equal(C.values(), expected)) << to_string(algorithm) << " " << s.rows << "x" << s.cols;
        EXPECT_TRUE(C.surroundings_intact());
      }
    }
  }
}

TYPED_TEST(Fill, GivesOneValueToAll) {
  using Exec = typename TypeParam::Exec;
  using T = typename TypeParam::T;
  for (Placement const placement : all_placements) {
    HostMatrix<T> poisoned(19, 7), expected(19, 7), three(19, 7);
    for (T& value : poisoned.values) value = poison<T>();
    for (T& value : expected.values) value = T(2);
    for (T& value : three.values) value = T(3);
    Placed<T, Exec> const C("C", poisoned, placement);
    pantile::fill(Exec{}, C.view(), T(2));
    Kokkos::fence();
    EXPECT_TRUE(equal(C.values(), expected));
    pantile::fill(C.view(), 3, {.algorithm = Algorithm::grid_stride, .launch = {.grid = {2, 3}, .block = {4, 1}}});
    Kokkos::fence();
    EXPECT_TRUE(equal(C.values(), three));
    EXPECT_TRUE(C.surroundings_intact());
  }
}

using Exec = Kokkos::DefaultExecutionSpace;

/// The array that the notebook prints for add_2D_coordinates with stride: 11 x 5 by a 3 x 2 grid of 3 x 2 threads.
TEST(FillByThread, ReproducesTheNotebook) {
  int const printed[11][5] = {{0, 1, 2, 3, 4}, {1, 2, 3, 4, 5}, {2, 3, 4, 5, 6}, {3, 4, 5, 6, 7},
                              {0, 1, 2, 3, 4}, {1, 2, 3, 4, 5}, {2, 3, 4, 5, 6}, {3, 4, 5, 6, 7},
                              {0, 1, 2, 3, 4}, {1, 2, 3, 4, 5}, {2, 3, 4, 5, 6}};
  HostMatrix<std::int32_t> expected(11, 5);
  for (std::size_t i = 0; i < 11; ++i) {
    for (std::size_t j = 0; j < 5; ++j) expected(i, j) = printed[i][j];
  }
  FillOptions const notebook{.algorithm = Algorithm::grid_stride,
                             .launch = {.grid = {3, 2}, .block = {3, 2}},
                             .coordinates = Coordinates::thread};
  for (Placement const placement : all_placements) {
    Placed<std::int32_t, Exec> const A("A", 11, 5, placement);
    pantile::fill(Exec{}, A.view(), Sum{}, notebook);
    Kokkos::fence();
    EXPECT_TRUE(equal(A.values(), expected));
    EXPECT_TRUE(A.surroundings_intact());
  }
  Placed<std::int32_t, Exec> const wide("A", 5, 11, Placement::right);
  pantile::fill(wide.view(), Sum{}, {.launch = notebook.launch, .coordinates = Coordinates::thread});
  Kokkos::fence();
  for (std::size_t i = 0; i < 5; ++i) {
    for (std::size_t j = 0; j < 11; ++j) {
      EXPECT_EQ(wide.values()(i, j), static_cast<int>(i % 4 + j % 9)) << i << "," << j;
    }
  }
}

TEST(FillByThread, OfAsManyThreadsAsElementsIsByElement) {
  Placed<std::int32_t, Exec> const A("A", 4, 4, Placement::left), B("B", 4, 4, Placement::right);
  pantile::fill(A.view(), Sum{}, {.algorithm = Algorithm::naive, .coordinates = Coordinates::thread});
  pantile::fill(B.view(), Sum{}, {.launch = {.grid = {2, 2}, .block = {2, 2}}, .coordinates = Coordinates::thread});
  Kokkos::fence();
  EXPECT_TRUE(equal(A.values(), B.values()));
  EXPECT_EQ(A.values()(3, 2), 5);
}

TEST(FillOfOneColumn, ReachesBeyond32Bits) {
  // The elements of this column lie 2^31 apart.
  std::size_t const stride = std::size_t{1} << 31;
  Kokkos::View<std::int8_t*, Exec> const storage(Kokkos::view_alloc("storage", Kokkos::WithoutInitializing),
                                                 2 * stride + 1);
  using View = Kokkos::View<std::int8_t**, Kokkos::LayoutStride, typename Exec::memory_space>;
  View const column(storage.data(), Kokkos::LayoutStride(3, stride, 1, 1));
  pantile::fill(column, Sum{});
  for (std::size_t i = 0; i < 3; ++i) {
    std::int8_t value = -1;
    Kokkos::deep_copy(value, Kokkos::subview(storage, i * stride));
    EXPECT_EQ(value, static_cast<std::int8_t>(i));
  }
}

TEST(FillCalls, LaunchOneKernelOnTheCallersInstanceAndNothingElse) {
  auto const instances = Kokkos::Experimental::partition_space(Exec{}, 1, 1);
  Placed<double, Exec> const C("C", 33, 17, Placement::right);
  pantile::fill(instances[1], C.view(), 1.0);
  pantile::fill(instances[1], C.view(), 1.0, {.algorithm = Algorithm::grid_stride});
  Kokkos::fence();
  using Kind = ToolEvents::Kind;
  ToolEvents const events;
  pantile::fill(instances[1], C.view(), 1.0);
  pantile::fill(instances[1], C.view(), 1.0, {.algorithm = Algorithm::grid_stride});
  EXPECT_EQ(events.count(Kind::fence), 0u);
  EXPECT_EQ(events.count(Kind::allocation), 0u);
  EXPECT_EQ(events.count(Kind::deep_copy), 0u);
  auto const kernels = events.of(Kind::kernel);
  ASSERT_EQ(kernels.size(), 2u);
  EXPECT_THAT(kernels[0].label, HasSubstr("pantile::fill[naive,"));
  EXPECT_THAT(kernels[1].label, HasSubstr("pantile::fill[grid_stride,"));
  EXPECT_EQ(kernels[0].device, device_of(instances[1]));
  EXPECT_EQ(kernels[1].device, device_of(instances[1]));
  Kokkos::fence();
}

template <class F>
std::string error_of(F const& call) {
  try {
    call();
  } catch (pantile::Error const& error) {
    EXPECT_EQ(error.operation(), "fill");
    return error.what();
  }
  return "no error";
}

TEST(FillErrors, NameTheRule) {
  Placed<float, Exec> const C("C", 4, 3, Placement::right);
  auto const call = [&](FillOptions const& options) {
    return error_of([&] { pantile::fill(C.view(), 1.0F, options); });
  };
  EXPECT_THAT(call({.algorithm = static_cast<Algorithm>(3)}),
              HasSubstr("algorithm must be automatic, naive or grid_stride, not 3; C '' 4x3 strides (3,1)"));
  EXPECT_THAT(call({.launch = {.grid = {-1, 1}}}),
              HasSubstr("launch edges must be positive, or zero in pairs to be chosen"));
  EXPECT_THAT(error_of([&] {
                pantile::explain::fill(Exec{}, C.view(), 1.0F, {.launch = {.block = {1, 0}}});
              }),
              HasSubstr("launch edges must be positive"));
  using View = Kokkos::View<float**, Kokkos::LayoutStride, typename Exec::memory_space>;
  View const null(nullptr, Kokkos::LayoutStride(2, 1, 2, 2));
  EXPECT_THAT(error_of([&] { pantile::fill(null, 1.0F); }), HasSubstr("C must not be null"));
  View const folded(C.view().data(), Kokkos::LayoutStride(2, 1, 2, 1));
  EXPECT_THAT(error_of([&] { pantile::fill(folded, 1.0F); }), HasSubstr("C must not overlap itself"));
  for (float const value : C.values().values) EXPECT_EQ(value, 77.F);
}

TEST(FillExplanation, SaysWhatRuns) {
  Placed<float, Exec> const C("C", 11, 5, Placement::right);
  auto const naive = pantile::explain::fill(Exec{}, C.view(), 1.0F);
  EXPECT_EQ(naive.algorithm, "naive");
  EXPECT_EQ(naive.bytes, 220);
  auto const shaped = pantile::explain::fill(Exec{}, C.view(), Sum{}, {.launch = {.grid = {3, 2}, .block = {3, 2}}});
  EXPECT_EQ(shaped.algorithm, "grid_stride");
  // Blocks of 3 columns: the third has none of the 5.
  EXPECT_EQ(shaped.league_size, 4u);
  EXPECT_EQ(shaped.team_size, 6);
  auto const large = pantile::explain::fill(Exec{}, C.view(), Sum{}, {.launch = {.grid = {9, 9}, .block = {64, 64}}});
  EXPECT_EQ(large.league_size, 1u);
  EXPECT_EQ(large.team_size, 5 * 11);
  EXPECT_EQ(shaped.path, "pantile::fill[grid_stride," + pantile::impl::arch::space_name<Exec>() + ",float]");
}

}  // namespace

// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file  The blocked kernels of devices, every tile of every machine, emulated on the host; and their policy.
#include <matmul/multistage.hpp>

#include <algorithm>
#include <utility>

namespace {

using namespace pantile::testing;
using Algorithm = pantile::MatmulAlgorithm;
using pantile::Op;
using pantile::impl::to_matrix;
using Exec = Kokkos::DefaultHostExecutionSpace;
namespace arch = pantile::impl::arch;
namespace matmul = pantile::impl::matmul;

/// The tiles of full precision for products of T.
template <class Arch, class T, class F>
void for_each_full_tile(F const& f) {
  for_each_tile(typename Arch::template MatmulTiles<T, T, pantile::compute_t<T>>{}, [&](int index, auto tile) {
    using enum arch::ProductEngine;
    if constexpr (tile.shape.engine == multiply_add || tile.shape.engine == matrix) f(index, tile);
  });
}

template <class Arch, class T>
void expect_right(Call<T> const& call, Placements const& at, bool conj_a = false, bool conj_b = false,
                  int panels_of_slice = 0) {
  for_each_full_tile<Arch, T>([&](int index, auto tile) {
    Placed<T, Exec> const A("A", call.a, at.a), B("B", call.b, at.b), C("C", call.c, at.c);
    matmul::Problem<T, T, T, T> const problem{const_matrix(A), const_matrix(B), to_matrix(C.view()), conj_a, conj_b,
                                              call.alpha,      call.beta};
    run_tile<Arch, decltype(tile)>(index, problem, panels_of_slice);
    EXPECT_TRUE(within(C.values(), call.reference.values, call.reference.bound)) << "tile " << index;
    EXPECT_TRUE(C.surroundings_intact()) << "tile " << index;
  });
}

// One element, whole tiles, edges in every direction; panels that come in packs of 16 bytes and element by element.
template <class Arch, class T>
void expect_right_everywhere() {
  for (Shape const s : {Shape{1, 1, 1}, Shape{64, 64, 16}, Shape{132, 68, 40}, Shape{130, 67, 37}, Shape{33, 200, 9},
                        Shape{129, 5, 50}}) {
    Call<T> const call(s);
    for (std::size_t const triple : {0U, 1U, 31U, 47U, 69U}) {
      SCOPED_TRACE(to_string(s) + " " + to_string(placements(triple)));
      expect_right<Arch>(call, placements(triple));
    }
  }
}

// Extents that are no multiple of a pack in matrices whose rows are: the last pack of a row is loaded and stored
// in part.
template <class Arch, class T>
void expect_right_with_partial_packs() {
  static constexpr Shape s{129, 67, 21};
  static constexpr std::size_t lda = 144, ldb = 80;
  Call<T> const call(s);
  using Left = Kokkos::View<T**, Kokkos::LayoutLeft, Exec>;
  using Right = Kokkos::View<T**, Kokkos::LayoutRight, Exec>;
  // What lies behind the last step of k is poison too.
  Left const a("A", lda, s.k + 16);
  Right const b("B", s.k + 16, ldb), c("C", s.m, ldb);
  for_each_full_tile<Arch, T>([&](int index, auto tile) {
    Kokkos::deep_copy(a, poison<T>());
    Kokkos::deep_copy(b, poison<T>());
    Kokkos::deep_copy(c, T(77));
    for (std::size_t k = 0; k < s.k; ++k) {
      for (std::size_t i = 0; i < s.m; ++i) a(i, k) = call.a(i, k);
      for (std::size_t j = 0; j < s.n; ++j) b(k, j) = call.b(k, j);
    }
    for (std::size_t i = 0; i < s.m; ++i) {
      for (std::size_t j = 0; j < s.n; ++j) c(i, j) = call.c(i, j);
    }
    matmul::Problem<T, T, T, T> const problem{{a.data(), s.m, s.k, 1, lda},
                                              {b.data(), s.k, s.n, ldb, 1},
                                              {c.data(), s.m, s.n, ldb, 1},
                                              false,
                                              false,
                                              call.alpha,
                                              call.beta};
    ASSERT_TRUE(matmul::PanelSource<T>::of(problem.a, false).wide);
    ASSERT_TRUE(matmul::PanelSource<T>::of(problem.b.transposed(), false).wide);
    run_tile<Arch, decltype(tile)>(index, problem);
    HostMatrix<T> result(s.m, s.n);
    bool intact = true;
    for (std::size_t i = 0; i < s.m; ++i) {
      for (std::size_t j = 0; j < ldb; ++j) {
        if (j < s.n) {
          result(i, j) = c(i, j);
        } else {
          intact = intact && c(i, j) == T(77);
        }
      }
    }
    EXPECT_TRUE(within(result, call.reference.values, call.reference.bound)) << "tile " << index;
    EXPECT_TRUE(intact) << "tile " << index;
  });
}

template <class T>
class MatmulMultistage : public ::testing::Test {};
using Elements =
    ::testing::Types<float, double, Kokkos::complex<float>, Kokkos::complex<double>, std::int32_t, std::int64_t>;
TYPED_TEST_SUITE(MatmulMultistage, Elements);

TYPED_TEST(MatmulMultistage, Cuda) { expect_right_everywhere<arch::Cuda, TypeParam>(); }
TYPED_TEST(MatmulMultistage, Hip) { expect_right_everywhere<arch::Hip, TypeParam>(); }
TYPED_TEST(MatmulMultistage, PartialPacksOnCuda) { expect_right_with_partial_packs<arch::Cuda, TypeParam>(); }
TYPED_TEST(MatmulMultistage, PartialPacksOnHip) { expect_right_with_partial_packs<arch::Hip, TypeParam>(); }

TYPED_TEST(MatmulMultistage, ConjugatesOnTheWay) {
  using T = TypeParam;
  for (auto const& [op_a, op_b] : {std::pair(Op::conjugate, Op::none), std::pair(Op::none, Op::conjugate)}) {
    Call<T> const call({70, 35, 19}, scalar<T>(2, -1), scalar<T>(3, 2), op_a, op_b);
    expect_right<arch::Cuda>(call, {}, op_a == Op::conjugate, op_b == Op::conjugate);
    expect_right<arch::Hip>(call, {}, op_a == Op::conjugate, op_b == Op::conjugate);
  }
}

// Where Kokkos is built without ComplexAlign, complex numbers begin at any multiple of their parts: copies of the
// device's own take no more at once there.
template <class T>
void expect_right_where_aligned_as_parts() {
  if constexpr (alignof(T) == sizeof(T)) {
    GTEST_SKIP() << "this Kokkos aligns complex numbers to their size";
  } else {
    Call<T> const call({35, 20, 19});
    auto const misaligned = [](HostMatrix<T> const& from, std::vector<typename T::value_type>& memory) {
      memory.resize(2 * from.values.size() + 2);
      auto* const first = memory.data() + (reinterpret_cast<std::uintptr_t>(memory.data()) % sizeof(T) == 0 ? 1 : 0);
      auto* const data = reinterpret_cast<T*>(first);
      std::copy(from.values.begin(), from.values.end(), data);
      return data;
    };
    for_each_full_tile<arch::Cuda, T>([&](int index, auto tile) {
      std::vector<typename T::value_type> a, b;
      HostMatrix<T> c = call.c;
      matmul::Problem<T, T, T, T> const problem{{misaligned(call.a, a), 35, 19, 19, 1},
                                                {misaligned(call.b, b), 19, 20, 20, 1},
                                                {c.values.data(), 35, 20, 20, 1},
                                                false,
                                                false,
                                                call.alpha,
                                                call.beta};
      run_tile<arch::Cuda, decltype(tile)>(index, problem);
      EXPECT_TRUE(within(c, call.reference.values, call.reference.bound)) << "tile " << index;
    });
  }
}
TEST(MatmulMultistageAlignment, ComplexFloat) { expect_right_where_aligned_as_parts<Kokkos::complex<float>>(); }
TEST(MatmulMultistageAlignment, ComplexDouble) { expect_right_where_aligned_as_parts<Kokkos::complex<double>>(); }

TYPED_TEST(MatmulMultistage, ZeroBetaDoesNotReadC) {
  using T = TypeParam;
  Call<T> call({66, 64, 17}, scalar<T>(2, -1), T(0));
  std::fill(call.c.values.begin(), call.c.values.end(), poison<T>());
  expect_right<arch::Cuda>(call, {});
  expect_right<arch::Hip>(call, {});
}

// Pieces of one, two and five panels, of which the last is shorter; more pieces than there is to add in one go.
TYPED_TEST(MatmulMultistage, PiecesOfKAddUp) {
  using T = TypeParam;
  for (int const panels : {1, 2, 5}) {
    SCOPED_TRACE(std::to_string(panels) + " panels");
    Call<T> const call({35, 70, 199});
    for (std::size_t const triple : {0U, 31U, 69U}) {
      expect_right<arch::Cuda>(call, placements(triple), false, false, panels);
      expect_right<arch::Hip>(call, placements(triple), false, false, panels);
    }
  }
  Call<T> call({66, 64, 133}, scalar<T>(2, -1), T(0));
  std::fill(call.c.values.begin(), call.c.values.end(), poison<T>());
  expect_right<arch::Cuda>(call, {}, false, false, 2);
}

// The policy's side: a device's own limits decide.
class MatmulMultistagePolicy : public ::testing::Test {
 protected:
  static constexpr std::size_t before_52 = 40936, from_52 = 215000;  // bytes of team scratch on an H100

  template <class T, class Arch = arch::Cuda>
  static matmul::Plan plan_of(std::int64_t m, std::int64_t n, std::int64_t k, std::size_t scratch,
                              pantile::MatmulOptions options = {}) {
    arch::Machine machine;
    machine.device = true;
    machine.concurrency = 132 * 2048;
    machine.max_team_size = 1024;
    machine.scratch_limit[0] = scratch;
    matmul::Problem<T, T, T, T> const problem{
        {nullptr, m, k, k, 1}, {nullptr, k, n, n, 1}, {nullptr, m, n, n, 1}, false, false, T(1), T(0)};
    return matmul::choose(machine, matmul::make_query<Arch>(problem, options));
  }
  static matmul::Plan plan(std::int64_t m, std::int64_t n, std::size_t scratch, pantile::MatmulOptions options = {}) {
    return plan_of<float>(m, n, 512, scratch, options);
  }
};

TEST_F(MatmulMultistagePolicy, LargeTilesOnceTheyFillTheDevice) {
  auto const large = plan(4096, 4096, before_52), small = plan(1024, 1024, before_52);
  EXPECT_EQ(large.algorithm, Algorithm::blocked);
  EXPECT_EQ(large.refusal, "");
  EXPECT_EQ(large.tile, (pantile::MatmulTile{128, 128, 8}));
  EXPECT_EQ(large.tiles, 1024);
  EXPECT_EQ(large.team_size, 256);
  EXPECT_LE(large.scratch_bytes, before_52);
  EXPECT_EQ(small.algorithm, Algorithm::blocked);
  EXPECT_EQ(small.tile, (pantile::MatmulTile{64, 64, 16}));
  EXPECT_EQ(small.tiles, 256);
}

TEST_F(MatmulMultistagePolicy, WithoutRoomForAnyTileTheTiledVariantRuns) {
  EXPECT_EQ(plan(1024, 1024, before_52).tile, (pantile::MatmulTile{64, 64, 16}));
  EXPECT_EQ(plan(1024, 1024, 26000).tile, (pantile::MatmulTile{128, 128, 8}));
  EXPECT_EQ(plan(4096, 4096, 16384).algorithm, Algorithm::tiled);
  EXPECT_EQ(plan(4096, 4096, 16384, {.algorithm = Algorithm::blocked}).refusal,
            "algorithm blocked needs more team scratch than this device has: 16384 bytes at level 0");
}

// What Kokkos before 5.2 gives a team on CUDA, with the exception of one tile, and what it gives one on HIP. From 5.2
// on an H100 gives 211 KB.
TYPED_TEST(MatmulMultistage, TilesFitIntoScratch) {
  using Compute = pantile::compute_t<TypeParam>;
  int large = 0;
  for (auto const& shape : arch::Cuda::MatmulTiles<TypeParam, TypeParam, Compute>::shapes) {
    large += shape.scratch_bytes() + 16 > 40936U;
    EXPECT_LE(shape.min_blocks * (shape.scratch_bytes() + 1040), 227U * 1024U);
  }
  EXPECT_LE(large, 1);
  for (auto const& shape : arch::Hip::MatmulTiles<TypeParam, TypeParam, Compute>::shapes) {
    EXPECT_LE(shape.scratch_bytes() + 16, 57320U);
  }
}

TEST_F(MatmulMultistagePolicy, LittleWorkIsNaive) { EXPECT_EQ(plan(1, 1, before_52).algorithm, Algorithm::naive); }

TEST_F(MatmulMultistagePolicy, MoreScratchHoldsMorePanels) {
  for (auto const& [large, small] :
       {std::pair(plan_of<float>(4096, 4096, 4096, from_52), plan_of<float>(4096, 4096, 4096, before_52)),
        std::pair(plan_of<double>(4096, 4096, 4096, from_52), plan_of<double>(4096, 4096, 4096, before_52))}) {
    EXPECT_GT(large.scratch_bytes, before_52);
    EXPECT_LE(small.scratch_bytes, before_52);
    EXPECT_EQ(large.device.slices, 1);
  }
}

TEST_F(MatmulMultistagePolicy, FewRowsOrColumnsTakeFlatAndTallTiles) {
  EXPECT_EQ(plan_of<float>(16, 65536, 1024, before_52).tile, (pantile::MatmulTile{16, 128, 32}));
  EXPECT_EQ(plan_of<float>(65536, 9, 1024, before_52).tile, (pantile::MatmulTile{128, 16, 32}));
  EXPECT_EQ(plan_of<double>(1, 65536, 1024, before_52).tile, (pantile::MatmulTile{16, 128, 16}));
  EXPECT_EQ(plan_of<double>(65536, 16, 1024, before_52).tile, (pantile::MatmulTile{128, 16, 16}));
  EXPECT_EQ(plan_of<std::int32_t>(7, 65536, 1024, before_52).tile, (pantile::MatmulTile{16, 128, 32}));
  EXPECT_EQ(plan_of<Kokkos::complex<float>>(65536, 16, 1024, before_52).tile, (pantile::MatmulTile{128, 16, 16}));
  EXPECT_EQ(plan_of<Kokkos::complex<double>>(16, 65536, 1024, before_52).tile, (pantile::MatmulTile{16, 64, 8}));
  constexpr std::size_t amd = 57320;
  EXPECT_EQ((plan_of<float, arch::Hip>(16, 65536, 1024, amd).tile), (pantile::MatmulTile{32, 128, 16}));
  EXPECT_EQ((plan_of<std::int32_t, arch::Hip>(65536, 9, 1024, amd).tile), (pantile::MatmulTile{128, 32, 16}));
  EXPECT_EQ((plan_of<std::int64_t, arch::Hip>(16, 65536, 1024, amd).tile), (pantile::MatmulTile{16, 128, 16}));
  EXPECT_EQ((plan_of<Kokkos::complex<float>, arch::Hip>(65536, 16, 1024, amd).tile),
            (pantile::MatmulTile{128, 16, 16}));
}

TEST_F(MatmulMultistagePolicy, SquaresTakeNoFlatTiles) {
  for (std::int64_t const n : {256, 1000, 4096}) {
    EXPECT_GE(plan_of<std::int32_t>(n, n, n, before_52).tile.m, 64);
    EXPECT_GE(plan_of<Kokkos::complex<float>>(n, n, n, before_52).tile.m, 64);
    EXPECT_GE((plan_of<float, arch::Hip>(n, n, n, 57320).tile.m), 64);
    EXPECT_GE((plan_of<std::int32_t, arch::Hip>(n, n, n, 57320).tile.m), 64);
  }
}

// Sixteen teams would leave most of the device idle: slices of k give it work, within the workspace and none too small.
TEST_F(MatmulMultistagePolicy, FewTilesOfManyProductsAreSplit) {
  for (auto const& plan : {plan_of<float>(64, 64, 1 << 20, before_52), plan_of<double>(64, 64, 1 << 20, before_52),
                           plan_of<float>(256, 256, 65536, from_52), plan_of<double>(8, 4096, 32768, before_52)}) {
    auto const& device = plan.device;
    EXPECT_EQ(plan.algorithm, Algorithm::blocked);
    EXPECT_GT(device.slices, 1);
    EXPECT_GE(plan.tiles, 120);  // of 132 multiprocessors: pieces are whole panels
    EXPECT_EQ(device.slice_depth % plan.tile.k, 0);
    EXPECT_GE(device.slice_depth, arch::device::least_slice_panels * plan.tile.k);
    EXPECT_LE(device.workspace_bytes, arch::device::most_slices_bytes);
    EXPECT_EQ(matmul::split_text(device),
              "; too few tiles for the device: k is split into " + std::to_string(device.slices) + " slices of " +
                  std::to_string(device.slice_depth) + ", whose sums are added in rising k (" +
                  std::to_string(device.workspace_bytes) + " bytes of workspace)");
  }
  auto const deep = plan_of<float>(64, 64, 1000003, before_52);
  EXPECT_LT((deep.device.slices - 1) * deep.device.slice_depth, 1000003);
  EXPECT_GE(deep.device.slices * deep.device.slice_depth, 1000003);
  EXPECT_EQ(plan_of<float>(4096, 4096, 65536, before_52).device.slices, 1);
  EXPECT_EQ(plan_of<float>(64, 64, 64, before_52).device.slices, 1);
  EXPECT_EQ(matmul::split_text(plan_of<float>(64, 64, 64, before_52).device), "");
}

// Kokkos refuses a launch where fewer teams fit a multiprocessor than LaunchBounds asks for: cards of 100 KB and 64 KB.
TEST_F(MatmulMultistagePolicy, TilesWhoseTeamsDoNotFitTogetherAreLeft) {
  arch::Machine machine;
  machine.device = true;
  machine.concurrency = 80 * 2048;
  machine.scratch_limit[0] = 75000;
  machine.scratch_of_thread = arch::Cuda::tuning.scratch_of_thread;
  machine.scratch_of_driver = arch::Cuda::tuning.scratch_of_driver;
  for (std::size_t const shared : {102400U, 65536U}) {
    machine.scratch_of_multiprocessor = shared;
    for (auto const& [m, n] :
         {std::pair(16, 65536), std::pair(65536, 16), std::pair(4096, 4096), std::pair(300, 300)}) {
      auto const shapes = matmul::device_tiles<arch::Cuda, float, float, float>();
      auto const plan =
          matmul::choose_tile(machine, {.m = m, .n = n, .k = 1024, .compute_size = 4, .device_tiles = shapes});
      ASSERT_GE(plan.tile, 0);
      auto const& s = shapes[static_cast<std::size_t>(plan.tile)];
      EXPECT_LE(s.min_blocks * (s.scratch_bytes() + 16 + 8 * (static_cast<std::size_t>(s.threads()) + 2) + 1024),
                shared);
    }
  }
  machine.scratch_of_multiprocessor = 20000;
  auto const doubles = matmul::device_tiles<arch::Cuda, double, double, double>();
  EXPECT_EQ(matmul::choose_tile(machine, {.m = 64, .n = 64, .k = 64, .device_tiles = doubles}).tile, -1);
}

TEST_F(MatmulMultistagePolicy, AbsurdExtentsHaveAPlan) {
  constexpr std::int64_t large = std::int64_t{1} << 31;
  EXPECT_EQ(plan_of<float>(large, large, large, from_52).device.slices, 1);
  EXPECT_EQ(plan_of<double>(1, 1, large * large / 16, from_52).algorithm, Algorithm::blocked);
}

TEST_F(MatmulMultistagePolicy, RoundedFloatsAreForThoseWhoAllowThem) {
  using pantile::Precision;
  std::string const full = plan(4096, 4096, from_52).reason;
  auto const with = [](Precision precision) { return plan(4096, 4096, from_52, {.precision = precision}); };
  EXPECT_EQ(full, "panels are copied to scratch ahead of their use, sums stay in registers");
  EXPECT_EQ(plan(4096, 4096, before_52).micro.rows, 8);
  EXPECT_EQ(plan(4096, 4096, from_52).micro.rows, 16);
  EXPECT_STREQ(with(Precision::tf32).reason, "the caller allows tf32: matrix instructions for rounded floats");
  EXPECT_STREQ(with(Precision::three_tf32).reason,
               "the caller allows it: matrix instructions for floats as pairs of tf32");
  EXPECT_EQ(plan_of<double>(4096, 4096, 512, from_52, {.precision = Precision::tf32}).reason, full);
}

}  // namespace

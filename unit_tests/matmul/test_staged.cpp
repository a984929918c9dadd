// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file  The blocked kernels of devices, every tile of every machine: one host thread plays the threads of a team,
///        with the device's own indices, edges and stages.
#include <matmul/cases.hpp>

#include <pantile/impl/arch/cuda/traits.hpp>
#include <pantile/impl/arch/hip/traits.hpp>

#include <algorithm>
#include <utility>

namespace {

using namespace pantile::testing;
using pantile::Algorithm;
using pantile::Op;
using pantile::impl::to_matrix;
using pantile::impl::arch::StagedTiles;
using pantile::impl::tile::TileGrid;
using Exec = Kokkos::DefaultHostExecutionSpace;
namespace arch = pantile::impl::arch;
namespace matmul = pantile::impl::matmul;

/// Run the problem with the tile of this number, whose threads one host thread plays.
template <class Arch, class Tile, class TA, class TB, class TC, class Accumulator>
void run_tile(int index, matmul::Problem<TA, TB, TC, Accumulator> const& problem) {
  using Kernel = matmul::StagedKernel<TA, TB, TC, Accumulator, Tile>;
  matmul::Plan plan;
  plan.algorithm = Algorithm::blocked;
  plan.staged = index;
  plan.tiles = TileGrid{problem.c.rows, problem.c.cols, Tile::shape.m, Tile::shape.n}.count();
  plan.team_size = 1;
  plan.scratch_level = 1;
  plan.scratch_bytes = Kernel::panel_bytes + Kernel::Group::played_bytes + 64;
  Exec const exec;
  matmul::run<Exec, TA, TB, TC, Accumulator, Arch>(exec, problem, plan);
  exec.fence();
}

/// f(index, tile) for every tile that the machine has for sums in Compute.
template <class F, class... Tile>
void for_each_tile(StagedTiles<Tile...>, F const& f) {
  int index = 0;
  (f(index++, Tile{}), ...);
}

template <class T>
auto const_matrix(Placed<T, Exec> const& placed) {
  return to_matrix(Kokkos::View<T const**, Kokkos::LayoutStride, Exec::memory_space>(placed.view()));
}

template <class Arch, class T>
void expect_right(Call<T> const& call, Placements const& at, bool conj_a = false, bool conj_b = false) {
  for_each_tile(typename Arch::template MatmulTiles<pantile::compute_t<T>>{}, [&](int index, auto tile) {
    Placed<T, Exec> const A("A", call.a, at.a), B("B", call.b, at.b), C("C", call.c, at.c);
    matmul::Problem<T, T, T, T> const problem{const_matrix(A), const_matrix(B), to_matrix(C.view()), conj_a, conj_b,
                                              call.alpha,      call.beta};
    run_tile<Arch, decltype(tile)>(index, problem);
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
  for_each_tile(typename Arch::template MatmulTiles<pantile::compute_t<T>>{}, [&](int index, auto tile) {
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
class MatmulStaged : public ::testing::Test {};
using Elements =
    ::testing::Types<float, double, Kokkos::complex<float>, Kokkos::complex<double>, std::int32_t, std::int64_t>;
TYPED_TEST_SUITE(MatmulStaged, Elements);

TYPED_TEST(MatmulStaged, Cuda) { expect_right_everywhere<arch::Cuda, TypeParam>(); }
TYPED_TEST(MatmulStaged, Hip) { expect_right_everywhere<arch::Hip, TypeParam>(); }
TYPED_TEST(MatmulStaged, PartialPacksOnCuda) { expect_right_with_partial_packs<arch::Cuda, TypeParam>(); }
TYPED_TEST(MatmulStaged, PartialPacksOnHip) { expect_right_with_partial_packs<arch::Hip, TypeParam>(); }

TYPED_TEST(MatmulStaged, ConjugatesOnTheWay) {
  using T = TypeParam;
  for (auto const& [op_a, op_b] : {std::pair(Op::conjugate, Op::none), std::pair(Op::none, Op::conjugate)}) {
    Call<T> const call({70, 35, 19}, scalar<T>(2, -1), scalar<T>(3, 2), op_a, op_b);
    expect_right<arch::Cuda>(call, {}, op_a == Op::conjugate, op_b == Op::conjugate);
    expect_right<arch::Hip>(call, {}, op_a == Op::conjugate, op_b == Op::conjugate);
  }
}

TYPED_TEST(MatmulStaged, ZeroBetaDoesNotReadC) {
  using T = TypeParam;
  Call<T> call({66, 64, 17}, scalar<T>(2, -1), T(0));
  std::fill(call.c.values.begin(), call.c.values.end(), poison<T>());
  expect_right<arch::Cuda>(call, {});
  expect_right<arch::Hip>(call, {});
}

// Elements that change their type on the way go through registers, also on machines that could copy past them.
TEST(MatmulStagedMixed, BytesSumInIntegers) {
  constexpr Shape s{131, 66, 35};
  auto const narrow = [](HostMatrix<std::int8_t> const& x) {
    HostMatrix<std::int32_t> result(x.rows, x.cols);
    std::copy(x.values.begin(), x.values.end(), result.values.begin());
    return result;
  };
  auto const a = random_matrix<std::int8_t>(s.m, s.k, 1), b = random_matrix<std::int8_t>(s.k, s.n, 2);
  auto const zero = HostMatrix<std::int32_t>(s.m, s.n);
  auto const expected = reference_matmul<std::int32_t>(1, narrow(a), narrow(b), 0, zero);
  for (Placement const at : {Placement::right, Placement::left, Placement::strided}) {
    Placed<std::int8_t, Exec> const A("A", a, at), B("B", b, at);
    for_each_tile(arch::Cuda::MatmulTiles<std::uint32_t>{}, [&](int index, auto tile) {
      Placed<std::int32_t, Exec> const C("C", zero, Placement::right);
      matmul::Problem<std::int8_t, std::int8_t, std::int32_t, std::int32_t> const problem{
          const_matrix(A), const_matrix(B), to_matrix(C.view()), false, false, 1, 0};
      run_tile<arch::Cuda, decltype(tile)>(index, problem);
      EXPECT_TRUE(within(C.values(), expected.values, expected.bound)) << "tile " << index;
    });
  }
}

// The policy's side: a device's own limits decide.
class MatmulStagedPolicy : public ::testing::Test {
 protected:
  static matmul::Plan plan(std::int64_t m, std::int64_t n, std::size_t scratch, pantile::MatmulOptions options = {}) {
    arch::Machine machine;
    machine.device = true;
    machine.concurrency = 132 * 2048;
    machine.max_team_size = 1024;
    machine.scratch_limit[0] = scratch;
    matmul::Problem<float, float, float, float> const problem{
        {nullptr, m, 512, 512, 1}, {nullptr, 512, n, n, 1}, {nullptr, m, n, n, 1}, false, false, 1, 0};
    return matmul::choose(machine, matmul::make_query<arch::Cuda>(problem, options));
  }
};

TEST_F(MatmulStagedPolicy, LargeTilesOnceTheyFillTheDevice) {
  auto const large = plan(4096, 4096, 40936), small = plan(512, 512, 40936);
  EXPECT_EQ(large.algorithm, Algorithm::blocked);
  EXPECT_EQ(large.refusal, "");
  EXPECT_EQ(large.tile, (pantile::MatmulTile{128, 128, 16}));
  EXPECT_EQ(large.tiles, 1024);
  EXPECT_EQ(large.team_size, 256);
  EXPECT_LE(large.scratch_bytes, 40936U);
  EXPECT_EQ(small.algorithm, Algorithm::blocked);
  EXPECT_EQ(small.tile, (pantile::MatmulTile{64, 64, 16}));
  EXPECT_EQ(small.tiles, 64);
}

TEST_F(MatmulStagedPolicy, WithoutRoomForAnyTileTheTiledVariantRuns) {
  EXPECT_EQ(plan(4096, 4096, 30000).tile, (pantile::MatmulTile{64, 64, 16}));
  EXPECT_EQ(plan(4096, 4096, 16384).algorithm, Algorithm::tiled);
  EXPECT_EQ(plan(4096, 4096, 16384, {.algorithm = Algorithm::blocked}).refusal,
            "algorithm blocked needs more team scratch than 16384 bytes at level 0");
}

// What Kokkos before 5.2 gives a team on CUDA, and what it gives one on HIP.
TYPED_TEST(MatmulStaged, EveryTileFitsIntoScratch) {
  using Compute = pantile::compute_t<TypeParam>;
  for (auto const& shape : arch::Cuda::MatmulTiles<Compute>::shapes) {
    EXPECT_LE(shape.scratch_bytes(sizeof(Compute)) + 16, 40936U);
  }
  for (auto const& shape : arch::Hip::MatmulTiles<Compute>::shapes) {
    EXPECT_LE(shape.scratch_bytes(sizeof(Compute)) + 16, 57320U);
  }
}

TEST_F(MatmulStagedPolicy, LittleWorkIsNaive) { EXPECT_EQ(plan(1, 1, 40936).algorithm, Algorithm::naive); }

}  // namespace

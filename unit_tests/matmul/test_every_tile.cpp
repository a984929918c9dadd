// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file  Every tile of the blocked matmul on the device that Kokkos was built for, whether the policy would take it or
///        not. Hosts emulate them in test_multistage*.cpp.
#include <matmul/mixed.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>

namespace {

using namespace pantile::testing;
using Algorithm = pantile::MatmulAlgorithm;
using pantile::impl::to_const_matrix;
using pantile::impl::to_matrix;
using Exec = Kokkos::DefaultExecutionSpace;
using Arch = pantile::impl::arch::Current<Exec>;
using Engine = pantile::impl::arch::ProductEngine;
namespace arch = pantile::impl::arch;
namespace matmul = pantile::impl::matmul;

/// Run the problem on the tile of this number, with k in pieces of so many panels (zero: in one piece).
template <class TA, class TB, class TC, class Accumulator>
void run_tile(int number, arch::DeviceTile const& shape, matmul::Problem<TA, TB, TC, Accumulator> const& p,
              int panels) {
  using Compute = pantile::compute_t<Accumulator>;
  Exec const exec;
  matmul::Plan plan;
  plan.algorithm = Algorithm::blocked;
  plan.device.tile = number;
  if (panels > 0) {
    auto& device = plan.device;
    device.slice_depth = std::int64_t{panels} * shape.k;
    device.slices = static_cast<int>((p.k() + device.slice_depth - 1) / device.slice_depth);
    device.row_stride = (p.n() + 3) / 4 * 4;
    device.slice_stride = p.m() * device.row_stride;
    device.workspace_bytes = device.slices * device.slice_stride * static_cast<std::int64_t>(sizeof(Compute));
  }
  plan.tiles = pantile::impl::tile::TileGrid{p.m(), p.n(), shape.m, shape.n}.count() * plan.device.slices;
  plan.team_size = shape.threads();
  plan.scratch_bytes = shape.scratch_bytes() + pantile::impl::tile::scratch_alignment;
  matmul::run(exec, p, plan);
  exec.fence();
}

/// What rounding floats to tf32 may add, as a share of |A| |B|.
double of_precision(Engine engine) {
  if (engine == Engine::tf32) return std::ldexp(1.0, -10);
  if (engine == Engine::three_tf32) return std::ldexp(1.0, -20);
  return 0;
}

template <class T>
HostMatrix<double> magnitudes(HostMatrix<T> const& x) {
  HostMatrix<double> result(x.rows, x.cols);
  for (std::size_t i = 0; i < x.values.size(); ++i) {
    if constexpr (pantile::is_complex_v<T>) {
      result.values[i] = Kokkos::abs(x.values[i]);
    } else {
      result.values[i] = std::abs(static_cast<double>(x.values[i]));
    }
  }
  return result;
}

/// What is read instead of an element outside of an operand is its first one.
template <class T>
HostMatrix<T> with_poison_first(HostMatrix<T> x) {
  if constexpr (!pantile::is_integer_v<T>) x(0, 0) = poison<T>();
  return x;
}

/// Random operands of one shape, and what must come out.
template <class TA, class TB, class TC, class Accumulator>
struct Operands {
  HostMatrix<TA> a;
  HostMatrix<TB> b;
  HostMatrix<TC> c;
  Accumulator alpha = Accumulator(2), beta = Accumulator(3);
  Reference<Accumulator> exact;
  Reference<double> sizes;

  explicit Operands(Shape s, bool poisoned = false)
      : a(poisoned ? with_poison_first(random_matrix<TA>(s.m, s.k, 1)) : random_matrix<TA>(s.m, s.k, 1)),
        b(poisoned ? with_poison_first(random_matrix<TB>(s.k, s.n, 2)) : random_matrix<TB>(s.k, s.n, 2)),
        c(random_matrix<TC>(s.m, s.n, 3)),
        exact(reference_matmul(alpha, converted<Accumulator>(a), converted<Accumulator>(b), beta,
                               converted<Accumulator>(c))),
        sizes(reference_matmul(2.0, magnitudes(a), magnitudes(b), 0.0, HostMatrix<double>(s.m, s.n))) {}
};

/// Both operands exchanged have tiles of the same shapes.
template <class TA, class TB, class TC, class Accumulator>
void expect_right(int number, arch::DeviceTile const& shape, Operands<TA, TB, TC, Accumulator> const& x,
                  Placements const& at, int panels) {
  SCOPED_TRACE(to_string(Shape{x.c.rows, x.c.cols, x.a.cols}) + " " + to_string(at) + " tile " +
               std::to_string(number) + " panels " + std::to_string(panels));
  Placed<TA, Exec> const A("A", x.a, at.a);
  Placed<TB, Exec> const B("B", x.b, at.b);
  Placed<TC, Exec> const C("C", x.c, at.c);
  matmul::Problem<TA, TB, TC, Accumulator> const problem{
      to_const_matrix(A.view()), to_const_matrix(B.view()), to_matrix(C.view()), false, false, x.alpha, x.beta};
  matmul::as_planned(problem, !problem.c.fast_along_row(),
                     [&](auto const& seen) { run_tile(number, shape, seen, panels); });
  auto expected = x.exact;
  for (std::size_t i = 0; i < x.sizes.values.values.size(); ++i) {
    // Matrix instructions round sums towards zero: twice the bound of rounding to nearest.
    if (shape.engine != Engine::multiply_add) expected.bound.values[i] *= 2;
    expected.bound.values[i] += of_precision(shape.engine) * x.sizes.values.values[i];
  }
  EXPECT_TRUE(right(C.values(), expected));
  EXPECT_TRUE(C.surroundings_intact());
}

/// Calls check(number, shape) for every tile of these types that the device has scratch for.
template <class TA, class TB, class Accumulator, class Check>
void for_each_tile(Check const& check) {
  arch::Machine const machine = arch::machine(Exec{});
  int number = 0;
  for (arch::DeviceTile const& shape : matmul::device_tiles<Arch, TA, TB, pantile::compute_t<Accumulator>>()) {
    if (matmul::has_scratch(machine, shape)) check(number, shape);
    ++number;
  }
}

template <class TA, class TB, class TC, class Accumulator>
void expect_right(Shape s, Placements const& at, int panels) {
  Operands<TA, TB, TC, Accumulator> const operands(s);
  for_each_tile<TA, TB, Accumulator>(
      [&](int number, arch::DeviceTile const& shape) { expect_right(number, shape, operands, at, panels); });
}

/// One less than the tile in each direction, the tile, one more.
template <class TA, class TB, class TC, class Accumulator>
void expect_right_around_tiles() {
  for_each_tile<TA, TB, Accumulator>([](int number, arch::DeviceTile const& shape) {
    for (int const more : {-1, 0, 1}) {
      Shape const s{static_cast<std::size_t>(shape.m + more), static_cast<std::size_t>(shape.n + more),
                    static_cast<std::size_t>(shape.k + more)};
      expect_right(number, shape, Operands<TA, TB, TC, Accumulator>(s), {}, 0);
    }
  });
}

/// Panels are filled up with zeroes in both operands: NaN times the other one's zero would reach every sum. The depth
/// ends in the first panel, in the second, and in one that is fetched while others are multiplied; rows are whole
/// packs.
template <class TA, class TB, class TC, class Accumulator>
void expect_panels_filled_with_zeroes() {
  for_each_tile<TA, TB, Accumulator>([](int number, arch::DeviceTile const& shape) {
    for (int const k : {shape.k - 1, shape.k + 1, shape.stages * shape.k + 1}) {
      Shape const s{static_cast<std::size_t>(shape.m - 4), static_cast<std::size_t>(shape.n - 4),
                    static_cast<std::size_t>(k)};
      Operands<TA, TB, TC, Accumulator> const operands(s, true);
      for (std::size_t const triple : {0U, 31U}) expect_right(number, shape, operands, placements(triple), 0);
    }
  });
}

template <class TA, class TB = TA, class TC = TA, class Accumulator = pantile::default_accumulator_t<TA, TB, TC>>
void expect_right_everywhere() {
  if constexpr (!Arch::device) {
    GTEST_SKIP() << "hosts have no such tiles";
  } else {
    for (Shape const s :
         {Shape{1, 1, 1}, Shape{128, 128, 128}, Shape{257, 131, 70}, Shape{5, 304, 513}, Shape{300, 9, 64}}) {
      for (std::size_t const triple : {0U, 1U, 31U, 47U, 119U}) {
        expect_right<TA, TB, TC, Accumulator>(s, placements(triple), 0);
      }
    }
    expect_right_around_tiles<TA, TB, TC, Accumulator>();
    if constexpr (!pantile::is_integer_v<TA>) expect_panels_filled_with_zeroes<TA, TB, TC, Accumulator>();
    expect_right<TA, TB, TC, Accumulator>({130, 70, 1000}, {}, 1);
    expect_right<TA, TB, TC, Accumulator>({130, 70, 1000}, {}, 3);
  }
}

using Half = Kokkos::Experimental::half_t;
using Brain = Kokkos::Experimental::bhalf_t;

TEST(MatmulEveryTile, Float) { expect_right_everywhere<float>(); }
TEST(MatmulEveryTile, Double) { expect_right_everywhere<double>(); }
TEST(MatmulEveryTile, ComplexFloat) { expect_right_everywhere<Kokkos::complex<float>>(); }
TEST(MatmulEveryTile, ComplexDouble) { expect_right_everywhere<Kokkos::complex<double>>(); }
TEST(MatmulEveryTile, Integers) {
  expect_right_everywhere<std::int32_t>();
  expect_right_everywhere<std::int64_t>();
}
TEST(MatmulEveryTile, Half) { expect_right_everywhere<Half>(); }
TEST(MatmulEveryTile, Brain) { expect_right_everywhere<Brain, Brain, float>(); }
TEST(MatmulEveryTile, Bytes) {
  expect_right_everywhere<std::int8_t, std::int8_t, std::int32_t>();
  expect_right_everywhere<std::uint8_t, std::uint8_t, std::uint32_t>();
}
TEST(MatmulEveryTile, BytesOfBothSigns) {
  expect_right_everywhere<std::int8_t, std::uint8_t, std::int32_t>();
  expect_right_everywhere<std::uint8_t, std::int8_t, std::int32_t>();
}

/// \brief  One team of each tile, on the tile's own edges, with k of 512 and of 1024: what an interpreter counts in the
///         one beyond the other is the tile's main loop. By the layouts of A and B; C has rows, as every call has for
///         the kernel.
class MatmulWholeTiles : public ::testing::TestWithParam<Placements> {};

template <class TA, class TB = TA, class TC = TA, class Accumulator = pantile::default_accumulator_t<TA, TB, TC>>
void expect_right_on_whole_tiles(Placements const& at, std::size_t depth) {
  if constexpr (Arch::device) {
    for_each_tile<TA, TB, Accumulator>([&](int number, arch::DeviceTile const& shape) {
      ASSERT_EQ(depth % static_cast<std::size_t>(shape.k), 0U);
      Shape const s{static_cast<std::size_t>(shape.m), static_cast<std::size_t>(shape.n), depth};
      expect_right(number, shape, Operands<TA, TB, TC, Accumulator>(s), at, 0);
    });
  }
}

void expect_every_type_right_on_whole_tiles(Placements const& at, std::size_t depth) {
  if (!Arch::device) GTEST_SKIP() << "hosts have no such tiles";
  expect_right_on_whole_tiles<float>(at, depth);
  expect_right_on_whole_tiles<double>(at, depth);
  expect_right_on_whole_tiles<Kokkos::complex<float>>(at, depth);
  expect_right_on_whole_tiles<Kokkos::complex<double>>(at, depth);
  expect_right_on_whole_tiles<std::int32_t>(at, depth);
  expect_right_on_whole_tiles<std::uint32_t>(at, depth);
  expect_right_on_whole_tiles<std::int64_t>(at, depth);
  expect_right_on_whole_tiles<Half>(at, depth);
  expect_right_on_whole_tiles<Brain, Brain, float>(at, depth);
  expect_right_on_whole_tiles<std::int8_t, std::int8_t, std::int32_t>(at, depth);
  expect_right_on_whole_tiles<std::uint8_t, std::uint8_t, std::uint32_t>(at, depth);
  expect_right_on_whole_tiles<std::int8_t, std::uint8_t, std::int32_t, std::int32_t>(at, depth);
  expect_right_on_whole_tiles<Half, Half, float>(at, depth);
  expect_right_on_whole_tiles<Half, float, float>(at, depth);
  expect_right_on_whole_tiles<float, float, double>(at, depth);
  expect_right_on_whole_tiles<double, Kokkos::complex<double>, Kokkos::complex<double>>(at, depth);
}

TEST_P(MatmulWholeTiles, Short) { expect_every_type_right_on_whole_tiles(GetParam(), 512); }
TEST_P(MatmulWholeTiles, Long) { expect_every_type_right_on_whole_tiles(GetParam(), 1024); }

std::string name_of(::testing::TestParamInfo<Placements> const& info) {
  auto const one = [](Placement placement) { return std::string(placement == Placement::left ? "columns" : "rows"); };
  return one(info.param.a) + "_" + one(info.param.b);
}

INSTANTIATE_TEST_SUITE_P(Layouts, MatmulWholeTiles,
                         ::testing::Values(Placements{}, Placements{Placement::right, Placement::left},
                                           Placements{Placement::left, Placement::right},
                                           Placements{Placement::left, Placement::left}),
                         name_of);

}  // namespace

// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file  The blocked matmul: the plan as a pure function, every path of it against the oracle, and its accuracy.
#include <matmul/cases.hpp>

#include <support/tool_events.hpp>

#include <pantile/impl/arch/host/caches.hpp>
#include <pantile/impl/matmul/host/policy.hpp>

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <string>
#include <utility>

namespace {

namespace host = pantile::impl::arch::host;
using namespace pantile::testing;
using Algorithm = pantile::MatmulAlgorithm;
using pantile::Op;
using pantile::impl::matmul::HostFacts;
using pantile::impl::matmul::HostPlan;
using pantile::impl::matmul::Path;
using pantile::impl::matmul::plan_on_host;
using pantile::impl::matmul::stack_workspace_bytes;
using Host = Kokkos::DefaultHostExecutionSpace;

/// Double elements on a machine with 6 x 8 register tiles; row-major operands.
HostFacts row_major() {
  HostFacts facts;
  facts.available = true;
  facts.panel_rows = 6;
  facts.panel_cols = 8;
  facts.blocks = {96, 256, 2048};
  facts.last_level_bytes = facts.cache_bytes = 32 << 20;
  facts.a = facts.c = {1001, 1};
  facts.b = {4096, 1};
  return facts;
}

TEST(MatmulBlockedPolicy, EveryPathIsChosenByShapeAndStorage) {
  HostFacts const plain = row_major();
  HostPlan const tiny = plan_on_host(4, 4, 4, plain, {8});
  EXPECT_TRUE(tiny.on_caller && !tiny.pack_a && !tiny.pack_b);
  HostFacts left = plain;
  left.b = {1, 4096};
  EXPECT_TRUE(plan_on_host(4, 4, 4, left, {8}).on_caller);
  EXPECT_TRUE(plan_on_host(4, 4, 4, left, {8}).pack_b) << "the kernels read B along its rows";
  HostPlan const large = plan_on_host(1000, 1000, 1000, plain, {8});
  EXPECT_TRUE(large.pack_a && large.pack_b && !large.on_caller && large.threads() == 8);
  EXPECT_EQ(plan_on_host(1, 4096, 4096, plain, {8}).path, Path::skinny_rows);
  EXPECT_EQ(plan_on_host(1, 4096, 4096, left, {8}).path, Path::skinny_dots);
  HostPlan const column = plan_on_host(4096, 1, 4096, plain, {8});
  EXPECT_EQ(column.path, Path::skinny_dots);
  EXPECT_TRUE(column.exchange);
  EXPECT_EQ(plan_on_host(1000000, 4, 4, plain, {8}).path, Path::tiles) << "too shallow to stream for";
  HostFacts mixed = plain;
  mixed.a.must_pack = true;
  mixed.c_is_sum = false;
  EXPECT_TRUE(plan_on_host(4, 4, 4, mixed, {8}).pack_a);
  EXPECT_FALSE(plan_on_host(4, 4, 4, mixed, {8}).in_c());
  HostFacts scattered = plain;
  scattered.c.col_stride = 2;
  EXPECT_FALSE(plan_on_host(100, 100, 100, scattered, {8}).in_c());
  EXPECT_TRUE(plan_on_host(1, 4096, 4096, scattered, {8}).in_c()) << "few rows are written wherever they go";
}

TEST(MatmulBlockedPolicy, OperandsThatGoByOnceArePrefetchedAndNotPacked) {
  HostFacts few = row_major();
  few.b.row_stride = 16;
  HostPlan const deep = plan_on_host(16, 16, 65536, few, {1});
  EXPECT_TRUE(deep.hints.prefetches && !deep.pack_a && !deep.pack_b);
  EXPECT_FALSE(plan_on_host(16, 16, 1000, few, {1}).hints.prefetches) << "in a second-level cache";
  HostPlan const long_rows = plan_on_host(12, 50000, 200, row_major(), {1});
  EXPECT_TRUE(long_rows.hints.prefetches && !long_rows.pack_b);
  EXPECT_TRUE(plan_on_host(20, 50000, 200, row_major(), {1}).pack_b);
  EXPECT_FALSE(plan_on_host(12, 1000, 1000, row_major(), {1}).hints.prefetches) << "in a third-level cache";
  HostPlan const tall = plan_on_host(10000, 60, 500, row_major(), {1});
  EXPECT_TRUE(tall.hints.prefetches && tall.pack_b && !tall.pack_a);
  EXPECT_TRUE(plan_on_host(30, 50000, 200, row_major(), {1}).pack_b) << "B is read often enough";
}

/// Float elements with the register tiles and blocks of AVX-512.
HostFacts wide() {
  HostFacts facts = row_major();
  facts.element_bytes = facts.position_bytes = 4;
  facts.panel_rows = 8;
  facts.panel_cols = 48;
  facts.lanes = 16;
  facts.blocks = {192, 512, 2048};
  facts.in_place = pantile::impl::arch::host::in_place_512_bits;
  return facts;
}

TEST(MatmulBlockedPolicy, WhatTheCallingThreadPacksFitsItsStack) {
  for (HostFacts facts : {row_major(), wide()}) {
    facts.b.col_stride = 2;
    for (std::int64_t const n : {1, 7, 17, 48, 65, 500, 5000}) {
      for (std::int64_t const k : {1, 40, 224, 300, 600, 5000, 100000}) {
        for (std::int64_t const m : {1, 9, 40, 300}) {
          HostPlan const plan = plan_on_host(m, n, k, facts, {1});
          if (!plan.on_caller) continue;
          EXPECT_LE(plan.workspace_bytes(), stack_workspace_bytes) << m << "x" << n << "x" << k;
        }
      }
    }
  }
}

// B's columns are contiguous: sixteen products for each row of A, or B would be transposed for fewer operations.
TEST(MatmulBlockedPolicy, FewRowsByContiguousColumnsAreDotProducts) {
  HostFacts facts = wide();
  facts.b = {1, 4096};
  auto const path = [&](std::int64_t m, std::int64_t n, std::int64_t k) {
    return plan_on_host(m, n, k, facts, {1}).path;
  };
  for (std::int64_t const m : {1, 2, 5, 8}) {
    std::int64_t const least = host::dots_depth * m;
    EXPECT_EQ(path(m, 400, least), Path::skinny_dots) << m;
    EXPECT_EQ(path(m, 400, least - 1), Path::tiles) << m;
    for (std::int64_t const n : {8, 9, 50}) {
      // Tiny ones of up to four rows; of little work elements do not depend on the others.
      EXPECT_EQ(path(m, n, 32), m <= host::tiny_dots_rows ? Path::skinny_dots : Path::tiles) << m << "x" << n;
      EXPECT_EQ(path(m, n, 31), Path::tiles) << m << "x" << n;
      EXPECT_EQ(path(m, n, host::most_tiny_edge + 1), Path::skinny_dots) << m << "x" << n;
    }
  }
  EXPECT_EQ(path(9, 9, 1000), Path::tiles) << "enough sums for register tiles";
  EXPECT_EQ(path(1, 1, 100000), Path::skinny_dots);
  EXPECT_EQ(path(8, 10000, 64), Path::skinny_dots) << "of a B from memory sooner";
  EXPECT_EQ(path(8, 10000, 31), Path::tiles);
}

// Tiles read B's rows where they lie; dot products would be of a copy of its columns.
TEST(MatmulBlockedPolicy, FewSumsOfManyProductsAreDotProducts) {
  EXPECT_EQ(plan_on_host(4, 4, 100000, wide(), {1}).path, Path::skinny_dots);
  EXPECT_EQ(plan_on_host(1, 1, 100000, wide(), {1}).path, Path::skinny_dots);
  EXPECT_EQ(plan_on_host(8, 8, 100000, wide(), {1}).path, Path::tiles) << "enough sums for register tiles";
  EXPECT_EQ(plan_on_host(4, 4, 1000, wide(), {1}).path, Path::tiles) << "too shallow to prepare for";
  EXPECT_EQ(plan_on_host(1000, 1, 16, wide(), {1}).path, Path::skinny_dots) << "a single column";
  EXPECT_EQ(plan_on_host(48, 1, 31, wide(), {1}).path, Path::tiles) << "little work";
}

// Tiles read a B in a cache as fast as it is streamed, and one of short rows up to 1 MB.
TEST(MatmulBlockedPolicy, FewRowsStreamAFarBAlongItsRows) {
  HostFacts facts = wide();
  auto const streams = [&](std::int64_t m, std::int64_t n, std::int64_t k) {
    facts.b.row_stride = n;
    return plan_on_host(m, n, k, facts, {1}).path == Path::skinny_rows;
  };
  std::int64_t const cached = std::max<std::int64_t>(256 << 10, facts.in_place.b_bytes) / facts.element_bytes;
  EXPECT_TRUE(streams(4, 4096, cached / 4096 + 1));
  EXPECT_FALSE(streams(4, 4096, cached / 4096 - 1));
  EXPECT_TRUE(streams(2, 4096, cached / 4096 - 1)) << "of two rows tiles wait for their sums";
  EXPECT_FALSE(streams(3, 2048 / facts.element_bytes, 400)) << "short rows";
  EXPECT_FALSE(streams(1, 15, 1000));
}

TEST(MatmulBlockedPolicy, SumsOfFewProductsAreStreamedPastTheCache) {
  HostFacts facts = wide();
  std::int64_t const bytes = 4 * (4096 * 4096 + 2 * 4096 * 6);
  facts.last_level_bytes = (bytes - 1) / 7 * 8;  // seven eighths of which are less than that
  HostPlan const plan = plan_on_host(4096, 4096, 8, facts, {8});
  EXPECT_EQ(plan.path, Path::rank_k);
  EXPECT_EQ(plan.threads(), 8);
  EXPECT_EQ(plan.workspace_bytes(), 0);
  EXPECT_EQ(plan_on_host(4096, 4096, 9, facts, {8}).path, Path::tiles) << "enough products for register tiles";
  EXPECT_EQ(plan_on_host(200000, 255, 1, facts, {8}).path, Path::tiles) << "rows too short to be streamed";
  EXPECT_EQ(plan_on_host(100000, 767, 1, facts, {8}).threads(), 2) << "enough of a row for two";
  EXPECT_EQ(plan_on_host(4096, 4096, 0, facts, {8}).path, Path::tiles);
  auto const other = [&](auto const& change) {
    HostFacts changed = facts;
    change(changed);
    return plan_on_host(4096, 4096, 6, changed, {8}).path;
  };
  EXPECT_EQ(other([](HostFacts&) {}), Path::rank_k);
  EXPECT_EQ(other([](HostFacts& f) { f.last_level_bytes += 16; }), Path::tiles) << "operands stay in the cache";
  EXPECT_EQ(other([](HostFacts& f) { f.reads_c = true; }), Path::tiles);
  EXPECT_EQ(other([](HostFacts& f) { f.b.col_stride = 2; }), Path::tiles);
  EXPECT_EQ(other([](HostFacts& f) { f.c.col_stride = 2; }), Path::tiles);
  EXPECT_EQ(other([](HostFacts& f) { f.c_is_sum = false; }), Path::tiles);
  EXPECT_EQ(other([](HostFacts& f) { f.real_products = 4; }), Path::tiles) << "no kernel for complex numbers";
  EXPECT_EQ(other([](HostFacts& f) { f.c.misaligned_rows = true; }), Path::tiles) << "loads of B across cache lines";
  facts.last_level_bytes = bytes;
  facts.b.misaligned_rows = true;
  EXPECT_EQ(plan_on_host(4096, 4096, 6, facts, {8}).path, Path::tiles);
  EXPECT_EQ(plan_on_host(4096, 4096, 5, facts, {8}).path, Path::rank_k) << "too few to matter";
}

TEST(MatmulBlockedPolicy, RowsOfBAcrossCacheLinesArePackedForManyRowsOfA) {
  HostFacts split = wide();
  split.b.row_stride = 256;
  EXPECT_FALSE(plan_on_host(256, 256, 256, split, {2}).pack_b) << "in a cache, read where it lies";
  split.b.misaligned_rows = true;
  EXPECT_TRUE(plan_on_host(256, 256, 256, split, {2}).pack_b);
  EXPECT_FALSE(plan_on_host(96, 256, 256, split, {2}).pack_b) << "read too seldom";
  EXPECT_FALSE(plan_on_host(128, 128, 126, split, {2}).pack_b) << "little work, whose bits packing would change";
  EXPECT_TRUE(plan_on_host(128, 128, 129, split, {2}).pack_b);
}

TEST(MatmulBlockedPolicy, FewLongRowsOfBArePrefetched) {
  EXPECT_TRUE(plan_on_host(16, 30000, 16, wide(), {1}).hints.prefetches) << "2 MB";
  EXPECT_FALSE(plan_on_host(16, 30000, 4, wide(), {1}).hints.prefetches) << "960 KB";
  EXPECT_TRUE(plan_on_host(16, 30000, 40, wide(), {1}).hints.prefetches);
  EXPECT_FALSE(plan_on_host(12, 30000, 16, row_major(), {1}).hints.prefetches) << "AVX2: from 10 MB on";
  EXPECT_TRUE(plan_on_host(12, 90000, 16, row_major(), {1}).hints.prefetches);
}

TEST(MatmulBlockedPolicy, FewRowsStreamALargeBInBlocksThatStayNear) {
  HostFacts facts = wide();
  facts.b.row_stride = 3000;
  HostPlan const plan = plan_on_host(30, 3000, 3000, facts, {2});
  EXPECT_TRUE(plan.hints.prefetches && plan.hints.wide && !plan.pack_a && !plan.pack_b) << plan.reason;
  EXPECT_LE(plan.blocks.kc, facts.in_place.b_depth);
  EXPECT_TRUE(plan_on_host(49, 3000, 3000, facts, {2}).pack_b) << "read often enough";
  EXPECT_FALSE(plan_on_host(64, 1000, 1000, facts, {2}).pack_b) << "in a third-level cache";
  EXPECT_TRUE(plan_on_host(65, 1000, 1025, facts, {2}).pack_b) << "read often enough";
  EXPECT_TRUE(plan_on_host(12, 200, 50000, facts, {2}).hints.wide) << "rows of two tiles and more";
  HostFacts meets = facts;
  meets.b.row_stride = 3072;
  // Up to eight rows have a method of their own, but for short rows of B where tiles are as fast.
  EXPECT_EQ(plan_on_host(8, 3000, 3000, facts, {2}).path, Path::tiles);
  EXPECT_EQ(plan_on_host(4, 3000, 3000, facts, {2}).path, Path::skinny_rows);
  EXPECT_EQ(plan_on_host(8, 3000, 3000, meets, {2}).path, Path::skinny_rows);
  facts.b.row_stride = 7000;
  EXPECT_EQ(plan_on_host(8, 7000, 3000, facts, {2}).path, Path::skinny_rows);
  EXPECT_EQ(plan_on_host(8, 7000, 3000, row_major(), {2}).path, Path::skinny_rows) << "measured with AVX-512 only";
}

TEST(MatmulBlockedPolicy, AIsPackedForManyColumnsOfTiles) {
  EXPECT_TRUE(plan_on_host(4096, 4096, 32, wide(), {1}).pack_a);
  EXPECT_FALSE(plan_on_host(4096, 3000, 32, wide(), {1}).pack_a) << "few columns, in a second-level cache";
  EXPECT_TRUE(plan_on_host(520, 520, 520, wide(), {1}).pack_a) << "no second-level cache holds A";
  EXPECT_FALSE(plan_on_host(480, 480, 480, wide(), {1}).pack_a);
}

TEST(MatmulBlockedPolicy, ShallowBlocksOfBAreWiderForAnyNumberOfThreads) {
  HostFacts const facts = wide();
  for (int const threads : {1, 2, 4}) {
    HostPlan const plan = plan_on_host(4096, 40000, 12, facts, {threads});
    EXPECT_GT(plan.block_cols, facts.blocks.nc) << threads;
    EXPECT_LE(plan.block_cols, 2 * facts.blocks.nc) << threads;
    EXPECT_LE(plan_on_host(4096, 40000, 512, facts, {threads}).block_cols, facts.blocks.nc) << threads;
  }
}

TEST(MatmulBlockedPolicy, FewColumnsOverWholeRegistersAreDotProductsWhereTheyAreLessWork) {
  EXPECT_EQ(plan_on_host(129, 129, 129, wide(), {1}).edge_cols, 1);
  EXPECT_EQ(plan_on_host(129, 129, 129, wide(), {2}).edge_cols, 1) << "the same bits with any number of threads";
  EXPECT_EQ(plan_on_host(128, 128, 128, wide(), {1}).edge_cols, 0);
  EXPECT_EQ(plan_on_host(129, 140, 129, wide(), {1}).edge_cols, 0) << "twelve columns fill a register well enough";
  EXPECT_EQ(plan_on_host(33, 33, 20, wide(), {1}).edge_cols, 0) << "too shallow";
  EXPECT_EQ(plan_on_host(33, 33, 33, wide(), {1}).edge_cols, 1) << "tiny ones too";
  HostFacts columns = wide();
  columns.a.col_stride = 2;
  EXPECT_EQ(plan_on_host(129, 129, 129, columns, {1}).edge_cols, 0) << "A's rows are not contiguous";
}

TEST(MatmulBlockedPolicy, TheStepsOfKDoNotDependOnThreads) {
  for (std::int64_t const n : {1, 7, 12, 40, 64, 65, 129, 200, 1000, 5000, 50000}) {
    for (std::int64_t const k : {1, 63, 64, 65, 256, 257, 700, 20000}) {
      for (std::int64_t const m : {1, 3, 16, 50, 400}) {
        for (HostFacts facts : {row_major(), wide()}) {
          for (bool const unit_cols : {true, false}) {
            facts.b.col_stride = unit_cols ? 1 : 2;
            HostPlan const one = plan_on_host(m, n, k, facts, {1});
            for (int const threads : {2, 3, 7, 64}) {
              HostPlan const many = plan_on_host(m, n, k, facts, {threads});
              EXPECT_EQ(one.path, many.path);
              EXPECT_EQ(one.exchange, many.exchange);
              EXPECT_EQ(one.blocks.kc, many.blocks.kc) << m << " " << n << " " << k;
              EXPECT_EQ(one.edge_cols, many.edge_cols) << m << " " << n << " " << k;
            }
          }
        }
      }
    }
  }
}

TEST(MatmulBlockedPolicy, SizesWhoseProductsOverflowIntegersArePlanned) {
  constexpr std::int64_t huge = std::int64_t{1} << 40;
  EXPECT_GE(plan_on_host(huge, huge, huge, row_major(), {4}).threads(), 1);
  EXPECT_GE(plan_on_host(huge, 0, huge, row_major(), {4}).threads(), 1);
  EXPECT_GE(plan_on_host(0, huge, 1, row_major(), {4}).threads(), 1);
}

template <class TestCase>
class MatmulBlocked : public ::testing::Test {};
TYPED_TEST_SUITE(MatmulBlocked, AllCases);

// Shapes on both sides of what the plans turn on: packing, blocks of m, n and k, few rows or columns, long sums.
TYPED_TEST(MatmulBlocked, EveryPathIsRight) {
  using Exec = typename TypeParam::Exec;
  using T = typename TypeParam::T;
  std::size_t number = 3;
  for (Shape const shape : {Shape{1, 300, 200}, Shape{2, 257, 300}, Shape{7, 400, 150}, Shape{300, 3, 270},
                            Shape{400, 1, 100}, Shape{13, 20, 900}, Shape{70, 70, 70}, Shape{150, 170, 140},
                            Shape{33, 2100, 20}, Shape{210, 75, 400}, Shape{20, 18, 1030}}) {
    Op const op_a = number % 2 == 0 ? Op::none : Op::conjugate_transpose,
             op_b = number % 3 == 0 ? Op::none : Op::transpose;
    Call<T> const call(shape, scalar<T>(2, -1), number % 4 == 0 ? T(0) : scalar<T>(3, 2), op_a, op_b);
    for (int turn = 0; turn < 4; ++turn) {
      Placements const at = placements(29 * number++);
      SCOPED_TRACE(to_string(shape) + " " + to_string(at));
      expect_right(Exec{}, call, {.op_a = op_a, .op_b = op_b}, at);
    }
  }
}

template <class T>
void expect_right_from_memory(Shape const& shape, Op op_b = Op::none, Op op_a = Op::none) {
  Call<T> const call(shape, scalar<T>(2, -1), scalar<T>(3, 2), op_a, op_b);
  expect_right(Kokkos::DefaultHostExecutionSpace{}, call, {.op_a = op_a, .op_b = op_b}, {});
}

// Operands too large for the caches: long rows of B, and long columns.
TEST(MatmulFar, EveryElementIsRight) {
  for (Shape const shape :
       {Shape{14, 6000, 450}, Shape{13, 17, 20000}, Shape{5, 6, 30000}, Shape{3000, 40, 200}, Shape{2500, 13, 150}}) {
    SCOPED_TRACE(to_string(shape));
    expect_right_from_memory<float>(shape);
    expect_right_from_memory<double>(shape);
    expect_right_from_memory<Kokkos::complex<double>>(shape);
    expect_right_from_memory<std::int64_t>(shape);
  }
}

// B is prefetched, along its rows and down its columns; tiles read one of 30 MB in blocks of few rows.
TEST(MatmulFar, WhatIsAskedForEarlyIsRight) {
  for (Op const op_b : {Op::none, Op::transpose}) {
    SCOPED_TRACE(op_b == Op::none ? "B" : "B^T");
    expect_right_from_memory<float>({2, 3401, 803}, op_b);
    expect_right_from_memory<double>({3, 1701, 803}, op_b);
    expect_right_from_memory<Kokkos::complex<float>>({4, 1701, 801}, op_b);
  }
  expect_right_from_memory<float>({5, 6101, 1250});
}

// More of A's contiguous columns than dot products hold at once, and too many sums to cut k into slices.
TEST(MatmulFar, FewRowsAreHeldInTurns) {
  expect_right_from_memory<float>({8, 601, 4801}, Op::transpose, Op::transpose);
  expect_right_from_memory<double>({7, 601, 4801}, Op::transpose, Op::transpose);
}

/// A C that the last-level cache does not hold, `shift` elements behind its alignment: the bits are those of calls for
/// pieces of it, which are computed by register tiles.
template <class T>
void expect_streamed_like_pieces(std::size_t cols, std::size_t k, std::size_t shift) {
  using Matrix = Kokkos::View<T**, Kokkos::LayoutRight, Host>;
  auto const cache = static_cast<std::size_t>(pantile::impl::arch::last_level_caches().most);
  std::size_t const rows = cache / (cols * sizeof(T)) + 1;
  if (rows * cols * sizeof(T) > std::size_t{256} << 20) GTEST_SKIP() << "a last-level cache of " << cache << " bytes";
  Matrix const whole("C", rows, cols + shift), pieces("pieces", rows, cols + shift), a("A", rows, k), b("B", k, cols);
  T const unwritten = std::numeric_limits<T>::has_quiet_NaN ? std::numeric_limits<T>::quiet_NaN() : T(7);
  Kokkos::deep_copy(whole, unwritten);
  Kokkos::deep_copy(pieces, unwritten);
  for (std::size_t p = 0; p < k; ++p) {
    for (std::size_t i = 0; i < rows; ++i) a(i, p) = static_cast<T>((i * 37 + p * 11) % 101) / T(3) - T(17);
    for (std::size_t j = 0; j < cols; ++j) b(p, j) = static_cast<T>((j * 53 + p * 29) % 97) / T(7) - T(5);
  }
  auto const behind = [&](Matrix const& c, std::size_t from, std::size_t to) {
    return Kokkos::subview(c, std::pair(from, to), std::pair(shift, cols + shift));
  };
  auto const c = behind(whole, 0, rows);
  std::string const plan = pantile::to_string(pantile::explain::matmul(Host{}, T(3), a, b, T(0), c));
  ASSERT_THAT(plan, ::testing::HasSubstr("past the cache"));
  pantile::matmul(Host{}, T(3), a, b, T(0), c);
  for (std::size_t i = 0; i < rows; i += 100) {
    std::size_t const end = std::min(rows, i + 100);
    auto const rows_of_a = Kokkos::subview(a, std::pair(i, end), Kokkos::ALL);
    pantile::matmul(Host{}, T(3), rows_of_a, b, T(0), behind(pieces, i, end));
  }
  EXPECT_EQ(std::memcmp(whole.data(), pieces.data(), whole.span() * sizeof(T)), 0);
}

TEST(MatmulStreamed, HasTheBitsOfTiles) {
  for (std::size_t const k : {1, 2, 3, 5, 8}) {
    SCOPED_TRACE(k);
    expect_streamed_like_pieces<float>(4096, k, 0);
    expect_streamed_like_pieces<double>(k < 6 ? 1003 : 2048, k, 0);
  }
  expect_streamed_like_pieces<float>(999, 4, 3);
  expect_streamed_like_pieces<double>(2048, 5, 1);
  expect_streamed_like_pieces<std::int32_t>(2048, 7, 0);
}

/// Largest error over unit roundoff times |A||B| of sums of k products of numbers in (0, 1).
template <class T>
double worst_error(std::size_t m, std::size_t n, std::size_t k) {
  auto positive = [](HostMatrix<T> x) {
    for (T& value : x.values) value = std::abs(value);
    return x;
  };
  auto const a = positive(random_matrix<T>(m, k, k)), b = positive(random_matrix<T>(k, n, k + 1));
  Placed<T, Host> const A("A", a, Placement::right), B("B", b, Placement::right), C("C", m, n, Placement::right);
  pantile::matmul(Host{}, T(1), A.view(), B.view(), T(0), C.view());
  Host{}.fence();
  auto const c = C.values();
  long double worst = 0;
  for (std::size_t i = 0; i < m; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      // 64 bits of significand against 53 or 24: its own error of k roundings stays far below a unit of T.
      long double sum = 0;
      for (std::size_t p = 0; p < k; ++p) sum += static_cast<long double>(a(i, p)) * b(p, j);
      worst = std::max(worst, std::abs(c(i, j) - sum) / sum);
    }
  }
  return static_cast<double>(worst / (std::numeric_limits<T>::epsilon() / 2));
}

// A tool is to see a kernel; the calling thread does the work all the same.
TEST(MatmulTools, ATinyProductIsRightWhileAToolListens) {
  Call<double> const call({5, 7, 3});
  ToolEvents const events;
  expect_right(Host{}, call, {});
  EXPECT_EQ(events.count(ToolEvents::Kind::kernel, "pantile::matmul["), 1U);
}

TEST(MatmulAccuracy, ErrorsStaySmallForLongSums) {
  for (std::size_t const k : {1U, 2U, 10U, 63U, 100U, 255U, 256U, 257U, 400U, 1000U, 2000U, 4000U, 8191U, 16000U}) {
    double const limit = k >= 4000 ? 8 : 14;
    for (std::size_t const m : {7U, 40U}) {
      EXPECT_LE(worst_error<double>(m, m + 9, k), limit) << "double, k = " << k << ", m = " << m;
      EXPECT_LE(worst_error<float>(m, m + 9, k), limit) << "float, k = " << k << ", m = " << m;
    }
  }
}

}  // namespace

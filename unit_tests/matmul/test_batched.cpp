// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file  Batches of products in every layout: each product as the oracle has it, and nothing else written.
#include <matmul/batches.hpp>

namespace {

using namespace pantile::testing;
using Algorithm = pantile::MatmulAlgorithm;
using pantile::MatmulOptions;
using pantile::Op;

template <class T>
class MatmulBatches : public ::testing::Test {};
using Elements = ::testing::Types<float, double, Kokkos::complex<float>, Kokkos::complex<double>, std::int32_t,
                                  std::int64_t, std::uint32_t>;
TYPED_TEST_SUITE(MatmulBatches, Elements);

TYPED_TEST(MatmulBatches, OfEveryShapeAndNumber) {
  for (Shape const shape : {Shape{1, 1, 1}, Shape{4, 4, 4}, Shape{3, 5, 7}, Shape{8, 8, 8}, Shape{16, 16, 16},
                            Shape{13, 33, 9}, Shape{25, 24, 40}, Shape{1, 40, 50}, Shape{40, 1, 50}, Shape{70, 61, 53},
                            Shape{5, 3, 300}, Shape{0, 3, 2}, Shape{3, 0, 2}, Shape{3, 2, 0}}) {
    for (std::size_t const count : {std::size_t{0}, std::size_t{1}, std::size_t{2}, std::size_t{7}}) {
      SCOPED_TRACE(to_string(shape) + ", " + std::to_string(count));
      expect_right(HostSpace{}, BatchCall<TypeParam>{.shape = shape, .count = count});
    }
  }
}

TYPED_TEST(MatmulBatches, InEveryLayout) {
  for (BatchLayout const& la : batch_layouts) {
    for (BatchLayout const& lb : batch_layouts) {
      for (BatchLayout const& lc : batch_layouts) {
        SCOPED_TRACE(std::string(la.name) + " " + lb.name + " " + lc.name);
        expect_right(HostSpace{}, BatchCall<TypeParam>{{6, 9, 5}, 5, la, lb, lc});
      }
    }
  }
}

/// A batch, by pointers too, has the bits of a loop over single products: in a layout that is no single product by
/// itself.
TYPED_TEST(MatmulBatches, HaveTheBitsOfSingleProducts) {
  using T = TypeParam;
  for (std::size_t const n : {1, 2, 3, 4, 8, 12, 16, 17, 24, 31, 33, 48, 64, 100, 250}) {
    for (BatchLayout const& layout : {batch_layouts[0], batch_layouts[1], batch_layouts[2], batch_layouts[4]}) {
      SCOPED_TRACE(std::to_string(n) + " " + layout.name);
      PlacedBatch<T> a(3, n, n, layout, 1), b(3, n, n, layout, 2), c(3, n, n, layout, 3);
      PlacedBatch<T> single = c, by_pointers = c;
      pantile::matmul(HostSpace{}, scalar<T>(2, -1), a.view(), b.view(), scalar<T>(3, 2), c.view());
      auto const pa = a.pointers(), pb = b.pointers(), pc = by_pointers.pointers();
      pantile::matmul(HostSpace{}, scalar<T>(2, -1), a.batch(pa), b.batch(pb), scalar<T>(3, 2), by_pointers.batch(pc));
      for (std::size_t i = 0; i < 3; ++i) {
        pantile::matmul(HostSpace{}, scalar<T>(2, -1), a.at(i), b.at(i), scalar<T>(3, 2), single.at(i));
      }
      EXPECT_TRUE(c.memory() == single.memory());
      EXPECT_TRUE(by_pointers.memory() == single.memory());
    }
  }
}

/// Registers of products and what is left of them, each operand beside its neighbours or common.
TYPED_TEST(MatmulBatches, ThatLieSideBySide) {
  for (std::size_t const count : {1, 2, 15, 16, 17, 67, 200}) {
    for (Form const& form : {forms[0], forms[1], forms[2]}) {
      for (Shape const shape : {Shape{1, 1, 1}, Shape{4, 4, 4}, Shape{5, 9, 3}, Shape{8, 3, 225}}) {
        SCOPED_TRACE(std::to_string(count) + " " + form.name + " " + to_string(shape));
        BatchLayout const& left = batch_layouts[1];
        expect_right(HostSpace{}, BatchCall<TypeParam>{shape, count, left, left, left, form});
      }
    }
  }
}

/// The host's kernels by themselves, whose results may begin anywhere in a line.
template <class T>
class MatmulBatchKernels : public ::testing::Test {};
using Numbers = ::testing::Types<float, double, std::uint32_t, std::uint64_t>;
TYPED_TEST_SUITE(MatmulBatchKernels, Numbers);

TYPED_TEST(MatmulBatchKernels, WriteTheSamePastTheCache) {
  namespace arch = pantile::impl::arch;
  using T = TypeParam;
  auto const* const kernels = arch::host_kernels<arch::GemmKernels<T>>();
  if (kernels == nullptr) GTEST_SKIP() << "no host kernels in this build";
  std::mt19937_64 generator(1);
  for (Shape const shape : {Shape{1, 1, 1}, Shape{4, 4, 4}, Shape{8, 8, 8}, Shape{3, 5, 7}, Shape{12, 7, 2},
                            Shape{16, 16, 16}, Shape{17, 33, 9}, Shape{50, 100, 30}, Shape{13, 12, 5}, Shape{26, 20, 7},
                            Shape{11, 24, 6}, Shape{9, 40, 8}, Shape{3, 64, 5}, Shape{21, 64, 7}}) {
    for (std::size_t const count : {1U, 2U, 61U}) {
      for (std::size_t const begin : {0U, 1U, 5U}) {
        SCOPED_TRACE(to_string(shape) + ", " + std::to_string(count) + " from " + std::to_string(begin));
        auto const [m, n, k] = shape;
        std::vector<T> a(count * m * k), b(count * k * n), c(begin + count * m * n + 20, T(77));
        for (T& value : a) value = random_value<T>(generator);
        for (T& value : b) value = random_value<T>(generator);
        std::vector<T> past(c.size() + 64 / sizeof(T));
        T* const line = past.data() + -reinterpret_cast<std::uintptr_t>(past.data()) % 64 / sizeof(T);
        auto const rows = static_cast<std::int64_t>(m), cols = static_cast<std::int64_t>(n),
                   depth = static_cast<std::int64_t>(k);
        std::int64_t const left = cols % kernels->shape.lanes,
                           last = cols > kernels->shape.lanes && left <= 8 ? left : 0;
        auto const multiply = [&](T* to, bool streams, std::int64_t edge_cols, arch::BatchFetch fetch,
                                  std::int64_t tile_rows = 0) {
          arch::GemmCall<T> call{};
          call.m = rows, call.n = cols, call.k = depth;
          call.a = a.data(), call.b = b.data(), call.c = to;
          call.a_rs = depth, call.b_rs = call.c_rs = cols;
          call.a_cs = call.b_cs = call.c_cs = 1;
          call.alpha[0] = T(3);
          kernels->tiny_batch(call, {static_cast<std::int64_t>(count), rows * depth, depth * cols, rows * cols, streams,
                                     edge_cols, fetch, tile_rows});
        };
        for (std::int64_t const edge_cols : {std::int64_t{0}, last}) {
          multiply(c.data() + begin, false, edge_cols, arch::BatchFetch::none);
          for (auto const fetch :
               {arch::BatchFetch::none, arch::BatchFetch::with_tiles, arch::BatchFetch::with_depth}) {
            std::fill(past.begin(), past.end(), T(77));
            multiply(line + begin, true, edge_cols, fetch);
            EXPECT_TRUE(std::equal(c.begin(), c.end(), line))
                << edge_cols << " columns in dot products, fetch " << static_cast<int>(fetch);
            std::fill(past.begin(), past.end(), T(77));
            multiply(line + begin, false, edge_cols, fetch, arch::host::batch_low_rows);
            EXPECT_TRUE(std::equal(c.begin(), c.end(), line))
                << edge_cols << " columns in dot products, fetch " << static_cast<int>(fetch) << ", low tiles";
          }
        }
        EXPECT_FALSE(c[begin] == T(77) && c[begin + count * m * n - 1] == T(77)) << "nothing was written";
      }
    }
  }
}

TEST(MatmulBatchesOf, MoreResultsThanTheCacheHoldsAreWrittenPastIt) {
  namespace matmul = pantile::impl::matmul;
  matmul::BatchQuery query;
  query.one.m = query.one.k = 24, query.one.n = 32;
  query.one.host.element_bytes = 8;
  query.one.host.cache_bytes = 1 << 20;
  query.contiguous = true;
  query.count = (1 << 20) / (24 * 32 * 8);
  EXPECT_FALSE(streams_c(query)) << "all of it stays";
  query.count += 1;
  EXPECT_TRUE(streams_c(query));
  auto const other = [&](auto change) {
    auto one = query;
    change(one);
    return streams_c(one);
  };
  EXPECT_FALSE(other([](auto& q) { q.contiguous = false; }));
  EXPECT_FALSE(other([](auto& q) { q.one.host.reads_c = true; }));
  EXPECT_FALSE(other([](auto& q) { q.one.host.real_products = 4; }));
  EXPECT_FALSE(other([](auto& q) { q.one.n = 4096; })) << "longer rows than the kernels take";
  EXPECT_FALSE(other([](auto& q) { q.one.m = 4096, q.one.c_along_columns = true; })) << "longer columns";
  EXPECT_TRUE(other([](auto& q) { q.one.n = 4096, q.one.c_along_columns = true; }));
}

TEST(MatmulBatchesOf, WidthAndCachesSayHowTheyMeetMemory) {
  namespace matmul = pantile::impl::matmul;
  using pantile::impl::arch::BatchFetch;
  matmul::BatchQuery query;
  matmul::HostFacts& facts = query.one.host;
  facts.element_bytes = 8, facts.lanes = 8, facts.panel_cols = 24, facts.in_place_cols = 32,
  facts.cache_bytes = 1 << 20;
  query.contiguous = true;
  query.count = 10000;
  struct Row {
    std::int64_t edge, first_level, second_level;
    BatchFetch fetch;
    bool streams;
    std::int64_t tile_rows;
  };
  constexpr std::int64_t near = 48 << 10, small = 1 << 20, large = 2 << 20;
  for (Row const& row : {
           Row{8, near - 1, small, BatchFetch::none, true, 0},
           Row{9, near - 1, small, BatchFetch::none, false, 0},
           Row{32, near - 1, small, BatchFetch::none, false, 0},
           Row{33, near - 1, small, BatchFetch::with_depth, true, 0},
           Row{8, near, small, BatchFetch::none, true, 0},
           Row{9, near, small, BatchFetch::none, false, 4},
           Row{16, near, small, BatchFetch::none, false, 4},
           Row{17, near, small, BatchFetch::with_depth, false, 4},
           Row{24, near, small, BatchFetch::with_depth, false, 4},
           Row{25, near, small, BatchFetch::with_depth, false, 0},
           Row{33, near, small, BatchFetch::with_depth, false, 0},
           Row{32, near, large, BatchFetch::with_tiles, true, 0},
           Row{33, near, large, BatchFetch::with_depth, true, 0},
       }) {
    query.one.m = query.one.n = query.one.k = row.edge;
    facts.first_level_bytes = row.first_level;
    facts.second_level_bytes = row.second_level;
    matmul::BatchPlan plan;
    plan_memory(query, plan);
    EXPECT_EQ(plan.fetch, row.fetch) << row.edge << ", " << row.second_level;
    EXPECT_EQ(plan.streams, row.streams) << row.edge << ", " << row.second_level;
    EXPECT_EQ(plan.tile_rows, row.tile_rows) << row.edge << ", " << row.second_level;
  }
}

TEST(MatmulBatchesOf, MixedTypesAndHalves) {
  using Half = Kokkos::Experimental::half_t;
  Kokkos::View<Half***, Kokkos::LayoutRight, Kokkos::HostSpace> const a("a", 3, 20, 30), b("b", 3, 30, 40);
  Kokkos::View<float***, Kokkos::LayoutRight, Kokkos::HostSpace> const c("c", 3, 20, 40);
  Kokkos::View<std::int8_t***, Kokkos::LayoutRight, Kokkos::HostSpace> const x("x", 3, 20, 30);
  Kokkos::View<std::int32_t***, Kokkos::LayoutRight, Kokkos::HostSpace> const y("y", 3, 20, 20);
  for (std::size_t i = 0; i < a.size(); ++i) {
    a.data()[i] = Half(static_cast<float>(i % 7));
    b.data()[i % b.size()] = Half(static_cast<float>(i % 5));
    x.data()[i] = static_cast<std::int8_t>(i % 251);
  }
  pantile::matmul(HostSpace{}, 1, a, b, 0, c);
  pantile::matmul(HostSpace{}, 1, x, x, 0, y, {.op_b = Op::transpose});
  for (std::size_t p = 0; p < 3; ++p) {
    for (std::size_t i = 0; i < 20; ++i) {
      for (std::size_t j = 0; j < 20; ++j) {
        float sum = 0;  // of small integers: exact
        std::int32_t product = 0;
        for (std::size_t l = 0; l < 30; ++l) {
          sum += static_cast<float>(a(p, i, l)) * static_cast<float>(b(p, l, j));
          product += x(p, i, l) * x(p, j, l);
        }
        ASSERT_EQ(c(p, i, j), sum);
        ASSERT_EQ(y(p, i, j), product);
      }
    }
  }
}

}  // namespace

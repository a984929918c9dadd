// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file  What is chosen for which budget: never more memory, and traffic near the bounds.
#include <pantile/impl/out_of_core/plan.hpp>
#include <pantile/impl/out_of_core/schedule.hpp>

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace {

using namespace pantile::impl::out_of_core;
namespace room = pantile::impl::out_of_core;

constexpr std::size_t MiB = std::size_t{1} << 20;

struct Product {
  std::int64_t m, n, k;
  std::size_t memory;
  double most;                 ///< times the bound
  double most_along_k = most;  ///< where A lies by rows and B by columns: their runs lie along k, and count too
};

void PrintTo(Product const& p, std::ostream* out) {
  *out << p.m << " x " << p.n << " x " << p.k << " in " << p.memory / MiB << " MiB";
}

MatmulQuery doubles(Product const& p) {
  return {
      .m = p.m, .n = p.n, .k = p.k, .input_bytes = 8, .output_bytes = 8, .accumulator_bytes = 8, .memory = p.memory};
}

/// Smith, Lowery, Langou and van de Geijn, arXiv 1702.02017: 2 m n k / sqrt(M) - 2 M elements; and each operand once.
double least_bytes(MatmulQuery const& q) {
  double const m = static_cast<double>(q.m), n = static_cast<double>(q.n), k = static_cast<double>(q.k);
  double const memory = static_cast<double>(q.memory) / static_cast<double>(q.accumulator_bytes);
  double const once = m * k + k * n + m * n, tiles = 2 * m * n * k / std::sqrt(memory) - 2 * memory;
  return std::max(once, tiles) * static_cast<double>(q.input_bytes);
}

class MatmulTraffic : public testing::TestWithParam<Product> {};

TEST_P(MatmulTraffic, IsNearItsBoundWithinTheBudget) {
  for (Order const a : {Order::rows, Order::columns}) {
    for (Order const b : {Order::rows, Order::columns}) {
      MatmulQuery query = doubles(GetParam());
      query.a_order = a;
      query.b_order = b;
      auto const plan = plan_matmul(query);
      double const bytes = plan.bytes_read + plan.bytes_written;
      EXPECT_LE(plan.memory, query.memory);
      bool const along_k = a == Order::rows && b == Order::columns;
      EXPECT_LE(bytes, (along_k ? GetParam().most_along_k : GetParam().most) * least_bytes(query))
          << bytes / least_bytes(query) << " of the bound; tiles " << plan.tile_rows << " x " << plan.tile_cols << " x "
          << plan.depth;
      EXPECT_GE(bytes, least_bytes(query));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Shapes, MatmulTraffic,
                         testing::Values(Product{8192, 8192, 8192, 64 * MiB, 1.7, 2.1},  // squares
                                         Product{32768, 32768, 32768, 256 * MiB, 1.7},   //
                                         Product{100000, 100000, 100000, 4096 * MiB, 1.6},
                                         Product{100000, 100000, 64, 64 * MiB, 1.2},   // k small: a panel stays
                                         Product{100000, 64, 100000, 64 * MiB, 1.2},   // C small
                                         Product{64, 100000, 100000, 64 * MiB, 1.2},   //
                                         Product{1000, 1000, 1000000, 64 * MiB, 1.2},  // C fits
                                         Product{200000, 1000, 1000, 64 * MiB, 1.2},   // B fits
                                         Product{1000, 200000, 1000, 64 * MiB, 1.2},   // A fits
                                         Product{500, 500, 500, 64 * MiB, 1.0},        // everything fits
                                         Product{1, 1000000, 1000, 16 * MiB, 1.1}));

/// What the steps load and the strips move is what the plan says, and each element of C has one tile.
void expect_steps_as_said(MatmulQuery const& query) {
  auto const plan = plan_matmul(query);
  double read = 0, written = 0;
  std::int64_t tiles = 0;
  room::for_each_step(plan, 0, [&](room::Step const& step) {
    if (step.loads_a) read += static_cast<double>(step.a.count()) * static_cast<double>(query.input_bytes);
    if (step.loads_b) read += static_cast<double>(step.b.count()) * static_cast<double>(query.input_bytes);
    EXPECT_FALSE(step.depth == 0 && (step.loads_a || step.loads_b)) << "there is no panel to be loaded";
    EXPECT_LE(static_cast<std::size_t>(step.a.count()) * query.input_bytes, plan.a_bytes);
    EXPECT_LE(static_cast<std::size_t>(step.b.count()) * query.input_bytes, plan.b_bytes);
    EXPECT_EQ(step.a.row, step.c.row);
    EXPECT_EQ(step.b.col, step.c.col);
    EXPECT_TRUE(step.a.col <= step.begin && step.begin + step.depth <= step.a.col + step.a.cols);
    EXPECT_TRUE(step.b.row <= step.begin && step.begin + step.depth <= step.b.row + step.b.rows);
    if (!step.last) return;
    ++tiles;
    room::for_each_strip(plan, step.c, [&](Part const& strip) {
      EXPECT_LE(static_cast<std::size_t>(strip.count()) * query.output_bytes, plan.strip_bytes);
      written += static_cast<double>(strip.count()) * static_cast<double>(query.output_bytes);
    });
  });
  if (query.reads_c) read += written;
  EXPECT_EQ(tiles, plan.tiles());
  EXPECT_DOUBLE_EQ(read, plan.bytes_read);
  EXPECT_DOUBLE_EQ(written, plan.bytes_written);
}

TEST(MatmulPlan, StepsMoveWhatItSays) {
  for (std::size_t const memory : {std::size_t{64} << 10, MiB, 16 * MiB}) {
    for (bool const reads_c : {false, true}) {
      for (Order const order : {Order::rows, Order::columns}) {
        for (auto const [m, n, k] :
             {std::tuple(1000, 700, 900), {37, 5000, 11}, {5000, 37, 11}, {20, 30, 90000}, {9, 9, 0}}) {
          MatmulQuery query = doubles({m, n, k, memory, 0});
          query.reads_c = reads_c;
          query.c_order = query.a_order = order;
          SCOPED_TRACE(testing::Message() << m << " x " << n << " x " << k << " in " << memory);
          expect_steps_as_said(query);
        }
      }
    }
  }
}

/// In tiles of 500 x 300 x 200, strips of 167 rows.
MatmulPlan plan_of_tiles(bool reads_c, Order c_in_order, bool keeps_a, bool keeps_b) {
  MatmulQuery query = doubles({1000, 600, 400, 0, 0});
  query.reads_c = reads_c;
  query.c_in_order = c_in_order;
  return room::MatmulVariants(query, 128).tiles(500, 300, 200, keeps_a, keeps_b);
}

TEST(MatmulPlan, CountsBuffersBytesAndRuns) {
  using enum Order;
  struct Row {
    bool reads_c, keeps_a, keeps_b;
    Order c_in_order;
    std::size_t memory;
    double read, moved, runs;
  };
  for (Row const& row : {Row{false, false, false, rows, 4561664, 10.24e6, 14.08e6, 7604},
                         Row{true, false, false, rows, 5363328, 15.04e6, 17.92e6, 9608},
                         Row{true, false, false, columns, 5363328, 15.04e6, 17.92e6, 11204},
                         Row{false, true, false, rows, 4561664, 7.04e6, 14.08e6, 3610},
                         Row{false, false, true, rows, 4561664, 8.32e6, 14.08e6, 6804}}) {
    MatmulPlan const plan = plan_of_tiles(row.reads_c, row.c_in_order, row.keeps_a, row.keeps_b);
    EXPECT_EQ(plan.memory, row.memory);
    EXPECT_EQ(plan.bytes_read, row.read);
    EXPECT_EQ(plan.bytes_written, 4.8e6);
    EXPECT_EQ(plan.bytes_moved, row.moved);
    EXPECT_EQ(plan.runs, row.runs);
  }
  auto const nothing = plan_matmul(doubles({5, 5, 0, MiB, 0}));  // C alone, in one run
  EXPECT_EQ(nothing.runs, 1);
  EXPECT_EQ(nothing.bytes_moved, 0);
}

/// With all of k, one run where k is contiguous, in the parts that the strips of C leave.
TEST(MatmulPlan, FillsPanelsThatStayByStripsOfC) {
  using enum Order;
  struct Row {
    Order a, b, c;
    bool keeps_a, a_in_strips, b_in_strips;
    std::int64_t parts, lines;
  };
  for (Row const& row :
       {Row{rows, rows, rows, true, true, false, 3, 167}, Row{columns, rows, rows, true, false, false, 1, 500},
        Row{rows, rows, columns, true, false, false, 1, 500}, Row{rows, columns, columns, false, false, true, 2, 150},
        Row{rows, rows, columns, false, false, false, 1, 300}, Row{rows, columns, rows, false, false, false, 1, 300}}) {
    MatmulQuery query = doubles({1000, 600, 400, 0, 0});
    query.a_order = row.a;
    query.b_order = row.b;
    query.c_order = row.c;
    MatmulPlan const plan = room::MatmulVariants(query, 128).tiles(500, 300, 200, row.keeps_a, !row.keeps_a);
    EXPECT_EQ(plan.a_in_strips, row.a_in_strips);
    EXPECT_EQ(plan.b_in_strips, row.b_in_strips);
    room::Step first;
    room::for_each_step(plan, 3, [&](room::Step const& step) {
      if (step.first) first = step;
    });
    std::vector<Part> parts;
    room::for_each_part(plan, row.keeps_a ? first.a : first.b, row.keeps_a ? row.a_in_strips : row.b_in_strips,
                        [&](Part const& part) { parts.push_back(part); });
    ASSERT_EQ(static_cast<std::int64_t>(parts.size()), row.parts);
    EXPECT_EQ(parts[0], row.keeps_a ? (Part{500, 0, row.lines, 400}) : (Part{0, 300, 400, row.lines}));
    if (row.parts > 1) {
      EXPECT_EQ(parts[1], row.keeps_a ? (Part{667, 0, 167, 400}) : (Part{0, 450, 400, 150}));
    }
  }
}

TEST(MatmulPlan, PanelsThatStayAreLoadedAndFreedOnce) {
  for (bool const keeps_a : {true, false}) {
    auto const plan =
        room::MatmulVariants(doubles({1000, 600, 400, 0, 0}), 128).tiles(300, 200, 150, keeps_a, !keeps_a);
    std::vector<std::int64_t> loads, frees;
    room::for_each_step(plan, 1, [&](room::Step const& step) {
      bool const is_loaded = keeps_a ? step.loads_a : step.loads_b, is_freed = keeps_a ? step.frees_a : step.frees_b;
      if (is_loaded) loads.push_back(step.tile * 10 + step.begin / plan.depth);
      if (is_freed) frees.push_back(step.tile * 10 + step.begin / plan.depth);
      EXPECT_TRUE(keeps_a ? step.loads_b && step.frees_b : step.loads_a && step.frees_a);
    });
    // Tile number and step: rows of three tiles, columns of four.
    using testing::ElementsAre;
    if (keeps_a) {
      EXPECT_THAT(loads, ElementsAre(10, 30, 60, 90));
      EXPECT_THAT(frees, ElementsAre(22, 52, 82, 112));
    } else {
      EXPECT_THAT(loads, ElementsAre(10, 40, 80));
      EXPECT_THAT(frees, ElementsAre(32, 72, 112));
    }
  }
}

/// Of rows by rows (or columns by columns, the other way round) at four times the memory.
TEST(MatmulPlan, KeepsPanelsWhoseStepsWouldBeManyRuns) {
  for (Order const order : {Order::rows, Order::columns}) {
    for (auto const [edge, memory] : {std::pair(7472, 256), {6688, 256}, {8192, 320}}) {
      MatmulQuery query = doubles({edge, edge, edge, static_cast<std::size_t>(memory) * MiB, 0});
      query.a_order = query.b_order = query.c_order = order;
      auto const plan = plan_matmul(query);
      SCOPED_TRACE(testing::Message() << edge << ": tiles " << plan.tile_rows << " x " << plan.tile_cols << " x "
                                      << plan.depth);
      EXPECT_TRUE(order == Order::rows ? plan.a_in_strips : plan.b_in_strips);
      EXPECT_GT(plan.steps(), 1);
      EXPECT_GE(plan.depth, 256) << "while the last step is computed much is read and written";
      EXPECT_LE(plan.runs, 500);
      EXPECT_LE(plan.bytes_read + plan.bytes_written, 2.4 * least_bytes(query));
    }
  }
}

/// Where runs are many whatever is done, traffic decides.
TEST(MatmulPlan, DoesNotReadFarMoreForFewerRuns) {
  for (Product const& p : {Product{100000, 100000, 100000, 4096 * MiB, 0}, Product{32768, 32768, 32768, 256 * MiB, 0},
                           Product{8192, 8192, 8192, 64 * MiB, 0}, Product{7472, 7472, 7472, 256 * MiB, 0},
                           Product{7472, 7472, 7472, 224 * MiB, 0}, Product{20000, 20000, 20000, 1024 * MiB, 0}}) {
    MatmulQuery const query = doubles(p);
    room::MatmulVariants const variants(query, pantile::impl::arch::host::least_strip);
    double least = INFINITY;
    for (std::int64_t const rows : room::edges_of(p.m)) {
      for (std::int64_t const cols : room::edges_of(p.n)) {
        for (bool const keeps_a : {false, true}) {
          auto const plan = variants.tiles(rows, cols, 256, keeps_a, false);
          if (plan.memory <= query.memory) least = std::min(least, plan.bytes_read + plan.bytes_written);
        }
      }
    }
    auto const plan = plan_matmul(query);
    double const once = static_cast<double>(p.m * p.k + p.k * p.n + p.m * p.n) * 8;
    EXPECT_LE(plan.bytes_read + plan.bytes_written, 1.2 * least + once) << testing::PrintToString(p);
  }
}

TEST(MatmulPlan, ResumedStepsAreTheLastOnes) {
  auto const plan = plan_matmul(doubles({1000, 700, 900, 512 << 10, 0}));
  ASSERT_GT(plan.tiles(), 3);
  std::vector<room::Step> all, later;
  room::for_each_step(plan, 0, [&](room::Step const& step) { all.push_back(step); });
  room::for_each_step(plan, 3, [&](room::Step const& step) { later.push_back(step); });
  ASSERT_FALSE(later.empty());
  EXPECT_TRUE(later.front().loads_a && later.front().loads_b);
  auto const begin = std::ranges::find_if(all, [](room::Step const& step) { return step.tile == 3; });
  ASSERT_EQ(static_cast<std::size_t>(all.end() - begin), later.size());
  for (std::size_t i = 0; i < later.size(); ++i) EXPECT_EQ(later[i].c, begin[static_cast<std::ptrdiff_t>(i)].c);
}

TEST(MatmulPlan, KeepsTheBudgetDownToTheSmallestTiles) {
  MatmulQuery query = doubles({3000, 2000, 4000, 0, 0});
  query.reads_c = true;
  std::size_t const least = plan_matmul(query).memory;
  EXPECT_GT(least, 0U);
  EXPECT_LT(least, 64U << 10);
  EXPECT_EQ(plan_matmul(query).strip, 1);
  for (std::size_t memory = least; memory < 2048 * MiB; memory += memory / 3) {
    query.memory = memory;
    auto const plan = plan_matmul(query);
    EXPECT_LE(plan.memory, memory);
    query.memory = plan.memory;
    EXPECT_EQ(plan_matmul(query).bytes_read, plan.bytes_read) << "what it takes is enough for it";
  }
  query.memory = least - 1;
  EXPECT_EQ(plan_matmul(query).memory, least) << "and says what would do";
}

/// Terms of a product that take as long as a byte of its panels to be moved.
constexpr double terms_of_moved_byte = 4;

/// Share of the terms' time that the panels take to be moved.
double share_moved(MatmulQuery const& q, MatmulPlan const& plan) {
  double const terms = static_cast<double>(q.m) * static_cast<double>(q.n) * static_cast<double>(q.k);
  return terms_of_moved_byte * plan.bytes_moved / terms;
}

/// The least share among plans that the budget holds.
double least_share_moved(MatmulQuery const& q) {
  room::MatmulVariants const variants(q, pantile::impl::arch::host::least_strip);
  double least = INFINITY;
  for (std::int64_t const rows : room::edges_of(q.m)) {
    for (std::int64_t const cols : room::edges_of(q.n)) {
      for (std::int64_t const depth : room::edges_of(q.k, 1.5)) {
        for (bool const keeps_b : {false, true}) {
          if (keeps_b && depth != q.k) continue;
          auto const plan = variants.tiles(rows, cols, depth, false, keeps_b);
          if (plan.memory <= q.memory) least = std::min(least, share_moved(q, plan));
        }
      }
    }
  }
  return least;
}

TEST(MatmulPlan, ComputesForLongerThanItMovesPanels) {
  for (Order const c : {Order::rows, Order::columns}) {
    for (bool const reads_c : {false, true}) {
      for (Product const& p : {Product{7472, 7472, 7472, 256 * MiB, 0}, Product{7472, 7472, 7472, 224 * MiB, 0},
                               Product{5280, 5280, 5280, 96 * MiB, 0}, Product{8192, 8192, 8192, 192 * MiB, 0},
                               Product{8192, 8192, 8192, 320 * MiB, 0}, Product{8192, 8192, 8192, 16 * MiB, 0},
                               Product{3000, 3000, 3000, 2 * MiB, 0}, Product{100000, 100000, 100000, 4096 * MiB, 0},
                               Product{1000, 1000, 1000000, 64 * MiB, 0}, Product{200000, 1000, 1000, 64 * MiB, 0},
                               Product{1000, 200000, 1000, 64 * MiB, 0}, Product{100000, 64, 100000, 64 * MiB, 0},
                               Product{64, 100000, 100000, 64 * MiB, 0}, Product{2000, 2000, 2000, MiB / 4, 0}}) {
        MatmulQuery query = doubles(p);
        query.c_order = c;
        query.reads_c = reads_c;
        auto const plan = plan_matmul(query);
        double const least = least_share_moved(query);
        EXPECT_LE(share_moved(query, plan), std::max(1.0 / 3, 2 * least))
            << testing::PrintToString(p) << ": tiles " << plan.tile_rows << " x " << plan.tile_cols << " x "
            << plan.depth << ", strips " << plan.strip << ", where " << least << " would do";
      }
    }
  }
}

TEST(MatmulPlan, HasStripsThatAreNotThin) {
  for (std::int64_t const m : {10, 100, 300, 3000, 100000}) {
    MatmulQuery query = doubles({m, 8192, 8192, 64 * MiB, 0});
    for (Order const order : {Order::rows, Order::columns}) {
      query.c_order = order;
      auto const plan = plan_matmul(query);
      std::int64_t const edge = order == Order::rows ? plan.tile_rows : plan.tile_cols;
      EXPECT_GE(plan.strip, std::min<std::int64_t>(edge, 128)) << m;
      EXPECT_LE(plan.strip, edge);
    }
  }
}

// Of C and one strip 12288 bytes would not hold the smallest tiles.
TEST(MatmulPlan, HasThinStripsWhereNothingElseFits) {
  auto const plan = plan_matmul(doubles({40, 30, 50, 12288, 0}));
  EXPECT_LE(plan.memory, 12288U);
  EXPECT_LT(plan.strip, plan.tile_rows);
}

TEST(MatmulPlan, TakesEdgesOfTheMatrix) {
  auto const plan = plan_matmul(doubles({3, 5, 2, MiB, 0}));
  EXPECT_EQ(plan.tiles(), 1);
  EXPECT_EQ(plan.steps(), 1);
  EXPECT_EQ(plan_matmul(doubles({0, 5, 2, MiB, 0})).tiles(), 0);
  EXPECT_EQ(plan_matmul(doubles({5, 0, 2, MiB, 0})).tiles(), 0);
  EXPECT_EQ(plan_matmul(doubles({5, 5, 0, MiB, 0})).bytes_read, 0);
}

struct Matrix {
  std::int64_t rows, cols;
  Order a, b;
  std::size_t memory;
  double most_read, most_written;  ///< runs

  [[nodiscard]] TransposeQuery doubles() const {
    return {.rows = rows, .cols = cols, .a_order = a, .b_order = b, .element_bytes = 8, .memory = memory};
  }
};

void PrintTo(Matrix const& q, std::ostream* out) {
  *out << q.rows << " x " << q.cols << (q.a == q.b ? "" : ", a copy") << " in " << q.memory / MiB << " MiB";
}

class TransposeRuns : public testing::TestWithParam<Matrix> {};

TEST_P(TransposeRuns, AreFewWithinTheBudget) {
  Matrix const& q = GetParam();
  auto const plan = plan_transpose(q.doubles());
  SCOPED_TRACE(testing::Message() << plan.tile_rows << " x " << plan.tile_cols << " by strips of " << plan.strip
                                  << ", tiles in memory: " << plan.tile_buffers);
  EXPECT_LE(plan.memory, q.memory);
  EXPECT_LE(plan.runs_read, q.most_read);
  EXPECT_LE(plan.runs_written, q.most_written);
  EXPECT_EQ(plan.bytes_read, static_cast<double>(q.rows * q.cols * 8));
  EXPECT_EQ(plan.bytes_written, plan.bytes_read);
  EXPECT_GE(plan.tile_rows * plan.row_tiles, q.rows);
  EXPECT_GE(plan.tile_cols * plan.col_tiles, q.cols);
}

// A result of a few budgets is written in as many runs as tiles; of a hundred budgets runs of both are long, those that
// are written longer. Mere copies take tiles of whole rows, which are many, and write one while the next is read.
INSTANTIATE_TEST_SUITE_P(
    Shapes, TransposeRuns,
    testing::Values(Matrix{9152, 9152, Order::rows, Order::rows, 256 * MiB, 3 * 9152, 3},
                    Matrix{9152, 9152, Order::columns, Order::columns, 256 * MiB, 3 * 9152, 3},
                    Matrix{6000, 12000, Order::rows, Order::rows, 256 * MiB, 3 * 6000, 3},
                    Matrix{23520, 23520, Order::rows, Order::rows, 2048 * MiB, 3 * 23520, 3},
                    Matrix{12000, 6000, Order::rows, Order::rows, 256 * MiB, 3 * 12000, 3},
                    Matrix{9152, 9152, Order::rows, Order::rows, 64 * MiB, 12 * 9152, 12},
                    Matrix{30000, 30000, Order::rows, Order::rows, 64 * MiB, 32 * 30000, 5 * 30000},
                    Matrix{30000, 30000, Order::columns, Order::columns, 64 * MiB, 32 * 30000, 5 * 30000},
                    Matrix{30000, 30000, Order::rows, Order::columns, 64 * MiB, 8000, 500},
                    Matrix{1000000, 16, Order::rows, Order::rows, 64 * MiB, 200, 200},
                    Matrix{16, 1000000, Order::rows, Order::rows, 64 * MiB, 200, 200},
                    Matrix{5, 7, Order::rows, Order::columns, MiB, 1, 1}));

TEST(TransposePlan, WritesATileWhileItReadsTheNextOneWhereRunsAllowIt) {
  EXPECT_EQ(plan_transpose(Matrix{30000, 30000, Order::rows, Order::columns, 64 * MiB, 0, 0}.doubles()).tile_buffers,
            2);
  EXPECT_EQ(plan_transpose(Matrix{9152, 9152, Order::rows, Order::rows, 256 * MiB, 0, 0}.doubles()).tile_buffers, 1);
}

/// Strips follow each other through the tiles, none larger than its buffer.
TEST(TransposePlan, StripsReadEachElementOnce) {
  for (Order const order : {Order::rows, Order::columns}) {
    for (std::size_t const memory : {std::size_t{8} << 10, std::size_t{100} << 10, 2 * MiB, 8 * MiB}) {
      TransposeQuery const query{
          .rows = 700, .cols = 900, .a_order = order, .b_order = order, .element_bytes = 8, .memory = memory};
      auto const plan = plan_transpose(query);
      StoreShape const a{.rows = query.rows, .cols = query.cols, .order = order, .element_bytes = 8};
      std::vector<int> reads(700 * 900);
      for (std::int64_t tile = 0; tile < plan.tiles(); ++tile) {
        Part const part = room::tile_of(plan, a, tile);
        room::for_each_strip(part, order == Order::rows, plan.strip, [&](Part const& strip) {
          EXPECT_LE(a.bytes(strip), plan.strip_bytes);
          EXPECT_EQ(order == Order::rows ? strip.cols : strip.rows, order == Order::rows ? part.cols : part.rows);
          for (std::int64_t i = strip.row; i < strip.row + strip.rows; ++i) {
            for (std::int64_t j = strip.col; j < strip.col + strip.cols; ++j) {
              ++reads[static_cast<std::size_t>(i * 900 + j)];
            }
          }
        });
      }
      EXPECT_EQ(std::ranges::count(reads, 1), 700 * 900) << memory;
      EXPECT_LE(plan.memory, memory);
    }
  }
}

TEST(TransposePlan, KeepsTheBudgetDownToTheSmallestTiles) {
  TransposeQuery query{.rows = 3000, .cols = 2000, .element_bytes = 8};
  std::size_t const least = plan_transpose(query).memory;
  EXPECT_EQ(least, 3U * 16 * 16 * 8) << "two strips are read, one tile is written";
  for (std::size_t memory = least; memory < 1024 * MiB; memory += memory / 3) {
    query.memory = memory;
    EXPECT_LE(plan_transpose(query).memory, memory);
  }
  query.memory = least - 1;
  EXPECT_EQ(plan_transpose(query).memory, least);
}

TEST(TransposePlan, TilesAreAllOfTheMatrix) {
  auto const plan = plan_transpose({.rows = 1003, .cols = 707, .element_bytes = 8, .memory = MiB});
  ASSERT_TRUE(plan.row_tiles > 1 && plan.col_tiles > 1);
  std::int64_t elements = 0;
  std::set<std::pair<std::int64_t, std::int64_t>> corners;
  for (std::int64_t tile = 0; tile < plan.tiles(); ++tile) {
    Part const part = room::tile_of(plan, {.rows = 1003, .cols = 707}, tile);
    EXPECT_TRUE(part.rows > 0 && part.row + part.rows <= 1003 && part.cols > 0 && part.col + part.cols <= 707);
    corners.insert({part.row, part.col});
    elements += part.count();
  }
  EXPECT_EQ(static_cast<std::int64_t>(corners.size()), plan.tiles());
  EXPECT_EQ(elements, 1003 * 707);
  EXPECT_EQ(room::inside({100, 200, 50, 60}, {1, 2, 30, 40}), (Part{101, 202, 30, 40}));
}

TEST(Edges, CutIntoEqualParts) {
  for (std::int64_t const extent : {1, 15, 16, 17, 100, 4096, 1000003}) {
    auto const edges = room::edges_of(extent);
    EXPECT_EQ(edges.front(), extent);
    EXPECT_EQ(edges.back(), std::min<std::int64_t>(extent, 16));
    EXPECT_TRUE(std::ranges::is_sorted(edges, std::greater_equal<>{})) << extent;
  }
  EXPECT_TRUE(room::edges_of(0).empty());
}

}  // namespace

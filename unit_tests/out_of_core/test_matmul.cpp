// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file  Products by tiles beside sums in the test: types, orders, operators, scalars, budgets; ends and beginnings.
#include <out_of_core/cases.hpp>
#include <support/tool_events.hpp>

#include <tuple>

namespace {

using namespace pantile::testing;
using pantile::Op;
namespace out_of_core = pantile::out_of_core;
namespace room = pantile::impl::out_of_core;

template <class T>
T element(WatchedStore<T> const& store, Op op, std::int64_t i, std::int64_t j) {
  T const value = pantile::transposes(op) ? store(j, i) : store(i, j);
  if constexpr (pantile::is_complex_v<T>) {
    if (pantile::conjugates(op)) return Kokkos::conj(value);
  }
  return value;
}

struct Call {
  std::int64_t m, n, k;
  Order a = Order::rows, b = Order::rows, c = Order::rows, old = Order::rows;
  Op op_a = Op::none, op_b = Op::none;
  int alpha = 1, beta = 0;
  std::size_t memory = 30000;
};

/// The operands of a call, filled at random.
template <class T, class TC, class Sum>
struct Operands {
  explicit Operands(Call const& asked)
      : call(asked),
        a(make(call.m, call.k, call.a, call.op_a)),
        b(make(call.k, call.n, call.b, call.op_b)),
        c(call.m, call.n, call.c),
        old(call.m, call.n, call.old) {
    fill_randomly(a, 1);
    fill_randomly(b, 2);
    fill_randomly(old, 3);
  }

  void run(OutOfCoreOptions const& options) {
    out_of_core::matmul<T, TC, Sum>(Exec(), call.alpha, a, b, call.beta, old, c, options,
                                    {.op_a = call.op_a, .op_b = call.op_b});
  }
  out_of_core::MatmulPlan plan(OutOfCoreOptions const& options) {
    return out_of_core::explain::matmul<T, TC, Sum>(call.alpha, a, b, call.beta, old, c, options,
                                                    {.op_a = call.op_a, .op_b = call.op_b});
  }

  /// In tiles that no plan needs to choose.
  void run(std::int64_t rows, std::int64_t cols, std::int64_t depth, bool keeps_a, bool keeps_b,
           OutOfCoreOptions const& options = {}) {
    auto const stores = room::stores_of(a, b, call.beta == 0 ? nullptr : &old, c, {});
    auto const query = room::query_of(stores, {sizeof(T), sizeof(TC), sizeof(Sum)}, true, 0);
    auto const plan = room::MatmulVariants(query, 8).tiles(rows, cols, depth, keeps_a, keeps_b);
    room::TileProduct<T, TC, Sum, Exec> product(Exec(), plan, stores, {}, std::source_location::current(),
                                                Sum(call.alpha), Sum(call.beta));
    room::MatmulLoop(plan, stores, options).run(product);
  }

  void expect_product(std::int64_t first_row = 0) const {
    for (std::int64_t i = first_row; i < call.m; ++i) {
      for (std::int64_t j = 0; j < call.n; ++j) {
        Sum sum(0);
        for (std::int64_t l = 0; l < call.k; ++l) {
          sum += static_cast<Sum>(element(a, call.op_a, i, l)) * static_cast<Sum>(element(b, call.op_b, l, j));
        }
        sum *= static_cast<Sum>(call.alpha);
        if (call.beta != 0) sum += static_cast<Sum>(call.beta) * static_cast<Sum>(old(i, j));
        ASSERT_EQ(c(i, j), static_cast<TC>(sum)) << i << ", " << j;
      }
    }
  }

  static WatchedStore<T> make(std::int64_t rows, std::int64_t cols, Order order, Op op) {
    return pantile::transposes(op) ? WatchedStore<T>(cols, rows, order) : WatchedStore<T>(rows, cols, order);
  }

  Call call;
  WatchedStore<T> a, b;
  WatchedStore<TC> c, old;
};

template <class T, class TC = T, class Sum = TC>
void expect_product(Call const& call) {
  SCOPED_TRACE(::testing::Message() << call.m << " x " << call.n << " x " << call.k << " in " << call.memory
                                    << " bytes, beta " << call.beta);
  Operands<T, TC, Sum> operands(call);
  auto const plan = operands.plan({.memory = call.memory});
  EXPECT_LE(plan.memory, call.memory);
  operands.run({.memory = call.memory});
  operands.expect_product();
  operands.c.expect_written(1);
  EXPECT_EQ(static_cast<double>(operands.a.bytes_read + operands.b.bytes_read + operands.old.bytes_read),
            plan.bytes_read);
}

TEST(Matmul, EveryShapeAndBudget) {
  constexpr std::tuple<int, int, int> shapes[] = {{1, 1, 1},    {100, 90, 110}, {300, 7, 40},
                                                  {7, 300, 40}, {20, 30, 900},  {100, 120, 5},
                                                  {40, 40, 0},  {0, 5, 3},      {5, 0, 3}};
  for (auto const& [m, n, k] : shapes) {
    for (std::size_t const memory : {20000, 60000, 4000000}) {
      for (int const beta : {0, 3}) {
        expect_product<double>({.m = m, .n = n, .k = k, .beta = beta, .memory = memory});
      }
    }
  }
}

/// Tiles of 35 x 25 in strips of 9; the last ones are smaller and have fewer.
TEST(Matmul, PanelsThatStay) {
  constexpr Order rows = Order::rows, columns = Order::columns;
  for (auto const [a, b, c] : {std::tuple(rows, rows, rows), std::tuple(columns, columns, columns),
                               std::tuple(rows, columns, columns), std::tuple(columns, rows, rows)}) {
    for (bool const keeps_a : {true, false}) {
      for (std::int64_t const depth : {20, 70}) {
        for (int const beta : {0, 2}) {
          SCOPED_TRACE(::testing::Message() << static_cast<int>(a) << static_cast<int>(b) << static_cast<int>(c)
                                            << ", A stays: " << keeps_a << ", depth " << depth << ", beta " << beta);
          Operands<double, double, double> operands(
              {.m = 115, .n = 85, .k = 70, .a = a, .b = b, .c = c, .alpha = -1, .beta = beta});
          operands.run(35, 25, depth, keeps_a, !keeps_a);
          operands.expect_product();
          operands.c.expect_written(1);
        }
      }
    }
  }
}

TEST(Matmul, PanelsThatStayAreReadAgainWhereItGoesOn) {
  Operands<double, double, double> operands({.m = 230, .n = 170, .k = 130});
  operands.run(70, 50, 40, true, false, {.first_tile = 6});  // the third of the second row, of four
  operands.expect_product(140);
  EXPECT_EQ(operands.c(139, 99), 0);
  EXPECT_NE(operands.c(139, 100), 0);
  EXPECT_EQ(operands.a.bytes_read, std::size_t{160} * 130 * 8) << "of each row once";
}

TEST(Matmul, ItsTilesAreInOneRegion) {
  Operands<double, double, double> operands({.m = 100, .n = 90, .k = 110});
  ASSERT_GT(operands.plan({.memory = 20000}).tiles(), 1);
  ToolEvents const events;
  operands.run({.memory = 20000});
  auto const regions = events.of(ToolEvents::Kind::region);
  EXPECT_EQ(regions.front().label, "pantile::out_of_core::matmul");
  EXPECT_EQ(events.count(ToolEvents::Kind::region, "pantile::out_of_core"), 1U);
}

TEST(Matmul, EveryOrder) {
  for (Order const a : orders) {
    for (Order const b : orders) {
      for (Order const c : orders) {
        for (Order const old : orders) {
          expect_product<std::int32_t>(
              {.m = 61, .n = 83, .k = 97, .a = a, .b = b, .c = c, .old = old, .alpha = -2, .beta = 5, .memory = 16000});
        }
      }
    }
  }
}

TEST(Matmul, EveryOperator) {
  for (Op const op_a : {Op::none, Op::transpose, Op::conjugate, Op::conjugate_transpose}) {
    for (Op const op_b : {Op::none, Op::transpose, Op::conjugate, Op::conjugate_transpose}) {
      expect_product<Kokkos::complex<float>>(
          {.m = 50, .n = 70, .k = 60, .a = Order::columns, .op_a = op_a, .op_b = op_b});
    }
  }
}

TEST(Matmul, SumsOfOtherTypes) {
  expect_product<float, float, double>({.m = 50, .n = 70, .k = 400, .beta = 2});
  expect_product<float, float, double>({.m = 50, .n = 70, .k = 400, .c = Order::columns, .beta = 2});
  expect_product<std::int8_t, std::int32_t, std::int32_t>({.m = 50, .n = 70, .k = 400});
}

TEST(Matmul, ASumIsRoundedOnce) {
  // In float, 2^24 + 1 + 1 stays 2^24; k is in many steps here.
  Operands<float, float, double> operands({.m = 16, .n = 16, .k = 3000, .memory = 20000});
  ASSERT_GT(operands.plan({.memory = 20000}).steps(), 3);
  for (std::int64_t l = 0; l < 3000; ++l) {
    for (std::int64_t i = 0; i < 16; ++i) {
      operands.a(i, l) = l == 0 ? 16777216.0F : 1.0F;
      operands.b(l, i) = 1.0F;
    }
  }
  operands.run({.memory = 20000});
  EXPECT_EQ(operands.c(3, 4), static_cast<float>(16777216.0 + 2999.0));
}

TEST(Matmul, AlphaOfZeroReadsNeither) {
  Operands<double, double, double> operands({.m = 30, .n = 40, .k = 50, .alpha = 0, .beta = 2});
  operands.a.reads_left = operands.b.reads_left = 0;
  operands.run({.memory = 30000});
  operands.expect_product();
}

TEST(Matmul, BetaOfZeroDoesNotReadC) {
  Operands<double, double, double> operands({.m = 30, .n = 40, .k = 50});
  operands.old.reads_left = 0;
  operands.run({.memory = 30000});
  operands.expect_product();
}

TEST(Matmul, InPlaceOfC) {
  for (std::int64_t const k : {5, 300}) {
    Operands<double, double, double> operands({.m = 100, .n = 90, .k = k, .beta = 3});
    operands.c.elements = operands.old.elements;
    out_of_core::matmul<double>(Exec(), 1, operands.a, operands.b, 3, operands.c, {.memory = 30000});
    operands.expect_product();
  }
}

TEST(Matmul, GoesOnAfterTheTilesThatAreThere) {
  for (std::int64_t const k : {5, 300}) {
    Operands<double, double, double> operands({.m = 100, .n = 90, .k = k, .beta = 3});
    std::int64_t there = 0;
    OutOfCoreOptions options{.memory = 30000, .on_tile = [&](std::int64_t tiles) { there = tiles; }};
    auto const plan = operands.plan(options);
    ASSERT_GT(plan.tiles(), 3);
    std::int64_t const edge = plan.strips_of_rows ? plan.tile_rows : plan.tile_cols;
    operands.c.writes_left = 2 * ((edge + plan.strip - 1) / plan.strip) + 1;  // in the third tile
    EXPECT_THAT([&] { operands.run(options); }, ::testing::ThrowsMessage<std::runtime_error>("no write is left"));
    ASSERT_GT(there, 0);
    operands.c.writes_left = -1;
    options.first_tile = there;
    double done = 0;
    options.on_progress = [&](double part) { done = part; };
    operands.run(options);
    EXPECT_EQ(done, 1);
    EXPECT_EQ(there, operands.plan(options).tiles());
    operands.expect_product();
  }
}

TEST(Matmul, AReadThatFailsEndsIt) {
  Operands<double, double, double> operands({.m = 100, .n = 90, .k = 80, .beta = 1});
  for (auto* const store : {&operands.a, &operands.b, &operands.old}) {
    store->reads_left = 2;
    EXPECT_THAT([&] { operands.run({.memory = 30000}); },
                ::testing::ThrowsMessage<std::runtime_error>("no read is left"));
    store->reads_left = -1;
  }
}

TEST(Matmul, RefusesBeforeItWrites) {
  Operands<double, double, double> operands({.m = 100, .n = 90, .k = 80, .beta = 1});
  WatchedStore<double> wrong(90, 90, Order::rows);
  WatchedStore<float> narrow(100, 90, Order::rows);
  auto const refusal = [&](out_of_core::TileSource& b, out_of_core::TileSource& old, out_of_core::TileSink& c,
                           std::size_t memory, std::string const& rule) {
    EXPECT_THAT([&] { out_of_core::matmul<double>(Exec(), 1, operands.a, b, 1, old, c, {.memory = memory}); },
                ::testing::ThrowsMessage<pantile::Error>(::testing::HasSubstr(rule)));
  };
  auto &b = operands.b, &c = operands.c, &old = operands.old;
  refusal(wrong, old, c, 30000, "columns of op(A) (80) must equal rows of op(B) (90); A 100x80, 8 bytes each");
  refusal(b, old, wrong, 30000, "C must be 100x90 (rows of op(A) by columns of op(B))");
  refusal(b, wrong, c, 30000, "C's old values must be of C's shape and type");
  refusal(b, narrow, narrow, 30000, "those of C 8");
  refusal(b, old, c, 5000, "memory must be at least ");
  c.expect_written(0);
}

}  // namespace

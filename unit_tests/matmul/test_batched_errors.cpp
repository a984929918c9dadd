// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file  What batches are refused for, with C as it was; and which way the policy takes for them.
#include <matmul/batches.hpp>

namespace {

using namespace pantile::testing;
using Algorithm = pantile::MatmulAlgorithm;
using pantile::MatmulOptions;
namespace matmul = pantile::impl::matmul;
using View = Kokkos::View<double***, Kokkos::LayoutRight, Kokkos::HostSpace>;
using Strided = Kokkos::View<double***, Kokkos::LayoutStride, Kokkos::HostSpace>;
using Pointers = pantile::MatrixPointers<double, Kokkos::HostSpace>;

/// The rule that a call breaks, the same for explain; "accepted" if none.
template <class A, class B, class C>
std::string refusal(A const& a, B const& b, C const& c, MatmulOptions const& options = {}) {
  std::string rules[2] = {"accepted", "accepted"};
  try {
    pantile::matmul(HostSpace{}, 1.0, a, b, 0.0, c, options);
  } catch (pantile::Error const& error) {
    rules[0] = error.rule();
  }
  try {
    (void)pantile::explain::matmul(HostSpace{}, 1.0, a, b, 0.0, c, options);
  } catch (pantile::Error const& error) {
    rules[1] = error.rule();
  }
  EXPECT_EQ(rules[0], rules[1]);
  return rules[0];
}

class MatmulBatchErrors : public ::testing::Test {
 protected:
  MatmulBatchErrors() { Kokkos::deep_copy(c, 5.0); }
  ~MatmulBatchErrors() override {
    for (std::size_t i = 0; i < c.size(); ++i) EXPECT_EQ(c.data()[i], 5.0) << "C was written";
  }
  View const a{"left", 6, 3, 4}, b{"right", 6, 4, 5}, c{"result", 6, 3, 5};
  View const null{nullptr, 6, 3, 4};
};

TEST_F(MatmulBatchErrors, NumbersOfProductsThatDiffer) {
  View const five_a("a", 5, 3, 4), seven_b("b", 7, 4, 5);
  EXPECT_EQ(refusal(five_a, b, c), "A must be a matrix or a batch of 6 as C is, not of 5");
  EXPECT_EQ(refusal(a, seven_b, c), "B must be a matrix or a batch of 6 as C is, not of 7");
  try {
    pantile::matmul(HostSpace{}, 1.0, five_a, b, 0.0, c);
  } catch (pantile::Error const& error) {
    EXPECT_THAT(error.what(), ::testing::HasSubstr("A 'a' 5x3x4 strides (12,4,1), B 'right' 6x4x5 strides (20,5,1)"));
  }
}

TEST_F(MatmulBatchErrors, ShapesOfAProduct) {
  EXPECT_EQ(refusal(a, a, c), "columns of op(A) (4) must equal rows of op(B) (3)");
  EXPECT_EQ(refusal(a, b, View("c", 6, 3, 4)), "C must be 3x5 (rows of op(A) by columns of op(B))");
  EXPECT_EQ(refusal(null, b, c), "A must not be null: its View has extents but no memory");
}

TEST_F(MatmulBatchErrors, AlgorithmsAndOptionsThatBatchesDoNotTake) {
  for (Algorithm const algorithm : {Algorithm::tiled, Algorithm::grid_stride, Algorithm::vendor}) {
    EXPECT_EQ(refusal(a, b, c, {.algorithm = algorithm}),
              std::string("algorithm ") + to_string(algorithm) + " takes no batches; automatic, naive and blocked do");
  }
  EXPECT_EQ(refusal(a, b, c, {.algorithm = Algorithm::naive, .tile = {4, 4, 4}}),
            "tile is for algorithm tiled, not naive");
  EXPECT_THAT(refusal(a, b, c, {.algorithm = static_cast<Algorithm>(9)}), ::testing::HasSubstr("not 9"));
}

TEST_F(MatmulBatchErrors, ResultsThatOverlap) {
  std::string const self = "C must not overlap itself: two of its elements share memory";
  View const memory("memory", 10, 10, 10);
  auto const strided = [&](std::size_t batch, std::size_t row, std::size_t col) {
    return Strided(memory.data(), Kokkos::LayoutStride(6, batch, 3, row, 5, col));
  };
  for (auto const& bad :
       {strided(0, 5, 1), strided(14, 5, 1), strided(15, 5, 0), strided(15, 0, 1), strided(1, 5, 1), strided(7, 5, 1),
        strided(1, 6, 17), strided(4, 1, 6), strided(2, 1, 18), strided(17, 3, 18)}) {
    EXPECT_EQ(refusal(a, b, bad), self);
  }
  for (auto const& good : {strided(15, 5, 1), strided(1, 6, 18), strided(5, 30, 1), strided(1, 30, 6),
                           strided(23, 3, 7), strided(4, 1, 24)}) {
    EXPECT_EQ(refusal(a, b, good), "accepted");
  }
}

TEST_F(MatmulBatchErrors, ResultsThatOverlapOperands) {
  View const square("square", 6, 4, 4), other("other", 6, 4, 4);
  EXPECT_EQ(refusal(square, other, square), "C must not overlap A: they share memory");
  EXPECT_EQ(refusal(other, square, square), "C must not overlap B: they share memory");
  // One matrix of C's batch for all.
  auto const one = Kokkos::subview(square, 5, Kokkos::ALL, Kokkos::ALL);
  EXPECT_EQ(refusal(one, other, square), "C must not overlap A: they share memory");
  // Interleaved in one parent is no overlap: all three of a product beside each other, and all products of an operand.
  Kokkos::View<double****, Kokkos::LayoutRight, Kokkos::HostSpace> const beside("beside", 6, 3, 4, 4);
  Kokkos::View<double****, Kokkos::LayoutLeft, Kokkos::HostSpace> const interleaved("interleaved", 6, 3, 4, 4);
  auto const of = [](auto const& parent, int i) {
    return Kokkos::subview(parent, Kokkos::ALL, i, Kokkos::ALL, Kokkos::ALL);
  };
  EXPECT_EQ(refusal(of(beside, 0), of(beside, 1), of(beside, 2)), "accepted");
  EXPECT_EQ(refusal(of(beside, 0), of(beside, 2), of(beside, 2)), "C must not overlap B: they share memory");
  EXPECT_EQ(refusal(of(interleaved, 0), of(interleaved, 1), of(interleaved, 2)), "accepted");
  EXPECT_EQ(refusal(of(interleaved, 2), of(interleaved, 1), of(interleaved, 2)),
            "C must not overlap A: they share memory");
}

TEST_F(MatmulBatchErrors, Pointers) {
  PlacedBatch<double> pa(6, 3, 4, batch_layouts[0], 1), pb(6, 4, 5, batch_layouts[0], 2),
      pc(6, 3, 5, batch_layouts[0], 3);
  auto const before = pc;
  auto at_a = pa.pointers(), at_b = pb.pointers(), at_c = pc.pointers();
  at_b[4] = nullptr;
  EXPECT_EQ(refusal(pa.batch(at_a), pb.batch(at_b), pc.batch(at_c)),
            "B must have no null pointer: its matrix 4 has no memory");
  at_b[4] = at_c[4] + 1;
  EXPECT_EQ(refusal(pa.batch(at_a), pb.batch(at_b), pc.batch(at_c)), "C must not overlap B: they share memory");
  at_b = pb.pointers();
  at_c[3] = at_c[2] + 14;
  EXPECT_EQ(refusal(pa.batch(at_a), pb.batch(at_b), pc.batch(at_c)),
            "C must not overlap itself: two of its elements share memory");
  at_c = pc.pointers();
  EXPECT_EQ(refusal(Pointers{nullptr, 6, 3, 4, 4, 1}, pb.batch(at_b), pc.batch(at_c)),
            "A must not be null: its View has extents but no memory");
  EXPECT_EQ(refusal(Pointers{at_a.data(), 5, 3, 4, 4, 1}, pb.batch(at_b), pc.batch(at_c)),
            "A must be a matrix or a batch of 6 as C is, not of 5");
  EXPECT_EQ(refusal(pa.batch(at_a), Pointers{at_b.data(), 1, 4, 5, 5, 1}, pc.batch(at_c)),
            "B must be a matrix or a batch of 6 as C is, not of 1");
  EXPECT_EQ(refusal(pa.batch(at_a), pb.batch(at_b), Pointers{at_c.data(), 6, 3, 5, 0, 1}),
            "C must not overlap itself: two of its elements share memory");
  EXPECT_TRUE(pc.memory() == before.memory());
}

TEST_F(MatmulBatchErrors, AWorkspaceThatIsTooSmall) {
  View const large("large", 4, 300, 300), other("other", 4, 300, 300), result("result", 4, 300, 300);
  auto const bytes = pantile::explain::matmul(HostSpace{}, 1.0, large, other, 0.0, result).workspace_bytes;
  ASSERT_GT(bytes, 0U);
  std::vector<char> memory(bytes);
  EXPECT_EQ(refusal(large, other, result, {.workspace = {memory.data(), bytes}}), "accepted");
  EXPECT_EQ(refusal(large, other, result, {.workspace = {memory.data(), bytes - 1}}),
            "workspace has " + std::to_string(bytes - 1) + " bytes, the call takes " + std::to_string(bytes));
}

TEST(MatmulBatchPolicy, SharesProductsAmongThreads) {
  pantile::impl::arch::Machine machine{};
  machine.concurrency = 4;
  machine.threads_per_cache = 4;
  auto const plan_of_shape = [&](std::int64_t m, std::int64_t n, std::int64_t k, std::int64_t count,
                                 bool interleaved = false, bool has_addresses = false) {
    matmul::BatchQuery query;
    query.count = count;
    query.interleaved = interleaved;
    query.has_addresses = has_addresses;
    query.one.m = m, query.one.n = n, query.one.k = k;
    auto& facts = query.one.host;
    facts.available = true;
    facts.panel_rows = 8;
    facts.panel_cols = 24;
    facts.lanes = 8;
    facts.blocks = {96, 512, 2048};
    facts.a = facts.c = {1001, 1};
    facts.b = {n, 1};
    return matmul::choose(machine, query);
  };
  auto const plan_of = [&](std::int64_t n, std::int64_t count, bool interleaved = false) {
    return plan_of_shape(n, n, n, count, interleaved);
  };
  using enum matmul::BatchWay;
  struct Row {
    std::int64_t n, count;
    matmul::BatchWay way;
    int threads;
  };
  for (Row const& row : std::initializer_list<Row>{{4, 1, direct, 1},
                                                   {4, 100, direct, 1},
                                                   {4, 100000, direct, 4},
                                                   {32, 3, direct, 1},
                                                   {32, 1000, direct, 4},
                                                   {100, 1000, spread, 4},
                                                   {1000, 2, sequential, 1},
                                                   {1000, 5, sequential, 1},
                                                   {1000, 4, spread, 4},
                                                   {1000, 400, spread, 4}}) {
    SCOPED_TRACE(std::to_string(row.count) + " products of " + std::to_string(row.n));
    auto const plan = plan_of(row.n, row.count);
    EXPECT_EQ(plan.way, row.way);
    if (row.way != sequential) {
      EXPECT_EQ(plan.batch_threads, row.threads);
      EXPECT_EQ(plan.host.threads(), 1);
    } else {
      EXPECT_EQ(plan.host.threads(), 4);
    }
  }
  EXPECT_EQ(plan_of(64, 0).way, elements);
  EXPECT_EQ(plan_of_shape(4, 4, 4, 100, false, true).way, direct);
  for (std::int64_t count = 1; count <= 64; ++count) {
    EXPECT_EQ(plan_of_shape(1000, 10, 10, count).batch_threads, plan_of_shape(10, 1000, 10, count).batch_threads);
  }
  auto const beside = plan_of(100, 1000, true);
  EXPECT_TRUE(beside.way == interleaved && beside.unit == 64);
  EXPECT_EQ(beside.workspace_bytes, 0U);
  EXPECT_EQ(plan_of(225, 1000, true).way, spread) << "sums of more products are of several chains";
}

TEST(MatmulBatchPolicy, TakesTinyProductsAsTheyLie) {
  constexpr std::int64_t second_level = 1 << 20;
  constexpr auto elements =
      static_cast<std::int64_t>(pantile::impl::arch::host::stays_in_second_level * second_level) / 8;
  constexpr std::int64_t chain = pantile::impl::arch::gemm_chain;
  auto const is_direct = [](std::int64_t m, std::int64_t n, std::int64_t k, auto change) {
    matmul::Query query;
    query.m = m, query.n = n, query.k = k;
    query.host.element_bytes = 8;
    query.host.second_level_bytes = second_level;
    matmul::HostPlan plan;
    plan.on_caller = true;
    change(query.host, plan);
    plan.tiny = matmul::is_tiny(m, n, k, query.host.lanes, query.host.real_products);
    return matmul::is_direct(query, plan);
  };
  auto const as_it_is = [](auto&, auto&) {};
  auto const complex = [](auto& facts, auto&) { facts.real_products = 4; };
  EXPECT_TRUE(is_direct(32, 32, 32, as_it_is));
  EXPECT_TRUE(is_direct(8, 8, chain, as_it_is));
  EXPECT_FALSE(is_direct(8, 8, chain + 1, as_it_is));
  EXPECT_FALSE(is_direct(8, elements / 64, 64, as_it_is)) << "B alone takes the cache";
  EXPECT_FALSE(is_direct(512, elements / 512, 1, as_it_is)) << "C does";
  auto const behind_less = [](auto& facts, auto&) { facts.second_level_bytes /= 2; };
  EXPECT_TRUE(is_direct(8, elements / 128, 64, as_it_is));
  EXPECT_FALSE(is_direct(8, elements / 128, 64, behind_less)) << "of a smaller cache";
  EXPECT_TRUE(is_direct(4, 4, 4, complex));
  EXPECT_FALSE(is_direct(1000, 4, 4, complex) || is_direct(4, 1000, 4, complex));
  EXPECT_TRUE(is_direct(32, 33, 32, [](auto&, auto& plan) { plan.edge_cols = 1; }));
  EXPECT_FALSE(is_direct(4, 4, 4, [](auto& facts, auto& plan) { facts.real_products = 4, plan.edge_cols = 1; }));
  EXPECT_FALSE(is_direct(32, 32, 32, [](auto&, auto& plan) { plan.path = matmul::Path::skinny_rows; }));
  EXPECT_FALSE(is_direct(32, 32, 32, [](auto&, auto& plan) { plan.on_caller = false; }));
  EXPECT_FALSE(is_direct(32, 32, 32, [](auto&, auto& plan) { plan.sums_stride = 16; }));
  EXPECT_FALSE(is_direct(32, 32, 32, [](auto&, auto& plan) { plan.pack_a = true; }));
  EXPECT_FALSE(is_direct(32, 32, 32, [](auto&, auto& plan) { plan.pack_b = true; }));
  EXPECT_FALSE(is_direct(32, 32, 32, [](auto& facts, auto&) { facts.c_is_sum = false; }));
}

TEST(MatmulBatchExplained, CountsAllProducts) {
  View const a("a", 10, 30, 40), b("b", 10, 40, 50), c("c", 10, 30, 50);
  auto const e = pantile::explain::matmul(HostSpace{}, 1.0, a, b, 0.0, c);
  EXPECT_EQ(e.flops, 10 * 2.0 * 30 * 40 * 50);
  EXPECT_EQ(e.bytes, 10 * 8.0 * (30 * 40 + 40 * 50 + 30 * 50));
  EXPECT_THAT(e.reason, ::testing::StartsWith("a batch: "));
  auto const one_a = Kokkos::subview(a, 0, Kokkos::ALL, Kokkos::ALL);
  EXPECT_EQ(pantile::explain::matmul(HostSpace{}, 1.0, one_a, b, 0.0, c).bytes,
            8.0 * (30 * 40 + 10 * (40 * 50 + 30 * 50)));
  // One B for all, and rows that follow each other: one product of 300 rows.
  auto const one_b = Kokkos::subview(b, 0, Kokkos::ALL, Kokkos::ALL);
  auto const joined = pantile::explain::matmul(HostSpace{}, 1.0, a, one_b, 0.0, c);
  EXPECT_EQ(joined.flops, e.flops);
  EXPECT_THAT(joined.reason, ::testing::Not(::testing::StartsWith("a batch")));
  // One product alone.
  auto const one_c = Kokkos::subview(c, 0, Kokkos::ALL, Kokkos::ALL);
  View const batch_a("a", 1, 30, 40), batch_b("b", 1, 40, 50), batch_c("c", 1, 30, 50);
  EXPECT_EQ(to_string(pantile::explain::matmul(HostSpace{}, 1.0, batch_a, batch_b, 0.0, batch_c)),
            to_string(pantile::explain::matmul(HostSpace{}, 1.0, one_a, one_b, 0.0, one_c)));
}

}  // namespace

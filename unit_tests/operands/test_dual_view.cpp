// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file  DualViews: brought to where a call computes, marked where it wrote. Where host and device are one, Kokkos
///        keeps no marks; what a call asks of an operand is then seen by one that writes it down.
#include <support/oracle.hpp>
#include <support/refusal.hpp>
#include <support/tool_events.hpp>

#include <pantile/dual_view.hpp>

#include <gmock/gmock.h>
#include <Kokkos_Core.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace {

using namespace pantile::testing;
using Exec = Kokkos::DefaultExecutionSpace;
using Host = Kokkos::DefaultHostExecutionSpace;
using Dual = Kokkos::DualView<double**, Exec>;
constexpr bool has_two_sides = !std::is_same_v<Dual::t_dev::memory_space, Dual::t_host::memory_space>;

Dual filled(std::string const& label, std::size_t rows, std::size_t cols, double first) {
  Dual result(label, rows, cols);
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t j = 0; j < cols; ++j) result.view_host()(i, j) = first + static_cast<double>(i * cols + j);
  }
  result.modify_host();
  return result;
}

double element(Dual x, std::size_t i, std::size_t j) {
  x.sync_host();
  return x.view_host()(i, j);
}

TEST(DualView, IsReadWhereItWasModifiedLast) {
  Dual a = filled("a", 2, 2, 1), b = filled("b", 2, 2, 5), c("c", 2, 2);
  pantile::matmul(1.0, a, b, 0.0, c);  // (1 2; 3 4) (5 6; 7 8)
  EXPECT_EQ(c.need_sync_host(), has_two_sides);
  EXPECT_FALSE(c.need_sync_device());
  EXPECT_EQ(element(c, 0, 0), 19);
  EXPECT_EQ(element(c, 1, 1), 50);
  pantile::matmul(Host{}, 1.0, a, b, 2.0, c);  // and on the other side
  Host().fence();
  EXPECT_EQ(c.need_sync_device(), has_two_sides);
  EXPECT_EQ(element(c, 1, 1), 150);
}

TEST(DualView, IsUpdatedFromWhereItWasModifiedLast) {
  Dual a = filled("a", 2, 2, 1), b = filled("b", 2, 2, 5), c = filled("c", 2, 2, 100);
  pantile::matmul(1.0, a, b, 2.0, c);
  EXPECT_EQ(c.need_sync_host(), has_two_sides);
  EXPECT_EQ(element(c, 0, 0), 19 + 2 * 100);
  c.view_host()(0, 0) = 1;
  c.modify_host();
  pantile::add(1, c, 1, a, c);
  EXPECT_EQ(element(c, 0, 0), 1 + 1);
  EXPECT_EQ(element(c, 1, 1), 50 + 2 * 103 + 4);
}

TEST(DualView, IsNotBroughtToWhereItIsOnlyWritten) {
  Dual a = filled("a", 2, 2, 1), b = filled("b", 2, 2, 5), c = filled("c", 2, 2, 100);
  a.sync_device(), b.sync_device();
  ToolEvents const events;
  pantile::matmul(1.0, a, b, 0.0, c);
  EXPECT_EQ(events.count(ToolEvents::Kind::deep_copy), 0U);
  EXPECT_EQ(c.need_sync_host(), has_two_sides);
  EXPECT_FALSE(c.need_sync_device()) << "what the host had modified is given up";
  EXPECT_EQ(element(c, 0, 0), 19);
}

TEST(DualView, IsTransposedAndAdded) {
  Dual a = filled("a", 2, 3, 0), b("b", 3, 2);
  pantile::transpose(a, b);
  EXPECT_EQ(element(b, 2, 1), 5);
  Dual square = filled("square", 2, 2, 0);
  pantile::transpose(square);
  EXPECT_EQ(element(square, 0, 1), 2);
  Dual sum = filled("sum", 2, 3, 7);
  pantile::add(2, a, 1, a, sum);
  EXPECT_EQ(element(sum, 1, 2), 15);
}

TEST(DualView, OfVectorsAndBatches) {
  using Vector = Kokkos::DualView<double*, Exec>;
  using Batch = Kokkos::DualView<double***, Exec>;
  Dual const a = filled("a", 2, 3, 1);
  Vector x("x", 3), y("y", 2);
  Kokkos::deep_copy(x.view_host(), 2);
  x.modify_host();
  pantile::matmul(1.0, a, x, 0.0, y);  // (1 2 3; 4 5 6) (2 2 2)
  EXPECT_EQ(y.need_sync_host(), has_two_sides);
  y.sync_host();
  EXPECT_EQ(y.view_host()(0), 12);
  EXPECT_EQ(y.view_host()(1), 30);
  Batch batch("batch", 2, 3, 2), product("product", 2, 2, 2), transposed("transposed", 2, 2, 3);
  for (std::size_t e = 0; e < 12; ++e) batch.view_host()(e / 6, e / 2 % 3, e % 2) = static_cast<double>(e);
  batch.modify_host();
  pantile::matmul(1.0, a, batch, 0.0, product);
  pantile::transpose(batch, transposed);
  product.sync_host(), transposed.sync_host();
  EXPECT_EQ(product.view_host()(1, 1, 0), 4 * 6 + 5 * 8 + 6 * 10);
  EXPECT_EQ(transposed.view_host()(1, 1, 2), 11);
}

struct Coordinates {
  KOKKOS_FUNCTION double operator()(std::int64_t y, std::int64_t x) const { return static_cast<double>(10 * y + x); }
};

TEST(DualView, IsFilledReversedCountedAndCopied) {
  using Numbers = Kokkos::DualView<std::int32_t*, Exec>;
  Dual matrix = filled("matrix", 2, 3, 1);
  pantile::fill(matrix, 7.0);
  EXPECT_EQ(matrix.need_sync_host(), has_two_sides);
  EXPECT_FALSE(matrix.need_sync_device()) << "what the host had modified is given up";
  EXPECT_EQ(element(matrix, 1, 2), 7);
  pantile::fill(matrix, Coordinates{});
  EXPECT_EQ(element(matrix, 1, 2), 12);

  Numbers indices("indices", 4), reversed("reversed", 4), counts("counts", 3);
  for (int s = 0; s < 4; ++s) indices.view_host()(s) = s == 0 ? 0 : 2;
  indices.modify_host();
  auto const number = [](Numbers x, int i) {
    x.sync_host();
    return x.view_host()(i);
  };
  pantile::reverse(indices, reversed);
  EXPECT_EQ(reversed.need_sync_host(), has_two_sides);
  EXPECT_EQ(number(reversed, 3), 0);
  EXPECT_EQ(number(reversed, 0), 2);
  pantile::reverse(reversed);
  EXPECT_EQ(number(reversed, 0), 0);
  Kokkos::deep_copy(counts.view_host(), 9);
  counts.modify_host();
  pantile::histogram(reversed, counts, {.accumulate = true});
  EXPECT_EQ(number(counts, 0), 10);
  EXPECT_EQ(number(counts, 2), 12);
  pantile::histogram(reversed, counts);
  EXPECT_EQ(number(counts, 2), 3);

  Dual copied("copied", 2, 3);
  pantile::copy(copied, matrix);
  Kokkos::fence();
  EXPECT_EQ(copied.need_sync_host(), has_two_sides);
  EXPECT_EQ(element(copied, 1, 2), 12);
}

TEST(DualView, IsNotMarkedWhereTheCallThrew) {
  Dual a = filled("a", 2, 3, 0), b = filled("b", 2, 3, 0), c = filled("c", 2, 3, 0);
  EXPECT_NE(refusal([&] { pantile::matmul(1.0, a, b, 0.0, c); }), "accepted");
  EXPECT_FALSE(c.need_sync_host());
  EXPECT_EQ(element(c, 1, 2), 5);
}

/// A matrix that writes down what is asked of it.
struct Recorded {
  Kokkos::View<double**, Host> view;
  std::vector<std::string>* log;
};

}  // namespace

template <>
struct pantile::operand_traits<Recorded> {
  using execution_space = Host;
  static auto input(Host const&, Recorded const& x) {
    x.log->push_back("read " + x.view.label());
    return Kokkos::View<double const**, Host>(x.view);
  }
  static auto output(Host const&, Recorded const& x, bool reads) {
    x.log->push_back((reads ? "update " : "write ") + x.view.label());
    return x.view;
  }
  static void written(Host const&, Recorded const& x) { x.log->push_back("written " + x.view.label()); }
};

namespace {

TEST(OperandTraits, AreAskedInTurn) {
  std::vector<std::string> log;
  auto const make = [&](std::string const& label) { return Recorded{Kokkos::View<double**, Host>(label, 2, 2), &log}; };
  Recorded const a = make("a"), b = make("b"), c = make("c");
  auto const taken = [&] {
    auto const result = log;
    log.clear();
    return result;
  };
  using ::testing::Contains;
  using ::testing::UnorderedElementsAre;
  pantile::matmul(1.0, a, b, 0.0, c);
  EXPECT_EQ(log.back(), "written c");
  EXPECT_THAT(taken(), UnorderedElementsAre("read a", "read b", "write c", "written c"));
  pantile::matmul(1.0, a, b, 0.5, c);
  EXPECT_THAT(taken(), Contains("update c"));
  pantile::transpose(a);
  EXPECT_THAT(taken(), UnorderedElementsAre("update a", "written a"));
  pantile::transpose(a, c);
  EXPECT_THAT(taken(), UnorderedElementsAre("read a", "write c", "written c"));
  pantile::add(1, a, 1, b, c);
  EXPECT_THAT(taken(), UnorderedElementsAre("read a", "read b", "write c", "written c"));
  pantile::fill(a, 1.0);
  EXPECT_THAT(taken(), UnorderedElementsAre("write a", "written a"));
  pantile::copy(c, a);
  EXPECT_THAT(taken(), UnorderedElementsAre("read a", "write c", "written c"));
  Kokkos::View<std::int32_t**, Host> const places("places", 3, 2);
  pantile::histogram(places, a);
  EXPECT_THAT(taken(), UnorderedElementsAre("write a", "written a"));
  pantile::histogram(places, a, {.accumulate = true});
  EXPECT_THAT(taken(), UnorderedElementsAre("update a", "written a"));
  EXPECT_EQ(a.view(0, 0), 6);
  EXPECT_NE(refusal([&] {
              pantile::add(1, a, 1, b, Recorded{Kokkos::View<double**, Host>("d", 3, 2), &log});
            }),
            "accepted");
  EXPECT_THAT(taken(), UnorderedElementsAre("read a", "read b", "write d"));
}

}  // namespace

// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file  Transposition by tiles: the same bytes as in memory, for types, orders, shapes, budgets; ends and beginnings.
#include <out_of_core/cases.hpp>
#include <support/tool_events.hpp>

#include <algorithm>
#include <utility>
#include <vector>

namespace {

using namespace pantile::testing;
namespace out_of_core = pantile::out_of_core;

/// Elements that are only moved, of three words.
struct Triple {
  std::int32_t words[3];
  friend bool operator==(Triple const&, Triple const&) = default;
};

template <class T, class Word = T>
void expect_transposed(std::int64_t rows, std::int64_t cols, Order a_order, Order b_order, std::size_t memory) {
  SCOPED_TRACE(::testing::Message() << rows << " x " << cols << " in " << memory << " bytes");
  WatchedStore<T> a(rows, cols, a_order), b(cols, rows, b_order);
  auto* const bytes = reinterpret_cast<unsigned char*>(a.elements.data());
  for (std::size_t i = 0; i < a.elements.size() * sizeof(T); ++i)
    bytes[i] = static_cast<unsigned char>(i * 7 + i / 251);
  OutOfCoreOptions const options{.memory = memory};
  auto const plan = out_of_core::explain::transpose<Word>(a, b, options);
  EXPECT_LE(plan.memory, memory);
  out_of_core::transpose<Word>(Exec(), a, b, options);
  for (std::int64_t i = 0; i < rows; ++i) {
    for (std::int64_t j = 0; j < cols; ++j) ASSERT_EQ(std::memcmp(&b(j, i), &a(i, j), sizeof(T)), 0) << i << ", " << j;
  }
  b.expect_written(1);
  EXPECT_EQ(static_cast<double>(a.bytes_read), plan.bytes_read);
}

TEST(Transpose, EveryOrderAndShapeInManyTiles) {
  constexpr std::pair<int, int> shapes[] = {{1, 1}, {17, 300}, {300, 17}, {100, 100}, {131, 257}, {0, 5}, {5, 0}};
  for (Order const a : orders) {
    for (Order const b : orders) {
      for (auto const& [rows, cols] : shapes) {
        expect_transposed<double>(rows, cols, a, b, 8192);
        expect_transposed<double>(rows, cols, a, b, 100000);
        expect_transposed<double>(rows, cols, a, b, 10000000);
      }
    }
  }
}

/// Tiles of some MiB are read in strips, of which the last one is shorter.
TEST(Transpose, EveryOrderInTilesOfManyStrips) {
  for (Order const a : orders) {
    for (Order const b : orders) {
      expect_transposed<Kokkos::complex<double>>(501, 490, a, b, 4500000);
      expect_transposed<Triple, std::int32_t>(501, 490, a, b, 4000000);
    }
  }
}

TEST(Transpose, TellsOfEachStrip) {
  WatchedStore<Kokkos::complex<double>> a(501, 490, Order::rows), b(490, 501, Order::rows);
  std::vector<double> told;
  OutOfCoreOptions const options{.memory = 4500000, .on_progress = [&](double done) { told.push_back(done); }};
  auto const plan = out_of_core::explain::transpose<Kokkos::complex<double>>(a, b, options);
  ASSERT_LT(plan.strip, plan.tile_rows);
  out_of_core::transpose<Kokkos::complex<double>>(Exec(), a, b, options);
  EXPECT_GT(static_cast<std::int64_t>(told.size()), plan.tiles());
  EXPECT_TRUE(std::ranges::is_sorted(told));
  EXPECT_EQ(told.back(), 1);
}

TEST(Transpose, ItsTilesAreInOneRegion) {
  ToolEvents const events;
  expect_transposed<double>(131, 257, Order::rows, Order::rows, 8192);
  auto const regions = events.of(ToolEvents::Kind::region);
  EXPECT_GT(regions.size(), 2U);
  EXPECT_EQ(regions.front().label, "pantile::out_of_core::transpose");
  EXPECT_EQ(events.count(ToolEvents::Kind::region, "pantile::out_of_core"), 1U);
}

TEST(Transpose, EveryElementSize) {
  expect_transposed<std::uint8_t>(90, 70, Order::rows, Order::rows, 4096);
  expect_transposed<std::int32_t>(90, 70, Order::rows, Order::columns, 8192);
  expect_transposed<Kokkos::complex<double>>(90, 70, Order::columns, Order::rows, 20000);
  expect_transposed<Triple, std::int32_t>(90, 70, Order::rows, Order::rows, 30000);
}

TEST(Transpose, Conjugates) {
  using T = Kokkos::complex<float>;
  WatchedStore<T> a(50, 40, Order::rows), b(40, 50, Order::rows);
  fill_randomly(a, 1);
  out_of_core::transpose<T>(Exec(), a, b, {.memory = 10000}, {.conjugate = true});
  for (std::int64_t i = 0; i < 50; ++i) {
    for (std::int64_t j = 0; j < 40; ++j) ASSERT_EQ(b(j, i), Kokkos::conj(a(i, j)));
  }
}

TEST(Transpose, GoesOnAfterTheTilesThatAreThere) {
  WatchedStore<double> a(100, 90, Order::rows), b(90, 100, Order::rows);
  fill_randomly(a, 2);
  std::int64_t there = 0;
  b.writes_left = 5;
  OutOfCoreOptions options{.memory = 8192, .on_tile = [&](std::int64_t tiles) { there = tiles; }};
  EXPECT_THAT([&] { out_of_core::transpose<double>(Exec(), a, b, options); },
              ::testing::ThrowsMessage<std::runtime_error>("no write is left"));
  ASSERT_EQ(there, 5);
  b.writes_left = -1;
  options.first_tile = there;
  double done = 0;
  options.on_progress = [&](double part) { done = part; };
  out_of_core::transpose<double>(Exec(), a, b, options);
  b.expect_written(1);
  EXPECT_EQ(done, 1);
  EXPECT_EQ(there, out_of_core::explain::transpose<double>(a, b, options).tiles());
  for (std::int64_t i = 0; i < 100; ++i) {
    for (std::int64_t j = 0; j < 90; ++j) ASSERT_EQ(b(j, i), a(i, j));
  }
}

TEST(Transpose, AReadThatFailsEndsIt) {
  WatchedStore<double> a(100, 90, Order::rows), b(90, 100, Order::rows);
  for (int const reads : {0, 1, 7}) {
    a.reads_left = reads;
    EXPECT_THAT([&] { out_of_core::transpose<double>(Exec(), a, b, {.memory = 8192}); },
                ::testing::ThrowsMessage<std::runtime_error>("no read is left"));
  }
}

TEST(Transpose, RefusesBeforeItWrites) {
  WatchedStore<double> a(100, 90, Order::rows), b(90, 100, Order::rows), wrong(100, 90, Order::rows);
  WatchedStore<float> narrow(90, 100, Order::rows);
  auto const refusal = [&](out_of_core::TileSink& target, OutOfCoreOptions const& options, std::string const& rule) {
    EXPECT_THAT([&] { out_of_core::transpose<double>(Exec(), a, target, options); },
                ::testing::ThrowsMessage<pantile::Error>(::testing::HasSubstr(rule)));
  };
  refusal(wrong, {.memory = 8192}, "B must be columns of A by rows of A; A 100x90, 8 bytes each, B 100x90");
  refusal(narrow, {.memory = 8192}, "elements of A and B must have as many bytes");
  refusal(b, {.memory = 6143}, "memory must be at least 6144 bytes, which the smallest tiles take, not 6143");
  refusal(b, {.memory = 8192, .first_tile = 43}, "first_tile must be from 0 to 30");
  EXPECT_THROW(out_of_core::transpose<Kokkos::complex<double>>(Exec(), a, b, {.memory = 8192}), pantile::Error);
  EXPECT_THROW(out_of_core::transpose<float>(Exec(), a, b, {.memory = 8192}, {.conjugate = true}), pantile::Error);
  b.expect_written(0);
}

}  // namespace

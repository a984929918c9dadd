// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file  Batches of transpositions in every layout, by every algorithm, and what they are refused for.
#include <support/int16.hpp>
#include <support/matrices.hpp>
#include <support/spaces.hpp>

#include <pantile/transpose.hpp>

#include <gmock/gmock.h>

#include <array>
#include <string>
#include <vector>

namespace {

using namespace pantile::testing;
using Algorithm = pantile::TransposeAlgorithm;
using pantile::TransposeOptions;
using Exec = Kokkos::DefaultHostExecutionSpace;
template <class T>
using Strided = Kokkos::View<T***, Kokkos::LayoutStride, Kokkos::HostSpace>;
using Extents = std::array<std::size_t, 3>;

/// A batch whose directions, slow to fast, are in this order, with gaps between neighbours of all but the fast one.
template <class T>
struct Placed3 {
  std::vector<T> memory;
  Extents stride{};
  Strided<T> view;

  Placed3(Extents const& extent, std::array<int, 3> const& order, std::size_t step, std::size_t gap) {
    std::size_t next = step;
    for (int at = 2; at >= 0; --at) {
      auto const d = static_cast<std::size_t>(order[static_cast<std::size_t>(at)]);
      stride[d] = next;
      next = next * std::max<std::size_t>(extent[d], 1) + gap;
    }
    memory.assign(next + 1, T(77));
    view = Strided<T>(memory.data(),
                      Kokkos::LayoutStride(extent[0], stride[0], extent[1], stride[1], extent[2], stride[2]));
  }
};
constexpr std::array<int, 3> orders[] = {{0, 1, 2}, {2, 1, 0}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}};

/// Its matrices by their addresses.
template <class T>
struct Pointers {
  std::vector<T*> addresses;
  pantile::MatrixPointers<T, Kokkos::HostSpace> batch;

  template <class U>
  explicit Pointers(Placed3<U>& placed) {
    auto const& view = placed.view;
    for (std::size_t p = 0; p < view.extent(0); ++p) addresses.push_back(view.data() + p * placed.stride[0]);
    batch = {addresses.data(), view.extent(0), view.extent(1), view.extent(2), placed.stride[1], placed.stride[2]};
  }
};

template <class T>
void expect_right(Extents const& e, std::array<int, 3> const& from, std::array<int, 3> const& to, std::size_t step,
                  std::size_t gap, TransposeOptions const& options, bool by_addresses = false) {
  Placed3<T> a(e, from, step, gap), b({e[0], e[2], e[1]}, to, step, gap);
  std::mt19937_64 generator(5);
  for (T& value : a.memory) value = random_value<T>(generator);
  auto expected = b.memory;
  for (std::size_t p = 0; p < e[0]; ++p) {
    for (std::size_t i = 0; i < e[1]; ++i) {
      for (std::size_t j = 0; j < e[2]; ++j) {
        T const value = a.view(p, i, j);
        expected[p * b.stride[0] + j * b.stride[1] + i * b.stride[2]] =
            options.conjugate ? pantile::conjugate(value) : value;
      }
    }
  }
  Pointers<T const> const from_addresses(a);
  Pointers<T> const to_addresses(b);
  if (by_addresses) {
    pantile::transpose(Exec{}, from_addresses.batch, to_addresses.batch, options);
  } else {
    pantile::transpose(Exec{}, Kokkos::View<T const***, Kokkos::LayoutStride, Kokkos::HostSpace>(a.view), b.view,
                       options);
  }
  Exec{}.fence();
  EXPECT_TRUE(b.memory == expected);
}

/// Square matrices in place, as one operand or as the same View twice.
template <class T>
void expect_right_in_place(Extents const& e, std::array<int, 3> const& order, std::size_t step, std::size_t gap,
                           TransposeOptions const& options, bool twice, bool by_addresses = false) {
  Placed3<T> a(e, order, step, gap);
  std::mt19937_64 generator(6);
  for (T& value : a.memory) value = random_value<T>(generator);
  auto expected = a.memory;
  for (std::size_t p = 0; p < e[0]; ++p) {
    for (std::size_t i = 0; i < e[1]; ++i) {
      for (std::size_t j = 0; j < e[2]; ++j) {
        T const value = a.view(p, i, j);
        expected[p * a.stride[0] + j * a.stride[1] + i * a.stride[2]] =
            options.conjugate ? pantile::conjugate(value) : value;
      }
    }
  }
  Pointers<T> const pointers(a);
  if (by_addresses && twice) {
    pantile::transpose(Exec{}, pointers.batch, pointers.batch, options);
  } else if (by_addresses) {
    pantile::transpose(Exec{}, pointers.batch, options);
  } else if (twice) {
    pantile::transpose(Exec{}, a.view, a.view, options);
  } else {
    pantile::transpose(Exec{}, a.view, options);
  }
  Exec{}.fence();
  EXPECT_TRUE(a.memory == expected);
}

template <class T>
class TransposeBatches : public ::testing::Test {};
using Elements = ::testing::Types<float, double, Kokkos::complex<float>, Kokkos::complex<double>, std::int32_t,
                                  std::int8_t, std::int16_t>;
TYPED_TEST_SUITE(TransposeBatches, Elements);

TYPED_TEST(TransposeBatches, AreRightInEveryLayout) {
  for (Extents const& e : {Extents{3, 4, 4},
                           {5, 7, 3},
                           {40, 16, 17},
                           {1, 9, 5},
                           {3, 1, 8},
                           {3, 8, 1},
                           {0, 3, 3},
                           {2, 0, 3},
                           {2, 300, 200},
                           {70, 2, 2}}) {
    for (auto const& from : orders) {
      for (auto const& to : orders) {
        for (std::size_t const gap : {0U, 3U}) {
          SCOPED_TRACE(std::to_string(e[0]) + "x" + std::to_string(e[1]) + "x" + std::to_string(e[2]) + " from " +
                       std::to_string(&from - orders) + " to " + std::to_string(&to - orders) + " gap " +
                       std::to_string(gap));
          expect_right<TypeParam>(e, from, to, 1, gap, {.conjugate = gap == 0});
          if (e[1] < 50) expect_right<TypeParam>(e, from, to, 2, gap, {});
        }
      }
    }
  }
}

TYPED_TEST(TransposeBatches, AreRightByEveryAlgorithm) {
  for (Algorithm const algorithm : {Algorithm::naive, Algorithm::tiled, Algorithm::padded, Algorithm::blocked}) {
    for (auto const& order : {orders[0], orders[2]}) {
      SCOPED_TRACE(to_string(algorithm));
      expect_right<TypeParam>({7, 33, 50}, order, order, 1, 1, {.algorithm = algorithm});
      expect_right<TypeParam>({7, 5, 6}, order, order, 1, 0, {.conjugate = true, .algorithm = algorithm});
      if (algorithm == Algorithm::tiled)
        expect_right<TypeParam>({4, 20, 21}, order, order, 1, 2, {.algorithm = algorithm, .tile = 8});
    }
  }
}

TYPED_TEST(TransposeBatches, AreRightInPlace) {
  for (Extents const& e : {Extents{3, 4, 4}, {40, 17, 17}, {1, 9, 9}, {3, 1, 1}, {0, 3, 3}, {2, 0, 0}, {3, 300, 300}}) {
    for (auto const& order : orders) {
      for (std::size_t const gap : {0U, 3U}) {
        SCOPED_TRACE(std::to_string(e[0]) + "x" + std::to_string(e[1]) + " order " + std::to_string(&order - orders) +
                     " gap " + std::to_string(gap));
        expect_right_in_place<TypeParam>(e, order, 1, gap, {.conjugate = gap == 0}, gap == 0);
        if (e[1] < 50) expect_right_in_place<TypeParam>(e, order, 2, gap, {}, gap != 0);
      }
    }
  }
  for (Algorithm const algorithm : {Algorithm::naive, Algorithm::tiled, Algorithm::padded, Algorithm::blocked}) {
    SCOPED_TRACE(to_string(algorithm));
    expect_right_in_place<TypeParam>({7, 50, 50}, orders[0], 1, 1, {.algorithm = algorithm}, false);
    expect_right_in_place<TypeParam>({7, 5, 5}, orders[2], 1, 0, {.conjugate = true, .algorithm = algorithm}, true);
    if (algorithm == Algorithm::tiled)
      expect_right_in_place<TypeParam>({4, 21, 21}, orders[0], 1, 2, {.algorithm = algorithm, .tile = 8}, true);
  }
}

TYPED_TEST(TransposeBatches, AreRightByAddresses) {
  for (Extents const& e :
       {Extents{3, 4, 4}, {5, 7, 3}, {40, 16, 17}, {1, 9, 5}, {3, 1, 8}, {0, 3, 3}, {2, 0, 3}, {2, 500, 530}}) {
    for (auto const& from : orders) {
      for (auto const& to : {orders[0], orders[2], orders[3]}) {
        SCOPED_TRACE(std::to_string(e[0]) + "x" + std::to_string(e[1]) + "x" + std::to_string(e[2]) + " from " +
                     std::to_string(&from - orders) + " to " + std::to_string(to[0]) + std::to_string(to[1]));
        expect_right<TypeParam>(e, from, to, 1, 0, {.conjugate = true}, true);
        if (e[1] < 50) expect_right<TypeParam>(e, from, to, 2, 3, {}, true);
      }
    }
  }
  expect_right<TypeParam>({3000, 8, 12}, orders[0], orders[0], 1, 0, {}, true);
  expect_right<TypeParam>({3000, 8, 12}, orders[0], orders[0], 2, 0, {}, true);
  for (Algorithm const algorithm : {Algorithm::naive, Algorithm::blocked}) {
    expect_right<TypeParam>({7, 33, 50}, orders[0], orders[2], 1, 1, {.algorithm = algorithm}, true);
    expect_right_in_place<TypeParam>({7, 50, 50}, orders[0], 1, 1, {.algorithm = algorithm}, false, true);
  }
}

TYPED_TEST(TransposeBatches, AreRightInPlaceByAddresses) {
  for (Extents const& e : {Extents{3, 4, 4}, {40, 17, 17}, {1, 9, 9}, {3, 1, 1}, {0, 3, 3}, {2, 0, 0}, {3, 500, 500}}) {
    for (auto const& order : orders) {
      for (bool const twice : {false, true}) {
        SCOPED_TRACE(std::to_string(e[0]) + "x" + std::to_string(e[1]) + " order " + std::to_string(&order - orders));
        expect_right_in_place<TypeParam>(e, order, 1, 3, {.conjugate = twice}, twice, true);
        if (e[1] < 50) expect_right_in_place<TypeParam>(e, order, 2, 0, {}, twice, true);
      }
    }
  }
}

TEST(TransposeBatchesOf, ManyMatricesAreSharedAmongThreads) {
  expect_right<double>({3000, 8, 12}, orders[0], orders[0], 1, 0, {});
  expect_right<float>({12000, 4, 4}, orders[0], orders[0], 1, 5, {});
}

/// Of one View, in place, or of two; and options.
std::string refusal(auto const&... arguments) {
  std::string rules[2] = {"accepted", "accepted"};
  try {
    pantile::transpose(Exec{}, arguments...);
  } catch (pantile::Error const& error) {
    rules[0] = error.rule();
  }
  try {
    (void)pantile::explain::transpose(Exec{}, arguments...);
  } catch (pantile::Error const& error) {
    rules[1] = error.rule();
  }
  EXPECT_EQ(rules[0], rules[1]);
  return rules[0];
}

TEST(TransposeBatchesOf, OneMatrixAreInPlaceAsItIs) {
  double memory[6] = {1, 2, 3, 4, 5, 6};
  using View = Kokkos::View<double***, Kokkos::LayoutRight, Kokkos::HostSpace>;
  pantile::transpose(Exec{}, View(memory, 1, 2, 3), View(memory, 1, 3, 2));
  Exec{}.fence();
  EXPECT_THAT(memory, ::testing::ElementsAre(1, 4, 2, 5, 3, 6));
}

TEST(TransposeBatchErrors, NameWhatDoesNotFit) {
  using View = Kokkos::View<double***, Kokkos::LayoutRight, Kokkos::HostSpace>;
  View const a("a", 3, 4, 5), b("b", 3, 5, 4);
  Kokkos::deep_copy(b, 5.0);
  EXPECT_EQ(refusal(a, View("b", 2, 5, 4)), "B must be a batch of 3 as A is, not of 2");
  EXPECT_EQ(refusal(a, View("b", 3, 4, 5)), "B must be 5x4 (columns of A by rows of A)");
  EXPECT_EQ(refusal(View(nullptr, 3, 4, 5), b), "A must not be null: its View has extents but no memory");
  EXPECT_EQ(refusal(a, View(a.data(), 3, 5, 4)), "B must be exactly A, or not overlap it: they share memory");
  EXPECT_EQ(refusal(Strided<double>(b.data(), Kokkos::LayoutStride(3, 16, 4, 4, 4, 1)),
                    Strided<double>(b.data(), Kokkos::LayoutStride(3, 17, 4, 4, 4, 1))),
            "B must be exactly A, or not overlap it: they share memory");
  EXPECT_EQ(refusal(View(b.data(), 1, 5, 4), View(b.data() + 1, 1, 4, 5)).substr(0, 34),
            "B must be exactly A, or A's memory")
      << "one matrix";
  EXPECT_EQ(refusal(b), "A must be square to be transposed in place, it is 5x4");
  EXPECT_EQ(refusal(View(nullptr, 3, 4, 4)), "A must not be null: its View has extents but no memory");
  EXPECT_EQ(refusal(Strided<double>(b.data(), Kokkos::LayoutStride(3, 15, 4, 4, 4, 1))),
            "A must not overlap itself: two of its elements share memory");
  EXPECT_EQ(refusal(a, Strided<double>(b.data(), Kokkos::LayoutStride(3, 19, 5, 4, 4, 1))),
            "B must not overlap itself: two of its elements share memory");
  EXPECT_EQ(refusal(a, b, TransposeOptions{.tile = -1}), "tile and rows_per_thread must not be negative");
  EXPECT_EQ(refusal(a, b, TransposeOptions{.algorithm = Algorithm::blocked, .tile = 4}),
            "tile is for algorithm automatic or tiled or padded, not blocked");
  EXPECT_EQ(refusal(a, b, TransposeOptions{.rows_per_thread = 2}),
            "rows_per_thread is for devices: on hosts a thread moves whole tiles");
  for (std::size_t i = 0; i < b.size(); ++i) EXPECT_EQ(b.data()[i], 5.0) << "B was written";
}

TEST(TransposeBatchErrors, NameWhatDoesNotFitOfAddresses) {
  using Batch = pantile::MatrixPointers<double, Kokkos::HostSpace>;
  std::vector<double> memory(200, 5.0);
  double* const m = memory.data();
  double* a[3] = {m, m + 20, m + 40};
  double* b[3] = {m + 60, m + 80, m + 100};
  Batch const A{a, 3, 4, 5, 5, 1}, B{b, 3, 5, 4, 4, 1};
  auto const with = [](double** addresses, auto const&... numbers) {
    return Batch{addresses, std::size_t(numbers)...};
  };
  EXPECT_EQ(refusal(A, with(b, 2, 5, 4, 4, 1)), "B must be a batch of 3 as A is, not of 2");
  EXPECT_EQ(refusal(A, with(b, 3, 4, 5, 5, 1)), "B must be 5x4 (columns of A by rows of A)");
  EXPECT_EQ(refusal(A, with(nullptr, 3, 5, 4, 4, 1)), "B must not be null: its View has extents but no memory");
  EXPECT_EQ(refusal(A, with(b, 3, 5, 4, 3, 1)), "B must not overlap itself: two of its elements share memory");
  EXPECT_EQ(refusal(A), "A must be square to be transposed in place, it is 4x5");
  double* none[3] = {m + 60, m + 80, nullptr};
  EXPECT_EQ(refusal(A, with(none, 3, 5, 4, 4, 1)), "B must have no null pointer: its matrix 2 has no memory");
  EXPECT_EQ(refusal(with(none, 3, 5, 4, 4, 1), with(a, 3, 4, 5, 5, 1)).substr(0, 27), "A must have no null pointer");
  double* met[3] = {m + 60, m + 40, m + 100};
  EXPECT_EQ(refusal(A, with(met, 3, 5, 4, 4, 1)), "accepted") << "each product for itself";
  std::fill(memory.begin(), memory.end(), 5.0);
  met[2] = m + 40, met[1] = m + 80;
  EXPECT_EQ(refusal(A, with(met, 3, 5, 4, 4, 1)), "B must be exactly A, or not overlap it: they share memory");
  double* twice[3] = {m + 60, m + 80, m + 81};
  EXPECT_EQ(refusal(A, with(twice, 3, 5, 4, 4, 1)), "B must not overlap itself: two of its elements share memory");
  EXPECT_EQ(refusal(with(twice, 3, 4, 4, 4, 1)), "A must not overlap itself: two of its elements share memory");
  double* mixed[3] = {m, m + 120, m + 140};
  EXPECT_EQ(refusal(with(a, 3, 4, 4, 4, 1), with(mixed, 3, 4, 4, 4, 1)),
            "B must be exactly A, or not overlap it: they share memory")
      << "one of them in place, the others not";
  EXPECT_EQ(refusal(A, B, TransposeOptions{.algorithm = Algorithm::tiled}),
            "algorithm tiled takes no pointers; automatic, naive and blocked do");
  EXPECT_EQ(refusal(with(a, 3, 4, 4, 5, 1), TransposeOptions{.algorithm = Algorithm::padded}),
            "algorithm padded takes no pointers; automatic, naive and blocked do");
  EXPECT_EQ(refusal(A, B, TransposeOptions{.tile = -1}), "tile and rows_per_thread must not be negative");
  for (auto const& option : {TransposeOptions{.tile = 4}, TransposeOptions{.rows_per_thread = 4}}) {
    EXPECT_EQ(refusal(A, B, option), "tile and rows_per_thread are for Views: a batch of pointers has no tiles");
  }
  for (double const value : memory) EXPECT_EQ(value, 5.0) << "something was written";
}

TEST(TransposeBatchesOf, MoreThanTheCacheHoldsAreWrittenPastIt) {
  namespace transpose = pantile::impl::transpose;
  pantile::impl::arch::Machine machine;
  machine.concurrency = 2;
  transpose::Query query{.rows = 32, .cols = 16, .element_size = 8, .blocked = true};
  query.cache_bytes = 1 << 20;
  EXPECT_FALSE(transpose::choose(machine, query, 128).past) << "all of it stays";
  EXPECT_TRUE(transpose::choose(machine, query, 129).past);
  EXPECT_EQ(transpose::choose(machine, query, 129).window_pages, 0);
  query.second_level_bytes = 1 << 20;
  EXPECT_EQ(transpose::choose(machine, query, 129).window_pages, 2);
  query.first_level_bytes = 32 << 10;
  EXPECT_EQ(transpose::choose(machine, query, 129).window_pages, 1);
  query.second_level_bytes = 2 << 20;
  EXPECT_EQ(transpose::choose(machine, query, 129).window_pages, 1);
  query.in_place = true;
  EXPECT_FALSE(transpose::choose(machine, query, 129).past) << "what is written has just been read";
}

// The kernels stride over tiles beyond the league: too few teams give right results, and leave a device idle.
TEST(TransposeBatchesOf, DevicesHaveATeamForEachTileOfEachMatrix) {
  namespace transpose = pantile::impl::transpose;
  pantile::impl::arch::Machine const gpu{
      .name = "cuda", .device = true, .concurrency = 1 << 18, .max_team_size = 1024, .scratch_limit = {40000, 0}};
  transpose::Query query{.rows = 64, .cols = 96, .element_size = 8, .blocked = true};
  query.packed.threads = 256;
  EXPECT_EQ(transpose::choose_variant(gpu, query).algorithm, Algorithm::blocked) << "of one matrix";
  auto const plan = transpose::choose(gpu, query, 1000);
  EXPECT_EQ(plan.refusal, "");
  EXPECT_EQ(plan.algorithm, Algorithm::padded);
  EXPECT_EQ(plan.tiles, 2 * 3 * 1000);
  query.options.algorithm = Algorithm::tiled;
  EXPECT_EQ(transpose::choose(gpu, query, 1000).tiles, 2 * 3 * 1000);
}

TEST(TransposeBatchExplained, CountsAllMatrices) {
  Kokkos::View<double***, Kokkos::LayoutRight, Kokkos::HostSpace> const a("a", 100, 4, 5), b("b", 100, 5, 4);
  auto const e = pantile::explain::transpose(Exec{}, a, b);
  EXPECT_EQ(e.bytes, 2 * 8.0 * 100 * 4 * 5);
  EXPECT_EQ(e.algorithm, "blocked");
  EXPECT_EQ(e.league_size, 1U) << "little to move: by the calling thread";
  Kokkos::View<double***, Kokkos::LayoutRight, Kokkos::HostSpace> const square("square", 100, 5, 5);
  auto const in_place = pantile::explain::transpose(Exec{}, square);
  EXPECT_EQ(in_place.bytes, 2 * 8.0 * 100 * 5 * 5);
  EXPECT_NE(in_place.path.find("blocked_in_place"), std::string::npos) << in_place.path;
  double* addresses[2] = {a.data(), a.data() + 20};
  double* results[2] = {b.data(), b.data() + 20};
  using Batch = pantile::MatrixPointers<double, Kokkos::HostSpace>;
  auto const by = pantile::explain::transpose(Exec{}, Batch{addresses, 2, 4, 5, 5, 1}, Batch{results, 2, 5, 4, 4, 1});
  EXPECT_EQ(by.bytes, 2 * 8.0 * 2 * 4 * 5);
  EXPECT_EQ(by.algorithm, "blocked");
  EXPECT_EQ(by.league_size, 1U);
}

TEST(TransposeBatchesOf, PointersOnDevicesGoElementByElement) {
  namespace transpose = pantile::impl::transpose;
  pantile::impl::arch::Machine machine;
  machine.device = true;
  transpose::Query query{.rows = 32, .cols = 16, .element_size = 8, .blocked = true};
  auto const plan = transpose::choose(machine, query, 10, true);
  EXPECT_EQ(plan.algorithm, Algorithm::naive);
  EXPECT_EQ(plan.batch_threads, 0);
  EXPECT_EQ(plan.refusal, "");
  query.options.algorithm = Algorithm::tiled;
  EXPECT_EQ(transpose::choose(machine, query, 10, true).refusal,
            "algorithm tiled takes no pointers; automatic and naive do");
}

}  // namespace

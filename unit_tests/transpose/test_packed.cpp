// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file  The blocked kernels of devices for every size of element: one host thread emulates the threads of a team.
#include <support/emulated_threads.hpp>
#include <support/int16.hpp>
#include <transpose/cases.hpp>

#include <pantile/impl/arch/cuda/traits.hpp>
#include <pantile/transpose.hpp>

#include <pantile/impl/transpose/launch_packed.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <set>
#include <string>

namespace {

using Algorithm = pantile::TransposeAlgorithm;
using Exec = Kokkos::DefaultHostExecutionSpace;
namespace arch = pantile::impl::arch;
namespace transpose = pantile::impl::transpose;

template <class T>
T numbered(std::int64_t i, std::int64_t j) {
  if constexpr (pantile::is_complex_v<T>) {
    return T(static_cast<typename T::value_type>(i), static_cast<typename T::value_type>(j + 1));
  } else {
    return static_cast<T>(i * 131 + j * 7 + 3);
  }
}

arch::Machine gpu() {
  arch::Machine machine;
  machine.device = true;
  machine.concurrency = 132 * 2048;
  machine.max_team_size = 1024;
  machine.scratch_limit[0] = 40936;
  return machine;
}

/// The policy's plan for a device, changed into one that a host thread can emulate.
template <class T>
transpose::Plan emulated(transpose::Problem<T> const& problem) {
  auto plan = transpose::choose(gpu(), transpose::make_query<arch::Cuda>(problem, {.algorithm = Algorithm::blocked}));
  EXPECT_EQ(plan.refusal, "");
  plan.scratch_level = 1;
  plan.scratch_bytes += static_cast<std::size_t>(plan.team_size) * 8 + 64;
  plan.team_size = 1;
  return plan;
}

/// Extents rounded up to whole packs, or with `wide` false to a number that no pack divides.
template <class T>
std::int64_t rounded(std::int64_t extent, bool wide) {
  constexpr std::int64_t pack = transpose::PackedShape<sizeof(T), 1, true>::pack;
  std::int64_t const whole = (extent + pack - 1) / pack * pack;
  return wide ? whole : whole + 1;
}

/// A problem with poison between the rows of both sides.
template <class T>
class Packed {
 public:
  Packed(std::int64_t rows, std::int64_t cols, bool conjugates, bool wide)
      : m_source("source", rows, rounded<T>(cols, wide)),
        m_target("target", cols, rounded<T>(rows, wide)),
        problem{{m_source.data(), rows, cols, rounded<T>(cols, wide), 1},
                {m_target.data(), rows, cols, 1, rounded<T>(rows, wide)},
                conjugates,
                false} {
    Kokkos::deep_copy(m_source, T(99));
    Kokkos::deep_copy(m_target, T(77));
    for (std::int64_t i = 0; i < rows; ++i) {
      for (std::int64_t j = 0; j < cols; ++j) m_source(i, j) = numbered<T>(i, j);
    }
  }

  void run() const {
    Exec const exec;
    transpose::run_packed(exec, problem, emulated(problem), "packed");
    exec.fence();
  }

  [[nodiscard]] int wrong() const {
    int count = 0;
    for (std::size_t j = 0; j < m_target.extent(0); ++j) {
      for (std::size_t i = 0; i < m_target.extent(1); ++i) {
        bool const inside = static_cast<std::int64_t>(i) < problem.source.rows;
        T expected = inside ? numbered<T>(static_cast<std::int64_t>(i), static_cast<std::int64_t>(j)) : T(77);
        if (inside && problem.conjugates) expected = pantile::conjugate(expected);
        count += m_target(j, i) != expected;
      }
    }
    return count;
  }

 private:
  Kokkos::View<T**, Kokkos::LayoutRight, Exec> m_source, m_target;

 public:
  transpose::Problem<T> const problem;
};

/// Elements that are wrong after a square of this edge was transposed in place, or beyond its rows.
template <class T>
int wrong_in_place(std::int64_t n, bool conjugates, bool wide) {
  std::int64_t const ld = rounded<T>(n, wide);
  Kokkos::View<T**, Kokkos::LayoutRight, Exec> const memory("matrix", n, ld);
  Kokkos::deep_copy(memory, T(77));
  for (std::int64_t i = 0; i < n; ++i) {
    for (std::int64_t j = 0; j < n; ++j) memory(i, j) = numbered<T>(i, j);
  }
  auto const problem = transpose::in_place_problem(pantile::impl::Matrix<T>{memory.data(), n, n, ld, 1}, conjugates);
  EXPECT_EQ(transpose::takes_packs<true>(problem), wide || sizeof(T) == 16 || n == 1);
  Exec const exec;
  transpose::run_packed(exec, problem, emulated(problem), "packed in place");
  exec.fence();
  int count = 0;
  for (std::int64_t i = 0; i < n; ++i) {
    for (std::int64_t j = 0; j < ld; ++j) {
      T expected = j < n ? numbered<T>(j, i) : T(77);
      if (j < n && conjugates) expected = pantile::conjugate(expected);
      count += memory(i, j) != expected;
    }
  }
  return count;
}

template <class T>
class TransposePacked : public ::testing::Test {};
using Elements =
    ::testing::Types<std::int8_t, std::int16_t, float, double, Kokkos::complex<float>, Kokkos::complex<double>>;
TYPED_TEST_SUITE(TransposePacked, Elements);

TYPED_TEST(TransposePacked, AnyShapeIsRight) {
  for (bool const wide : {true, false}) {
    constexpr int edge = transpose::PackedShape<sizeof(TypeParam), 1, true>::edge;
    for (std::array<std::int64_t, 2> const shape : {std::array<std::int64_t, 2>{2, 2},
                                                    {edge, edge},
                                                    {edge - 1, edge + 1},
                                                    {2 * edge + 3, edge / 2 + 1},
                                                    {3, 5 * edge},
                                                    {17 * edge + 5, 2 * edge},  // more rows of tiles than a band has
                                                    {211, 307}}) {
      for (bool const conjugates : {false, true}) {
        Packed<TypeParam> const packed(shape[0], shape[1], conjugates, wide);
        ASSERT_EQ(transpose::takes_packs<true>(packed.problem), wide || sizeof(TypeParam) == 16);
        packed.run();
        EXPECT_EQ(packed.wrong(), 0) << shape[0] << "x" << shape[1] << (conjugates ? " conjugated" : "")
                                     << (wide ? " by packs" : " one by one");
      }
    }
  }
}

TYPED_TEST(TransposePacked, AnySquareIsRightInPlace) {
  for (bool const wide : {true, false}) {
    constexpr int edge = transpose::PackedShape<sizeof(TypeParam), 2, true>::edge;
    for (std::int64_t const n : {1, 3, edge - 1, edge, edge + 1, 3 * edge + 5, 5 * edge}) {
      for (bool const conjugates : {false, true}) {
        EXPECT_EQ(wrong_in_place<TypeParam>(n, conjugates, wide), 0)
            << n << (conjugates ? " conjugated" : "") << (wide ? " by packs" : " one by one");
      }
    }
  }
}

TEST(TransposePackedLarge, SquaresOfTilesAreRightInPlace) {
  // 66 tiles across: squares of tiles, some of them cut by the diagonal and some by the edge.
  EXPECT_EQ(wrong_in_place<Kokkos::complex<double>>(65 * 32 + 7, false, true), 0);
}

/// \brief  Most threads of a group that meet in a bank of scratch and want different words there.
/// \param  byte  byte(thread) at which a thread's access begins; a phase of a warp moves 128 bytes in 32 banks
template <class Byte>
int most_in_a_bank(int bytes, Byte const& byte) {
  int const together = std::min(32, 128 / bytes);
  std::array<std::set<int>, 32> words;
  int most = 0;
  for (int thread = 0; thread < together; ++thread) {
    for (int b = 0; b < bytes; ++b)
      words[static_cast<std::size_t>((byte(thread) + b) / 4 % 32)].insert((byte(thread) + b) / 4);
  }
  for (auto const& bank : words) most = std::max(most, static_cast<int>(bank.size()));
  return most;
}

/// The worst of all phases of all accesses, to scratch and from it.
template <class T, int Tiles, bool Wide>
int most_in_a_bank() {
  using Shape = transpose::PackedShape<sizeof(T), Tiles, Wide>;
  using Mover = transpose::TileMover<T, Shape>;
  constexpr int bytes = sizeof(T) * Shape::pack, together = std::min(32, 128 / bytes);
  int most = 0;
  for (int first = 0; first < Shape::threads; first += together) {
    for (int b = 0; b < Mover::blocks; ++b) {
      for (int j = 0; j < Shape::pack; ++j) {
        most = std::max(most, most_in_a_bank(bytes, [&](int lane) {
                          int const thread = first + lane;
                          return bytes * Mover::place(thread % Shape::packs * Shape::pack + j,
                                                      thread / Shape::packs + b * Mover::lines);
                        }));
      }
    }
    for (int n = 0; n < Shape::edge / Mover::lines; ++n) {
      most = std::max(most, most_in_a_bank(bytes, [&](int lane) {
                        int const thread = first + lane;
                        return bytes * Mover::place(thread / Shape::packs + n * Mover::lines, thread % Shape::packs);
                      }));
    }
  }
  return most;
}

TYPED_TEST(TransposePacked, NoTwoThreadsMeetInABank) {
  EXPECT_EQ((most_in_a_bank<TypeParam, 1, true>()), 1);
  EXPECT_EQ((most_in_a_bank<TypeParam, 2, true>()), 1);
  // Single elements that are narrower than a bank share it with one of another row.
  constexpr int most = sizeof(TypeParam) < 4 ? 2 : 1;
  EXPECT_EQ((most_in_a_bank<TypeParam, 1, false>()), most);
  EXPECT_EQ((most_in_a_bank<TypeParam, 2, false>()), most);
}

/// What the policy chooses for a device with 132 multiprocessors. Nothing runs, so the operands have no memory.
template <class T>
transpose::Plan device_plan(std::int64_t rows, std::int64_t cols, std::int64_t source_ld, std::int64_t target_ld,
                            pantile::TransposeOptions options = {}) {
  transpose::Problem<T> const problem{
      {nullptr, rows, cols, source_ld, 1}, {nullptr, rows, cols, 1, target_ld}, false, false};
  return transpose::choose(gpu(), transpose::make_query<arch::Cuda>(problem, options));
}

TEST(TransposePackedPolicy, TakesPacksWhereMemoryAllows) {
  auto const plan = device_plan<float>(8192, 4096, 4096, 8192);
  EXPECT_EQ(plan.algorithm, Algorithm::blocked);
  EXPECT_EQ(plan.tile, 64);
  EXPECT_EQ(plan.pack, 4);
  EXPECT_EQ(plan.team_size, 256);
  EXPECT_EQ(plan.tiles, 128 * 64);
  EXPECT_EQ(plan.scratch_bytes, 64U * 64U * 4U + 16U);
  EXPECT_EQ(device_plan<double>(8191, 4096, 4096, 8192).pack, 2);
}

TEST(TransposePackedPolicy, TakesSingleElementsElsewhere) {
  auto const plan = device_plan<float>(8191, 4097, 4097, 8191);
  EXPECT_EQ(plan.algorithm, Algorithm::blocked);
  EXPECT_EQ(plan.pack, 1);
  EXPECT_STREQ(plan.reason, "many elements in flight per thread, between rows that are contiguous on both sides");
}

TEST(TransposePackedPolicy, InPlaceTwoTilesFitIntoScratch) {
  auto const plan_of = [](auto element, std::int64_t ld) {
    using T = decltype(element);
    auto const problem = transpose::in_place_problem(pantile::impl::Matrix<T>{nullptr, 4096, 4096, ld, 1}, false);
    return transpose::choose(gpu(), transpose::make_query<arch::Cuda>(problem, {}));
  };
  for (std::int64_t const ld : {4096, 4097}) {
    auto const plan = plan_of(1.0F, ld);
    EXPECT_EQ(plan.algorithm, Algorithm::blocked);
    EXPECT_EQ(plan.pack, ld == 4096 ? 4 : 1);
    EXPECT_EQ(plan.scratch_bytes, 2U * 64U * 64U * 4U + 16U);
    EXPECT_EQ(plan.tiles, 4 * 5 / 2 * 16 * 16) << "64 tiles across are four squares across";
  }
  EXPECT_EQ(plan_of(1.0, 4096).tile, 32);
  EXPECT_EQ(plan_of(Kokkos::complex<double>(), 4096).algorithm, Algorithm::blocked);
  EXPECT_EQ(plan_of(std::int8_t(1), 4096).algorithm, Algorithm::blocked);
}

TEST(TransposePackedPolicy, LeavesTheRestToTheOthers) {
  EXPECT_EQ(device_plan<float>(8192, 4096, 4096, 8192, {.tile = 16}).algorithm, Algorithm::padded);
  EXPECT_EQ(device_plan<float>(8192, 2, 4, 8192).algorithm, Algorithm::naive);
  EXPECT_EQ(
      device_plan<std::int8_t>(std::int64_t{1} << 40, std::int64_t{1} << 20, 1 << 20, std::int64_t{1} << 40).algorithm,
      Algorithm::padded)
      << "more tiles than an int can count";
  transpose::Problem<float> const strided{{nullptr, 90, 90, 360, 2}, {nullptr, 90, 90, 2, 360}, false, false};
  EXPECT_EQ(transpose::choose(gpu(), transpose::make_query<arch::Cuda>(strided, {})).algorithm, Algorithm::padded);
  EXPECT_EQ(
      transpose::choose(gpu(), transpose::make_query<arch::Cuda>(strided, {.algorithm = Algorithm::blocked})).refusal,
      "algorithm blocked on devices is for elements of 1, 2, 4, 8 or 16 bytes at multiples of their size, and "
      "neighbours of a row or column next to each other in A and B");
}

}  // namespace

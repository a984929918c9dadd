// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file  Rectangular matrices in their own memory: B is A's dense memory seen as columns by rows.
#include <transpose/cases.hpp>

#include <gmock/gmock.h>

#include <algorithm>

namespace {

using namespace pantile::testing;
using Algorithm = pantile::TransposeAlgorithm;
using pantile::TransposeOptions;

template <class T>
T numbered(std::size_t i) {
  if constexpr (pantile::is_complex_v<T>) {
    return T(static_cast<typename T::value_type>(i), static_cast<typename T::value_type>(i + 1));
  } else {
    return static_cast<T>(i);
  }
}

/// A and B of this layout in one piece of memory, with an element before and one behind it that must stay.
template <class T, class Layout, class Exec>
void expect_rectangular(Exec const& exec, Shape s, TransposeOptions const& options = {}) {
  using Memory = typename Exec::memory_space;
  using Matrix = Kokkos::View<T**, Layout, Memory, Kokkos::MemoryUnmanaged>;
  std::size_t const count = s.rows * s.cols;
  Kokkos::View<T*, Memory> const memory("memory", count + 2);
  auto const host = Kokkos::create_mirror_view(memory);
  for (std::size_t i = 0; i < count + 2; ++i) host(i) = numbered<T>(i);
  Kokkos::deep_copy(memory, host);
  Matrix const A(memory.data() + 1, s.rows, s.cols), B(memory.data() + 1, s.cols, s.rows);
  pantile::transpose(exec, A, B, options);
  exec.fence();
  Kokkos::deep_copy(host, memory);
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < s.rows; ++i) {
    for (std::size_t j = 0; j < s.cols; ++j) {
      bool const right = std::is_same_v<Layout, Kokkos::LayoutRight>;
      T value = numbered<T>(1 + (right ? i * s.cols + j : i + j * s.rows));
      if (options.conjugate) value = pantile::conjugate(value);
      if (!(host(1 + (right ? j * s.rows + i : j + i * s.cols)) == value)) ++wrong;
    }
  }
  EXPECT_EQ(wrong, 0U) << to_string(s);
  EXPECT_TRUE(host(0) == numbered<T>(0) && host(count + 1) == numbered<T>(count + 1)) << to_string(s);
}

template <class T>
void expect_all_rectangles() {
  Kokkos::DefaultExecutionSpace const exec;
  std::vector<Shape> shapes{{1, 1},    {1, 7},    {7, 1},     {0, 5},     {5, 0},
                            {1009, 3}, {3, 1009}, {64, 4096}, {4096, 64}, {300, 1000}};
  for (std::size_t rows = 2; rows <= 13; ++rows) {
    for (std::size_t cols = 2; cols <= 13; ++cols) shapes.push_back({rows, cols});
  }
  for (Shape const s : shapes) {
    if (!fits_scratch(exec, std::max(s.rows, s.cols) * sizeof(T))) continue;
    expect_rectangular<T, Kokkos::LayoutRight>(exec, s);
    expect_rectangular<T, Kokkos::LayoutLeft>(exec, s);
  }
}

TEST(TransposeRectangular, EveryElementSize) {
  expect_all_rectangles<std::int8_t>();
  expect_all_rectangles<float>();
  expect_all_rectangles<double>();
  expect_all_rectangles<Kokkos::complex<double>>();
}

TEST(TransposeRectangular, ConjugatesAndTakesEveryAlgorithm) {
  Kokkos::DefaultExecutionSpace const exec;
  for (Shape const s : {Shape{12, 30}, Shape{31, 12}, Shape{1, 9}, Shape{9, 1}}) {
    for (Algorithm const algorithm : transpose_algorithms) {
      expect_rectangular<Kokkos::complex<float>, Kokkos::LayoutRight>(exec, s, {.algorithm = algorithm});
      expect_rectangular<Kokkos::complex<float>, Kokkos::LayoutRight>(exec, s,
                                                                      {.conjugate = true, .algorithm = algorithm});
      expect_rectangular<Kokkos::complex<double>, Kokkos::LayoutLeft>(exec, s,
                                                                      {.conjugate = true, .algorithm = algorithm});
    }
  }
}

TEST(TransposeRectangular, RowsLongerThanTeamScratch) {
  using Exec = Kokkos::DefaultExecutionSpace;
  using Arch = pantile::impl::arch::Current<Exec>;
  if constexpr (!Arch::device) {
    Exec const exec;
    for (Shape const s : {Shape{3, 1000}, Shape{1000, 3}, Shape{96, 60}}) {
      Kokkos::View<double**, Kokkos::LayoutRight> const A("A", s.rows, s.cols);
      Kokkos::View<double**, Kokkos::LayoutRight, Kokkos::MemoryUnmanaged> const B(A.data(), s.cols, s.rows);
      for (std::size_t i = 0; i < A.size(); ++i) A.data()[i] = static_cast<double>(i);
      auto const problem = pantile::impl::transpose::checked_problem<Exec>(A, B, {}, std::source_location::current());
      auto machine = pantile::impl::arch::machine(exec);
      machine.scratch_limit[0] = machine.scratch_limit[1] = 64;
      auto const query = pantile::impl::transpose::make_query<Arch>(problem, {});
      auto const plan = pantile::impl::transpose::choose(machine, query);
      ASSERT_EQ(plan.refusal, "");
      pantile::impl::transpose::run(exec, problem, plan);
      exec.fence();
      std::size_t wrong = 0;
      for (std::size_t i = 0; i < s.rows; ++i) {
        for (std::size_t j = 0; j < s.cols; ++j) wrong += B(j, i) != static_cast<double>(i * s.cols + j);
      }
      EXPECT_EQ(wrong, 0U) << to_string(s);
    }
  }
}

TEST(TransposeRectangular, WhatIsTransposedAlreadyStays) {
  Kokkos::View<double**, Kokkos::LayoutRight> const A("A", 4, 6);
  Kokkos::View<double**, Kokkos::LayoutLeft, Kokkos::MemoryUnmanaged> const B(A.data(), 6, 4);
  auto const host = Kokkos::create_mirror_view(A);
  for (int i = 0; i < 24; ++i) host.data()[i] = i;
  Kokkos::deep_copy(A, host);
  pantile::transpose(A, B);
  Kokkos::fence();
  Kokkos::deep_copy(host, A);
  for (int i = 0; i < 24; ++i) EXPECT_EQ(host.data()[i], i);
  EXPECT_THAT(pantile::explain::transpose(A, B).path, ::testing::StartsWith("pantile::transpose[copy,"));
}

TEST(TransposeRectangular, IsExplained) {
  Kokkos::View<double**, Kokkos::LayoutRight> const A("A", 100, 200);
  Kokkos::View<double**, Kokkos::LayoutRight, Kokkos::MemoryUnmanaged> const B(A.data(), 200, 100);
  auto const e = pantile::explain::transpose(A, B);
  EXPECT_THAT(e.path, ::testing::StartsWith("pantile::transpose[permuted_in_place,"));
  EXPECT_THAT(e.reason, ::testing::HasSubstr("rectangular in place"));
  EXPECT_EQ(e.tile, "rows of 200 and 32 columns at a time");
}

}  // namespace

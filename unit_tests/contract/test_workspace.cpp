// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file  Transpositions, histograms and reversals in memory that the caller gives; unit_tests/matmul has the products.
#include <histogram/samples.hpp>
#include <support/arrays.hpp>
#include <support/workspace.hpp>

#include <pantile/histogram.hpp>
#include <pantile/transpose.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

namespace pantile::testing {
namespace {

using Exec = Kokkos::DefaultExecutionSpace;

template <class T>
HostMatrix<T> numbered(std::size_t rows, std::size_t cols) {
  HostMatrix<T> result(rows, cols);
  std::iota(result.values.begin(), result.values.end(), T(1));
  return result;
}

template <class T>
void expect_transposed(std::size_t rows, std::size_t cols, TransposeOptions options, Takes takes) {
  SCOPED_TRACE(to_string(options.algorithm));
  Placed<T, Exec> const A("A", numbered<T>(rows, cols), Placement::right);
  expect_right_in_given_memory(
      takes, [&] { return Placed<T, Exec>("B", numbered<T>(cols, rows), Placement::padded_right); },
      [&](auto const& B, Workspace const& workspace) {
        options.workspace = workspace;
        transpose(Exec{}, A.view(), B.view(), options);
      },
      [&](auto const& B) { return explain::transpose(Exec{}, A.view(), B.view(), options); });
}

TEST(Workspace, OfTranspositions) {
  expect_transposed<float>(150, 333, {.algorithm = TransposeAlgorithm::tiled}, Takes::some);
  expect_transposed<double>(150, 333, {.algorithm = TransposeAlgorithm::padded, .tile = 16}, Takes::some);
  expect_transposed<double>(150, 333, {}, Takes::none);
  expect_transposed<double>(0, 333, {.algorithm = TransposeAlgorithm::tiled}, Takes::none);
}

TEST(Workspace, OfTranspositionsInPlace) {
  TransposeOptions options{.algorithm = TransposeAlgorithm::padded};
  expect_right_in_given_memory(
      Takes::some, [] { return Placed<double, Exec>("A", numbered<double>(97, 97), Placement::strided); },
      [&](auto const& A, Workspace const& workspace) {
        options.workspace = workspace;
        transpose(Exec{}, A.view(), options);
      },
      [&](auto const& A) { return explain::transpose(Exec{}, A.view(), options); });
}

/// More rows than groups of columns, and the other way around: what takes more teams decides.
TEST(Workspace, OfRectanglesInPlace) {
  for (auto const& [rows, cols] : {std::array<std::size_t, 2>{60, 90}, {90, 60}, {1, 5000}, {2, 5000}, {900, 901}}) {
    SCOPED_TRACE(std::to_string(rows) + "x" + std::to_string(cols));
    auto const seen = [](auto const& A) {
      auto const a = A.view();
      using B = Kokkos::View<double**, Kokkos::LayoutRight, Exec::memory_space, Kokkos::MemoryUnmanaged>;
      return B(a.data(), a.extent(1), a.extent(0));
    };
    expect_right_in_given_memory(
        rows == 1 ? Takes::as_planned : Takes::some,
        [&] { return Placed<double, Exec>("A", numbered<double>(rows, cols), Placement::right); },
        [&](auto const& A, Workspace const& workspace) {
          transpose(Exec{}, A.view(), seen(A), {.workspace = workspace});
        },
        [&](auto const& A) { return explain::transpose(Exec{}, A.view(), seen(A)); });
  }
}

template <class T>
void expect_counted(std::size_t samples, std::size_t bins, HistogramOptions options, Takes takes) {
  SCOPED_TRACE(std::to_string(samples) + " samples, " + std::to_string(bins) + " bins");
  PlacedArray<std::int32_t, Exec, 1> const indices(
      "indices", {samples}, random_indices<std::int32_t>(samples, bins, Distribution::uniform, 5), Placement::right);
  PlacedArray<std::int32_t, Exec, 1> const weights(
      "weights", {samples}, random_indices<std::int32_t>(samples, 99, Distribution::skewed, 6), Placement::right);
  auto const make = [&] {
    return PlacedArray<T, Exec, 1>("counts", {bins}, std::vector<T>(bins, T(7)), Placement::right);
  };
  auto const with = [&](Workspace const& workspace) {
    HistogramOptions result = options;
    result.workspace = workspace;
    return result;
  };
  expect_right_in_given_memory(
      takes, make,
      [&](auto const& counts, Workspace const& workspace) {
        histogram(Exec{}, indices.view(), counts.view(), with(workspace));
      },
      [&](auto const& counts) { return explain::histogram(Exec{}, indices.view(), counts.view(), options); });
  if (options.out_of_range == OutOfRange::refuse) return;
  expect_right_in_given_memory(
      takes, make,
      [&](auto const& counts, Workspace const& workspace) {
        histogram(Exec{}, indices.view(), weights.view(), counts.view(), with(workspace));
      },
      [&](auto const& counts) {
        return explain::histogram(Exec{}, indices.view(), weights.view(), counts.view(), options);
      });
}

TEST(Workspace, OfHistograms) {
  using enum HistogramAlgorithm;
  HistogramOptions const copies{.algorithm = scratch, .out_of_range = OutOfRange::ignore, .teams = 3};
  expect_counted<std::int32_t>(20'000, 100, copies, Takes::some);
  expect_counted<std::uint64_t>(20'000, 100, copies, Takes::some);
  HistogramOptions const more_than_threads{.algorithm = scratch, .out_of_range = OutOfRange::ignore, .teams = 100};
  expect_counted<std::int32_t>(20'000, 100, more_than_threads, Takes::some);
  expect_counted<std::int32_t>(0, 100, copies, Takes::none);
  expect_counted<std::int32_t>(20'000, 100, {.algorithm = global_atomic, .out_of_range = OutOfRange::ignore},
                               Takes::none);
}

/// Counts of many samples wait there until all are known to be in range; few samples are looked at before.
TEST(Workspace, OfHistogramsThatRefuse) {
  expect_counted<std::int32_t>(20'000, 100, {}, Takes::some);
  expect_counted<std::int32_t>(90'000, 9000, {.algorithm = HistogramAlgorithm::scratch}, Takes::some);
}

}  // namespace
}  // namespace pantile::testing

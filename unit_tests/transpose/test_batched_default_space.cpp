// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file  Batches of transpositions where kernels run by default: on a device its own launches, of matrices and
///        addresses in its own memory. test_batched.cpp has all layouts, on hosts.
#include <support/batches.hpp>
#include <support/matcher.hpp>
#include <support/spaces.hpp>

#include <pantile/transpose.hpp>

#include <array>
#include <string>
#include <vector>

namespace {

using namespace pantile::testing;
using pantile::TransposeOptions;
using BatchAlgorithm = pantile::TransposeAlgorithm;
using BatchExtents = std::array<std::size_t, 3>;

template <class TestCase>
class TransposeBatchesDefaultSpace : public ::testing::Test {};
TYPED_TEST_SUITE(TransposeBatchesDefaultSpace, AllCases);

enum class Given { views, pointers };

template <class T>
void expect_each_transposed(PlacedBatch<T>& b, PlacedBatch<T> const& a, bool conjugate) {
  for (std::size_t p = 0; p < a.extents()[0]; ++p) {
    auto const from = a.values(p), to = b.values(p);
    HostMatrix<T> expected(from.cols, from.rows);
    for (std::size_t i = 0; i < from.rows; ++i) {
      for (std::size_t j = 0; j < from.cols; ++j) {
        expected(j, i) = conjugate ? pantile::conjugate(from(i, j)) : from(i, j);
      }
    }
    ASSERT_TRUE(equal(to, expected)) << "matrix " << p;
  }
  EXPECT_TRUE(b.surroundings_intact());
}

template <class T, class Exec>
void expect_right(Exec const& exec, BatchExtents const& e, BatchLayout const& from, BatchLayout const& to,
                  TransposeOptions const& options, Given given = Given::views) {
  PlacedBatch<T> a(e[0], e[1], e[2], from, 5), b(e[0], e[2], e[1], to, 6);
  PlacedBatch<T> const before = a;
  BatchOn<T, Exec> const a_there(a), b_there(b);
  if (given == Given::pointers) {
    pantile::transpose(exec, a_there.template pointers<T const>(), b_there.pointers(), options);
  } else {
    pantile::transpose(exec, a_there.template view<T const>(), b_there.view(), options);
  }
  exec.fence();
  a_there.bring_back();
  b_there.bring_back();
  EXPECT_TRUE(a.memory() == before.memory());
  expect_each_transposed(b, a, options.conjugate);
}

/// Square matrices in place, as one operand or as the same View twice.
template <class T, class Exec>
void expect_right_in_place(Exec const& exec, BatchExtents const& e, BatchLayout const& layout,
                           TransposeOptions const& options, bool twice, Given given = Given::views) {
  PlacedBatch<T> a(e[0], e[1], e[2], layout, 7);
  PlacedBatch<T> const before = a;
  BatchOn<T, Exec> const there(a);
  if (given == Given::pointers) {
    pantile::transpose(exec, there.pointers(), options);
  } else if (twice) {
    pantile::transpose(exec, there.view(), there.view(), options);
  } else {
    pantile::transpose(exec, there.view(), options);
  }
  exec.fence();
  there.bring_back();
  expect_each_transposed(a, before, options.conjugate);
}

TYPED_TEST(TransposeBatchesDefaultSpace, AreRightInEveryLayout) {
  using T = typename TypeParam::T;
  typename TypeParam::Exec const exec;
  std::vector<BatchExtents> const all{{3, 4, 4}, {5, 7, 3}, {1, 9, 5}, {3, 1, 8}, {0, 3, 3}, {2, 0, 3}, {3, 70, 33}};
  for (BatchExtents const& e : all) {
    for (BatchLayout const& from : batch_layouts) {
      for (std::size_t const number : {0U, 2U, 4U, 7U, 8U}) {
        BatchLayout const& to = batch_layouts[number];
        SCOPED_TRACE(std::to_string(e[0]) + "x" + std::to_string(e[1]) + "x" + std::to_string(e[2]) + " " + from.name +
                     " to " + to.name);
        expect_right<T>(exec, e, from, to, {.conjugate = number > 2});
      }
    }
  }
}

/// A batch that is one matrix as often as that, by a stride of zero.
TYPED_TEST(TransposeBatchesDefaultSpace, AreRightWhereOneMatrixIsAll) {
  using T = typename TypeParam::T;
  typename TypeParam::Exec const exec;
  using Algorithm = BatchAlgorithm;
  for (Algorithm const algorithm : {Algorithm::automatic, Algorithm::naive, Algorithm::tiled, Algorithm::padded}) {
    for (std::size_t const number : {0U, 1U, 2U, 8U}) {
      SCOPED_TRACE(std::string(to_string(algorithm)) + " to " + batch_layouts[number].name);
      PlacedBatch<T> one(1, 9, 35, batch_layouts[0], 5), b(4, 35, 9, batch_layouts[number], 6);
      BatchOn<T, decltype(exec)> const there(one), b_there(b);
      pantile::transpose(exec, there.template repeated<T const>(4), b_there.view(), {.algorithm = algorithm});
      exec.fence();
      b_there.bring_back();
      for (std::size_t p = 0; p < 4; ++p) {
        auto const from = one.values(0), to = b.values(p);
        for (std::size_t i = 0; i < 9; ++i) {
          for (std::size_t j = 0; j < 35; ++j) ASSERT_EQ(to(j, i), from(i, j)) << p << ": " << i << ", " << j;
        }
      }
      EXPECT_TRUE(b.surroundings_intact());
    }
  }
}

/// More teams, and rows of all matrices, than a grid has blocks along a direction that is not its first (65,535).
TEST(TransposeBatchesInDefaultSpace, OfVeryManyMatrices) {
  using Exec = Kokkos::DefaultExecutionSpace;
  constexpr std::int64_t count = 66000;
  Kokkos::View<std::int64_t***, Kokkos::LayoutRight, Exec> const a("a", count, 2, 3), b("b", count, 3, 2);
  auto const from = Kokkos::create_mirror_view(a);
  for (std::size_t i = 0; i < from.size(); ++i) from.data()[i] = static_cast<std::int64_t>(i);
  Kokkos::deep_copy(a, from);
  TransposeOptions const padded{.algorithm = BatchAlgorithm::padded, .tile = 4};
  for (TransposeOptions const& options : {padded, TransposeOptions{.algorithm = BatchAlgorithm::naive}}) {
    Kokkos::deep_copy(b, -1);
    pantile::transpose(a, b, options);
    auto const to = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace{}, b);
    std::int64_t wrong = 0;
    for (std::int64_t p = 0; p < count; ++p) {
      for (int i = 0; i < 2; ++i) {
        for (int j = 0; j < 3; ++j) wrong += to(p, j, i) == from(p, i, j) ? 0 : 1;
      }
    }
    EXPECT_EQ(wrong, 0);
  }
}

TYPED_TEST(TransposeBatchesDefaultSpace, AreRightByEveryAlgorithm) {
  using T = typename TypeParam::T;
  typename TypeParam::Exec const exec;
  std::vector<BatchAlgorithm> const algorithms{BatchAlgorithm::naive, BatchAlgorithm::tiled, BatchAlgorithm::padded};
  for (BatchAlgorithm const algorithm : algorithms) {
    SCOPED_TRACE(to_string(algorithm));
    expect_right<T>(exec, {7, 33, 50}, batch_layouts[0], batch_layouts[4], {.algorithm = algorithm});
    expect_right<T>(exec, {7, 5, 6}, batch_layouts[2], batch_layouts[2], {.conjugate = true, .algorithm = algorithm});
    expect_right_in_place<T>(exec, {4, 37, 37}, batch_layouts[4], {.algorithm = algorithm}, false);
  }
  expect_right<T>(exec, {4, 20, 21}, batch_layouts[0], batch_layouts[0],
                  {.algorithm = BatchAlgorithm::tiled, .tile = 8});
}

TYPED_TEST(TransposeBatchesDefaultSpace, AreRightInPlace) {
  using T = typename TypeParam::T;
  typename TypeParam::Exec const exec;
  std::vector<BatchExtents> const all{{3, 4, 4}, {9, 17, 17}, {1, 9, 9}, {3, 1, 1}, {0, 3, 3}, {2, 0, 0}, {2, 67, 67}};
  for (BatchExtents const& e : all) {
    for (BatchLayout const& layout : batch_layouts) {
      SCOPED_TRACE(std::to_string(e[0]) + "x" + std::to_string(e[1]) + " " + layout.name);
      expect_right_in_place<T>(exec, e, layout, {.conjugate = true}, true);
      expect_right_in_place<T>(exec, e, layout, {}, false);
      expect_right_in_place<T>(exec, e, layout, {.conjugate = true}, false, Given::pointers);
    }
  }
}

TYPED_TEST(TransposeBatchesDefaultSpace, AreRightByAddresses) {
  using T = typename TypeParam::T;
  typename TypeParam::Exec const exec;
  std::vector<BatchExtents> const all{{3, 4, 4}, {5, 7, 3}, {1, 9, 5}, {0, 3, 3}, {2, 0, 3}, {4, 40, 33}};
  for (BatchExtents const& e : all) {
    for (BatchLayout const& from : batch_layouts) {
      SCOPED_TRACE(std::to_string(e[0]) + "x" + std::to_string(e[1]) + "x" + std::to_string(e[2]) + " " + from.name);
      expect_right<T>(exec, e, from, batch_layouts[0], {.conjugate = true}, Given::pointers);
      expect_right<T>(exec, e, from, batch_layouts[6], {}, Given::pointers);
    }
  }
  expect_right<T>(exec, {3, 33, 50}, batch_layouts[0], batch_layouts[2], {.algorithm = BatchAlgorithm::naive},
                  Given::pointers);
}

}  // namespace

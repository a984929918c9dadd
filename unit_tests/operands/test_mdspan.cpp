// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file  mdspan in the place of a View: the calls, their results and their errors are those of the View.
#include <operands/spans.hpp>
#include <support/matcher.hpp>
#include <support/oracle.hpp>
#include <support/refusal.hpp>

#include <gmock/gmock.h>
#include <Kokkos_Core.hpp>

namespace {

using namespace pantile::testing;
using ::testing::HasSubstr;

template <class T>
void expect_product(T alpha, T beta) {
  auto const a = random_matrix<T>(17, 9, 1), b = random_matrix<T>(9, 13, 2), c = random_matrix<T>(17, 13, 3);
  auto const expected = reference_matmul(alpha, a, b, beta, c);
  Rows<T> const left(a, 3), right(b);
  Rows<T> result(c, 2);
  pantile::matmul(alpha, left.const_span(), right.const_span(), beta, result.span());
  Kokkos::fence();
  EXPECT_TRUE(within(result.matrix(), expected.values, expected.bound));
}

TEST(Mdspan, Products) {
  expect_product<double>(1.5, -0.5);
  expect_product<float>(1, 0);
  expect_product<std::int32_t>(3, 2);
  expect_product<Kokkos::complex<double>>({0.5, 1}, {2, -1});
}

TEST(Mdspan, StandardComplexScalars) {
  using T = Kokkos::complex<double>;
  auto const a = random_matrix<T>(5, 5, 1), b = random_matrix<T>(5, 5, 2), c = random_matrix<T>(5, 5, 3);
  auto const expected = reference_matmul(T(0.5, 1), a, b, T(2, -1), c);
  Rows<T> const left(a), right(b);
  Rows<T> result(c);
  pantile::matmul(std::complex<double>(0.5, 1), left.const_span(), right.const_span(), std::complex<double>(2, -1),
                  result.span());
  Kokkos::fence();
  EXPECT_TRUE(within(result.matrix(), expected.values, expected.bound));
}

TEST(Mdspan, BesideViewsOnAnInstance) {
  using Host = Kokkos::DefaultHostExecutionSpace;
  auto const a = random_matrix<double>(4, 6, 1), b = random_matrix<double>(6, 5, 2), c = random_matrix<double>(4, 5, 3);
  auto const expected = reference_matmul(1.0, a, b, 0.0, c);
  Rows<double> const left(a);
  Placed<double, Host> right("right", 6, 5, Placement::padded_left);
  right.assign(b);
  Kokkos::View<double**, Kokkos::LayoutLeft, Host> const result("result", 4, 5);
  pantile::matmul(Host{}, 1.0, left.const_span(), right.view(), 0.0, result);
  Host().fence();
  HostMatrix<double> found(4, 5);
  for (std::size_t i = 0; i < 4; ++i) {
    for (std::size_t j = 0; j < 5; ++j) found(i, j) = result(i, j);
  }
  EXPECT_TRUE(within(found, expected.values, expected.bound));
}

TEST(Mdspan, TransposesAndSums) {
  auto const a = random_matrix<std::int32_t>(7, 11, 1), b = random_matrix<std::int32_t>(7, 11, 2);
  Rows<std::int32_t> const left(a, 1), right(b);
  Rows<std::int32_t> transposed(HostMatrix<std::int32_t>(11, 7)), sum(HostMatrix<std::int32_t>(7, 11), 4);
  pantile::transpose(left.const_span(), transposed.span());
  pantile::add(2, left.const_span(), 3, right.const_span(), sum.span());
  auto square = Rows<std::int32_t>(random_matrix<std::int32_t>(6, 6, 3), 1);
  auto const before = square.matrix();
  pantile::transpose(square.span());
  Kokkos::fence();
  for (std::size_t i = 0; i < 7; ++i) {
    for (std::size_t j = 0; j < 11; ++j) {
      EXPECT_EQ(transposed.matrix()(j, i), a(i, j));
      auto const wide = [](std::int32_t x) { return static_cast<std::uint32_t>(x); };
      EXPECT_EQ(wide(sum.matrix()(i, j)), 2 * wide(a(i, j)) + 3 * wide(b(i, j)));
    }
  }
  for (std::size_t i = 0; i < 6; ++i) {
    for (std::size_t j = 0; j < 6; ++j) EXPECT_EQ(square.matrix()(i, j), before(j, i));
  }
}

TEST(Mdspan, FillsReversesCountsAndCopies) {
  Rows<double> matrix(random_matrix<double>(3, 4, 1), 2), copied(random_matrix<double>(3, 4, 2), 1);
  auto const padding = matrix.values.back();
  pantile::fill(matrix.span(), [](std::int64_t y, std::int64_t x) { return static_cast<double>(10 * y + x); });
  pantile::copy(copied.span(), matrix.const_span());
  Kokkos::fence();
  EXPECT_EQ(copied.matrix()(2, 3), 23);
  EXPECT_EQ(copied.matrix().values, matrix.matrix().values);
  EXPECT_EQ(matrix.values.back(), padding);
  pantile::fill(Kokkos::DefaultHostExecutionSpace{}, matrix.span(), 5);
  Kokkos::fence();
  EXPECT_EQ(matrix.matrix()(1, 2), 5);

  std::vector<std::int32_t> indices{0, 2, 2, 1}, reversed(8), counts(3, 9);
  PlainSpan<std::int32_t const, 1> const samples{indices.data(), {4}, {1}};
  PlainSpan<std::int32_t, 1> const every_second{reversed.data(), {4}, {2}}, bins{counts.data(), {3}, {1}};
  pantile::reverse(samples, every_second);
  Kokkos::fence();
  EXPECT_THAT(reversed, ::testing::ElementsAre(1, 0, 2, 0, 2, 0, 0, 0));
  pantile::reverse(every_second);
  pantile::histogram(every_second, bins, {.accumulate = true});
  Kokkos::fence();
  EXPECT_THAT(counts, ::testing::ElementsAre(10, 10, 11));
  std::vector<double> const weights{1, 2, 3, 4};
  Kokkos::View<double*, Kokkos::HostSpace> const sums("sums", 3);
  pantile::histogram(samples, PlainSpan<double const, 1>{weights.data(), {4}, {1}}, sums);
  Kokkos::fence();
  EXPECT_EQ(sums(2), 5);
}

TEST(Mdspan, ErrorsNameTheOperandAndLeaveTheResult) {
  Rows<double> const a(random_matrix<double>(3, 4, 1)), b(random_matrix<double>(5, 2, 2));
  Rows<double> c(random_matrix<double>(3, 2, 3));
  auto const before = c.values;
  EXPECT_THAT(refusal([&] { pantile::matmul(1.0, a.const_span(), b.const_span(), 0.0, c.span()); }),
              HasSubstr("columns of op(A)"));
  PlainSpan<double> const nothing{nullptr, {3, 3}, {3, 1}};
  EXPECT_THAT(refusal([&] { pantile::transpose(nothing); }), HasSubstr("null"));
  EXPECT_EQ(c.values, before);
}

TEST(Mdspan, EmptyOnesHaveNoStrides) {
  PlainSpan<double> const none{nullptr, {0, 4}, {0, 0}}, right{nullptr, {4, 0}, {0, 0}};
  PlainSpan<double> const result{nullptr, {0, 0}, {0, 0}};
  pantile::matmul(1.0, none, right, 0.0, result);
  EXPECT_EQ(pantile::as_view(none).extent(1), 4U);
}

TEST(Mdspan, VectorsAndBatches) {
  std::vector<std::int32_t> const a{1, 2, 3, 4, 5, 6}, x{1, -7, 2, -7, 3};
  std::vector<std::int32_t> y(2, 9), products(2 * 2 * 2 + 1, 9), transposed(12, 9);
  PlainSpan<std::int32_t const> const matrix{a.data(), {2, 3}, {3, 1}};
  pantile::matmul(1, matrix, PlainSpan<std::int32_t const, 1>{x.data(), {3}, {2}}, 0,
                  PlainSpan<std::int32_t, 1>{y.data(), {2}, {1}});
  PlainSpan<std::int32_t const, 3> const twice{a.data(), {2, 2, 3}, {0, 3, 1}};  // the same matrix two times
  pantile::matmul(2, twice, matrix, 0, PlainSpan<std::int32_t, 3>{products.data(), {2, 2, 2}, {4, 2, 1}},
                  {.op_b = pantile::Op::transpose});
  PlainSpan<std::int32_t, 3> const columns{transposed.data(), {2, 3, 2}, {6, 2, 1}};
  pantile::transpose(twice, columns);
  Kokkos::fence();
  EXPECT_EQ(y, (std::vector<std::int32_t>{14, 32}));
  EXPECT_EQ(products, (std::vector<std::int32_t>{28, 64, 64, 154, 28, 64, 64, 154, 9}));
  EXPECT_EQ(transposed, (std::vector<std::int32_t>{1, 4, 2, 5, 3, 6, 1, 4, 2, 5, 3, 6}));
  PlainSpan<std::int32_t, 3> const squares{products.data(), {2, 2, 2}, {4, 1, 2}};
  products[1] = 5;
  pantile::transpose(squares);
  Kokkos::fence();
  EXPECT_EQ(products, (std::vector<std::int32_t>{28, 64, 5, 154, 28, 64, 64, 154, 9}));
}

#if !defined(PANTILE_TEST_NO_MDSPAN)
/// Those of the standard library and of Kokkos.
template <class Kind>
class MdspanOf : public ::testing::Test {};
TYPED_TEST_SUITE(MdspanOf, Mdspans::Alone);

TYPED_TEST(MdspanOf, RankOneAndThree) {
  using Vectors = typename TypeParam::template AnyExtents<int, 1>;
  using Batches = typename TypeParam::template AnyExtents<int, 3>;
  std::vector<double> a{1, 2, 3, 4}, x{1, 10}, y(2), transposed(8), products(8, 1.0);
  typename TypeParam::template Span<double, typename TypeParam::template Extents<int, 2, 2>> const matrix(a.data());
  typename TypeParam::template Span<double, Vectors> const from(x.data(), 2), to(y.data(), 2);
  pantile::matmul(1.0, matrix, from, 0.0, to);
  std::vector<double> const b{1, 2, 3, 4, 5, 6, 7, 8};
  typename TypeParam::template Span<double const, Batches> const batch(b.data(), 2, 2, 2);
  typename TypeParam::template Span<double, Batches, typename TypeParam::Left> const left(transposed.data(), 2, 2, 2);
  pantile::transpose(batch, left);
  pantile::matmul(1.0, batch, matrix, 2.0,
                  typename TypeParam::template Span<double, Batches>(products.data(), 2, 2, 2));
  Kokkos::fence();
  EXPECT_EQ(y, (std::vector<double>{21, 43}));
  EXPECT_EQ((left[std::array{0, 0, 1}]), 3);
  EXPECT_EQ((left[std::array{1, 1, 0}]), 6);
  EXPECT_EQ(products, (std::vector<double>{9, 12, 17, 24, 25, 36, 33, 48}));
}

TYPED_TEST(MdspanOf, EveryLayout) {
  using Any = typename TypeParam::template AnyExtents<int, 2>;
  using Strided = typename TypeParam::Strided;
  auto const a = random_matrix<double>(8, 5, 1), b = random_matrix<double>(5, 6, 2);
  auto const expected = reference_matmul(1.0, a, b, 0.0, HostMatrix<double>(8, 6));
  std::vector<double> const rows = a.values;
  std::vector<double> cols(b.values.size()), result(200, -1.0), sums(40), transposed(40);
  for (std::size_t i = 0; i < 5; ++i) {
    for (std::size_t j = 0; j < 6; ++j) cols[j * 5 + i] = b(i, j);
  }
  typename TypeParam::template Span<double const, typename TypeParam::template Extents<int, 8, 5>> const left(
      rows.data());
  typename TypeParam::template Span<double const, typename TypeParam::template AnyExtents<std::size_t, 2>,
                                    typename TypeParam::Left> const right(cols.data(), 5, 6);
  typename TypeParam::template Span<double, Any, Strided> const c(
      result.data(), typename Strided::template mapping<Any>(Any(8, 6), std::array<int, 2>{2, 17}));
  pantile::matmul(1.0, left, right, 0.0, c);
  typename TypeParam::template Span<double, Any, typename TypeParam::Left> const sum(sums.data(), 8, 5);
  pantile::add(2.0, left, 3.0, left, sum);
  pantile::transpose(left, typename TypeParam::template Span<double, Any>(transposed.data(), 5, 8));
  Kokkos::fence();
  HostMatrix<double> found(8, 6);
  for (std::size_t i = 0; i < 8; ++i) {
    for (std::size_t j = 0; j < 6; ++j) found(i, j) = c[std::array{i, j}];
  }
  EXPECT_TRUE(within(found, expected.values, expected.bound));
  EXPECT_EQ(result[1], -1.0) << "between elements of C";
  for (std::size_t i = 0; i < 8; ++i) {
    for (std::size_t j = 0; j < 5; ++j) {
      EXPECT_NEAR((sum[std::array{i, j}]), 5 * a(i, j), 1e-14);
      EXPECT_EQ(transposed[j * 8 + i], a(i, j));
    }
  }
}
#endif

}  // namespace

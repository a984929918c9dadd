// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <complex>
#include <cstdio>
#include <limits>
#include <random>
#include <vector>

#include "file_fixtures.hpp"
#include "io/matrix_market.hpp"

namespace pantile::driver {
namespace {

using test::array_view;
using test::contents;
using test::file_error_of;
using test::TemporaryFolder;
using testing::ElementsAre;
using testing::ElementsAreArray;
using testing::HasSubstr;
using Complex = std::complex<double>;

Array read_text(std::string_view text) {
  TemporaryFolder const folder;
  return read_matrix_market(folder.write("a.mtx", text));
}

std::string written(ArrayView const& view) {
  TemporaryFolder const folder;
  write_matrix_market(folder / "a.mtx", view);
  EXPECT_EQ(folder.file_count(), 1u);
  return contents(folder / "a.mtx");
}

TEST(MatrixMarket, ReadsArraysByColumn) {
  Array const real = read_text("%%MatrixMarket matrix array real general\n2 3\n1\n+2.5\n-3e2\n4.\n.5\n6\n");
  EXPECT_EQ(real.type, ElementType::float64);
  EXPECT_EQ(real.shape, (Shape{2, 3}));
  EXPECT_EQ(real.order, Order::fortran);
  EXPECT_THAT(real.elements<double>(), ElementsAre(1, 2.5, -300, 4, .5, 6));

  Array const integer = read_text("%%MatrixMarket matrix array integer general\n1 3\n-9223372036854775808\n0\n+7\n");
  EXPECT_EQ(integer.type, ElementType::int64);
  EXPECT_THAT(integer.elements<std::int64_t>(), ElementsAre(std::numeric_limits<std::int64_t>::min(), 0, 7));

  Array const complex = read_text("%%MatrixMarket matrix array complex general\n2 1\n1 -2\n3 4\n");
  EXPECT_EQ(complex.type, ElementType::complex128);
  EXPECT_THAT(complex.elements<Complex>(), ElementsAre(Complex(1, -2), Complex(3, 4)));
}

TEST(MatrixMarket, LooksAtFilesWithoutTheirNumbers) {
  TemporaryFolder const folder;
  auto const path = folder.write("a.mtx", "%%MatrixMarket matrix array complex general\n1 2\nno number\n1 2\n");
  EXPECT_THAT(file_error_of(path, [&] { read_matrix_market(path); }), HasSubstr("line 3"));
  Array const seen = look_at_matrix_market(path);
  EXPECT_EQ(seen.type, ElementType::complex128);
  EXPECT_EQ(seen.shape, (Shape{1, 2}));
  EXPECT_EQ(seen.order, Order::fortran);
  EXPECT_EQ(seen.storage.size(), 0U);
  auto const cut = folder.write("a.mtx", "%%MatrixMarket matrix array complex general\n1 2\n1\n");
  EXPECT_THAT(file_error_of(cut, [&] { look_at_matrix_market(cut); }), HasSubstr("declares 2 entries"));
}

TEST(MatrixMarket, TakesWhatTheFormatLeavesFree) {
  Array const array = read_text(
      "%%MatrixMarket Matrix ARRAY Double General \r\n%\r\n% comment\r\n\r\n \t1\t 2 \r\n\r\n  1 \r\n\r\n2\r\n \r\n");
  EXPECT_THAT(array.elements<double>(), ElementsAre(1, 2));
  EXPECT_THAT(read_text("%%MatrixMarket matrix array real general\n1 1\n3").elements<double>(), ElementsAre(3));
}

TEST(MatrixMarket, ReadsEmptyMatrices) {
  for (std::string const symmetry : {"general", "symmetric", "skew-symmetric"}) {
    Array const array = read_text("%%MatrixMarket matrix array real " + symmetry + "\n0 0\n");
    EXPECT_EQ(array.shape, (Shape{0, 0}));
  }
  EXPECT_EQ(read_text("%%MatrixMarket matrix array real general\n0 5\n").shape, (Shape{0, 5}));
  EXPECT_EQ(read_text("%%MatrixMarket matrix coordinate real general\n5 0 0\n").shape, (Shape{5, 0}));
}

TEST(MatrixMarket, UnfoldsSymmetry) {
  EXPECT_THAT(read_text("%%MatrixMarket matrix array real symmetric\n2 2\n1\n2\n3\n").elements<double>(),
              ElementsAre(1, 2, 2, 3));
  EXPECT_THAT(read_text("%%MatrixMarket matrix array integer skew-symmetric\n3 3\n1\n2\n3\n").elements<std::int64_t>(),
              ElementsAre(0, 1, 2, -1, 0, 3, -2, -3, 0));
  EXPECT_THAT(read_text("%%MatrixMarket matrix array real skew-symmetric\n1 1\n").elements<double>(), ElementsAre(0));
  EXPECT_THAT(read_text("%%MatrixMarket matrix array complex hermitian\n2 2\n1 0\n2 3\n4 0\n").elements<Complex>(),
              ElementsAre(Complex(1), Complex(2, 3), Complex(2, -3), Complex(4)));
  EXPECT_THAT(read_text("%%MatrixMarket matrix array complex symmetric\n2 2\n1 1\n2 3\n4 0\n").elements<Complex>(),
              ElementsAre(Complex(1, 1), Complex(2, 3), Complex(2, 3), Complex(4)));
}

TEST(MatrixMarket, UnfoldsCoordinates) {
  EXPECT_THAT(
      read_text("%%MatrixMarket matrix coordinate real general\n2 3 3\n1 1 5\n2 3 -1\n2 3 0.5\n").elements<double>(),
      ElementsAre(5, 0, 0, 0, 0, -.5));
  EXPECT_THAT(read_text("%%MatrixMarket matrix coordinate pattern symmetric\n2 2 2\n1 1\n2 1\n").elements<double>(),
              ElementsAre(1, 1, 1, 0));
  EXPECT_THAT(
      read_text("%%MatrixMarket matrix coordinate integer skew-symmetric\n2 2 1\n2 1 4\n").elements<std::int64_t>(),
      ElementsAre(0, 4, -4, 0));
  EXPECT_THAT(read_text("%%MatrixMarket matrix coordinate complex hermitian\n2 2 1\n2 1 4 1\n").elements<Complex>(),
              ElementsAre(Complex(), Complex(4, 1), Complex(4, -1), Complex()));
}

TEST(MatrixMarket, KeepsTheCapOnUnfoldedMatrices) {
  TemporaryFolder const folder;
  auto const path = folder.write("a.mtx", "%%MatrixMarket matrix coordinate real general\n4 4 1\n1 1 5\n");
  EXPECT_EQ(read_matrix_market(path, {}, 128).count(), 16u);
  EXPECT_THAT(file_error_of(path, [&] { read_matrix_market(path, {}, 127); }),
              HasSubstr("line 2 declares a sparse matrix of 4 x 4, of which the dense form has more than 127 bytes"));
}

TEST(MatrixMarket, WritesByColumnFromEitherOrder) {
  std::vector<std::int32_t> const values{1, 2, 3, 4, 5, 6};
  EXPECT_EQ(written(array_view(values.data(), {2, 3})),
            "%%MatrixMarket matrix array integer general\n2 3\n1\n4\n2\n5\n3\n6\n");
  EXPECT_EQ(written(array_view(values.data(), {2, 3}, Order::fortran)),
            "%%MatrixMarket matrix array integer general\n2 3\n1\n2\n3\n4\n5\n6\n");
  EXPECT_EQ(written(array_view(values.data(), {2})), "%%MatrixMarket matrix array integer general\n2 1\n1\n2\n");
  EXPECT_EQ(written(array_view(values.data(), {0, 3})), "%%MatrixMarket matrix array integer general\n0 3\n");
  std::vector<std::complex<float>> const complex{{1, -2.5f}};
  EXPECT_EQ(written(array_view(complex.data(), {1, 1})), "%%MatrixMarket matrix array complex general\n1 1\n1 -2.5\n");
}

template <class T>
void expect_integers_round_trip() {
  using Limits = std::numeric_limits<T>;
  auto const largest = std::min<std::uint64_t>(static_cast<std::uint64_t>(Limits::max()), INT64_MAX);
  std::vector<T> const values{Limits::min(), T{0}, T{1}, static_cast<T>(largest)};
  Array const array = read_text(written(array_view(values.data(), {2, 2}, Order::fortran)));
  auto const read = array.elements<std::int64_t>();
  EXPECT_TRUE(std::equal(read.begin(), read.end(), values.begin(), [](std::int64_t a, T b) {
    return std::cmp_equal(a, b);
  })) << element_name(element_type_of<T>);
}

TEST(MatrixMarket, IntegersReadBackEqual) {
  expect_integers_round_trip<std::int8_t>();
  expect_integers_round_trip<std::int16_t>();
  expect_integers_round_trip<std::int32_t>();
  expect_integers_round_trip<std::int64_t>();
  expect_integers_round_trip<std::uint8_t>();
  expect_integers_round_trip<std::uint16_t>();
  expect_integers_round_trip<std::uint32_t>();
  expect_integers_round_trip<std::uint64_t>();
}

/// Same bits, or both nan.
bool same(double a, double b) {
  return std::isnan(a) ? std::isnan(b) : std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
}

TEST(MatrixMarket, FloatingPointReadsBackExactly) {
  std::mt19937_64 random(11);
  std::printf("seed 11\n");
  std::vector<double> doubles{
      0.0,  -0.0, 5e-324, -2.2250738585072014e-308, 1.7976931348623157e308, INFINITY, -INFINITY, NAN,
      -NAN, 0.1,  1e22,   9007199254740993.0};
  std::vector<float> floats{0.f, -0.f, 1e-45f, 3.4028235e38f, 0.1f, INFINITY, NAN};
  for (int i = 0; i < 5000; ++i) doubles.push_back(std::bit_cast<double>(random()));
  for (int i = 0; i < 5000; ++i) floats.push_back(std::bit_cast<float>(static_cast<std::uint32_t>(random())));

  Array const from_doubles = read_text(written(array_view(doubles.data(), {doubles.size()})));
  Array const from_floats = read_text(written(array_view(floats.data(), {floats.size()})));
  for (std::size_t i = 0; i < doubles.size(); ++i) {
    EXPECT_TRUE(same(from_doubles.elements<double>()[i], doubles[i])) << doubles[i];
  }
  for (std::size_t i = 0; i < floats.size(); ++i) {
    EXPECT_TRUE(same(from_floats.elements<double>()[i], floats[i])) << floats[i];
  }
}

TEST(MatrixMarket, ComplexReadsBackExactly) {
  std::vector<Complex> const values{{0.1, -0.2}, {1e-300, 1e300}, {-0.0, INFINITY}};
  Array const array = read_text(written(array_view(values.data(), {3, 1})));
  EXPECT_THAT(array.elements<Complex>(), ElementsAreArray(values));
  std::vector<std::complex<float>> const floats{{0.1f, -0.2f}};
  EXPECT_THAT(read_text(written(array_view(floats.data(), {1, 1}))).elements<Complex>(),
              ElementsAre(Complex(0.1f, -0.2f)));
}

TEST(MatrixMarket, HalfTypesReadBackExactly) {
  // 1, -2, the smallest subnormal, the smallest normal, the largest, infinity
  std::vector<std::uint16_t> const halves{0x3c00, 0xc000, 0x0001, 0x0400, 0x7bff, 0x7c00, 0x8000, 0x7e00};
  Array const half =
      read_text(written({ElementType::float16, {8}, Order::c, reinterpret_cast<std::byte const*>(halves.data())}));
  EXPECT_THAT(half.elements<double>().first(7),
              ElementsAre(1, -2, std::ldexp(1, -24), std::ldexp(1, -14), 65504, INFINITY, -0.0));
  EXPECT_TRUE(std::isnan(half.elements<double>()[7]));
  std::vector<std::uint16_t> const brains{0x3f80, 0xc000, 0x0001, 0x7f7f, 0x7f80};
  Array const brain =
      read_text(written({ElementType::bfloat16, {5}, Order::c, reinterpret_cast<std::byte const*>(brains.data())}));
  EXPECT_THAT(brain.elements<double>(), ElementsAre(1, -2, std::ldexp(1, -133), std::ldexp(255, 120), INFINITY));
}

TEST(MatrixMarket, RefusesToWriteWhatItCannotHold) {
  TemporaryFolder const folder;
  auto const refused = [&](ArrayView const& view) {
    std::string const message = file_error_of(folder / "a.mtx", [&] { write_matrix_market(folder / "a.mtx", view); });
    EXPECT_EQ(folder.file_count(), 0u);
    return message;
  };
  std::vector<std::uint64_t> const values{1, std::uint64_t{1} << 63};
  EXPECT_THAT(refused(array_view(values.data(), {1, 1, 2})), HasSubstr("not 3 dimensions, shape (1, 1, 2)"));
  EXPECT_THAT(refused(array_view(values.data(), {2})), HasSubstr("int64, which does not hold 9223372036854775808"));
}

TEST(MatrixMarket, ReportsProgress) {
  TemporaryFolder const folder;
  std::vector<double> const values(100, 0.5);
  std::uint64_t last = 0, total = 0;
  Progress const record = [&](std::uint64_t done, std::uint64_t all) { last = done, total = all; };
  write_matrix_market(folder / "a.mtx", array_view(values.data(), {10, 10}), record);
  EXPECT_EQ(last, 800u);
  EXPECT_EQ(total, 800u);
  read_matrix_market(folder / "a.mtx", record);
  EXPECT_EQ(last, std::filesystem::file_size(folder / "a.mtx"));
  EXPECT_EQ(total, last);
}

// Longer than the reader's buffer, so that lines are cut by its end.
TEST(MatrixMarket, ReadsFilesLongerThanTheBuffer) {
  std::vector<std::int64_t> values(400001);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<std::int64_t>(i * i);
  Array const array = read_text(written(array_view(values.data(), {values.size()})));
  EXPECT_TRUE(std::equal(values.begin(), values.end(), array.elements<std::int64_t>().begin()));
}

}  // namespace
}  // namespace pantile::driver

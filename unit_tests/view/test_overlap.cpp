// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file  The aliasing decisions against brute force over small strided matrices in one small memory.
#include <pantile/impl/view/overlap.hpp>

#include <gtest/gtest.h>

#include <bitset>
#include <cstdint>
#include <random>
#include <string>

namespace {

using pantile::impl::footprint;
using pantile::impl::has_distinct_elements;
using pantile::impl::Index;
using pantile::impl::Matrix;
using pantile::impl::same_elements;
using pantile::impl::share_memory;

constexpr std::size_t memory_bytes = 1024;
using Bytes = std::bitset<memory_bytes>;
alignas(16) unsigned char memory[memory_bytes];

template <class T>
std::string to_string(Matrix<T> const& x) {
  return std::to_string(sizeof(T)) + "-byte elements at " +
         std::to_string(reinterpret_cast<unsigned char const*>(x.data) - memory) + ", " + std::to_string(x.rows) + "x" +
         std::to_string(x.cols) + " strides " + std::to_string(x.row_stride) + "," + std::to_string(x.col_stride);
}

/// The bytes that the matrix covers, and how many of its bytes are covered twice.
template <class T>
Bytes bytes_of(Matrix<T> const& x, std::size_t* collisions = nullptr) {
  Bytes bytes;
  for (Index i = 0; i < x.rows; ++i) {
    for (Index j = 0; j < x.cols; ++j) {
      auto const* const element = reinterpret_cast<unsigned char const*>(x.data + i * x.row_stride + j * x.col_stride);
      for (std::size_t b = 0; b < sizeof(T); ++b) {
        auto const at = static_cast<std::size_t>(element - memory) + b;
        if (collisions != nullptr && bytes[at]) ++*collisions;
        bytes[at] = true;
      }
    }
  }
  return bytes;
}

class Random {
 public:
  explicit Random(std::uint64_t seed) : m_generator(seed) {}
  Index number(Index first, Index last) { return std::uniform_int_distribution<Index>(first, last)(m_generator); }

  /// A matrix within the memory, of these strides (in elements).
  template <class T>
  Matrix<T> matrix(Index row_stride, Index col_stride) {
    Index const rows = number(0, 5), cols = number(0, 5);
    Index const reach = row_stride * std::max<Index>(rows - 1, 0) + col_stride * std::max<Index>(cols - 1, 0) + 1;
    Index const room = static_cast<Index>(memory_bytes / sizeof(T)) - reach;
    return {reinterpret_cast<T*>(memory) + number(0, std::min<Index>(room, 60)), rows, cols, row_stride, col_stride};
  }

 private:
  std::mt19937_64 m_generator;
};

template <class T, class U>
bool share(Matrix<T> const& a, Matrix<U> const& b) {
  return (bytes_of(a) & bytes_of(b)).any();
}

/// Both orders of the question against brute force; counts what was found.
struct Tally {
  int shared = 0;
  int interleaved = 0;  ///< apart, but not by their address ranges

  template <class T, class U>
  void ask(Matrix<T> const& a, Matrix<U> const& b) {
    bool const expected = share(a, b);
    auto const first = footprint(a), second = footprint(b);
    ASSERT_EQ(share_memory(first, second), expected) << to_string(a) << "; " << to_string(b);
    ASSERT_EQ(share_memory(second, first), expected) << to_string(b) << "; " << to_string(a);
    shared += expected ? 1 : 0;
    bool const ranges_meet = first.begin < second.end() && second.begin < first.end();
    interleaved += !expected && ranges_meet ? 1 : 0;
  }
};

TEST(Overlap, IsExactForAnyStrides) {
  Random random(1);
  Tally tally;
  for (int trial = 0; trial < 200000; ++trial) {
    tally.ask(random.matrix<float>(random.number(0, 20), random.number(0, 20)),
              random.matrix<float>(random.number(0, 20), random.number(0, 20)));
    if (HasFatalFailure()) return;
  }
  EXPECT_GT(tally.shared, 10000);
  EXPECT_GT(tally.interleaved, 10000);
}

TEST(Overlap, IsExactBetweenElementSizes) {
  Random random(2);
  Tally tally;
  for (int trial = 0; trial < 200000; ++trial) {
    tally.ask(random.matrix<double>(random.number(0, 12), random.number(0, 12)),
              random.matrix<std::int8_t>(random.number(0, 40), random.number(0, 40)));
    if (HasFatalFailure()) return;
  }
  EXPECT_GT(tally.shared, 10000);
  EXPECT_GT(tally.interleaved, 1000);
}

// Column-major operands of BLAS: contiguous columns, any leading dimensions, pairs of numbers aligned as one.
TEST(Overlap, IsExactForContiguousColumns) {
  Random random(3);
  Tally tally;
  for (int trial = 0; trial < 200000; ++trial) {
    auto const columns = [&] { return random.matrix<float>(1, random.number(1, 30)); };
    tally.ask(columns(), columns());
    tally.ask(random.matrix<std::int64_t>(1, random.number(5, 12)), columns());
    if (HasFatalFailure()) return;
  }
  EXPECT_GT(tally.shared, 10000);
  EXPECT_GT(tally.interleaved, 10000);
}

// Extents of real problems, whose products exceed 64 bits: two columns that meet after a million steps, or just miss.
TEST(Overlap, IsExactForLongLines) {
  using pantile::impl::meet;
  using pantile::impl::Pieces;
  std::int64_t const step = 64 * ((std::int64_t{1} << 34) + 15), other = 64 * ((std::int64_t{1} << 33) - 9);
  std::int64_t const i = 1'000'003, p = 2'000'007;
  Pieces const a{0, i + 1, step, 8};
  for (std::int64_t const off : {-8, -7, 0, 7, 8}) {
    Pieces const b{i * step - p * other + off, p + 1, other, 8};
    EXPECT_EQ(meet(a, b), off > -8 && off < 8) << off;
    EXPECT_EQ(meet(b, a), off > -8 && off < 8) << off;
  }
}

TEST(Overlap, DistinctElementsAreDecidedExactly) {
  Random random(4);
  int distinct = 0, colliding = 0;
  for (int trial = 0; trial < 100000; ++trial) {
    auto const x = random.matrix<float>(random.number(0, 12), random.number(0, 12));
    std::size_t collisions = 0;
    bytes_of(x, &collisions);
    ASSERT_EQ(has_distinct_elements(x), collisions == 0) << to_string(x);
    (collisions == 0 ? distinct : colliding) += 1;
  }
  EXPECT_GT(distinct, 10000);
  EXPECT_GT(colliding, 10000);
}

TEST(Overlap, HalvesColumnsAndChessboards) {
  auto* const data = reinterpret_cast<float*>(memory);
  auto const meet = [](Matrix<float> const& a, Matrix<float> const& b) {
    return share_memory(footprint(a), footprint(b));
  };
  EXPECT_FALSE(meet({data, 4, 8, 8, 1}, {data + 32, 4, 8, 8, 1})) << "upper and lower half";
  EXPECT_FALSE(meet({data, 8, 4, 8, 1}, {data + 4, 8, 4, 8, 1})) << "left and right half";
  EXPECT_FALSE(meet({data, 8, 4, 8, 2}, {data + 1, 8, 4, 8, 2})) << "even and odd columns";
  EXPECT_TRUE(meet({data, 8, 5, 8, 1}, {data + 4, 8, 4, 8, 1})) << "one column in common";
  EXPECT_FALSE(meet({data, 0, 5, 8, 1}, {data, 8, 5, 8, 1})) << "no elements";
  EXPECT_TRUE(meet({data, 4, 4, 4, 1}, {data, 4, 4, 1, 4})) << "the transposed itself";
}

TEST(SameElements, AskForOrderAndType) {
  auto* const data = reinterpret_cast<float*>(memory);
  Matrix<float> const x{data, 4, 4, 4, 1};
  EXPECT_TRUE(same_elements(x, Matrix<float const>{data, 4, 4, 4, 1}));
  EXPECT_FALSE(same_elements(x, Matrix<float>{data, 4, 4, 1, 4}));
  EXPECT_FALSE(same_elements(x, Matrix<float>{data, 4, 3, 4, 1}));
  EXPECT_FALSE(same_elements(x, Matrix<float>{data + 1, 4, 4, 4, 1}));
  EXPECT_FALSE(same_elements(x, Matrix<std::int32_t>{reinterpret_cast<std::int32_t*>(memory), 4, 4, 4, 1}));
  EXPECT_TRUE(same_elements(Matrix<float>{data, 1, 4, 9, 1}, Matrix<float>{data, 1, 4, 5, 1})) << "stride of one row";
}

}  // namespace

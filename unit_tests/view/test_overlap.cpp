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
using pantile::impl::may_overlap;
using pantile::impl::same_elements;

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

TEST(Overlap, IsNeverMissed) {
  Random random(1);
  int shared = 0;
  for (int trial = 0; trial < 200000; ++trial) {
    auto const a = random.matrix<float>(random.number(0, 20), random.number(0, 20));
    auto const b = random.matrix<float>(random.number(0, 20), random.number(0, 20));
    if (!share(a, b)) continue;
    ++shared;
    ASSERT_TRUE(may_overlap(footprint(a), footprint(b))) << to_string(a) << "; " << to_string(b);
    ASSERT_TRUE(may_overlap(footprint(b), footprint(a))) << to_string(b) << "; " << to_string(a);
  }
  EXPECT_GT(shared, 10000);
}

TEST(Overlap, IsNeverMissedBetweenElementSizes) {
  Random random(2);
  int shared = 0;
  for (int trial = 0; trial < 100000; ++trial) {
    auto const a = random.matrix<double>(random.number(0, 12), random.number(0, 12));
    auto const b = random.matrix<std::int8_t>(random.number(0, 40), random.number(0, 40));
    if (!share(a, b)) continue;
    ++shared;
    ASSERT_TRUE(may_overlap(footprint(a), footprint(b))) << to_string(a) << "; " << to_string(b);
    ASSERT_TRUE(may_overlap(footprint(b), footprint(a))) << to_string(b) << "; " << to_string(a);
  }
  EXPECT_GT(shared, 5000);
}

// Subviews of one parent, whose rows do not run into each other.
TEST(Overlap, IsExactForEqualStrides) {
  Random random(3);
  int shared = 0, interleaved = 0;
  for (int trial = 0; trial < 200000; ++trial) {
    Index const fast = random.number(1, 4), slow = random.number(4 * fast + 1, 26);
    bool const left = random.number(0, 1) == 1;
    auto const a = left ? random.matrix<float>(fast, slow) : random.matrix<float>(slow, fast);
    auto const b = left ? random.matrix<float>(fast, slow) : random.matrix<float>(slow, fast);
    bool const expected = share(a, b);
    ASSERT_EQ(may_overlap(footprint(a), footprint(b)), expected) << to_string(a) << "; " << to_string(b);
    shared += expected ? 1 : 0;
    bool const ranges_meet = footprint(a).begin < footprint(b).end() && footprint(b).begin < footprint(a).end();
    interleaved += !expected && ranges_meet ? 1 : 0;
  }
  EXPECT_GT(shared, 10000);
  EXPECT_GT(interleaved, 10000);
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
    return may_overlap(footprint(a), footprint(b));
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

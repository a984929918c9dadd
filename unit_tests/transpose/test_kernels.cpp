// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file  The host's kernels by themselves: every element size and way, shapes around their blocks and buffers, any
///        place in a cache line. ctest runs them once per instruction set (PANTILE_ISA).
#include <pantile/impl/arch/host/ukernel/transpose/table.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace {

using pantile::impl::arch::find_transpose_kernel;
using pantile::impl::arch::host_kernels;
using pantile::impl::arch::TransposeKernel;
using pantile::impl::arch::TransposeKernels;
using pantile::impl::arch::transposing::Move;
using Bytes = std::vector<std::byte>;

struct Variant {
  std::size_t size;
  bool conjugates;
};

class TransposeKernelsTest : public ::testing::TestWithParam<Variant> {
 protected:
  void SetUp() override {
    auto const* const all = host_kernels<TransposeKernels>();
    if (all == nullptr) GTEST_SKIP() << "no host kernels in this build";
    kernel = find_transpose_kernel(*all, GetParam().size, GetParam().conjugates);
    ASSERT_NE(kernel, nullptr);
  }

  static Bytes random_bytes(std::size_t count) {
    std::mt19937 generator(1);
    Bytes bytes(count);
    for (std::byte& b : bytes) b = static_cast<std::byte>(generator());
    return bytes;
  }

  /// One element, conjugated where the variant is: the sign is the top bit of the last byte.
  static void move_one(std::byte const* from, std::byte* to) {
    std::memcpy(to, from, GetParam().size);
    if (GetParam().conjugates) to[GetParam().size - 1] ^= std::byte{0x80};
  }

  TransposeKernel const* kernel = nullptr;
};

constexpr std::int64_t edges[] = {1, 2, 3, 7, 8, 15, 16, 17, 31, 33, 63, 64, 65, 130, 257, 300, 515};

TEST_P(TransposeKernelsTest, EveryWayMovesEveryShapeAndNothingElse) {
  auto const size = static_cast<std::int64_t>(GetParam().size);
  for (std::int64_t const rows : edges) {
    for (std::int64_t const cols : edges) {
      for (std::int64_t const shift : {0, 1, 5, 7}) {
        std::int64_t const source_ld = (cols + shift) * size, target_ld = (rows + shift) * size;
        // With 7, elements begin at any byte.
        std::size_t const offset = static_cast<std::size_t>(shift == 7 ? 7 : shift * size);
        Bytes const source = random_bytes(offset + static_cast<std::size_t>(rows * source_ld));
        Bytes const before(offset + static_cast<std::size_t>(cols * target_ld) + 128, std::byte{0x5a});
        Bytes expected = before;
        for (std::int64_t i = 0; i < rows; ++i) {
          for (std::int64_t j = 0; j < cols; ++j) {
            move_one(source.data() + offset + i * source_ld + j * size,
                     expected.data() + offset + j * target_ld + i * size);
          }
        }
        for (auto* const way : {kernel->move, kernel->stage, kernel->stream}) {
          Bytes target = before;
          way({source.data() + offset, source_ld, target.data() + offset, target_ld, rows, cols});
          ASSERT_TRUE(target == expected) << rows << "x" << cols << " shifted by " << shift;
        }
      }
    }
  }
}

TEST_P(TransposeKernelsTest, TilesAreExchangedOrTurned) {
  auto const size = static_cast<std::int64_t>(GetParam().size);
  auto const limit = pantile::impl::arch::transpose_exchange_edge(static_cast<int>(size));
  for (std::int64_t const rows : edges) {
    for (std::int64_t const cols : edges) {
      if (rows > limit || cols > limit) continue;
      // a at (0, rows), b at (rows, 0) of a square matrix, and the diagonal tile at (0, 0).
      std::int64_t const n = rows + cols, ld = (n + 3) * size, begin = (rows + cols) % 2 * (size + 3);
      Bytes const before = random_bytes(static_cast<std::size_t>(begin + n * ld));
      Bytes memory = before, expected = before;
      std::byte* const matrix = memory.data() + begin;
      for (std::int64_t i = 0; i < n; ++i) {
        for (std::int64_t j = 0; j < n; ++j) {
          bool const moves = (i < rows) != (j < rows) || (i < rows && j < rows);
          if (moves) move_one(before.data() + begin + j * ld + i * size, expected.data() + begin + i * ld + j * size);
        }
      }
      kernel->exchange({matrix + rows * size, matrix + rows * ld, ld, rows, cols});
      kernel->exchange({matrix, matrix, ld, rows, rows});
      ASSERT_TRUE(memory == expected) << rows << "x" << cols;
    }
  }
}

// A row of tiles as the launch makes them: whole but for the last, which is transposed on the diagonal too. They begin
// anywhere.
TEST_P(TransposeKernelsTest, TilesAreExchangedPastTheCache) {
  auto const size = static_cast<std::int64_t>(GetParam().size);
  std::int64_t const edge = pantile::impl::arch::transpose_streamed_edge(static_cast<int>(size));
  for (std::int64_t const cols : edges) {
    if (cols > edge) continue;
    std::int64_t const behind = cols % 3 == 0 ? size : cols % 3 == 1 ? 0 : 7;
    std::int64_t const n = edge + cols, ld = cols % 4 == 1 ? n * size + 3 : (n * size + 63) / 64 * 64;
    Bytes memory = random_bytes(static_cast<std::size_t>(n * ld + 128));
    auto const place = reinterpret_cast<std::uintptr_t>(memory.data()) % 64;
    std::byte* const matrix = memory.data() + (64 - place) % 64 + behind;
    Bytes expected = memory;
    std::byte* const wanted = expected.data() + (matrix - memory.data());
    for (std::int64_t i = 0; i < n; ++i) {
      for (std::int64_t j = 0; j < n; ++j) move_one(matrix + j * ld + i * size, wanted + i * ld + j * size);
    }
    std::byte* const right = matrix + edge * size;
    std::byte* const below = matrix + edge * ld;
    std::byte* const corner = below + edge * size;
    kernel->stream_exchange({matrix, matrix, ld, edge, edge, right, below});
    kernel->stream_exchange({right, below, ld, edge, cols, corner, corner});
    kernel->stream_exchange({corner, corner, ld, cols, cols, corner, corner});
    ASSERT_TRUE(memory == expected) << cols << " after " << edge;
  }
}

// Those that follow each other, sources with a gap between them too, through the cache and past it.
TEST_P(TransposeKernelsTest, BatchesAreMovedEveryWay) {
  auto const size = static_cast<std::int64_t>(GetParam().size);
  for (std::int64_t const rows : {1, 2, 3, 4, 5, 8, 11, 16, 24, 33, 130, 300}) {
    for (std::int64_t const cols : {1, 2, 3, 4, 7, 8, 16, 17, 24, 65, 300}) {
      for (std::int64_t const count :
           rows* cols < 300 ? std::vector<std::int64_t>{1, 2, 5, 70} : std::vector<std::int64_t>{1, 3}) {
        for (std::int64_t const gap : {0, 3}) {
          std::int64_t const all = rows * cols * size, step = all + gap * size, begin = gap > 0 ? 7 : size;
          Bytes const source = random_bytes(static_cast<std::size_t>(begin + count * step));
          Bytes const before(static_cast<std::size_t>(begin + count * all) + 128, std::byte{0x5a});
          Bytes expected = before;
          for (std::int64_t at = 0; at < count * rows * cols; ++at) {
            std::int64_t const p = at / (rows * cols), i = at / cols % rows, j = at % cols;
            move_one(source.data() + begin + p * step + (i * cols + j) * size,
                     expected.data() + begin + p * all + (j * rows + i) * size);
          }
          for (auto const& [past, pages] :
               std::vector<std::pair<bool, int>>{{false, 0}, {true, 0}, {true, 1}, {true, 2}}) {
            Bytes target = before;
            kernel->move_batch({source.data() + begin, cols * size, target.data() + begin, rows * size, rows, cols},
                               {count, step, all, past, pages});
            ASSERT_TRUE(target == expected)
                << count << " " << rows << "x" << cols << " gap " << gap << (past ? " past by pages: " : " ") << pages;
          }
        }
      }
    }
  }
}

// Whole lines are written by themselves where a first-level cache is small: targets at every place in a line, or at its
// begin, and what lies around them stays.
TEST_P(TransposeKernelsTest, BatchesOfWholeLines) {
  auto const size = static_cast<std::int64_t>(GetParam().size), lines = 64 / size, count = std::int64_t{5};
  for (std::int64_t const rows : {lines, 2 * lines, 3 * lines, lines + 1}) {
    for (std::int64_t const cols : {lines, 2 * lines, 5 * lines, lines + 1}) {
      for (std::int64_t const place : {std::int64_t{0}, size % 64, std::int64_t{5}}) {
        std::int64_t const all = rows * cols * size, ld = (cols + 3) * size, step = rows * ld + 11;
        Bytes const source = random_bytes(static_cast<std::size_t>(count * step));
        Bytes target(static_cast<std::size_t>(count * all) + 256, std::byte{0x5a});
        auto const begin = 64 + place - static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(target.data()) % 64);
        Bytes expected = target;
        for (std::int64_t at = 0; at < count * rows * cols; ++at) {
          std::int64_t const p = at / (rows * cols), i = at / cols % rows, j = at % cols;
          move_one(source.data() + p * step + i * ld + j * size,
                   expected.data() + begin + p * all + (j * rows + i) * size);
        }
        kernel->move_batch({source.data(), ld, target.data() + begin, rows * size, rows, cols},
                           {count, step, all, true, 1});
        ASSERT_TRUE(target == expected) << rows << "x" << cols << " at " << place << " of a line";
      }
    }
  }
}

// Rows that meet in few sets of a cache take another way through some kernels.
TEST_P(TransposeKernelsTest, RowsApartByAPowerOfTwo) {
  auto const size = static_cast<std::int64_t>(GetParam().size);
  constexpr std::int64_t ld = 8192;
  std::int64_t behind = 0;  // all places in a cache line, one after the other
  for (std::int64_t const rows : {63, 65, 130, 257}) {
    for (std::int64_t const cols : {1, 63, 200, 511}) {
      behind = (behind + (behind % 2 == 0 ? 5 : 8)) % 64;
      Bytes const source = random_bytes(static_cast<std::size_t>(behind + rows * ld));
      Bytes const before(static_cast<std::size_t>(behind + cols * ld), std::byte{0x5a});
      Bytes expected = before;
      for (std::int64_t i = 0; i < rows; ++i) {
        for (std::int64_t j = 0; j < cols; ++j) {
          move_one(source.data() + behind + i * ld + j * size, expected.data() + behind + j * ld + i * size);
        }
      }
      for (auto* const way : {kernel->move, kernel->stage, kernel->stream}) {
        Bytes target = before;
        way({source.data() + behind, ld, target.data() + behind, ld, rows, cols});
        ASSERT_TRUE(target == expected) << rows << "x" << cols;
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Variants, TransposeKernelsTest,
                         ::testing::Values(Variant{1, false}, Variant{2, false}, Variant{4, false}, Variant{8, false},
                                           Variant{16, false}, Variant{8, true}, Variant{16, true}),
                         [](auto const& variant) {
                           return std::to_string(variant.param.size) +
                                  (variant.param.conjugates ? "BytesConjugating" : "Bytes");
                         });

}  // namespace

// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file  Transposition between inaccessible pages: the host's kernels for every size of element and every remainder,
///        and the faces on every algorithm. Elements are moved and never computed: NaN and subnormal numbers stay bit
///        by bit.
#include <guarded/faces.hpp>

#include <pantile/transpose.hpp>

#include <cstdint>
#include <cstring>
#include <set>
#include <string>

namespace pantile::testing {
namespace {

namespace arch = impl::arch;
using arch::TransposeKernel;

template <int Size>
struct Bits {
  unsigned char byte[Size];
};

/// Bits that tell where an element was; of floating point numbers NaN and subnormal ones are among them.
template <class T>
T marked(std::size_t i, std::size_t j) {
  T value{};
  unsigned char bytes[sizeof(T)];
  for (std::size_t b = 0; b < sizeof(T); ++b) {
    std::size_t const mix = (i * 131 + j * 31 + b * 7) * 2654435761U;
    bytes[b] = static_cast<unsigned char>(mix >> 13);
    if (i % 5 == 1) bytes[b] = b + 1 == sizeof(T) ? 0x7f : 0xff;
    if (i % 5 == 2) bytes[b] = b == 0 ? static_cast<unsigned char>(j + 1) : 0;
  }
  std::memcpy(static_cast<void*>(&value), bytes, sizeof(T));
  return value;
}
template <class T>
bool same_bits(T const& x, T const& y) {
  return std::memcmp(static_cast<void const*>(&x), static_cast<void const*>(&y), sizeof(T)) == 0;
}

/// Is target(j, i) what source(i, j) was, and nothing else written?
template <class T>
::testing::AssertionResult holds_transposed(GuardedMatrix<T> const& target) {
  for (std::size_t i = 0; i < target.rows; ++i) {
    for (std::size_t j = 0; j < target.cols; ++j) {
      if (!same_bits(target(i, j), marked<T>(j, i))) {
        return ::testing::AssertionFailure() << "element (" << i << "," << j << ")";
      }
    }
  }
  if (!target.gaps_intact()) return ::testing::AssertionFailure() << "written between or around the elements";
  return ::testing::AssertionSuccess();
}

constexpr std::size_t edges[] = {1, 2, 3, 5, 7, 8, 9, 15, 16, 17, 31, 33, 64, 65, 131};

template <class T>
void expect_kernels_keep_out() {
  auto const* const all = arch::host_kernels<arch::TransposeKernels>();
  if (all == nullptr) GTEST_SKIP() << "no host kernels in this build";
  TransposeKernel const* const kernel = arch::find_transpose_kernel(*all, sizeof(T), false);
  ASSERT_NE(kernel, nullptr);
  auto const size = static_cast<std::int64_t>(sizeof(T));
  auto const bytes = [](GuardedMatrix<T> const& m) { return reinterpret_cast<std::byte*>(m.data()); };
  for (std::size_t const rows : edges) {
    for (std::size_t const cols : edges) {
      for (Guard const guard : both_guards) {
        for (std::size_t const room : {0U, 3U}) {
          for (auto* const way : {kernel->move, kernel->stage, kernel->stream}) {
            GuardedMatrix<T> source("the source", rows, cols, {cols + room, 1}, guard),
                target("the target", cols, rows, {rows + room, 1}, guard);
            source.fill(marked<T>);
            way({bytes(source), static_cast<std::int64_t>(cols + room) * size, bytes(target),
                 static_cast<std::int64_t>(rows + room) * size, static_cast<std::int64_t>(rows),
                 static_cast<std::int64_t>(cols)});
            ASSERT_TRUE(holds_transposed(target)) << rows << "x" << cols << ", " << to_string(guard);
          }
        }
      }
    }
  }
  // In place: a matrix of two tiles by two.
  std::size_t const limit = static_cast<std::size_t>(arch::transpose_exchange_edge(static_cast<int>(size)));
  for (std::size_t const first : edges) {
    for (std::size_t const second : edges) {
      if (first > limit || second > first) continue;
      std::size_t const n = first + second;
      for (Guard const guard : both_guards) {
        GuardedMatrix<T> m("the matrix", n, n, {n + 1, 1}, guard);
        m.fill(marked<T>);
        std::int64_t const ld = static_cast<std::int64_t>(n + 1) * size;
        auto const rows = static_cast<std::int64_t>(first), cols = static_cast<std::int64_t>(second);
        std::byte* const corner = bytes(m) + rows * ld + rows * size;
        kernel->exchange({bytes(m), bytes(m), ld, rows, rows, bytes(m) + rows * size, bytes(m) + rows * ld});
        kernel->exchange({bytes(m) + rows * size, bytes(m) + rows * ld, ld, rows, cols, corner, corner});
        kernel->exchange({corner, corner, ld, cols, cols, corner, corner});
        ASSERT_TRUE(holds_transposed(m)) << "in place " << first << " and " << second << ", " << to_string(guard);
      }
    }
  }
}

class TransposeKernelsBetweenPages : public GuardedFaces {};
TEST_F(TransposeKernelsBetweenPages, OneByte) { expect_kernels_keep_out<std::int8_t>(); }
TEST_F(TransposeKernelsBetweenPages, TwoBytes) { expect_kernels_keep_out<Bits<2>>(); }
TEST_F(TransposeKernelsBetweenPages, FourBytes) { expect_kernels_keep_out<float>(); }
TEST_F(TransposeKernelsBetweenPages, EightBytes) { expect_kernels_keep_out<double>(); }
TEST_F(TransposeKernelsBetweenPages, SixteenBytes) { expect_kernels_keep_out<Bits<16>>(); }

template <class T>
class TransposeBetweenPages : public GuardedFaces {};
using FaceElements = ::testing::Types<std::int8_t, float, Kokkos::complex<double>>;
TYPED_TEST_SUITE(TransposeBetweenPages, FaceElements);

// On the calling thread and, beyond 256 KB, by teams.
constexpr std::pair<std::size_t, std::size_t> shapes[] = {{1, 1},   {3, 5},   {1, 40},   {40, 1},
                                                          {33, 67}, {301, 7}, {201, 303}};

TYPED_TEST(TransposeBetweenPages, OutOfPlace) {
  using T = TypeParam;
  std::set<std::string> ways;
  for (auto const& [rows, cols] : shapes) {
    std::size_t turn = 0;
    for (Strides const& of_a : all_strides(rows, cols)) {
      for (Strides const& of_b : all_strides(cols, rows)) {
        Guard const guard = turn++ % 2 == 0 ? Guard::behind : Guard::before;
        GuardedMatrix<T> a("A", rows, cols, of_a, guard), b("B", cols, rows, of_b, guard);
        a.fill(marked<T>);
        for (TransposeAlgorithm const algorithm : accepted<TransposeAlgorithm>(
                 [&](TransposeAlgorithm x) { explain::transpose(Host{}, view(a), view(b), {.algorithm = x}); })) {
          GuardedMatrix<T> target("B", cols, rows, of_b, guard);
          transpose(Host{}, view(a), view(target), {.algorithm = algorithm});
          Host{}.fence();
          ways.insert(explain::transpose(Host{}, view(a), view(target), {.algorithm = algorithm}).path);
          ASSERT_TRUE(holds_transposed(target))
              << rows << "x" << cols << " " << to_string(algorithm) << ", " << to_string(guard);
        }
      }
    }
  }
  EXPECT_GE(ways.size(), 5U) << "copy, naive, tiled, padded, blocked";
}

TYPED_TEST(TransposeBetweenPages, InPlace) {
  using T = TypeParam;
  std::set<std::string> ways;
  for (std::size_t const rows : {1U, 2U, 7U, 33U, 130U, 203U}) {
    std::size_t const cols = rows;
    for (Strides const& strides : all_strides(rows, cols)) {
      for (Guard const guard : both_guards) {
        GuardedMatrix<T> const like("A", rows, cols, strides, guard);
        auto const explained = [&](TransposeAlgorithm x) { explain::transpose(Host{}, view(like), {.algorithm = x}); };
        for (TransposeAlgorithm const algorithm : accepted<TransposeAlgorithm>(explained)) {
          GuardedMatrix<T> a("A", rows, cols, strides, guard);
          a.fill(marked<T>);
          transpose(Host{}, view(a), {.algorithm = algorithm});
          Host{}.fence();
          ways.insert(explain::transpose(Host{}, view(a), {.algorithm = algorithm}).path);
          ASSERT_TRUE(holds_transposed(a)) << rows << " " << to_string(algorithm) << ", " << to_string(guard);
        }
      }
    }
  }
  EXPECT_GE(ways.size(), 4U) << "naive, tiled, padded, blocked";
}

}  // namespace
}  // namespace pantile::testing

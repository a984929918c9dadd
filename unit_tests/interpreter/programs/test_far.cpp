// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file  Strides that 32 bits do not hold, in elements of any size: between the matrices of a batch, rows, columns,
///        and elements of vectors. In host memory that the device reaches, of which only the pieces that are used are
///        there.
#include <pantile/add.hpp>
#include <pantile/histogram.hpp>
#include <pantile/matmul.hpp>
#include <pantile/reverse.hpp>
#include <pantile/transpose.hpp>

#include <gtest/gtest.h>
#include <Kokkos_Core.hpp>

#include <sys/mman.h>

#include <cstddef>
#include <cstdint>
#include <new>
#include <vector>

namespace {

using Exec = Kokkos::DefaultExecutionSpace;
template <class Elements>
using Far = Kokkos::View<Elements, Kokkos::LayoutStride, Exec::memory_space, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;

constexpr std::size_t pieces = 3, piece = 1 << 16;
constexpr std::size_t apart = (std::size_t{1} << 36) + piece / 2;  // 2^32 complex<double> and a few

/// Three pieces of memory, each so far from the one before it.
template <class T>
class Memory {
 public:
  static constexpr std::size_t step = apart / sizeof(T);
  static_assert(apart % sizeof(T) == 0 && step > 0xffffffff);

  explicit Memory(int first = 0)
      : m_memory(::mmap(nullptr, pieces * apart, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)) {
    if (m_memory == MAP_FAILED) throw std::bad_alloc();
    for (std::size_t p = 0; p < pieces; ++p) {
      if (::mprotect(of(p), piece, PROT_READ | PROT_WRITE) != 0) throw std::bad_alloc();
      EXPECT_EQ(cudaHostRegister(of(p), piece, cudaHostRegisterDefault), cudaSuccess);
      for (std::size_t i = 0; i < piece / sizeof(T); ++i) of(p)[i] = T(first + static_cast<int>((5 * p + i) % 7));
    }
  }
  ~Memory() {
    for (std::size_t p = 0; p < pieces; ++p) EXPECT_EQ(cudaHostUnregister(of(p)), cudaSuccess);
    ::munmap(m_memory, pieces * apart);
  }
  Memory(Memory const&) = delete;
  Memory& operator=(Memory const&) = delete;

  /// Matrices, row by row, in a piece each.
  [[nodiscard]] Far<T***> batch(std::size_t rows, std::size_t cols) const {
    return Far<T***>(data(), Kokkos::LayoutStride(pieces, step, rows, cols, cols, 1));
  }
  /// Rows in a piece each, or columns.
  [[nodiscard]] Far<T**> rows(std::size_t cols) const {
    return Far<T**>(data(), Kokkos::LayoutStride(pieces, step, cols, 1));
  }
  [[nodiscard]] Far<T**> cols(std::size_t rows) const {
    return Far<T**>(data(), Kokkos::LayoutStride(rows, 1, pieces, step));
  }
  [[nodiscard]] Far<T*> vector() const { return Far<T*>(data(), Kokkos::LayoutStride(pieces, step)); }

 private:
  [[nodiscard]] T* data() const { return static_cast<T*>(m_memory); }
  [[nodiscard]] T* of(std::size_t p) const { return data() + p * step; }

  void* m_memory;
};

template <class View>
auto at(View const& batch, std::size_t p) {
  return Kokkos::subview(batch, p, Kokkos::ALL, Kokkos::ALL);
}

/// The same memory as the host's.
template <class View>
auto here(View const& far) {
  return Kokkos::View<typename View::data_type, Kokkos::LayoutStride, Kokkos::HostSpace>(far.data(), far.layout());
}

/// c = a b
template <class A, class B, class C>
void expect_product(A const& there_a, B const& there_b, C const& there_c) {
  using T = typename C::non_const_value_type;
  auto const a = here(there_a), b = here(there_b), c = here(there_c);
  for (std::size_t i = 0; i < c.extent(0); ++i) {
    for (std::size_t j = 0; j < c.extent(1); ++j) {
      T sum(0);
      for (std::size_t l = 0; l < a.extent(1); ++l) sum += a(i, l) * b(l, j);
      ASSERT_EQ(c(i, j), sum) << i << ", " << j;
    }
  }
}
template <class A, class B>
void expect_transposed(A const& there_a, B const& there_b) {
  auto const a = here(there_a), b = here(there_b);
  for (std::size_t i = 0; i < a.extent(0); ++i) {
    for (std::size_t j = 0; j < a.extent(1); ++j) ASSERT_EQ(b(j, i), a(i, j)) << i << ", " << j;
  }
}

template <class T>
class FarApart : public ::testing::Test {};
using Elements = ::testing::Types<float, double, Kokkos::complex<double>, std::int32_t>;
TYPED_TEST_SUITE(FarApart, Elements);

TYPED_TEST(FarApart, BatchesOfProducts) {
  using T = TypeParam;
  using enum pantile::MatmulAlgorithm;
  for (auto const algorithm : {automatic, naive, blocked}) {
    SCOPED_TRACE(to_string(algorithm));
    Memory<T> const a(1), b(2), c;
    pantile::matmul(1, a.batch(20, 5), b.batch(5, 17), 0, c.batch(20, 17), {.algorithm = algorithm});
    Kokkos::fence();
    for (std::size_t p = 0; p < pieces; ++p) {
      expect_product(at(a.batch(20, 5), p), at(b.batch(5, 17), p), at(c.batch(20, 17), p));
    }
  }
}

TYPED_TEST(FarApart, RowsAndColumnsOfProducts) {
  using T = TypeParam;
  using enum pantile::MatmulAlgorithm;
  for (auto const algorithm : {naive, grid_stride, tiled, blocked}) {
    SCOPED_TRACE(to_string(algorithm));
    Memory<T> const a(1), b(2), c, d;
    pantile::matmul(1, a.rows(5), b.cols(5), 0, c.rows(pieces), {.algorithm = algorithm});
    pantile::matmul(1, a.cols(20), b.rows(17), 0, at(d.batch(20, 17), 1), {.algorithm = algorithm});
    Kokkos::fence();
    expect_product(a.rows(5), b.cols(5), c.rows(pieces));
    expect_product(a.cols(20), b.rows(17), at(d.batch(20, 17), 1));
  }
}

TYPED_TEST(FarApart, Transpositions) {
  using T = TypeParam;
  using enum pantile::TransposeAlgorithm;
  for (auto const algorithm : {automatic, naive, tiled, padded}) {
    SCOPED_TRACE(to_string(algorithm));
    Memory<T> const a(1), b, c, d(3), before(3);
    pantile::transpose(a.batch(20, 7), b.batch(7, 20), {.algorithm = algorithm});
    pantile::transpose(a.rows(40), at(c.batch(40, 3), 2), {.algorithm = algorithm});
    pantile::transpose(d.batch(9, 9), {.algorithm = algorithm});
    Kokkos::fence();
    for (std::size_t p = 0; p < pieces; ++p) {
      expect_transposed(at(a.batch(20, 7), p), at(b.batch(7, 20), p));
      expect_transposed(at(before.batch(9, 9), p), at(d.batch(9, 9), p));
    }
    expect_transposed(a.rows(40), at(c.batch(40, 3), 2));
    pantile::transpose(a.cols(40), c.rows(40), {.algorithm = algorithm});
    Kokkos::fence();
    expect_transposed(a.cols(40), c.rows(40));
  }
}

TYPED_TEST(FarApart, SumsAndVectors) {
  using T = TypeParam;
  Memory<T> const a(1), b(2), c, x(1), y;
  pantile::reverse(x.vector(), y.vector());
  pantile::add(1, a.rows(40), 1, b.rows(40), c.rows(40));
  Kokkos::fence();
  for (std::size_t p = 0; p < pieces; ++p) {
    ASSERT_EQ(here(y.vector())(pieces - 1 - p), here(x.vector())(p));
    for (std::size_t j = 0; j < 40; ++j) {
      ASSERT_EQ(here(c.rows(40))(p, j), here(a.rows(40))(p, j) + here(b.rows(40))(p, j));
    }
  }
}

TEST(FarApartInVectors, Samples) {
  Memory<std::int32_t> const samples;  // 0, 5, 3
  Memory<std::int64_t> const weights(1), counts;
  Kokkos::View<std::int64_t*, Exec> const bins("bins", 6);
  pantile::histogram(samples.vector(), weights.vector(), bins);
  pantile::histogram(bins, counts.vector(), {.out_of_range = pantile::OutOfRange::ignore});
  auto const sums = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), bins);
  // Indices of 64 bits: Kokkos multiplies strides in the type of the index.
  auto const values = [](auto const& view) {
    std::vector<std::int64_t> all;
    for (std::size_t p = 0; p < pieces; ++p) all.push_back(view(p));
    return all;
  };
  EXPECT_EQ((std::vector<std::int64_t>{sums(0), sums(5), sums(3)}), values(here(weights.vector())));
  EXPECT_EQ(values(here(counts.vector())), (std::vector<std::int64_t>{3, 1, 0}));
}

}  // namespace

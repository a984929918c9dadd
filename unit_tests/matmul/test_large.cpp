// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file  Offsets and sizes beyond 2^31. The first test takes 2.2 GB, the others memory that is never touched.
#include <matmul/cases.hpp>

#include <gmock/gmock.h>

#include <cstdlib>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

namespace {

using namespace pantile::testing;
using Algorithm = pantile::MatmulAlgorithm;
using Byte = std::uint8_t;
using Host = Kokkos::DefaultHostExecutionSpace;

/// Memory that this machine can give without swapping; unknown counts as none.
std::size_t available_bytes() {
  std::ifstream file("/proc/meminfo");
  std::string word;
  std::size_t kilobytes = 0;
  while (file >> word) {
    if (word == "MemAvailable:") file >> kilobytes;
  }
  return kilobytes * 1024;
}

constexpr std::size_t edge = 47'400;  // its last 2000 rows begin beyond 2^31: several of any blocks

template <class View>
struct WrongElements {
  View c;
  KOKKOS_FUNCTION void operator()(std::int64_t i, std::int64_t& wrong) const {
    for (std::size_t j = 0; j < edge; ++j) {
      if (c(i, j) != static_cast<Byte>((i % 251) * (j % 241))) ++wrong;
    }
  }
};

TEST(MatmulLarge, ProductOfExtentsBeyondThirtyOneBits) {
  if (available_bytes() < 3 * edge * edge / 2) GTEST_SKIP() << "needs 3.4 GB of free memory";
  using Matrix = Kokkos::View<Byte**, Kokkos::LayoutRight, Host>;
  Matrix const a("a", edge, 1), b("b", 1, edge), c(Kokkos::view_alloc("c", Kokkos::WithoutInitializing), edge, edge);
  for (std::size_t i = 0; i < edge; ++i) {
    a(i, 0) = static_cast<Byte>(i % 251);
    b(0, i) = static_cast<Byte>(i % 241);
  }
  pantile::matmul(Host{}, 1, a, b, 0, c);
  std::int64_t wrong = 0;
  Kokkos::parallel_reduce(Kokkos::RangePolicy<Host>(0, edge), WrongElements<Matrix>{c}, wrong);
  EXPECT_EQ(wrong, 0);
}

class MatmulFarApart : public ::testing::TestWithParam<Algorithm> {
 protected:
  /// Four gigabytes of address space; the operating system gives memory to the pages that are written.
  static constexpr std::size_t far = (std::size_t{1} << 31) + 4096;
  struct Free {
    void operator()(void* memory) const { std::free(memory); }
  };
  std::unique_ptr<Byte, Free> const memory{static_cast<Byte*>(std::malloc(2 * far))};
  using Matrix = Kokkos::View<Byte**, Kokkos::LayoutStride, Host>;

  // By 64-bit indices: Kokkos 5.2 computes the offset of int indices in int.
  static void set(Matrix const& x, std::vector<Byte> const& values) {
    for (std::size_t i = 0; i < 4; ++i) x(i / 2, i % 2) = values[i];
  }
  static std::vector<int> get(Matrix const& x) {
    std::vector<int> values;
    for (std::size_t i = 0; i < 4; ++i) values.push_back(x(i / 2, i % 2));
    return values;
  }
};

TEST_P(MatmulFarApart, RowsAreReadAndWrittenWhereTheyAre) {
  if (!memory) GTEST_SKIP() << "no address space";
  for (bool const by_rows : {true, false}) {
    Kokkos::LayoutStride const layout =
        by_rows ? Kokkos::LayoutStride(2, far, 2, 1) : Kokkos::LayoutStride(2, 1, 2, far);
    Matrix const a(memory.get(), layout), b(memory.get() + 8, layout), c(memory.get() + 16, layout);
    set(a, {1, 2, 3, 4});
    set(b, {5, 6, 7, 8});
    set(c, {1, 1, 1, 1});
    pantile::matmul(Host{}, 1, a, b, 1, c, {.algorithm = GetParam()});
    Host{}.fence();
    EXPECT_THAT(get(c), ::testing::ElementsAre(20, 23, 44, 51));
  }
}

INSTANTIATE_TEST_SUITE_P(Algorithms, MatmulFarApart, ::testing::ValuesIn(own_algorithms),
                         [](auto const& row) { return std::string(pantile::to_string(row.param)); });

}  // namespace

// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file  A tool that listens changes no bit of a product: it sees the code that runs without it.
#include <support/matrices.hpp>
#include <support/tool_events.hpp>

#include <pantile/matmul.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstring>

namespace pantile::testing {
namespace {

using Exec = Kokkos::DefaultExecutionSpace;

template <class T>
class Observed : public ::testing::Test {};
using Elements = ::testing::Types<float, double, Kokkos::complex<float>, Kokkos::complex<double>>;
TYPED_TEST_SUITE(Observed, Elements);

/// C of a product with factors whose products are rounded.
template <class T>
HostMatrix<T> product(std::array<std::size_t, 3> const& sizes, Placement place_b) {
  auto const [m, n, k] = sizes;
  Placed<T, Exec> const A("A", random_matrix<T>(m, k, 1), Placement::right), B("B", random_matrix<T>(k, n, 2), place_b),
      C("C", random_matrix<T>(m, n, 3), Placement::padded_right);
  matmul(Exec{}, T(0.3), A.view(), B.view(), T(0.7), C.view());
  Kokkos::fence();
  return C.values();
}

template <class T>
void expect_same_bits(std::array<std::size_t, 3> const& sizes) {
  for (Placement const place : {Placement::right, Placement::left}) {
    HostMatrix<T> const alone = product<T>(sizes, place);
    ToolEvents const events;
    HostMatrix<T> const seen = product<T>(sizes, place);
    EXPECT_GE(events.count(ToolEvents::Kind::kernel, "pantile::matmul["), 1U) << "no tool was told";
    ASSERT_EQ(alone.values.size(), seen.values.size());
    EXPECT_EQ(std::memcmp(alone.values.data(), seen.values.data(), seen.values.size() * sizeof(T)), 0)
        << sizes[0] << "x" << sizes[1] << "x" << sizes[2];
  }
}

TYPED_TEST(Observed, TinyProducts) {
  for (std::size_t const n : {1U, 4U, 7U, 8U, 16U, 31U, 48U}) expect_same_bits<TypeParam>({n, n, n});
  expect_same_bits<TypeParam>({1, 9, 14});
  expect_same_bits<TypeParam>({12, 3, 15});
}

TYPED_TEST(Observed, SkinnyProducts) {
  expect_same_bits<TypeParam>({1, 900, 700});
  expect_same_bits<TypeParam>({4, 600, 500});
  expect_same_bits<TypeParam>({600, 2, 500});
  expect_same_bits<TypeParam>({3, 3, 5000});
  expect_same_bits<TypeParam>({300, 310, 5});
}

TYPED_TEST(Observed, BlockedProducts) {
  expect_same_bits<TypeParam>({65, 67, 66});
  expect_same_bits<TypeParam>({131, 267, 300});
  expect_same_bits<TypeParam>({300, 310, 320});
}

}  // namespace
}  // namespace pantile::testing

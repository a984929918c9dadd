// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file  A program that uses Kokkos itself: its instances, its kernels and its finalize go on beside the layer.

#include <blas/routines.hpp>

#include <Kokkos_Core.hpp>

#include <thread>

namespace pantile::testing::blas {
namespace {

using Host = Kokkos::DefaultHostExecutionSpace;

bool products_are_right(unsigned seed) {
  return product_is_right<double>(9, 8, 7, seed) && product_is_right<double>(130, 131, 129, seed);
}

int sum_to(int count) {
  int sum = 0;
  Kokkos::parallel_reduce(
      Kokkos::RangePolicy<Host>(0, count), KOKKOS_LAMBDA(int i, int& partial) { partial += i; }, sum);
  return sum;
}

TEST(BlasKokkosProgram, CallsBetweenKernels) {
  EXPECT_TRUE(products_are_right(1));
  EXPECT_EQ(sum_to(100), 4950);
  EXPECT_TRUE(products_are_right(2));
}

TEST(BlasKokkosProgram, CallsFromWithinAKernel) {
  int wrong = 0;
  Kokkos::parallel_reduce(
      Kokkos::RangePolicy<Host>(0, 8),
      [](int i, int& partial) { partial += products_are_right(static_cast<unsigned>(i)) ? 0 : 1; }, wrong);
  EXPECT_EQ(wrong, 0);
}

TEST(BlasKokkosProgram, CallsBesideKernelsOfAnotherThread) {
  bool right = true;
  std::thread other([&right] {
    for (unsigned i = 0; i < 20; ++i) right = products_are_right(i) && right;
  });
  for (int i = 0; i < 20; ++i) EXPECT_EQ(sum_to(1000), 499500);
  other.join();
  EXPECT_TRUE(right);
}

}  // namespace
}  // namespace pantile::testing::blas

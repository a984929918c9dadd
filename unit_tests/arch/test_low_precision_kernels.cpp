// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <arch/low_precision_cases.hpp>

namespace {

using namespace pantile::testing;

/// Every instruction set of the library that this CPU has, and the tiles of others (AVX-512, NEON).
template <class Format>
class LowPrecisionKernelsTest : public ::testing::Test {};
using Formats = ::testing::Types<Bytes, Half16, Brain16>;
TYPED_TEST_SUITE(LowPrecisionKernelsTest, Formats);

template <class Format, Isa I>
void expect_set_right() {
  if (!has_isa(I)) return;
  SCOPED_TRACE(to_string(I));
  expect_low_precision_right(*compiled_kernels<GemmKernels<Format>, I>());
}

TYPED_TEST(LowPrecisionKernelsTest, EverySetOfThisCpu) {
  expect_set_right<TypeParam, Isa::generic>();
#if defined(__x86_64__)
  expect_set_right<TypeParam, Isa::avx2>();
  expect_set_right<TypeParam, Isa::avx512>();
  expect_set_right<TypeParam, Isa::avx512vnni>();
  expect_set_right<TypeParam, Isa::avx512bf16>();
#elif defined(__aarch64__)
  expect_set_right<TypeParam, Isa::neon>();
#endif
}

TYPED_TEST(LowPrecisionKernelsTest, TilesOfOtherMachines) {
  for_simd_elsewhere([]<class S>() { expect_low_precision_right(low_precision_table<S, TypeParam>); });
}

/// Every number of binary16, times one: what is no finite number too.
TEST(LowPrecisionHalf, EveryNumberIsConverted) {
  auto const& kernels = *host_kernels<GemmKernels<Half16>>();
  constexpr int side = 256;
  std::vector<std::uint16_t> a(side * side), one(side * side, 0);
  for (int i = 0; i < side * side; ++i) a[static_cast<std::size_t>(i)] = static_cast<std::uint16_t>(i);
  std::vector<float> c(side * side, -1);
  GemmCall<float> call{};
  // A row times a 1 x 1: nothing else is added that could be no number.
  call.m = side * side;
  call.n = call.k = 1;
  call.a_rs = call.a_cs = 1;
  one[0] = 0x3c00;
  call.b_rs = call.b_cs = 1;
  call.c = c.data();
  call.c_rs = 1;
  call.alpha[0] = 1;
  call.packed_a = call.packed_b = true;
  run_block(kernels, call, a.data(), one.data());
  for (int i = 0; i < side * side; ++i) {
    double const wanted = LowPrecisionValue<Half16>::of(static_cast<std::uint16_t>(i), false);
    float const found = c[static_cast<std::size_t>(i)];
    if (std::isnan(wanted)) {
      ASSERT_TRUE(std::isnan(found)) << i;
    } else {
      ASSERT_EQ(found, wanted) << i;
    }
  }
}

}  // namespace

// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file  The tags of tuned kernels, by whose words scripts/lib/device/rules.py finds what machine code must contain.
#include <pantile/impl/arch/cuda/matmul_tiles.hpp>
#include <pantile/impl/arch/hip/matmul_tiles.hpp>
#include <pantile/pantile.hpp>

// What a build for hosts does not include.
#include <pantile/impl/add/kernel_packed.hpp>
#include <pantile/impl/histogram/launch_device.hpp>
#include <pantile/impl/matmul/device/launch.hpp>
#include <pantile/impl/transpose/launch_packed.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <string>

namespace {

namespace cuda = pantile::impl::arch::cuda;
namespace hip = pantile::impl::arch::hip;
using Half = pantile::impl::CompilerHalf;
using Brain = pantile::impl::CompilerBrain;
template <class T>
using Complex = Kokkos::complex<T>;

template <class Kernel>
std::string tag() {
  return Kernel::tag.text;
}

template <class Tile, class TA, class TB = TA, class TC = TA, class Accumulator = TC>
std::string matmul() {
  return tag<pantile::impl::matmul::MultistageKernel<TA, TB, TC, Accumulator, Tile>>();
}

TEST(KernelTags, MatmulByMultiplyAdds) {
  EXPECT_EQ((matmul<cuda::Floats, float>()), "matmul multiply_add float same_type float by float");
  EXPECT_EQ((matmul<hip::Small<8>, double>()), "matmul multiply_add double same_type double by double");
  EXPECT_EQ((matmul<cuda::Pairs, Complex<float>>()),
            "matmul multiply_add float same_type complex<float> by complex<float>");
  EXPECT_EQ((matmul<cuda::Floats, std::int32_t>()), "matmul multiply_add integer same_type int32 by int32");
  EXPECT_EQ((matmul<hip::Small<8>, std::uint64_t>()), "matmul multiply_add integer same_type uint64 by uint64");
}

TEST(KernelTags, MatmulOfMixedTypes) {
  EXPECT_EQ((matmul<cuda::TallFloats, Half, float, float>()), "matmul multiply_add float mixed_types half by float");
  EXPECT_EQ((matmul<cuda::Doubles, float, float, double>()), "matmul matrix double mixed_types float by float");
  EXPECT_EQ((matmul<cuda::Doubles, double, double, float, double>()),
            "matmul matrix double mixed_types double by double");
}

TEST(KernelTags, MatmulByMatrixInstructions) {
  EXPECT_EQ((matmul<cuda::Doubles, double>()), "matmul matrix double same_type double by double");
  EXPECT_EQ((matmul<hip::Wave<hip::FloatProduct, 16, 4, 1, 100>, float>()),
            "matmul matrix float same_type float by float");
  EXPECT_EQ((matmul<cuda::Tf32Floats, float>()), "matmul tf32 float same_type float by float");
  EXPECT_EQ((matmul<cuda::ThreeTf32Floats, float>()), "matmul three_tf32 float same_type float by float");
  EXPECT_EQ((matmul<cuda::LowPrecision<cuda::HalfProduct<Half>, 2, 800>, Half, Half, Half, float>()),
            "matmul matrix half mixed_types half by half");
  EXPECT_EQ((matmul<hip::Wave<hip::HalfProduct<Brain>, 32, 8, 4, 500>, Brain, Brain, float>()),
            "matmul matrix half mixed_types bhalf by bhalf");
  EXPECT_EQ((matmul<cuda::LowPrecision<cuda::ByteProduct<std::int8_t, std::uint8_t>, 4, 1600>, std::int8_t,
                    std::uint8_t, std::int32_t>()),
            "matmul matrix byte mixed_types int8 by uint8");
}

TEST(KernelTags, Transposition) {
  using namespace pantile::impl::transpose;
  EXPECT_EQ((tag<PackedKernel<float, true>>()), "transpose packs float");
  EXPECT_EQ((tag<PackedPairsKernel<Complex<double>, true>>()), "transpose packs complex<double>");
  EXPECT_EQ((tag<PackedKernel<std::uint8_t, true>>()), "transpose packed_bytes uint8");
  EXPECT_EQ((tag<PackedPairsKernel<std::int8_t, false>>()), "transpose singles int8");
  EXPECT_EQ((tag<PackedKernel<Half, false>>()), "transpose singles half");
}

TEST(KernelTags, AdditionAndCounting) {
  using namespace pantile::impl::histogram;
  EXPECT_EQ((tag<pantile::impl::add::PackedKernel<float, float, float, float>>()), "add packs");
  EXPECT_EQ((tag<DeviceCountingKernel<int, std::uint32_t>>()), "histogram count uint32");
  EXPECT_EQ((tag<DeviceCountingKernel<std::int64_t, std::uint64_t>>()), "histogram count uint64");
  EXPECT_EQ((tag<DeviceCheckKernel<int>>()), "histogram check");
}

TEST(KernelTags, Untuned) {
  EXPECT_EQ((tag<pantile::impl::transpose::TilePairKernel<float, true>>()), "untuned");
  EXPECT_EQ((tag<pantile::impl::transpose::PointerKernel<float, pantile::impl::transpose::ElementKernel<float>>>()),
            "untuned any_address");
  EXPECT_EQ((tag<pantile::impl::histogram::ScratchKernel<int, float, float, 1>>()), "untuned any_address");
}

}  // namespace

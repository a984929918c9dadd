// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file  Which memory faces take: none without elements only, and on devices aligned as whole elements.
#include <pantile/impl/view/check.hpp>
#include <pantile/matrix_pointers.hpp>

#include <gtest/gtest.h>

#include <complex>
#include <cstddef>
#include <source_location>
#include <string>
#include <type_traits>

namespace {

struct DeviceMemory {
  using execution_space = Kokkos::DefaultHostExecutionSpace;
};

/// What a face sees of a View of 2 x 3 elements in some memory.
template <class T, class Memory>
struct SomeView {
  using value_type = T;
  using non_const_value_type = std::remove_const_t<T>;
  using memory_space = Memory;
  T* at;
  std::size_t rows = 2;

  static constexpr std::size_t rank() { return 2; }
  [[nodiscard]] std::size_t extent(std::size_t r) const { return r == 0 ? rows : 3; }
  [[nodiscard]] T* data() const { return at; }
};

template <class View>
std::string refusal(View const& view) {
  auto const text = [] { return std::string("A"); };
  try {
    pantile::impl::Checker("matmul", std::source_location::current(), text).memory("A", view);
  } catch (pantile::Error const& error) {
    return error.what();
  }
  return {};
}

alignas(64) std::byte memory[256];

/// Elements T at an offset, as a face takes them from that memory.
template <class T, class Memory>
std::string refusal_at(std::size_t offset) {
  return refusal(SomeView<T, Memory>{reinterpret_cast<T*>(memory + offset)});
}

template <class T>
class MemoryOfComplex : public testing::Test {};
using ComplexTypes = testing::Types<Kokkos::complex<float>, Kokkos::complex<double>, std::complex<float>,
                                    std::complex<double>, std::complex<double> const>;
TYPED_TEST_SUITE(MemoryOfComplex, ComplexTypes);

// Kernels of hosts take them as pairs, those of devices by one access where Kokkos aligns complex types as a whole,
// which an installation may leave off (Kokkos_ENABLE_COMPLEX_ALIGN).
TYPED_TEST(MemoryOfComplex, IsAlignedAsKokkosAlignsItOnDevices) {
  constexpr std::size_t size = sizeof(TypeParam);
#ifdef KOKKOS_ENABLE_COMPLEX_ALIGN
  constexpr std::size_t alignment = size;
#else
  constexpr std::size_t alignment = size / 2;
#endif
  for (std::size_t const offset : {size / 4, size / 2, size, 3 * size / 2, 2 * size}) {
    std::string const text = refusal_at<TypeParam, DeviceMemory>(offset);
    std::string const rule =
        "A must be aligned to " + std::to_string(alignment) + " bytes: devices load an element at once";
    EXPECT_EQ(text.find(rule) != std::string::npos, offset % alignment != 0) << offset << " bytes: " << text;
    EXPECT_EQ(text.empty(), offset % alignment == 0) << offset << " bytes: " << text;
    EXPECT_EQ((refusal_at<TypeParam, Kokkos::HostSpace>(offset)), "") << offset << " bytes";
    EXPECT_EQ((refusal_at<TypeParam, Kokkos::AnonymousSpace>(offset)), "") << offset << " bytes";
  }
}

TEST(Memory, OfRealElementsIsAlignedAsTheirType) {
  EXPECT_NE((refusal_at<double, DeviceMemory>(4)), "");
  EXPECT_EQ((refusal_at<double, DeviceMemory>(8)), "");
  EXPECT_EQ((refusal_at<float, DeviceMemory>(4)), "");
}

TEST(Memory, MayBeNoneOfNoElements) {
  EXPECT_NE(refusal(SomeView<double, DeviceMemory>{nullptr}).find("A must not be null"), std::string::npos);
  EXPECT_NE(refusal(SomeView<double, Kokkos::HostSpace>{nullptr}).find("A must not be null"), std::string::npos);
  EXPECT_EQ(refusal(SomeView<double, DeviceMemory>{nullptr, 0}), "");
}

// Addresses are pointers, whatever they point to.
TEST(Memory, OfAddressesIsAlignedAsPointers) {
  using Complex = Kokkos::complex<double>;
  auto* const addresses = reinterpret_cast<Complex* const*>(memory + 8);
  EXPECT_EQ(refusal(pantile::MatrixPointers<Complex, DeviceMemory>{addresses, 2, 2, 2, 2, 1}), "");
}

}  // namespace

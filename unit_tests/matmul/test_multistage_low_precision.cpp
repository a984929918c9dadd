// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file  The blocked kernels of devices by matrix instructions for elements of low precision and for rounded floats,
///        emulated on the host: k-packs, their places in scratch and who has what.
#include <matmul/mixed.hpp>
#include <matmul/multistage.hpp>

#include <pantile/impl/arch/cuda/matrix_products.hpp>

#include <cmath>
#include <cstdint>
#include <limits>
#include <set>

namespace {

using namespace pantile::testing;
using pantile::impl::to_matrix;
using Exec = Kokkos::DefaultHostExecutionSpace;
namespace arch = pantile::impl::arch;
namespace matmul = pantile::impl::matmul;

/// Operands of TA and TB, C of TC, summed in Accumulator, on every tile of the machine that holds several along k.
template <class Arch, class TA, class TB, class TC, class Accumulator>
void expect_k_packs_right(Shape s, Placements const& at, int panels_of_piece = 0) {
  auto const a = random_matrix<TA>(s.m, s.k, 1);
  auto const b = random_matrix<TB>(s.k, s.n, 2);
  auto const c = random_matrix<TC>(s.m, s.n, 3);
  Accumulator const alpha(2), beta(-1);
  auto const reference =
      reference_matmul(alpha, converted<Accumulator>(a), converted<Accumulator>(b), beta, converted<Accumulator>(c));
  using Tiles = typename Arch::template MatmulTiles<TA, TB, pantile::compute_t<Accumulator>>;
  int tiles = 0;
  for_each_tile(Tiles{}, [&](int index, auto tile) {
    SCOPED_TRACE(to_string(s) + " " + to_string(at) + " tile " + std::to_string(index));
    tiles += tile.shape.k_pack > 1;
    Placed<TA, Exec> const A("A", a, at.a);
    Placed<TB, Exec> const B("B", b, at.b);
    Placed<TC, Exec> const C("C", c, at.c);
    matmul::Problem<TA, TB, TC, Accumulator> const problem{
        const_matrix(A), const_matrix(B), to_matrix(C.view()), false, false, alpha, beta};
    run_tile<Arch, decltype(tile)>(index, problem, panels_of_piece);
    EXPECT_TRUE(right(C.values(), reference));
    EXPECT_TRUE(C.surroundings_intact());
  });
  EXPECT_GT(tiles, 0) << "no tile of k-packs";
}

// One element, a whole tile, edges in every direction, rows of whole 16 bytes that end within a tile; operands fast
// along k, along the edge, and neither.
template <class Arch, class TA, class TB, class TC = TA, class Accumulator = float>
void expect_k_packs_right_everywhere() {
  if constexpr (is_there<TA> && is_there<TB>) {
    for (Shape const s :
         {Shape{1, 1, 1}, Shape{128, 128, 128}, Shape{131, 67, 37}, Shape{5, 136, 77}, Shape{70, 152, 35}}) {
      for (std::size_t const triple : {0U, 1U, 31U, 47U, 69U}) {
        expect_k_packs_right<Arch, TA, TB, TC, Accumulator>(s, placements(triple));
      }
    }
    expect_k_packs_right<Arch, TA, TB, TC, Accumulator>({66, 70, 333}, {}, 2);
  } else {
    GTEST_SKIP() << "no such type here";
  }
}

TEST(MatmulMultistageKPacks, HalfOnCuda) { expect_k_packs_right_everywhere<arch::Cuda, CompilerHalf, CompilerHalf>(); }
TEST(MatmulMultistageKPacks, HalfOnHip) { expect_k_packs_right_everywhere<arch::Hip, CompilerHalf, CompilerHalf>(); }
TEST(MatmulMultistageKPacks, BrainOnCuda) {
  expect_k_packs_right_everywhere<arch::Cuda, CompilerBrain, CompilerBrain, float>();
}
TEST(MatmulMultistageKPacks, BrainOnHip) {
  expect_k_packs_right_everywhere<arch::Hip, CompilerBrain, CompilerBrain, float>();
}
TEST(MatmulMultistageKPacks, BytesOnCuda) {
  expect_k_packs_right_everywhere<arch::Cuda, std::int8_t, std::int8_t, std::int32_t, std::int32_t>();
  expect_k_packs_right_everywhere<arch::Cuda, std::uint8_t, std::uint8_t, std::uint32_t, std::uint32_t>();
}
TEST(MatmulMultistageKPacks, BytesOfBothSignsOnCuda) {
  expect_k_packs_right_everywhere<arch::Cuda, std::int8_t, std::uint8_t, std::int32_t, std::int32_t>();
  expect_k_packs_right_everywhere<arch::Cuda, std::uint8_t, std::int8_t, std::int32_t, std::int32_t>();
}
TEST(MatmulMultistageKPacks, BytesOnHip) {
  expect_k_packs_right_everywhere<arch::Hip, std::int8_t, std::int8_t, std::int32_t, std::int32_t>();
}

// Elements that no instruction takes together change their type on the way.
template <class TA, class TB, class TC, class Accumulator>
void expect_converted(Shape s) {
  auto const a = random_matrix<TA>(s.m, s.k, 1);
  auto const b = random_matrix<TB>(s.k, s.n, 2);
  HostMatrix<TC> const c(s.m, s.n);
  auto const reference = reference_matmul(Accumulator(1), converted<Accumulator>(a), converted<Accumulator>(b),
                                          Accumulator(0), converted<Accumulator>(c));
  for (Placement const at : {Placement::right, Placement::left, Placement::strided}) {
    Placed<TA, Exec> const A("A", a, at);
    Placed<TB, Exec> const B("B", b, at);
    for_each_tile(arch::Cuda::MatmulTiles<TA, TB, pantile::compute_t<Accumulator>>{}, [&](int index, auto tile) {
      static_assert(tile.shape.k_pack == 1);
      Placed<TC, Exec> const C("C", c, Placement::right);
      matmul::Problem<TA, TB, TC, Accumulator> const problem{
          const_matrix(A), const_matrix(B), to_matrix(C.view()), false, false, Accumulator(1), Accumulator(0)};
      run_tile<arch::Cuda, decltype(tile)>(index, problem);
      EXPECT_TRUE(right(C.values(), reference)) << "tile " << index;
    });
  }
}
TEST(MatmulMultistageKPacks, OtherMixesAreConverted) {
  expect_converted<std::int8_t, std::int32_t, std::int32_t, std::int32_t>({131, 66, 35});
  expect_converted<std::int8_t, float, float, float>({131, 66, 35});
}

/// What a product of floats may be off by: as a share of |a| |b|.
template <class Tile>
HostMatrix<double> distance_to_exact(Shape s, double& most) {
  auto const a = random_matrix<float>(s.m, s.k, 1), b = random_matrix<float>(s.k, s.n, 2);
  HostMatrix<float> const c(s.m, s.n);
  auto const exact = reference_matmul(1.0, converted<double>(a), converted<double>(b), 0.0, converted<double>(c));
  HostMatrix<double> const no(s.m, s.n);
  auto const absolute = [](HostMatrix<float> const& x) {
    auto result = converted<double>(x);
    for (double& value : result.values) value = std::abs(value);
    return result;
  };
  auto const sizes = reference_matmul(1.0, absolute(a), absolute(b), 0.0, no);
  Placed<float, Exec> const A("A", a, Placement::right), B("B", b, Placement::left), C("C", c, Placement::right);
  matmul::Problem<float, float, float, float> const problem{
      const_matrix(A), const_matrix(B), to_matrix(C.view()), false, false, 1, 0};
  int index = -1;
  for_each_tile(arch::Cuda::MatmulTiles<float, float, float>{}, [&](int number, auto tile) {
    if (std::is_same_v<decltype(tile), Tile>) index = number;
  });
  run_tile<arch::Cuda, Tile>(index, problem);
  auto const values = C.values();
  HostMatrix<double> shares(s.m, s.n);
  most = 0;
  for (std::size_t i = 0; i < shares.values.size(); ++i) {
    shares.values[i] = std::abs(values.values[i] - exact.values.values[i]) / sizes.values.values[i];
    most = std::max(most, shares.values[i]);
  }
  return shares;
}

// Rounded to 11 bits, a product is off by 2^-10 at most and a tenth of that at least somewhere; three products bring
// all but 3 x 2^-22 back (each small part is cut, the product of both left out). Sums in float add less than k 2^-24.
TEST(MatmulMultistageTf32, ErrorsAreThoseOfTheRounding) {
  constexpr Shape s{129, 132, 33};
  double const sums = static_cast<double>(s.k) * std::ldexp(1.0, -24);
  double rounded = 0, three = 0;
  distance_to_exact<arch::cuda::Tf32Floats>(s, rounded);
  distance_to_exact<arch::cuda::ThreeTf32Floats>(s, three);
  EXPECT_LE(rounded, std::ldexp(1.0, -10) + sums);
  EXPECT_GT(rounded, std::ldexp(1.0, -14));
  EXPECT_LE(three, 3 * std::ldexp(1.0, -22) + 3 * sums);
  EXPECT_LT(three, rounded / 64);
}

TEST(MatmulMultistageTf32, RoundsTiesAwayFromZero) {
  using arch::cuda::to_tf32;
  float const one_and_half_unit = 1 + std::ldexp(1.0F, -11);
  EXPECT_EQ(to_tf32(one_and_half_unit), 1 + std::ldexp(1.0F, -10));
  EXPECT_EQ(to_tf32(-one_and_half_unit), -1 - std::ldexp(1.0F, -10));
  EXPECT_EQ(to_tf32(std::nextafter(one_and_half_unit, 0.0F)), 1.0F);
  EXPECT_EQ(to_tf32(std::numeric_limits<float>::infinity()), std::numeric_limits<float>::infinity());
  EXPECT_TRUE(std::isnan(to_tf32(std::numeric_limits<float>::quiet_NaN())));
}

// Integer instructions carry all ones into the sign: what is NaN stays so in one of the parts.
TEST(MatmulMultistageTf32, PairsKeepNaN) {
  for (std::uint32_t const bits : {0x7fffffffU, 0xffffffffU, 0x7fc00000U, 0xffc00000U, 0x7f800001U}) {
    auto const pair = arch::cuda::ThreeTf32Product::prepare(arch::bits_as<float>(bits));
    EXPECT_TRUE(std::isnan(pair.big) || std::isnan(pair.small)) << bits;
  }
  auto const pair = arch::cuda::ThreeTf32Product::prepare(1 + std::ldexp(1.0F, -12));
  EXPECT_EQ(pair.big, 1);
  EXPECT_EQ(pair.small, std::ldexp(1.0F, -12));
}

// As Precision::three_tf32 says: both parts meet in the sum of a product.
TEST(MatmulMultistageTf32, PairsOfWhatRoundsToInfinityAreNaN) {
  float const least = arch::bits_as<float>(0x7f7ff000U);
  ASSERT_EQ(least, std::ldexp(1.0, 128) - std::ldexp(1.0, 116));
  for (float const value : {std::numeric_limits<float>::infinity(), std::numeric_limits<float>::max(), least}) {
    for (float const sign : {1.0F, -1.0F}) {
      auto const pair = arch::cuda::ThreeTf32Product::prepare(sign * value);
      EXPECT_TRUE(std::isnan(pair.big + pair.small)) << sign * value;
    }
  }
  auto const pair = arch::cuda::ThreeTf32Product::prepare(std::nextafter(least, 0.0F));
  EXPECT_TRUE(std::isfinite(pair.big));
  EXPECT_TRUE(std::isfinite(pair.small));
}

// The error of a product follows: 2^-22 for what is cut of each, and 2^-22 for the product of both small parts.
TEST(MatmulMultistageTf32, PairsHoldAllButThis) {
  for (std::uint32_t const sign : {0U, 0x80000000U}) {
    for (std::uint32_t mantissa = 0; mantissa < 0x800000U; mantissa += 37) {
      auto const value = arch::bits_as<float>(sign | 0x3f800000U | mantissa);
      auto const pair = arch::cuda::ThreeTf32Product::prepare(value);
      double const size = std::abs(value), lost = double{value} - pair.big - pair.small;
      ASSERT_LT(std::abs(lost), std::ldexp(size, -22)) << value;
      ASSERT_LE(std::abs(pair.small), std::ldexp(size, -11)) << value;
    }
  }
}

// Reads of A by two k-packs, sixteen lanes at a time.
TEST(MatmulMultistageBanks, PairsOfRowsOfHalfAWarpAreInDifferentBanks) {
  using Layout = matmul::PanelLayout<float, 128, 8, 8>;
  for (int first = 0; first < 32; first += 16) {
    std::set<int> banks;
    for (int lane = first; lane < first + 16; ++lane) {
      for (int x = 0; x < 2; ++x) {
        auto const [row, col] = arch::cuda::Tf32Product::a_place(lane, x);
        banks.insert(Layout::place(col, row) % 32);
      }
    }
    EXPECT_EQ(banks.size(), 32U) << first;
  }
}

// What reads of one instruction and writes of packs along k meet in the 32 banks of scratch.
TEST(MatmulMultistageBanks, KPacksOfEightRowsAndFourStepsAreInDifferentBanks) {
  using Layout = matmul::PanelLayout<float, 128, 8, 8>;
  for (int row = 0; row < 16; row += 4) {
    for (int e = 0; e < 128; e += 8) {
      std::set<int> banks;
      for (int lane = 0; lane < 32; ++lane) banks.insert(Layout::place(row + lane % 4, e + lane / 4) % 32);
      EXPECT_EQ(banks.size(), 32U) << row << " " << e;
    }
  }
  for (int within = 0; within < 4; ++within) {
    std::set<int> banks;
    for (int lane = 0; lane < 32; ++lane) banks.insert(Layout::place(lane % 4 * 4 + within, lane / 4) % 32);
    EXPECT_EQ(banks.size(), 32U) << within;
  }
}

template <class Product>
void expect_every_place_once() {
  std::set<int> a, b, c;
  for (int lane = 0; lane < Product::warp; ++lane) {
    auto const number = [](arch::Place at) { return at.row * 64 + at.col; };
    for (int x = 0; x < Product::a_k_packs; ++x) a.insert(number(Product::a_place(lane, x)));
    for (int x = 0; x < Product::b_k_packs; ++x) b.insert(number(Product::b_place(lane, x)));
    for (int v = 0; v < Product::sums; ++v) c.insert(number(Product::sum_place(lane, v)));
  }
  EXPECT_EQ(a.size(), std::size_t{Product::m} * Product::depth);
  EXPECT_EQ(b.size(), std::size_t{Product::depth} * Product::n);
  EXPECT_EQ(c.size(), std::size_t{Product::m} * Product::n);
}
template <class Product>
void expect_neighbours() {
  for (int lane = 0; lane < Product::warp; ++lane) {
    for (int x = 0; x < Product::a_k_packs; ++x) {
      int const within = x % Product::a_neighbours;
      arch::Place const first = Product::a_place(lane, x - within), at = Product::a_place(lane, x);
      EXPECT_EQ(at.row, first.row + within) << lane << " " << x;
      EXPECT_EQ(at.col, first.col) << lane << " " << x;
    }
    for (int v = 0; v < Product::sums; ++v) {
      int const within = v % Product::neighbours, other = lane % Product::joining;
      arch::Place const first = Product::sum_place(lane - other, v - within), at = Product::sum_place(lane, v);
      EXPECT_EQ(at.row, first.row) << lane << " " << v;
      EXPECT_EQ(at.col, first.col + other * Product::neighbours + within) << lane << " " << v;
    }
  }
}
template <class Product>
void expect_places() {
  expect_every_place_once<Product>();
  expect_neighbours<Product>();
}
TEST(MatmulMultistageProducts, LanesShareTheMatrices) {
  expect_places<arch::cuda::DoubleProduct>();
  expect_places<arch::cuda::Tf32Product>();
  expect_places<arch::hip::DoubleProduct>();
  expect_places<arch::hip::FloatProduct>();
}

template <int Lanes>
void expect_exchange() {
  int unit[8][Lanes];
  for (int lane = 0; lane < 8; ++lane) {
    for (int i = 0; i < Lanes; ++i) unit[lane][i] = lane * 10 + i;
  }
  matmul::emulate_exchange<Lanes>(8, [&](int lane) -> auto& { return unit[lane]; });
  for (int lane = 0; lane < 8; ++lane) {
    for (int i = 0; i < Lanes; ++i)
      EXPECT_EQ(unit[lane][i], (lane - lane % Lanes + i) * 10 + lane % Lanes) << lane << " " << i;
  }
}
TEST(MatmulMultistageProducts, LanesGiveEachOtherTheirUnits) {
  expect_exchange<1>();
  expect_exchange<2>();
  expect_exchange<4>();
}

}  // namespace

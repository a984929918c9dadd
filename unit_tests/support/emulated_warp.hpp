// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  What a device's warp does together in matmul, emulated for all of its lanes: multiply-adds, matrix
///        instructions, exchanges between lanes.

#include <support/emulated_threads.hpp>

#include <pantile/impl/arch/cuda/matrix_products.hpp>
#include <pantile/impl/matmul/device/epilogue.hpp>
#include <pantile/impl/matmul/device/mma.hpp>

#include <cstdint>
#include <type_traits>

namespace pantile::impl::arch {

/// The sum of products along k that a matrix instruction forms of one word of each operand.
template <class Sum>
KOKKOS_INLINE_FUNCTION Sum k_pack_dot(Sum a, Sum b) {
  return a * b;
}
template <class Sum, class TA, class TB, int Count>
KOKKOS_INLINE_FUNCTION Sum k_pack_dot(KPack<TA, Count> const& a, KPack<TB, Count> const& b) {
  auto const element = []<class T>(KPack<T, Count> const& word, int i) {
    using Bits = std::conditional_t<sizeof(T) == 1, std::uint8_t, std::uint16_t>;
    return static_cast<Sum>(bits_as<T>(static_cast<Bits>(word.bits >> (8 * static_cast<int>(sizeof(T)) * i))));
  };
  Sum sum(0);
  for (int i = 0; i < Count; ++i) sum += element(a, i) * element(b, i);
  return sum;
}
template <class Sum>
KOKKOS_INLINE_FUNCTION Sum k_pack_dot(cuda::Tf32Pair const& a, cuda::Tf32Pair const& b) {
  return a.small * b.big + a.big * b.small + a.big * b.big;
}

}  // namespace pantile::impl::arch

namespace pantile::impl::matmul {

/// The small matrices are put together from all lanes' k-packs, then multiplied.
template <class Product, class Tile, int Which, class State>
KOKKOS_INLINE_FUNCTION void emulate(WarpMultiply<MatrixEngine<Product, Tile>, Which> const&, State* states) {
  using Engine = MatrixEngine<Product, Tile>;
  typename Product::OperandA a[Product::m][Engine::depth];
  typename Product::OperandB b[Engine::depth][Product::n];
  for (int i = 0; i < Engine::down; ++i) {
    for (int j = 0; j < Engine::across; ++j) {
      for (int lane = 0; lane < Engine::warp; ++lane) {
        auto const& f = states[lane].fragments[Which];
        for (int x = 0; x < Product::a_k_packs; ++x) {
          auto const [row, col] = Product::a_place(lane, x);
          a[row][col] = f.a[i][x];
        }
        for (int x = 0; x < Product::b_k_packs; ++x) {
          auto const [row, col] = Product::b_place(lane, x);
          b[row][col] = f.b[j][x];
        }
      }
      for (int lane = 0; lane < Engine::warp; ++lane) {
        for (int v = 0; v < Product::sums; ++v) {
          auto const [row, col] = Product::sum_place(lane, v);
          auto& sum = states[lane].sums.value[i][j][v];
          for (int k = 0; k < Engine::depth; ++k) sum += arch::k_pack_dot<typename Product::Sum>(a[row][k], b[k][col]);
        }
      }
    }
  }
}

template <class Compute, class Tile, int Which, class State>
KOKKOS_INLINE_FUNCTION void emulate(WarpMultiply<MultiplyAddEngine<Compute, Tile>, Which> const& multiply,
                                    State* states) {
  for (int lane = 0; lane < Tile::shape.warp; ++lane) multiply(lane, states[lane]);
}

/// of_lane(lane) are a lane's units.
template <int Lanes, class OfLane>
KOKKOS_INLINE_FUNCTION void emulate_exchange(int warp, OfLane const& of_lane) {
  for_each_exchange<Lanes>([&](int bit, int low) {
    auto const pair = [&](int lane) {
      auto& unit = of_lane(lane);
      return UnitPair<std::remove_reference_t<decltype(unit[0])>>{unit[low], unit[low | bit], (lane & bit) != 0};
    };
    for (int lane = 0; lane < warp; ++lane) {
      if ((lane & bit) != 0) continue;
      auto const from_lower = pair(lane).give(), from_upper = pair(lane | bit).give();
      pair(lane).take(from_upper);
      pair(lane | bit).take(from_lower);
    }
  });
}

template <int Lanes, int Warp, class State>
KOKKOS_INLINE_FUNCTION void emulate(WarpExchange<Lanes, Warp> const&, State* states) {
  emulate_exchange<Lanes>(Warp, [&](int lane) -> auto& { return states[lane].to_join; });
}

}  // namespace pantile::impl::matmul

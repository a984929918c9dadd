// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  Neighbouring lanes of a warp give each other what they hold: unit j of lane s becomes unit s of lane j, among each
///        Lanes (1, 2 or 4) of them. One bit of both numbers at a time.

#include <pantile/impl/arch/lane_exchange.hpp>
#include <pantile/impl/kokkos_ext/unroll.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <cstring>
#include <type_traits>

namespace pantile::impl::matmul {

/// \brief  One exchange of two lanes whose numbers differ in `bit`: of units low and high = low | bit the lane with the bit
///         gives its low one and the other its high one, and each takes the other's in its place.
template <class Word>
struct UnitPair {
  Word &low, &high;
  bool upper;  ///< the lane has the bit
  KOKKOS_INLINE_FUNCTION Word give() const { return upper ? low : high; }
  KOKKOS_INLINE_FUNCTION void take(Word const& other) const {
    low = upper ? other : low;
    high = upper ? high : other;
  }
};

/// f(bit, low) for every exchange, in their order.
template <int Lanes, class F>
KOKKOS_INLINE_FUNCTION void for_each_exchange(F const& f) {
  static_assert(Lanes == 1 || Lanes == 2 || Lanes == 4);
  PANTILE_UNROLL
  for (int bit = 1; bit < Lanes; bit *= 2) {
    PANTILE_UNROLL
    for (int low = 0; low < Lanes; ++low) {
      if ((low & bit) == 0) f(bit, low);
    }
  }
}

/// The lane's part of the exchange, called by all lanes of the warp; on devices only.
template <int Lanes, class Unit>
KOKKOS_INLINE_FUNCTION void exchange(Unit (&unit)[Lanes], int lane) {
  constexpr int count = (static_cast<int>(sizeof(Unit)) + 3) / 4;
  struct Words {
    std::uint32_t value[count];
  };
  Words words[Lanes] = {};
  PANTILE_UNROLL
  for (int i = 0; i < Lanes; ++i) memcpy(&words[i], &unit[i], sizeof(Unit));
  for_each_exchange<Lanes>([&](int bit, int low) {
    PANTILE_UNROLL
    for (int w = 0; w < count; ++w) {
      UnitPair<std::uint32_t> const pair{words[low].value[w], words[low | bit].value[w], (lane & bit) != 0};
      pair.take(arch::of_other_lane(pair.give(), bit));
    }
  });
  PANTILE_UNROLL
  for (int i = 0; i < Lanes; ++i) memcpy(&unit[i], &words[i], sizeof(Unit));
}

/// The same by one thread that plays a warp: of_lane(lane) are its units.
template <int Lanes, class OfLane>
KOKKOS_INLINE_FUNCTION void exchange_played(int warp, OfLane const& of_lane) {
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

}  // namespace pantile::impl::matmul

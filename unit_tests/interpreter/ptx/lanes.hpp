// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file  Loops over the lanes of a mask.

#include <interpreter/ptx/warp.hpp>

#include <bit>

namespace pantile_interpreter::ptx {

/// Calls f(lane) for each lane of the mask, in ascending order.
template <class F>
inline void for_lanes(Mask lanes, F&& f) {
  if (lanes == all_lanes) {
    for (unsigned lane = 0; lane < lanes_per_warp; ++lane) f(lane);
  } else {
    for (; lanes != 0; lanes &= lanes - 1) f(static_cast<unsigned>(std::countr_zero(lanes)));
  }
}

/// to[lane] = f(lane) for the lanes of the mask; f has no effect and may be called for every lane.
/// Lanes are independent even where source and destination are one register.
template <class T, class F>
inline void set_lanes(T* to, Mask lanes, F&& f) {
  if (lanes == all_lanes) {
#pragma GCC ivdep
    for (unsigned lane = 0; lane < lanes_per_warp; ++lane) to[lane] = f(lane);
  } else {
    for (; lanes != 0; lanes &= lanes - 1) {
      auto const lane = static_cast<unsigned>(std::countr_zero(lanes));
      to[lane] = f(lane);
    }
  }
}

/// One bit per lane for which f is true.
template <class F>
inline Mask bits_of(F&& f) {
  Mask bits = 0;
  for (unsigned lane = 0; lane < lanes_per_warp; ++lane) bits |= Mask{f(lane) ? 1U : 0U} << lane;
  return bits;
}

}  // namespace pantile_interpreter::ptx

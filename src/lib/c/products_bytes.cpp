// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <c/multiply.hpp>

namespace pantile::c {

HeldProducts products_of_bytes() {
  // Modulo 2^8 signs say nothing.
  constexpr auto same = held<std::int8_t, std::int8_t, std::int32_t>;
  static constexpr HeldProduct lines[] = {
      same(PANTILE_INT8, PANTILE_INT8, PANTILE_INT32), same(PANTILE_UINT8, PANTILE_UINT8, PANTILE_INT32),
      held<std::int8_t, std::int32_t>(PANTILE_INT8, PANTILE_INT32, PANTILE_INT32),
      held<std::uint8_t, std::int32_t>(PANTILE_UINT8, PANTILE_INT32, PANTILE_INT32)};
  return lines;
}

}  // namespace pantile::c

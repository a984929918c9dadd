// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <c/multiply.hpp>

namespace pantile::c {
namespace {

// Modulo 2^8 signs say nothing, and modulo 2^32 those of C and of the sums.
constexpr auto same = held<std::int8_t, std::int8_t, std::int32_t>;
constexpr auto wide = held<std::int8_t, std::int32_t>;
constexpr auto unsigned_wide = held<std::uint8_t, std::int32_t>;

}  // namespace

HeldProducts products_of_bytes() {
  static constexpr HeldProduct lines[] = {same(PANTILE_INT8, PANTILE_INT8, PANTILE_INT32),
                                          same(PANTILE_INT8, PANTILE_INT8, PANTILE_UINT32),
                                          same(PANTILE_UINT8, PANTILE_UINT8, PANTILE_INT32),
                                          same(PANTILE_UINT8, PANTILE_UINT8, PANTILE_UINT32),
                                          wide(PANTILE_INT8, PANTILE_INT32, PANTILE_INT32),
                                          wide(PANTILE_INT8, PANTILE_INT32, PANTILE_UINT32),
                                          wide(PANTILE_INT8, PANTILE_UINT32, PANTILE_INT32),
                                          wide(PANTILE_INT8, PANTILE_UINT32, PANTILE_UINT32),
                                          unsigned_wide(PANTILE_UINT8, PANTILE_INT32, PANTILE_INT32),
                                          unsigned_wide(PANTILE_UINT8, PANTILE_INT32, PANTILE_UINT32),
                                          unsigned_wide(PANTILE_UINT8, PANTILE_UINT32, PANTILE_INT32),
                                          unsigned_wide(PANTILE_UINT8, PANTILE_UINT32, PANTILE_UINT32)};
  return lines;
}

}  // namespace pantile::c

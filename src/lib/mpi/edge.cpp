// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pantile/impl/mpi/edge.hpp>

namespace pantile::impl::mpi {

FastSlow tile_of(FastSlow part, std::int64_t elements) {
  constexpr std::int64_t least_slow = 64;
  auto const fitting = [elements](std::int64_t extent, std::int64_t other) {
    return std::clamp<std::int64_t>(elements / std::max<std::int64_t>(other, 1), 1, std::max<std::int64_t>(extent, 1));
  };
  std::int64_t const fast = fitting(part.fast, std::min(part.slow, least_slow));
  return {fast, fitting(part.slow, fast)};
}

}  // namespace pantile::impl::mpi

// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  Numbers of hosts for matrices on many ranks. How each was measured, or that it is an estimate:
///        perf_tests/notes/tuning.md.

#include <cstddef>

namespace pantile::impl::arch::host {

/// Bytes of a tile of a rank's transposed part: a second-level cache of a core or two still has it when it is sent.
inline constexpr std::size_t sent_tile_bytes = std::size_t(4) << 20;
/// Bytes of a tile that ranks exchange, as of a pipeline's largest chunk.
inline constexpr std::size_t exchange_tile_bytes = std::size_t(8) << 20;
/// Bytes of a slab of a product's operand.
inline constexpr std::size_t product_slab_bytes = std::size_t(32) << 20;
/// Columns of the panels that a product on ranks sends and multiplies by. With twice ScaLAPACK's 32, C passes through
/// memory half as often, and ranks wait for each other half as often; more are too many where parts are small.
inline constexpr int product_panel_columns = 64;

}  // namespace pantile::impl::arch::host

// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  The way of commands whose operands memory does not hold: go through tiles, tell.

#include "commands/operands.hpp"
#include "io/npy_tiles.hpp"
#include "operations/tiled.hpp"

#include <cstdint>
#include <functional>
#include <string>

namespace pantile::driver {

/// A result that is computed tile by tile, and how.
struct TiledResult : Result {
  std::string options;  ///< of the operation, all that decide about bits
  std::uint64_t memory = 0;
  std::string plan;
  std::int64_t tiles = 0;
  double bytes_read = 0, bytes_written = 0, flops = 0;
};

using TiledWork = std::function<void(out_of_core::TileSink&, out_of_core::OutOfCoreOptions const&)>;

/// Computes the tiles by compute(sink, options), from the first that is not there yet where a run is resumed; then the
/// result's file gets its name. Prints and records what was done, and writes the report. Starts Kokkos. Throws
/// InputError for what tiles cannot do; FileError when the result's file cannot be had.
void run_by_tiles(Session& session, bool resume, Operands const& operands, TiledResult const& result,
                  TiledWork const& compute);

}  // namespace pantile::driver

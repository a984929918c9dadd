// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  The way of commands whose operands memory does not hold: plan, go through tiles, tell.

#include "commands/headers.hpp"
#include "commands/steps.hpp"
#include "io/npy_tiles.hpp"
#include "io/partial_file.hpp"
#include "operations/tiled.hpp"

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace pantile::driver {

/// A result that is computed tile by tile.
struct TiledResult {
  std::string_view name;
  ElementType type;
  Shape shape;
  std::string options;  ///< of the operation, all that decide about bits
  std::uint64_t memory = 0;
};

/// The result's file, and what is told of it.
class TiledRun {
 public:
  /// Throws InputError for what tiles cannot do; FileError when the result's file cannot be had.
  TiledRun(Session& session, TileArguments const& tiles, Headers const& headers, TiledResult const& result,
           std::string const& plan_text, std::int64_t tile_count);

  out_of_core::TileSink& sink() { return m_sink; }

  /// compute(options), then the file gets its name. Kokkos must run.
  void run(std::function<void(out_of_core::OutOfCoreOptions const&)> const& compute);

  /// Prints and records times and rates, and writes the report.
  void report(double bytes_read, double bytes_written, double flops);

 private:
  void tell_and_record(std::int64_t tiles);

  Session& m_session;
  TiledResult m_result;
  std::string m_plan_text;
  std::int64_t m_tiles;
  PartialFile m_file;
  NpySink m_sink;
  std::int64_t m_resumed;
  std::chrono::steady_clock::time_point m_recorded{};
  double m_seconds = 0;
};

}  // namespace pantile::driver

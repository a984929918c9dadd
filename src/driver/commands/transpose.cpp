// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "commands/commands.hpp"
#include "commands/steps.hpp"
#include "commands/tiles.hpp"
#include "io/file_error.hpp"
#include "io/matrix_file.hpp"

namespace pantile::driver {

namespace {

void run_by_tiles(TransposeArguments const& arguments, Session& session, Operands const& operands, Result const& b,
                  std::uint64_t memory) {
  NpySource source(operands[0].path, operands[0].file);
  FutureSink future(store_shape(b.type, b.shape, arguments.common.order));
  auto const task = [&](out_of_core::TileSink& sink) {
    return TiledTranspose{.a = source, .b = sink, .type = b.type, .options = arguments.options};
  };
  auto const chosen = naming_operands(operands, [&] { return plan(task(future), {.memory = memory}); });
  TiledResult const result{b,
                           arguments.options.conjugate ? "conjugate transpose" : "transpose",
                           memory,
                           concat(chosen.tile_rows, " x ", chosen.tile_cols),
                           chosen.tiles(),
                           chosen.bytes_read,
                           chosen.bytes_written};
  run_by_tiles(session, arguments.tiles.resume, operands, result,
               [&](auto& sink, auto const& options) { run(task(sink), options); });
}

}  // namespace

void run_command(TransposeArguments const& arguments, Session& session) {
  Operands operands = look_at_operands(session, arguments.tiles);
  require_rank(operands[0], "transpose", 2);
  Array const& a = operands[0].array;
  require_conjugates(a.type, arguments.options);
  require_matrix_file_takes(arguments.common.output, a.type, a.shape);
  Result const result{"B", a.type, {a.shape[1], a.shape[0]}};
  auto const memory = budget(session, arguments.tiles, operands, result);
  if (memory) return run_by_tiles(arguments, session, operands, result, *memory);

  read_operands(session, operands);
  Array b = make_result(result, arguments.common.order);
  run_and_write(session, operands, TransposeTask{.a = a, .b = b, .options = arguments.options}, "B", b);
}

}  // namespace pantile::driver

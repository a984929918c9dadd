// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "commands/commands.hpp"
#include "commands/steps.hpp"
#include "commands/tiles.hpp"
#include "io/matrix_file.hpp"

namespace pantile::driver {

namespace {

void run_by_tiles(TransposeArguments const& arguments, Session& session, Headers const& headers, std::uint64_t memory) {
  require_no_runs(session, memory);
  Array const& a = headers[0].array;
  TiledResult const result{.name = "B",
                           .type = a.type,
                           .shape = {a.shape[1], a.shape[0]},
                           .options = arguments.options.conjugate ? "conjugate transpose" : "transpose",
                           .memory = memory};
  NpySource source(arguments.input, headers[0].file);
  FutureSink future(store_shape(result.type, result.shape, arguments.common.order));
  auto const task = [&](out_of_core::TileSink& sink) {
    return TiledTranspose{.a = source, .b = sink, .type = a.type, .options = arguments.options};
  };
  auto const chosen = naming_operands(headers.operands(), [&] { return plan(task(future), {.memory = memory}); });
  TiledRun tiled(session, arguments.tiles, headers, result,
                 std::to_string(chosen.tile_rows) + " x " + std::to_string(chosen.tile_cols), chosen.tiles());
  session.start_kokkos();
  naming_operands(headers.operands(), [&] {
    tiled.run([&](out_of_core::OutOfCoreOptions const& options) { run(task(tiled.sink()), options); });
  });
  tiled.report(chosen.bytes_read, chosen.bytes_written, 0);
}

}  // namespace

void run_command(TransposeArguments const& arguments, Session& session) {
  require_output(session, arguments.inputs());
  Headers const headers(session, arguments.tiles, {{"A", arguments.input}});
  if (headers.known()) {
    require_rank(headers.operands()[0], "transpose", 2);
    Array const& a = headers[0].array;
    require_conjugates(a.type, arguments.options);
    require_matrix_file_takes(arguments.common.output, a.type, a.shape);
    auto const memory = headers.budget(session, arguments.tiles, {"B", a.type, {a.shape[1], a.shape[0]}});
    if (memory) return run_by_tiles(arguments, session, headers, *memory);
  }
  Array const a = read_operand(session, "A", arguments.input);
  std::vector<NamedArray> const operands{{"A", arguments.input, a}};
  require_rank(operands[0], "transpose", 2);

  Array b = make_result("B", a.type, {a.shape[1], a.shape[0]}, arguments.common.order);
  TransposeTask const task{.a = a, .b = b, .options = arguments.options};
  run_and_write(session, operands, task, "B", b);
}

}  // namespace pantile::driver

// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "commands/commands.hpp"
#include "commands/steps.hpp"
#include "commands/tiles.hpp"
#include "io/file_error.hpp"

#include <optional>

namespace pantile::driver {

namespace {

/// In the library's words, before anything is read.
void require_inner_extents(MatmulArguments const& arguments, Operands const& operands) {
  std::size_t const cols = operands[0].array.shape[transposes(arguments.options.op_a) ? 0 : 1];
  std::size_t const rows = operands[1].array.shape[transposes(arguments.options.op_b) ? 1 : 0];
  if (cols == rows) return;
  throw InputError(concat("matmul: columns of op(A) (", cols, ") must equal rows of op(B) (", rows, "); ",
                          describe(operands[0]), ", ", describe(operands[1])));
}

/// Of A, B and, where given, C's old values. Throws InputError for what no product takes.
Result result_of(MatmulArguments const& arguments, Operands const& operands) {
  for (Operand const& operand : operands) require_rank(operand, "matmul", 2);
  require_inner_extents(arguments, operands);
  Array const &a = operands[0].array, &b = operands[1].array;
  Result const result{.name = "C",
                      .type = matmul_result_type(a.type, b.type),
                      .shape = {a.shape[transposes(arguments.options.op_a) ? 1 : 0],
                                b.shape[transposes(arguments.options.op_b) ? 0 : 1]}};
  if (!result.shape.fits(element_size(result.type))) {
    throw InputError("C would have shape " + result.shape.text() + ", which is 2^63 bytes or more");
  }
  if (operands.size() < 3) return result;
  if (Array const& c = operands[2].array; c.type == result.type && c.shape == result.shape) return result;
  throw InputError("matmul: C must be " + std::to_string(result.shape[0]) + "x" + std::to_string(result.shape[1]) +
                   " " + element_name(result.type) + " (rows of op(A) by columns of op(B)); " + describe(operands[2]));
}

/// All that decides about bits.
std::string options_text(MatmulArguments const& arguments, ElementType result) {
  MatmulOptions const& o = arguments.options;
  char const kind = element_info(result).kind;
  bool const is_rounded = kind != 'i' && kind != 'u';
  return concat("matmul of ", to_string(o.op_a), " and ", to_string(o.op_b), ", alpha ", arguments.alpha.text(),
                ", beta ", arguments.beta.text(), ", sums in ",
                arguments.accumulator ? element_name(*arguments.accumulator) : "their own type", ", algorithm ",
                to_string(o.algorithm), " ", o.tile.m, "x", o.tile.n, "x", o.tile.k,
                is_rounded ? ", rounded by " + rounding_text() : "");
}

void run_by_tiles(MatmulArguments const& arguments, Session& session, Operands const& operands, Result const& c,
                  std::uint64_t memory) {
  NpySource a(operands[0].path, operands[0].file), b(operands[1].path, operands[1].file);
  std::optional<NpySource> old;
  if (operands.size() > 2) old.emplace(operands[2].path, operands[2].file);
  FutureSink future(store_shape(c.type, c.shape, arguments.common.order));
  auto const task = [&](out_of_core::TileSink& sink) {
    return TiledMatmul{.a = a,
                       .b = b,
                       .c_in = old ? &*old : nullptr,
                       .c = sink,
                       .type = operands[0].array.type,
                       .alpha = arguments.alpha,
                       .beta = arguments.beta,
                       .options = arguments.options,
                       .accumulator = arguments.accumulator};
  };
  auto const chosen = naming_operands(operands, [&] { return plan(task(future), {.memory = memory}); });
  double const products = static_cast<double>(chosen.m) * static_cast<double>(chosen.n) * static_cast<double>(chosen.k);
  char const* const stays = chosen.keeps_a ? ", panels of A stay" : chosen.keeps_b ? ", panels of B stay" : "";
  TiledResult const result{c,
                           options_text(arguments, c.type),
                           memory,
                           concat(chosen.tile_rows, " x ", chosen.tile_cols, " x ", chosen.depth, stays),
                           chosen.tiles(),
                           chosen.bytes_read,
                           chosen.bytes_written,
                           (element_info(c.type).kind == 'c' ? 8 : 2) * products};
  run_by_tiles(session, arguments.tiles.resume, operands, result,
               [&](auto& sink, auto const& options) { run(task(sink), options); });
}

}  // namespace

void run_command(MatmulArguments const& arguments, Session& session) {
  Operands operands = look_at_operands(session, arguments.tiles);
  Result const result = result_of(arguments, operands);
  auto const memory = budget(session, arguments.tiles, operands, result);
  if (memory) return run_by_tiles(arguments, session, operands, result, *memory);

  read_operands(session, operands);
  Array c = make_result(result, arguments.common.order);
  MatmulTask const task{.a = operands[0].array,
                        .b = operands[1].array,
                        .c_in = operands.size() > 2 ? &operands[2].array : nullptr,
                        .c = c,
                        .alpha = arguments.alpha,
                        .beta = arguments.beta,
                        .options = arguments.options,
                        .accumulator = arguments.accumulator};
  run_and_write(session, operands, task, "C", c);
}

}  // namespace pantile::driver

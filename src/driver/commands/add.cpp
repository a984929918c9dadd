// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "commands/commands.hpp"
#include "commands/headers.hpp"
#include "commands/steps.hpp"

namespace pantile::driver {

namespace {

void require_alike(std::vector<NamedArray> const& operands) {
  for (NamedArray const& operand : operands) require_rank(operand, "add", 2);
  Array const &a = operands[0].array, &b = operands[1].array;
  char const* const what = a.type != b.type ? "element type" : a.shape != b.shape ? "extents" : nullptr;
  if (what == nullptr) return;
  throw InputError(std::string("add: A and B must have the same ") + what + "; " + describe(operands[0]) + ", " +
                   describe(operands[1]));
}

}  // namespace

void run_command(AddArguments const& arguments, Session& session) {
  require_output(session, arguments.inputs());
  Headers const headers(session, {}, {{"A", arguments.a}, {"B", arguments.b}});
  if (headers.known()) {
    require_alike(headers.operands());
    headers.require_room(session, {"C", headers[0].array.type, headers[0].array.shape});
  }
  Array const a = read_operand(session, "A", arguments.a);
  Array const b = read_operand(session, "B", arguments.b);
  std::vector<NamedArray> const operands{{"A", arguments.a, a}, {"B", arguments.b, b}};
  require_alike(operands);

  Array c = make_result("C", a.type, a.shape, arguments.common.order);
  AddTask const task{
      .a = a, .b = b, .c = c, .alpha = arguments.alpha, .beta = arguments.beta, .options = arguments.options};
  run_and_write(session, operands, task, "C", c);
}

}  // namespace pantile::driver

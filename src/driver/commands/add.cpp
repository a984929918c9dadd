// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "commands/commands.hpp"
#include "commands/steps.hpp"

namespace pantile::driver {

namespace {

void require_alike(Operands const& operands) {
  for (Operand const& operand : operands) require_rank(operand, "add", 2);
  Array const &a = operands[0].array, &b = operands[1].array;
  char const* const what = a.type != b.type ? "element type" : a.shape != b.shape ? "extents" : nullptr;
  if (what == nullptr) return;
  throw InputError(std::string("add: A and B must have the same ") + what + "; " + describe(operands));
}

}  // namespace

void run_command(AddArguments const& arguments, Session& session) {
  Operands operands = look_at_operands(session);
  require_alike(operands);
  Array const &a = operands[0].array, &b = operands[1].array;
  Result const result{"C", a.type, a.shape};
  require_room(session, operands, result);

  read_operands(session, operands);
  Array c = make_result(result, arguments.common.order);
  AddTask const task{
      .a = a, .b = b, .c = c, .alpha = arguments.alpha, .beta = arguments.beta, .options = arguments.options};
  run_and_write(session, operands, task, "C", c);
}

}  // namespace pantile::driver

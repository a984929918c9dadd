// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "commands/commands.hpp"
#include "commands/steps.hpp"

namespace pantile::driver {

void run_command(AddArguments const& arguments, Session& session) {
  require_output(session, arguments.inputs());
  Array const a = read_operand(session, "A", arguments.a);
  Array const b = read_operand(session, "B", arguments.b);
  std::vector<NamedArray> const operands{{"A", arguments.a, a}, {"B", arguments.b, b}};
  for (NamedArray const& operand : operands) require_rank(operand, "add", 2);
  if (a.type != b.type) {
    throw InputError("add: A and B must have the same element type; " + describe(operands[0]) + ", " +
                     describe(operands[1]));
  }

  Array c = make_result("C", a.type, a.shape, arguments.common.order);
  session.start_kokkos();
  AddTask const task{
      .a = a, .b = b, .c = c, .alpha = arguments.alpha, .beta = arguments.beta, .options = arguments.options};
  Measurement const measurement = naming_operands(operands, [&] { return run(task, run_options(session)); });
  report_measurement(session, measurement);
  require_verified(measurement);
  write_result(session, "C", c);
}

}  // namespace pantile::driver

// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "commands/commands.hpp"
#include "commands/steps.hpp"

namespace pantile::driver {

void run_command(TransposeArguments const& arguments, Session& session) {
  require_output(session, arguments.inputs());
  Array const a = read_operand(session, "A", arguments.input);
  std::vector<NamedArray> const operands{{"A", arguments.input, a}};
  require_rank(operands[0], "transpose", 2);

  Array b = make_result("B", a.type, {a.shape[1], a.shape[0]}, arguments.common.order);
  session.start_kokkos();
  TransposeTask const task{.a = a, .b = b, .options = arguments.options};
  Measurement const measurement = naming_operands(operands, [&] { return run(task, run_options(session)); });
  report_measurement(session, measurement);
  require_verified(measurement);
  write_result(session, "B", b);
}

}  // namespace pantile::driver

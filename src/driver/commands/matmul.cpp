// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "commands/commands.hpp"
#include "commands/steps.hpp"

#include <optional>

namespace pantile::driver {

void run_command(MatmulArguments const& arguments, Session& session) {
  require_output(session, arguments.inputs());
  Array const a = read_operand(session, "A", arguments.a);
  Array const b = read_operand(session, "B", arguments.b);
  std::optional<Array> c_in;
  if (!arguments.c_in.empty()) c_in = read_operand(session, "C_in", arguments.c_in);

  std::vector<NamedArray> operands{{"A", arguments.a, a}, {"B", arguments.b, b}};
  if (c_in) operands.push_back({"C", arguments.c_in, *c_in});
  for (NamedArray const& operand : operands) require_rank(operand, "matmul", 2);
  ElementType const type = matmul_result_type(a.type, b.type);
  Shape const shape{a.shape[transposes(arguments.options.op_a) ? 1 : 0],
                    b.shape[transposes(arguments.options.op_b) ? 0 : 1]};
  if (c_in && (c_in->type != type || c_in->shape != shape)) {
    throw InputError("matmul: C must be " + std::to_string(shape[0]) + "x" + std::to_string(shape[1]) + " " +
                     element_name(type) + " (rows of op(A) by columns of op(B)); " + describe(operands.back()));
  }

  Array c = make_result("C", type, shape, arguments.common.order);
  session.start_kokkos();
  MatmulTask const task{.a = a,
                        .b = b,
                        .c_in = c_in ? &*c_in : nullptr,
                        .c = c,
                        .alpha = arguments.alpha,
                        .beta = arguments.beta,
                        .options = arguments.options,
                        .accumulator = arguments.accumulator};
  Measurement const measurement = naming_operands(operands, [&] { return run(task, run_options(session)); });
  report_measurement(session, measurement);
  require_verified(measurement);
  write_result(session, "C", c);
}

}  // namespace pantile::driver

// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  The steps that the commands share.

#include "commands/operands.hpp"
#include "operations/operations.hpp"

namespace pantile::driver {

/// An array to be filled in. Throws InputError when memory does not suffice.
Array make_result(Result const& result, Order order);

/// What the command line says of runs and verification.
RunOptions run_options(Session const& session);

/// Puts the path taken, times and rates into the fields.
void record_measurement(Fields& fields, Measurement const& measurement);

/// The same, and prints them.
void report_measurement(Session& session, Measurement const& measurement);

/// Writes the result and, where asked for, the report. Throws InputError when the oracle found a wrong element.
void write_result(Session& session, Measurement const& measurement, std::string_view name, Array const& array);

/// Runs the task and writes its result, where that is right. Starts Kokkos.
template <class Task>
void run_and_write(Session& session, Operands const& operands, Task const& task, std::string_view name,
                   Array const& result) {
  session.start_kokkos();
  Measurement const measurement = naming_operands(operands, [&] { return run(task, run_options(session)); });
  report_measurement(session, measurement);
  write_result(session, measurement, name, result);
}

}  // namespace pantile::driver

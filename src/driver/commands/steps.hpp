// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  The steps that the commands share.

#include "errors.hpp"
#include "io/array.hpp"
#include "operations/operations.hpp"
#include "session.hpp"

#include <pantile/error.hpp>

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace pantile::driver {

/// An operand and the file that it came from, for messages.
struct NamedArray {
  std::string_view name;
  std::filesystem::path const& path;
  Array const& array;
};

/// "3x4"
std::string extents(Shape const& shape);

/// "A 'a.npy' 3x4 float32"
std::string describe(NamedArray const& operand);

/// Throws FileError or InputError unless the result can be written to its file, which is not the report's and, but with
/// --force, none of these.
void require_output(Session const& session, std::vector<std::filesystem::path> const& inputs);

/// Reads a file; prints and records what it holds and the time. Throws FileError.
Array read_operand(Session& session, std::string_view name, std::filesystem::path const& path);

/// Prints and records what an operand holds that is not read as a whole, or such a result; `word` stands before the
/// file: "in", "to".
void describe_matrix(Session& session, NamedArray const& matrix, std::string_view word);

/// Throws InputError unless operands in memory are not asked for, by --verify or --repeat.
void require_no_runs(Session const& session, std::uint64_t memory);

/// Throws InputError unless the array has this many dimensions.
void require_rank(NamedArray const& operand, std::string_view operation, std::size_t rank);

/// An array to be filled in. Throws InputError when memory does not suffice.
Array make_result(std::string_view name, ElementType type, Shape const& shape, Order order);

/// What the command line says of runs and verification.
RunOptions run_options(Session const& session);

/// Puts the path taken, times and rates into the fields.
void record_measurement(Fields& fields, Measurement const& measurement);

/// The same, and prints them.
void report_measurement(Session& session, Measurement const& measurement);

/// Throws VerificationError when the oracle found a wrong element.
void require_verified(Measurement const& measurement);

/// Writes the result and, where asked for, the report.
void write_result(Session& session, std::string_view name, Array const& array);

/// f(), with the library's refusals in the words of the driver: the rule, and the operands by their files.
template <class F>
auto naming_operands(std::vector<NamedArray> const& operands, F const& f) {
  try {
    return f();
  } catch (pantile::Error const& error) {
    std::string text = error.operation() + ": " + error.rule();
    char const* separator = "; ";
    for (NamedArray const& operand : operands) {
      text += separator + describe(operand);
      separator = ", ";
    }
    throw InputError(text);
  }
}

/// Runs the task and writes its result, where that is right. Starts Kokkos.
template <class Task>
void run_and_write(Session& session, std::vector<NamedArray> const& operands, Task const& task, std::string_view name,
                   Array const& result) {
  session.start_kokkos();
  Measurement const measurement = naming_operands(operands, [&] { return run(task, run_options(session)); });
  report_measurement(session, measurement);
  require_verified(measurement);
  write_result(session, name, result);
}

}  // namespace pantile::driver

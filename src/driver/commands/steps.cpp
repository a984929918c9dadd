// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "commands/steps.hpp"

#include "io/file_error.hpp"
#include "io/file_stream.hpp"
#include "io/matrix_file.hpp"
#include "io/memory.hpp"

#include <chrono>
#include <new>

namespace pantile::driver {

std::string extents(Shape const& shape) {
  std::string text;
  for (std::size_t extent : shape.extents()) text += (text.empty() ? "" : "x") + std::to_string(extent);
  return text;
}

namespace {

template <class F>
double seconds(F const& f) {
  auto const start = std::chrono::steady_clock::now();
  f();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

std::string contents(Array const& array) {
  bool const matrix = array.shape.rank() > 1;
  return extents(array.shape) + " " + element_name(array.type) +
         (!matrix                   ? ""
          : array.order == Order::c ? ", C order"
                                    : ", Fortran order");
}

void record(Session& session, std::string_view name, std::filesystem::path const& path, Array const& array) {
  std::string const prefix = "operands." + std::string(name) + ".";
  Report& report = session.report();
  report.set(prefix + "file", path.string());
  report.set(prefix + "shape", extents(array.shape));
  report.set(prefix + "type", element_name(array.type));
  report.set(prefix + "order", array.order == Order::c ? "C" : "F");
}

std::string plural(int count, std::string_view noun) {
  return std::to_string(count) + " " + std::string(noun) + (count == 1 ? "" : "s");
}

}  // namespace

std::string describe(NamedArray const& operand) {
  return std::string(operand.name) + " " + path_in_quotes(operand.path) + " " + extents(operand.array.shape) + " " +
         element_name(operand.array.type);
}

void require_output(Session const& session, std::vector<std::filesystem::path> const& inputs) {
  std::filesystem::path const& output = session.common().output;
  require_matrix_file_writable(output);
  session.require_not_report(output);
  if (session.common().force || is_standard_stream(output)) return;
  for (std::filesystem::path const& input : inputs) {
    if (input.empty() || !is_same_matrix(input, output)) continue;
    throw InputError("the result would overwrite the operand " + path_in_quotes(input) + ", which --force allows");
  }
}

Array read_operand(Session& session, std::string_view name, std::filesystem::path const& path) {
  session.require_not_report(path);
  Array array;
  double const time =
      seconds([&] { array = read_matrix_file(path, session.progress("reading " + path_in_quotes(path))); });
  session.report().line(name, contents(array) + " from " + path_in_quotes(path) + ", read in " + format_seconds(time));
  record(session, name, path, array);
  session.report().set("time.read_" + std::string(name), time);
  return array;
}

void describe_matrix(Session& session, NamedArray const& matrix, std::string_view word) {
  session.report().line(matrix.name, concat(contents(matrix.array), " ", word, " ", path_in_quotes(matrix.path)));
  record(session, matrix.name, matrix.path, matrix.array);
}

void require_no_runs(Session const& session, std::uint64_t memory) {
  if (!session.common().verify && session.common().repeat == 0) return;
  throw InputError("--verify and --repeat need operands and result in memory, which " + format_bytes(memory) +
                   " do not hold");
}

void require_rank(NamedArray const& operand, std::string_view operation, std::size_t rank) {
  std::size_t const found = operand.array.shape.rank();
  if (found == rank) return;
  throw InputError(std::string(operation) + ": " + std::string(operand.name) + " must have " +
                   plural(static_cast<int>(rank), "dimension") + ", but " + path_in_quotes(operand.path) + " has " +
                   std::to_string(found) + " with shape " + operand.array.shape.text());
}

Array make_result(std::string_view name, ElementType type, Shape const& shape, Order order) {
  Array array{.type = type, .shape = shape, .order = order, .storage = {}};
  try {
    if (!shape.fits(element_size(type))) throw std::bad_alloc();
    array.storage = AlignedBytes(shape.count() * element_size(type));
  } catch (std::bad_alloc const&) {
    throw InputError(std::string(name) + " would have " + extents(shape) + " elements of " + element_name(type) +
                     ", for which this machine does not give the memory");
  }
  return array;
}

RunOptions run_options(Session const& session) {
  return {
      .repeat = session.common().repeat, .verify = session.common().verify, .progress = session.progress("verifying")};
}

void report_measurement(Session& session, Measurement const& measurement) {
  Explanation const& e = measurement.explanation;
  double const second = measurement.second_run();
  auto const rate = [&](double work) { return second > 0 ? work / second : 0; };
  auto const repeats = static_cast<int>(measurement.later_runs.size());

  session.report().line("path", e.path);
  session.report().line("because", e.reason);
  session.report().line("launch", "tile " + e.tile + ", " + std::to_string(e.league_size) + " x " +
                                      std::to_string(e.team_size) + " threads, " + std::to_string(e.scratch_bytes) +
                                      " bytes of scratch per team");
  session.report().line("transfer", format_seconds(measurement.transfer_in) + " in, " +
                                        format_seconds(measurement.transfer_out) + " out");
  session.report().line("first run", format_seconds(measurement.first_run));
  if (repeats > 0) {
    session.report().line("second run",
                          format_seconds(second) + (repeats > 1 ? ", median of " + plural(repeats, "run") : ""));
  }
  session.report().line(
      "rate", (e.flops > 0 ? format_giga(rate(e.flops), "GFLOP/s") + ", " : "") + format_giga(rate(e.bytes), "GB/s"));
  if (measurement.verification) {
    Verification const& v = *measurement.verification;
    std::string const verdict = !v.first_wrong.empty() ? "WRONG"
                                : v.largest_error == 0.0
                                    ? "equal"
                                    : "largest error " + std::to_string(v.largest_fraction) + " of its bound";
    std::string const exception = v.unproved == 0 ? ""
                                                  : "; nothing is proved of " + std::to_string(v.unproved) +
                                                        ", whose sums may overflow or lose all digits";
    session.report().line("verified", v.scope + " against " + v.oracle + ": " + verdict + exception);
  }
  record_measurement(session.report(), measurement);
}

void record_measurement(Fields& fields, Measurement const& measurement) {
  Explanation const& e = measurement.explanation;
  double const second = measurement.second_run();
  fields.set("algorithm", e.algorithm);
  fields.set("path", e.path);
  fields.set("reason", e.reason);
  fields.set("tile", e.tile);
  fields.set("league_size", e.league_size);
  fields.set("team_size", e.team_size);
  fields.set("scratch_bytes", e.scratch_bytes);
  fields.set("flops", e.flops);
  fields.set("bytes", e.bytes);
  fields.set("time.transfer_in", measurement.transfer_in);
  fields.set("time.transfer_out", measurement.transfer_out);
  fields.set("time.first_run", measurement.first_run);
  if (!measurement.later_runs.empty()) fields.set("time.second_run", second);
  fields.set("time.repeats", measurement.later_runs.size());
  fields.set("rate.flops_per_s", second > 0 ? e.flops / second : 0);
  fields.set("rate.bytes_per_s", second > 0 ? e.bytes / second : 0);
  if (measurement.verification) {
    Verification const& v = *measurement.verification;
    fields.set("verification.passed", v.first_wrong.empty());
    fields.set("verification.scope", v.scope);
    fields.set("verification.oracle", v.oracle);
    fields.set("verification.unproved", v.unproved);
    fields.set("verification.largest_error", v.largest_error);
    fields.set("verification.largest_fraction_of_bound", v.largest_fraction);
  }
}

void require_verified(Measurement const& measurement) {
  if (!measurement.verification || measurement.verification->first_wrong.empty()) return;
  throw VerificationError("the result of " + measurement.explanation.path +
                          " is wrong: " + measurement.verification->first_wrong + "; nothing is written");
}

void write_result(Session& session, std::string_view name, Array const& array) {
  std::filesystem::path const& path = session.common().output;
  double const time =
      seconds([&] { write_matrix_file(path, array.view(), session.progress("writing " + path_in_quotes(path))); });
  session.report().line(name, contents(array) + " to " + path_in_quotes(path) + ", written in " + format_seconds(time));
  record(session, name, path, array);
  session.report().set("time.write", time);
  session.write_report();
}

}  // namespace pantile::driver

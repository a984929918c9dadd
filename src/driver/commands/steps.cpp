// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "commands/steps.hpp"

#include "io/file_error.hpp"
#include "io/matrix_file.hpp"

#include <new>

namespace pantile::driver {

Array make_result(Result const& result, Order order) {
  auto const& [name, type, shape] = result;
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
  std::size_t const repeats = measurement.later_runs.size();

  session.report().line("path", e.path);
  session.report().line("because", e.reason);
  session.report().line("launch", "tile " + e.tile + ", " + std::to_string(e.league_size) + " x " +
                                      std::to_string(e.team_size) + " threads, " + std::to_string(e.scratch_bytes) +
                                      " bytes of scratch per team");
  session.report().line("transfer", format_seconds(measurement.transfer_in) + " in, " +
                                        format_seconds(measurement.transfer_out) + " out");
  session.report().line("first run", format_seconds(measurement.first_run));
  if (repeats > 0) {
    session.report().line(
        "second run", format_seconds(second) + (repeats > 1 ? ", median of " + std::to_string(repeats) + " runs" : ""));
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

void write_result(Session& session, Measurement const& measurement, std::string_view name, Array const& array) {
  if (measurement.verification && !measurement.verification->first_wrong.empty()) {
    throw InputError("the result of " + measurement.explanation.path +
                     " is wrong: " + measurement.verification->first_wrong + "; nothing is written");
  }
  std::filesystem::path const& path = session.common().output;
  double const time =
      seconds([&] { write_matrix_file(path, array.view(), session.progress("writing " + path_in_quotes(path))); });
  tell_matrix(session, name, path, array.view(), "to", ", written in " + format_seconds(time));
  session.report().set("time.write", time);
  session.write_report();
}

}  // namespace pantile::driver

// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "commands/tiles.hpp"

#include "io/file_error.hpp"
#include "io/memory.hpp"
#include "io/partial_file.hpp"

#include <chrono>

namespace pantile::driver {

namespace {

/// Between records in the journal: the disk has its work at any time, and little is computed anew.
constexpr std::chrono::milliseconds between_records{100};

std::string order_text(Order order) { return order == Order::c ? "C order" : "Fortran order"; }

Identity identity_of(Operands const& operands, Order order, TiledResult const& result) {
  Identity lines{result.options};
  for (Operand const& operand : operands) {
    lines.push_back(concat(operand.name, " ", operand.array.shape.text(), " ", element_name(operand.array.type), ", ",
                           order_text(operand.array.order), ", ", operand.file.size, " bytes, changed ",
                           operand.file.changed));
  }
  lines.push_back(
      concat(result.name, " ", result.shape.text(), " ", element_name(result.type), ", ", order_text(order)));
  lines.push_back(concat(journal_memory, result.memory));
  lines.push_back(concat("tiles ", result.plan));
  return lines;
}

/// The tiles from the file's on, and their end. \return  seconds
double compute_tiles(Session const& session, PartialFile& file, TiledResult const& result, TiledWork const& compute) {
  std::filesystem::path const& output = session.common().output;
  NpySink sink(output, file, store_shape(result.type, result.shape, session.common().order));
  Progress const progress = session.progress("computing " + path_in_quotes(output));
  int percent = -1;
  auto const tell = [&](double done) {
    int const now = static_cast<int>(100 * done);
    if (now == percent || !progress) return;
    percent = now;
    progress(static_cast<std::uint64_t>(now), 100);
  };
  auto recorded = std::chrono::steady_clock::now();
  auto const record = [&](std::int64_t tiles) {
    if (tiles == result.tiles || std::chrono::steady_clock::now() - recorded < between_records) return;
    file.record(tiles);
    recorded = std::chrono::steady_clock::now();
  };
  return seconds([&] {
    compute(sink, {.memory = static_cast<std::size_t>(result.memory),
                   .first_tile = file.parts(),
                   .on_tile = record,
                   .on_progress = tell});
    file.commit();
  });
}

void report_tiles(Session& session, TiledResult const& result, std::int64_t resumed, double time) {
  double const part =
      result.tiles == 0 ? 1 : static_cast<double>(result.tiles - resumed) / static_cast<double>(result.tiles);
  auto const rate = [&](double work) { return time > 0 ? part * work / time : 0; };
  Report& report = session.report();
  double const bytes = result.bytes_read + result.bytes_written;
  report.line("traffic", format_bytes(static_cast<std::uint64_t>(result.bytes_read)) + " read, " +
                             format_bytes(static_cast<std::uint64_t>(result.bytes_written)) + " written by all tiles");
  report.line("run", format_seconds(time) + " with all reads and writes");
  report.line("rate", (result.flops > 0 ? format_giga(rate(result.flops), "GFLOP/s") + ", " : "") +
                          format_giga(rate(bytes), "GB/s") + " of files");
  tell_matrix(session, result.name, session.common().output, {result.type, result.shape, session.common().order}, "to");
  report.set("traffic.read", result.bytes_read);
  report.set("traffic.written", result.bytes_written);
  report.set("flops", result.flops);
  report.set("time.run", time);
  report.set("rate.flops_per_s", rate(result.flops));
  report.set("rate.bytes_per_s", rate(bytes));
  session.write_report();
}

}  // namespace

void run_by_tiles(Session& session, bool resume, Operands const& operands, TiledResult const& result,
                  TiledWork const& compute) {
  CommonArguments const& common = session.common();
  PartialFile file(common.output, result.type, result.shape, common.order, identity_of(operands, common.order, result),
                   resume);
  std::int64_t const resumed = file.parts();
  for (Operand const& operand : operands) {
    tell_matrix(session, operand.told_name(), operand.path, operand.array.view(), "in");
  }
  Report& report = session.report();
  report.line("tiles", result.plan + ", " + std::to_string(result.tiles) + " in " + format_bytes(result.memory) +
                           (resumed == 0 ? "" : ", " + std::to_string(resumed) + " of them there already"));
  report.set("tiles.plan", result.plan);
  report.set("tiles.memory", result.memory);
  report.set("tiles.count", result.tiles);
  report.set("tiles.resumed", resumed);
  session.start_kokkos();
  double time = 0;
  try {
    time = naming_operands(operands, [&] { return compute_tiles(session, file, result, compute); });
  } catch (FileError const& error) {
    if (file.parts() == 0) throw;
    throw FileError(concat(error.what(), "; --resume goes on after ", file.parts(), " of ", result.tiles, " tiles"));
  }
  report_tiles(session, result, resumed, time);
}

}  // namespace pantile::driver

// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "commands/tiles.hpp"

#include "io/file_error.hpp"
#include "io/memory.hpp"

namespace pantile::driver {

namespace {

using Clock = std::chrono::steady_clock;

/// Between records in the journal: the disk has its work at any time, and little is computed anew.
constexpr std::chrono::milliseconds between_records{100};

std::string order_text(Order order) { return order == Order::c ? "C order" : "Fortran order"; }

Identity identity_of(Headers const& headers, Session const& session, TiledResult const& result,
                     std::string const& plan_text) {
  Identity lines{result.options};
  for (NamedArray const& operand : headers.operands()) {
    HeaderOperand const& header = headers[lines.size() - 1];
    lines.push_back(concat(operand.name, " ", operand.array.shape.text(), " ", element_name(operand.array.type), ", ",
                           order_text(operand.array.order), ", ", header.file.size, " bytes, changed ",
                           header.file.changed));
  }
  lines.push_back(concat(result.name, " ", result.shape.text(), " ", element_name(result.type), ", ",
                         order_text(session.common().order)));
  lines.push_back(concat(journal_memory, result.memory));
  lines.push_back(concat("tiles ", plan_text));
  return lines;
}

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

}  // namespace

TiledRun::TiledRun(Session& session, TileArguments const& tiles, Headers const& headers, TiledResult const& result,
                   std::string const& plan_text, std::int64_t tile_count)
    : m_session(session),
      m_result(result),
      m_plan_text(plan_text),
      m_tiles(tile_count),
      m_file(session.common().output, result.type, result.shape, session.common().order,
             identity_of(headers, session, result, plan_text), tiles.resume),
      m_sink(session.common().output, m_file, store_shape(result.type, result.shape, session.common().order)),
      m_resumed(m_file.parts()) {
  for (NamedArray const& operand : headers.operands()) {
    // Old values of C are told as where they are read as a whole.
    std::string_view const name = operand.name == result.name ? "C_in" : operand.name;
    describe_matrix(session, {name, operand.path, operand.array}, "in");
  }
  std::string const again = m_resumed == 0 ? "" : ", " + std::to_string(m_resumed) + " of them there already";
  session.report().line("tiles",
                        plan_text + ", " + std::to_string(m_tiles) + " in " + format_bytes(result.memory) + again);
  session.report().set("tiles.plan", plan_text);
  session.report().set("tiles.memory", result.memory);
  session.report().set("tiles.count", m_tiles);
  session.report().set("tiles.resumed", m_resumed);
}

void TiledRun::tell_and_record(std::int64_t tiles) {
  if (tiles == m_tiles || Clock::now() - m_recorded < between_records) return;
  m_file.record(tiles);
  m_recorded = Clock::now();
}

void TiledRun::run(std::function<void(out_of_core::OutOfCoreOptions const&)> const& compute) {
  Progress const progress = m_session.progress("computing " + path_in_quotes(m_session.common().output));
  int percent = -1;
  auto const tell = [&](double done) {
    int const now = static_cast<int>(100 * done);
    if (now == percent || !progress) return;
    percent = now;
    progress(static_cast<std::uint64_t>(now), 100);
  };
  auto const start = m_recorded = Clock::now();
  try {
    compute({.memory = static_cast<std::size_t>(m_result.memory),
             .first_tile = m_resumed,
             .on_tile = [this](std::int64_t tiles) { tell_and_record(tiles); },
             .on_progress = tell});
    m_file.commit();
  } catch (FileError const& error) {
    if (m_file.parts() == 0) throw;
    throw FileError(concat(error.what(), "; --resume goes on after ", m_file.parts(), " of ", m_tiles, " tiles"));
  }
  m_seconds = seconds_since(start);
}

void TiledRun::report(double bytes_read, double bytes_written, double flops) {
  double const part = m_tiles == 0 ? 1 : static_cast<double>(m_tiles - m_resumed) / static_cast<double>(m_tiles);
  auto const rate = [&](double work) { return m_seconds > 0 ? part * work / m_seconds : 0; };
  Report& report = m_session.report();
  report.line("traffic", format_bytes(static_cast<std::uint64_t>(bytes_read)) + " read, " +
                             format_bytes(static_cast<std::uint64_t>(bytes_written)) + " written by all tiles");
  report.line("run", format_seconds(m_seconds) + " with all reads and writes");
  report.line("rate", (flops > 0 ? format_giga(rate(flops), "GFLOP/s") + ", " : "") +
                          format_giga(rate(bytes_read + bytes_written), "GB/s") + " of files");
  Array const array{.type = m_result.type, .shape = m_result.shape, .order = m_session.common().order, .storage = {}};
  describe_matrix(m_session, {m_result.name, m_session.common().output, array}, "to");
  report.set("traffic.read", bytes_read);
  report.set("traffic.written", bytes_written);
  report.set("flops", flops);
  report.set("time.run", m_seconds);
  report.set("rate.flops_per_s", rate(flops));
  report.set("rate.bytes_per_s", rate(bytes_read + bytes_written));
  m_session.write_report();
}

}  // namespace pantile::driver

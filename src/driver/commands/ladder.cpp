// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "commands/commands.hpp"
#include "commands/steps.hpp"

#include <cstdio>
#include <cstring>
#include <random>

namespace pantile::driver {

namespace {

template <class T>
void fill(Array& array, std::mt19937_64& random) {
  for (std::size_t i = 0; i < array.storage.size() / sizeof(T); ++i) {
    T value;
    if constexpr (std::floating_point<T>) {
      value = static_cast<T>(static_cast<double>(random() >> 11) * 0x1p-52 - 1);
    } else {
      value = static_cast<T>(random() % 256);
    }
    std::memcpy(array.data() + i * sizeof(T), &value, sizeof(T));
  }
}

/// Reals and parts of complex numbers in [-1, 1), integers from 0 to 255; the same on every machine.
void fill_randomly(Array& array, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  ElementInfo const& info = element_info(array.type);
  bool const real = info.kind == 'f' || info.kind == 'c';
  switch (info.component_size) {
    case 1: fill<std::uint8_t>(array, random); break;
    case 4: real ? fill<float>(array, random) : fill<std::uint32_t>(array, random); break;
    default: real ? fill<double>(array, random) : fill<std::uint64_t>(array, random);
  }
}

/// NaN, or -1 for integers: what a rung leaves out is not the result of the one before.
void spoil(Array& array) { std::memset(array.data(), 0xff, array.storage.size()); }

/// Prints and records rungs; remembers the first that is wrong.
class Table {
 public:
  explicit Table(Session& session) : m_session(session) {
    std::fprintf(text(), "\n  %-10s %-12s %12s %12s %16s %14s   %s\n", "operation", "algorithm", "first run",
                 "second run", "rate", "error/bound", "tile");
  }

  void add(std::string_view operation, Measurement const& measurement) {
    Explanation const& e = measurement.explanation;
    double const second = measurement.second_run();
    bool const arithmetic = e.flops > 0;
    std::string const rate = format_giga((arithmetic ? e.flops : e.bytes) / second, arithmetic ? "GFLOP/s" : "GB/s");
    bool const good = measurement.verification && measurement.verification->first_wrong.empty();
    char error[32] = "WRONG";
    if (good) std::snprintf(error, sizeof error, "%.2g", measurement.verification->largest_fraction);
    std::fprintf(text(), "  %-10s %-12s %12s %12s %16s %14s   %s\n", std::string(operation).c_str(),
                 e.algorithm.c_str(), format_seconds(measurement.first_run).c_str(),
                 measurement.later_runs.empty() ? "-" : format_seconds(second).c_str(), rate.c_str(), error,
                 e.tile.c_str());
    std::fflush(text());
    Fields& rung = m_session.report().add_rung();
    rung.set("operation", ReportValue(std::string(operation)));
    record_measurement(rung, measurement);
    if (m_wrong.empty() && !good) m_wrong = e.path + ": " + measurement.verification->first_wrong;
  }

  void require_all_good() const {
    if (!m_wrong.empty()) throw InputError("the result of " + m_wrong);
  }

 private:
  std::FILE* text() { return m_session.report().text(); }

  Session& m_session;
  std::string m_wrong;
};

std::size_t size(std::int64_t extent) { return static_cast<std::size_t>(extent); }

void matmul_rungs(LadderArguments const& arguments, RunOptions const& options, Table& table) {
  ElementType const type = matmul_result_type(arguments.type, arguments.type);
  // All memory first: filling takes long where it is much.
  Array a = make_result({"A", arguments.type, {size(arguments.m), size(arguments.k)}}, Order::c);
  Array b = make_result({"B", arguments.type, {size(arguments.k), size(arguments.n)}}, Order::c);
  Array c = make_result({"C", type, {size(arguments.m), size(arguments.n)}}, Order::c);
  fill_randomly(a, 1);
  fill_randomly(b, 2);
  // The last rung is the library's own choice for this machine.
  using enum MatmulAlgorithm;
  for (MatmulAlgorithm const algorithm : {naive, grid_stride, tiled, automatic}) {
    spoil(c);
    MatmulOptions const matmul_options{.algorithm = algorithm,
                                       .tile = algorithm == tiled ? arguments.tile : MatmulTile{},
                                       .launch = algorithm == grid_stride ? arguments.launch : LaunchShape{}};
    table.add("matmul",
              run(MatmulTask{.a = a, .b = b, .c_in = nullptr, .c = c, .options = matmul_options, .accumulator = {}},
                  options));
  }
}

void transpose_rungs(LadderArguments const& arguments, RunOptions const& options, Table& table) {
  Array a = make_result({"A", arguments.type, {size(arguments.m), size(arguments.n)}}, Order::c);
  Array b = make_result({"B", a.type, {a.shape[1], a.shape[0]}}, Order::c);
  fill_randomly(a, 3);
  using enum TransposeAlgorithm;
  for (TransposeAlgorithm const algorithm : {naive, tiled, padded, automatic}) {
    spoil(b);
    int const tile = algorithm == tiled || algorithm == padded ? arguments.transpose_tile : 0;
    TransposeOptions const transpose_options{.algorithm = algorithm, .tile = tile};
    table.add("transpose", run(TransposeTask{.a = a, .b = b, .options = transpose_options}, options));
  }
}

}  // namespace

void run_command(LadderArguments const& arguments, Session& session) {
  session.report().line("matrices", std::to_string(arguments.m) + " x " + std::to_string(arguments.n) + ", depth " +
                                        std::to_string(arguments.k) + ", " + element_name(arguments.type) +
                                        ", random with a fixed seed");
  session.report().set("m", arguments.m);
  session.report().set("n", arguments.n);
  session.report().set("k", arguments.k);
  session.report().set("type", element_name(arguments.type));
  session.start_kokkos();

  RunOptions options = run_options(session);
  options.verify = true;
  Table table(session);
  naming_operands({}, [&] {
    if ((arguments.ladders & 1) != 0) matmul_rungs(arguments, options, table);
    if ((arguments.ladders & 2) != 0) transpose_rungs(arguments, options, table);
  });
  session.write_report();
  table.require_all_good();
  std::fprintf(session.report().text(), "\n  every rung agrees with the serial oracle\n");
}

}  // namespace pantile::driver

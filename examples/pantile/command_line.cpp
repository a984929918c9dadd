// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "command_line.hpp"

#include "errors.hpp"

#include <CLI/CLI.hpp>

#include <array>
#include <charconv>
#include <map>
#include <string_view>

namespace pantile::driver {

namespace {

/// Whole numbers of at least `least` between separators: parse_edges("16x8", 'x', 1). Throws UsageError.
template <class Number = int>
std::vector<Number> parse_edges(std::string const& text, char separator, Number least, std::string const& form) {
  std::vector<Number> edges;
  std::string_view rest = text;
  while (true) {
    std::string_view const word = rest.substr(0, rest.find(separator));
    Number edge = 0;
    auto const [end, error] = std::from_chars(word.data(), word.data() + word.size(), edge);
    if (error != std::errc{} || end != word.data() + word.size() || edge < least) {
      throw UsageError("'" + text + "' is not of the form " + form);
    }
    edges.push_back(edge);
    if (word.size() == rest.size()) return edges;
    rest.remove_prefix(word.size() + 1);
  }
}

MatmulTile parse_matmul_tile(std::string const& text) {
  std::string const form = "20 or 64x64x16 (rows x columns x depth)";
  auto const edges = parse_edges<int>(text, 'x', 1, form);
  if (edges.size() == 1) return {edges[0], edges[0], edges[0]};
  if (edges.size() != 3) throw UsageError("'" + text + "' is not of the form " + form);
  return {edges[0], edges[1], edges[2]};
}

Extent2 parse_extent(std::string const& text) {
  std::string const form = "64x4";
  auto const edges = parse_edges<int>(text, 'x', 1, form);
  if (edges.size() != 2) throw UsageError("'" + text + "' is not of the form " + form);
  return {edges[0], edges[1]};
}

std::vector<std::int64_t> parse_bins(std::string const& text) {
  auto bins = parse_edges<std::int64_t>(text, 'x', 0, "256 or 16x16");
  if (bins.size() > 2) throw UsageError("'" + text + "' has more than two dimensions");
  return bins;
}

LaunchShape parse_launch(std::string const& text) {
  std::string const form = "GXxGY,BXxBY (blocks and threads, columns first)";
  auto const comma = text.find(',');
  auto const grid = parse_edges<int>(text.substr(0, comma), 'x', 1, form);
  auto const block = parse_edges<int>(comma == text.npos ? "" : text.substr(comma + 1), 'x', 1, form);
  if (grid.size() != 2 || block.size() != 2) throw UsageError("'" + text + "' is not of the form " + form);
  return {{grid[0], grid[1]}, {block[0], block[1]}};
}

template <class Enum>
std::map<std::string, Enum> names(std::initializer_list<Enum> values) {
  std::map<std::string, Enum> map;
  for (Enum const value : values) map.emplace(to_string(value), value);
  return map;
}

std::map<std::string, ElementType> element_names_map() {
  std::map<std::string, ElementType> map;
  for (ElementInfo const& info : element_infos) map.emplace(info.name, info.type);
  return map;
}

/// An option whose text is given to `take`; a UsageError of it gets the option's name in front.
template <class Take>
CLI::Option* add_parsed(CLI::App& app, std::string const& name, Take take, std::string const& help) {
  auto const named = [name, take](std::string const& text) {
    try {
      take(text);
    } catch (UsageError const& error) {
      throw UsageError(name + ": " + error.what());
    }
  };
  return app.add_option_function<std::string>(name, named, help);
}

/// An option whose value is one of a few words; CLI11's own transformer would accept numbers too.
template <class Value, class Assign>
CLI::Option* add_choice(CLI::App& app, std::string const& name, std::map<std::string, Value> const& choices,
                        Assign assign, std::string const& help) {
  std::string all;
  for (auto const& [word, value] : choices) all += (all.empty() ? "" : "|") + word;
  auto const take = [choices, assign, all](std::string const& word) {
    auto const found = choices.find(word);
    if (found == choices.end()) throw UsageError("'" + word + "' is none of " + all);
    assign(found->second);
  };
  return add_parsed(app, name, take, help)->type_name(all);
}

void add_common(CLI::App& app, CommonArguments& common) {
  app.add_option("--threads", common.threads, "threads of the host backend")
      ->check(CLI::Range(1, most_threads))
      ->type_name("N");
  app.add_option("--report", common.report, "write times, rates and decisions to this JSON file")->type_name("FILE");
  app.add_flag("--progress", common.progress, "show progress although stderr is no terminal");
}

void add_runs(CLI::App& app, CommonArguments& common) {
  add_common(app, common);
  app.add_option("--repeat", common.repeat, "timed runs after the first one; the median is shown")
      ->check(CLI::Range(0, 1000000))
      ->type_name("N");
  app.add_flag("--verify", common.verify, "compare with a serial oracle in wider arithmetic");
}

void add_order(CLI::App& app, Order& order) {
  add_choice<Order>(app, "--order", {{"C", Order::c}, {"F", Order::fortran}}, [&](Order value) { order = value; },
                    "order of the output's elements");
}

void add_output(CLI::App& app, std::filesystem::path& output, std::string const& name) {
  app.add_option("-o,--output", output, name + ", an .npy or Matrix Market file")->required()->type_name("FILE");
}

void add_scalar(CLI::App& app, std::string const& name, Scalar& scalar) {
  add_parsed(
      app, "--" + name, [&](std::string const& text) { scalar = Scalar::parse(text); },
      "a number; two for complex elements, as in 0.5,-1")
      ->type_name("X");
}

void add_launch(CLI::App& app, LaunchShape& launch) {
  add_parsed(
      app, "--launch", [&](std::string const& text) { launch = parse_launch(text); },
      "for grid_stride: blocks and threads per block")
      ->type_name("GXxGY,BXxBY");
}

template <class Options>
void add_algorithm(CLI::App& app, Options& options, std::initializer_list<Algorithm> algorithms) {
  add_choice<Algorithm>(app, "--algorithm", names(algorithms), [&](Algorithm value) { options.algorithm = value; },
                        "how it is computed");
}

void add_matmul(CLI::App& app, MatmulArguments& arguments) {
  app.add_option("A", arguments.a, "left matrix")->required();
  app.add_option("B", arguments.b, "right matrix")->required();
  add_output(app, arguments.output, "C");
  auto const ops = names({Op::none, Op::transpose, Op::conjugate, Op::conjugate_transpose});
  add_choice<Op>(app, "--op-a", ops, [&](Op op) { arguments.options.op_a = op; }, "what is done to A first");
  add_choice<Op>(app, "--op-b", ops, [&](Op op) { arguments.options.op_b = op; }, "what is done to B first");
  add_scalar(app, "alpha", arguments.alpha);
  add_scalar(app, "beta", arguments.beta);
  app.add_option("--c-in", arguments.c_in, "C's old values, for beta")->type_name("FILE");
  add_choice<ElementType>(app, "--accumulator", element_names_map(),
                          [&](ElementType type) { arguments.accumulator = type; }, "type in which products are summed")
      ->type_name("TYPE");
  add_algorithm(app, arguments.options,
                {Algorithm::automatic, Algorithm::naive, Algorithm::grid_stride, Algorithm::tiled, Algorithm::vendor});
  add_parsed(
      app, "--tile", [&](std::string const& text) { arguments.options.tile = parse_matmul_tile(text); },
      "for tiled: edges of the tiles, one for all or rows x columns x depth")
      ->type_name("T|MxNxK");
  add_launch(app, arguments.options.launch);
  add_order(app, arguments.order);
  add_runs(app, arguments.common);
}

void add_transpose(CLI::App& app, TransposeArguments& arguments) {
  app.add_option("A", arguments.input, "matrix")->required();
  add_output(app, arguments.output, "B");
  app.add_flag("--conjugate", arguments.options.conjugate, "conjugate transpose");
  add_algorithm(app, arguments.options,
                {Algorithm::automatic, Algorithm::naive, Algorithm::tiled, Algorithm::padded});
  app.add_option("--tile", arguments.options.tile, "for tiled and padded: edge of the square tiles")
      ->check(CLI::Range(1, 1 << 20))
      ->type_name("T");
  app.add_option("--rows-per-thread", arguments.options.rows_per_thread, "for tiled and padded on devices")
      ->check(CLI::Range(1, 1 << 20))
      ->type_name("N");
  add_order(app, arguments.order);
  add_runs(app, arguments.common);
}

void add_add(CLI::App& app, AddArguments& arguments) {
  app.add_option("A", arguments.a, "first matrix")->required();
  app.add_option("B", arguments.b, "second matrix")->required();
  add_output(app, arguments.output, "C");
  add_scalar(app, "alpha", arguments.alpha);
  add_scalar(app, "beta", arguments.beta);
  add_algorithm(app, arguments.options,
                {Algorithm::automatic, Algorithm::naive, Algorithm::tiled, Algorithm::grid_stride});
  add_parsed(
      app, "--tile", [&](std::string const& text) { arguments.options.tile = parse_extent(text); },
      "for naive and tiled: elements along and across the fast direction of C")
      ->type_name("XxY");
  add_launch(app, arguments.options.launch);
  add_order(app, arguments.order);
  add_runs(app, arguments.common);
}

void add_histogram(CLI::App& app, HistogramArguments& arguments) {
  app.add_option("indices", arguments.indices, "bin of each sample; for two dimensions of bins a row of two each")
      ->required();
  add_output(app, arguments.output, "counts");
  add_parsed(
      app, "--bins", [&](std::string const& text) { arguments.bins = parse_bins(text); },
      "number of bins, in one or two dimensions")
      ->required()
      ->type_name("N|NxM");
  app.add_option("--weights", arguments.weights, "what each sample adds")->type_name("FILE");
  add_choice<HistogramStrategy>(
      app, "--strategy",
      names({HistogramStrategy::automatic, HistogramStrategy::global_atomic, HistogramStrategy::scratch}),
      [&](HistogramStrategy value) { arguments.options.strategy = value; }, "how samples are added");
  add_choice<bool>(app, "--out-of-range", {{"refuse", false}, {"count", true}},
                   [&](bool count) { arguments.count_out_of_range = count; }, "samples that have no bin");
  add_order(app, arguments.order);
  add_runs(app, arguments.common);
}

void add_ladder(CLI::App& app, LadderArguments& arguments) {
  auto const extent = CLI::Range(std::int64_t{0}, std::int64_t{1} << 32);
  app.add_option("--m", arguments.m, "rows of A and C")->check(extent)->capture_default_str();
  app.add_option("--n", arguments.n, "columns of B and C")->check(extent)->capture_default_str();
  app.add_option("--k", arguments.k, "columns of A, rows of B")->check(extent)->capture_default_str();
  add_choice<ElementType>(app, "--type", element_names_map(), [&](ElementType type) { arguments.type = type; },
                          "element type, float32 unless given")
      ->type_name("TYPE");
  add_choice<int>(app, "--operation", {{"matmul", 1}, {"transpose", 2}, {"all", 3}},
                  [&](int mask) {
                    arguments.matmul = (mask & 1) != 0;
                    arguments.transpose = (mask & 2) != 0;
                  },
                  "which ladder");
  add_parsed(
      app, "--tile",
      [&](std::string const& text) {
           arguments.tile = parse_matmul_tile(text);
           arguments.transpose_tile = arguments.tile.m;
         },
         "edges of the tiles")
      ->type_name("T|MxNxK");
  add_launch(app, arguments.launch);
  add_common(app, arguments.common);
  app.add_option("--json", arguments.common.report, "the same as --report")->type_name("FILE")->excludes("--report");
  app.add_option("--repeat", arguments.common.repeat, "timed runs after the first one")->check(CLI::Range(0, 1000000));
}

void check_meaning(MatmulArguments const& arguments) {
  if (!arguments.beta.is_zero() && arguments.c_in.empty()) {
    throw UsageError("--beta " + arguments.beta.text() + " needs C's old values: give them with --c-in");
  }
}

template <class Command>
void check_meaning(Command const&) {}

std::string one_line(std::string text) {
  while (!text.empty() && text.back() == '\n') text.pop_back();
  for (std::size_t at = text.find('\n'); at != text.npos; at = text.find('\n', at)) text.replace(at, 1, "; ");
  return text;
}

}  // namespace

std::variant<Arguments, Help> parse_command_line(int argc, char** argv) {
  CLI::App app("Dense 2D kernels on Kokkos, from files to files.", "pantile");
  app.require_subcommand(1);
  MatmulArguments matmul;
  TransposeArguments transpose;
  AddArguments add;
  HistogramArguments histogram;
  LadderArguments ladder;
  InfoArguments info;
  auto& matmul_app = *app.add_subcommand("matmul", "C = alpha op(A) op(B) + beta C");
  auto& transpose_app = *app.add_subcommand("transpose", "B = A^T, or A^H");
  auto& add_app = *app.add_subcommand("add", "C = alpha A + beta B");
  auto& histogram_app = *app.add_subcommand("histogram", "count samples, or add up their weights, by bin");
  auto& ladder_app = *app.add_subcommand("ladder", "naive, grid_stride, tiled on random matrices, each one checked");
  auto& info_app = *app.add_subcommand("info", "what this program was built with and runs on");
  add_matmul(matmul_app, matmul);
  add_transpose(transpose_app, transpose);
  add_add(add_app, add);
  add_histogram(histogram_app, histogram);
  add_ladder(ladder_app, ladder);
  add_common(info_app, info.common);
  info_app.add_flag("--kokkos", info.kokkos, "print Kokkos' own configuration too");

  try {
    app.parse(argc, argv);
  } catch (CLI::CallForHelp const&) {
    return Help{app.help()};
  } catch (CLI::ParseError const& error) {
    throw UsageError(one_line(error.what()));
  }
  auto const finish = [](auto const& command) -> std::variant<Arguments, Help> {
    check_meaning(command);
    return Arguments(command);
  };
  if (matmul_app.parsed()) return finish(matmul);
  if (transpose_app.parsed()) return finish(transpose);
  if (add_app.parsed()) return finish(add);
  if (histogram_app.parsed()) return finish(histogram);
  if (ladder_app.parsed()) return finish(ladder);
  return finish(info);
}

}  // namespace pantile::driver

// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "command_line.hpp"

#include "command_table.hpp"
#include "errors.hpp"
#include "io/file_error.hpp"
#include "io/file_stream.hpp"
#include "io/hdf5.hpp"
#include "operations/operations.hpp"
#include "option_values.hpp"
#include "version_text.hpp"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <initializer_list>
#include <map>
#include <memory>

namespace pantile::driver {

namespace {

/// What all operations take, and these types.
std::map<std::string, ElementType> elements_and(std::initializer_list<ElementType::Id> more) {
  std::map<std::string, ElementType> map;
  for (ElementType::Id const type : common_elements) map.emplace(element_name(type), type);
  for (ElementType::Id const type : more) map.emplace(element_name(type), type);
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
  std::vector<std::string> words;
  for (auto const& [word, value] : choices) words.push_back(word);
  std::string const all = joined(words, ",");
  auto const take = [choices, assign, all, words](std::string const& word) {
    auto const found = choices.find(word);
    if (found == choices.end()) throw UsageError(in_quotes(word) + " is none of " + all + suggestion(word, words));
    assign(found->second);
  };
  return add_parsed(app, name, take, help)->type_name("{" + all + "}");
}

template <Enumeration Enum>
void add_enumeration(CLI::App& app, std::string const& name, Enum& target, std::string const& help) {
  std::map<std::string, Enum> names;
  for (int i = 0; is_enumerator(static_cast<Enum>(i)); ++i) {
    names.emplace(to_string(static_cast<Enum>(i)), static_cast<Enum>(i));
  }
  add_choice<Enum>(
      app, name, names, [&](Enum value) { target = value; }, help);
}

/// A whole number in a range.
template <class Number>
CLI::Option* add_number(CLI::App& app, std::string const& name, Number& number, Number least, Number most,
                        std::string const& help) {
  auto const take = [&number, least, most](std::string const& text) {
    auto const parsed = parse_number(text, least, most);
    if (!parsed) throw UsageError(in_quotes(text) + " is not a whole number from " + range_text(least, most));
    number = *parsed;
  };
  return add_parsed(app, name, take, help)->type_name("N");
}

void add_repeat(CLI::App& app, int& repeat) {
  add_number(app, "--repeat", repeat, 0, 1000000, "timed runs after the first one; the median is shown")
      ->default_str(std::to_string(repeat));
}

void add_common(CLI::App& app, CommonArguments& common) {
  add_number(app, "--threads", common.threads, 1, most_threads, "threads of the host backend");
  app.add_option("--report", common.report, "write times, rates and decisions to this JSON file, or to stdout for -")
      ->type_name("FILE");
  app.add_flag("--progress", common.progress, "show progress although stderr is no terminal");
}

void add_runs(CLI::App& app, CommonArguments& common) {
  add_common(app, common);
  add_repeat(app, common.repeat);
  app.add_flag("--verify", common.verify, "compare with a serial oracle in wider arithmetic");
}

void add_order(CLI::App& app, Order& order) {
  add_choice<Order>(
      app, "--order", {{"C", Order::c}, {"F", Order::fortran}}, [&](Order value) { order = value; },
      "order of the output's elements");
}

void add_operand(CLI::App& app, OperandFile& operand, std::string const& help) {
  app.add_option(std::string(operand.name), operand.path, help)->required()->type_name("FILE");
}

void add_output(CLI::App& app, CommonArguments& common, std::string const& name) {
  app.add_option("-o,--output", common.output,
                 name + ", an .npy or Matrix Market file, file.h5:/dataset, or - for an .npy on stdout")
      ->required()
      ->type_name("FILE");
  app.add_flag("--force", common.force, "let the output overwrite an operand's file");
  app.footer(
      "Matrix Market files do not say the element type: reals are read as float64, integers as int64, complex "
      "numbers as complex128. What was written from another type, such as uint32, comes back as that; .npy files keep "
      "the type. "
      "One operand may be -, an .npy stream on stdin.");
}

CLI::Option* add_scalar(CLI::App& app, std::string const& name, Scalar& scalar) {
  return add_parsed(
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

void add_tiles(CLI::App& app, TileArguments& tiles) {
  add_parsed(
      app, "--memory", [&](std::string const& text) { tiles.memory = parse_bytes(text); },
      "for operands and result; .npy files that need more are gone through tile by tile. Half of what is free unless "
      "given")
      ->type_name("SIZE");
  app.add_flag("--resume", tiles.resume, "go on after the last tile of a run that was ended, where there is one");
}

void add_matmul(CLI::App& app, MatmulArguments& arguments) {
  add_operand(app, arguments.common.operands[0], "left matrix");
  add_operand(app, arguments.common.operands[1], "right matrix");
  add_output(app, arguments.common, "C");
  add_enumeration(app, "--op-a", arguments.options.op_a, "what is done to A first");
  add_enumeration(app, "--op-b", arguments.options.op_b, "what is done to B first");
  add_scalar(app, "alpha", arguments.alpha);
  CLI::Option* const beta = add_scalar(app, "beta", arguments.beta);
  app.add_option("--c-in", arguments.common.operands[2].path, "C's old values; beta says how much of them is added")
      ->type_name("FILE")
      ->needs(beta);
  add_choice<ElementType>(
      app, "--accumulator", elements_and({}), [&](ElementType type) { arguments.accumulator = type; },
      "type in which products are summed");
  add_enumeration(app, "--algorithm", arguments.options.algorithm, "how it is computed");
  add_parsed(
      app, "--tile", [&](std::string const& text) { arguments.options.tile = parse_matmul_tile(text); },
      "for tiled: edges of the tiles, one for all or rows x columns x depth")
      ->type_name("T|MxNxK");
  add_launch(app, arguments.options.launch);
  add_order(app, arguments.common.order);
  add_tiles(app, arguments.tiles);
  add_runs(app, arguments.common);
}

void add_transpose(CLI::App& app, TransposeArguments& arguments) {
  add_operand(app, arguments.common.operands[0], "matrix");
  add_output(app, arguments.common, "B");
  app.add_flag("--conjugate", arguments.options.conjugate, "conjugate transpose");
  add_enumeration(app, "--algorithm", arguments.options.algorithm, "how it is computed");
  add_number(app, "--tile", arguments.options.tile, 1, 1 << 20, "for tiled and padded: edge of the square tiles");
  add_number(app, "--rows-per-thread", arguments.options.rows_per_thread, 1, 1 << 20,
             "for tiled and padded, on devices only");
  add_order(app, arguments.common.order);
  add_tiles(app, arguments.tiles);
  add_runs(app, arguments.common);
}

void add_add(CLI::App& app, AddArguments& arguments) {
  add_operand(app, arguments.common.operands[0], "first matrix");
  add_operand(app, arguments.common.operands[1], "second matrix");
  add_output(app, arguments.common, "C");
  add_scalar(app, "alpha", arguments.alpha);
  add_scalar(app, "beta", arguments.beta);
  add_enumeration(app, "--algorithm", arguments.options.algorithm, "how it is computed");
  add_parsed(
      app, "--tile", [&](std::string const& text) { arguments.options.tile = parse_extent(text); },
      "for naive and tiled: elements along and across the fast direction of C")
      ->type_name("XxY");
  add_launch(app, arguments.options.launch);
  add_order(app, arguments.common.order);
  add_runs(app, arguments.common);
}

void add_histogram(CLI::App& app, HistogramArguments& arguments) {
  add_operand(app, arguments.common.operands[0],
              "bin of each sample, a vector or a single column; for two dimensions of bins a row of two each");
  add_output(app, arguments.common, "counts");
  add_parsed(
      app, "--bins", [&](std::string const& text) { arguments.bins = parse_bins(text); },
      "number of bins, in one or two dimensions")
      ->required()
      ->type_name("N|NxM");
  app.add_option("--weights", arguments.common.operands[1].path, "what each sample adds")->type_name("FILE");
  add_enumeration(app, "--algorithm", arguments.options.algorithm, "how it is computed");
  add_enumeration(app, "--out-of-range", arguments.options.out_of_range, "samples that have no bin");
  add_order(app, arguments.common.order);
  add_runs(app, arguments.common);
}

void add_info(CLI::App& app, InfoArguments& arguments) {
  add_common(app, arguments.common);
  app.add_flag("--kokkos", arguments.kokkos, "print Kokkos' own configuration too");
}

void add_ladder(CLI::App& app, LadderArguments& arguments) {
  auto const add_extent = [&](char const* name, std::int64_t& extent, char const* help) {
    add_number(app, name, extent, std::int64_t{0}, std::int64_t{1} << 32, help)->default_str(std::to_string(extent));
  };
  add_extent("--m", arguments.m, "rows of A and C");
  add_extent("--n", arguments.n, "columns of B and C");
  add_extent("--k", arguments.k, "columns of A, rows of B");
  add_choice<ElementType>(
      app, "--type", elements_and({ElementType::int8, ElementType::uint8}),
      [&](ElementType type) { arguments.type = type; }, "element type, float32 unless given");
  add_choice<int>(
      app, "--operation", {{"matmul", 1}, {"transpose", 2}, {"all", 3}}, [&](int mask) { arguments.ladders = mask; },
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
  add_repeat(app, arguments.common.repeat);
}

/// Each standard stream carries one thing; files have the order that is asked for.
void check_files(CommonArguments const& common) {
  if (std::ranges::count_if(common.operands, is_standard_stream, &OperandFile::path) > 1) {
    throw UsageError("only one operand can be -, the standard input");
  }
  if (is_standard_stream(common.report) && is_standard_stream(common.output)) {
    throw UsageError("--report - and --output - cannot both have the standard output");
  }
  if (common.order != Order::c && parse_hdf5_name(common.output)) {
    throw UsageError("--order F: datasets of HDF5 are in C order");
  }
}

template <class Command>
void check(Command const& command) {
  check_files(command.common);
  if constexpr (std::is_same_v<Command, MatmulArguments>) {
    if (command.beta.is_zero() || !command.common.operands[2].path.empty()) return;
    throw UsageError("--beta " + command.beta.text() + " needs C's old values: give them with --c-in");
  }
}

/// CLI11's text, which repeats arguments as they are: one line of printable ASCII, long words cut.
std::string one_line(std::string const& text) {
  constexpr std::size_t longest_word = 60, longest = 300;
  std::string line;
  std::size_t word = 0;
  for (char const c : text) {
    word = c == ' ' || c == '\n' ? 0 : word + 1;
    if (word <= longest_word) line += c == '\n' ? ' ' : c >= ' ' && c <= '~' ? c : '?';
    if (word == longest_word + 1) line += "...";
  }
  while (line.ends_with(' ')) line.pop_back();
  return line.size() <= longest ? line : line.substr(0, longest) + "...";
}

/// CLI11 itself only says that a subcommand is required.
void require_known_command(CLI::App const& app, std::string const& word) {
  bool const option = word.starts_with('-') && app.get_option_no_throw(word.substr(0, word.find('='))) != nullptr;
  if (option || app.get_subcommand_no_throw(word) != nullptr) return;
  std::vector<std::string> words;
  for (CLI::App const* command : app.get_subcommands({})) words.push_back(command->get_name());
  throw UsageError((word.empty() ? "no command is given" : "there is no command " + in_quotes(word)) + "; there are " +
                   joined(words, ", ") + suggestion(word, words));
}

/// CLI11 looks for options that are missing first, and then does not say which one is mistyped.
void require_known_options(CLI::App const& command, int argc, char** argv) {
  for (int i = 2; i < argc; ++i) {
    std::string const word(argv[i]), name = word.substr(0, word.find('='));
    if (word == "--") return;
    if (word.size() < 2 || word[0] != '-') continue;
    CLI::Option const* const option = command.get_option_no_throw(name);
    if (option != nullptr) {
      if (name == word && option->get_items_expected_max() > 0) ++i;  // its value
    } else if (word[1] == '-') {
      std::vector<std::string> names;
      for (OptionInfo const& info : info_of(command).options) names.push_back(info.names.back());
      throw UsageError(command.get_name() + " has no option " + in_quotes(name) + suggestion(name, names));
    }
  }
}

/// Options of the program itself: each prints something and ends it.
void add_program_options(CLI::App& app) {
  app.set_version_flag("--version", "pantile " + version_text(header_version), "print the version");
  auto const complete = [&app](std::string const& shell) {
    throw Help{shell == "bash" ? bash_completion(table_of(app)) : zsh_completion(table_of(app))};
  };
  add_choice<std::string>(app, "--completion", {{"bash", "bash"}, {"zsh", "zsh"}}, complete,
                          "print a script that completes command lines in this shell")
      ->trigger_on_parse();
  app.add_flag_callback(
         "--man", [&app] { throw Help{man_page(table_of(app))}; }, "print the man page")
      ->trigger_on_parse()
      ->group("");
}

}  // namespace

std::variant<Arguments, Help> parse_command_line(int argc, char** argv) {
  CLI::App app("Dense 2D kernels on Kokkos, from files to files.", "pantile");
  app.require_subcommand(1);
  add_program_options(app);
  std::variant<Arguments, Help> request;
  auto const add = [&]<class Command>(char const* name, char const* help, void (*options)(CLI::App&, Command&)) {
    CLI::App& sub = *app.add_subcommand(name, help);
    auto const command = std::make_shared<Command>();
    options(sub, *command);
    sub.callback([command, &request] {
      check(*command);
      request = Arguments(*command);
    });
  };
  add("matmul", "C = alpha op(A) op(B) + beta C", add_matmul);
  add("transpose", "B = A^T, or A^H", add_transpose);
  add("add", "C = alpha A + beta B", add_add);
  add("histogram", "count samples, or add up their weights, by bin", add_histogram);
  add("ladder", "naive, grid_stride, tiled on random matrices, each one checked", add_ladder);
  add("info", "what this program was built with and runs on", add_info);

  std::string const word = argc > 1 ? argv[1] : "";
  require_known_command(app, word);
  if (CLI::App const* const command = app.get_subcommand_no_throw(word)) require_known_options(*command, argc, argv);
  try {
    app.parse(argc, argv);
  } catch (Help const& help) {
    return help;
  } catch (CLI::CallForVersion const& version) {
    return Help{version.what() + std::string("\n")};
  } catch (CLI::CallForHelp const&) {
    return Help{app.help()};
  } catch (CLI::ParseError const& error) {
    throw UsageError(one_line(error.what()));
  }
  return request;
}

}  // namespace pantile::driver

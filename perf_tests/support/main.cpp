// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file  Runs a program's contests: a line of JSON for each case as soon as it is known, after {"begin": its name}.
///
/// A case that throws is reported and the next one begins. A fault of a device ends the process: whoever started it
/// reads the last line begun and starts it again with --after=NAME.
#include <support/contest.hpp>
#include <support/context.hpp>
#include <support/lines.hpp>
#include <support/number.hpp>

#include <chrono>
#include <exception>
#include <iostream>
#include <regex>
#include <stdexcept>
#include <string>

namespace pantile::perf {

namespace {

struct Arguments {
  Scale scale = Scale::full;
  std::string filter = ".", out, after;
  double seconds = 1e9;
  std::vector<std::string> shapes;
  bool list = false;
};

constexpr char const* usage =
    "options: [--scale=smoke|quick|full] [--filter=REGEX] [--out=FILE] [--seconds=N] [--after=CASE] [--list]\n"
    "         [--shape=ELEMENT/MxNxK]...\n"
    "\nEach case is a line of JSON at the end of FILE (else on standard output). After N seconds no other case "
    "begins.\n"
    "With --after, only the cases behind CASE. With --shape (perf_matmul), such products and no other case:\n"
    "--shape=double/12x200x50000.";

Scale scale_named(std::string const& name) {
  if (name == "smoke") return Scale::smoke;
  if (name == "quick") return Scale::quick;
  if (name == "full") return Scale::full;
  throw std::invalid_argument("--scale must be smoke, quick or full");
}

std::string regex_of(std::string const& text) try {
  (void)std::regex(text);
  return text;
} catch (std::regex_error const& error) {
  throw std::invalid_argument("--filter='" + text + "' is no regular expression: " + error.what());
}

Arguments read_arguments(int argc, char** argv) {
  Arguments arguments;
  for (int i = 1; i < argc; ++i) {
    std::string const word = argv[i];
    std::string const key = word.substr(0, word.find('='));
    std::string const value = key.size() < word.size() ? word.substr(key.size() + 1) : "";
    if (key == "--scale") {
      arguments.scale = scale_named(value);
    } else if (key == "--filter") {
      arguments.filter = regex_of(value);
    } else if (key == "--out") {
      arguments.out = value;
    } else if (key == "--after") {
      arguments.after = value;
    } else if (key == "--seconds") {
      arguments.seconds = number(value, 0.0, "--seconds");
    } else if (key == "--shape") {
      arguments.shapes.push_back(value);
    } else if (key == "--list") {
      arguments.list = true;
    } else if (!key.starts_with("--kokkos-")) {
      throw std::invalid_argument("unknown option " + word + "\n" + usage);
    }
  }
  return arguments;
}

void run_cases(Arguments const& arguments, Lines& lines) {
  std::regex const wanted(arguments.filter);
  auto const begin = std::chrono::steady_clock::now();
  auto const seconds_since = [](auto then) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - then).count();
  };
  bool reached = arguments.after.empty();
  for (Case const& one : program().cases) {
    bool const chosen = reached && std::regex_search(one.name, wanted);
    reached = reached || one.name == arguments.after;
    if (!chosen) continue;
    JsonObject line;
    line.add("case", one.name);
    if (seconds_since(begin) > arguments.seconds) {
      line.add("skipped", "no time was left");
      lines.say(line.text());
      continue;
    }
    lines.say("{\"begin\": " + json_text(one.name) + "}");
    auto const now = std::chrono::steady_clock::now();
    try {
      line = one.make().run(one.name, one.settings);
    } catch (std::exception const& error) {
      line.add("error", error.what());
    }
    line.add("seconds", seconds_since(now));
    lines.say(line.text());
  }
}

int run(Arguments const& arguments) {
  program().settings = settings_for(arguments.scale, on_device);
  add_context(program().context);
  program().shapes = arguments.shapes;
  for (auto const& start : program().starters) start();
  if (!program().shapes.empty()) throw std::invalid_argument("this program takes no --shape");
  if (arguments.list) {
    for (Case const& one : program().cases) std::cout << one.name << '\n';
    return 0;
  }
  Lines lines(arguments.out);
  JsonObject head;
  head.add("context", program().context);
  lines.say(head.text());
  run_cases(arguments, lines);
  return 0;
}

}  // namespace

}  // namespace pantile::perf

int main(int argc, char** argv) try {
  auto const arguments = pantile::perf::read_arguments(argc, argv);
  Kokkos::ScopeGuard const kokkos(argc, argv);
  return pantile::perf::run(arguments);
} catch (std::exception const& error) {
  std::cerr << argv[0] << ": " << error.what() << '\n';
  return 1;
}

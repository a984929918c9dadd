// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file  The contests on a device: a line of JSON for each case as soon as it is known, after {"begin": its name}.
///
/// A case that throws is reported and the next one begins. A fault of the device ends the process: whoever started it
/// reads the last line begun and starts it again with --after=NAME.
#include <gpu/contest.hpp>
#include <gpu/vendor_blas.hpp>

#include <pantile/version.hpp>

#include <Kokkos_Core.hpp>

#include <chrono>
#include <exception>
#include <fstream>
#include <iostream>
#include <regex>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>

namespace pantile::perf::gpu {

namespace {

struct Arguments {
  Settings settings{};
  std::string filter = ".", out, after;
  double seconds = 1e9;
  bool list = false;
};

constexpr char const* usage =
    "usage: gpu_contests [--scale=smoke|quick|full] [--filter=REGEX] [--out=FILE] [--seconds=N] [--after=CASE]\n"
    "                    [--list]\n"
    "\nEach case is a line of JSON in FILE (else on standard output). After N seconds no other case begins.\n"
    "With --after, only the cases behind CASE.\n";

Scale scale_named(std::string const& name) {
  if (name == "smoke") return Scale::smoke;
  if (name == "quick") return Scale::quick;
  if (name == "full") return Scale::full;
  throw std::invalid_argument("--scale must be smoke, quick or full");
}

Arguments read_arguments(int argc, char** argv) {
  Arguments arguments;
  for (int i = 1; i < argc; ++i) {
    std::string const word = argv[i];
    std::string const key = word.substr(0, word.find('='));
    std::string const value = key.size() < word.size() ? word.substr(key.size() + 1) : "";
    if (key == "--scale") {
      arguments.settings.scale = scale_named(value);
    } else if (key == "--filter") {
      arguments.filter = value;
    } else if (key == "--out") {
      arguments.out = value;
    } else if (key == "--after") {
      arguments.after = value;
    } else if (key == "--seconds") {
      arguments.seconds = std::stod(value);
    } else if (key == "--list") {
      arguments.list = true;
    } else if (!key.starts_with("--kokkos-")) {
      throw std::invalid_argument("unknown option " + word + "\n" + usage);
    }
  }
  Settings& settings = arguments.settings;
  if (settings.smoke()) {
    settings = {.scale = Scale::smoke, .sample_seconds = 0, .case_seconds = 0, .least_rounds = 1, .most_rounds = 1};
  } else if (!settings.full()) {
    settings.case_seconds = 0.12;
    settings.most_rounds = 7;
  }
  return arguments;
}

/// What a reader needs to judge the figures.
std::string context() {
  std::ostringstream configuration, text;
  Kokkos::print_configuration(configuration);
  text << "{\"context\": {\"pantile_version\": \"" << header_version.major << '.' << header_version.minor << '.'
       << header_version.patch << "\", \"kokkos_version\": " << KOKKOS_VERSION
       << ", \"space\": " << json_text(Exec::name()) << ", \"concurrency\": " << instance().concurrency()
       << ", \"team_scratch\": " << Kokkos::TeamPolicy<Exec>::scratch_size_max(0)
       << ", \"vendor_blas\": " << json_text(VendorBlas::description())
       << ", \"kokkos_configuration\": " << json_text(configuration.str()) << "}}";
  return text.str();
}

void run_cases(Arguments const& arguments, std::ostream& out) {
  std::regex const wanted(arguments.filter);
  auto const begin = std::chrono::steady_clock::now();
  bool reached = arguments.after.empty();
  for (Case const& one : cases()) {
    bool const chosen_here = reached && std::regex_search(one.name, wanted);
    reached = reached || one.name == arguments.after;
    if (!chosen_here) continue;
    auto const now = std::chrono::steady_clock::now();
    if (std::chrono::duration<double>(now - begin).count() > arguments.seconds) {
      out << "{\"case\": " << json_text(one.name) << ", \"skipped\": \"no time was left\"}" << std::endl;
      continue;
    }
    out << "{\"begin\": " << json_text(one.name) << "}" << std::endl;
    std::string line;
    try {
      line = one.body(one.name);
    } catch (std::exception const& error) {
      line = "{\"case\": " + json_text(one.name) + ", \"error\": " + json_text(error.what()) + "}";
    }
    double const taken = std::chrono::duration<double>(std::chrono::steady_clock::now() - now).count();
    line.insert(line.size() - 1, ", \"seconds\": " + std::to_string(taken));
    out << line << std::endl;
  }
}

int run(Arguments const& arguments) {
  add_matmul_cases();
  add_transpose_cases();
  add_add_cases();
  add_histogram_cases();
  add_matmul_form_cases();
  add_low_precision_matmul_cases();
  add_ladder_cases();
  if (arguments.list) {
    for (Case const& one : cases()) std::cout << one.name << '\n';
    return 0;
  }
  std::ofstream file;
  if (!arguments.out.empty()) {
    file.open(arguments.out, std::ios::app);
    if (!file) throw std::runtime_error("cannot write " + arguments.out);
  }
  std::ostream& out = arguments.out.empty() ? std::cout : file;
  out << context() << std::endl;
  run_cases(arguments, out);
  return 0;
}

}  // namespace

}  // namespace pantile::perf::gpu

int main(int argc, char** argv) try {
  auto const arguments = pantile::perf::gpu::read_arguments(argc, argv);
  Kokkos::ScopeGuard const kokkos(argc, argv);
  pantile::perf::gpu::Session const session(arguments.settings);
  return pantile::perf::gpu::run(arguments);
} catch (std::exception const& error) {
  std::cerr << argv[0] << ": " << error.what() << '\n';
  return 1;
}

// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <support/settings.hpp>

#include <pantile/version.hpp>

#include <benchmark/benchmark.h>
#include <Kokkos_Core.hpp>

#include <exception>
#include <iostream>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace {

pantile::perf::Settings chosen;

std::vector<std::function<void()>>& starters() {
  static std::vector<std::function<void()>> all;
  return all;
}

/// Put what a reader of the JSON needs to judge a figure into its context.
void add_context() {
  benchmark::AddCustomContext("pantile_version", std::to_string(pantile::header_version.major) + "." +
                                                     std::to_string(pantile::header_version.minor) + "." +
                                                     std::to_string(pantile::header_version.patch));
  benchmark::AddCustomContext("kokkos_version", std::to_string(KOKKOS_VERSION));
  benchmark::AddCustomContext("execution_space", Kokkos::DefaultExecutionSpace::name());
  benchmark::AddCustomContext("concurrency", std::to_string(Kokkos::DefaultExecutionSpace().concurrency()));
  benchmark::AddCustomContext("host_concurrency", std::to_string(Kokkos::DefaultHostExecutionSpace().concurrency()));
  std::ostringstream configuration;
  Kokkos::print_configuration(configuration);
  benchmark::AddCustomContext("kokkos_configuration", configuration.str());
}

/// Take --scale=... from the arguments; false for a scale that there is none of.
bool take_scale(int& argc, char** argv) {
  constexpr std::string_view option = "--scale=";
  int kept = 1;
  bool known = true;
  for (int i = 1; i < argc; ++i) {
    std::string_view const argument = argv[i];
    if (!argument.starts_with(option)) {
      argv[kept++] = argv[i];
      continue;
    }
    std::string_view const name = argument.substr(option.size());
    using pantile::perf::Scale;
    if (name == "smoke") {
      chosen = {.scale = Scale::smoke, .sample_seconds = 0, .budget_seconds = 0, .least_rounds = 1, .most_rounds = 1};
    } else if (name == "quick") {
      chosen = {.scale = Scale::quick, .budget_seconds = 0.2, .most_rounds = 7};
    } else {
      known = name == "full";
    }
  }
  argc = kept;
  return known;
}

}  // namespace

namespace pantile::perf {

Settings const& settings() { return chosen; }

bool on_start(std::function<void()> add) {
  starters().push_back(std::move(add));
  return true;
}

}  // namespace pantile::perf

int main(int argc, char** argv) try {
  Kokkos::ScopeGuard const kokkos(argc, argv);
  benchmark::Initialize(&argc, argv);
  if (!take_scale(argc, argv)) {
    std::cerr << argv[0] << ": --scale must be smoke, quick or full\n";
    return 1;
  }
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  add_context();
  for (auto const& start : starters()) start();
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return 0;
} catch (std::exception const& error) {
  std::cerr << argv[0] << ": " << error.what() << '\n';
  return 1;
}

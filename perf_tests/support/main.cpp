// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <pantile/version.hpp>

#include <Kokkos_Core.hpp>
#include <benchmark/benchmark.h>

#include <sstream>
#include <string>

namespace {

/// Put what a reader of the JSON needs to judge a figure into its context.
void add_context() {
  benchmark::AddCustomContext("pantile_version", std::to_string(pantile::header_version.major) + "." +
                                                     std::to_string(pantile::header_version.minor) + "." +
                                                     std::to_string(pantile::header_version.patch));
  benchmark::AddCustomContext("kokkos_version", std::to_string(KOKKOS_VERSION));
  benchmark::AddCustomContext("execution_space", Kokkos::DefaultExecutionSpace::name());
  benchmark::AddCustomContext("concurrency", std::to_string(Kokkos::DefaultExecutionSpace().concurrency()));
  std::ostringstream configuration;
  Kokkos::print_configuration(configuration);
  benchmark::AddCustomContext("kokkos_configuration", configuration.str());
}

}  // namespace

int main(int argc, char** argv) {
  Kokkos::ScopeGuard const kokkos(argc, argv);
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  add_context();
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  return 0;
}

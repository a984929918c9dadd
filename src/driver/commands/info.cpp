// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "commands/commands.hpp"
#include "io/hdf5.hpp"
#include "operations/operations.hpp"
#include "version_text.hpp"

#include <pantile/config.hpp>

#include <Kokkos_Core.hpp>

#include <cstdio>
#include <fstream>
#include <sstream>
#include <string>

#include <unistd.h>

namespace pantile::driver {

namespace {

/// "AMD EPYC ..., 2 cores, 24 GB"; Linux only, empty parts elsewhere.
std::string host_text() {
  std::string text = "unknown processor";
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("model name")) {
      text = line.substr(line.find(':') + 2);
      break;
    }
  }
  long const cores = ::sysconf(_SC_NPROCESSORS_ONLN);
  double const memory = static_cast<double>(::sysconf(_SC_PHYS_PAGES)) * static_cast<double>(::sysconf(_SC_PAGESIZE));
  return text + ", " + std::to_string(cores) + " logical processors, " +
         std::to_string(static_cast<int>(memory * 1e-9)) + " GB";
}

}  // namespace

void run_command(InfoArguments const& arguments, Session& session) {
  constexpr bool compiled =
#if defined(PANTILE_USE_LIBRARY)
      true;
#else
      false;
#endif
  using Exec = Kokkos::DefaultExecutionSpace;
  Report& report = session.report();
  std::string const kokkos_version =
      version_text({KOKKOS_VERSION / 10000, KOKKOS_VERSION / 100 % 100, KOKKOS_VERSION % 100});
  auto const tell = [&](char const* key, std::string const& text) {
    report.line(key, text);
    report.set(key, text);
  };
  tell("version", version_text(header_version) + (compiled ? ", compiled library" : ", header-only"));
  tell("kokkos_version", kokkos_version);
  tell("compiler", PANTILE_DRIVER_BUILD);
  session.start_kokkos();
  tell("memory", Exec::memory_space::name());
  tell("vendor", PANTILE_ENABLE_KOKKOS_KERNELS() ? "Kokkos Kernels" : "none: built without Kokkos Kernels");
  tell("host", host_text());
  tell("elements", common_element_names() + std::string(matmul_also) + ", transpose all of .npy");
  tell("files", std::string(".npy, Matrix Market (.mtx, .mm)") + (has_hdf5 ? ", HDF5 (file.h5:/dataset)" : ""));
  if (arguments.kokkos) {
    std::ostringstream text;
    Kokkos::print_configuration(text);
    std::fprintf(report.text(), "\n%s", text.str().c_str());
  }
  session.write_report();
}

}  // namespace pantile::driver

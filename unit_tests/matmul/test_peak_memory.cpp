// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file  What a product adds to a process' memory with 64 threads: what its plan says, and so little that no thread
///         has a packed B of its own.
#include <pantile/explain.hpp>
#include <pantile/matmul.hpp>

#include <gtest/gtest.h>
#include <Kokkos_Core.hpp>

#include <cstddef>
#include <fstream>
#include <string>

namespace {

using Exec = Kokkos::DefaultHostExecutionSpace;
using Matrix = Kokkos::View<double**, Kokkos::LayoutRight, Kokkos::HostSpace>;

/// Bytes of a line of /proc/self/status, such as VmRSS; zero where there is none.
std::size_t status(std::string const& line) {
  std::ifstream file("/proc/self/status");
  for (std::string word; file >> word;) {
    std::size_t kilobytes = 0;
    if (word == line + ":" && file >> kilobytes) return kilobytes * 1024;
  }
  return 0;
}

/// Have VmHWM begin at VmRSS.
bool reset_peak() {
  std::ofstream file("/proc/self/clear_refs");
  file << '5' << std::flush;
  return file.good();
}

TEST(MatmulPeakMemory, OfManyThreadsIsWhatThePlanSays) {
  Exec const exec;
  if (exec.concurrency() < 64) GTEST_SKIP() << "no 64 threads";
  constexpr std::size_t n = 1500;
  Matrix const a("a", n, n), b("b", n, n), c("c", n, n);
  Kokkos::deep_copy(exec, a, 1.0);
  Kokkos::deep_copy(exec, b, 2.0);
  Kokkos::deep_copy(exec, c, 3.0);
  exec.fence();
  if (!reset_peak()) GTEST_SKIP() << "no /proc/self/clear_refs";
  std::size_t const before = status("VmRSS");
  pantile::matmul(exec, 1.0, a, b, 0.0, c);
  exec.fence();
  std::size_t const added = status("VmHWM") - before;
  EXPECT_EQ(c(n - 1, n - 1), 2.0 * n);

  std::size_t const planned = pantile::explain::matmul(exec, 1.0, a, b, 0.0, c).workspace_bytes;
  constexpr std::size_t stacks = 64 * (64 << 10), other = 2 << 20;  // pages that threads touch; code read meanwhile
  EXPECT_GT(planned, 0U);
  EXPECT_LT(added, planned + stacks + other);
  EXPECT_LT(planned, std::size_t{64} << 20) << "a packed B of 6 MB for each thread would be six times as much";
}

}  // namespace

// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file  life [finalize|region|fork|memory|exception]: calls of the C face in a program without Kokkos, after Kokkos
///        was finalised, by the threads of OpenMP regions, in a forked child, where each allocation fails once, and
///        where a tool throws. Prints nothing; the exit status says all.

#include <support/failing_allocation.hpp>

#include <pantile/c/pantile.h>

#include <Kokkos_Core.hpp>

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace {

constexpr int edge = 65;

/// 65 x 65 ones times twos.
struct Product {
  std::vector<double> a = std::vector<double>(edge * edge, 1.0), b = std::vector<double>(edge * edge, 2.0);
  std::vector<double> c = std::vector<double>(edge * edge, -1.0);

  [[nodiscard]] static pantile_matrix matrix(std::vector<double>& values) {
    return {values.data(), PANTILE_DOUBLE, edge, edge, edge, 1};
  }
  pantile_status run(int algorithm = 0) {
    pantile_matrix const A = matrix(a), B = matrix(b), C = matrix(c);
    pantile_matmul_options options{};
    options.size = sizeof options;
    options.algorithm = algorithm;
    return pantile_matmul(nullptr, nullptr, &A, &B, nullptr, &C, &options);
  }
  [[nodiscard]] bool holds(double value) const {
    return std::all_of(c.begin(), c.end(), [value](double element) { return element == value; });
  }
};

bool right() {
  Product product;
  return product.run() == PANTILE_OK && product.holds(2.0 * edge);
}

/// Is this what is said of the last call that failed?
bool said(std::string_view message) { return pantile_last_error_message() == message; }

bool refused(pantile_status status, std::string_view message) {
  Product product;
  return product.run() == status && product.holds(-1.0) && said(message);
}

int after_finalize() {
  Kokkos::initialize(Kokkos::InitializationSettings().set_disable_warnings(true));
  if (!right()) return 1;
  pantile_exec *exec = nullptr, *other = nullptr;
  if (pantile_exec_create(PANTILE_SPACE_HOST, nullptr, &exec) != PANTILE_OK) return 1;
  Kokkos::finalize();
  constexpr std::string_view reason = ": Kokkos is finalised or could not be started, or the process is ending";
  bool const refuses = refused(PANTILE_UNAVAILABLE, "pantile_matmul" + std::string(reason)) &&
                       pantile_exec_fence(exec) == PANTILE_UNAVAILABLE &&
                       said("pantile_exec_fence" + std::string(reason)) &&
                       pantile_exec_create(PANTILE_SPACE_HOST, nullptr, &other) == PANTILE_UNAVAILABLE &&
                       said("pantile_exec_create" + std::string(reason));
  pantile_exec_destroy(exec);
  return refuses && other == nullptr ? 0 : 2;
}

int in_regions() {
  std::atomic<int> wrong = 0;
#if defined(_OPENMP)
#pragma omp parallel num_threads(3)
#endif
  {
    if (!right()) ++wrong;
  }
  return wrong == 0 && right() ? 0 : 3;
}

int in_a_child() {
  if (!right()) return 4;
  pid_t const child = fork();
  if (child == 0) _exit(right() ? 0 : 5);
  int status = -1;
  return waitpid(child, &status, 0) == child && WIFEXITED(status) ? WEXITSTATUS(status) : 6;
}

/// Every allocation of a later call fails once, for calls of two kinds: such a call has written nothing, and the next
/// one works.
int without_memory() {
  using pantile::testing::FailingAllocation;
  if (!right()) return 7;
  int refusals = 0;
  for (int const algorithm : {0, 3}) {
    bool happened = true;
    for (long nth = 0; happened; ++nth) {
      Product product;
      pantile_status status = PANTILE_OK;
      {
        FailingAllocation const fails(nth);
        status = product.run(algorithm);
        happened = FailingAllocation::happened();
      }
      bool const refused = status == PANTILE_NO_MEMORY;
      if (!product.holds(refused ? -1.0 : 2.0 * edge) || !(refused || status == PANTILE_OK)) return 8;
      if (refused && !said("pantile_matmul: there is no memory for it")) return 8;
      refusals += refused;
    }
  }
  return refusals > 0 && right() ? 0 : 9;
}

/// What a tool throws at the region of a call ends that call, and not the program.
int with_a_tool_that_throws() {
  if (!right()) return 11;
  Kokkos::Tools::Experimental::set_push_region_callback([](char const*) { throw std::runtime_error("a tool's"); });
  if (!refused(PANTILE_FAILED, "pantile_matmul: a tool's")) return 12;
  Kokkos::Tools::Experimental::set_push_region_callback([](char const*) { throw 1; });
  if (!refused(PANTILE_FAILED, "pantile_matmul: an exception of an unknown type")) return 13;
  Kokkos::Tools::Experimental::set_push_region_callback(nullptr);
  return right() ? 0 : 14;
}

}  // namespace

int main(int argc, char** argv) {
  std::string_view const circumstance = argc > 1 ? argv[1] : "";
  if (circumstance == "finalize") return after_finalize();
  if (circumstance == "region") return in_regions();
  if (circumstance == "fork") return in_a_child();
  if (circumstance == "memory") return without_memory();
  if (circumstance == "exception") return with_a_tool_that_throws();
  return right() && Kokkos::is_initialized() ? 0 : 10;
}

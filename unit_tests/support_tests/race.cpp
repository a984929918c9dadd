// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file  race [ordered]: two threads write one number each and read the other's, without or with a barrier between.
///        Shows that thread sanitizer tells a race in a kernel of Kokkos, and takes a barrier of OpenMP and the end of
///        a kernel for what they are.
#include <Kokkos_Core.hpp>

#include <cstdio>
#include <string_view>
#include <vector>

int main(int argc, char** argv) {
  bool const ordered = argc > 1 && std::string_view(argv[1]) == "ordered";
  Kokkos::ScopeGuard const guard(argc, argv);
  std::vector<long> numbers(1000), sums(1000);
  long* const from = numbers.data();
  long* const to = sums.data();
  auto const count = static_cast<int>(numbers.size());
  if (ordered) {
    Kokkos::parallel_for("write", count, [=](int i) { from[i] = i; });
    Kokkos::parallel_for("read", count, [=](int i) { to[i] = from[count - 1 - i]; });
#pragma omp parallel num_threads(2)
    {
#pragma omp for nowait
      for (int i = 0; i < count; ++i) from[i] = to[i];
#pragma omp barrier
#pragma omp for
      for (int i = 0; i < count; ++i) to[i] = from[count - 1 - i];
    }
  } else {
    Kokkos::parallel_for("write and read", count, [=](int i) {
      from[i] = i;
      to[i] = from[count - 1 - i];
    });
  }
  std::printf("%ld\n", to[0] + to[count - 1]);
}

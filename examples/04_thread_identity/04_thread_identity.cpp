// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// NumbaPro CUDA guide, thread identity: tx + bx * bw, `grid(1)` and `grid(2)`, and `gridsize` as the stride of a loop
// (row 6).
//
// Look at the number of threads that the first part prints: the same kernel runs with one thread and with thousands.
// Differs from Numba: the number of threads is the machine's business. A launch shape in two dimensions is a value that
// the kernel carries: its places are dealt to as many threads as the team has, so that it means the same on a host.

#include <pantile/team/identity.hpp>
#include <pantile/team/loops.hpp>

#include <common/example.hpp>

#include <cstdint>

using Policy = Kokkos::TeamPolicy<>;
using Member = Policy::member_type;
using Matrix = Kokkos::View<double**, Kokkos::LayoutRight>;
namespace team = pantile::team;

static void flat(example::Checks& check) {
  int const n = 30;
  Kokkos::View<std::int64_t*> const who("who", n);
  Kokkos::View<std::int64_t> const threads("threads");
  Kokkos::parallel_for(
      "example: grid(1)", Policy(4, Kokkos::AUTO), KOKKOS_LAMBDA(Member const& member) {
        if (team::grid_rank(member) == 0) threads() = team::grid_size(member);
        team::grid_stride_for(member, n, [&](std::int64_t p) { who(p) = team::grid_rank(member); });
      });
  std::int64_t const size = example::on_host(threads)();
  std::printf("%d elements by %d threads in 4 teams:\n", n, static_cast<int>(size));
  example::print(who);
  check(example::all_equal(who, [size](int p) { return p % size; }), "grid(1) and gridsize(1)");
}

static void two_dimensions(example::Checks& check) {
  pantile::LaunchShape const launch{.grid = {2, 2}, .block = {2, 2}};
  Matrix const indices("indices", 4, 4), visits("visits", 11, 5);
  Kokkos::parallel_for(
      "example: grid(2)", Policy(4, Kokkos::AUTO), KOKKOS_LAMBDA(Member const& member) {
        team::for_each_grid_place(member, launch, [&](team::Place thread) {
          indices(thread.row, thread.col) = static_cast<double>(thread.col) + static_cast<double>(thread.row) / 10;
        });
        team::grid_stride_for_2d(member, launch, 11, 5, [&](std::int64_t i, std::int64_t j) { visits(i, j) += 1; });
      });
  example::print(indices, true);
  check(example::all_equal(indices, [](double i, double j) { return j + i / 10; }), "grid(2): x.y of every thread");
  check(example::all_equal(visits, [](int, int) { return 1; }), "gridsize(2): each of 11x5 elements visited once");
}

int main(int argc, char** argv) {
  Kokkos::ScopeGuard const kokkos(argc, argv);
  example::Checks check;
  flat(check);
  two_dimensions(check);
  return check.status();
}

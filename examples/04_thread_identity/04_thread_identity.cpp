// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// NumbaPro CUDA guide, thread identity: tx + bx * bw, `grid(1)` and `grid(2)`, and `gridsize` as the stride of a loop
// (row 6).
//
// Look at the number of threads that the first part prints: the same kernel runs with one thread and with thousands.
// ../pictures/grid_stride.svg shows its loop.
// Differs from Numba: the number of threads is the machine's business. A launch shape in two dimensions is a value that
// the kernel carries: its places are dealt to as many threads as the team has, so that it means the same on a host.

#include <pantile/team/identity.hpp>
#include <pantile/team/loops.hpp>

#include <common/example.hpp>

#include <cstdint>

using Exec = Kokkos::DefaultExecutionSpace;
using Policy = Kokkos::TeamPolicy<Exec>;
using Member = Policy::member_type;
using Matrix = Kokkos::View<double**, Kokkos::LayoutRight>;
using Vector = Kokkos::View<std::int64_t*>;
namespace team = pantile::team;

static void flat_kernel(Vector const& who) {
  Kokkos::parallel_for(
      "example: grid(1)", Policy(4, Kokkos::AUTO), KOKKOS_LAMBDA(Member const& member) {
        std::int64_t const tx = member.team_rank(), bx = member.league_rank(), bw = member.team_size();
        std::int64_t const i = tx + bx * bw, stride = bw * member.league_size();
        // MENDED: the guide has `array[i] = something(i)`, which writes beyond the array where threads are more than
        // elements, and leaves elements out where they are fewer.
        for (std::int64_t p = i; p < who.extent_int(0); p += stride) who(p) = i;
      });
}

static void flat_by_tools(Vector const& who) {
  Kokkos::parallel_for(
      "example: grid_stride_for", Policy(4, Kokkos::AUTO), KOKKOS_LAMBDA(Member const& member) {
        team::grid_stride_for(member, who.extent(0), [&](std::int64_t p) { who(p) = team::grid_rank(member); });
      });
}

// x.y of every thread of 2x2 blocks of 2x2.
static void square_kernel(Matrix const& indices) {
  Kokkos::parallel_for(
      "example: grid(2)", Policy(4, Kokkos::AUTO), KOKKOS_LAMBDA(Member const& member) {
        int const bx = member.league_rank() % 2, by = member.league_rank() / 2, bw = 2, bh = 2;
        Kokkos::parallel_for(Kokkos::TeamThreadRange(member, bw * bh), [&](int thread) {
          int const x = thread % bw + bx * bw, y = thread / bw + by * bh;
          // MENDED: `array[x, y]` puts neighbours in x a row apart: memory is contiguous along the last index.
          if (y < indices.extent_int(0) && x < indices.extent_int(1)) indices(y, x) = x + y / 10.0;
        });
      });
}

static void square_by_tools(pantile::LaunchShape const shape, Matrix const& indices) {
  Kokkos::parallel_for(
      "example: for_each_grid_place", Policy(4, Kokkos::AUTO), KOKKOS_LAMBDA(Member const& member) {
        team::for_each_grid_place(member, shape, [&](team::Place thread) {
          indices(thread.row, thread.col) = static_cast<double>(thread.col) + static_cast<double>(thread.row) / 10.0;
        });
      });
}

// How often each element is visited by 2x2 blocks of 2x2 threads.
static void stride_kernel(Matrix const& visits) {
  Kokkos::deep_copy(visits, 0.0);
  Kokkos::parallel_for(
      "example: gridsize(2)", Policy(4, Kokkos::AUTO), KOKKOS_LAMBDA(Member const& member) {
        int const bx = member.league_rank() % 2, by = member.league_rank() / 2, bw = 2, bh = 2;
        Kokkos::parallel_for(Kokkos::TeamThreadRange(member, bw * bh), [&](int thread) {
          int const x = thread % bw + bx * bw, y = thread / bw + by * bh, stride_x = 2 * bw, stride_y = 2 * bh;
          for (int i = y; i < visits.extent_int(0); i += stride_y) {
            for (int j = x; j < visits.extent_int(1); j += stride_x) visits(i, j) += 1;
          }
        });
      });
}

static void stride_by_tools(pantile::LaunchShape const shape, Matrix const& visits) {
  Kokkos::deep_copy(visits, 0.0);
  Kokkos::parallel_for(
      "example: grid_stride_for_2d", Policy(4, Kokkos::AUTO), KOKKOS_LAMBDA(Member const& member) {
        team::grid_stride_for_2d(member, shape, visits.extent(0), visits.extent(1),
                                 [&](std::int64_t i, std::int64_t j) { visits(i, j) += 1; });
      });
}

int main(int argc, char** argv) {
  Kokkos::ScopeGuard const kokkos(argc, argv);
  example::Checks check;

  Vector const who("who", 30), many("many", 1'000'000);
  flat_kernel(who);
  int const last = static_cast<int>(example::on_host(Kokkos::subview(who, Kokkos::make_pair(29, 30)))(0));
  std::printf("30 elements by 4 teams; the last one by thread %d:\n", last);
  example::print(who);
  example::compare(
      check, "grid(1), 30", who, 0, [&] { flat_kernel(who); }, [&] { flat_by_tools(who); });
  example::compare(
      check, "grid(1), 10^6", many, 0, [&] { flat_kernel(many); }, [&] { flat_by_tools(many); });

  pantile::LaunchShape const shape{.grid = {2, 2}, .block = {2, 2}};
  Matrix const indices("indices", 4, 4), visits("visits", 11, 5), large("large", 1000, 700);
  square_kernel(indices);
  example::print(indices, true);
  check(example::all_equal(indices, [](int i, int j) { return j + i / 10.0; }), "grid(2): x.y of every thread");
  example::compare(
      check, "grid(2)", indices, 0, [&] { square_kernel(indices); }, [&] { square_by_tools(shape, indices); });
  for (Matrix const& each : {visits, large}) {
    example::compare(
        check, "gridsize(2)", each, 0, [&] { stride_kernel(each); }, [&] { stride_by_tools(shape, each); });
    check(example::all_equal(each, [](int, int) { return 1; }), "gridsize(2): each element is visited once");
  }
  return check.status();
}

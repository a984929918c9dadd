// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// NumbaPro CUDA guide: `cu_square_matrix_mul`, 50x50 blocks of 32x32 threads, n = 1600, float32, beside its CUDA C twin
// (row 10). The raw CUDA C kernel is a baseline of perf_tests.
//
// Look at operator(): a team's threads take the rows of a tile and their vector lanes its columns, which become warps
// on a GPU and vector instructions on a host.
// Differs from Numba: n need not be bpg * tpb. Nothing is compiled at the first call. The document's program prints the
// time of the host ("cpu"), of its kernel with the copies ("cuda"), and their ratio.
//
// usage: 08_square_matmul [n]

#include <pantile/auto_synchronize.hpp>
#include <pantile/matmul.hpp>
#include <pantile/transfer.hpp>

#include <common/example.hpp>

using Exec = Kokkos::DefaultExecutionSpace;
using Policy = Kokkos::TeamPolicy<Exec>;
using Member = Policy::member_type;
using Matrix = Kokkos::View<float**, Kokkos::LayoutRight>;
using HostMatrix = Kokkos::View<float**, Kokkos::LayoutRight, Kokkos::HostSpace>;

constexpr int tpb = 32;
using Tile = Kokkos::View<float[tpb][tpb], Kokkos::LayoutRight, Exec::scratch_memory_space,
                          Kokkos::MemoryTraits<Kokkos::Unmanaged>>;

struct SquareMatrixMul {
  Matrix A, B, C;
  int n = C.extent_int(0), bpg = (n + tpb - 1) / tpb;

  // f(ty, tx) by every thread of the block.
  template <class F>
  KOKKOS_FUNCTION static void each_thread(Member const& member, F const& f) {
    Kokkos::parallel_for(Kokkos::TeamThreadRange(member, tpb), [&](int ty) {
      Kokkos::parallel_for(Kokkos::ThreadVectorRange(member, tpb), [&](int tx) { f(ty, tx); });
    });
  }

  KOKKOS_FUNCTION void operator()(Member const& member) const {
    Tile const sA(member.team_scratch(0)), sB(member.team_scratch(0)), acc(member.team_scratch(0));
    int const by = member.league_rank() / bpg * tpb, bx = member.league_rank() % bpg * tpb;
    // MENDED: `acc = 0.` is a float64 in Python, so that the document's kernel computes in double precision and says
    // float32; its CUDA C twin has a float.
    each_thread(member, [&](int ty, int tx) { acc(ty, tx) = 0; });
    for (int i = 0; i < bpg; ++i) {
      each_thread(member, [&](int ty, int tx) {
        int const y = by + ty, x = bx + tx, row = i * tpb + ty, column = i * tpb + tx;
        // MENDED: `if x < n and y < n` does not ask for the column of A and the row of B, which also end at n.
        sA(ty, tx) = y < n && column < n ? A(y, column) : 0;
        sB(ty, tx) = row < n && x < n ? B(row, x) : 0;
      });
      member.team_barrier();
      Kokkos::parallel_for(Kokkos::TeamThreadRange(member, tpb), [&](int ty) {
        for (int j = 0; j < tpb; ++j) {
          float const a = sA(ty, j);
          Kokkos::parallel_for(Kokkos::ThreadVectorRange(member, tpb), [&](int tx) { acc(ty, tx) += a * sB(j, tx); });
        }
      });
      member.team_barrier();
    }
    each_thread(member, [&](int ty, int tx) {
      if (by + ty < n && bx + tx < n) C(by + ty, bx + tx) = acc(ty, tx);
    });
  }

  void launch(Exec const& stream) const {
    Policy policy(stream, bpg * bpg, Kokkos::AUTO, std::min(tpb, Policy::vector_length_max()));
    policy.set_scratch_size(0, Kokkos::PerTeam(3 * Tile::shmem_size()));
    Kokkos::parallel_for("example: cu_square_matrix_mul", policy, *this);
  }
};

static int run(int n) {
  HostMatrix const A("A", n, n), B("B", n, n), C("C", n, n);
  example::set_random(A, 1);
  example::set_random(B, 2);
  example::Checks check;
  std::printf("N = %d x %d\n", n, n);

  Exec const stream;
  Matrix const dA("dA", n, n), dB("dB", n, n), dC("dC", n, n);
  double const time = example::seconds([&] {
    pantile::AutoSynchronize const done(stream);
    pantile::copy(stream, dA, A);
    pantile::copy(stream, dB, B);
    SquareMatrixMul{dA, dB, dC}.launch(stream);
    pantile::copy(stream, C, dC);
  });
  HostMatrix const answer("answer", n, n);
  double const host_time = example::seconds([&] { Kokkos::deep_copy(answer, example::dot(A, B)); });
  double const rtol = example::rtol_of_sums<float>(n);
  check(example::all_close(C, answer, rtol), "the kernel against sums in double precision");
  std::printf("cpu:  %f\ncuda: %f\ncuda speedup: %.2fx\n", host_time, time, host_time / time);

  auto const kernel = [&] { SquareMatrixMul{dA, dB, dC}.launch(stream); };
  pantile::MatmulOptions const tiles{.algorithm = pantile::MatmulAlgorithm::tiled, .tile = {tpb, tpb, tpb}};
  example::compare(check, "tile 32x32x32", dC, rtol, kernel,
                   [&] { pantile::matmul(stream, 1.0f, dA, dB, 0.0f, dC, tiles); });
  example::compare(check, "as Pantile chooses", dC, rtol, kernel,
                   [&] { pantile::matmul(stream, 1.0f, dA, dB, 0.0f, dC); });
  return check.status();
}

int main(int argc, char** argv) {
  Kokkos::ScopeGuard const kokkos(argc, argv);
  return run(argc > 1 ? std::atoi(argv[1]) : 1600);
}

// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Numba, ROC examples: `with roc.register(A, B, C):` moves arrays to the device and results back around a call; first
// and second call are timed and compared with np.dot, rtol = 1e-5 (row 4). HSA examples: the same with blocksize =
// gridsize = 20 (row 5), a tile edge that is no power of two.
//
// Look at the braces of multiply(): the scope opens where arrays are handed in and closes where C has its result.
// Differs from Numba: arrays have roles, so that A and B do not travel back and C does not travel in; on host backends
// nothing travels at all. Nothing is compiled at the first call; it pays for memory that nobody has touched yet.

#include <pantile/matmul.hpp>
#include <pantile/transfer_scope.hpp>

#include <common/example.hpp>

using Exec = Kokkos::DefaultExecutionSpace;
using HostMatrix = Kokkos::View<float**, Kokkos::LayoutRight, Kokkos::HostSpace>;

// Time of the call alone, as the documents take it.
static double multiply(HostMatrix const& A, HostMatrix const& B, HostMatrix const& C,
                       pantile::MatmulOptions const& options) {
  Exec const exec;
  double time = 0;
  {
    pantile::TransferScope scope(exec);
    auto const dA = scope.in(A), dB = scope.in(B);
    auto const dC = scope.out(C);
    time = example::seconds([&] { pantile::matmul(exec, 1.0f, dA, dB, 0.0f, dC, options); });
  }
  return time;
}

int main(int argc, char** argv) {
  Kokkos::ScopeGuard const kokkos(argc, argv);
  constexpr int blocksize = 20, gridsize = 20, N = gridsize * blocksize;
  HostMatrix const A("A", N, N), B("B", N, N), C("C", N, N);
  example::set_random(A, 1);
  example::set_random(B, 2);
  HostMatrix const ans("ans", N, N);
  double const host_time = example::seconds([&] { Kokkos::deep_copy(ans, example::dot(A, B)); });

  example::Checks check;
  auto const run = [&](char const* what, pantile::MatmulOptions const& options) {
    Kokkos::deep_copy(C, -1.0f);
    std::printf("%s\n", what);
    std::printf("  1st %s time: %.6f s\n", Exec::name(), multiply(A, B, C, options));
    std::printf("  2nd %s time: %.6f s\n", Exec::name(), multiply(A, B, C, options));
    check(example::all_close(C, ans, 1e-5), what);
  };
  run("matmul, naive", {.algorithm = pantile::MatmulAlgorithm::naive});
  run("matmulfast, blocksize 20",
      {.algorithm = pantile::MatmulAlgorithm::tiled, .tile = {blocksize, blocksize, blocksize}});
  std::printf("host loop time: %.6f s\n", host_time);
  return check.status();
}

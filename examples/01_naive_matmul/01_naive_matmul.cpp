// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Numba, CUDA examples, "Matrix multiplication": `matmul`, one element of C per thread of a 2D grid (row 1).
//
// Look at the call: the algorithm is chosen by name, everything else is as for the fast ones. `automatic`, the default,
// would choose for you.
// Differs from Numba: no grid and block to compute, and no `if i < C.shape[0]` guard to forget; shapes are checked, and
// a wrong one is an exception that names the operands.

#include <pantile/matmul.hpp>

#include <common/example.hpp>

using Matrix = Kokkos::View<double**, Kokkos::LayoutRight>;

static int run() {
  Matrix const x("x", 4, 4), y("y", 4, 4), z("z", 4, 4);
  example::set_arange(x);
  Kokkos::deep_copy(y, 1.0);

  Kokkos::DefaultExecutionSpace const exec;
  pantile::matmul(exec, 1.0, x, y, 0.0, z, {.algorithm = pantile::MatmulAlgorithm::naive});
  exec.fence();  // the call returned when the work was enqueued

  example::print(z);
  example::Checks check;
  check(example::all_equal(z, [](int i, int) { return 16 * i + 6; }), "z = x @ y");

  Matrix const wrong("wrong", 5, 4);
  try {
    pantile::matmul(exec, 1.0, x, wrong, 0.0, z);
    check(false, "4x4 times 5x4 is refused");
  } catch (pantile::Error const& error) {
    std::printf("%s\n", error.what());
    check(true, "4x4 times 5x4 is refused");
  }
  return check.status();
}

int main(int argc, char** argv) {
  Kokkos::ScopeGuard const kokkos(argc, argv);
  return run();
}

// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Numba, CUDA examples, "Matrix multiplication": `matmul`, one element of C per thread of a 2D grid (row 1).
//
// Look at the launch: MDRangePolicy makes the grid, and no `if i < C.shape[0] and j < C.shape[1]` is there to be
// forgotten, since it starts no thread outside of C. In the library's call the algorithm is an option: `automatic`, the
// default, would choose another one. Shapes are checked; a wrong one is an exception that names the operands.
//
// usage: 01_naive_matmul [n]

#include <pantile/matmul.hpp>

#include <common/example.hpp>

using Exec = Kokkos::DefaultExecutionSpace;
using Matrix = Kokkos::View<double**, Kokkos::LayoutRight>;

struct Matmul {
  Matrix A, B, C;
  KOKKOS_FUNCTION void operator()(int i, int j) const {
    double tmp = 0;
    for (int k = 0; k < A.extent_int(1); ++k) tmp += A(i, k) * B(k, j);
    C(i, j) = tmp;
  }
};

static void matmul_kernel(Exec const& exec, Matrix const& A, Matrix const& B, Matrix const& C) {
  // MENDED: the document has `i, j = cuda.grid(2)`, so that neighbouring threads take neighbouring rows of C and read
  // and write elements that lie a row apart. Here j runs fastest: they take neighbouring columns.
  using Rank = Kokkos::Rank<2, Kokkos::Iterate::Right, Kokkos::Iterate::Right>;
  Kokkos::MDRangePolicy<Exec, Rank> const grid(exec, {0, 0}, {C.extent_int(0), C.extent_int(1)});
  Kokkos::parallel_for("example: matmul", grid, Matmul{A, B, C});
}

static pantile::MatmulOptions const naive{.algorithm = pantile::MatmulAlgorithm::naive};

static void as_documented(Exec const& exec, example::Checks& check) {
  Matrix const x("x", 4, 4), y("y", 4, 4), z("z", 4, 4);
  example::set_arange(x);
  Kokkos::deep_copy(y, 1.0);
  auto const expected = example::dot(x, y);

  matmul_kernel(exec, x, y, z);
  exec.fence();  // the launch returned when the work was enqueued
  example::print(z);
  example::print(expected);
  check(example::all_close(z, expected, 0), "z = x @ y");
  example::compare(
      check, "4x4", z, 0, [&] { matmul_kernel(exec, x, y, z); },
      [&] { pantile::matmul(exec, 1.0, x, y, 0.0, z, naive); });

  Matrix const wrong("wrong", 5, 4);
  try {
    pantile::matmul(exec, 1.0, x, wrong, 0.0, z);
    check(false, "4x4 times 5x4 is refused");
  } catch (pantile::Error const& error) {
    std::printf("%s\n", error.what());
    check(true, "4x4 times 5x4 is refused");
  }
}

static void larger(Exec const& exec, int n, example::Checks& check) {
  Matrix const A("A", n, n), B("B", n, n), C("C", n, n);
  example::set_random(A, 1);
  example::set_random(B, 2);
  double const rtol = example::rtol_of_sums<double>(n);
  auto const kernel = [&] { matmul_kernel(exec, A, B, C); };
  example::compare(check, "naive", C, rtol, kernel, [&] { pantile::matmul(exec, 1.0, A, B, 0.0, C, naive); });
  example::compare(check, "as Pantile chooses", C, rtol, kernel, [&] { pantile::matmul(exec, 1.0, A, B, 0.0, C); });
}

int main(int argc, char** argv) {
  Kokkos::ScopeGuard const kokkos(argc, argv);
  example::Checks check;
  as_documented(Exec(), check);
  larger(Exec(), argc > 1 ? std::atoi(argv[1]) : 512, check);
  return check.status();
}

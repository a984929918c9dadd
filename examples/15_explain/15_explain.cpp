// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What would this call do, and why? (No row of the documents: there, the kernel is what you wrote.)
//
// Look at the reasons. The answer comes from the same function that the call itself asks; nothing is launched.
// `pantile::explain::<operation>` takes the arguments of `pantile::<operation>`.

#include <pantile/matmul.hpp>

#include <common/example.hpp>

#include <iostream>

using Matrix = Kokkos::View<double**, Kokkos::LayoutRight>;
using Algorithm = pantile::MatmulAlgorithm;

int main(int argc, char** argv) {
  Kokkos::ScopeGuard const kokkos(argc, argv);
  Kokkos::DefaultExecutionSpace const exec;
  example::Checks check;

  Matrix const A("A", 500, 300), B("B", 300, 400), C("C", 500, 400);
  auto const chosen = pantile::explain::matmul(exec, 1.0, A, B, 0.0, C);
  std::cout << chosen << '\n';
  check(chosen.algorithm != "automatic", "an automatic call names the algorithm that runs");
  check(chosen.flops == 2.0 * 500 * 300 * 400, "2 m n k operations");

  pantile::MatmulOptions const asked{.algorithm = Algorithm::tiled, .tile = {16, 16, 16}};
  auto const tiled = pantile::explain::matmul(exec, 1.0, A, B, 0.0, C, asked);
  std::cout << tiled << '\n';
  check(tiled.scratch_bytes > 0, "tiles live in scratch");

  Matrix const a("a", 4, 4), c("c", 4, 4);
  auto const small = pantile::explain::matmul(exec, 1.0, a, a, 0.0, c);
  std::cout << small << '\n';
  check(small.scratch_bytes == 0, "4x4 is too small for tiles");

  try {
    int const huge = 1 << 14;
    pantile::explain::matmul(exec, 1.0, A, B, 0.0, C, {.algorithm = Algorithm::tiled, .tile = {huge, huge, huge}});
    check(false, "a tile that fits nowhere is refused");
  } catch (pantile::Error const& error) {
    std::cout << error.rule() << '\n';
    check(true, "a tile that fits nowhere is refused");
  }
  return check.status();
}

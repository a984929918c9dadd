# SPDX-FileCopyrightText: Pantile contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""record_cost.py BUILD LIBRARY LIMIT: how long a user's file compiles against the compiled library, beside one that
only includes Kokkos, and how large the library is. Written to BUILD/cost.txt; fails above LIMIT megabytes (0: no
limit)."""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from compiler import Compiler  # noqa: E402

KOKKOS = """#include <Kokkos_Core.hpp>
void user(Kokkos::View<double**> A) { Kokkos::deep_copy(A, 1.0); }
"""
PANTILE = """#include <pantile/matmul.hpp>
void user(Kokkos::View<double**> A, Kokkos::View<double**, Kokkos::LayoutLeft> B, Kokkos::View<double**> C) {
  pantile::matmul(1.0, A, B, 0.0, C);
}
"""
REPETITIONS = 2


def main():
    build, library, limit = sys.argv[1:4]
    compiler = Compiler(build, build)
    seconds = {name: min(compiler.seconds(text) for _ in range(REPETITIONS))
               for name, text in (("kokkos", KOKKOS), ("pantile", PANTILE))}  # fmt: skip
    megabytes = pathlib.Path(library).stat().st_size / 1e6
    text = (
        f"cost: a file with a matmul of doubles compiles in {seconds['pantile']:.1f} s, "
        f"one with Kokkos alone in {seconds['kokkos']:.1f} s; {pathlib.Path(library).name} has {megabytes:.1f} MB"
    )
    print(text)
    pathlib.Path(build, "cost.txt").write_text(text + "\n", encoding="utf-8")
    return 0 < float(limit) < megabytes


if __name__ == "__main__":
    sys.exit(main())

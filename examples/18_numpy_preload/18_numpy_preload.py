#!/usr/bin/env python3
# SPDX-FileCopyrightText: Pantile contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""NumPy, as it is, with its matrix products computed by Pantile:

    LD_PRELOAD=build/host/lib/libpantile_blas.so python3 your_program.py

What to look at: measure() below is an ordinary NumPy program that knows nothing of Pantile. This script runs it with
and without the library preloaded, turn by turn, and prints the best times of each side by side. It fails if the two
results differ (operands are small integers, so that every sum is exact) or if the preloaded library was not asked.

NumPy asks whichever BLAS the system has installed. Debian's own choice for NumPy is the reference BLAS (package
libblas3); where it lies beside another one, it is compared with too.

    examples/18_numpy_preload/18_numpy_preload.py LIBRARY [--sizes N ...] [--rounds R]
"""

import argparse
import glob
import json
import os
import subprocess
import sys
import tempfile
import time

TYPES = ("float32", "float64", "complex64", "complex128")


def measure(sizes):
    """The program: products of square matrices. Prints seconds and a checksum for each type and size."""
    import numpy
    random = numpy.random.default_rng(20)
    rows = []
    for dtype in TYPES:
        for n in sizes:
            a, b = (random.integers(-4, 5, (n, n)).astype(dtype) for _ in range(2))
            seconds = []
            for _ in range(5):
                start = time.perf_counter()
                c = a @ b
                seconds.append(time.perf_counter() - start)
            checksum = c @ numpy.arange(1, n + 1) @ numpy.ones(n)  # integers below 2^53: exact in double
            rows.append((dtype, n, min(seconds), str(numpy.complex128(checksum)), str(numpy.abs(c).max())))
    print(json.dumps(rows))


def run(sizes, preload="", blas_folder=""):
    """The program's rows, and whether its products went to the preloaded library."""
    with tempfile.TemporaryDirectory() as folder:
        variables = dict(os.environ, PYTHONDONTWRITEBYTECODE="1")
        if blas_folder:
            variables["LD_LIBRARY_PATH"] = blas_folder
        if preload:
            variables.update(LD_PRELOAD=preload, LD_DEBUG="bindings", LD_DEBUG_OUTPUT=f"{folder}/bindings")
        command = [sys.executable, __file__, "--measure", "--sizes", *map(str, sizes)]
        done = subprocess.run(command, env=variables, stdout=subprocess.PIPE, text=True, check=True)
        asked = False
        for file in glob.glob(f"{folder}/bindings.*"):
            with open(file, encoding="utf-8", errors="replace") as lines:
                asked = asked or any(f"to {preload} " in line and "`cblas_dgemm'" in line for line in lines)
        return json.loads(done.stdout), asked


def compare(title, library, sizes, rounds, blas_folder=""):
    """Prints one table; complaints."""
    best, complaints = {}, []
    for _ in range(rounds):
        without, _ = run(sizes, blas_folder=blas_folder)
        with_pantile, asked = run(sizes, preload=library, blas_folder=blas_folder)
        if not asked:
            complaints.append(f"{title}: {library} was not asked for products")
        for (dtype, n, own, *result), (_, _, pantile, *result_with) in zip(without, with_pantile):
            if result != result_with:
                complaints.append(f"{title}: {dtype} {n}: {result_with} instead of {result}")
            old = best.get((dtype, n), (own, pantile))
            best[dtype, n] = (min(old[0], own), min(old[1], pantile))
    print(f"\n{title}, milliseconds per product, best of {5 * rounds}")
    print(f"{'type':<11} {'n':>5} {'without':>9} {'with':>9} {'ratio':>6}")
    for (dtype, n), (own, pantile) in best.items():
        print(f"{dtype:<11} {n:>5} {1e3 * own:>9.3f} {1e3 * pantile:>9.3f} {own / pantile:>6.2f}")
    return complaints


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("library", nargs="?", help="path of libpantile_blas.so")
    parser.add_argument("--sizes", type=int, nargs="+", default=[64, 256, 1000])
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--measure", action="store_true", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.measure:
        return measure(arguments.sizes)
    if not arguments.library:
        parser.error("which libpantile_blas.so?")
    library = os.path.abspath(arguments.library)
    complaints = compare("NumPy with this system's BLAS", library, arguments.sizes, arguments.rounds)
    for reference in glob.glob("/usr/lib/*/blas/libblas.so.3"):
        complaints += compare("NumPy with the reference BLAS", library, arguments.sizes, arguments.rounds,
                              os.path.dirname(reference))
    print("\n" + "\n".join(complaints or ["all results are equal; ratio: how many times as fast with Pantile"]))
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())

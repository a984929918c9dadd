#!/usr/bin/env python3
# SPDX-FileCopyrightText: Pantile contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""pblas_testers.py LIBRARY COUNTER MPIEXEC...: ScaLAPACK's own testers of PBLAS' level 3 (Debian 12's package
scalapack-mpi-test) on four ranks with the BLAS layer LIBRARY preloaded. COUNTER is scripts/lib/suites/count_calls.c,
MPIEXEC... what comes before a program. Exit status 77 where the testers are not here, 1 if the variable CI is set."""

import os
import pathlib
import re
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "scripts/lib/suites"))

import programs  # noqa: E402

RANKS = 4
SKIPPED = 77
# Places of ranks, in rows and in columns.
GRIDS = ((2, 2), (4, 1), (1, 2))
SCALARS = {"real": ("2.0D0", "3.0D0"), "complex": ("(2.0D0, -4.0D0)", "(3.0D0, -2.0D0)")}
REAL_ROUTINES = ("GEMM", "SYMM", "SYRK", "SYR2K", "TRMM", "TRSM", "GEADD", "TRADD")
COMPLEX_ROUTINES = (*REAL_ROUTINES[:2], "HEMM", "SYRK", "HERK", "SYR2K", "HER2K", *REAL_ROUTINES[4:])
# A column for each problem: DIAG, SIDE, TRANSA, TRANSB, UPLO; then M, N, K; blocks; the first row and column.
# Large ones run kernels of the library, small ones its calls for tiny products; one is of a single element.
LETTERS = (("N", "L", "N", "N", "U"), ("N", "R", "T", "N", "L"), ("U", "L", "N", "T", "L"), ("N", "R", "C", "T", "U"),
           ("N", "L", "N", "N", "U"))
SIZES = ((96, 80, 88), (70, 101, 83), (13, 17, 11), (34, 21, 65), (1, 1, 1))
BLOCKS = (16, 32, 3, 7, 1)
FIRST = (1, 6, 4, 1, 2)


def routines_of(letter):
    return [f"P{letter.upper()}{name}" for name in (COMPLEX_ROUTINES if letter in "cz" else REAL_ROUTINES)]


def input_of(letter):
    """The input of a tester, in the form of the packaged ones: values first, to the end of a line what they are."""
    alpha, beta = SCALARS["complex" if letter in "cz" else "real"]

    def row(values):
        return " ".join(map(str, values))

    lines = ["'PBLAS with another BLAS'", "'ranks of one machine'", "'report' file", "6 device", "F stop at a failure",
             "T error exits", "0 verbosity", "3 gap behind a column", "16.0 threshold", "32 logical block",
             f"{len(GRIDS)} grids", row(p for p, _ in GRIDS) + " P", row(q for _, q in GRIDS) + " Q",
             f"{alpha} alpha", f"{beta} beta", f"{len(SIZES)} problems"]
    for number, name in enumerate(("DIAG", "SIDE", "TRANSA", "TRANSB", "UPLO")):
        letters = [column[number] for column in LETTERS]
        lines.append(row(f"'{value}'" for value in letters) + f" {name}")
    for number, name in enumerate("MNK"):
        lines.append(row(size[number] for size in SIZES) + f" {name}")
    extents = [max(size) + first for size, first in zip(SIZES, FIRST)]
    for operand in "ABC":
        for name, values in (("M", extents), ("N", extents), ("IMB", BLOCKS), ("INB", BLOCKS), ("MB", BLOCKS),
                             ("NB", BLOCKS), ("RSRC", [0] * len(SIZES)), ("CSRC", [0] * len(SIZES))):
            lines.append(f"{row(values)} {name}_{operand}")
        lines += [f"{row(FIRST)} I{operand}", f"{row(FIRST)} J{operand}"]
    return "\n".join(lines + [f"{name:7} T" for name in routines_of(letter)]) + "\n"


def counts(routine):
    """Tests, passed, failed, skipped that a routine must have. Those of rank k know one transposition of complex
    matrices only, the conjugate one where the result is Hermitian."""
    unknown = "T" if re.match("P[CZ]HER", routine) else "C" if re.match("P[CZ]SYR", routine) else None
    skipped = len(GRIDS) * sum(column[2] == unknown for column in LETTERS)
    tests = len(GRIDS) * len(SIZES)
    return tests, tests - skipped, 0, skipped


def complaints(letter, output):
    """What a tester's output lacks or should not have; empty when all has passed."""
    found = [line.strip() for line in output.splitlines() if re.search(r"FAILED  \*|ERROR|overwrite|Not enough", line)]
    for routine in routines_of(letter):
        wanted = counts(routine)
        line = re.search(rf"^ *\| +{routine} +(\d+) +(\d+) +(\d+) +(\d+) *$", output, re.MULTILINE)
        numbers = tuple(map(int, line.groups())) if line else None
        if numbers != wanted:
            found.append(f"{routine}: tests, passed, failed, skipped are {numbers}, not {wanted}")
    if "End of Tests." not in output:
        found.append("no End of Tests")
    return found


def run_tester(blas, library, mpiexec, tester, letter):
    """Complaints about one tester."""
    with tempfile.TemporaryDirectory() as work:
        pathlib.Path(work, f"P{letter.upper()}BLAS3TST.dat").write_text(input_of(letter), encoding="utf-8")
        done, calls, to_library = blas.run([*mpiexec, str(tester)], library, timeout=800, cwd=work,
                                           capture_output=True, text=True)
    if done is None:
        return [f"{tester.name}: it took too long"]
    found = complaints(letter, done.stdout)
    if done.returncode != 0:
        found.append(f"exit status {done.returncode}, stderr: {done.stderr}")
    if calls == 0 or to_library != calls:
        found.append(f"{to_library} of {calls} products went to {library}")
    print(f"{tester.name}: {len(routines_of(letter))} routines, {to_library} local products, {len(found)} complaints")
    return [f"{tester.name}: {text}" for text in found]


def testers():
    """letter -> program, where Debian's package has them."""
    folders = sorted(pathlib.Path("/usr/lib").glob("*/scalapack/openmpi-tests/PBLAS"))
    return {letter: folders[0] / f"{letter}pb3tst" for letter in "sdcz"} if folders else {}


def main():
    library, counter, *mpiexec = sys.argv[1:]
    found = testers()
    if not found:
        print("ScaLAPACK's testers are not here: Debian 12 has them in the package scalapack-mpi-test")
        return 1 if os.environ.get("CI") else SKIPPED
    blas = programs.Blas("layer", counter, [library], [])
    wrong = [text for letter, tester in found.items() for text in run_tester(blas, library, mpiexec, tester, letter)]
    print("\n".join(wrong[:50]))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())

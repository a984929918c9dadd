#!/usr/bin/env python3
# SPDX-FileCopyrightText: Pantile contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""testers.py LIBRARY FOLDER packaged|large: the level 3 testers of the reference BLAS (Debian's package libblas-test,
in FOLDER beside the reference BLAS, which answers to what is no product), with LIBRARY preloaded.

packaged: the inputs that come with them. large: products of sizes up to 65, the largest that the testers hold."""

import pathlib
import re
import sys
import tempfile

import preload

LARGE_SIZES = (1, 17, 33, 64, 65)
REAL, COMPLEX = "0.0 1.0 {}", "(0.0,0.0) (1.0,0.0) ({},-0.9)"
SCALARS = {"s": REAL, "d": REAL, "c": COMPLEX, "z": COMPLEX}


def large_input(kind, letter):
    """The input of a tester, in the form of the packaged ones, for products only."""
    summary = ["'large.out'", "6"] if kind == "fortran" else []
    orders = [] if kind == "fortran" else ["2"]
    scalars = SCALARS[letter]
    return "\n".join([
        *summary, "'NONE.SNAP'", "-1", "F", "F", "T", *orders, "16.0",
        str(len(LARGE_SIZES)), " ".join(map(str, LARGE_SIZES)),
        "3", scalars.format("0.7"), "3", scalars.format("1.3"),
        f"{letter.upper()}GEMM  T" if kind == "fortran" else f"cblas_{letter}gemm  T",
    ]) + "\n"


def routines_of(text):
    """The routines that an input asks to be tested."""
    return re.findall(r"^((?:cblas_)?\w+) +T\b", text.split("\n", 8)[-1], re.MULTILINE)


def complaints(kind, routines, output):
    """What a tester's output lacks or should not have; empty when all has passed."""
    found = [line.strip() for line in output.splitlines() if re.search(r"\*\*\*|FAIL|FATAL|SUSPECT|ABANDONED", line)]
    wanted = ["TESTS OF ERROR-EXITS", r"COMPUTATIONAL TESTS \( *[1-9]\d* CALLS\)"]
    if kind == "cblas":
        wanted[1:] = [rf"{order} +{wanted[1]}" for order in ("COLUMN-MAJOR", "ROW-MAJOR")]
    for routine in routines:
        # Fortran's testers print six characters, or all.
        name = routine if kind == "cblas" else f"{routine[:6]}(?:{routine[6:]})?"
        found += [f"{routine}: no line PASSED THE {text}" for text in wanted
                  if not re.search(rf"^ *{name} +PASSED THE +{text}", output, re.MULTILINE)]
    if not re.search(r"^ *END OF TESTS", output, re.MULTILINE):
        found.append("no END OF TESTS")
    return found


def run_tester(library, folder, kind, letter, size):
    """Complaints about one tester."""
    program, packaged = f"xblat3{letter}", f"{letter}blat3.in"
    if kind == "cblas":
        program, packaged = f"x{letter}cblat3", f"{letter}in3"
    text = (folder / packaged).read_text(encoding="utf-8") if size == "packaged" else large_input(kind, letter)
    with tempfile.TemporaryDirectory() as work:
        done, symbols = preload.run(library, [str(folder / program)], {"LD_LIBRARY_PATH": str(folder)}, input=text,
                                    cwd=work, timeout=600)
        output = done.stdout + "".join(file.read_text(encoding="utf-8") for file in pathlib.Path(work).glob("*.out"))
    found = complaints(kind, routines_of(text), output)
    if done.returncode != 0 or done.stderr:
        found.append(f"exit status {done.returncode}, stderr: {done.stderr}")
    symbol = f"{letter}gemm_" if kind == "fortran" else f"cblas_{letter}gemm"
    if symbol not in symbols:
        found.append(f"{symbol} was not taken from {library}")
    calls = [int(number) for number in re.findall(r"gemm +PASSED .*\( *(\d+) CALLS\)", output, re.IGNORECASE)]
    print(f"{program}, {size}: {len(routines_of(text))} routines, {sum(calls)} products, {len(found)} complaints")
    return [f"{program}: {text}" for text in found]


def main():
    library, folder, size = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]), sys.argv[3]
    found = [text for kind in ("fortran", "cblas") for letter in "sdcz"
             for text in run_tester(library, folder, kind, letter, size)]
    print("\n".join(found[:50]))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())

# SPDX-FileCopyrightText: Pantile contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The reference BLAS' own testers of level 3 (Debian's package libblas-test), the only level with general products."""

import pathlib
import re
import sys
import tempfile

import programs
from verdicts import Outcome

sys.path.append(str(pathlib.Path(__file__).resolve().parents[3] / "unit_tests/blas"))
import testers  # noqa: E402

TIMEOUT = 1800


def parts():
    """part -> (kind, letter)."""
    return {**{f"{letter}blat3": ("fortran", letter) for letter in "sdcz"},
            **{f"{letter}cblat3": ("cblas", letter) for letter in "sdcz"}}


def parse(kind, routines, output):
    calls = re.findall(r"COMPUTATIONAL TESTS.*\( *(\d+) CALLS\)", output)
    return Outcome(tests=sum(map(int, calls)),
                   failures=[(text, "") for text in testers.complaints(kind, routines, output)])


def run(part, blas, layer):
    folder = programs.library_folder() / "blas"
    kind, letter = parts()[part]
    program, data = ((f"xblat3{letter}", f"{letter}blat3.in") if kind == "fortran"
                     else (f"x{letter}cblat3", f"{letter}in3"))
    text = (folder / data).read_text(encoding="utf-8")
    with tempfile.TemporaryDirectory() as work:
        done, calls, to_layer = blas.run([str(folder / program)], layer, TIMEOUT, input=text, capture_output=True,
                                         text=True, cwd=work)
        output = (done.stdout if done else "") + "".join(
            file.read_text(encoding="utf-8") for file in pathlib.Path(work).glob("*.out"))
    found = parse(kind, testers.routines_of(text), output)
    if not done:
        found.broken.append(f"more than {TIMEOUT} s")
    elif done.returncode != 0 or done.stderr:
        found.broken.append(f"exit status {done.returncode}, stderr: {done.stderr[:300]}")
    found.calls, found.calls_to_library = calls, to_layer
    return found

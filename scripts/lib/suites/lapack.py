# SPDX-FileCopyrightText: Pantile contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""LAPACK's own tests (Debian's package liblapack-test): the programs and inputs that its lapack_testing.py runs."""

import re

import programs
from verdicts import Outcome

EIGEN = ("nep", "sep", "se2", "svd", "glm", "gqr", "gsv", "csd", "lse")
EIGEN_OF_TYPE = ("ec", "ed", "gg", "gd", "sb", "sg", "bb")
QUICK = ("ded", "dgd", "dsep", "stest_rfp", "ztest_rfp", "dgqr")
TIMEOUT = 1800

FAILED = re.compile(r"(\d+)\s+out of\s+(\d+)\s+tests failed")
PASSED = re.compile(r"\(\s*(\d+)\s+tests run\)")
# The last number of such a line is the ratio; what stands before it says which test.
RATIO = re.compile(r"^(.*\b(?:result\s*\d+ is|ratio\s*=|test\(\s*\d+\s*\)\s*=|test\s*=)\s*)"
                   r"([-+.\dDE*]+|NaN|Inf\w*)\s*$",
                   re.IGNORECASE)
BROKEN = re.compile(r"\bINFO\s*=|\billegal\b|\bdid not\b|program (?:stopped|terminated)|^ *\*\*\* .*(?:not|exit)",
                    re.IGNORECASE)


def parts():
    """part -> (program, input)."""
    found = {}
    for letter in "sdcz":
        for name in EIGEN:
            found[letter + name] = (f"xeigtst{letter}", f"{name}.in")
        for name in EIGEN_OF_TYPE:
            found[letter + name] = (f"xeigtst{letter}", f"{letter}{name}.in")
        found[f"{letter}test"] = (f"xlintst{letter}", f"{letter}test.in")
        found[f"{letter}test_rfp"] = (f"xlintstrf{letter}", f"{letter}test_rfp.in")
    found["dstest"] = ("xlintstds", "dstest.in")
    found["zctest"] = ("xlintstzc", "zctest.in")
    return found


def parse(output):
    """The outcome that a program's output tells. Its sections count their failures, and name each in a line with the
    ratio."""
    found, lines = Outcome(), []
    for line in output.splitlines():
        if match := FAILED.search(line):
            failed = int(match[1])
            found.tests += int(match[2])
            section = line[:match.start()].strip().rstrip(":")
            found.failures += [(f"{section}: {name}", ratio) for name, ratio in lines[:failed]]
            found.failures += [(f"{section}: without a line of its own", "")] * (failed - len(lines))
            lines = []
        elif match := PASSED.search(line):
            found.tests += int(match[1])
            lines = []
        elif match := RATIO.match(line):
            lines.append((" ".join(match[1].split()), match[2]))
        elif BROKEN.search(line):
            found.broken.append(line.strip())
    if lines:
        found.broken.append(f"{len(lines)} ratios in no section, the first: {lines[0][0]}")
    if not re.search(r"^ *End of tests", output, re.MULTILINE):
        found.broken.append("no line End of tests")
    return found


def run(part, blas, layer):
    folder = programs.library_folder() / "lapack"
    program, data = parts()[part]
    with open(folder / data, encoding="utf-8") as text:
        done, calls, to_layer = blas.run([str(folder / program)], layer, TIMEOUT, stdin=text, capture_output=True,
                                         text=True, errors="replace")
    found = parse(done.stdout) if done else Outcome(broken=[f"more than {TIMEOUT} s"])
    if done and (done.returncode != 0 or done.stderr):
        found.broken.append(f"exit status {done.returncode}, stderr: {done.stderr[:300]}")
    found.calls, found.calls_to_library = calls, to_layer
    return found

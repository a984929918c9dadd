# SPDX-FileCopyrightText: Pantile contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The tests that NumPy and SciPy install, by pytest, without those that they mark as slow."""

import importlib.util
import os
import pathlib
import subprocess
import sys
import tempfile
import xml.etree.ElementTree

from verdicts import Outcome

# f2py's tests need a Fortran compiler and sources that are not installed; test_mem_policy builds an extension module.
# SciPy's are those that ask for products; its other packages take half an hour.
# test_int_overflow decomposes a matrix of 47,000 rows: 18 GB, and hours of the reference.
LEFT_OUT = ("f2py", "_core/tests/test_mem_policy.py")
LEFT_OUT_TESTS = "not test_int_overflow"
PARTS = {
    "numpy": ("numpy", (".",)),
    "scipy.linalg": ("scipy", ("linalg",)),
    "scipy.sparse.linalg": ("scipy", ("sparse/linalg",)),
    "scipy.interpolate": ("scipy", ("interpolate",)),
    "scipy.signal": ("scipy", ("signal",)),
    "scipy.spatial": ("scipy", ("spatial",)),
}
QUICK = {
    "numpy.quick": ("numpy", ("linalg", "_core/tests/test_multiarray.py", "matrixlib")),
    "scipy.quick": ("scipy", ("linalg/tests/test_basic.py",)),
}
# What SciPy's tests may believe to be free, else they skip: some take 17 GB.
MEMORY = {"SCIPY_AVAILABLE_MEM": "4G"}
TIMEOUT = 3600
TIMEOUT_OF_TEST = 600


def parts(suite, quick):
    return {name: part for name, part in (QUICK if quick else PARTS).items() if part[0] == suite}


def parse(text):
    """The outcome in a report of pytest's (JUnit's XML). Skipped tests are none."""
    found = Outcome()
    for case in xml.etree.ElementTree.fromstring(text).iter("testcase"):
        states = {child.tag: child for child in case}
        found.tests += "skipped" not in states
        for state in ("failure", "error"):
            if state in states:
                name = f"{case.get('classname')}::{case.get('name')}"
                found.failures.append((name, (states[state].get("message") or "").strip().split("\n", 1)[0][:120]))
    return found


def run(part, blas, layer):
    package, folders = (PARTS | QUICK)[part]
    os.environ.update(MEMORY)
    home = pathlib.Path(importlib.util.find_spec(package).origin).parent
    left_out = [option for name in LEFT_OUT for option in ("--ignore", str(home / name))]
    with tempfile.TemporaryDirectory() as work:
        report = pathlib.Path(work) / "report.xml"
        done, calls, to_layer = blas.run(
            [sys.executable, "-B", "-m", "pytest", "-p", "no:cacheprovider", "-q", "--tb=line", "-m", "not slow",
             f"--rootdir={home}", f"--confcutdir={home}", "-k", LEFT_OUT_TESTS, f"--timeout={TIMEOUT_OF_TEST}",
             f"--junitxml={report}", *left_out,
             *(str(home / name) for name in folders)],
            layer, TIMEOUT, cwd=work, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace")
        if report.exists():
            found = parse(report.read_text(encoding="utf-8"))
        else:
            found = Outcome(broken=["no report: " + (done.stdout[-500:] if done else f"more than {TIMEOUT} s")])
    # 0: all passed, 1: some failed.
    if done and done.returncode not in (0, 1):
        found.broken.append(f"exit status {done.returncode}")
    found.calls, found.calls_to_library = calls, to_layer
    return found

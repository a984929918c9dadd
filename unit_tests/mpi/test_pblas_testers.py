#!/usr/bin/env python3
# SPDX-FileCopyrightText: Pantile contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""pblas_testers.py finds what is wrong with a tester's report, and refuses to be silent about testers in CI."""

import os
import pathlib
import subprocess
import sys
import unittest
from unittest import mock

import pblas_testers


def report(letter):
    """A report as the testers print it where all is well."""
    lines = ["     ***** Computational check: PDGEMM         PASSED  *****", "", "  Testing Summary", ""]
    for routine in pblas_testers.routines_of(letter):
        lines.append(f"  |  {routine:8} {pblas_testers.counts(routine)[0]:9} "
                     + " ".join(f"{number:9}" for number in pblas_testers.counts(routine)[1:]))
    return "\n".join(lines + ["", "  End of Tests.", ""])


class PblasTestersTest(unittest.TestCase):
    def test_passed(self):
        for letter in "sdcz":
            self.assertEqual(pblas_testers.complaints(letter, report(letter)), [])

    def test_every_line_is_needed(self):
        lines = report("z").splitlines()
        for number, line in enumerate(lines):
            if "|" in line or "End" in line:
                self.assertTrue(pblas_testers.complaints("z", "\n".join(lines[:number] + lines[number + 1:])), line)

    def test_failures(self):
        for line in ("     ***** Computational check: PDGEMM        FAILED  *****",
                     "     ***** Input-only parameter check: PDSYMM  FAILED  *****",
                     "{    0,    1}:  Memory overwrite in A",
                     "Not enough memory for this test: going on to next test case."):
            self.assertTrue(pblas_testers.complaints("d", report("d") + line), line)

    def test_skipped_or_too_few(self):
        tests = pblas_testers.counts("PDGEMM")[0]
        self.assertEqual(pblas_testers.counts("PDGEMM"), (tests, tests, 0, 0))
        self.assertNotEqual(pblas_testers.counts("PZHERK"), (tests, tests, 0, 0))
        for wrong in (f"{tests:9} {tests - 1:9} {1:9} {0:9}", f"{tests:9} {tests - 1:9} {0:9} {1:9}",
                      f"{0:9} {0:9} {0:9} {0:9}"):
            text = report("d").replace(f"PDGEMM   {tests:9} {tests:9} {0:9} {0:9}", f"PDGEMM   {wrong}")
            self.assertNotEqual(text, report("d"))
            self.assertTrue(pblas_testers.complaints("d", text))

    def test_input_has_a_value_for_each_problem(self):
        for letter in "sdcz":
            lines = pblas_testers.input_of(letter).splitlines()
            begin = next(number for number, line in enumerate(lines) if line.endswith(" problems")) + 1
            end = len(lines) - len(pblas_testers.routines_of(letter))
            for line in lines[begin:end]:
                self.assertEqual(len(line.split()), len(pblas_testers.SIZES) + 1, line)

    def test_products_that_go_elsewhere(self):
        class Elsewhere:
            def run(self, *_, **__):
                return subprocess.CompletedProcess([], 0, report("d"), ""), *self.counted

        for counted, fine in (((10, 10), True), ((10, 9), False), ((0, 0), False)):
            blas = Elsewhere()
            blas.counted = counted
            found = pblas_testers.run_tester(blas, "layer.so", [], pathlib.Path("dpb3tst"), "d")
            self.assertEqual(not found, fine, counted)

    def test_absence(self):
        arguments = ["", "layer.so", "counter.so"]
        with mock.patch.object(pblas_testers, "testers", dict), mock.patch.object(sys, "argv", arguments):
            for variables, status in (({}, pblas_testers.SKIPPED), ({"CI": "true"}, 1)):
                with mock.patch.dict(os.environ, variables, clear=True):
                    self.assertEqual(pblas_testers.main(), status)


if __name__ == "__main__":
    unittest.main()

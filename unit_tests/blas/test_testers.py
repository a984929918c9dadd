#!/usr/bin/env python3
# SPDX-FileCopyrightText: Pantile contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""testers.py and preload.py find what is wrong with a tester's output."""

import unittest

import preload
import testers

FORTRAN = """ DGEMM  PASSED THE TESTS OF ERROR-EXITS

 DGEMM  PASSED THE COMPUTATIONAL TESTS ( 17496 CALLS)

 END OF TESTS
"""
CBLAS = """ cblas_dgemm   PASSED THE TESTS OF ERROR-EXITS

 cblas_dgemm   PASSED THE COLUMN-MAJOR COMPUTATIONAL TESTS ( 17496 CALLS)
 cblas_dgemm   PASSED THE ROW-MAJOR    COMPUTATIONAL TESTS ( 17496 CALLS)

 END OF TESTS
"""


class TestersTest(unittest.TestCase):
    def complaints(self, kind, output):
        return testers.complaints(kind, ["DGEMM" if kind == "fortran" else "cblas_dgemm"], output)

    def test_passed(self):
        self.assertEqual(self.complaints("fortran", FORTRAN), [])
        self.assertEqual(self.complaints("cblas", CBLAS), [])

    def test_every_line_is_needed(self):
        for kind, output in (("fortran", FORTRAN), ("cblas", CBLAS)):
            lines = output.splitlines()
            for number, line in enumerate(lines):
                if line:
                    self.assertTrue(self.complaints(kind, "\n".join(lines[:number] + lines[number + 1:])), line)

    def test_failures(self):
        for line in (" ******* DGEMM  FAILED ON CALL NUMBER:", " DGEMM  COMPLETED BUT WITH SUSPECT RATIO"):
            self.assertTrue(self.complaints("fortran", FORTRAN + line))
        self.assertTrue(self.complaints("fortran", FORTRAN.replace("17496", "0")))

    def test_routines(self):
        for kind, name in (("fortran", "ZGEMM"), ("cblas", "cblas_zgemm")):
            text = testers.large_input(kind, "z")
            self.assertEqual(testers.routines_of(text), [name])
            self.assertEqual(testers.routines_of(text + "ZHEMM F\nZTRMM T comment\n"), [name, "ZTRMM"])

    def test_bindings(self):
        line = "  7:\tbinding file /a/program [0] to {} [0]: normal symbol `dgemm_' [V]\n"
        self.assertEqual(preload.bound_to("/a/lib.so", [line.format("/a/lib.so")]), {"dgemm_"})
        self.assertEqual(preload.bound_to("/a/lib.so", [line.format("/b/lib.so"), "nothing"]), set())


if __name__ == "__main__":
    unittest.main()

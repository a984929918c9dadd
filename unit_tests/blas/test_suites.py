#!/usr/bin/env python3
# SPDX-FileCopyrightText: Pantile contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""scripts/check_suites finds what is wrong in the suites' outputs, and fails for it."""

import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "scripts/lib/suites"))

import blas  # noqa: E402
import lapack  # noqa: E402
import python_tests  # noqa: E402
import verdicts  # noqa: E402
from verdicts import Outcome, compare, complaints  # noqa: E402

EIGEN = """ All tests for DGS drivers  passed the threshold (   1560 tests run)
 DGV -- Real Generalized eigenvalue problem driver
 Matrix order=   15, type=17, seed= 304,3863, 350,1657, result  5 is 4.504D+15
 Matrix order=   20, type=17, seed= 789, 558,2246,1373, result  5 is  20.12
 DGV drivers:      2 out of   1092 tests failed to pass the threshold

 End of tests
"""
LINEAR = """ UPLO='U', N =   50, type  9, test  3, ratio =   0.31234E+02
 DPP:      1 out of   1332 tests failed to pass the threshold
      Failure in STFSM, CFORM='T', SIDE='L', M= 50, N = 50, test=  54.023    
  STFSM auxiliary routine:     1 out of  7776 tests failed to pass the threshold
 All tests for DPP drivers  passed the threshold (   1910 tests run)
 End of tests
"""
REPORT = """<testsuites><testsuite>
<testcase classname="a.B" name="good" /><testcase classname="a.B" name="bad[1]"><failure message="differs
by much">text</failure></testcase>
<testcase classname="a" name="left out"><skipped /></testcase>
<testcase classname="" name="a.c"><error message="collection failure" /></testcase>
</testsuite></testsuites>"""


def outcome(*failures, tests=10, calls=5, to_layer=5, broken=()):
    return Outcome(tests, [(name, "") for name in failures], list(broken), calls, to_layer)


class LapackTest(unittest.TestCase):
    def test_sections(self):
        found = lapack.parse(EIGEN)
        self.assertEqual(found.tests, 1560 + 1092)
        self.assertEqual([ratio for _, ratio in found.failures], ["4.504D+15", "20.12"])
        self.assertEqual(found.failures[0][0],
                         "DGV drivers: Matrix order= 15, type=17, seed= 304,3863, 350,1657, result 5 is")
        self.assertEqual(found.broken, [])

    def test_linear_equations(self):
        found = lapack.parse(LINEAR)
        self.assertEqual(found.tests, 1332 + 7776 + 1910)
        self.assertEqual([ratio for _, ratio in found.failures], ["0.31234E+02", "54.023"])
        self.assertEqual(found.broken, [])

    def test_the_ratio_is_no_part_of_the_name(self):
        other = lapack.parse(EIGEN.replace("20.12", "NaN"))
        self.assertEqual(verdicts.only_in(other.failures, lapack.parse(EIGEN).failures), [])
        other = lapack.parse(EIGEN.replace("order=   20", "order=   21"))
        self.assertEqual(len(verdicts.only_in(other.failures, lapack.parse(EIGEN).failures)), 1)

    def test_failures_without_a_line(self):
        self.assertEqual(len(lapack.parse(EIGEN.replace("2 out of", "7 out of")).failures), 7)

    def test_broken(self):
        for text in (EIGEN.replace("End of tests", ""),
                     EIGEN + " ** On entry to DGEMM parameter 3 had an illegal value\n",
                     EIGEN + " DDRGEV: DGGEV3 returned INFO=     8.\n", EIGEN + " test(1) = 31.0\n"):
            self.assertTrue(lapack.parse(text).broken, text)

    def test_parts(self):
        self.assertEqual(len(lapack.parts()), 4 * 18 + 2)
        self.assertLessEqual(set(lapack.QUICK), set(lapack.parts()))


class OtherSuitesTest(unittest.TestCase):
    def test_pytest(self):
        found = python_tests.parse(REPORT)
        self.assertEqual(found.tests, 3)
        self.assertEqual(found.failures, [("a.B::bad[1]", "differs by much"), ("::a.c", "collection failure")])

    def test_blas(self):
        good = (" DGEMM  PASSED THE TESTS OF ERROR-EXITS\n DGEMM  PASSED THE COMPUTATIONAL TESTS ( 17496 CALLS)\n"
                " END OF TESTS\n")
        self.assertEqual(blas.parse("fortran", ["DGEMM"], good), Outcome(17496))
        self.assertTrue(blas.parse("fortran", ["DGEMM"], good + " DGEMM FAILED ON CALL NUMBER: 3\n").failures)


class VerdictTest(unittest.TestCase):
    def verdict(self, reference, layer, **options):
        return compare("s/p", reference, layer, **options)

    def reference(self, *failures):
        return outcome(*failures, to_layer=0)

    def test_as_expected(self):
        verdict = self.verdict(self.reference("a", "b"), outcome("b", "c"))
        self.assertEqual((verdict.tests, verdict.reference, verdict.layer, verdict.fewer), (10, 2, 1, 1))
        self.assertEqual(complaints(verdict, (10, 2, 1)), [])
        self.assertEqual(complaints(verdict, (9, 0, 2)), [])
        self.assertEqual(len(verdicts.remarks(verdict, (9, 0, 2))), 3)

    def test_more_failures_or_fewer_tests(self):
        verdict = self.verdict(self.reference("a"), outcome("a", "a"))
        self.assertTrue(complaints(verdict, (10, 1, 0)))
        self.assertTrue(complaints(verdict, (12, 1, 1)))
        self.assertTrue(complaints(verdict, None))

    def test_the_layer_must_have_been_used(self):
        for layer in (outcome(calls=0, to_layer=0), outcome(calls=5, to_layer=4), outcome(tests=8),
                      outcome(broken=["x"])):
            self.assertTrue(complaints(self.verdict(self.reference(), layer), (9, 0, 0)))
        self.assertTrue(complaints(self.verdict(outcome(), outcome()), (10, 0, 0)))
        self.assertFalse(complaints(self.verdict(self.reference(), outcome(calls=0, to_layer=0), needs_calls=False),
                                    (11, 0, 0)))

    def test_table(self):
        table = {"lapack/dgd": (10482, 0, 10), "numpy/numpy": (1, 2, 3)}
        old = "# libblas3 1\nlapack/dgd 1 2 3  # why\nblas/x 4 5 6\n"
        text = verdicts.updated_table(old, table, "libblas3 2")
        self.assertEqual(verdicts.read_table(text), {**table, "blas/x": (4, 5, 6)})
        self.assertIn("# why", text)
        self.assertIn("# libblas3 2", text)
        for text in ("a 1 2", "a 1 2 3\na 1 2 3", "a b c d"):
            self.assertRaises(ValueError, verdicts.read_table, text)


if __name__ == "__main__":
    unittest.main()

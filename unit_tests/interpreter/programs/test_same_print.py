# SPDX-FileCopyrightText: Pantile contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What same_print.py compares, and what it leaves out."""

import contextlib
import io
import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

import driver_session  # noqa: E402
import same_print  # noqa: E402

HOST = """[1. 2. 3.]
30 elements by 4 threads in 4 teams:
[ 0  1  2
  3]
ok: doubled
  1st OpenMP time: 0.065612 s
pantile::transfer[alias,openmp,float]
  path       alias - the memory is where it is wanted
largest difference from the host's sums: 3.6e-15
naive   1st run     4.794 ms, then     0.570 ms,    14.0 GB/s
"""
DEVICE = """[1. 2. 3.]
30 elements by 512 threads in 4 teams:
[0 1]
ok: doubled
  1st Cuda time: 12.5 s
pantile::transfer[bulk,cuda,float]
  path       bulk - contiguous on both sides
  bytes      48, staging 0
largest difference from the host's sums: 1e-14
naive   1st run     1.1 ms, then     2000 ms,    1 GB/s
"""


class SamePrint(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.record = str(pathlib.Path(folder.name) / "record.txt")
        self.call(HOST, "--write")

    def call(self, text, *options, status=0):
        program = f"import sys; print({text!r}, end=''); sys.exit({status})"
        with contextlib.redirect_stdout(io.StringIO()) as printed:
            result = same_print.main([*options, self.record, sys.executable, "-c", program])
        self.printed = printed.getvalue()
        return result

    def test_what_a_machine_decides_is_left_out(self):
        self.assertEqual(self.call(HOST), 0)
        self.assertEqual(self.call(DEVICE), 0)
        self.assertIn("4 lines are the same", self.printed)

    def test_another_number_is_found(self):
        self.assertEqual(self.call(DEVICE.replace("[1. 2. 3.]", "[1. 2. 4.]")), 1)
        self.assertIn("-[1. 2. 3.]\n+[1. 2. 4.]", self.printed)

    def test_a_missing_line_is_found(self):
        self.assertEqual(self.call(DEVICE.replace("ok: doubled\n", "")), 1)
        self.assertEqual(self.call(""), 1)

    def test_a_program_that_fails_is_found(self):
        self.assertEqual(self.call(DEVICE, status=70), 1)
        self.assertIn("exit status 70", self.printed)

    def test_a_failure_makes_no_record(self):
        self.assertEqual(self.call("nothing", "--write", status=1), 1)
        self.assertEqual(self.call(HOST), 0)


class Summary(unittest.TestCase):
    def test_of_files_that_differ(self):
        one = driver_session.summary("%%MatrixMarket\n2 2\n1\n2\n3\n4\n")
        self.assertTrue(one.startswith("2 2 1 2 3 4 ... crc32 "))
        self.assertNotEqual(one, driver_session.summary("%%MatrixMarket\n2 2\n1\n2\n3\n5\n"))

    def test_of_zeros_with_signs(self):
        self.assertEqual(driver_session.summary("1 2\n-0\n-0.5\n"), driver_session.summary("1 2\n0\n-0.5\n"))
        self.assertNotEqual(driver_session.summary("1 2\n-0\n-0.5\n"), driver_session.summary("1 2\n0\n0.5\n"))


if __name__ == "__main__":
    unittest.main()

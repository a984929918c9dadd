#!/usr/bin/env python3
# SPDX-FileCopyrightText: Pantile contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Every input that the driver program must refuse: its exit status, its one sentence, and that no file appears."""

import functools
import os
import resource
import signal
import struct
import subprocess
import unittest

import driver_case
from driver_case import DriverCase, npy_bytes, ones_npy


def array_npy(code, element_format, values, shape):
    header = f"{{'descr': '{code}', 'fortran_order': False, 'shape': {shape}, }}\n"
    return npy_bytes(header, struct.pack(f"<{len(values)}{element_format}", *values))


class BadOperands(DriverCase):
    def setUp(self):
        super().setUp()
        self.write("a.npy", ones_npy(3, 4))
        self.write("b.npy", ones_npy(4, 2))
        self.write("vector.npy", array_npy("<f8", "d", [1.0] * 5, (5,)))
        self.write("ints.npy", array_npy("<i4", "i", [0, 1, 5, 2], (4,)))
        self.write("int_matrix.npy", array_npy("<i4", "i", [1] * 8, (4, 2)))

    def test_shapes(self):
        self.refuse("matmul", "a.npy", "a.npy", "-o", "out.npy",
                    words=["columns of op(A) (4) must equal rows of op(B) (3)", "A 'a.npy' 3x4", "B 'a.npy' 3x4"])
        self.refuse("matmul", "a.npy", "b.npy", "-o", "out.npy", "--op-a", "transpose",
                    words=["columns of op(A) (3) must equal rows of op(B) (4)"])
        self.refuse("matmul", "a.npy", "b.npy", "--c-in", "a.npy", "--beta", "1", "-o", "out.npy",
                    words=["C must be 3x2", "'a.npy' 3x4"])
        self.refuse("add", "a.npy", "b.npy", "-o", "out.npy", words=["add: ", "'a.npy' 3x4", "'b.npy' 4x2"])
        self.refuse("histogram", "ints.npy", "--bins", "8", "--weights", "vector.npy", "-o", "out.npy",
                    words=["weights", "(4)", "'vector.npy' 5"])

    def test_ranks(self):
        self.refuse("matmul", "a.npy", "vector.npy", "-o", "out.npy",
                    words=["B must have 2 dimensions", "'vector.npy'", "(5,)"])
        self.refuse("transpose", "vector.npy", "-o", "out.npy", words=["A must have 2 dimensions", "'vector.npy'"])
        self.refuse("add", "vector.npy", "vector.npy", "-o", "out.npy", words=["A must have 2 dimensions"])
        self.refuse("histogram", "ints.npy", "--bins", "4x4", "-o", "out.npy", words=["must have 2 dimensions"])
        self.write("triples.npy", array_npy("<i4", "i", [0] * 6, (2, 3)))
        self.refuse("histogram", "triples.npy", "--bins", "4x4", "-o", "out.npy",
                    words=["columns of indices must equal the number of dimensions of the bins (2)"])

    def test_types(self):
        self.refuse("matmul", "a.npy", "int_matrix.npy", "-o", "out.npy",
                    words=["same element type", "float64", "int32"])
        self.refuse("add", "a.npy", "int_matrix.npy", "-o", "out.npy", words=["same element type"])
        self.refuse("histogram", "a.npy", "--bins", "4", "-o", "out.npy", words=["indices must be integers", "float64"])
        self.write("short.npy", array_npy("<i2", "h", [1] * 4, (2, 2)))
        self.write("text.npy", array_npy("<U1", "I", [65] * 4, (2, 2)))
        for name, described in (("short.npy", "int16"), ("text.npy", "U1")):
            for command in ("matmul", "add"):
                self.refuse(command, name, name, "-o", "out.npy",
                            words=[f"does not take {described} elements", "float32"])
            self.refuse("matmul", name, name, "-o", "out.npy", words=["also int8"])
        self.write("half.npy", array_npy("<f2", "e", [1.0] * 4, (2, 2)))
        self.refuse("add", "half.npy", "half.npy", "-o", "out.npy", words=["does not take float16 elements"])
        for name, described in (("half.npy", "float16"), ("text.npy", "U1")):
            self.refuse("histogram", name, "--bins", "4x4", "-o", "out.npy", words=["must be integers", described])
        self.refuse("transpose", "text.npy", "--conjugate", "-o", "out.npy", words=["--conjugate needs numbers", "U1"])
        self.refuse("transpose", "text.npy", "-o", "out.mtx", words=["Matrix Market holds numbers", "U1", "out.mtx"])
        self.refuse("matmul", "int_matrix.npy", "int_matrix.npy", "--op-a", "transpose", "--accumulator", "float64",
                    "-o", "out.npy", words=["int32", "cannot sum in float64"])
        self.refuse("matmul", "half.npy", "half.npy", "--accumulator", "float64", "-o", "out.npy",
                    words=["float16", "cannot sum in float64", "float16 in float32"])

    def test_nothing_is_told_before(self):
        """What headers say is refused before operands are read and Kokkos is set up."""
        self.write("text.npy", array_npy("<U1", "I", [65] * 4, (2, 2)))
        for arguments in (["matmul", "a.npy", "a.npy"], ["matmul", "a.npy", "vector.npy"], ["add", "a.npy", "b.npy"],
                          ["add", "b.npy", "int_matrix.npy"], ["transpose", "vector.npy"],
                          ["transpose", "text.npy", "--conjugate"], ["histogram", "ints.npy", "--bins", "4x4"],
                          ["histogram", "ints.npy", "--bins", "8", "--weights", "vector.npy"]):
            with self.subTest(arguments=arguments):
                result = self.call(*arguments, "-o", "out.npy")
                self.assertEqual((result.returncode, result.stdout), (1, ""), result.stderr)
        result = self.call("transpose", "text.npy", "-o", "out.mtx")
        self.assertEqual((result.returncode, result.stdout), (1, ""), result.stderr)

    def test_scalars(self):
        square = ["int_matrix.npy", "int_matrix.npy", "--op-a", "transpose", "-o", "out.npy"]
        self.refuse("matmul", *square, "--alpha", "0.5", words=["--alpha 0.5 does not fit int32"])
        self.refuse("matmul", *square, "--alpha", "3000000000", words=["--alpha 3000000000 does not fit int32"])
        self.refuse("matmul", "a.npy", "b.npy", "--alpha", "1,2", "-o", "out.npy", words=["--alpha 1,2", "real"])
        self.refuse("add", "a.npy", "a.npy", "--beta", "0,1", "-o", "out.npy", words=["--beta 0,1", "real"])
        self.write("f32.npy", array_npy("<f4", "f", [1.0] * 4, (2, 2)))
        self.write("c64.npy", array_npy("<c8", "f", [1.0] * 8, (2, 2)))
        self.refuse("matmul", "f32.npy", "f32.npy", "--alpha", "1e39", "-o", "out.npy",
                    words=["--alpha 1e+39 does not fit float32", "in its range"])
        self.refuse("add", "c64.npy", "c64.npy", "--beta", "1,-1e39", "-o", "out.npy",
                    words=["--beta 1,-1e+39 does not fit complex64"])

    def test_indices(self):
        self.refuse("histogram", "ints.npy", "--bins", "4", "-o", "out.npy",
                    words=["sample 2", "(5)", "outside the 4 bins", "'ints.npy'"])
        self.write("negative.npy", array_npy("<i8", "q", [0, -1], (2,)))
        self.refuse("histogram", "negative.npy", "--bins", "4", "-o", "out.npy",
                    words=["sample 1", "(-1)", "outside the 4 bins"])
        self.write("large.npy", array_npy("<u8", "Q", [0, 2**63 + 5], (2,)))
        self.refuse("histogram", "large.npy", "--bins", "4", "-o", "out.npy",
                    words=["indices hold 9223372036854775813", "outside every range", "'large.npy'"])

    def test_vectors_of_samples(self):
        rule = "must have 1 dimension, or 2 with a single column"
        self.refuse("histogram", "int_matrix.npy", "--bins", "4", "-o", "out.npy",
                    words=[f"indices {rule}", "'int_matrix.npy'", "(4, 2)"])
        self.write("row.npy", array_npy("<f8", "d", [1.0] * 4, (1, 4)))
        self.refuse("histogram", "ints.npy", "--bins", "8", "--weights", "row.npy", "-o", "out.npy",
                    words=[f"weights {rule}", "'row.npy'", "(1, 4)"])

    def test_plans(self):
        self.refuse("matmul", "a.npy", "b.npy", "--algorithm", "tiled", "--tile", "100000", "-o", "out.npy",
                    words=["tile", "limit"])

    def test_environment(self):
        for name, value in (("KOKKOS_NUM_THREADS", "many"), ("KOKKOS_NUM_THREADS", "0"), ("KOKKOS_NUM_THREADS", "513"),
                            ("KOKKOS_DEVICE_ID", "-1"), ("OMP_NUM_THREADS", "513"), ("OMP_NUM_THREADS", " 1000,2")):
            self.refuse("transpose", "a.npy", "-o", "out.npy", words=[name, f"'{value}'"], **{name: value})
        for name, bad, good in (("KOKKOS_DISABLE_WARNINGS", "perhaps", "Yes"), ("KOKKOS_TUNE_INTERNALS", "2", "0"),
                                ("KOKKOS_PRINT_CONFIGURATION", "", "FALSE"),
                                ("KOKKOS_MAP_DEVICE_ID_BY", "Random", "random")):
            self.refuse("transpose", "a.npy", "-o", "out.npy", words=[name, f"'{bad}'"], **{name: bad})
            self.assertEqual(self.call("info", **{name: good}).returncode, 0, name)

    def test_results_too_large(self):
        self.write("column.npy", ones_npy(1 << 20, 1))
        self.refuse("matmul", "column.npy", "column.npy", "--op-b", "transpose", "-o", "out.npy",
                    words=["cannot write 'out.npy'", "8796093022336 bytes", "room"])
        self.refuse("histogram", "ints.npy", "--bins", "4611686018427387904", "-o", "out.npy", words=["memory"])
        self.refuse("ladder", "--m", "4294967296", "--n", "4294967296", "--k", "4294967296", words=["memory"])
        self.succeed("ladder", "--m", "9", "--type", "int8")
        self.refuse("ladder", "--m", "9", "--type", "float16", status=2, words=["--type", "float16", "int8", "uint8"])
        # A and B fit; that C does not is known before they are filled.
        if not driver_case.SANITIZED:
            self.refuse("ladder", "--m", "50000000", "--n", "50000000", "--k", "1", words=["C would have", "memory"])

    def test_inputs_that_are_not_there(self):
        self.refuse("matmul", "none.npy", "b.npy", "-o", "out.npy", words=["none.npy"])
        self.refuse("transpose", ".", "-o", "out.npy", words=["'.'"])
        self.refuse("transpose", "/dev/null", "-o", "out.npy", words=["/dev/null"])

    def test_outputs_that_cannot_be(self):
        self.refuse("transpose", "a.npy", "-o", "missing/out.npy", words=["missing/out.npy"])
        self.refuse("transpose", "a.npy", "-o", "out.txt", words=["out.txt", ".npy"])
        self.refuse("transpose", "a.npy", "-o", "out.npy", "--report", "missing/r.json", words=["missing/r.json"])
        before = (self.folder / "a.npy").read_bytes()
        os.symlink("a.npy", self.folder / "link.npy")
        for report in ("a.npy", "./a.npy", "link.npy", "out.npy", "./out.npy"):
            self.refuse("transpose", "a.npy", "-o", "out.npy", "--report", report,
                        words=["--report", "neither an operand nor the output", ".npy"])
        self.assertEqual((self.folder / "a.npy").read_bytes(), before)
        (self.folder / "folder.npy").mkdir()
        self.refuse("transpose", "a.npy", "-o", "folder.npy", words=["folder.npy"])
        # Found before the inputs are even looked at.
        self.refuse("matmul", "none.npy", "none.npy", "-o", "missing/out.npy", words=["missing/out.npy"])

    def test_operands_are_not_overwritten(self):
        self.write("c.npy", ones_npy(3, 2))
        before = (self.folder / "b.npy").read_bytes()
        os.symlink("b.npy", self.folder / "link.npy")
        os.link(self.folder / "b.npy", self.folder / "hard.npy")
        for output in ("b.npy", "./b.npy", self.folder / "b.npy", "link.npy", "hard.npy"):
            self.refuse("matmul", "a.npy", "b.npy", "-o", output, words=["overwrite the operand 'b.npy'", "--force"])
        self.refuse("transpose", "link.npy", "-o", "b.npy", words=["overwrite the operand 'link.npy'"])
        self.refuse("matmul", "a.npy", "b.npy", "--c-in", "c.npy", "--beta", "1", "-o", "c.npy", words=["'c.npy'"])
        self.refuse("histogram", "ints.npy", "--bins", "8", "--weights", "a.npy", "-o", "a.npy", words=["'a.npy'"])
        self.assertEqual((self.folder / "b.npy").read_bytes(), before)
        self.succeed("transpose", "b.npy", "-o", "b.npy", "--force")
        self.assertIn(b"(2, 4)", (self.folder / "b.npy").read_bytes())

    @unittest.skipIf(os.geteuid() == 0, "root may write everywhere")
    def test_read_only_folder(self):
        folder = self.folder / "sealed"
        folder.mkdir(mode=0o555)
        self.refuse("transpose", "a.npy", "-o", "sealed/out.npy", words=["sealed/out.npy"])

    def test_an_older_output_stays(self):
        self.write("out.npy", b"precious")
        self.refuse("matmul", "a.npy", "a.npy", "-o", "out.npy")
        self.assertEqual((self.folder / "out.npy").read_bytes(), b"precious")


class StreamsAndSignals(DriverCase):
    """What becomes of the output where the program cannot print, or is ended."""

    def setUp(self):
        super().setUp()
        self.write("a.npy", ones_npy(3, 4))
        self.succeed("transpose", "a.npy", "-o", "expected.npy")

    def shell(self, redirection, *arguments):
        command = ["sh", "-c", f'exec "$0" "$@" {redirection}', self.driver, *arguments]
        return subprocess.run(command, capture_output=True, text=True, timeout=120, cwd=self.folder)

    def test_output_that_cannot_be_printed(self):
        for redirection in (">/dev/full", ">&-"):
            for arguments in (["transpose", "a.npy", "-o", "out.npy"], ["--help"], ["info"], ["ladder", "--m", "9"]):
                with self.subTest(redirection=redirection, arguments=arguments):
                    result = self.shell(redirection, *arguments)
                    self.assertEqual(result.returncode, 1)
                    self.assertEqual(result.stderr, "pantile: cannot write to the standard output\n")
            self.assertEqual((self.folder / "out.npy").read_bytes(), (self.folder / "expected.npy").read_bytes())

    def test_closed_streams_take_nothing_from_files(self):
        result = self.shell("<&- >&- 2>&-", "transpose", "a.npy", "-o", "out.npy", "--progress")
        self.assertEqual(result.returncode, 1)
        self.assertEqual((self.folder / "out.npy").read_bytes(), (self.folder / "expected.npy").read_bytes())

    def something_is_written(self):
        try:
            return any(path.stat().st_size > 0 for path in self.folder.glob(".pantile-*.tmp"))
        except FileNotFoundError:  # gone since it was listed
            return False

    def end_while_writing(self, number, output="out.mtx"):
        """The exit status, or nothing when the program was faster."""
        process = subprocess.Popen([self.driver, "transpose", "large.npy", "-o", output], cwd=self.folder,
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.addCleanup(process.kill)
        caught = False
        while process.poll() is None and not caught:
            caught = self.something_is_written()
        process.send_signal(number)
        status = process.wait(timeout=120)
        return status if caught and status != 0 else None

    def test_signals_while_writing(self):
        self.write("large.npy", ones_npy(1500, 1500))
        before = sorted(path.name for path in self.folder.iterdir())
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            with self.subTest(signal=number):
                statuses = (self.end_while_writing(number) for _ in range(20))
                self.assertEqual(next(status for status in statuses if status is not None), -number)
                left = sorted(path.name for path in self.folder.iterdir() if path.name != "out.mtx")
                self.assertEqual(left, before)

    def test_killed_while_writing(self):
        """Nothing that looks like a result: the older file, and temporary ones that say what they are."""
        rows = 4000
        header = npy_bytes(f"{{'descr': '<f8', 'fortran_order': False, 'shape': ({rows}, {rows}), }}\n", b"")
        self.write("large.npy", header)
        os.truncate(self.folder / "large.npy", len(header) + 8 * rows * rows)
        for output in ("out.npy", "out.mtx"):
            with self.subTest(output=output):
                before = {self.folder / self.write(output, b"older"), *self.folder.iterdir()}
                statuses = (self.end_while_writing(signal.SIGKILL, self.write(output, b"older")) for _ in range(20))
                self.assertEqual(next(status for status in statuses if status is not None), -signal.SIGKILL)
                self.assertEqual((self.folder / output).read_bytes(), b"older")
                left, = set(self.folder.iterdir()) - before
                self.assertRegex(left.name, r"^\.pantile-\d+-\d+\.tmp$")
                self.assertGreater(left.stat().st_size, 0)
                # It is in nobody's way.
                self.succeed("transpose", "a.npy", "-o", output)
                self.assertGreater((self.folder / output).stat().st_size, len(b"older"))
                left.unlink()

    def test_killed_while_writing_a_dataset(self):
        """The file that was there, with its datasets, and temporary ones."""
        if "HDF5" not in self.succeed("info"):
            self.skipTest("built without HDF5")
        self.write("large.npy", ones_npy(2500, 2500))
        for dataset in ("/x", "/new"):
            with self.subTest(dataset=dataset):
                self.succeed("transpose", "a.npy", "-o", "file.h5:/x")
                older, before = (self.folder / "file.h5").read_bytes(), set(self.folder.iterdir())
                statuses = (self.end_while_writing(signal.SIGKILL, "file.h5:" + dataset) for _ in range(20))
                self.assertEqual(next(status for status in statuses if status is not None), -signal.SIGKILL)
                self.assertEqual((self.folder / "file.h5").read_bytes(), older)
                for left in set(self.folder.iterdir()) - before:
                    self.assertRegex(left.name, r"^\.pantile-\d+-\d+\.tmp$")
                    left.unlink()
                self.succeed("transpose", "file.h5:/x", "-o", "out.npy")

    def test_files_that_must_not_grow(self):
        self.write("large.npy", ones_npy(100, 100))
        limit = functools.partial(resource.setrlimit, resource.RLIMIT_FSIZE, (2000, 2000))
        for name in ("out.npy", "out.mtx"):
            result = subprocess.run([self.driver, "transpose", "large.npy", "-o", name], capture_output=True, text=True,
                                    timeout=120, cwd=self.folder, preexec_fn=limit)
            self.assertEqual(result.returncode, 1)
            self.assertIn(f"cannot write '{name}': File too large", result.stderr)
        self.assertEqual(len(list(self.folder.iterdir())), 3)


class HostileFiles(DriverCase):
    GOOD = ones_npy(4, 4)
    DICTIONARY = "{{'descr': '{}', 'fortran_order': {}, 'shape': {}, }}\n"

    def refuse_file(self, content, *words):
        self.write("bad.npy", content)
        self.refuse("transpose", "bad.npy", "-o", "out.npy", words=["'bad.npy'", *words])

    def refuse_header(self, descr="<f8", order="False", shape="(4, 4)", data=b"\0" * 128):
        self.refuse_file(npy_bytes(self.DICTIONARY.format(descr, order, shape), data))

    def test_truncated(self):
        for length in (0, 1, 5, 6, 8, 9, 10, 40, len(self.GOOD) - 1):
            with self.subTest(length=length):
                self.refuse_file(self.GOOD[:length])

    def test_too_long(self):
        self.refuse_file(self.GOOD + b"\0")

    def test_wrong_magic_and_version(self):
        self.refuse_file(b"\x92NUMPY" + self.GOOD[6:])
        self.refuse_file(self.GOOD[:6] + b"\x09\x00" + self.GOOD[8:])
        self.refuse_file(b"1 2\n3 4\n")

    def test_huge_header(self):
        self.refuse_file(b"\x93NUMPY\x02\x00" + struct.pack("<I", 0xFFFFFFFF) + self.GOOD[10:])
        self.refuse_file(npy_bytes(" " * (1 << 20) + self.DICTIONARY.format("<f8", "False", "(4, 4)"), b"", (2, 0)))

    def test_shapes(self):
        for shape in ("(-4, 4)", "(4, -4)", "(4294967296, 4294967296)", "(9223372036854775808, 1)",
                      "(18446744073709551617, 4)", "(3037000500, 3037000500)", "(1000000000000, 1)", "(4, 4, 4, 4)",
                      "(4, 3)", "(4, 5)", "(4.0, 4)", "4", "()", "(4, 4", "('4', 4)", "(4, 4)*2"):
            with self.subTest(shape=shape):
                self.refuse_header(shape=shape)

    def test_empty_shapes_with_absurd_extents(self):
        self.refuse_header(shape="(0, 18446744073709551616)", data=b"")
        self.refuse_header(shape="(0, 4611686018427387904)", data=b"")

    def test_empty_shapes_with_long_extents(self):
        """Nobody walks along an extent of 2^59 where the other one is 0."""
        self.write("wide.npy", npy_bytes(self.DICTIONARY.format("<f8", "False", "(0, 576460752303423488)"), b""))
        for out in ("tall.npy", "tall.mtx"):
            self.succeed("transpose", "wide.npy", "-o", out, "--verify")
            self.succeed("transpose", out, "-o", "back.npy", "--verify")
            self.assertIn(b"(0, 576460752303423488)", (self.folder / "back.npy").read_bytes())
        self.succeed("add", "tall.npy", "tall.npy", "-o", "out.npy", "--verify")
        self.succeed("matmul", "wide.npy", "wide.npy", "--op-b", "transpose", "-o", "out.npy", "--verify")
        self.write("pairs.npy", array_npy("<i8", "q", [0] * 4, (2, 2)))
        self.succeed("histogram", "pairs.npy", "--bins", "1000000000000000x0", "--out-of-range", "count", "-o",
                     "out.npy", "--verify")

    def test_dictionaries(self):
        for header in ("", "{}\n", "[]\n", "__import__('os').system('true')\n", "{'descr': '<f8'}\n", "{" * 5000,
                       "{'descr': '<f8', 'fortran_order': False, 'shape': (4, 4), 'more': 1}\n",
                       "{'descr': '<f8', 'descr': '<f8', 'fortran_order': False, 'shape': (4, 4)}\n",
                       b"\xff\xfe\x00\x01", "\0" * 100):
            with self.subTest(header=header[:40]):
                self.refuse_file(npy_bytes(header, b"\0" * 128))

    def test_types(self):
        for descr in ("|O", "|b8", "|U8", "<M8[light]", "<f12", "<f3", "f8", "", "<i-4", "|V"):
            with self.subTest(descr=descr):
                self.refuse_header(descr=descr)
        self.refuse_header(order="Maybe")

    def test_names_do_not_reach_the_terminal(self):
        name = "evil\x1b[31m\n.npy"
        line = self.refuse("transpose", name, "-o", "out.npy")
        self.assertNotIn("\x1b", line)

    def test_matrix_market(self):
        good = "%%MatrixMarket matrix array real general\n2 2\n1\n2\n3\n4\n"
        for what, text in {
            "cut": good[:-4],
            "more": good + "5\n",
            "word": good.replace("3", "x"),
            "huge": "%%MatrixMarket matrix array real general\n4294967296 4294967296\n1\n",
            "negative": "%%MatrixMarket matrix array real general\n-2 2\n1\n",
            "sparse and huge": "%%MatrixMarket matrix coordinate real general\n99999999 99999999 1\n1 1 1\n",
            "banner": "%%MatrixMarket tensor array real general\n2 2\n1\n2\n3\n4\n",
        }.items():
            with self.subTest(what=what):
                self.write("bad.mtx", text.encode())
                self.refuse("transpose", "bad.mtx", "-o", "out.npy", words=["'bad.mtx'"])


class BadUsage(DriverCase):
    def usage(self, *arguments, words=()):
        self.refuse(*arguments, status=2, words=words)

    def test_commands(self):
        for word in ("matmul", "ladder", "info"):
            self.usage(words=["no command is given", word])
            self.usage("divide", "a.npy", words=["there is no command 'divide'", word])
            self.usage("--verify", words=["there is no command '--verify'", word])
        self.usage("matmul")
        self.usage("matmul", "a.npy")
        self.usage("matmul", "a.npy", "b.npy", words=["output"])
        self.usage("matmul", "a.npy", "b.npy", "-o", "c.npy", "--unknown")
        self.usage("transpose", "a.npy", "b.npy", "-o", "c.npy")
        self.usage("histogram", "a.npy", "-o", "c.npy", words=["--bins"])

    def test_values(self):
        files = ["matmul", "a.npy", "b.npy", "-o", "c.npy"]
        for option, value in (("--algorithm", "quick"), ("--algorithm", "padded"), ("--tile", "0"), ("--tile", "2x2"),
                              ("--tile", "-3"), ("--tile", "99999999999"), ("--tile", "8x"), ("--launch", "4x4"),
                              ("--launch", "0x1,1x1"), ("--launch", "1x1,1x1,1x1"), ("--op-a", "invert"),
                              ("--alpha", "one"), ("--alpha", "1,2,3"), ("--threads", "0"), ("--threads", "-1"),
                              ("--threads", "many"), ("--threads", "99999999"), ("--threads", "513"),
                              ("--repeat", "-1"),
                              ("--order", "Z"), ("--accumulator", "float99"), ("--accumulator", "float16")):
            with self.subTest(option=option, value=value):
                self.usage(*files, option, value, words=[option])
        for bins in ("-1", "x", "4x4x4", "1e3", "18446744073709551616"):
            with self.subTest(bins=bins):
                self.usage("histogram", "a.npy", "-o", "c.npy", "--bins", bins, words=["--bins"])

    def test_texts(self):
        files = ["matmul", "a.npy", "b.npy", "-o", "c.npy"]
        form = "is not of the form GXxGY,BXxBY"
        for option, value, text in (("--launch", "1x1", f"'1x1' {form}"), ("--launch", "1x1,", f"'1x1,' {form}"),
                                    ("--launch", "1,1x1", f"'1,1x1' {form}"),
                                    ("--tile", "999999999999x8x8", "'999999999999' is not from 1 to 2147483647"),
                                    ("--tile", "8x0x8", "'0' is not from 1 to 2147483647"),
                                    ("--tile", "8x", "'8x' is not of the form 20 or 64x64x16"),
                                    ("--alpha", "1e999", "'1e999' is outside the range of float64"),
                                    ("--alpha", "1,-1e999", "'1,-1e999' is outside the range of float64"),
                                    ("--alpha", "x,1e999", "'x,1e999' is no number"),
                                    ("--alpha", "+-1", "'+-1' is no number"),
                                    ("--threads", "abc", "'abc' is not a whole number from 1 to 512"),
                                    ("--threads", "2.5", "'2.5' is not a whole number from 1 to 512"),
                                    ("--threads", "600", "'600' is not from 1 to 512"),
                                    ("--repeat", "", "'' is not a whole number from 0 to 1000000")):
            with self.subTest(option=option, value=value):
                self.usage(*files, option, value, words=[f"{option}: {text}"])

    def test_long_arguments_are_cut(self):
        long = "x" * 5000
        files = ["matmul", "a.npy", "b.npy", "-o", "c.npy"]
        for arguments in ([long], ["transpose", "a.npy", "-o", "b.npy", long], [*files, f"--{long}"],
                          [*files, "--algorithm", long], [*files, "--alpha", long], [*files, "--tile", f"2x{long}"],
                          [*files, "--threads", "1" * 5000], [*files, *["y"] * 2000], [*files, f"--verify={long}"]):
            with self.subTest(arguments=[argument[:20] for argument in arguments[:9]]):
                line = self.refuse(*arguments, status=2, words=["..."])
                self.assertLess(len(line), 400)
        for arguments in (["transpose", long, "-o", "b.npy"], ["info", "--report", f"{long}/b.npy"]):
            self.assertLess(len(self.refuse(*arguments, words=["..."])), 400)
        name = "x" + "\u00e4\u20ac" * 300  # byte 60 is within a character, before which the name is cut
        self.refuse("transpose", name, "-o", "b.npy", words=["\u20ac\u00e4..."])
        self.refuse("info", name, status=2, words=["?..."])

    def test_control_characters_do_not_reach_the_terminal(self):
        for arguments in (["\x1b[31m"], ["info", "\x1b[31m"], ["info", "--\x1b[31m"],
                          ["info", "--threads", "\x1b[31m"]):
            self.assertNotIn("\x1b", self.refuse(*arguments, status=2))

    def test_meaning(self):
        self.usage("matmul", "a.npy", "b.npy", "-o", "c.npy", "--beta", "2", words=["--beta", "--c-in"])
        self.usage("matmul", "a.npy", "b.npy", "-o", "c.npy", "--c-in", "c.npy", words=["--c-in", "--beta"])

    def test_help_is_no_error(self):
        for arguments in (["--help"], ["matmul", "--help"], ["ladder", "-h"]):
            self.assertIn("pantile", self.succeed(*arguments))
        for command in ("matmul", "transpose", "add", "histogram"):
            self.assertIn("element type", self.succeed(command, "--help"))


if __name__ == "__main__":
    driver_case.main()

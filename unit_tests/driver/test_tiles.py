#!/usr/bin/env python3
# SPDX-FileCopyrightText: Pantile contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Commands whose operands memory does not hold: by tiles, within --memory, resumed after SIGKILL. 77: no NumPy here."""

import fcntl
import json
import os
import pathlib
import re
import resource
import signal
import subprocess
import sys
import time
import unittest

import driver_case
from driver_case import DriverCase

try:
    import numpy as np
except ImportError:
    print("skipped: this Python has no NumPy")
    sys.exit(driver_case.SKIPPED)

SEED = 11
MIB = 1 << 20


class TilesCase(DriverCase):
    def setUp(self):
        super().setUp()
        self.random = np.random.default_rng(SEED)

    def matrix(self, dtype, *shape, order="C"):
        """Small whole numbers, whose sums of products are exact."""
        values = self.random.integers(0, 9, shape)
        if np.dtype(dtype).kind == "c":
            values = values + 1j * self.random.integers(0, 9, shape)
        return np.array(values, dtype, order=order)

    def save(self, name, array):
        np.save(self.folder / name, array)
        return name

    def tiled(self, *arguments):
        """The result and the report of a run that took tiles, and left nothing else."""
        before = {path.name for path in self.folder.iterdir()} - {"out.npy", "report.json"}
        self.succeed(*arguments, "-o", "out.npy", "--report", "report.json")
        self.assertEqual({path.name for path in self.folder.iterdir()} - before, {"out.npy", "report.json"})
        report = json.loads((self.folder / "report.json").read_text())
        self.assertGreater(report["tiles"]["count"], 1)
        return np.load(self.folder / "out.npy"), report

    def left(self):
        return sorted(path.name for path in self.folder.glob(".pantile-*"))


class TiledTranspose(TilesCase):
    TYPES = [
        "bool",
        "int8",
        "float16",
        "uint32",
        "float64",
        "complex64",
        "complex128",
        "longdouble",
        "S3",
        "U5",
        "datetime64[ns]",
        "V7",
    ]

    def expect(self, A, *options, expected=None, memory=16384):
        self.save("a.npy", A)
        result, report = self.tiled("transpose", "a.npy", "--memory", memory, *options)
        expected = A.T if expected is None else expected
        self.assertEqual(result.dtype, A.dtype.newbyteorder("="))
        self.assertEqual(result.tobytes(), np.ascontiguousarray(expected.astype(result.dtype)).tobytes())
        return result, report

    def test_types(self):
        for dtype in self.TYPES:
            size = np.dtype(dtype).itemsize
            A = np.frombuffer(self.random.bytes(120 * 131 * size), dtype).reshape(120, 131)
            if dtype == "bool":
                A = self.random.integers(0, 2, (120, 131)).astype(bool)
            elif dtype == "U5":
                A = np.array([[f"{i},{j}"[:5] for j in range(131)] for i in range(120)], dtype)
            with self.subTest(dtype=dtype):
                self.expect(A, memory=4 * 16 * 40 * size)

    def test_orders(self):
        A = self.matrix("float64", 90, 131)
        for order_a in "CF":
            for order_b in "CF":
                with self.subTest(orders=order_a + order_b):
                    result, _ = self.expect(np.array(A, order=order_a), "--order", order_b)
                    self.assertTrue(result.flags[f"{order_b}_CONTIGUOUS"])

    def test_other_byte_order_and_conjugation(self):
        A = self.matrix("complex128", 70, 65).astype(">c16")
        self.expect(A)
        self.expect(A, "--conjugate", expected=A.conj().T)

    def test_small_operands_stay_in_memory(self):
        A = self.matrix("float64", 9, 13)
        self.save("a.npy", A)
        text = self.succeed("transpose", "a.npy", "-o", "out.npy", "--memory", 2 * 9 * 13 * 8, "--verify")
        self.assertIn("verified", text)
        self.assertNotIn("tiles", text)

    def test_over_itself(self):
        A = self.matrix("float64", 90, 131)
        self.save("out.npy", A)
        self.succeed("transpose", "out.npy", "-o", "out.npy", "--memory", "16K", "--force")
        np.testing.assert_array_equal(np.load(self.folder / "out.npy"), A.T)

    def test_through_a_link_with_its_permissions(self):
        (self.folder / "folder").mkdir()
        self.write("folder/real.npy", b"older")
        (self.folder / "folder/real.npy").chmod(0o640)
        (self.folder / "out.npy").symlink_to("folder/real.npy")
        self.expect(self.matrix("float64", 90, 131))
        self.assertTrue((self.folder / "out.npy").is_symlink())
        self.assertEqual((self.folder / "folder/real.npy").stat().st_mode & 0o777, 0o640)


class TiledMatmul(TilesCase):
    TYPES = ["float32", "float64", "complex64", "complex128", "int32", "int64", "uint32", "uint64", "int8", "uint8"]

    def expect(self, A, B, *options, expected=None, memory=40000, dtype=None):
        dtype = dtype or {"int8": "int32", "uint8": "int32"}.get(A.dtype.name, A.dtype)
        expected = A.astype(dtype) @ B.astype(dtype) if expected is None else expected
        result, report = self.tiled(
            "matmul", self.save("a.npy", A), self.save("b.npy", B), "--memory", memory, *options
        )
        self.assertEqual(result.dtype, expected.dtype)
        np.testing.assert_array_equal(result, expected)
        return result, report

    def test_types(self):
        for dtype in self.TYPES:
            A, B = self.matrix(dtype, 70, 150), self.matrix(dtype, 150, 90)
            with self.subTest(dtype=dtype):
                self.expect(A, B)

    def test_half(self):
        if "float16" not in self.succeed("info"):
            self.skipTest("the program's compiler has no float16")
        A, B = self.matrix("float16", 70, 150), self.matrix("float16", 150, 90)
        self.expect(A, B, expected=(A.astype("float32") @ B.astype("float32")).astype("float16"), memory=20000)

    def test_orders(self):
        A, B = self.matrix("float64", 70, 50), self.matrix("float64", 50, 90)
        for orders in ("CFF", "FCC", "FFC"):
            with self.subTest(orders=orders):
                a, b, c = orders
                result, _ = self.expect(np.array(A, order=a), np.array(B, order=b), "--order", c)
                self.assertTrue(result.flags[f"{c}_CONTIGUOUS"])

    def test_operators_and_scalars(self):
        A, B, C = (self.matrix("complex128", *shape) for shape in ((60, 80), (90, 60), (80, 90)))
        self.save("c.npy", C)
        self.expect(
            A,
            B,
            "--op-a",
            "conjugate_transpose",
            "--op-b",
            "transpose",
            "--alpha",
            "2,1",
            "--beta",
            "0,-3",
            "--c-in",
            "c.npy",
            expected=(2 + 1j) * (A.conj().T @ B.T) - 3j * C,
        )
        operands = json.loads((self.folder / "report.json").read_text())["operands"]
        self.assertEqual({name: operand["file"] for name, operand in operands.items()},
                         {"A": "a.npy", "B": "b.npy", "C_in": "c.npy", "C": "out.npy"})
        self.expect(
            A, B, "--op-a", "transpose", "--op-b", "transpose", "--beta", "0", "--c-in", "c.npy", expected=A.T @ B.T
        )

    def test_float_summed_in_double(self):
        A, B = self.matrix("float32", 64, 3000), np.ones((3000, 64), "float32")
        A[:, 0] = 2**24
        expected = (A.astype("float64") @ B.astype("float64")).astype("float32")
        self.expect(A, B, "--accumulator", "float64", expected=expected)

    def test_other_byte_order(self):
        A, B = self.matrix("float64", 70, 50), self.matrix("float64", 50, 90)
        self.expect(A.astype(">f8"), B, expected=A @ B)

    def test_what_is_told(self):
        A, B = self.matrix("float64", 128, 128), self.matrix("float64", 128, 128)
        _, report = self.expect(A, B, memory=65536)
        self.assertEqual(report["tiles"]["memory"], 65536)
        self.assertEqual(report["traffic"]["written"], A.nbytes)
        self.assertGreaterEqual(report["traffic"]["read"], 2 * A.nbytes)
        result = self.call("matmul", "a.npy", "b.npy", "-o", "out.npy", "--memory", "64K", "--progress")
        for words in ("tiles", "traffic", "GFLOP/s"):
            self.assertIn(words, result.stdout)
        percents = [int(text) for text in re.findall(r"^computing 'out.npy': (\d+) %", result.stderr, re.MULTILINE)]
        self.assertEqual(percents, sorted(set(percents)))
        self.assertEqual(percents[-1], 100)


class TileRefusals(TilesCase):
    def setUp(self):
        super().setUp()
        self.save("a.npy", self.matrix("float64", 90, 131))

    def test_too_small_a_budget(self):
        line = self.refuse(
            "transpose", "a.npy", "-o", "out.npy", "--memory", "1000", words=["at least", "not 1000", "'a.npy'"]
        )
        least = re.search(r"at least (\d+) bytes", line).group(1)
        self.refuse(
            "transpose", "a.npy", "-o", "out.npy", "--memory", int(least) - 1, words=[f"at least {least} bytes"]
        )
        self.succeed("transpose", "a.npy", "-o", "out.npy", "--memory", least)
        line = self.refuse(
            "matmul",
            "a.npy",
            "a.npy",
            "--op-b",
            "transpose",
            "-o",
            "out.npy",
            "--memory",
            "1K",
            words=["at least", "not 1024"],
        )
        least = re.search(r"at least (\d+) bytes", line).group(1)
        self.succeed("matmul", "a.npy", "a.npy", "--op-b", "transpose", "-o", "out.npy", "--memory", least)

    def test_sizes(self):
        for text in ("", "M", "12X", "-1", "0", "1.5G", "9999999999G"):
            self.refuse("transpose", "a.npy", "-o", "out.npy", f"--memory={text}", status=2, words=["--memory"])
        self.succeed("transpose", "a.npy", "-o", "out.npy", "--memory", "1T")

    def test_what_tiles_cannot_do(self):
        for option in (["--verify"], ["--repeat", "2"]):
            self.refuse(
                "transpose",
                "a.npy",
                "-o",
                "out.npy",
                "--memory",
                "16K",
                *option,
                words=["--verify and --repeat need operands and result in memory"],
            )
        (self.folder / "a.mtx").write_text("%%MatrixMarket matrix array integer general\n1 1\n0\n")
        self.refuse(
            "transpose", "a.mtx", "-o", "out.npy", "--memory", "16K", words=["--memory is for .npy files", "'a.mtx'"]
        )
        self.refuse(
            "transpose", "a.npy", "-o", "out.mtx", "--memory", "16K", words=["--memory is for .npy files", "'out.mtx'"]
        )
        self.refuse("transpose", "-", "-o", "out.npy", "--memory", "16K", words=["--memory is for .npy files", "'-'"])
        # Datasets, whatever their names and with HDF5 or without: README.md says why.
        for dataset in ("f.h5:/a", "f.h5:/a.npy"):
            words = ["--memory is for .npy files", f"'{dataset}'"]
            self.refuse("transpose", dataset, "-o", "out.npy", "--memory", "16K", words=words)
            self.refuse("transpose", "a.npy", "-o", dataset, "--memory", "16K", words=words)
        self.assertFalse((self.folder / "f.h5").exists())

    def test_shapes(self):
        self.refuse(
            "matmul",
            "a.npy",
            "a.npy",
            "-o",
            "out.npy",
            "--memory",
            "16K",
            words=["columns of op(A) (131) must equal rows of op(B) (90)", "A 'a.npy' 90x131"],
        )

    def test_a_disk_without_room(self):
        self.save("column.npy", np.ones((1 << 20, 1)))
        # Without --memory too: 8 TB are refused before anything is read.
        for memory in ([], ["--memory", "1M"]):
            self.refuse(
                "matmul",
                "column.npy",
                "column.npy",
                "--op-b",
                "transpose",
                "-o",
                "out.npy",
                *memory,
                words=["cannot write 'out.npy'", "8796093022336 bytes", "room"],
            )

    def limited(self, limit, *arguments):
        return subprocess.run(
            [self.driver, *arguments],
            capture_output=True,
            text=True,
            timeout=120,
            cwd=self.folder,
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit)),
        )

    def test_a_file_that_may_not_be_so_large(self):
        result = self.limited(50000, "transpose", "a.npy", "-o", "out.npy", "--memory", "16K")
        self.assertEqual((result.returncode, len(result.stderr.splitlines())), (1, 1), result.stderr)
        self.assertIn("no room can be had on the disk for its 94448 bytes (File too large)", result.stderr)
        self.assertEqual(self.left(), [])
        self.assertFalse((self.folder / "out.npy").exists())

    def test_another_run(self):
        with open(self.folder / ".pantile-out.npy.tmp", "w") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            line = self.refuse("transpose", "a.npy", "-o", "out.npy", "--memory", "16K")
        self.assertIn("another run of this program is writing it", line)


@unittest.skipIf(driver_case.SANITIZED, "address sanitizer takes more than such a limit")
class TooLarge(TilesCase):
    """Operands and results that no memory holds and no tiles are for are refused before elements are read."""

    LIMIT = 450 * MIB

    def setUp(self):
        super().setUp()
        header = driver_case.npy_bytes("{'descr': '<f8', 'fortran_order': False, 'shape': (6000, 6000), }\n", b"")
        self.write("large.npy", header)
        os.truncate(self.folder / "large.npy", len(header) + 8 * 6000**2)
        # Whose first number is none: who reads it says so.
        banner = self.write("large.mtx", b"%%MatrixMarket matrix array integer general\n6000 6000\n")
        os.truncate(self.folder / banner, 2 * 6000**2 + 100)

    def expect(self, *arguments, words):
        limit = (self.LIMIT, self.LIMIT)
        result = subprocess.run(
            [self.driver, *arguments],
            capture_output=True,
            text=True,
            timeout=120,
            cwd=self.folder,
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, limit),
        )
        self.assertEqual((result.returncode, result.stdout), (1, ""), result.stderr)
        line, = result.stderr.splitlines()
        for word in words:
            self.assertIn(word, line)
        self.assertRegex(line, r" MiB of memory, where [0-9.]+ MiB are free; ")

    def test_transpose(self):
        described = "A 'large.npy' 6000x6000 float64 and B 6000x6000 float64 need 549 MiB"
        outputs = ["out.mtx", "-", *(["f.h5:/a"] if "HDF5" in self.succeed("info") else [])]
        for output in outputs:
            self.expect("transpose", "large.npy", "-o", output, words=[described])
        self.expect("transpose", "large.mtx", "-o", "out.npy", words=["A 'large.mtx' 6000x6000 int64 and B"])

    def test_other_operations(self):
        self.expect("matmul", "large.npy", "large.npy", "-o", "out.mtx", words=["A 'la", ", B 'la", "and C", "824 MiB"])
        self.expect("add", "large.npy", "large.npy", "-o", "out.npy", words=["A 'la", ", B 'la", "and C", "824 MiB"])
        self.save("indices.npy", np.zeros((3, 2), "int64"))
        bins = ["--bins", "8000x8000"]
        self.expect("histogram", "indices.npy", *bins, "-o", "out.npy", words=["counts 8000x8000 int64"])

    def test_where_the_user_says_that_there_is_memory(self):
        self.expect("transpose", "large.npy", "-o", "out.npy", "--memory", "8G", words=["need 549 MiB"])

    def test_tiles_take_it(self):
        self.succeed("transpose", "large.npy", "-o", "out.npy", "--memory", "64M")


class Resume(TilesCase):
    """Runs that are ended in the middle. Their operands are large enough for that."""

    ROWS, COLS = 8000, 5000  # 320 MB

    def setUp(self):
        super().setUp()
        self.save("a.npy", self.random.integers(0, 1 << 40, (self.ROWS, self.COLS)).astype("float64"))
        self.arguments = ["transpose", "a.npy", "-o", "out.npy", "--memory", "1M"]

    def journal(self):
        return (self.folder / ".pantile-out.npy.journal").read_text()

    def tiles_done(self):
        """Tiles that the journal has; nothing where it is not there."""
        try:
            lines = self.journal().splitlines()
        except FileNotFoundError:
            return None
        return int(lines[-1].split()[1]) if lines and lines[-1].startswith("parts ") else None

    def start(self, *options):
        process = subprocess.Popen(
            [self.driver, *self.arguments, *options],
            cwd=self.folder,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
        )
        self.addCleanup(process.stderr.close)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        return process

    def in_the_middle(self, do, *options):
        """do(process) once the journal has tiles, in a run that is not over by then; then its status."""
        for _ in range(10):
            process = self.start(*options)
            before = self.tiles_done() if "--resume" in options else None
            while process.poll() is None and self.tiles_done() in (None, before):
                time.sleep(0.002)
            if process.poll() is None:
                do(process)
                status = process.wait(timeout=120)
                if status != 0:
                    return status, process.stderr.read()
            self.assertEqual(process.wait(), 0, process.stderr.read())
            (self.folder / "out.npy").unlink()
        self.fail("every run was too fast")

    def expect_whole(self):
        A = np.load(self.folder / "a.npy", mmap_mode="r")
        np.testing.assert_array_equal(np.load(self.folder / "out.npy", mmap_mode="r"), A.T)
        self.assertEqual(self.left(), [])

    def test_after_sigkill(self):
        self.write("out.npy", b"older")
        status, _ = self.in_the_middle(lambda process: process.kill())
        self.assertEqual(status, -signal.SIGKILL)
        if (self.folder / "out.npy").exists():
            self.assertEqual((self.folder / "out.npy").read_bytes(), b"older")
        self.assertEqual(self.left(), [".pantile-out.npy.journal", ".pantile-out.npy.tmp"])
        done = self.tiles_done()
        self.assertGreater(done, 0)
        # Without the same --memory: the journal has it.
        self.arguments = self.arguments[:-2]
        self.succeed(*self.arguments, "--resume", "--report", "report.json")
        tiles = json.loads((self.folder / "report.json").read_text())["tiles"]
        self.assertGreaterEqual(tiles["resumed"], done)
        self.assertLess(tiles["resumed"], tiles["count"])
        self.expect_whole()

    def test_after_two_signals(self):
        for number in (signal.SIGTERM, signal.SIGKILL):
            status, _ = self.in_the_middle(lambda process: process.send_signal(number), "--resume")
            self.assertEqual(status, -number)
        self.succeed(*self.arguments, "--resume")
        self.expect_whole()

    def test_nothing_to_resume(self):
        self.succeed(*self.arguments, "--resume")
        self.expect_whole()
        # What is left of a journal after a power cut is none.
        self.write(".pantile-out.npy.journal", b"pantile journal 1\ntransp")
        self.succeed(*self.arguments, "--resume")
        self.expect_whole()

    def test_another_run_begins_anew(self):
        self.in_the_middle(lambda process: process.kill())
        self.succeed(*self.arguments)
        self.expect_whole()

    def test_what_must_be_the_same(self):
        self.in_the_middle(lambda process: process.kill())
        for options, words in (
            (["--memory", "2M"], ['had "memory 1048576"', 'has "memory 2097152"']),
            (["--order", "F"], ["C order", "Fortran order"]),
            (["--conjugate"], ['had "transpose"', 'has "conjugate transpose"']),
        ):
            self.refuse(
                *self.arguments[:-2], "--resume", *options, words=["cannot write 'out.npy'", *words, "without --resume"]
            )
        os.utime(self.folder / "a.npy")
        self.refuse(*self.arguments, "--resume", words=["A (8000, 5000) float64, C order", "changed"])
        self.assertEqual(self.left(), [".pantile-out.npy.journal", ".pantile-out.npy.tmp"])

    def test_a_disk_that_fails_in_the_middle(self):
        limit = 8 * MIB  # from now on nothing can be written behind it
        status, text = self.in_the_middle(
            lambda process: resource.prlimit(process.pid, resource.RLIMIT_FSIZE, (limit, limit))
        )
        self.assertEqual((status, len(text.splitlines())), (1, 1), text)
        self.assertRegex(
            text, r"^pantile: cannot write 'out.npy': File too large; --resume goes on after \d+ of \d+ tiles$"
        )
        self.assertFalse((self.folder / "out.npy").exists())
        self.succeed(*self.arguments, "--resume")
        self.expect_whole()

    def test_a_product(self):
        A, B = self.matrix("float64", 1500, 1500), self.matrix("float64", 1500, 1500)
        self.arguments = ["matmul", self.save("a.npy", A), self.save("b.npy", B), "-o", "out.npy", "--memory", "300K"]
        self.in_the_middle(lambda process: process.kill())
        self.refuse(*self.arguments, "--resume", "--alpha", "2", words=["alpha 1", "alpha 2"])
        # Tiles of another instruction set would be rounded otherwise.
        self.assertRegex(self.journal(), r"(?m), rounded by pantile [0-9.]+, \w+(, \w+)?$")
        if ", avx" in self.journal():
            words = [', avx', '", this one has "matmul of none', ', generic"']
            self.refuse(*self.arguments, "--resume", words=words, PANTILE_ISA="generic")
        self.succeed(*self.arguments, "--resume")
        np.testing.assert_array_equal(np.load(self.folder / "out.npy"), A @ B)


@unittest.skipIf(driver_case.SANITIZED, "address sanitizer keeps memory that was freed")
class Memory(TilesCase):
    """The most that a run takes, as the system counts it."""

    OVERHEAD = 32 * MIB  # the program, Kokkos and its threads, what the library's kernels work in

    def peak(self, *arguments):
        result = subprocess.run(
            [
                sys.executable,
                "-c",
                "import os, resource, subprocess, sys\n"
                "subprocess.run(sys.argv[1:], check=True, stdout=subprocess.DEVNULL)\n"
                "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)",
                self.driver,
                *map(str, arguments),
            ],
            capture_output=True,
            text=True,
            timeout=600,
            cwd=self.folder,
            env=os.environ | {"OMP_NUM_THREADS": "2"},
        )
        self.assertEqual(result.returncode, 0, result.stderr)
        return int(result.stdout) * 1024

    def test_stays_below_the_budget(self):
        budget, n = 64 * MIB, 4096  # operands of 128 MiB each
        self.save("a.npy", np.ones((n, n)))
        self.save("b.npy", np.ones((n, 2048)))
        for arguments in (["transpose", "a.npy"], ["matmul", "a.npy", "b.npy"]):
            with self.subTest(command=arguments[0]):
                taken = self.peak(*arguments, "-o", "out.npy", "--memory", "64M")
                print(f"{arguments[0]}: {taken / MIB:.0f} MiB at most, of them {budget / MIB:.0f} for tiles")
                self.assertLess(taken, budget + self.OVERHEAD)
                self.assertGreater(taken, budget / 2)


if __name__ == "__main__":
    driver_case.main()

#!/usr/bin/env python3
# SPDX-FileCopyrightText: Pantile contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Every subcommand of the driver program from file to file, against NumPy. Exit status 77: no NumPy here."""

import io
import json
import os
import subprocess
import sys

import driver_case
from driver_case import DriverCase

try:
    import numpy as np
except ImportError:
    print("skipped: this Python has no NumPy")
    sys.exit(driver_case.SKIPPED)

TYPES = ["float32", "float64", "complex64", "complex128", "int32", "int64", "uint32", "uint64"]
SEED = 7


class NumpyCase(DriverCase):
    def setUp(self):
        super().setUp()
        self.random = np.random.default_rng(SEED)

    def matrix(self, dtype, *shape, order="C"):
        dtype = np.dtype(dtype)
        if dtype.kind in "iu":
            low = -100 if dtype.kind == "i" else 0
            values = self.random.integers(low, 100, shape)
        else:
            values = self.random.uniform(-1, 1, shape)
            if dtype.kind == "c":
                values = values + 1j * self.random.uniform(-1, 1, shape)
        return np.array(values, dtype, order=order)

    def save(self, name, array):
        np.save(self.folder / name, array)
        return name

    def compute(self, command, *arguments):
        """The output, after the driver's own verification, and the report."""
        self.succeed(command, *arguments, "-o", "out.npy", "--verify", "--report", "report.json")
        report = json.loads((self.folder / "report.json").read_text())
        self.assertTrue(report["verification"]["passed"])
        return np.load(self.folder / "out.npy"), report

    def assert_result(self, result, expected, scale=None):
        """Integers equal; the others within 100 roundoffs of the scale of their sums."""
        self.assertEqual(result.dtype, expected.dtype)
        self.assertEqual(result.shape, expected.shape)
        if expected.dtype.kind in "iu":
            np.testing.assert_array_equal(result, expected)
        else:
            bound = 100 * np.finfo(expected.dtype).eps * (np.abs(expected) if scale is None else scale)
            self.assertTrue(np.all(np.abs(result - expected) <= bound))


class Matmul(NumpyCase):
    def check(self, A, B, *options, expected=None, scale=None, C=None):
        files = [self.save("a.npy", A), self.save("b.npy", B)]
        if C is not None:
            files += ["--c-in", self.save("c.npy", C)]
        result, report = self.compute("matmul", *files, *options)
        expected = A @ B if expected is None else expected
        size = np.full(expected.shape, A.shape[1] * 4.0 + 4) if scale is None else scale
        self.assert_result(result, expected, size)
        return result, report

    def test_types_and_orders(self):
        for dtype in TYPES:
            for order_a, order_b, order_c in ("CCC", "FCF", "CFC", "FFF"):
                with self.subTest(dtype=dtype, orders=order_a + order_b + order_c):
                    A = self.matrix(dtype, 37, 19, order=order_a)
                    B = self.matrix(dtype, 19, 23, order=order_b)
                    result, _ = self.check(A, B, "--order", order_c)
                    self.assertTrue(result.flags[f"{order_c}_CONTIGUOUS"])

    def test_operators(self):
        for dtype in ("float64", "complex64"):
            for name, op in (("transpose", lambda x: x.T), ("conjugate", np.conj),
                             ("conjugate_transpose", lambda x: x.conj().T)):
                A, B = self.matrix(dtype, 8, 8), self.matrix(dtype, 8, 8)
                with self.subTest(dtype=dtype, op=name):
                    self.check(A, B, "--op-a", name, expected=op(A) @ B)
                    self.check(A, B, "--op-b", name, expected=A @ op(B))

    def test_scalars(self):
        A, B, C = self.matrix("int64", 5, 6), self.matrix("int64", 6, 7), self.matrix("int64", 5, 7, order="F")
        huge = 4611686018427387905  # 2^62 + 1 does not pass through a double
        self.check(A, B, "--alpha", "-3", "--beta", huge, C=C, expected=-3 * (A @ B) + np.int64(huge) * C)
        A, B, C = (self.matrix("complex128", 4, 4) for _ in range(3))
        self.check(A, B, "--alpha", "0.5,-1", "--beta", "2", "--repeat", "3", C=C,
                   expected=(0.5 - 1j) * (A @ B) + 2 * C)
        # beta = 0 never reads C.
        self.check(A, B, "--beta", "0", C=np.full((4, 4), np.nan + 0j))

    def test_algorithms(self):
        A, B = self.matrix("float32", 45, 50), self.matrix("float32", 50, 41)
        for options, algorithm in (
            (["--algorithm", "naive"], "naive"),
            (["--algorithm", "grid_stride", "--launch", "2x3,4x5"], "grid_stride"),
            (["--algorithm", "tiled", "--tile", "20"], "tiled"),
            (["--algorithm", "tiled", "--tile", "7x9x3"], "tiled"),
            (["--algorithm", "blocked"], "blocked"),
            ([], "blocked"),
        ):
            with self.subTest(options=options):
                _, report = self.check(A, B, *options, "--threads", "2")
                self.assertEqual(report["algorithm"], algorithm)
        self.assertEqual(report["verification"]["scope"], f"all {45 * 41} elements")

    def test_bytes_are_summed_in_32_bits(self):
        for dtype in ("int8", "uint8"):
            A, B = self.matrix(dtype, 9, 300), self.matrix(dtype, 300, 5)
            with self.subTest(dtype=dtype):
                self.check(A, B, expected=A.astype("int32") @ B.astype("int32"))

    def test_half_is_summed_in_float(self):
        """And rounded once: sums in float16 would be off by a hundred times as much."""
        if "float16" not in self.succeed("info"):
            self.skipTest("the program's compiler has no float16")
        A, B, C = (self.matrix("float16", *shape) for shape in ((9, 1000), (1000, 5), (9, 5)))
        product = A.astype("float64") @ B.astype("float64")
        self.check(A, B, "--accumulator", "float32", expected=product.astype("float16"), scale=np.abs(product) / 100)
        updated = 0.5 * product + 2 * C.astype("float64")
        self.check(A, B, "--alpha", "0.5", "--beta", "2", C=C, expected=updated.astype("float16"),
                   scale=np.abs(updated) / 100 + 1e-4)

    def test_float_summed_in_double(self):
        A, B = self.matrix("float32", 3, 5000), self.matrix("float32", 5000, 3)
        expected = (A.astype("float64") @ B.astype("float64")).astype("float32")
        self.check(A, B, "--accumulator", "float64", expected=expected, scale=np.abs(expected) / 50)

    def test_wraps_like_numpy(self):
        for dtype in ("int32", "uint32", "int64", "uint64"):
            A, B = (np.full((4, 4), 2 ** (8 * np.dtype(dtype).itemsize - 1) - 3, dtype) for _ in range(2))
            self.check(A, B)

    def test_not_a_number_and_infinities(self):
        A = np.array([[np.nan, 1], [np.inf, 1], [1, 1]])
        B = np.array([[1.0, 0.0], [1.0, 1.0]])
        files = self.save("a.npy", A), self.save("b.npy", B)
        result, _ = self.compute("matmul", *files)
        with np.errstate(invalid="ignore"):
            np.testing.assert_array_equal(result, A @ B)

    def test_complex_infinities(self):
        A = np.array([[complex(np.inf, 1), 2], [3, 4j]])
        B = np.array([[1, complex(2, np.inf)], [1j, 1]])
        for scalars in (["--alpha", "1,1"], ["--alpha", "0,1"], ["--alpha", "2"]):
            self.compute("matmul", self.save("a.npy", A), self.save("b.npy", B), *scalars)
            self.compute("matmul", "a.npy", "b.npy", *scalars, "--beta", "0,2", "--c-in", self.save("c.npy", A.T))

    def test_sums_that_overflow_on_the_way(self):
        A = np.array([[3e38, 3e38, -3e38, -3e38], [1, 1, 1, 1]], np.float32)
        B = np.ones((4, 3), np.float32)
        _, report = self.compute("matmul", self.save("a.npy", A), self.save("b.npy", B))
        self.assertEqual(report["verification"]["unproved"], 3)
        # In wider sums nothing overflows.
        result, report = self.compute("matmul", "a.npy", "b.npy", "--accumulator", "float64")
        np.testing.assert_array_equal(result, [[0, 0, 0], [4, 4, 4]])
        self.assertEqual(report["verification"]["unproved"], 0)

    def test_empty(self):
        for m, k, n in ((0, 3, 4), (3, 0, 4), (3, 4, 0), (0, 0, 0)):
            with self.subTest(shape=(m, k, n)):
                self.check(self.matrix("float64", m, k), self.matrix("float64", k, n))

    def test_large_results_are_verified_by_rows(self):
        A, B = self.matrix("float32", 3000, 400), self.matrix("float32", 400, 400)
        _, report = self.check(A, B, "--repeat", "0")
        self.assertRegex(report["verification"]["scope"], r"^\d+ of 3000 rows$")
        self.assertEqual(report["time"]["repeats"], 0)

    def test_output_over_an_input(self):
        A = self.matrix("float64", 6, 6)
        self.save("a.npy", A)
        self.succeed("matmul", "a.npy", "a.npy", "-o", "a.npy", "--force")
        np.testing.assert_allclose(np.load(self.folder / "a.npy"), A @ A, rtol=1e-12, atol=1e-12)

    def test_matrix_market(self):
        (self.folder / "a.mtx").write_text("%%MatrixMarket matrix array integer general\n2 3\n1\n2\n3\n4\n5\n6\n")
        self.succeed("matmul", "a.mtx", "a.mtx", "--op-b", "transpose", "-o", "out.mtx")
        lines = (self.folder / "out.mtx").read_text().split("\n")
        self.assertEqual(lines[0], "%%MatrixMarket matrix array integer general")
        self.assertEqual([line for line in lines[1:] if line and line[0] != "%"], ["2 2", "35", "44", "44", "56"])

    def test_what_is_printed(self):
        self.save("a.npy", self.matrix("float64", 32, 32))
        text = self.succeed("matmul", "a.npy", "a.npy", "-o", "out.npy", "--verify", "--repeat", "3")
        for words in ("set-up", "read in", "transfer", "first run", "second run", "median of 3 runs", "GFLOP/s", "GB/s",
                      "pantile::matmul[", "verified", "all 1024 elements", "written in"):
            self.assertIn(words, text)

    def test_computes_once_unless_asked(self):
        self.save("a.npy", self.matrix("float64", 32, 32))
        for options, repeats in (([], 0), (["--repeat", "0"], 0), (["--repeat", "4"], 4)):
            with self.subTest(options=options):
                text = self.succeed("matmul", "a.npy", "a.npy", "-o", "out.npy", "--report", "r.json", *options)
                time = json.loads((self.folder / "r.json").read_text())["time"]
                self.assertEqual(time["repeats"], repeats)
                self.assertEqual("second run" in text, repeats > 0)
                self.assertEqual("second_run" in time, repeats > 0)

    def test_progress_on_request(self):
        self.save("a.npy", self.matrix("float64", 8, 8))
        result = self.call("matmul", "a.npy", "a.npy", "-o", "out.npy", "--verify", "--progress")
        self.assertEqual(result.returncode, 0)
        for words in ("reading 'a.npy': 100 %", "verifying: 100 %", "writing 'out.npy': 100 %"):
            self.assertIn(words, result.stderr)


class Transpose(NumpyCase):
    def test_types_and_algorithms(self):
        for dtype in TYPES:
            for algorithm in ("naive", "tiled", "padded", "automatic"):
                A = self.matrix(dtype, 45, 70)
                with self.subTest(dtype=dtype, algorithm=algorithm):
                    result, _ = self.compute("transpose", self.save("a.npy", A), "--algorithm", algorithm)
                    np.testing.assert_array_equal(result, A.T)
                    self.assertEqual(result.dtype, A.dtype)

    def test_conjugate(self):
        A = self.matrix("complex128", 5, 3)
        result, _ = self.compute("transpose", self.save("a.npy", A), "--conjugate", "--tile", "4", "--order", "F")
        np.testing.assert_array_equal(result, A.conj().T)
        self.assertTrue(result.flags.f_contiguous)

    def test_in_place_file(self):
        A = self.matrix("int32", 5, 8, order="F")
        self.save("a.npy", A)
        self.succeed("transpose", "a.npy", "-o", "a.npy", "--force")
        np.testing.assert_array_equal(np.load(self.folder / "a.npy"), A.T)


    def test_matrix_market_does_not_keep_the_type(self):
        for dtype, wide in (("uint32", "int64"), ("float32", "float64"), ("complex64", "complex128")):
            A = self.matrix(dtype, 3, 4)
            self.succeed("transpose", self.save("a.npy", A), "-o", "a.mtx")
            self.succeed("transpose", "a.mtx", "-o", "b.npy")
            result = np.load(self.folder / "b.npy")
            np.testing.assert_array_equal(result, A)
            self.assertEqual(result.dtype, np.dtype(wide))


class Add(NumpyCase):
    def test_infinities(self):
        # Textbook products: the infinite part meets a zero and becomes NaN.
        A = np.array([[complex(np.inf, 1), 2], [3, complex(0, -np.inf)]])
        B = self.matrix("complex128", 2, 2)
        self.compute("add", self.save("a.npy", A), self.save("b.npy", B), "--alpha", "0,1", "--beta", "1,1")
        # A factor of zero leaves its matrix unread.
        result, _ = self.compute("add", "a.npy", "b.npy", "--alpha", "0")
        np.testing.assert_array_equal(result, B)

    def test_sums_that_overflow_on_the_way(self):
        A = np.full((4, 4), 3e38, np.float32)
        _, report = self.compute("add", self.save("a.npy", A), "a.npy", "--alpha", "2", "--beta", "-1.5")
        self.assertEqual(report["verification"]["unproved"], 16)

    def test_types_and_algorithms(self):
        for dtype in TYPES:
            for algorithm in ("naive", "tiled", "grid_stride", "automatic"):
                A, B = self.matrix(dtype, 45, 70), self.matrix(dtype, 45, 70, order="F")
                alpha, beta = (np.dtype(dtype).type(3), np.dtype(dtype).type(2))
                with self.subTest(dtype=dtype, algorithm=algorithm):
                    result, _ = self.compute("add", self.save("a.npy", A), self.save("b.npy", B), "--alpha", "3",
                                             "--beta", "2", "--algorithm", algorithm)
                    self.assert_result(result, alpha * A + beta * B, np.full(A.shape, 5.0))

    def test_default_is_the_sum(self):
        A, B = self.matrix("int32", 64, 64), self.matrix("int32", 64, 64)
        result, _ = self.compute("add", self.save("a.npy", A), self.save("b.npy", B), "--launch", "6x6,6x6",
                                 "--algorithm", "grid_stride")
        np.testing.assert_array_equal(result, A + B)


class Histogram(NumpyCase):
    def test_counts(self):
        for dtype in ("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"):
            for algorithm in ("global_atomic", "scratch", "automatic"):
                indices = self.random.integers(0, 100, 1000).astype(dtype)
                with self.subTest(dtype=dtype, algorithm=algorithm):
                    result, _ = self.compute("histogram", self.save("i.npy", indices), "--bins", "100", "--algorithm",
                                             algorithm, "--repeat", "2")
                    np.testing.assert_array_equal(result, np.bincount(indices.astype(np.int64), minlength=100))
                    self.assertEqual(result.dtype, np.int64)

    def test_weights(self):
        indices = self.random.integers(0, 10, 1000)
        self.save("i.npy", indices)
        for dtype in ("float32", "float64", "int32", "int64", "uint32"):
            weights = self.matrix(dtype, 1000)
            expected = np.zeros(10, dtype)
            np.add.at(expected, indices, weights)
            with self.subTest(dtype=dtype):
                result, _ = self.compute("histogram", "i.npy", "--bins", "10", "--weights",
                                         self.save("w.npy", weights))
                self.assert_result(result, expected, np.full(10, 100.0))

    def test_two_dimensions(self):
        indices = np.stack([self.random.integers(0, 5, 500), self.random.integers(0, 7, 500)], axis=1)
        expected = np.zeros((5, 7), np.int64)
        np.add.at(expected, tuple(indices.T), 1)
        for order in "CF":
            result, _ = self.compute("histogram", self.save("i.npy", np.array(indices, order=order)), "--bins", "5x7",
                                     "--order", order)
            np.testing.assert_array_equal(result, expected)

    def test_single_columns(self):
        (self.folder / "i.mtx").write_text("%%MatrixMarket matrix array integer general\n4 1\n0\n2\n2\n1\n")
        result, _ = self.compute("histogram", "i.mtx", "--bins", "3")
        np.testing.assert_array_equal(result, [1, 1, 2])
        weights = np.array([[1.0], [2.0], [4.0], [8.0]])
        result, _ = self.compute("histogram", "i.mtx", "--bins", "3", "--weights", self.save("w.npy", weights))
        np.testing.assert_array_equal(result, [1, 8, 6])

    def test_weights_that_overflow_on_the_way(self):
        weights = np.array([3e38, 3e38, -3e38, -3e38, 1, np.inf], np.float32)
        _, report = self.compute("histogram", self.save("i.npy", np.array([0, 0, 0, 0, 1, 2])), "--bins", "3",
                                 "--weights", self.save("w.npy", weights))
        self.assertEqual(report["verification"]["unproved"], 1)

    def test_more_samples_than_float32_can_count(self):
        # A sum of ones stops at 2^24; the bound of so many roundings is more than the sum.
        samples = 2**24 + 1000
        self.save("i.npy", np.zeros(samples, np.int8))
        result, report = self.compute("histogram", "i.npy", "--bins", "1", "--weights",
                                      self.save("w.npy", np.ones(samples, np.float32)), "--threads", "1")
        self.assertEqual(report["verification"]["unproved"], int(result[0] != samples))

    def test_out_of_range_is_counted(self):
        for dtype, outside in ((np.int64, -1), (np.uint64, 2**64 - 1)):
            indices = np.array([outside, 0, 3, 4, 2**40, 3], dtype)
            result, report = self.compute("histogram", self.save("i.npy", indices), "--bins", "4", "--out-of-range",
                                          "count")
            np.testing.assert_array_equal(result, [1, 0, 0, 2])
            self.assertEqual(report["ignored"], 3)

    def test_out_of_range_is_ignored(self):
        indices = np.array([2**64 - 1, 0, 3, 4, 2**40, 3], np.uint64)
        result, report = self.compute("histogram", self.save("i.npy", indices), "--bins", "4", "--out-of-range",
                                      "ignore")
        np.testing.assert_array_equal(result, [1, 0, 0, 2])
        self.assertNotIn("ignored", report)


class StandardStreams(NumpyCase):
    """`-` as an operand, as the output and as the report."""

    def stream(self, array):
        buffer = io.BytesIO()
        np.save(buffer, array)
        return buffer.getvalue()

    def run_piped(self, *arguments, data=b""):
        result = self.pipe(*arguments, data=data)
        self.assertEqual(result.returncode, 0, result.stderr)
        return result

    def test_from_input_to_output(self):
        for dtype, order in (("float32", "C"), (">f8", "F"), ("complex128", "C"), ("int64", "F")):
            A = self.matrix(dtype, 400, 300, order=order)  # more than a pipe holds
            result = self.run_piped("transpose", "-", "-o", "-", "--verify", data=self.stream(A))
            np.testing.assert_array_equal(np.load(io.BytesIO(result.stdout)), A.T)
            self.assertIn(b"verified", result.stderr)
        self.assertEqual(list(self.folder.iterdir()), [])

    def test_each_operand_of_matmul(self):
        A, B = self.matrix("int64", 5, 6), self.matrix("int64", 6, 7)
        self.save("a.npy", A), self.save("b.npy", B)
        for files, data in ((["-", "b.npy"], A), (["a.npy", "-"], B)):
            self.run_piped("matmul", *files, "-o", "out.npy", data=self.stream(data))
            np.testing.assert_array_equal(np.load(self.folder / "out.npy"), A @ B)

    def test_empty_arrays(self):
        result = self.run_piped("transpose", "-", "-o", "-", data=self.stream(np.zeros((0, 3))))
        self.assertEqual(np.load(io.BytesIO(result.stdout)).shape, (3, 0))

    def test_a_file_as_input(self):
        A = self.matrix("float32", 9, 8)
        with open(self.folder / self.save("a.npy", A), "rb") as stream:
            subprocess.run([self.driver, "transpose", "-", "-o", "b.npy"], stdin=stream, check=True, cwd=self.folder,
                           stdout=subprocess.DEVNULL, timeout=120)
        np.testing.assert_array_equal(np.load(self.folder / "b.npy"), A.T)

    def test_report(self):
        self.save("a.npy", self.matrix("float64", 8, 8))
        for arguments in (["matmul", "a.npy", "a.npy", "-o", "out.npy"], ["ladder", "--m", "9"], ["info", "--kokkos"],
                          ["ladder", "--m", "9", "--json", "-"]):
            report = [] if "--json" in arguments else ["--report", "-"]
            result = self.run_piped(*arguments, *report)
            told = json.loads(result.stdout)
            self.assertIn("pantile", told)
            self.assertIn(b"set-up", result.stderr)
            if arguments[0] == "info":
                self.assertRegex(told["compiler"], r"^\w+ \d+\.\d+")
        self.assertEqual(sorted(path.name for path in self.folder.iterdir()), ["a.npy", "out.npy"])

    def test_files_named_dash(self):
        self.save("-.npy", self.matrix("float64", 4, 4))
        (self.folder / "-.npy").rename(self.folder / "-")
        self.succeed("transpose", "./-", "-o", "out.npy", "--report", "./-.json")
        self.assertTrue((self.folder / "-.json").exists())

    def refuse_stream(self, data, *words):
        result = self.pipe("transpose", "-", "-o", "out.npy", data=data)
        self.assertEqual(result.returncode, 1)
        lines = result.stderr.decode().splitlines()
        self.assertEqual(len(lines), 1, lines)
        for word in ("cannot read '-'", *words):
            self.assertIn(word, lines[0])
        self.assertEqual(list(self.folder.iterdir()), [])

    def test_streams_that_are_no_array(self):
        good = self.stream(np.ones((4, 4)))
        self.refuse_stream(b"", "mark of an .npy file")
        self.refuse_stream(b"%%MatrixMarket matrix array real general\n1 1\n1\n", "mark of an .npy file")
        self.refuse_stream(good[:50], "the stream ends at byte 50 where 128 are needed")
        self.refuse_stream(good[:-1], f"ends at byte {len(good) - 1} where {len(good)} are needed")
        self.refuse_stream(good + b"x", "more follows the array of shape (4, 4)")
        if not driver_case.SANITIZED:
            self.refuse_stream(good.replace(b"(4, 4), }" + b" " * 16, b"(4, 99999999999999999), }"), "bytes of memory")

    def test_each_stream_carries_one_thing(self):
        self.refuse("matmul", "-", "-", "-o", "out.npy", status=2, words=["only one operand", "standard input"])
        self.refuse("transpose", "a.npy", "-o", "-", "--report", "-", status=2, words=["--report", "--output", "both"])

    def test_output_that_cannot_be_written(self):
        self.save("a.npy", self.matrix("float64", 8, 8))
        with open("/dev/full", "wb") as full:
            for arguments in (["transpose", "a.npy", "-o", "-"], ["info", "--report", "-"]):
                result = subprocess.run([self.driver, *arguments], stdout=full, stderr=subprocess.PIPE, text=True,
                                        cwd=self.folder, timeout=120)
                self.assertEqual(result.returncode, 1)
                self.assertIn("pantile: cannot write '-': No space left on device", result.stderr)

    def test_terminals_get_no_binary_file(self):
        self.save("a.npy", self.matrix("float64", 8, 8))
        terminal, other_end = os.openpty()
        self.addCleanup(os.close, terminal)
        result = subprocess.run([self.driver, "transpose", "a.npy", "-o", "-"], stdout=other_end, text=True,
                                stderr=subprocess.PIPE, cwd=self.folder, timeout=120)
        os.close(other_end)
        self.assertEqual(result.returncode, 1)
        self.assertEqual(result.stderr,
                         "pantile: cannot write '-': the standard output is a terminal; send it to a file "
                                        "or a program\n")


class Hdf5(NumpyCase):
    """Datasets as operands and results, in builds with HDF5; in others the sentence that says so."""

    def setUp(self):
        super().setUp()
        self.save("a.npy", self.matrix("complex64", 5, 7))
        if "HDF5" not in self.succeed("info"):
            for arguments in (["a.npy", "-o", "f.h5:/a"], ["f.h5:/a", "-o", "out.npy"]):
                self.refuse("transpose", *arguments, words=["'f.h5:/a'", "built without HDF5", "Pantile_ENABLE_HDF5"])
            self.skipTest("built without HDF5")
        self.A = np.load(self.folder / "a.npy")

    def test_from_dataset_to_dataset(self):
        self.succeed("transpose", "a.npy", "-o", "f.h5:/g/a", "--verify")
        self.succeed("matmul", "f.h5:/g/a", "a.npy", "-o", "f.h5:/g/square", "--verify")
        self.succeed("transpose", "f.h5:/g/square", "-o", "out.npy", "--order", "F")
        result = np.load(self.folder / "out.npy")
        self.assert_result(result, (self.A.T @ self.A).T, np.full(result.shape, 10.0))
        self.succeed("transpose", "f.h5:/g/a", "-o", "back.npy")
        np.testing.assert_array_equal(np.load(self.folder / "back.npy"), self.A)

    def test_refusals(self):
        self.succeed("transpose", "a.npy", "-o", "f.h5:/a")
        before = (self.folder / "f.h5").read_bytes()
        self.refuse("transpose", "f.h5:/a", "-o", "./f.h5://a", words=["overwrite the operand 'f.h5:/a'", "--force"])
        self.refuse("transpose", "f.h5:/a", "-o", "f.h5:/b", "--report", "f.h5", words=["--report"])
        self.refuse("transpose", "f.h5:/a", "-o", "f.h5:/b", "--order", "F", status=2, words=["--order F", "C order"])
        self.refuse("transpose", "f.h5:/b", "-o", "out.npy", words=["has no dataset '/b'"])
        self.refuse("transpose", "a.npy", "-o", "f.h5:/", words=["name of the dataset is missing"])
        self.assertEqual((self.folder / "f.h5").read_bytes(), before)
        self.succeed("transpose", "f.h5:/a", "-o", "f.h5:/a", "--force")
        self.succeed("transpose", "f.h5:/a", "-o", "out.npy")
        np.testing.assert_array_equal(np.load(self.folder / "out.npy"), self.A.T)


class LadderAndInfo(NumpyCase):
    def test_ladder(self):
        for dtype in TYPES:
            with self.subTest(dtype=dtype):
                text = self.succeed("ladder", "--m", "33", "--n", "50", "--k", "17", "--type", dtype, "--json",
                                    "l.json")
                self.assertIn("every rung agrees", text)
                rungs = json.loads((self.folder / "l.json").read_text())["rungs"]
                self.assertEqual([(rung["operation"], rung["algorithm"]) for rung in rungs],
                                 [("matmul", "naive"), ("matmul", "grid_stride"), ("matmul", "tiled"),
                                  ("matmul", "blocked"),
                                  ("transpose", "naive"), ("transpose", "tiled"), ("transpose", "padded"),
                                  ("transpose", "blocked")])
                self.assertTrue(all(rung["verification"]["passed"] for rung in rungs))

    def test_info(self):
        text = self.succeed("info", "--report", "info.json", "--kokkos")
        self.assertIn("Kokkos", text)
        report = json.loads((self.folder / "info.json").read_text())
        for name in TYPES:
            self.assertIn(name, report["elements"])


if __name__ == "__main__":
    driver_case.main()

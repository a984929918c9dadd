#!/usr/bin/env python3
# SPDX-FileCopyrightText: Pantile contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Calls the driver program from file to file and prints what must be the same on every machine: which matrices it read,
what it verified, and what it wrote. Elements are small integers, so that sums of any order are exact. driver_session.py
DRIVER"""

import os
import pathlib
import re
import subprocess
import sys
import tempfile
import zlib

TYPES = ["float32", "float64", "complex64", "complex128", "int32", "int64", "uint32"]
KEPT = re.compile(r"^  ([ABC]|indices|counts|verified|every rung agrees) .*|^pantile: .*")
TIMES = re.compile(r", (read|written) in .*$")
RUNG = re.compile(r"^  (matmul|transpose|add)  +(\w+) .*")


def matrix_market(rows, columns, kind, factor):
    """Elements of -5 to 5 in columns."""
    values = [(i * 7 + j * 3) * factor % 11 - 5 for j in range(columns) for i in range(rows)]
    text = (f"{v} {-v}" if kind == "complex" else str(v) for v in values)
    return f"%%MatrixMarket matrix array {kind} general\n{rows} {columns}\n" + "\n".join(text) + "\n"


def inputs(folder):
    for kind in ("integer", "real", "complex"):
        (folder / f"a_{kind}.mtx").write_text(matrix_market(37, 19, kind, 1))
        (folder / f"b_{kind}.mtx").write_text(matrix_market(19, 23, kind, 5))
        (folder / f"c_{kind}.mtx").write_text(matrix_market(37, 23, kind, 3))
        (folder / f"square_{kind}.mtx").write_text(matrix_market(20, 20, kind, 2))
    bins = "\n".join(str(k * k % 13) for k in range(500))
    (folder / "indices.mtx").write_text(f"%%MatrixMarket matrix array integer general\n500 1\n{bins}\n")


def commands():
    for kind in ("integer", "real", "complex"):
        a, b, c, square = (f"{name}_{kind}.mtx" for name in ("a", "b", "c", "square"))
        yield ["matmul", a, b]
        yield ["matmul", a, b, "--alpha", "2", "--beta", "3", "--c-in", c]
        yield ["matmul", b, a, "--op-a", "transpose", "--op-b", "conjugate_transpose"]
        yield ["matmul", square, square, "--algorithm", "tiled", "--tile", "7x9x3"]
        yield ["matmul", square, square, "--algorithm", "blocked"]
        yield ["transpose", a]
        yield ["transpose", a, "--algorithm", "blocked"]
        yield ["transpose", a, "--algorithm", "padded"]
        yield ["add", c, c, "--alpha", "3", "--beta", "2"]
        yield ["add", square, square, "--algorithm", "grid_stride", "--launch", "6x6,6x6"]
    yield ["histogram", "indices.mtx", "--bins", "13"]
    yield ["histogram", "indices.mtx", "--bins", "13", "--algorithm", "scratch"]
    yield ["histogram", "indices.mtx", "--bins", "5", "--out-of-range", "count"]
    yield ["matmul", "a_real.mtx", "a_real.mtx"]
    for element in TYPES:
        yield ["ladder", "--m", "33", "--n", "50", "--k", "17", "--type", element]


def summary(text):
    """The first few numbers of a file, and a sum of bytes for the others; zeros without their signs."""
    numbers = re.sub(r"-0(?![\d.])", "0", " ".join(line for line in text.splitlines() if not line.startswith("%")))
    return f"{' '.join(numbers.split()[:8])} ... crc32 {zlib.crc32(numbers.encode()):08x}"


def call(driver, words, folder):
    output = [] if words[0] == "ladder" else ["-o", "out.mtx", "--verify"]
    process = subprocess.run([driver, *words, *output], capture_output=True, text=True, cwd=folder)
    print("$", *words)
    for line in (process.stdout + process.stderr).splitlines():
        rung = RUNG.match(line)
        if rung:
            print("rung:", *rung.groups())
        elif KEPT.match(line):
            print(TIMES.sub("", line).strip())
    if process.returncode:
        print("exit status", process.returncode)
    result = folder / "out.mtx"
    if result.exists():
        print(summary(result.read_text()))
        result.unlink()


def main(driver):
    driver = os.path.realpath(driver)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        inputs(folder)
        for words in commands():
            call(driver, words, folder)
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))

#!/usr/bin/env python3
# SPDX-FileCopyrightText: Pantile contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Sends matrices from NumPy through the driver program and back: numpy_roundtrip.py DRIVER.

The driver is called as `DRIVER transpose IN -o OUT`. What it writes must equal NumPy's transpose in type, shape and
every element, whatever the order, byte order and format version of what it read. Files that it must refuse have to
give a non-zero exit, one line on stderr that names the file, and no output file.
Exit status: 0 all equal, 1 a difference, 77 no NumPy here (ctest: SKIP_RETURN_CODE 77).
"""

import pathlib
import subprocess
import sys
import tempfile

try:
    import numpy
except ImportError:
    print("skipped: this Python has no NumPy")
    sys.exit(77)

# All dtypes that have a plain binary form; long doubles where they have 16 bytes.
TYPES = ["f2", "f4", "f8", "c8", "c16", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "b1", "M8[ns]", "M8[D]",
         "m8[25s]", "S1", "S5", "S16", "U1", "U3", "U8", "V1", "V7", "V24", "V48"]
TYPES += [code for code in ("f16", "c32") if numpy.dtype("g").itemsize == 16]
SHAPES = [(1, 1), (3, 5), (1, 7), (33, 17), (0, 4), (4, 0)]
FAILURES = []


def check(condition, text):
    if not condition:
        FAILURES.append(text)
        print("FAILED:", text)


def run_driver(driver, source, target):
    target.unlink(missing_ok=True)
    command = [driver, "transpose", source, "-o", target]
    return subprocess.run(command, capture_output=True, text=True, timeout=120)


def random_matrix(random, dtype, shape):
    if dtype.kind in "SUVmMb" or dtype.itemsize in (1, 2):
        codes = random.integers(0, 2 if dtype.kind == "b" else 256, size=(*shape, dtype.itemsize), dtype=numpy.uint8)
        if dtype.kind == "U":  # characters of four bytes, small numbers
            units = numpy.array([0, 0, 0, 1] if dtype.byteorder == ">" else [1, 0, 0, 0], numpy.uint8)
            codes = codes.reshape(*shape, dtype.itemsize // 4, 4) * units
        return numpy.frombuffer(codes.tobytes(), dtype).reshape(shape)
    bits = random.integers(-100, 100, size=shape)
    if numpy.issubdtype(dtype, numpy.unsignedinteger):
        bits = numpy.abs(bits)
    if numpy.issubdtype(dtype, numpy.complexfloating):
        return (bits / 7 + 1j * random.random(shape)).astype(dtype)
    return (bits / 7 if numpy.issubdtype(dtype, numpy.floating) else bits).astype(dtype)


def write_npy(path, matrix, version):
    with open(path, "wb") as stream:
        numpy.lib.format.write_array(stream, matrix, version=version)


def check_npy(driver, folder, random):
    source, target = folder / "in.npy", folder / "out.npy"
    for name in TYPES:
        for byte_order in "<>":
            dtype = numpy.dtype(byte_order + name)
            for shape in SHAPES if dtype.kind in "fciu" else SHAPES[1::2]:
                for order, version in (("C", (1, 0)), ("F", (1, 0)), ("C", (2, 0)), ("F", (3, 0))):
                    matrix = numpy.array(random_matrix(random, dtype, shape), order=order)
                    write_npy(source, matrix, version)
                    what = f"{dtype.str} {shape} order {order} version {version}"
                    result = run_driver(driver, source, target)
                    if result.returncode != 0:
                        check(False, f"{what}: exit {result.returncode}: {result.stderr.strip()}")
                        continue
                    read = numpy.load(target, allow_pickle=False)
                    check(read.dtype == numpy.dtype(name), f"{what}: came back as {read.dtype}")
                    expected = matrix.T.astype(numpy.dtype(name))
                    check(read.shape == expected.shape and read.tobytes() == expected.tobytes(),
                          f"{what}: elements differ")


def check_records(driver, folder, random):
    source, target = folder / "in.npy", folder / "out.npy"
    align = numpy.dtype([("a", "i1"), ("b", "f8"), ("c", "u2")], align=True)
    for dtype in (numpy.dtype([("x", "f8"), ("y", ">i2")]), align, numpy.dtype([("n", align, (2, 3)), ("s", "U3")]),
                  numpy.dtype([("grün", "f4")]), numpy.dtype([("щ", "f4"), ("it's \\", "S3")]),
                  numpy.dtype([(f"field_{i}", "u1") for i in range(300)])):
        for shape in SHAPES[1::2]:
            for order in "CF":
                matrix = numpy.frombuffer(random.bytes(dtype.itemsize * shape[0] * shape[1]), dtype).reshape(shape)
                matrix = numpy.array(matrix, order=order)
                numpy.save(source, matrix)
                result = run_driver(driver, source, target)
                what = f"{str(dtype)[:60]} {shape} order {order}"
                check(result.returncode == 0, f"{what}: {result.stderr.strip()}")
                if result.returncode == 0:
                    read, raw = numpy.load(target), f"V{dtype.itemsize}"  # raw: padding too
                    check(read.dtype == matrix.dtype and read.shape == matrix.T.shape, f"{what}: is {read.dtype}")
                    check(read.view(raw).tobytes() == matrix.view(raw).T.tobytes(), f"{what}: elements differ")


def check_matrix_market(driver, folder, random):
    source, target = folder / "in.mtx", folder / "out.npy"
    matrix = random_matrix(random, numpy.dtype("float64"), (5, 3))
    lines = ["%%MatrixMarket matrix array real general", "5 3", *(repr(float(x)) for x in matrix.T.ravel())]
    source.write_text("\n".join(lines) + "\n")
    result = run_driver(driver, source, target)
    check(result.returncode == 0, f"Matrix Market in: {result.stderr.strip()}")
    if result.returncode == 0:
        check(numpy.array_equal(numpy.load(target), matrix.T), "Matrix Market in: elements differ")

    source, target = folder / "in.npy", folder / "out.mtx"
    numpy.save(source, matrix)
    result = run_driver(driver, source, target)
    check(result.returncode == 0, f"Matrix Market out: {result.stderr.strip()}")
    if result.returncode == 0:
        lines = target.read_text().splitlines()
        check(lines[:2] == ["%%MatrixMarket matrix array real general", "3 5"], f"Matrix Market out: {lines[:2]}")
        check([float(x) for x in lines[2:]] == matrix.ravel().tolist(), "Matrix Market out: elements differ")


def check_refusals(driver, folder):
    source, target = folder / "bad.npy", folder / "out.npy"
    good = folder / "good.npy"
    numpy.save(good, numpy.ones((4, 4)))
    whole = good.read_bytes()
    bad = {
        "truncated": whole[:-1],
        "over-long": whole + b"\0",
        "header cut": whole[:50],
        "empty": b"",
        "text": b"1 2\n3 4\n",
        "negative extent": whole.replace(b"(4, 4)", b"(-4,4)"),
        "absurd extent": whole.replace(b"(4, 4), }           ", b"(4, 400000000000), }"),
    }
    for what, content in bad.items():
        source.write_bytes(content)
        result = run_driver(driver, source, target)
        check(result.returncode > 0, f"{what}: exit {result.returncode}")
        check(len(result.stderr.strip().splitlines()) == 1, f"{what}: stderr is {result.stderr!r}")
        check("bad.npy" in result.stderr, f"{what}: the message does not name the file: {result.stderr!r}")
        check(not target.exists(), f"{what}: an output file remains")
    numpy.save(source, numpy.array([[{}]]), allow_pickle=True)
    result = run_driver(driver, source, target)
    check(result.returncode > 0 and "pickled" in result.stderr, f"pickled: {result.stderr!r}")

    numpy.save(source, numpy.zeros((2, 2), [("x", "f4"), ("y", object)]), allow_pickle=True)
    result = run_driver(driver, source, target)
    check(result.returncode > 0 and "pickled" in result.stderr, f"pickled in a field: {result.stderr!r}")

    target = folder / "missing" / "out.npy"
    result = run_driver(driver, good, target)
    check(result.returncode > 0 and "missing" in result.stderr, f"unwritable: {result.stderr!r}")


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    driver = sys.argv[1]
    print("NumPy", numpy.__version__, "seed 5")
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        check_npy(driver, folder, numpy.random.default_rng(5))
        check_records(driver, folder, numpy.random.default_rng(5))
        check_matrix_market(driver, folder, numpy.random.default_rng(5))
        check_refusals(driver, folder)
    print("failures:", len(FAILURES))
    sys.exit(1 if FAILURES else 0)


if __name__ == "__main__":
    main()

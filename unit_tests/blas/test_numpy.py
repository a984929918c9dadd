#!/usr/bin/env python3
# SPDX-FileCopyrightText: Pantile contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""test_numpy.py LIBRARY COUNTER: NumPy's products with the library preloaded, in one process, in threads and in forked
workers, and how many of them the library was asked for. Operands are small integers, so that NumPy's own integer
product, which asks no BLAS, is the exact answer. COUNTER is scripts/lib/suites/count_calls.c.
test_numpy.py compute: what the preloaded interpreter runs."""

import multiprocessing
import pathlib
import sys
import threading

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "scripts/lib/suites"))

import programs  # noqa: E402

TYPES = ("float32", "float64", "complex64", "complex128")
SHAPES = ((1, 1, 1), (5, 7, 3), (64, 64, 64), (130, 67, 201), (300, 301, 299))
THREADS = 4
FORKED = 4


def variants(a, b):
    """Operands by rows, by columns, and as views."""
    import numpy
    return {
        "rows": (a, b),
        "columns": (numpy.asfortranarray(a), numpy.asfortranarray(b)),
        "transposed": (numpy.ascontiguousarray(a.T).T, b),
        "view": (numpy.pad(a, 2)[2:-2, 2:-2], b),
    }


def integers(random, dtype, shape):
    parts = random.integers(-4, 5, size=(2, *shape))
    return parts[0] + 1j * parts[1] if dtype.startswith("complex") else parts[0]


def exact(a, b):
    """The product in integers."""
    import numpy
    real = [numpy.real(m).astype(numpy.int64) for m in (a, b)]
    imaginary = [numpy.imag(m).astype(numpy.int64) for m in (a, b)]
    result = real[0] @ real[1] - imaginary[0] @ imaginary[1]
    return result + 1j * (real[0] @ imaginary[1] + imaginary[0] @ real[1]) if numpy.iscomplexobj(a) else result


def wrong_products(seed):
    """Names of the products that differ, of every type, shape and variant."""
    import numpy
    random = numpy.random.default_rng(seed)
    wrong = []
    for dtype in TYPES:
        for m, n, k in SHAPES:
            a, b = integers(random, dtype, (m, k)).astype(dtype), integers(random, dtype, (k, n)).astype(dtype)
            for name, (left, right) in variants(a, b).items():
                if not numpy.array_equal(left @ right, exact(a, b)):
                    wrong.append(f"{dtype} {m}x{n}x{k} {name}")
    return wrong


def compute():
    wrong = wrong_products(1)
    found = []
    threads = [threading.Thread(target=lambda seed=seed: found.extend(wrong_products(seed))) for seed in range(THREADS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    with multiprocessing.get_context("fork").Pool(2) as pool:
        for part in pool.map_async(wrong_products, range(FORKED)).get(timeout=300):
            wrong += part
    print(f"{len(wrong + found)} wrong: {wrong + found}")
    return 1 if wrong + found else 0


def least_calls():
    """Products for which NumPy asks a BLAS: all in each round but those of one element."""
    import numpy
    shapes = [shape for shape in SHAPES if shape != (1, 1, 1)]
    return (1 + THREADS + FORKED) * len(TYPES) * len(shapes) * len(variants(numpy.eye(1), numpy.eye(1)))


def main():
    if sys.argv[1] == "compute":
        return compute()
    library, counter = sys.argv[1:]
    blas = programs.Blas("layer", counter, [library], [])
    command = [sys.executable, __file__, "compute"]
    done, calls, to_library = blas.run(command, library, timeout=600, capture_output=True, text=True)
    if done is None:
        sys.exit("it took too long")
    print(done.stdout + done.stderr)
    print(f"{to_library} of {calls} calls went to {library}, at least {least_calls()} of both must be")
    return 0 if done.returncode == 0 and not done.stderr and least_calls() <= to_library == calls else 1


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
# SPDX-FileCopyrightText: Pantile contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The documents' kernels in Numba: naive and shared-memory matmul, histogram (CUDA guide), transposition and addition
(course).

Written anew after the guides' descriptions, with their launch shapes: 16 x 16 threads and tiles for matmul, whose first
index runs along x. Names of cases are those of gpu_contests. Skipped, with the reason in its one line, where numba.cuda
is missing.
"""

import sys

import peer_timing

try:
    import numpy
    from numba import cuda, float32

    if not cuda.is_available():
        raise ImportError("numba.cuda sees no device")
except Exception as error:  # an installation that does not work is none
    peer_timing.say(skipped=f"{type(error).__name__}: {error}")
    sys.exit(0)

EDGE = 16
TILE = 32
ADDITION = (64, 64), (6, 6)
COUNTING = 2048, 256


@cuda.jit
def multiply_naive(a, b, c):
    i, j = cuda.grid(2)
    if i < c.shape[0] and j < c.shape[1]:
        total = float32(0)
        for l in range(a.shape[1]):
            total += a[i, l] * b[l, j]
        c[i, j] = total


@cuda.jit
def multiply_tiled(a, b, c):
    a_tile = cuda.shared.array((EDGE, EDGE), float32)
    b_tile = cuda.shared.array((EDGE, EDGE), float32)
    i, j = cuda.grid(2)
    x, y = cuda.threadIdx.x, cuda.threadIdx.y
    total = float32(0)
    for step in range((a.shape[1] + EDGE - 1) // EDGE):
        col, row = y + step * EDGE, x + step * EDGE
        a_tile[x, y] = a[i, col] if i < a.shape[0] and col < a.shape[1] else float32(0)
        b_tile[x, y] = b[row, j] if row < b.shape[0] and j < b.shape[1] else float32(0)
        cuda.syncthreads()
        for l in range(EDGE):
            total += a_tile[x, l] * b_tile[l, y]
        cuda.syncthreads()
    if i < c.shape[0] and j < c.shape[1]:
        c[i, j] = total


@cuda.jit
def transpose_tiled(a, b):
    tile = cuda.shared.array((TILE, TILE), float32)
    x, y = cuda.threadIdx.x, cuda.threadIdx.y
    col, row = cuda.blockIdx.x * TILE + x, cuda.blockIdx.y * TILE + y
    if row < a.shape[0] and col < a.shape[1]:
        tile[y, x] = a[row, col]
    cuda.syncthreads()
    col, row = cuda.blockIdx.y * TILE + x, cuda.blockIdx.x * TILE + y
    if row < b.shape[0] and col < b.shape[1]:
        b[row, col] = tile[x, y]


@cuda.jit
def add_strided(a, b, c):
    first_col, first_row = cuda.grid(2)
    cols, rows = cuda.gridsize(2)
    for row in range(first_row, c.shape[0], rows):
        for col in range(first_col, c.shape[1], cols):
            c[row, col] = a[row, col] + float32(2) * b[row, col]


@cuda.jit
def fill_bins(samples, counts):
    first, threads = cuda.grid(1), cuda.gridsize(1)
    for place in range(first, samples.size, threads):
        cuda.atomic.add(counts, samples[place], 1)


def timer(call, calls):
    begin, end = cuda.event(), cuda.event()
    begin.record()
    for _ in range(calls):
        call()
    end.record()
    end.synchronize()
    return begin.elapsed_time(end) * 1e-3


def drawn(*shape):
    return numpy.random.default_rng(7).uniform(-1, 1, shape).astype(numpy.float32)


def product(kernel, n):
    def make():
        host = drawn(2, n, n)
        a, b, c = cuda.to_device(host[0]), cuda.to_device(host[1]), cuda.device_array((n, n), numpy.float32)
        blocks = ((n + EDGE - 1) // EDGE,) * 2

        def check():
            rows = [0, n // 3, n - 1]
            exact = host[0][rows].astype(float) @ host[1].astype(float)
            error = numpy.linalg.norm(c.copy_to_host()[rows] - exact) / numpy.linalg.norm(exact)
            return None if error < 1e-4 else f"relative error {error}"

        return lambda: kernel[blocks, (EDGE, EDGE)](a, b, c), check

    return make


def transposition(n):
    def make():
        host = drawn(n, n)
        a, b = cuda.to_device(host), cuda.device_array((n, n), numpy.float32)
        blocks = ((n + TILE - 1) // TILE,) * 2
        check = lambda: None if (b.copy_to_host() == host.T).all() else "elements are wrong"
        return lambda: transpose_tiled[blocks, (TILE, TILE)](a, b), check

    return make


def addition(n):
    def make():
        host = drawn(2, n, n)
        a, b, c = cuda.to_device(host[0]), cuda.to_device(host[1]), cuda.device_array((n, n), numpy.float32)
        check = lambda: None if (c.copy_to_host() == host[0] + 2 * host[1]).all() else "elements are wrong"
        return lambda: add_strided[ADDITION](a, b, c), check

    return make


def counting(size, bins):
    def make():
        host = numpy.random.default_rng(7).integers(0, bins, size, numpy.int32)
        samples, counts = cuda.to_device(host), cuda.to_device(numpy.zeros(bins, numpy.int32))
        expected = numpy.bincount(host, minlength=bins)
        check = lambda: None if (counts.copy_to_host() == expected).all() else "counts are wrong"
        return lambda: fill_bins[COUNTING](samples, counts), check

    return make


def main():
    options = peer_timing.options(__doc__)
    import numba

    peer_timing.say(context={"numba": numba.__version__, "numpy": numpy.__version__})
    edges = (1024, 4096) if options.scale == "full" else (1024,)
    cases = []
    for n in edges:
        for rung, kernel in (("naive", multiply_naive), ("tiled", multiply_tiled)):
            cases.append((f"ladder/{rung}/float/{n}", "GFLOP/s", 2e-9 * n**3, product(kernel, n)))
    n, size = 8192, 2**28
    cases.append((f"transpose/float/{n}x{n}", "GB/s", 8e-9 * n * n, transposition(n)))
    cases.append((f"add_strided/float/{n}x{n}", "GB/s", 12e-9 * n * n, addition(n)))
    cases.append(("histogram/int32/256/uniform", "GB/s", 4e-9 * size, counting(size, 256)))
    peer_timing.run("numba", cases, options.seconds, timer)


if __name__ == "__main__":
    main()

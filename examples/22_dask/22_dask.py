#!/usr/bin/env python3
# SPDX-FileCopyrightText: Pantile contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A product of Dask's arrays, its blocks computed by Pantile in several processes:

    scripts/run examples/22_dask/22_dask.py [--size N] [--blocks B] [--processes P]

What to look at: product_of_blocks is all that Pantile adds. dask.array.blockwise hands it a row of blocks of A and a
column of blocks of B; the first product makes the result, the others are added to it where it lies (out=, beta=1), so
that no sum of blocks is ever made beside it. The operands are small integers: every sum is exact, and the result must
be NumPy's.
"""

import argparse
import concurrent.futures
import multiprocessing
import os
import time

import dask
import dask.array
import numpy
from dask.diagnostics import Profiler

import pantile


def product_of_blocks(row, column):
    """A block of A B, from the blocks of a row of A and those of a column of B."""
    out = pantile.matmul(row[0], column[0])
    for a, b in zip(row[1:], column[1:]):
        pantile.matmul(a, b, out=out, beta=1)
    return out


def matmul(a, b):
    """The product as an array of Dask: a graph, of which nothing is computed yet."""
    return dask.array.blockwise(product_of_blocks, "ik", a, "ij", b, "jk", dtype=a.dtype)


def main(size, blocks, processes):
    random = numpy.random.default_rng(22)
    operands = [random.integers(-9, 10, (size, size)).astype(float) for _ in range(2)]
    edge = -(-size // blocks)
    product = matmul(*(dask.array.from_array(operand, chunks=edge) for operand in operands))

    # Read by OpenMP when a process starts: each computes on its share of the cores, and is bound to none.
    os.environ.setdefault("OMP_NUM_THREADS", str(max(1, len(os.sched_getaffinity(0)) // processes)))
    os.environ.setdefault("OMP_PROC_BIND", "false")
    start = time.perf_counter()
    # All begin together, or the first process would be through with few blocks before the others are there.
    processes = min(processes, product.npartitions)
    spawn = multiprocessing.get_context("spawn")
    with concurrent.futures.ProcessPoolExecutor(
        processes, mp_context=spawn, initializer=spawn.Barrier(processes).wait
    ) as pool, dask.config.set(scheduler="processes", pool=pool, chunksize=1), Profiler() as tasks:
        result = product.compute(num_workers=processes)
    seconds = time.perf_counter() - start

    workers = {task.worker_id for task in tasks.results}
    same = numpy.array_equal(result, operands[0] @ operands[1])
    print(f"{size} x {size} in {product.npartitions} blocks by {len(workers)} processes: "
          f"{seconds:.2f} s with their start")
    print("as NumPy's" if same else "WRONG: not as NumPy's")
    shared = os.getpid() not in workers and (processes == 1 or len(workers) > 1)
    if not shared:
        print("WRONG: not by several processes")
    return 0 if same and shared else 1


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--size", type=int, default=3000)
    parser.add_argument("--blocks", type=int, default=4, help="along each axis")
    parser.add_argument("--processes", type=int, default=2)
    raise SystemExit(main(**vars(parser.parse_args())))

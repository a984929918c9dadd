#!/usr/bin/env python3
# SPDX-FileCopyrightText: Pantile contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""NumPy's side of a contest: reads requests from a benchmark program, one a line, and answers each with a line.

hello                          -> numpy
matmul N                       -> ready        int32 product of two random N x N matrices
histogram SAMPLES BINS KIND    -> ready        bincount of int64 samples; uniform, equal or skewed
run CALLS                      -> seconds of so many calls of what was made ready
checksum                       -> of the last result, see checksum()
"""

import functools
import sys
import time

import numpy as np


def random_bits(first, count):
    """The generator splitmix64, values first to first + count; the programs have the same."""
    z = (np.arange(first, first + count, dtype=np.uint64) + np.uint64(1)) * np.uint64(0x9E3779B97F4A7C15)
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))


def random_matrix(n, seed):
    return (random_bits(seed << 40, n * n) >> np.uint64(32)).astype(np.uint32).view(np.int32).reshape(n, n)


def samples(count, bins, kind):
    """Bin numbers; `bins` is a power of two. Skewed: each bit is set with probability 1/8."""
    if kind == "equal":
        return np.full(count, bins // 2, np.int64)
    result = np.empty(count, np.int64)
    mask = np.uint64(bins - 1)
    step = 1 << 20
    for first in range(0, count, step):
        part = random_bits(first, min(step, count - first))
        if kind == "skewed":
            part = part & (part >> np.uint64(20)) & (part >> np.uint64(40))
        result[first : first + step] = (part & mask).view(np.int64)
    return result


def checksum(result):
    """Sum of the elements' bits, each times its number from one, modulo 2^64."""
    values = result.ravel().astype(np.int64).view(np.uint64)
    return int((values * np.arange(1, values.size + 1, dtype=np.uint64)).sum(dtype=np.uint64))


@functools.lru_cache(maxsize=1)
def prepare(*words):
    """A function that does the work once; the last one is kept, as two contests in a row may want the same."""
    if words[0] == "matmul":
        n = int(words[1])
        a, b, c = random_matrix(n, 1), random_matrix(n, 2), np.empty((n, n), np.int32)
        return lambda: np.matmul(a, b, out=c)
    count, bins = int(words[1]), int(words[2])
    values = samples(count, bins, words[3])
    return lambda: np.bincount(values, minlength=bins)


def main():
    task, result = None, None
    for line in sys.stdin:
        words = line.split()
        if words[0] == "hello":
            answer = "numpy"
        elif words[0] == "run":
            begin = time.perf_counter()
            for _ in range(int(words[1])):
                result = task()
            answer = repr(time.perf_counter() - begin)
        elif words[0] == "checksum":
            answer = checksum(result)
        else:
            task = prepare(*words)
            answer = "ready"
        print(answer, flush=True)


if __name__ == "__main__":
    main()

# SPDX-FileCopyrightText: Pantile contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The documents' kernels for Numba's CPU target: one output per iteration, and tiles of the two operands.

Numba compiles a kernel at its first call, so that a first-run time holds the compilation. The tile edge is a constant
of the kernel, as TPB is in the documents.
"""

import functools

import numpy as np
from numba import njit, prange


@njit(parallel=True)
def matmul_naive(A, B, C):
    for i in prange(C.shape[0]):
        for j in range(C.shape[1]):
            total = C.dtype.type(0)
            for k in range(A.shape[1]):
                total += A[i, k] * B[k, j]
            C[i, j] = total


@functools.cache
def make_matmul_tiled(tile):
    """Tiles of `tile` x `tile` elements, staged as sA and sB; edges are zeroes, so that any shape is right."""

    @njit(parallel=True)
    def matmul_tiled(A, B, C):
        m, depth = A.shape
        n = B.shape[1]
        across = (n + tile - 1) // tile
        for block in prange(((m + tile - 1) // tile) * across):
            i0 = block // across * tile
            j0 = block % across * tile
            sA = np.zeros((tile, tile), A.dtype)
            sB = np.zeros((tile, tile), B.dtype)
            sums = np.zeros((tile, tile), C.dtype)
            for k0 in range(0, depth, tile):
                for x in range(tile):
                    for y in range(tile):
                        zero = A.dtype.type(0)
                        sA[x, y] = A[i0 + x, k0 + y] if i0 + x < m and k0 + y < depth else zero
                        sB[x, y] = B[k0 + x, j0 + y] if k0 + x < depth and j0 + y < n else zero
                for x in range(tile):
                    for k in range(tile):
                        a = sA[x, k]
                        for y in range(tile):
                            sums[x, y] += a * sB[k, y]
            for x in range(min(tile, m - i0)):
                for y in range(min(tile, n - j0)):
                    C[i0 + x, j0 + y] = sums[x, y]

    return matmul_tiled


@njit(parallel=True)
def transpose_naive(A, B):
    for i in prange(B.shape[0]):
        for j in range(B.shape[1]):
            B[i, j] = A[j, i]


@functools.cache
def make_transpose_tiled(tile):
    """A tile goes through a buffer, so that rows are read and written whole."""

    @njit(parallel=True)
    def transpose_tiled(A, B):
        rows, cols = A.shape
        across = (cols + tile - 1) // tile
        for block in prange(((rows + tile - 1) // tile) * across):
            i0 = block // across * tile
            j0 = block % across * tile
            height = min(tile, rows - i0)
            width = min(tile, cols - j0)
            buffer = np.empty((tile, tile), A.dtype)
            for x in range(height):
                for y in range(width):
                    buffer[x, y] = A[i0 + x, j0 + y]
            for y in range(width):
                for x in range(height):
                    B[j0 + y, i0 + x] = buffer[x, y]

    return transpose_tiled

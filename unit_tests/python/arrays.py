# SPDX-FileCopyrightText: Pantile contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Arrays as they come: random shapes, strides and elements; and how far results may be from exact ones."""

import numpy as np
from hypothesis import settings
from hypothesis import strategies as st

# The same cases on every run; nothing is kept on disk.
settings.register_profile("pantile", derandomize=True, database=None, deadline=None, max_examples=200)
settings.load_profile("pantile")

REAL = ("float32", "float64")
COMPLEX = ("complex64", "complex128")
INTEGERS = ("int32", "uint32", "int64", "uint64")
DTYPES = REAL + COMPLEX + INTEGERS
NARROW = ("float16", "int8", "uint8")  # of products and transpositions
WIDER = {
    "float16": "float64",
    "float32": "float64",
    "float64": "longdouble",
    "complex64": "complex128",
    "complex128": "clongdouble",
}


def fill(random, array):
    """Random elements; integers of all bits, so that sums wrap."""
    if array.dtype.kind in "iu":
        limits = np.iinfo(array.dtype)
        array[...] = random.integers(limits.min, limits.max, array.shape, array.dtype, endpoint=True)
    else:
        array[...] = random.uniform(-1, 1, array.shape)
        if array.dtype.kind == "c":
            array.imag = random.uniform(-1, 1, array.shape)
    return array


@st.composite
def laid_out(draw, random, shape, dtype, repeats=False):
    """A random array of the shape: dense, or axes in any order in memory and neighbours apart; leading axes may go
    backwards; where it may repeat elements, one axis has stride 0."""
    dense = draw(st.booleans())
    order = list(range(len(shape))) if dense else draw(st.permutations(range(len(shape))))
    steps = [1 if dense else draw(st.integers(1, 3)) for _ in shape]
    edge = 0 if dense else 1
    memory = fill(random, np.empty([shape[axis] * steps[axis] + edge for axis in order], dtype))
    array = memory.transpose(np.argsort(order))
    array = array[(..., *(slice(edge, edge + extent * step, step) for extent, step in zip(shape, steps)))]
    for axis in range(len(shape) - 2):
        if draw(st.booleans()):
            array = np.flip(array, axis)
    if repeats and shape and 0 not in shape and draw(st.integers(0, 3)) == 0:
        axis = draw(st.integers(0, len(shape) - 1))
        array = np.broadcast_to(array.take([0], axis), shape)
    assert array.shape == tuple(shape)
    return array


def scalars(dtype):
    """Numbers that the dtype has; 0 and 1 among them, which are computed in another way."""
    kind = np.dtype(dtype).kind
    if kind in "iu":
        return st.sampled_from([0, 1, 2, int(np.iinfo(dtype).max)])
    return st.sampled_from([0, 1, -0.5] + ([1.5 - 0.25j] if kind == "c" else []))


def assert_sums(result, exact, bound, terms):
    """\\|result - exact\\| <= gamma * bound, with as many roundings as a sum of so many terms has, scaled and added to
    (Higham, Accuracy and Stability, 3.1 and 3.6: complex terms are two real ones each), and half of the least number
    that there is. Integers are exact."""
    assert result.dtype.kind == exact.dtype.kind
    if result.dtype.kind in "iu":
        np.testing.assert_array_equal(result, exact)
        return
    unit = np.finfo(result.dtype).eps / 2
    roundings = (2 * terms + 8 if result.dtype.kind == "c" else terms + 4) * unit
    error = np.abs(result.astype(exact.dtype) - exact)
    least = np.finfo(result.dtype).smallest_subnormal.astype(exact.real.dtype)
    assert np.all(error <= roundings / (1 - roundings) * bound + least), f"error {error.max()}"


def wider(array):
    """In a dtype in which sums are exact but for a thousandth of the narrower one's rounding."""
    return array.astype(WIDER.get(array.dtype.name, array.dtype.name))

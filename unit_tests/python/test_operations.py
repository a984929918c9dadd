# SPDX-FileCopyrightText: Pantile contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""pantile.transpose, add and histogram against NumPy."""

import arrays
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as npst

import pantile

dtypes = st.sampled_from(arrays.DTYPES)
seeds = st.integers(0, 2**32).map(np.random.default_rng)


moved = st.sampled_from(arrays.DTYPES + arrays.NARROW)


@given(st.data(), seeds, npst.array_shapes(min_dims=2, max_dims=5, min_side=0, max_side=6), moved, st.booleans())
def test_transpose(data, random, shape, dtype, conjugate):
    a = data.draw(arrays.laid_out(random, shape, dtype, repeats=True))
    expected = (np.conj(a) if conjugate else a).swapaxes(-1, -2).copy()
    out = data.draw(st.none() | arrays.laid_out(random, expected.shape, dtype))
    result = pantile.transpose(a, out, conjugate=conjugate)
    assert out is None or result is out
    np.testing.assert_array_equal(result, expected, strict=True)


@given(st.data(), seeds, st.integers(0, 9), st.lists(st.integers(0, 3), max_size=3), moved)
def test_transpose_in_place(data, random, n, batch, dtype):
    a = data.draw(arrays.laid_out(random, (*batch, n, n), dtype))
    expected = a.swapaxes(-1, -2).copy()
    assert pantile.transpose(a, out=a) is a
    np.testing.assert_array_equal(a, expected)


@given(st.data(), seeds, npst.mutually_broadcastable_shapes(num_shapes=2, min_side=0, max_dims=4, max_side=5), dtypes)
def test_add(data, random, shapes, dtype):
    a, b = (data.draw(arrays.laid_out(random, shape, dtype, repeats=True)) for shape in shapes.input_shapes)
    alpha, beta = data.draw(arrays.scalars(dtype)), data.draw(arrays.scalars(dtype))
    x, y = arrays.wider(a), arrays.wider(b)
    with np.errstate(over="ignore"):
        terms = np.broadcast_arrays(x.dtype.type(alpha) * x, x.dtype.type(beta) * y)
        exact, bound = terms[0] + terms[1], np.abs(terms[0]) + np.abs(terms[1])
    places = [arrays.laid_out(random, shapes.result_shape, dtype)]
    places += [st.just(given) for given in (a, b) if given.shape == exact.shape and given.flags.writeable]
    out = data.draw(st.none() | st.one_of(places))
    result = pantile.add(a, b, out, alpha=alpha, beta=beta)
    assert out is None or result is out
    assert result.shape == exact.shape
    arrays.assert_sums(result, np.asarray(exact), bound, 2)


@given(
    st.data(), seeds, st.integers(0, 200), st.lists(st.integers(1, 9), min_size=1, max_size=3),
    st.sampled_from(["int32", "int64"]), st.none() | st.sampled_from(arrays.REAL + arrays.INTEGERS), st.booleans(),
)  # fmt: skip
def test_histogram(data, random, samples, bins, index_dtype, weight_dtype, ignore):
    beyond = 2 if ignore else 0
    indices = random.integers(-beyond, np.array(bins) + beyond, (samples, len(bins))).astype(index_dtype)
    weights = None if weight_dtype is None else random.integers(0, 5, samples).astype(weight_dtype)
    inside = np.all((indices >= 0) & (indices < bins), axis=1)
    expected = np.zeros(bins, weight_dtype or "int64")
    np.add.at(expected, tuple(indices[inside].T), 1 if weights is None else weights[inside])
    indices = indices[:, 0] if len(bins) == 1 else indices

    option = {"out_of_range": pantile.OutOfRange.IGNORE} if ignore else {}
    result = pantile.histogram(indices, tuple(bins), weights, **option)
    np.testing.assert_array_equal(result, expected, strict=True)

    out = data.draw(arrays.laid_out(random, tuple(bins), expected.dtype))
    out = np.flip(out, 0) if out.strides[0] < 0 else out  # bins have no leading axes
    assert pantile.histogram(indices, weights=weights, out=out, **option) is out
    np.testing.assert_array_equal(out, expected)
    pantile.histogram(indices, weights=weights, out=out, accumulate=True, **option)
    np.testing.assert_array_equal(out, 2 * expected)


@pytest.mark.parametrize("shape", [(300, 200), (3, 100, 70), (50_000,)])
def test_large_sums(shape):
    """Sums that threads share, in matrices into which axes are joined."""
    random = np.random.default_rng(5)
    a, b = (random.integers(-99, 99, shape) for _ in range(2))
    np.testing.assert_array_equal(pantile.add(a, b, alpha=2, beta=-1), 2 * a - b)

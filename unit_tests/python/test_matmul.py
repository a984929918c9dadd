# SPDX-FileCopyrightText: Pantile contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""pantile.matmul against numpy.matmul: shapes, strides, ops and scalars as they come."""

import arrays
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as npst

import pantile
from pantile import Op

APPLY = {
    Op.NONE: lambda x: x,
    Op.TRANSPOSE: lambda x: x.swapaxes(-1, -2),
    Op.CONJUGATE: np.conj,
    Op.CONJUGATE_TRANSPOSE: lambda x: np.conj(x).swapaxes(-1, -2),
}
dtypes = st.sampled_from(arrays.DTYPES + arrays.NARROW)
shapes = npst.mutually_broadcastable_shapes(signature=np.matmul.signature, min_side=0, max_side=6, max_dims=3)


@st.composite
def operand(draw, random, shape, dtype):
    """An array and its op, so that op(array) has the shape."""
    op = draw(st.sampled_from(list(Op) if len(shape) > 1 else [Op.NONE, Op.CONJUGATE]))
    lying = APPLY[op](np.empty(shape)).shape
    return draw(arrays.laid_out(random, lying, dtype, repeats=True)), op


@given(st.data(), shapes, dtypes)
def test_against_numpy(data, shapes, dtype):
    random = np.random.default_rng(data.draw(st.integers(0, 2**32)))
    a, op_a = data.draw(operand(random, shapes.input_shapes[0], dtype))
    b, op_b = data.draw(operand(random, shapes.input_shapes[1], dtype))
    alpha, beta = data.draw(arrays.scalars(dtype)), data.draw(arrays.scalars(dtype))
    out = data.draw(st.none() | arrays.laid_out(random, shapes.result_shape, dtype))
    if out is None:
        beta = 0
    elif beta == 0 and out.dtype.kind in "fc":
        out[...] = np.nan  # beta = 0 never reads out
    before = None if out is None else out.copy()

    result = pantile.matmul(a, b, out, alpha=alpha, beta=beta, op_a=op_a, op_b=op_b, dtype=dtype)

    assert isinstance(result, np.ndarray) and result.dtype == dtype
    if out is not None:
        assert result is out
    x, y = arrays.wider(APPLY[op_a](a)), arrays.wider(APPLY[op_b](b))
    scale, add = x.dtype.type(alpha), x.dtype.type(beta)
    with np.errstate(over="ignore"):
        exact = scale * np.asarray(np.matmul(x, y))
        bound = abs(scale) * np.matmul(np.abs(x), np.abs(y))
        if beta != 0:
            exact, bound = exact + add * arrays.wider(before), bound + np.abs(add * arrays.wider(before))
    assert result.shape == exact.shape
    arrays.assert_sums(result, exact, bound, x.shape[-1])


# What sums of a dtype may be formed in, beside the library's default for it.
SUMS = [
    ("float32", "float64"), ("complex64", "complex128"), ("float16", "float32"), ("int8", "int32"), ("int8", "uint32"),
    ("uint8", "int32"), ("uint8", "uint32"),
]  # fmt: skip


@given(st.data(), shapes, st.sampled_from(SUMS), st.booleans())
def test_sums(data, shapes, dtypes, narrow):
    """dtype is the type of sums and of a new out; an out of the operands' type gets sums that are rounded once."""
    random = np.random.default_rng(data.draw(st.integers(0, 2**32)))
    dtype, wide = dtypes
    a, b = (data.draw(arrays.laid_out(random, shape, dtype, repeats=True)) for shape in shapes.input_shapes)
    out = data.draw(arrays.laid_out(random, shapes.result_shape, dtype)) if narrow else None
    result = pantile.matmul(a, b, out, alpha=2, dtype=wide)
    assert result.dtype == (dtype if narrow else wide)
    if np.dtype(wide).kind in "iu":
        exact = 2 * np.asarray(np.matmul(a.astype(wide), b.astype(wide)))
        np.testing.assert_array_equal(result, exact.astype(result.dtype))
        return
    x, y = (operand.astype(arrays.WIDER[wide]) for operand in (a, b))
    exact, bound = 2 * np.asarray(np.matmul(x, y)), 2 * np.matmul(np.abs(x), np.abs(y))
    units = [np.finfo(name).eps / 2 for name in (wide, dtype)]
    allowed = (2 * x.shape[-1] + 8) * units[0] * bound + np.finfo(result.dtype).smallest_subnormal
    if narrow:
        allowed = allowed + 2 * units[1] * np.abs(exact)
    assert np.all(np.abs(result.astype(exact.dtype) - exact) <= allowed)


@pytest.mark.parametrize(
    "operands, dtype, result",
    [
        ("float32", float, "float64"), ("float32", "d", "float64"), ("float32", "f8", "float64"),
        ("float64", float, "float64"), ("complex64", complex, "complex128"), ("complex64", "D", "complex128"),
        ("int64", int, "int64"), ("int8", np.dtype("i4"), "int32"), ("float16", np.single, "float32"),
    ],
)  # fmt: skip
def test_dtypes_as_numpy_takes_them(operands, dtype, result):
    a = np.ones((2, 3), operands)
    assert pantile.matmul(a, a.T, dtype=dtype).dtype == result


def test_stacks_in_one_call():
    """Leading axes that step evenly in all arrays are one call's batch: its explanation counts all products."""
    a, b, out = np.ones((6, 5, 3, 4)), np.ones((4, 2)), np.ones((6, 5, 3, 2))
    flops = 2 * 30 * 3 * 4 * 2
    assert pantile.explain_matmul(a, b, out).flops == flops
    assert pantile.explain_matmul(a[::-1, ::-1], b, out[::-1, ::-1]).flops == flops
    assert pantile.explain_matmul(a.transpose(1, 0, 2, 3), b, out.transpose(1, 0, 2, 3)).flops == flops
    assert pantile.explain_matmul(a[:, :2], b, out[:, :2]).flops == flops / 5  # six calls of two or two of six
    assert pantile.explain_matmul(a[::-1], b, out).flops == flops / 6
    assert pantile.explain_transpose(a).bytes == 2 * a.nbytes
    assert pantile.explain_matmul(a[0, 0], b).text == pantile.explain_matmul(a[:1, :1], b).text


@pytest.mark.parametrize("dtype", arrays.DTYPES + arrays.NARROW)
def test_large(dtype):
    """Products that threads share and that are packed."""
    random = np.random.default_rng(3)
    a, b = (arrays.fill(random, np.empty(shape, dtype)) for shape in ((2, 150, 201), (201, 130)))
    x, y = arrays.wider(a), arrays.wider(b)
    arrays.assert_sums(pantile.matmul(a, b), x @ y, np.abs(x) @ np.abs(y), 201)


@given(st.data(), st.sampled_from(arrays.REAL))
def test_one_array_several_times(data, dtype):
    """A with itself, and parts of one array as operands and result."""
    random = np.random.default_rng(data.draw(st.integers(0, 2**32)))
    n = data.draw(st.integers(1, 8))
    memory = arrays.fill(random, np.empty((2 * n, 2 * n), dtype))
    a, out = memory[:n, :n], memory[n:, ::2]
    x = arrays.wider(a.copy())
    assert pantile.matmul(a, a, out, op_b=Op.TRANSPOSE) is out
    arrays.assert_sums(out, x @ x.T, np.abs(x) @ np.abs(x.T), n)
    np.testing.assert_array_equal(a, x)

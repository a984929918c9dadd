# SPDX-FileCopyrightText: Pantile contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What is refused, by which exception and sentence; nothing is written then."""

import array
import re
import sys

import numpy as np
import pytest

import pantile
from pantile import Op

A, B = np.ones((3, 4)), np.ones((4, 5))
S = np.ones((4, 4))  # square


class OnDevice:
    """What a GPU's library hands over, at an address that is none."""

    __cuda_array_interface__ = {"shape": (3, 4), "typestr": "<f8", "data": (1 << 20, False), "version": 3}


def frozen(value):
    value.flags.writeable = False
    return value


REPEATED = np.lib.stride_tricks.as_strided(np.zeros(9), (3, 5), (0, 8))
STACK = np.arange(4.0 * 16).reshape(4, 4, 4)
BIG = np.arange(9.0 * 16).reshape(3, 3, 4, 4)  # parts of it are no stack of one stride
NO_ARRAY = r"a must be an array .* it is a "
FIELD = np.zeros((3, 4), [("x", "f8"), ("y", "i1")])["x"]  # strides of 9 bytes

MATMUL = [
    # arguments, keywords, exception, pattern of the sentence
    ((A, A), {}, ValueError, r"columns of op\(a\) \(4\) must equal rows of op\(b\) \(3\)"),
    ((A[0], A), {}, ValueError, r"columns of op\(a\) \(4\) must equal rows of op\(b\) \(3\)"),
    ((A, B), {"op_a": Op.TRANSPOSE}, ValueError, r"columns of op\(a\) \(3\) must equal rows of op\(b\) \(4\)"),
    ((A[0], B), {"op_a": Op.TRANSPOSE}, ValueError, "op_a must not transpose a vector"),
    ((A, B[:, 0]), {"op_b": Op.CONJUGATE_TRANSPOSE}, ValueError, "op_b must not transpose a vector"),
    ((np.ones(()), B), {}, ValueError, "a must have an axis"),
    ((np.ones((2, 3, 4)), np.ones((3, 4, 5))), {}, ValueError, r"extents \(2,\) of a and \(3,\) of b do not broadcast"),
    ((A, B, np.ones((3, 4))), {}, ValueError, r"out has the shape \(3, 4\), the result \(3, 5\)"),
    ((A, B, np.ones((1, 3, 5))), {}, ValueError, r"out has the shape \(1, 3, 5\), the result \(3, 5\)"),
    ((A, B, frozen(np.ones((3, 5)))), {}, ValueError, "out must be writable"),
    ((A, B, REPEATED), {}, ValueError, "out must not overlap itself"),
    ((S, S, S), {}, ValueError, "out must not overlap a"),
    ((A, STACK[0, :, :], STACK.reshape(-1)[1:13].reshape(3, 4)), {}, ValueError, "out must not overlap b"),
    ((STACK[1:], S, STACK[:-1]), {}, ValueError, "out must not overlap a"),
    ((S, STACK[1:], STACK[:-1]), {}, ValueError, "out must not overlap b"),
    ((BIG[1:, 1:], S, BIG[:-1, :-1]), {}, ValueError, "memory of out must not reach into that of a"),
    ((S, BIG[1:, 1:], BIG[:-1, :-1]), {}, ValueError, "memory of out must not reach into that of b"),
    ((A, B, np.lib.stride_tricks.as_strided(np.zeros(5), (3, 5), (0, 8))), {}, ValueError,
     r"out must not overlap itself: .* out 3x5 strides \(0,1\)"),
    ((STACK, S, STACK), {}, ValueError, "out must not overlap a"),
    ((STACK[:2], S, np.broadcast_to(S.copy(), (2, 4, 4))), {}, ValueError, "out must be writable"),
    ((STACK[:2], S, np.lib.stride_tricks.as_strided(S.copy(), (2, 4, 4), (8, 32, 8))), {}, ValueError,
     "out must not overlap itself"),
    ((BIG[1:, 1:], S, np.lib.stride_tricks.as_strided(BIG.copy(), (2, 2, 4, 4), (8, 16, 32, 8))), {}, ValueError,
     "out must not have elements that overlap each other"),
    ((A[::-1], B), {}, ValueError, "a must not have a negative stride in its last two axes"),
    ((A, B[:, ::-1]), {}, ValueError, "b must not have a negative stride in its last two axes"),
    ((A[0, ::-1], B), {}, ValueError, "a must not have a negative stride in its last two axes"),
    ((A, B, np.ones((3, 5))[::-1]), {}, ValueError, "out must not have a negative stride in its last two axes"),
    ((A, B), {"beta": 1}, ValueError, "beta must be 0 where out is not given"),
    ((A, B), {"beta": np.ones(2)}, TypeError, "beta must be a number that float64 has, it is a ndarray"),
    ((np.frombuffer(bytes(97), np.uint8)[1:].view("f8").reshape(3, 4), B), {}, ValueError,
     "a.data must be a multiple of 8 for double"),
    ((A, B.astype("f4")), {}, TypeError, "a is double, b is float"),
    ((A, B, np.ones((3, 5), "f4")), {}, TypeError, "a is double, b is double, out is float"),
    ((A.astype("f2"), B.astype("f2")), {"dtype": "float64"}, TypeError, "out is double, sums are double"),
    ((A.astype("f2"), B.astype("f4")), {}, TypeError, "a is half, b is float, out is half"),
    ((A.astype("g"), B.astype("g")), {}, TypeError, "no elements of a's type, float128|" + NO_ARRAY),
    ((A > 0, B > 0), {}, TypeError, "no elements of a's type, bool8"),
    ((A.astype("i2"), B.astype("i2")), {}, TypeError, "no elements of a's type, int16"),
    ((A.astype("i1"), B.astype("u1")), {}, TypeError, "a is int8, b is uint8, out is int8"),
    ((A.astype("i1"), B.astype("i1"), np.ones((3, 5), "i8")), {}, TypeError, "a is int8, b is int8, out is int64"),
    ((A.astype("i1"), B.astype("i1")), {"alpha": 2**31}, OverflowError, "alpha is 2147483648, which is no int32"),
    ((A.astype(">f8"), B), {}, TypeError, NO_ARRAY + "numpy.ndarray of >f8"),
    ((A.astype(object), B), {}, TypeError, NO_ARRAY + r"numpy.ndarray of \|O"),
    ((None, B), {}, TypeError, NO_ARRAY + "builtins.NoneType$"),
    ((np.ma.array(A, mask=A > 2), B), {}, TypeError, "a must not have a mask"),
    ((A, B, np.ma.array(np.ones((3, 5)))), {}, TypeError, "out must not have a mask"),
    ((FIELD, B), {}, TypeError, NO_ARRAY + "numpy.ndarray"),
    (([[1.0]], B), {}, TypeError, NO_ARRAY + "builtins.list"),
    ((A, B, 3), {}, TypeError, "out must be an array .* it is a builtins.int"),
    ((array.array("d", [1]), array.array("d", [1])), {}, TypeError, "out must be given: .* like a array.array"),
    ((A, B), {"dtype": "float32"}, TypeError, "a is double, b is double, out is float, sums are float"),
    ((A, B), {"dtype": np.int16}, TypeError, "the library forms no sums in int16"),
    ((A, B), {"dtype": "e"}, TypeError, "a is double, b is double, out is half, sums are half"),
    ((A, B), {"dtype": "float65"}, TypeError, "the library forms no sums in float65"),
    ((A, B), {"dtype": 7}, TypeError, "the library forms no sums in 7"),
    ((A, B), {"op_a": "T"}, TypeError, "op_a must be a pantile.Op, it is a str"),
    ((A, B), {"op_b": None}, TypeError, "op_b must be a pantile.Op, it is a NoneType"),
    ((A, B), {"alpha": None}, TypeError, "alpha must be a number that float64 has, it is a NoneType"),
    ((A, B), {"alpha": 1j}, TypeError, "alpha must be a number that float64 has, it is a complex"),
    ((A.astype("i4"), B.astype("i4")), {"alpha": 0.5}, TypeError, "alpha must be a number that int32 has"),
    ((A.astype("i4"), B.astype("i4")), {"alpha": 2**31}, OverflowError, "alpha is 2147483648, which is no int32"),
    ((A.astype("u8"), B.astype("u8"), np.ones((3, 5), "u8")), {"beta": -1}, OverflowError, "beta is -1"),
    ((A, B), {"alpha": 10**400}, OverflowError, "alpha is beyond the numbers of float64"),
    ((A + 0j, B + 0j), {"alpha": 10**400}, OverflowError, "alpha is beyond the numbers of complex128"),
    ((A.astype("i8"), B.astype("i8")), {"alpha": 10**5000}, OverflowError, "alpha is beyond the numbers of int64"),
    ((OnDevice(), OnDevice(), OnDevice()), {"op_b": Op.TRANSPOSE}, ValueError, r"out has the shape \(3, 4\)"),
    ((OnDevice(), OnDevice(), np.ones((3, 3))), {"op_b": Op.TRANSPOSE}, ValueError,
     "out lies in memory of the host, and a in a device's"),
]  # fmt: skip

OTHERS = [
    ("transpose", (A[0],), {}, ValueError, r"a must have two axes at least, its shape is \(4,\)"),
    ("transpose", (A, np.ones((3, 4))), {}, ValueError, r"out has the shape \(3, 4\), the result \(4, 3\)"),
    ("transpose", (S[:3, :3], S[1:, 1:]), {}, ValueError, "out must be exactly a, .*overlap"),
    ("transpose", (STACK[1:], STACK[:-1]), {}, ValueError, "out must be exactly a, or not overlap it"),
    ("transpose", (BIG[1:, 1:], BIG[:-1, :-1]), {}, ValueError, "memory of out must not reach into that of a"),
    ("transpose", (A[:, ::-1],), {}, ValueError, "a must not have a negative stride in its last two axes"),
    ("transpose", (A > 0,), {}, TypeError, "no elements of a's type, bool8"),
    ("transpose", (None,), {}, TypeError, NO_ARRAY + "builtins.NoneType$"),
    ("transpose", (A,), {"conjugate": "no"}, TypeError, "conjugate must be a bool, it is a str"),
    ("add", (A, None), {}, TypeError, "b must be an array .* it is a builtins.NoneType$"),
    ("add", (A.astype("i1"), A.astype("i1")), {}, TypeError, "element type of out, which is int8"),
    ("add", (A, B), {}, ValueError, r"extents \(3, 4\) of a and \(4, 5\) of b do not broadcast"),
    ("add", (A, A.astype("f4")), {}, TypeError, "a is double, b is float"),
    ("add", (S[:3, :3], S[:3, :3], S[1:, 1:]), {}, ValueError, "out must be exactly a or not overlap it"),
    ("add", (A, A[:, ::-1]), {}, ValueError, "b must not have a negative stride in its last two axes"),
    ("add", (A, A), {"beta": "1"}, TypeError, "beta must be a number that float64 has, it is a str"),
    ("histogram", (np.array([0, 3]), 3), {}, ValueError, r"sample 1 has index \(3\), which is outside the 3 bins"),
    ("histogram", (np.array([0, 1]),), {}, ValueError, "either bins or out must be given"),
    ("histogram", (np.array([0, 1]), 3), {"out": np.zeros(3, int)}, ValueError, "either bins or out must be given"),
    ("histogram", (np.array([0, 1]), -3), {}, ValueError, r"bins is \(-3,\), which must not be negative"),
    ("histogram", (np.array([0, 1]), (2, 2, 2, 2)), {}, ValueError, r"bins is \(2, 2, 2, 2\), .* one to three"),
    ("histogram", (np.array([[0, 1]]), (2, 2, 2)), {}, ValueError, "indices must have a column for each axis"),
    ("histogram", (np.array([0]),), {"out": np.zeros((1, 1, 1, 1), int)}, ValueError, "out must have one to three"),
    ("histogram", (np.zeros((1, 3), int),), {"out": np.zeros((2, 3, 2), int)[::-1]}, ValueError,
     "out must not have a negative stride: copy the array first"),
    ("histogram", (np.array([0, 1])[::-1], 3), {}, ValueError, "indices must not have a negative stride"),
    ("histogram", (np.array([0, 1]), 3, np.ones(2)[::-1]), {}, ValueError, "weights must not have a negative stride"),
    ("histogram", (np.array([0, 1]), 2.5), {}, TypeError, "bins must be one extent or a tuple of them, and one is 2.5"),
    ("histogram", (np.array([0, 1]), (2, "x")), {}, TypeError, "bins must be .* and one is 'x'"),
    ("histogram", (np.array([0, 1]), 2**70), {}, OverflowError, f"bins must be .* and one is {2**70}"),
    ("histogram", (np.array([0, 1]), 3), {"accumulate": 2}, TypeError, "accumulate must be a bool, it is a int"),
    ("histogram", (np.array([0, 1]), 3), {"out_of_range": "ignore"}, TypeError,
     "out_of_range must be a pantile.OutOfRange, it is a str"),
    ("histogram", (None, 3), {}, TypeError, "indices must be an array"),
    ("histogram", (np.array([0, 1]), ()), {}, ValueError, r"bins is \(\), which must be one to three extents"),
    ("histogram", (np.array([0, 1]), (2, 2)), {}, ValueError,
     r"axis of the bins, whose shape is \(2, 2\); their own is \(2,\)"),
    ("histogram", (np.zeros((4, 3), int), 3), {}, ValueError, "indices must have a column for each axis of the bins"),
    ("histogram", (np.zeros((4, 2), int), 3), {}, ValueError, r"shape is \(3,\); their own is \(4, 2\)"),
    ("histogram", (np.zeros(4, int),), {"out": np.zeros((3, 1), int)}, ValueError, "indices must have a column for"),
    ("histogram", (np.zeros((1, 1, 1), int), 3), {}, ValueError, "indices must have one or two axes"),
    ("histogram", (np.zeros(2), 3), {}, TypeError, "element type of indices, which is double"),
    ("histogram", (np.array([0, 1]), 3, np.ones(3)), {}, ValueError, "weights"),
    ("histogram", (np.array([0, 1]), 3, np.ones((2, 1))), {}, ValueError, "weights must have one axis"),
    ("histogram", (np.array([0, 1]),), {"weights": np.ones(2), "out": np.zeros(3, int)}, TypeError,
     "weights is double"),
    ("histogram", (np.array([0, 1]), 3), {"accumulate": True}, ValueError, "accumulate adds to out"),
]  # fmt: skip
CASES = [("matmul", *case) for case in MATMUL] + OTHERS


# Explanations look at all but the samples of histograms.
@pytest.mark.parametrize(
    "prefix, name, arguments, keywords, exception, pattern",
    [("", *case) for case in CASES] + [("explain_", *case) for case in CASES if "sample" not in case[-1]],
)
def test_refused(prefix, name, arguments, keywords, exception, pattern):
    given = [value for value in (*arguments, *keywords.values()) if isinstance(value, np.ndarray)]
    before = [value.copy() for value in given]
    with pytest.raises(exception, match=f"^pantile.{prefix}{name}: .*{pattern}") as raised:
        getattr(pantile, prefix + name)(*arguments, **keywords)
    assert raised.type is exception
    assert "\n" not in str(raised.value)
    for value, copy in zip(given, before):
        np.testing.assert_array_equal(value, copy)


@pytest.mark.parametrize(
    "name, arguments, keywords, sentence, meant",
    [
        ("matmul", (A, B), {"alhpa": 2}, "got an unexpected keyword argument 'alhpa'", "alpha"),
        ("matmul", (A, B), {"axis": 0}, "got an unexpected keyword argument 'axis'", ""),
        ("matmul", (A,), {}, "missing 1 required positional argument: 'b'", ""),
        ("matmul", (A, B, None, 2), {}, "takes from 2 to 3 positional arguments but 4 were given", ""),
        ("matmul", (A, B), {"a": A}, "got multiple values for argument 'a'", ""),
        ("transpose", (A,), {"conjugated": True}, "got an unexpected keyword argument 'conjugated'", "conjugate"),
        ("add", (), {}, "missing 2 required positional arguments: 'a' and 'b'", ""),
        ("histogram", (np.array([0]), 3), {"weigths": None}, "got an unexpected keyword argument 'weigths'", "weights"),
    ],
)
@pytest.mark.parametrize("prefix", ["", "explain_"])
def test_arguments_are_refused_as_by_python(prefix, name, arguments, keywords, sentence, meant):
    if meant and sys.version_info >= (3, 13):
        sentence += f". Did you mean '{meant}'?"
    with pytest.raises(TypeError, match=re.escape(f"{prefix}{name}() {sentence}") + "$") as raised:
        getattr(pantile, prefix + name)(*arguments, **keywords)
    assert str(raised.value).startswith(prefix + name)


def test_memory_that_is_no_devices():
    """Said by a build for hosts, and by one for devices, which looks where the address lies."""
    out = OnDevice()
    layout = {"shape": (3, 3), "strides": (24, 8), "stream": 1}
    out.__cuda_array_interface__ = OnDevice.__cuda_array_interface__ | layout
    words = "out lies in a device's memory, and this library was built without devices|. lies in memory of the host"
    with pytest.raises((RuntimeError, ValueError), match=f"^pantile.matmul: ({words})"):
        pantile.matmul(OnDevice(), OnDevice(), out, op_b=Op.TRANSPOSE)


@pytest.mark.parametrize(
    "change, exception, words",
    [
        ({"data": (1 << 20, True)}, ValueError, "out must be writable"),
        ({"strides": (12, 4)}, ValueError, "out's strides must be whole elements"),
        ({"typestr": ">f8"}, TypeError, "no elements of out's type, >f8"),
        ({"typestr": "<f16"}, TypeError, "no elements of out's type, float128"),
        ({"mask": OnDevice()}, TypeError, "out must not have a mask: the library would take what it hides"),
        ({"typestr": "|O8"}, TypeError, r"no elements of out's type, \|O8"),
    ],
)
def test_cuda_array_interface(change, exception, words):
    out = OnDevice()
    out.__cuda_array_interface__ = OnDevice.__cuda_array_interface__ | {"shape": (3, 3)} | change
    with pytest.raises(exception, match=f"^pantile.matmul: .*{words}"):
        pantile.matmul(OnDevice(), OnDevice(), out, op_b=Op.TRANSPOSE)

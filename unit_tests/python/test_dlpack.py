# SPDX-FileCopyrightText: Pantile contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Arrays of a library that has DLPack and nothing else, in memory of any kind: nothing is copied, what is handed over
is given back, and a build for hosts takes nothing from a device."""

import ctypes as c

import numpy as np
import pytest

import pantile
from pantile import Op

# dlpack.h
CPU, CUDA, CUDA_HOST, METAL, ROCM, ROCM_HOST, CUDA_MANAGED, ONE_API = 1, 2, 3, 8, 10, 11, 13, 14
CODES = {"i": 0, "u": 1, "f": 2, "c": 5}
READ_ONLY = 1
DELETER = c.CFUNCTYPE(None, c.c_void_p)


class DLTensor(c.Structure):
    _fields_ = [("data", c.c_void_p), ("device_type", c.c_int32), ("device_id", c.c_int32), ("ndim", c.c_int32),
                ("code", c.c_uint8), ("bits", c.c_uint8), ("lanes", c.c_uint16), ("shape", c.POINTER(c.c_int64)),
                ("strides", c.POINTER(c.c_int64)), ("byte_offset", c.c_uint64)]  # fmt: skip


class Managed(c.Structure):
    _fields_ = [("tensor", DLTensor), ("context", c.c_void_p), ("deleter", DELETER)]


class Versioned(c.Structure):
    _fields_ = [("major", c.c_uint32), ("minor", c.c_uint32), ("context", c.c_void_p), ("deleter", DELETER),
                ("flags", c.c_uint64), ("tensor", DLTensor)]  # fmt: skip


new_capsule = c.pythonapi.PyCapsule_New
new_capsule.restype, new_capsule.argtypes = c.py_object, [c.c_void_p, c.c_char_p, c.c_void_p]
is_named = c.pythonapi.PyCapsule_IsValid
is_named.restype, is_named.argtypes = c.c_int, [c.c_void_p, c.c_char_p]


class Producer:
    """Memory of NumPy's array, said to be a device's. `given` counts what was handed over, `back` what came back."""

    version = None  # of DLPack, from 1 on

    def __init__(self, array, kind=CPU, offset=0, lanes=1, flags=0, **changes):
        self.array, self.kind, self.flags, self.changes = array, kind, flags, changes
        self.offset, self.lanes, self.given, self.back, self.kept = offset, lanes, 0, 0, []
        self.dtype = array.dtype

    def __dlpack_device__(self):
        return self.kind, 0

    def tensor(self):
        array = self.array
        extents = c.c_int64 * max(array.ndim, 1)
        shape, strides = extents(*array.shape), extents(*(step // array.itemsize for step in array.strides))
        self.kept.append((shape, strides))
        dense = self.changes.get("without_strides")
        return DLTensor(array.ctypes.data - self.offset, self.kind, 0, array.ndim, CODES[array.dtype.kind],
                        8 * array.itemsize, self.lanes, shape, None if dense else strides, self.offset)  # fmt: skip

    def hand_over(self, managed, name):
        def back(_):
            self.back += 1

        def forget(capsule):  # which nobody has taken
            self.back += is_named(capsule, name)

        managed.deleter, forgotten = DELETER(back), DELETER(forget)
        self.kept.append((managed, managed.deleter, forgotten))
        self.given += 1
        return new_capsule(c.addressof(managed), name, c.cast(forgotten, c.c_void_p))

    def __dlpack__(self, *, stream=None):
        return self.hand_over(Managed(self.tensor(), None), b"dltensor")

    def new_empty(self, shape, dtype):
        return type(self)(np.full(shape, 7, dtype), self.kind)


class NewProducer(Producer):
    """DLPack from version 1 on; it would copy, if it were not told not to."""

    def __dlpack__(self, *, stream=None, max_version=None, dl_device=None, copy=None):
        if copy is None:
            self.array = self.array.copy()
        assert max_version >= (1, 0)
        return self.hand_over(Versioned(1, 0, None, flags=self.flags, tensor=self.tensor()), b"dltensor_versioned")


A = np.arange(12.0).reshape(3, 4)
KINDS = [Producer, NewProducer]


def all_back(*producers):
    return all(p.given == p.back > 0 for p in producers)


@pytest.mark.parametrize("kind", KINDS)
def test_nothing_is_copied(kind):
    memory = np.zeros((3, 3))
    a, out = kind(A.copy()), kind(memory)
    assert pantile.matmul(a, a, out, op_b=Op.TRANSPOSE) is out
    np.testing.assert_array_equal(memory, A @ A.T)
    assert all_back(a, out)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("dtype", ["f4", "f8", "c8", "c16", "i4", "u4", "i8", "u8"])
def test_strides_and_offsets(kind, dtype):
    memory = np.zeros((9, 20), dtype)
    memory[...] = np.arange(180).reshape(9, 20)
    before = memory.copy()
    part = memory[1:7:2, 3:19:4]
    a, out = kind(part, offset=part.itemsize * 3), kind(memory[:8:2, 1:20:7])
    assert pantile.transpose(a, out) is out
    before[:8:2, 1:20:7] = before[1:7:2, 3:19:4].T
    np.testing.assert_array_equal(memory, before)
    dense = kind(np.arange(12).reshape(3, 4).astype(dtype), without_strides=True)
    result = pantile.matmul(dense, dense, op_b=Op.TRANSPOSE)
    np.testing.assert_array_equal(result.array, dense.array @ dense.array.T)


@pytest.mark.parametrize("kind", KINDS)
def test_no_elements(kind):
    none, out = kind(np.zeros((3, 0))), kind(np.ones((3, 3)))
    assert pantile.matmul(none, none, out, op_b=Op.TRANSPOSE, beta=2) is out
    np.testing.assert_array_equal(out.array, np.full((3, 3), 2.0))
    assert pantile.matmul(none, kind(np.zeros((0, 0)))).array.shape == (3, 0)
    assert pantile.transpose(none).array.shape == (0, 3)
    assert pantile.add(none, none).array.shape == (3, 0)


@pytest.mark.parametrize("kind", KINDS)
def test_repeated_elements(kind):
    row = np.arange(4.0)
    repeated = kind(np.lib.stride_tricks.as_strided(row, (3, 4), (0, 8)))
    np.testing.assert_array_equal(pantile.matmul(repeated, kind(A.T)).array, repeated.array @ A.T)
    for call in (pantile.add, lambda a, b, out: pantile.transpose(kind(A.T.copy()), out)):
        with pytest.raises(ValueError, match="overlap itself: two of its elements share memory"):
            call(kind(A), kind(A), out=repeated)
    np.testing.assert_array_equal(row, np.arange(4.0))
    assert all_back(repeated)


@pytest.mark.parametrize("kind", KINDS)
def test_other_elements(kind):
    pairs = kind(np.zeros((3, 4), "f4"), lanes=2)
    out = kind(np.full((3, 3), 7.0))
    with pytest.raises(TypeError, match="^pantile.matmul: the library has no elements of a's type, .*2"):
        pantile.matmul(pairs, pairs, out, op_b=Op.TRANSPOSE)
    with pytest.raises(TypeError, match="^pantile.matmul: .* a is double, b is double, out is float"):
        pantile.matmul(kind(A), kind(A.T), kind(np.zeros((3, 3), "f4")))
    with pytest.raises(TypeError, match="^pantile.transpose: the library has no elements of a's type, int16"):
        pantile.transpose(kind(np.zeros((3, 4), "i2")))
    np.testing.assert_array_equal(out.array, 7)
    assert all_back(pairs)


def test_read_only():
    fixed = NewProducer(A.copy(), flags=READ_ONLY)
    np.testing.assert_array_equal(pantile.matmul(fixed, fixed, op_b=Op.TRANSPOSE).array, A @ A.T)
    with pytest.raises(ValueError, match="^pantile.add: out must be writable$"):
        pantile.add(A, A, out=fixed)
    np.testing.assert_array_equal(fixed.array, A)
    assert all_back(fixed)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("place", [CUDA_HOST, ROCM_HOST])
def test_pinned_memory_is_the_hosts(kind, place):
    out = kind(np.zeros((3, 3)), place)
    pantile.matmul(kind(A, place), kind(A, place), out, op_b=Op.TRANSPOSE)
    np.testing.assert_array_equal(out.array, A @ A.T)


CALLS = {
    "matmul": lambda a, out: pantile.matmul(a, a, out, op_b=Op.TRANSPOSE),
    "transpose": lambda a, out: pantile.transpose(a, out),
    "add": lambda a, out: pantile.add(a, a, out),
    "histogram": lambda a, out: pantile.histogram(a, out=out),
    "explain_matmul": lambda a, out: pantile.explain_matmul(a, a, out, op_b=Op.TRANSPOSE),
    "explain_transpose": lambda a, out: pantile.explain_transpose(a, out),
    "explain_add": lambda a, out: pantile.explain_add(a, a, out),
    "explain_histogram": lambda a, out: pantile.explain_histogram(a, out=out),
}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("place", [CUDA, METAL, ROCM, CUDA_MANAGED, ONE_API])
@pytest.mark.parametrize("call", CALLS)
def test_memory_of_devices(call, place, kind):
    """Said by a build for hosts, and by one for devices, to which these addresses are the host's."""
    square = np.zeros((3, 3), "i4")
    a = kind(np.zeros(3, "i4") if "histogram" in call else square.copy(), place)
    out = kind(np.full(3, 7, "i4") if "histogram" in call else np.full((3, 3), 7, "i4"), place)
    words = "[a-zA-Z]+ lies in (a device's memory, and this library was built without devices|memory of the host)"
    with pytest.raises((RuntimeError, ValueError), match=f"^pantile.{call}: {words}[^\n]*$"):
        CALLS[call](a, out)
    np.testing.assert_array_equal(out.array, 7)
    assert all_back(a, out)


@pytest.mark.parametrize("kind", KINDS)
def test_two_places(kind):
    there, out = kind(A, CUDA), kind(np.full((3, 3), 7.0))
    with pytest.raises(ValueError, match="^pantile.matmul: b lies in memory of the host, and out in a device's$"):
        pantile.matmul(there, A.T, kind(out.array, CUDA))
    with pytest.raises(ValueError, match="^pantile.matmul: out lies in memory of the host, and a in a device's$"):
        pantile.matmul(there, there, out, op_b=Op.TRANSPOSE)
    np.testing.assert_array_equal(out.array, 7)
    assert all_back(there, out)

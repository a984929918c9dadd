# SPDX-FileCopyrightText: Pantile contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Arrays in memory that only a device reaches, by __cuda_array_interface__ and by DLPack, beside NumPy's results. For a
build for CUDA: its run-time library is loaded with the package."""

import ctypes as c

import numpy as np
import pytest
from test_dlpack import CUDA, KINDS

import pantile
from pantile import Op

TO_DEVICE, TO_HOST, NON_BLOCKING = 1, 2, 1
runtime = c.CDLL("libcudart.so.12")


def checked(name, *arguments):
    status = getattr(runtime, name)(*arguments)
    assert status == 0, f"{name} returned {status}"


class Memory:
    """An array's memory once more, on the device. `whole` is what lies there when it is asked for."""

    def __init__(self, whole):
        assert whole.base is None
        self.host, self.address = whole, c.c_void_p()
        checked("cudaMalloc", c.byref(self.address), c.c_size_t(max(whole.nbytes, 1)))
        checked("cudaMemcpy", self.address, c.c_void_p(whole.ctypes.data), c.c_size_t(whole.nbytes), TO_DEVICE)

    def __del__(self):
        runtime.cudaFree(self.address)

    @property
    def whole(self):
        copy = np.empty_like(self.host)
        checked("cudaMemcpy", c.c_void_p(copy.ctypes.data), self.address, c.c_size_t(copy.nbytes), TO_HOST)
        return copy

    def address_of(self, view):
        return self.address.value + view.ctypes.data - self.host.ctypes.data


def whole_of(view):
    """The array that owns the view's memory."""
    while view.base is not None:
        view = view.base
    return view


class OnDevice:
    """An array of a library that has __cuda_array_interface__ and nothing else."""

    def __init__(self, view, memory=None, **changes):
        self.view, self.memory = view, memory or Memory(whole_of(view))
        self.dtype, self.changes = view.dtype, changes

    @property
    def __cuda_array_interface__(self):
        data = (self.memory.address_of(self.view) if self.view.size else 0, False)
        return {"shape": self.view.shape, "typestr": self.view.dtype.str, "strides": self.view.strides, "data": data,
                "version": 3, "stream": None, **self.changes}  # fmt: skip

    def new_empty(self, shape, dtype):
        return type(self)(np.full(shape, 7, dtype))

    @property
    def values(self):
        """What lies there now."""
        whole = self.memory.whole
        offset = self.view.ctypes.data - self.memory.host.ctypes.data
        return np.ndarray(self.view.shape, self.view.dtype, whole, offset, self.view.strides)


def by_dlpack(kind):
    """The same handed over by DLPack, of the version that the kind has."""

    class Handed(kind):
        def __init__(self, view, memory=None):
            super().__init__(view, CUDA)
            self.memory = memory or Memory(whole_of(view))

        def tensor(self):
            tensor = super().tensor()
            tensor.data = self.memory.address_of(self.array)
            return tensor

        def new_empty(self, shape, dtype):
            return type(self)(np.full(shape, 7, dtype))

        values = property(lambda self: OnDevice(self.array, self.memory).values)

    return Handed


HANDED = {"interface": OnDevice, "dlpack": by_dlpack(KINDS[0]), "dlpack_1": by_dlpack(KINDS[1])}
by_all = pytest.mark.parametrize("handed", HANDED.values(), ids=HANDED)
DTYPES = ("f4", "f8", "c8", "c16", "i4", "u4", "i8", "u8")


def numbers(shape, dtype, seed=1):
    """Small whole ones, whose sums are exact."""
    array = np.random.default_rng(seed).integers(0, 7, shape).astype(dtype)
    return array + 1j * array[::-1] if array.dtype.kind == "c" else array


@by_all
@pytest.mark.parametrize("dtype", DTYPES)
def test_matmul(handed, dtype):
    a, b = numbers((33, 20), dtype), numbers((20, 17), dtype, 2)
    there = handed(a), handed(b)
    made = pantile.matmul(*there)
    assert type(made) is handed and made.values.dtype == a.dtype
    np.testing.assert_array_equal(made.values, a @ b)
    out = handed(numbers((33, 17), dtype, 3))
    before = out.values.copy()
    assert pantile.matmul(*there, out, alpha=2, beta=3) is out
    np.testing.assert_array_equal(out.values, 2 * (a @ b) + 3 * before)
    product = pantile.matmul(handed(a.conj()), there[0], op_a=Op.CONJUGATE_TRANSPOSE)
    np.testing.assert_array_equal(product.values, a.T @ a)
    np.testing.assert_array_equal(pantile.matmul(there[0], handed(b[:, 3].copy())).values, a @ b[:, 3])


@by_all
def test_strides(handed):
    """Parts of a larger array; what lies between them stays."""
    whole = numbers((40, 60), "f8")
    memory = Memory(whole)
    a, b, out = whole[1:9:2, 3:18:3], whole[10:15, 40:59:2].T, whole[20:36:4, 20:40:2]
    there = [handed(part, memory) for part in (a, b, out)]
    wanted = whole.copy()
    wanted[20:36:4, 20:40:2] = a @ b.T
    assert pantile.matmul(*there, op_b=Op.TRANSPOSE) is there[2]
    np.testing.assert_array_equal(memory.whole, wanted)
    pantile.transpose(there[0], handed(whole[30:35, :4], memory))
    wanted[30:35, :4] = a.T
    np.testing.assert_array_equal(memory.whole, wanted)


@by_all
@pytest.mark.parametrize("shapes", [((5, 6, 7), (5, 7, 4)), ((2, 1, 6, 7), (3, 7, 4)), ((5, 6, 7), (7, 4)),
                                    ((6, 7), (5, 7, 4)), ((0, 6, 7), (7, 4)), ((1, 6, 7), (1, 7, 4)),
                                    ((5, 6, 0), (5, 0, 4))])  # fmt: skip
def test_batches(handed, shapes):
    a, b = (numbers(shape, "f4", seed) for seed, shape in enumerate(shapes))
    np.testing.assert_array_equal(pantile.matmul(handed(a), handed(b)).values, a @ b)


@by_all
def test_batches_that_do_not_step_evenly(handed):
    whole = numbers((2, 3, 4, 6, 6), "f8")
    part = whole[:, :2, 1:]
    there, other = handed(part), numbers((2, 2, 3, 6, 5), "f8", 2)
    np.testing.assert_array_equal(pantile.matmul(there, handed(other)).values, part @ other)
    np.testing.assert_array_equal(pantile.transpose(there).values, np.swapaxes(part, -1, -2))
    backwards = handed(whole[::-1, 0, 0], Memory(whole))
    np.testing.assert_array_equal(pantile.transpose(backwards).values, np.swapaxes(whole[::-1, 0, 0], -1, -2))


@by_all
@pytest.mark.parametrize("dtype", (*DTYPES, "i1", "u1", "f2"))
def test_transpose(handed, dtype):
    for shape in (33, 47), (3, 5, 9), (4, 0):
        a = numbers(shape, dtype)
        np.testing.assert_array_equal(pantile.transpose(handed(a)).values, np.swapaxes(a, -1, -2))
    if np.dtype(dtype).kind == "c":
        np.testing.assert_array_equal(pantile.transpose(handed(a), conjugate=True).values, a.conj().T)
    square = handed(numbers((20, 20), dtype))
    before = square.values.copy()
    assert pantile.transpose(square, square) is square
    np.testing.assert_array_equal(square.values, before.T)


@by_all
@pytest.mark.parametrize("dtype", DTYPES)
def test_add(handed, dtype):
    a, b = numbers((3, 8, 9), dtype), numbers((3, 8, 9), dtype, 2)
    np.testing.assert_array_equal(pantile.add(handed(a), handed(b), alpha=2, beta=3).values, 2 * a + 3 * b)
    out = handed(a)
    assert pantile.add(out, handed(b), out) is out
    np.testing.assert_array_equal(out.values, a + b)


@by_all
def test_histogram(handed):
    samples, weights = np.arange(900) ** 2 % 7, numbers(900, "f4")
    counted = pantile.histogram(handed(samples), 7)
    np.testing.assert_array_equal(counted.values, np.bincount(samples, minlength=7))
    added = pantile.histogram(handed(samples), 7, handed(weights))
    np.testing.assert_array_equal(added.values, np.bincount(samples, weights, 7).astype("f4"))
    assert pantile.histogram(handed(samples), out=counted, accumulate=True) is counted
    np.testing.assert_array_equal(counted.values, 2 * np.bincount(samples, minlength=7))
    pairs = np.stack([samples, samples % 3], axis=1)
    np.testing.assert_array_equal(pantile.histogram(handed(pairs), (7, 3)).values,
                                  np.histogram2d(*pairs.T, (7, 3), ((0, 7), (0, 3)))[0])  # fmt: skip
    before = counted.values.copy()
    with pytest.raises(ValueError, match="^pantile.histogram: .*sample"):
        pantile.histogram(handed(samples), out=handed(np.zeros(4, "i8")))
    np.testing.assert_array_equal(counted.values, before)


@pytest.mark.parametrize("changes", [{"strides": None}, {"version": 2}, {"stream": 1}, {"mask": None}])
def test_interfaces(changes):
    a = numbers((6, 5), "f4")
    np.testing.assert_array_equal(pantile.transpose(OnDevice(a, **changes)).values, a.T)
    without = OnDevice(a)
    fields = {key: value for key, value in without.__cuda_array_interface__.items() if key not in ("strides", "stream")}
    plain = type("Plain", (), {"__cuda_array_interface__": fields})()
    out = OnDevice(np.zeros((5, 6), "f4"))
    assert pantile.transpose(plain, out) is out
    np.testing.assert_array_equal(out.values, a.T)


def test_read_only():
    a = numbers((4, 4), "f4")
    fixed = OnDevice(a)
    fixed.changes = {"data": (fixed.__cuda_array_interface__["data"][0], True)}
    np.testing.assert_array_equal(pantile.matmul(fixed, fixed).values, a @ a)
    with pytest.raises(ValueError, match="^pantile.add: out must be writable$"):
        pantile.add(fixed, fixed, fixed)
    np.testing.assert_array_equal(fixed.values, a)


class Stream:
    """In which an array is made late: by a copy from pinned memory, which the host does not wait for."""

    def __init__(self):
        self.handle = c.c_void_p()
        checked("cudaStreamCreateWithFlags", c.byref(self.handle), NON_BLOCKING)

    def make(self, values):
        pinned, array = c.c_void_p(), OnDevice(np.full_like(values, 7), stream=self.handle.value)
        checked("cudaMallocHost", c.byref(pinned), c.c_size_t(values.nbytes))
        c.memmove(pinned, values.ctypes.data, values.nbytes)
        checked("cudaMemcpyAsync", array.memory.address, pinned, c.c_size_t(values.nbytes), TO_DEVICE, self.handle)
        array.pinned = pinned  # until the process ends
        return array


def test_streams():
    """Each call works behind what its arrays' streams are still to do, and is done when it returns."""
    a, b, s = numbers((9, 8), "f8"), numbers((8, 5), "f8", 2), numbers((9, 5), "f8", 3)
    for number in 1, 2, 3:
        streams = [Stream() for _ in range(number)]
        there = [streams[i % number].make(values) for i, values in enumerate((a, b, s))]
        pantile.matmul(*there, beta=1)
        np.testing.assert_array_equal(there[2].values, a @ b + s)
    late = Stream().make(a)
    np.testing.assert_array_equal(pantile.transpose(late).values, a.T)
    np.testing.assert_array_equal(pantile.add(Stream().make(a), OnDevice(a)).values, 2 * a)


CALLS = {
    "matmul": lambda a, out: pantile.matmul(a, a, out),
    "transpose": lambda a, out: pantile.transpose(a, out),
    "add": lambda a, out: pantile.add(a, a, out),
    "histogram": lambda a, out: pantile.histogram(a, out=out),
}


@by_all
@pytest.mark.parametrize("call", CALLS)
def test_memory_of_two_places(handed, call):
    square = np.zeros(3 if call == "histogram" else (3, 3), "i4")
    there, out = handed(square), handed(square + 7)
    names = r"(a|b|indices|out)"
    for given in (there, out.values), (square, out):
        words = f"{names} lies in memory of the host, and {names} in a device's"
        with pytest.raises(ValueError, match=f"^pantile.{call}: {words}$"):
            CALLS[call](*given)
    np.testing.assert_array_equal(out.values, 7)


@pytest.mark.parametrize("call", CALLS)
def test_memory_that_is_no_devices(call):
    """An address of the host's, said to be the device's."""
    square = np.zeros(3 if call == "histogram" else (3, 3), "i4")
    out = OnDevice(square + 7)
    lying = OnDevice(square)
    lying.changes = {"data": (square.ctypes.data, False)}
    words = "(a|b|indices) lies in memory of the host, and the call runs on the device"
    with pytest.raises(ValueError, match=f"^pantile.{call}: {words}$"):
        CALLS[call](lying, out)
    np.testing.assert_array_equal(out.values, 7)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("call", CALLS)
def test_memory_that_is_no_hosts(call, kind):
    """An address of the device's, said to be the host's."""
    square = np.zeros(3 if call == "histogram" else (3, 3), "i4")

    class Lying(by_dlpack(kind)):
        def tensor(self):
            tensor = super().tensor()
            tensor.device_type = 1
            return tensor

    out = square + 7
    words = "(a|b|indices) lies in memory of the device, and the call runs on the host"
    with pytest.raises(ValueError, match=f"^pantile.{call}: {words}$"):
        CALLS[call](Lying(square), out)
    np.testing.assert_array_equal(out, 7)


def test_explanations():
    a = OnDevice(np.zeros((64, 64), "f4"))
    explanation = pantile.explain_matmul(a, a)
    assert "pantile::matmul[blocked,cuda,float]" in str(explanation)
    assert explanation.flops == 2 * 64**3

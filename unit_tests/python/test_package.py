# SPDX-FileCopyrightText: Pantile contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The package as a part of programs: who hands over arrays and gets them back, threads, forks, silence, its stub."""

import array
import ast
import ctypes
import multiprocessing
import os
import pathlib
import subprocess
import sys
import threading
import time
import types

import numpy as np
import pytest

import pantile

A = np.arange(6.0).reshape(2, 3)
PRODUCT = A @ A.T


class Tensor:
    """What PyTorch's tensors have of the interface, and nothing else: DLPack, dtype, new_empty."""

    def __init__(self, data):
        self.data = data

    @property
    def dtype(self):
        return self.data.dtype

    def __dlpack__(self, **keywords):
        return self.data.__dlpack__(**keywords)

    def __dlpack_device__(self):
        return self.data.__dlpack_device__()

    def new_empty(self, shape, dtype):
        return Tensor(np.full(shape, 7, dtype))


class OldTensor(Tensor):
    """DLPack before version 1."""

    def __dlpack__(self):
        return self.data.__dlpack__()


class Brain:
    """What an array of ml_dtypes' bfloat16 has of the interface: a buffer without a letter for it, and views."""

    def __init__(self, values):
        self.bits = (np.asarray(values, np.float32).view(np.uint32) >> 16).astype(np.uint16)
        self.dtype = types.SimpleNamespace(name="bfloat16")

    def __buffer__(self, flags):
        raise BufferError("no letter for bfloat16")

    def view(self, dtype):
        return self.bits.view(dtype)

    def values(self):
        return (self.bits.astype(np.uint32) << 16).view(np.float32)


def expect_brain_products(make, values):
    """Whole numbers that bfloat16 has."""
    a, b, out, wide = make(A), make(A.T), make(np.zeros((2, 2))), np.zeros((2, 2), np.float32)
    assert pantile.matmul(a, b, out, dtype="float32") is out
    np.testing.assert_array_equal(values(out), PRODUCT)
    pantile.matmul(a, b, wide, alpha=0.5)
    np.testing.assert_array_equal(wide, 0.5 * PRODUCT)
    transposed = make(np.zeros((3, 2)))
    pantile.transpose(a, transposed)
    np.testing.assert_array_equal(values(transposed), A.T)


@pytest.mark.skipif(sys.version_info < (3, 12), reason="classes have no buffers in this Python")
def test_bfloat16():
    expect_brain_products(Brain, Brain.values)


def test_bfloat16_of_ml_dtypes():
    brain = pytest.importorskip("ml_dtypes").bfloat16
    expect_brain_products(lambda values: np.asarray(values, brain), lambda out: out.astype(np.float64))
    assert pantile.matmul(A.astype(brain), A.T.astype(brain)).dtype == brain


@pytest.mark.parametrize("kind", [Tensor, OldTensor])
def test_dlpack(kind):
    a, b = kind(A), kind(A.T)
    result = pantile.matmul(a, b)
    assert isinstance(result, Tensor)
    np.testing.assert_array_equal(result.data, PRODUCT)
    out = kind(np.zeros((2, 2)))
    assert pantile.matmul(a, b, out, alpha=2) is out
    np.testing.assert_array_equal(out.data, 2 * PRODUCT)
    assert isinstance(pantile.matmul(A, b), np.ndarray)


class Refusing(Tensor):
    def __dlpack__(self, **keywords):
        raise BufferError("it is conjugated")


def test_what_its_library_does_not_hand_over():
    with pytest.raises(TypeError, match="^pantile.matmul: b is not handed over: it is conjugated$"):
        pantile.matmul(A, Refusing(A.T))


def test_buffer_protocol():
    a = array.array("d", range(6))
    assert pantile.add(a, a, out=a) is a
    assert list(a) == [0, 2, 4, 6, 8, 10]
    frozen = memoryview(bytes(A)).cast("d", (2, 3))
    out = memoryview(bytearray(32)).cast("d", (2, 2))
    assert pantile.matmul(frozen, A.T, out=out) is out
    assert out.tolist() == PRODUCT.tolist()
    with pytest.raises(ValueError, match="out must be writable"):
        pantile.add(frozen, frozen, out=frozen)


def test_buffers_without_strides():
    a, out = (ctypes.c_double * 3 * 2)(), (ctypes.c_double * 2 * 2)()
    np.asarray(a)[...] = A
    assert pantile.matmul(a, A.T, out=out) is out
    np.testing.assert_array_equal(out, PRODUCT)


def test_read_only_operands():
    a = A.copy()
    a.flags.writeable = False
    np.testing.assert_array_equal(pantile.matmul(a, a.T), PRODUCT)


def test_results_are_of_the_operands_library():
    class Matrix(np.ndarray):
        pass

    assert type(pantile.matmul(A.view(Matrix), A.T)) is Matrix
    assert pantile.matmul(A[0], A[0]).shape == ()
    assert pantile.histogram(np.array([1, 1], "i4"), 2).dtype == np.int64


@pytest.mark.skipif("PANTILE_TEST_INSTALLED" not in os.environ, reason="in a build the library lies elsewhere")
def test_installed_package_is_complete():
    folder = str(pathlib.Path(pantile.__file__).parent)
    loaded = {line.split()[-1] for line in pathlib.Path("/proc/self/maps").read_text().splitlines()
              if "pantile" in line}
    assert len(loaded) >= 2
    assert {os.path.dirname(path) for path in loaded} == {folder}


def test_nothing_is_kept():
    a = A.copy()
    references = sys.getrefcount(a)
    for _ in range(100):
        pantile.matmul(a, a, out=np.empty((2, 2)), op_b=pantile.Op.TRANSPOSE)
        with pytest.raises(ValueError):
            pantile.matmul(a, a)
    assert sys.getrefcount(a) == references


def test_explanation():
    explanation = pantile.explain_matmul(A, A.T)
    assert explanation.flops == 2 * 2 * 2 * 3
    assert explanation.bytes >= 8 * (6 + 6 + 4)
    assert explanation.workspace_bytes >= 0
    assert str(explanation) == explanation.text
    assert explanation.text.startswith("pantile::matmul[") and "double" in explanation.text
    for text in (pantile.explain_transpose(A), pantile.explain_add(A, A), pantile.explain_histogram(np.array([0]), 1)):
        assert str(text).startswith("pantile::")


def test_other_threads_run():
    """This thread is never kept waiting as long as half of another one's product takes at least; if it is, by whoever
    else needs the cores, then once more."""
    a = np.ones((1500, 1500))
    ticks = []

    def multiply():
        ticks.append(time.perf_counter())
        pantile.matmul(a, a)
        ticks.append(time.perf_counter())

    for _ in range(3):
        multiply()
    shortest = min(np.diff(ticks)[::2])
    for _ in range(20):
        ticks.clear()
        worker = threading.Thread(target=multiply)
        worker.start()
        while worker.is_alive():
            ticks.append(time.perf_counter())
        worker.join()
        if max(np.diff(ticks)) < shortest / 2:
            return
    pytest.fail("this thread had to wait for each of 20 products")


def test_threads_multiply_at_once():
    random = np.random.default_rng(1)
    operands = [random.integers(-9, 9, (60, 60)) for _ in range(4)]
    results = [None] * 4

    def multiply(i):
        for _ in range(50):
            results[i] = pantile.matmul(operands[i], operands[i])

    threads = [threading.Thread(target=multiply, args=(i,)) for i in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for operand, result in zip(operands, results):
        np.testing.assert_array_equal(result, operand @ operand)


NO_MEMORY = """
import resource, numpy, pantile
a = numpy.zeros((4000, 6000))
a[0, 1] = 1
out = a.reshape(6000, 4000)  # in place: what has moved already is noted in memory of its own
pantile.add(a[:2, :2], a[:2, :2])
used = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (used + 2**18, used + 2**18))
try:
    pantile.transpose(a, out)
except MemoryError as error:
    print(error, a[0, 1])
"""


@pytest.mark.skipif(not os.path.exists("/proc/self/statm"), reason="the test asks Linux how much memory there is")
def test_no_memory():
    done = subprocess.run([sys.executable, "-c", NO_MEMORY], capture_output=True, text=True, check=True)
    assert done.stdout == "pantile.transpose: there is no memory for it 1.0\n"


def square(n):
    return pantile.matmul(np.ones((n, n)), np.ones((n, n)))[0, 0]


@pytest.mark.parametrize("method", ["fork", "spawn"])
@pytest.mark.filterwarnings("ignore:.*fork")
def test_processes(method):
    assert square(200) == 200
    with multiprocessing.get_context(method).Pool(2) as pool:
        assert pool.map(square, [3, 300]) == [3, 300]


@pytest.mark.parametrize("first", ["numpy", "pantile"])
@pytest.mark.parametrize("end",
                         ["", "raise SystemExit(0)", "kept = pantile.Op, pantile.matmul, pantile.explain_matmul(a, a)"])
def test_silence(first, end):
    program = f"import {first}, numpy, pantile; a = numpy.ones((200, 200)); pantile.matmul(a, a); {end}"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True)
    assert (done.stdout, done.stderr) == (b"", b"")


def signature(function):
    """Names of the parameters and their defaults, as text."""
    given = function.args
    names = [[argument.arg for argument in kind] for kind in (given.posonlyargs, given.args, given.kwonlyargs)]
    return names, [default and ast.unparse(default) for default in (*given.defaults, *given.kw_defaults)]


def test_stub():
    """The types that checkers read are those of the module, by name, order and default."""
    folder = pathlib.Path(pantile.__file__).parent
    assert (folder / "py.typed").exists()
    stub = ast.parse((folder / "__init__.pyi").read_text())
    functions = {node.name: node for node in stub.body if isinstance(node, ast.FunctionDef)}
    classes = {node.name: node for node in stub.body if isinstance(node, ast.ClassDef) and node.name[0] != "_"}
    assert sorted([*functions, *classes]) == sorted(pantile.__all__)
    for name, node in functions.items():
        line, _, words = getattr(pantile, name).__doc__.partition("\n")
        assert signature(ast.parse(f"def {line}: ...").body[0]) == signature(node), name
        assert words
    for enum in ("Op", "OutOfRange"):
        members = {line.targets[0].id: line.value.value for line in classes[enum].body}
        assert members == {member.name: member.value for member in getattr(pantile, enum)}
    for node in classes["Explanation"].body:
        assert isinstance(getattr(pantile.Explanation, node.name), property)

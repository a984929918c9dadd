# SPDX-FileCopyrightText: Pantile contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A plugin for pytest: numpy.matmul is Pantile's while NumPy's own tests run. Operands and results that the library
does not hold, and a ufunc's further keywords, go to NumPy; nothing else does, wrong shapes neither. Matrices that run
backwards are copied first, as Pantile's error says. The operator @ calls NumPy's C code and cannot be replaced.

The tests that call numpy.matmul, or import it, are all run (CMakeLists.txt names them) but for those of the ufunc that
it is in NumPy, which nothing here stands for: in test_multiarray TestBinop::test_ufunc_binop_interaction (is @ this
ufunc?), in test_ufunc test_at_not_none_signature (its method at) and TestUFuncInspectSignature (its signature), in
test_mixins TestNDArrayOperatorsMixin (__array_ufunc__). What of numpy.linalg calls products itself took its matmul
before.
"""

import numpy as np
import pytest

import pantile

HELD = {
    np.dtype(name)
    for name in "float16 float32 float64 complex64 complex128 int8 uint8 int32 uint32 int64 uint64".split()
}

EXPECTED_FAILURES = {
    "test_empty_out": "looks for NumPy's words, which the ValueError of an out of another shape does not have",
    "test_matmul_out": "wants a result that overlaps operands, which Pantile refuses",
}


def forwards(operand):
    return operand.copy() if min(operand.strides[-2:], default=0) < 0 else operand


class Matmul:
    """A callable that no class makes a method of, as a ufunc."""

    def __init__(self):
        self.numpy, self.by_pantile, self.by_numpy, self.seen = np.matmul, 0, 0, set()

    def __call__(self, a, b, /, out=None, **others):
        operands = [a, b] if out is None else [a, b, out]
        dtypes = {operand.dtype if isinstance(operand, np.ndarray) else None for operand in operands}
        if others or len(dtypes) != 1 or not dtypes <= HELD:
            self.by_numpy += 1
            return self.numpy(a, b, out=out, **others)
        self.by_pantile += 1
        self.seen |= dtypes
        result = pantile.matmul(forwards(a), forwards(b), out)
        return result if out is not None else result[()]  # NumPy's scalars instead of arrays without axes


np.matmul = shim = Matmul()


def pytest_collection_modifyitems(items):
    names = {item.name: item for item in items}
    for name, reason in EXPECTED_FAILURES.items():
        names[name].add_marker(pytest.mark.xfail(reason=reason, strict=True))


def too_few():
    """Of the products of NumPy's tests a quarter, at most, is of types and keywords that Pantile does not have, and the
    others are of all the types that it has."""
    return shim.by_pantile < 3 * shim.by_numpy or shim.seen != HELD


def pytest_sessionfinish(session):
    if too_few():
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_terminal_summary(terminalreporter):
    types = f" of {len(shim.seen)} types out of {len(HELD)}"
    words = f"{shim.by_pantile} products{types} by Pantile, {shim.by_numpy} products by NumPy"
    terminalreporter.write_line(words + (": too few by Pantile" if too_few() else ""))

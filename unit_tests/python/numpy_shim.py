# SPDX-FileCopyrightText: Pantile contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A plugin for pytest: numpy.matmul is Pantile's while NumPy's own tests run. Operands and results that the library
does not hold, and a ufunc's further keywords, go to NumPy; nothing else does, wrong shapes neither. The operator @
calls NumPy's C code and cannot be replaced."""

import numpy as np
import pytest

import pantile

HELD = {
    np.dtype(name)
    for name in "float16 float32 float64 complex64 complex128 int8 uint8 int32 uint32 int64 uint64".split()
}

EXPECTED_FAILURES = {
    "test_empty_out": "looks for NumPy's words, which the ValueError of an out of another shape does not have",
}


class Matmul:
    """A callable that no class makes a method of, as a ufunc."""

    def __init__(self):
        self.numpy, self.by_pantile, self.by_numpy = np.matmul, 0, 0

    def __call__(self, a, b, /, out=None, **others):
        operands = [a, b] if out is None else [a, b, out]
        dtypes = {operand.dtype if isinstance(operand, np.ndarray) else None for operand in operands}
        if others or len(dtypes) != 1 or not dtypes <= HELD:
            self.by_numpy += 1
            return self.numpy(a, b, out=out, **others)
        self.by_pantile += 1
        result = pantile.matmul(a, b, out)
        return result if out is not None else result[()]  # NumPy's scalars instead of arrays without axes


np.matmul = shim = Matmul()


def pytest_collection_modifyitems(items):
    names = {item.name: item for item in items}
    for name, reason in EXPECTED_FAILURES.items():
        names[name].add_marker(pytest.mark.xfail(reason=reason, strict=True))


def pytest_sessionfinish(session):
    if shim.by_pantile == 0:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_terminal_summary(terminalreporter):
    terminalreporter.write_line(f"{shim.by_pantile} products by Pantile, {shim.by_numpy} by NumPy")

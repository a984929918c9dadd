# SPDX-FileCopyrightText: Pantile contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Dense 2D kernels on arrays of NumPy, CuPy, PyTorch and whoever else hands over memory, without copies."""

from ._pantile import (
    Explanation,
    Op,
    OutOfRange,
    __version__,
    add,
    explain_add,
    explain_histogram,
    explain_matmul,
    explain_transpose,
    histogram,
    matmul,
    transpose,
)

__all__ = [
    "Explanation", "Op", "OutOfRange", "add", "explain_add", "explain_histogram", "explain_matmul", "explain_transpose",
    "histogram", "matmul", "transpose",
]  # fmt: skip

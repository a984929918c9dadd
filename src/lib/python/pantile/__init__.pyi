# SPDX-FileCopyrightText: Pantile contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
from enum import Enum
from typing import Any, Protocol, SupportsComplex, SupportsFloat, SupportsIndex, TypeVar

class _DLPack(Protocol):
    def __dlpack__(self, *, stream: Any = ...) -> Any: ...
    def __dlpack_device__(self) -> tuple[Any, int]: ...

class _Buffer(Protocol):
    def __buffer__(self, flags: int, /) -> memoryview: ...

class _CudaArray(Protocol):
    @property
    def __cuda_array_interface__(self) -> dict[str, Any]: ...

_Array = _DLPack | _Buffer | _CudaArray
_A = TypeVar("_A", bound=_Array)
_Number = SupportsFloat | SupportsIndex | SupportsComplex | complex

__version__: str

class Op(Enum):
    NONE = 0
    TRANSPOSE = 1
    CONJUGATE = 2
    CONJUGATE_TRANSPOSE = 3

class OutOfRange(Enum):
    REFUSE = 0
    IGNORE = 1

class Explanation:
    @property
    def text(self) -> str: ...
    @property
    def workspace_bytes(self) -> int: ...
    @property
    def flops(self) -> float: ...
    @property
    def bytes(self) -> float: ...

def matmul(
    a: _A, b: _Array, out: _A | None = None, *, alpha: _Number = 1, beta: _Number = 0, op_a: Op = Op.NONE,
    op_b: Op = Op.NONE, dtype: Any = None,
) -> _A: ...
def explain_matmul(
    a: _A, b: _Array, out: _A | None = None, *, alpha: _Number = 1, beta: _Number = 0, op_a: Op = Op.NONE,
    op_b: Op = Op.NONE, dtype: Any = None,
) -> Explanation: ...
def transpose(a: _A, out: _A | None = None, *, conjugate: bool = False) -> _A: ...
def explain_transpose(a: _A, out: _A | None = None, *, conjugate: bool = False) -> Explanation: ...
def add(a: _A, b: _Array, out: _A | None = None, *, alpha: _Number = 1, beta: _Number = 1) -> _A: ...
def explain_add(
    a: _A, b: _Array, out: _A | None = None, *, alpha: _Number = 1, beta: _Number = 1
) -> Explanation: ...
def histogram(
    indices: _A, bins: int | tuple[int, ...] | None = None, weights: _A | None = None, out: _A | None = None, *,
    out_of_range: OutOfRange = OutOfRange.REFUSE, accumulate: bool = False,
) -> _A: ...
def explain_histogram(
    indices: _A, bins: int | tuple[int, ...] | None = None, weights: _A | None = None, out: _A | None = None, *,
    out_of_range: OutOfRange = OutOfRange.REFUSE, accumulate: bool = False,
) -> Explanation: ...

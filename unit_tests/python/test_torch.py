# SPDX-FileCopyrightText: Pantile contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tensors of PyTorch in host memory."""

import pytest
import torch

import pantile


def test_tensors():
    a = torch.arange(24, dtype=torch.float64).reshape(2, 3, 4)
    b = torch.arange(40, dtype=torch.float64).reshape(5, 8).T[::2]
    result = pantile.matmul(a, b)
    assert isinstance(result, torch.Tensor) and torch.equal(result, a @ b)
    out = torch.ones(2, 3, 5, dtype=torch.float64)
    assert pantile.matmul(a, b, out=out, beta=1) is out
    assert torch.equal(out, a @ b + 1)
    assert torch.equal(pantile.transpose(a), a.mT)
    assert torch.equal(pantile.add(a, a), 2 * a)
    counts = pantile.histogram(torch.tensor([0, 2, 2]), 3)
    assert counts.dtype == torch.int64 and counts.tolist() == [1, 0, 2]


def test_narrow_tensors():
    a, b = torch.arange(12).reshape(3, 4), torch.arange(8).reshape(2, 4).T
    for dtype, wide in ((torch.bfloat16, torch.float32), (torch.float16, torch.float32), (torch.int8, torch.int32)):
        x, y = a.to(dtype), b.to(dtype)
        assert torch.equal(pantile.matmul(x, y), (a @ b).to(dtype)) and pantile.matmul(x, y).dtype == dtype
        assert torch.equal(pantile.matmul(x, y, dtype=wide), (a @ b).to(wide))
        assert torch.equal(pantile.transpose(x), x.mT)


@pytest.mark.parametrize(
    "tensor",
    [torch.ones(2, 2, requires_grad=True), torch.ones(2, 2, dtype=torch.complex64).conj(),
     torch.ones(2, 2).to_sparse()],
    ids=["gradient", "conjugate", "sparse"],
)
def test_tensors_that_are_not_their_memory(tensor):
    with pytest.raises(TypeError, match="^pantile.matmul: a is not handed over: "):
        pantile.matmul(tensor, tensor)


def test_nothing_is_copied():
    a = torch.arange(12, dtype=torch.float64).reshape(3, 4)
    memory = torch.zeros(7, 9, dtype=torch.float64)
    part = memory[1:7:2, ::3]
    before = part.data_ptr()
    assert pantile.matmul(a, a.T, out=part) is part and part.data_ptr() == before
    expected = torch.zeros(7, 9, dtype=torch.float64)
    expected[1:7:2, ::3] = a @ a.T
    assert torch.equal(memory, expected)


def test_no_elements():
    none = torch.zeros(3, 0)
    assert torch.equal(pantile.matmul(none, none.T), torch.zeros(3, 3))
    assert pantile.transpose(none).shape == (0, 3) and pantile.add(none, none).shape == (3, 0)


def test_repeated_elements():
    row = torch.arange(4, dtype=torch.float64)
    repeated, b = row.expand(3, 4), torch.ones(4, 2, dtype=torch.float64)
    assert torch.equal(pantile.matmul(repeated, b), repeated @ b)
    with pytest.raises(ValueError, match="^pantile.add: out must not overlap itself"):
        pantile.add(torch.ones(3, 4, dtype=torch.float64), repeated.clone(), out=repeated)
    assert torch.equal(row, torch.arange(4, dtype=torch.float64))


def test_other_types():
    a, out = torch.ones(2, 2), torch.full((2, 2), 7.0)
    with pytest.raises(TypeError, match="^pantile.matmul: .*a is float, b is double, out is float"):
        pantile.matmul(a, a.double(), out)
    with pytest.raises(TypeError, match="^pantile.transpose: the library has no elements of a's type, bool8"):
        pantile.transpose(a > 0)
    with pytest.raises(ValueError, match=r"^pantile.matmul: out has the shape \(2, 2\), the result \(2, 3\)"):
        pantile.matmul(a, torch.ones(2, 3), out)
    assert torch.equal(out, torch.full((2, 2), 7.0))

# SPDX-FileCopyrightText: Pantile contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The program in the README's section "From Python" prints what it must."""

import pathlib

README = pathlib.Path(__file__).parents[2] / "README.md"
PRINTED = """\
[[27. 18. 27. 18.]
 [27. 18. 27. 18.]]
(10, 2, 5, 2)
[1. 4. 5.]
pantile.matmul: columns of op(A) (3) must equal rows of op(B) (4)
"""


def test_program(capfd):
    section = README.read_text().partition("\n## From Python\n")[2].partition("\n## ")[0]
    exec(section.partition("```python\n")[2].partition("```")[0], {})
    assert tuple(capfd.readouterr()) == (PRINTED, "")

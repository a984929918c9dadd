# SPDX-FileCopyrightText: Pantile contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The program in the README's section "From Python" has ten lines, a name, and prints what it must."""

import pathlib

README = pathlib.Path(__file__).parents[2] / "README.md"
PRINTED = """\
[[27. 18. 27. 18.]
 [27. 18. 27. 18.]]
(10, 2, 5, 2)
[1. 4. 5.]
"""


def test_program(capfd):
    section = README.read_text().partition("\n## From Python\n")[2].partition("\n## ")[0]
    program, _, words = section.partition("```python\n")[2].partition("```")
    assert program.count("\n") == 10
    assert words.split("\n\n")[1].startswith("Save it as `product.py`.") and "python3 product.py\n```" in words
    exec(program, {})
    assert tuple(capfd.readouterr()) == (PRINTED, "")

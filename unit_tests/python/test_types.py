# SPDX-FileCopyrightText: Pantile contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The stubs by a type checker, mypy: it accepts them, the package's own module and the program in the README, knows
what calls return, and finds what is wrong in calls."""

import os
import pathlib
import re

import mypy.api

import pantile

README = pathlib.Path(__file__).parents[2] / "README.md"
PACKAGE = pathlib.Path(pantile.__file__).parent
FRAME = """
import numpy as np
import pantile
a, b = np.full((4, 3), 2.0), np.full((3, 2), 3.0)
"""
WRONG = {
    "pantile.matmul(a, 3)": "arg-type",
    "pantile.matmul(a, b, alpha='2')": "arg-type",
    "pantile.matmul(a, b, None, 2.0)": "call-arg|misc",
    "pantile.matmul(a, b, op_a='transpose')": "arg-type",
    "pantile.transpose(a, conjugated=True)": "call-arg",
    "pantile.add(a)": "call-arg",
    "pantile.histogram(a, bins=2.5)": "arg-type",
    "pantile.explain_matmul(a, b).words": "attr-defined",
    "pantile.product(a, b)": "attr-defined",
    "n: int = pantile.matmul(a, b)": "assignment",
}


def checked(tmp_path, text, *others):
    """What mypy says of a program, as lines of code and words, and its status."""
    program = tmp_path / "product.py"
    program.write_text(text)
    os.environ["MYPYPATH"] = str(PACKAGE.parent)  # as a folder of sources: the build is no installation
    options = ["--strict", "--no-incremental", "--no-error-summary", "--cache-dir", os.devnull]
    said, complaints, status = mypy.api.run([*options, *map(str, others), str(program)])
    return re.findall(r"product\.py:(\d+): (.*)", said), said + complaints, status


def test_accepts_the_readme_and_the_stubs(tmp_path):
    section = README.read_text().partition("\n## From Python\n")[2].partition("\n## ")[0]
    program = section.partition("```python\n")[2].partition("```")[0]
    known = ("reveal_type(pantile.matmul(a, b))\nreveal_type(pantile.explain_add(a, b).flops)\n"
             "reveal_type(pantile.histogram(a, (2, 3), out_of_range=pantile.OutOfRange.IGNORE))\n")
    lines, everything, status = checked(tmp_path, program + known, PACKAGE / "__init__.pyi")
    assert status == 0, everything
    types = [re.fullmatch(r'note: Revealed type is "(.*)"', words).group(1) for _, words in lines]
    assert types[0].startswith("numpy.ndarray[tuple[int, int]") and types[1:] == ["float", types[0]], everything


def test_finds_what_is_wrong(tmp_path):
    lines, everything, status = checked(tmp_path, FRAME + "\n".join(WRONG) + "\n")
    assert status == 1, everything
    first = FRAME.count("\n") + 1
    for number, (call, codes) in enumerate(WRONG.items(), start=first):
        assert any(line == str(number) and re.search(rf"error: .*\[({codes})\]$", words) for line, words in lines), \
            f"{call} is accepted, or by other words\n{everything}"

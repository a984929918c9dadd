#!/usr/bin/env python3
# SPDX-FileCopyrightText: Pantile contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""check_abi.py TYPES TEST: each structure, member, enumeration and value of the header has its line in test_abi.c."""

import pathlib
import re
import sys


def wanted(text):
    """The beginnings of the lines that the header asks for."""
    text = re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL)
    for members, name in re.findall(r"typedef struct \{(.*?)\} (\w+);", text, flags=re.DOTALL):
        yield f"SIZE({name}, "
        yield from (f"MEMBER({name}, {member}, " for member in re.findall(r"(\w+) *[,;]", members))
    for name, values in re.findall(r"typedef int32_t (\w+);\s*enum \{(.*?)\}", text, flags=re.DOTALL):
        yield f"SIZE({name}, "
        yield from (f"VALUE({value}, " for value in re.findall(r"(\w+) =", values))


def main(types, test):
    lines = pathlib.Path(test).read_text().splitlines()
    asked = list(wanted(pathlib.Path(types).read_text()))
    lacking = [one for one in asked if not any(line.startswith(one) for line in lines)]
    print("\n".join(f"{test} has no line {one}" for one in lacking) or f"{len(asked)} lines")
    return bool(lacking) or not asked


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))

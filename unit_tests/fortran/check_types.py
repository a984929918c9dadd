#!/usr/bin/env python3
# SPDX-FileCopyrightText: Pantile contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""check_types.py GFORTRAN MODULES PROGRAM: the compiler refuses the lines that end in "! wrong" and no other."""

import pathlib
import re
import subprocess
import sys


def main(compiler, modules, program):
    command = [compiler, "-fsyntax-only", "-fmax-errors=0", f"-I{modules}", program]
    messages = subprocess.run(command, capture_output=True, text=True).stderr
    refused = set(map(int, re.findall(rf"^{re.escape(program)}:(\d+):\d+:", messages, re.MULTILINE)))
    lines = pathlib.Path(program).read_text().splitlines()
    wrong = {number for number, line in enumerate(lines, 1) if line.endswith("! wrong")}
    for what, numbers in (("is refused", refused - wrong), ("is not refused", wrong - refused)):
        for number in sorted(numbers):
            print(f"line {number} {what}: {lines[number - 1].strip()}")
    if refused != wrong or not wrong:
        sys.exit(messages or "no line is wrong")
    print(f"{len(wrong)} lines are refused")


if __name__ == "__main__":
    main(*sys.argv[1:])

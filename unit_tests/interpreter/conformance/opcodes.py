#!/usr/bin/env python3
# SPDX-FileCopyrightText: Pantile contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Names the opcodes that programs executed and no conformance test runs: opcodes.py EXECUTED TESTED, an opcode a
line."""

import pathlib
import sys


def untested(executed, tested):
    return sorted(set(executed) - set(tested))


def lines(path):
    return pathlib.Path(path).read_text().split()


def main(executed_path, tested_path):
    executed, tested = lines(executed_path), lines(tested_path)
    missing = untested(executed, tested)
    for opcode in missing:
        print(f"{opcode}: executed, and no conformance test runs it", file=sys.stderr)
    count = len(set(executed))
    print(f"{count} opcodes were executed, conformance tests run {count - len(missing)} of them")
    return 1 if missing or not executed else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))

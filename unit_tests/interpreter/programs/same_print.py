#!/usr/bin/env python3
# SPDX-FileCopyrightText: Pantile contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Does a program print on this machine what it prints on every other? same_print.py [--write] RECORD PROGRAM
[ARGUMENT...] compares its lines with those of RECORD, which host and device share, but for times, choices of a policy
and names of spaces.
--write makes the record."""

import argparse
import difflib
import pathlib
import re
import subprocess
import sys

# What the machine decides: a line with it is left out.
LEFT_OUT = re.compile(
    r"pantile::\w+\["  # the first line of what explain says
    r"|^  [a-z]+ +\S"  # its others
    r"|^largest (difference|error)"  # of rounding errors
    r"|^(cpu|cuda|cuda speedup): "
    r"|^\d+ elements by \d+ (threads|teams)"  # and their numbers, in the next lines
    r"|^[\[ ][ \d]+\]?$"
    r"|^\s*$"
)
# What is replaced in the others.
REPLACED = [
    (re.compile(r"\s+[0-9.]+ (s|ms|GB/s|GFLOP/s)\b"), r" # \1"),
    (re.compile(r"\btime: [0-9.]+"), "time: #"),
    (re.compile(r"\b(OpenMP|Serial|Threads|Cuda|HIP)\b"), "SPACE"),
    (re.compile(r" \[called from .*\]"), ""),
    (re.compile(r"needs \d+ bytes of team scratch, the limit is \d+ at level \d"), "needs more than there is"),
    (re.compile(r"^tile \d+x\d+(x\d+)? needs \d+ threads per team, the limit is \d+"), "tile needs more than there is"),
    (re.compile(r"^tile \d+x\d+(x\d+)? needs more"), "tile needs more"),
]


def lines_of(text):
    result = []
    for line in text.splitlines():
        if LEFT_OUT.search(line):
            continue
        for pattern, replacement in REPLACED:
            line = pattern.sub(replacement, line)
        result.append(line.rstrip())
    return result


def main(words):
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true")
    parser.add_argument("record", type=pathlib.Path)
    parser.add_argument("program", nargs=argparse.REMAINDER)
    options = parser.parse_args(words)
    process = subprocess.run(options.program, stdout=subprocess.PIPE, text=True)
    lines = lines_of(process.stdout)
    if process.returncode != 0:
        print(f"{process.stdout}{options.program[0]}: exit status {process.returncode}")
        return 1
    if options.write:
        options.record.write_text("\n".join(lines) + "\n")
        return 0
    recorded = options.record.read_text().splitlines()
    difference = list(difflib.unified_diff(recorded, lines, str(options.record), options.program[0], lineterm=""))
    print("\n".join(difference) or f"{len(lines)} lines are the same")
    return int(bool(difference))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

#!/usr/bin/env python3
# SPDX-FileCopyrightText: Pantile contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""check_negative.py BUILD FOLDER: what must not compile does not, for the reason that cases.py gives."""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "unit_tests" / "support"))
import cases  # noqa: E402
from compiler import Compiler  # noqa: E402


def verdict(name, messages):
    """What is wrong with the outcome of a case; None if it is as it must be."""
    if name in cases.COMPILES:
        return None if messages is None else f"does not compile\n{messages}"
    _, expected = cases.MUST_NOT_COMPILE[name]
    if messages is None:
        return "compiles"
    return None if re.search(expected, messages) else f"fails without saying '{expected}'\n{messages}"


def main():
    compiler = Compiler(*sys.argv[1:3])
    calls = cases.COMPILES | {name: call for name, (call, _) in cases.MUST_NOT_COMPILE.items()}
    jobs = {name: (cases.PROLOGUE + call + cases.EPILOGUE, True) for name, call in calls.items()}
    wrong = 0
    for name, messages in compiler.check_all(jobs).items():
        text = verdict(name, messages)
        if text is not None:
            wrong += 1
            print(f"--- {name}: {text}")
    for document, heading in cases.HEADINGS.items():
        if heading not in (ROOT / document).read_text(encoding="utf-8").splitlines():
            wrong += 1
            print(f"--- {document} has no heading '{heading}', which a sentence names")
    print(f"{len(jobs)} cases, {wrong} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())

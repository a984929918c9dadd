# SPDX-FileCopyrightText: Pantile contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Lengths of functions, found by their braces."""

import re

CONTROL = re.compile(
    r"^(if|for|while|switch|do|else|try|catch|namespace|struct|class|enum|union|extern|KOKKOS_IF_ON\w+)\b")
# Strings, characters, comments, and lines of the preprocessor.
QUIET = re.compile(r'R"\((?:.|\n)*?\)"|"(\\.|[^"\\\n])*"|\'(\\.|[^\'\\\n])*\'|//.*|^[ \t]*#(.*\\\n)*.*', re.M)


def functions(text):
    """(first line, lines) of each function's definition."""
    clean = QUIET.sub(lambda m: "\n" * m[0].count("\n"), text)
    stack, head_begin, line = [], 0, 1
    for at, letter in enumerate(clean):
        if letter == "\n":
            line += 1
        elif letter == "{":
            head = clean[head_begin:at].strip()
            head = re.sub(r"^(template\s*<[^{}]*?>\s*(requires[^{}]*?)?\n|\[\[\w+\]\]\s*)", "", head)
            is_function = ")" in head and not CONTROL.match(head) and not re.search(r"(=|return|\()\s*$|\[[&=]\]", head)
            stack.append((line, is_function))
            head_begin = at + 1
        elif letter == "}":
            if stack:
                begin, is_function = stack.pop()
                if is_function:
                    yield begin, line - begin + 1
            head_begin = at + 1
        elif letter == ";":
            head_begin = at + 1

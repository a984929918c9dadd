# SPDX-FileCopyrightText: Pantile contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Lengths of functions, and what declares them, found by their braces."""

import re

CONTROL = re.compile(
    r"^(if|for|while|switch|do|else|try|catch|namespace|struct|class|enum|union|extern|KOKKOS_IF_ON\w+)\b")
# Strings, characters, comments, and lines of the preprocessor.
QUIET = re.compile(r'R"\((?:.|\n)*?\)"|"(\\.|[^"\\\n])*"|\'(\\.|[^\'\\\n])*\'|//.*|^[ \t]*#(.*\\\n)*.*', re.M)


def cleaned(text):
    return QUIET.sub(lambda m: "\n" * m[0].count("\n"), text)


def functions(text):
    """(first line, lines) of each function's definition."""
    clean = cleaned(text)
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


def without_template(head):
    """What template parameters and constraints in front of it declare."""
    head = head.strip()
    while head.startswith("template"):
        depth = 0
        for at, letter in enumerate(head):
            depth += (letter == "<") - (letter == ">" and head[at - 1] != "-")
            if letter == ">" and depth == 0:
                break
        head = head[at + 1:].strip()
    return head


class Scopes:
    """Whether what stands at a place of a file is for its users: in no function, no namespace impl or detail, and not
    private."""

    def __init__(self):
        self.open = []

    def seen(self, head):
        labels = re.findall(r"\b(public|private|protected)\s*:(?!:)", head)
        if labels and self.open:
            self.open[-1][1] = labels[-1] == "public"
        return all(is_open and is_public for is_open, is_public in self.open)

    def enter(self, head):
        head = re.sub(r"^((public|private|protected)\s*:\s*)+", "", head.strip())
        what = re.match(r"(inline )?namespace\b(?!.*\b(impl|detail)\b)|(struct|class)\b(?!.*=$)|extern\b",
                        without_template(head), re.S)
        self.open.append([bool(what), not what or what[3] != "class"])

    def leave(self):
        if self.open:
            self.open.pop()


def signatures(text):
    """(line, text) of what declares each function for users: template parameters, constraints, return type and
    parameters."""
    clean, scopes = cleaned(text), Scopes()
    begin = depth = 0
    for at, letter in enumerate(clean + ";"):
        depth += (letter == "(") - (letter == ")")
        if depth > 0 or letter not in "{};":
            continue
        head = clean[begin:at]
        is_seen = scopes.seen(head)
        start = begin + len(head) - len(head.lstrip())
        head = re.sub(r"\b(public|private|protected)\s*:(?!:)", " ", head).strip()
        rest = re.sub(r"\)\s*(noexcept\s*)?:[^:].*", ")", without_template(head), flags=re.S)
        is_other = re.match(r"(inline )?(namespace|struct|class|enum|union|using|concept|static_assert|friend|extern)\b"
                            r"|requires\b.*\b(struct|class|concept)\b|[^(]*[^=!<>]=[^=]", rest, re.S)
        if is_seen and letter != "}" and not is_other and (")" in rest or head.startswith("template")):
            yield clean.count("\n", 0, start) + 1, head[: len(head) - len(without_template(head))] + rest
        if letter == "{":
            scopes.enter(head)
        elif letter == "}":
            scopes.leave()
        begin = at + 1

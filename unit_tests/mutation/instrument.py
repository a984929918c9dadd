# SPDX-FileCopyrightText: Pantile contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Puts all mutants into one copy of the sources, each behind a question for its number (mutant schemata: R. Untch,
J. Offutt, M. J. Harrold, "Mutation Analysis Using Mutant Schemata", ISSTA 1993)."""

import pathlib
import re
import shutil
from typing import NamedTuple

import source as cxx

HEADER = pathlib.Path(__file__).with_name("pantile_mutant.hpp")
FOLDERS = ("cmake", "examples", "include", "src", "unit_tests")
FILES = ("CMakeLists.txt", "LICENSE", "README.md")


class Planted(NamedTuple):
    """A mutant with its number, as tokens of its file."""

    number: int
    begin: int
    end: int
    template: str
    new: str


class Span(NamedTuple):
    """Where a mutant lies in the instrumented text."""

    number: int
    start: int
    end: int


def without_crossings(planted):
    """Those that nest: of two that cross, the one with the higher number is left out. Returns (kept, left out)."""
    kept, out = [], []
    for one in sorted(planted):
        crosses = any(
            a.begin < b.begin < a.end < b.end for other in kept for a, b in ((one, other), (other, one))
        )
        (out if crosses else kept).append(one)
    return kept, out


def instrumented(src, planted):
    """The file's text with the mutants in it, line by line where the original has its lines, and their spans."""
    order = sorted(planted, key=lambda one: (one.begin, -one.end, one.number))
    text, spans, _ = _render(src, 0, len(src.tokens), order)
    start = src.tokens[0].start if src.tokens else 0
    head = src.text[:start]
    if planted:
        first, rest = head.split("\n", 1)
        head = "#include <pantile_mutant.hpp>\n" + rest
    spans = [Span(number, begin + len(head), end + len(head)) for number, begin, end in spans]
    end = src.tokens[-1].end if src.tokens else 0
    return head + text + src.text[end:], spans


def _render(src, begin, end, order):
    """Text of tokens begin to end with the mutants of order in it; the rest of order is handed back."""
    parts, spans = [], []
    length = 0
    at = begin

    def add(text):
        nonlocal length
        parts.append(text)
        length += len(text)

    while at < end:
        if order and order[0].begin == at:
            one, order = order[0], order[1:]
            inner, inner_spans, order = _render(src, one.begin, one.end, order)
            text = one.template.replace("{id}", str(one.number)).replace("{new}", one.new)
            before, keeps, after = text.partition("{old}")
            start = length
            add(before)
            if keeps:
                spans += [(number, length + a, length + b) for number, a, b in inner_spans]
                add(inner)
            add(after)
            spans.append((one.number, start, length))
            at = one.end
        else:
            add(src.tokens[at].text)
            at += 1
        if at < end:
            add(src.text[src.tokens[at - 1].end : src.tokens[at].start])
    return "".join(parts), spans, order


def write_if_changed(path, text):
    """Writes the file unless it has the text already, so that nothing is compiled again without need."""
    if path.is_file() and path.read_text(encoding="utf-8") == text:
        return False
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return True


def copy_tree(project, target):
    """Everything that the build of the library and its tests needs, as it is; old files that the project has lost
    go."""
    wanted = set()
    for folder in FOLDERS:
        for file in sorted((project / folder).rglob("*")):
            if file.is_file() and "__pycache__" not in file.parts:
                wanted.add(file.relative_to(project))
    wanted |= {pathlib.Path(name) for name in FILES if (project / name).is_file()}
    if target.is_dir():
        for file in sorted(target.rglob("*")):
            if file.is_file() and file.relative_to(target) not in wanted and file.name != HEADER.name:
                file.unlink()
    return sorted(wanted)


def write_copy(project, target, planted_by_path, count):
    """The copy with the mutants; returns the spans by path."""
    spans = {}
    for name in copy_tree(project, target):
        path = name.as_posix()
        if path in planted_by_path:
            src = cxx.Source(path, (project / name).read_text(encoding="utf-8"))
            text, spans[path] = instrumented(src, planted_by_path[path])
            write_if_changed(target / name, text)
        else:
            _copy(project / name, target / name)
    header = re.sub(r"PANTILE_MUTANT_COUNT(?=[] ;)])", str(count), HEADER.read_text(encoding="utf-8"))
    write_if_changed(target / "include" / HEADER.name, header)
    return spans


def _copy(source, target):
    if not target.is_file() or target.read_bytes() != source.read_bytes():
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source, target)
        shutil.copymode(source, target)

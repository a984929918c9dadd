# SPDX-FileCopyrightText: Pantile contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a suite found, by a BLAS alone and by another, and the table of what is expected."""

import collections
import dataclasses

# How many of the tests must have run: those of LAPACK's ?GEQP3RK go on until a rank that is computed, and ctest has
# 677390 by the reference, 648305 by OpenBLAS and 628115 by the layer (AVX-512).
ENOUGH = 0.9


@dataclasses.dataclass
class Outcome:
    """Of one part of a suite. failures: what failed -> how far (empty where a suite says no more), once for each time;
    broken: why there is no outcome to trust, such as an exit status."""
    tests: int = 0
    failures: list = dataclasses.field(default_factory=list)
    broken: list = dataclasses.field(default_factory=list)
    calls: int = 0
    calls_to_library: int = 0


@dataclasses.dataclass
class Verdict:
    """tests: that ran with the layer; reference: failures without it; layer: those only with it; fewer: those only
    without."""
    part: str
    tests: int
    reference: int
    layer: int
    fewer: int
    details: list
    broken: list
    calls: int


def only_in(some, others):
    """The failures of some that others lack, each as often as it is lacking."""
    left = collections.Counter(name for name, _ in others)
    found = []
    for name, detail in some:
        if left[name] > 0:
            left[name] -= 1
        else:
            found.append((name, detail))
    return found


def compare(part, reference, layer, needs_calls=True):
    added = only_in(layer.failures, reference.failures)
    broken = [f"reference: {text}" for text in reference.broken] + [f"layer: {text}" for text in layer.broken]
    if layer.tests < ENOUGH * reference.tests:
        broken.append(f"{layer.tests} tests with the layer, {reference.tests} without")
    if reference.calls_to_library:
        broken.append("the reference run called the layer")
    if layer.calls_to_library != layer.calls:
        broken.append(f"{layer.calls - layer.calls_to_library} of {layer.calls} products did not go to the layer")
    if needs_calls and layer.calls_to_library == 0:
        broken.append("no product was asked of the layer")
    return Verdict(part, layer.tests, len(reference.failures), len(added),
                   len(only_in(reference.failures, layer.failures)),
                   [f"{name}{' ' + detail if detail else ''}" for name, detail in added], broken,
                   layer.calls_to_library)


def read_table(text):
    """part -> (tests, reference, layer); lines: part tests reference layer, # begins a comment."""
    table = {}
    for line in text.splitlines():
        words = line.split("#", 1)[0].split()
        if words:
            part, *numbers = words
            if len(numbers) != 3 or part in table:
                raise ValueError(f"not a line of the table: {line}")
            table[part] = tuple(map(int, numbers))
    return table


def table_line(part, numbers):
    return "{:26} {:8} {:9} {:5}".format(part, *numbers)


def updated_table(text, table, versions):
    """The text of a table with the lines of the parts in `table` replaced or added, and the line of versions; comments
    stay."""
    lines, left = [], dict(table)
    for line in text.splitlines():
        part = (line.split("#", 1)[0].split() or [""])[0]
        if part in left:
            numbers, mark, comment = table_line(part, left.pop(part)), *line.partition("#")[1:]
            line = f"{numbers}  {mark}{comment}" if mark else numbers
        elif line.startswith("# libblas3 "):
            line = f"# {versions}"
        lines.append(line)
    return "\n".join(lines + [table_line(part, numbers) for part, numbers in left.items()]) + "\n"


def complaints(verdict, expected):
    """Why a part fails; empty when it does not. expected: a value of the table, or None for a part that it lacks."""
    found = list(verdict.broken)
    if expected is None:
        return found + ["not in the table of expected figures"]
    tests, _, layer = expected
    if verdict.tests < ENOUGH * tests:
        found.append(f"{verdict.tests} tests, expected {tests}")
    if verdict.layer > layer:
        found.append(f"{verdict.layer} failures with the layer only, expected {layer}")
    return found


def remarks(verdict, expected):
    """What is different from the table and no reason to fail."""
    if expected is None:
        return []
    tests, reference, layer = expected
    found = []
    if verdict.tests != tests:
        found.append(f"{tests} tests were expected")
    if verdict.reference != reference:
        found.append(f"{reference} failures of the reference were expected")
    if verdict.layer < layer:
        found.append(f"fewer failures with the layer than the {layer} expected")
    return found

# SPDX-FileCopyrightText: Pantile contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Where PTX that nvcc made with -lineinfo has barriers, waits for copies, bound checks and cuts, and which of Pantile's
lines they come from. A site can be dropped: its line of the text gets another content."""

import dataclasses
import re

FILE = re.compile(r'^\s*\.file\s+(\d+)\s+"([^"]+)"')
ENTRY = re.compile(r"\.entry\s+([\w$]+)")
LABEL = re.compile(r"^(\$\w+):")
LOC = re.compile(r"^\s*\.loc\s+(\d+) (\d+) (\d+)(?:, function_name [^,]+, inlined_at (\d+) (\d+) (\d+))?")
BARRIER = re.compile(r"^\s*(?:@!?%\w+ )?(?:bar\.sync|barrier\.sync)\b")
WARP_BARRIER = re.compile(r"^\s*(?:@!?%\w+ )?bar\.warp\.sync\b")
WAIT = re.compile(r"^\s*(?:@!?%\w+ )?cp\.async\.wait_\w+")
COPY = re.compile(r"^(\s*(?:@!?%\w+ )?cp\.async\.c[ag]\S* .*, )(\d+), %\w+;")
BRANCH = re.compile(r"^\s*@!?%\w+ bra\s+(\$\w+);")
ALWAYS = re.compile(r"^\s*bra\.uni\s+(\$\w+);")
LESSER = re.compile(r"^\s*min\.[su](\d+)\s+(%\w+), ([^,]+), ([^;]+);")
ACCESS = re.compile(r"\b(?:ld|st|atom|red)\.(?!param|local|const)|\bcp\.async\.c[ag]")
OWN = re.compile(r"/(?:include/)?pantile/(?:impl/)?((?:[\w]+/)*\w+\.hpp)$")
# Where others loop, cut or copy: whoever calls is the place to name.
HELPERS = re.compile(r"^(?:tile/shape|tile/team|arch/async_copy|kokkos_ext/\w+)\.hpp$")

# Reads address 0, to see whether the program ever comes by.
REACHED = "{ .reg .b64 %reached; mov.u64 %reached, 0; ld.global.b64 %reached, [%reached]; }"


@dataclasses.dataclass(frozen=True)
class Site:
    kind: str
    place: str  # file:line of Pantile's sources
    kernel: str
    line: int  # of the text, from 0
    dropped: str  # what takes the place of that line


class Places:
    """The lines of the sources that are inlined into each other, as .loc tells them."""

    def __init__(self, files):
        self.files = files
        self.inlined_at = {}
        self.now = None

    def read(self, match):
        numbers = [int(word) for word in match.groups() if word]
        position = tuple(numbers[:3])
        if position[1] == 0:  # of no line
            return
        self.inlined_at[position] = tuple(numbers[3:]) or None
        self.now = position

    def own(self):
        """The innermost of Pantile's own lines, of a helper only where nothing else is."""
        position, seen, helper = self.now, set(), None
        while position and position not in seen:
            seen.add(position)
            found = OWN.search(self.files.get(position[0], ""))
            place = found and f"{found.group(1)}:{position[1]}"
            if found and not HELPERS.match(found.group(1)):
                return place
            helper = helper or place
            position = self.inlined_at.get(position)
        return helper


def guards(lines, index, labels):
    """(kind, new content) of a line that branches forwards around accesses to memory, or to them; else None."""
    branch = BRANCH.match(lines[index])
    if not branch or labels.get(branch.group(1), -1) < index:
        return None
    target, taken = labels[branch.group(1)], f"\tbra.uni \t{branch.group(1)};"
    following = next((k for k in range(index + 1, target) if lines[k].strip() and not LOC.match(lines[k])), target)
    if following < target and ALWAYS.match(lines[following]):
        end = next((k for k in range(target + 1, len(lines)) if LABEL.match(lines[k])), len(lines))
        return ("bound check", taken) if touches(lines[target:end]) else None
    if touches(lines[index + 1 : target]):
        return "loop entry" if loops(lines, index + 1, target, labels) else "bound check", ""
    # Without an access here, there may be one in what is reached by the branch alone.
    before = next((k for k in range(target - 1, index, -1) if lines[k].strip() and not LOC.match(lines[k])), index)
    away = ALWAYS.match(lines[before])
    if away and before > index and touches(lines[target : max(target, labels.get(away.group(1), 0))]):
        return "bound check", taken
    return None


def loops(lines, first, end, labels):
    """Does a branch in these lines go back to one of them?"""
    jumps = ((k, BRANCH.match(lines[k]) or ALWAYS.match(lines[k])) for k in range(first, end))
    return any(jump and first <= labels.get(jump.group(1), -1) <= k for k, jump in jumps)


def touches(lines):
    return any(ACCESS.search(line) for line in lines)


def drops(lines, index, labels):
    """(kind, new content) for each way to drop a line, if it is a site."""
    line = lines[index]
    if BARRIER.match(line):
        return [("barrier", "")]
    if WARP_BARRIER.match(line):
        return [("warp barrier", "")]
    if WAIT.match(line):
        return [("wait for copies", "")]
    copy = COPY.match(line)
    if copy:
        return [("size of a copy", f"{copy.group(1)}{copy.group(2)};")]
    cut = LESSER.match(line)
    if cut:
        return [("cut", f"\tmov.b{cut.group(1)} \t{cut.group(2)}, {cut.group(number)};") for number in (3, 4)]
    guard = guards(lines, index, labels)
    return [guard] if guard else []


def kernels(lines):
    """(name, first line, line of its closing brace) of each; inline assembly has braces of its own."""
    name, start, depth = None, 0, 0
    for k, line in enumerate(lines):
        entry = ENTRY.search(line)
        if entry:
            name, start, depth = entry.group(1), k, 0
        if name:
            depth += line.count("{") - line.count("}")
            if depth == 0 and "}" in line:
                yield name, start, k
                name = None


def sites(text):
    """All sites of Pantile's own lines in the text of a program."""
    lines = text.splitlines()
    files = {int(m.group(1)): m.group(2) for m in map(FILE.match, lines) if m}
    found = []
    for kernel, start, end in kernels(lines):
        body = lines[start:end]
        labels = {m.group(1): k for k, line in enumerate(body) if (m := LABEL.match(line))}
        places = Places(files)
        for k, line in enumerate(body):
            loc = LOC.match(line)
            if loc:
                places.read(loc)
                continue
            ways = drops(body, k, labels)
            place = places.own() if ways else None
            if place:
                found += [Site(kind, place, kernel, start + k, content) for kind, content in ways]
    return found


def only(text, wanted):
    """The lines of the text, those of kernels that are not wanted empty."""
    lines = text.splitlines()
    for kernel, start, end in kernels(lines):
        if kernel not in wanted:
            lines[start : end + 1] = [""] * (end + 1 - start)
    return lines


def replaced(lines, line, content):
    return "\n".join([*lines[:line], content, *lines[line + 1 :]]) + "\n"

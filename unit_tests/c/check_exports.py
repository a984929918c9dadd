#!/usr/bin/env python3
# SPDX-FileCopyrightText: Pantile contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""check_exports.py LIBRARY EXPORTS SONAME HEADER...: the library shows what the list names and the headers declare, and
nothing else, and has the name that programs are linked with. NAME= stands for one that no header declares; what only a
pattern of the list names, no header need declare and no library show."""

import fnmatch
import pathlib
import re
import subprocess
import sys


def listed(text):
    """The names and patterns between global: and local: of a version script."""
    return set(re.findall(r"([\w*]+);", text.partition("global:")[2].partition("local:")[0]))


def declared(text):
    """The names of functions that a C header declares."""
    text = re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL)
    return set(re.findall(r"^[a-z][\w *]*\b(\w+)\(", text, flags=re.MULTILINE))


def names_of(header):
    if header.endswith("="):
        return {header[:-1]}
    return declared(pathlib.Path(header).read_text())


def shown(library):
    """The names that the library defines for others; the linker's own for versions (type A) are none."""
    lines = subprocess.run(["nm", "-D", "--defined-only", library], check=True, capture_output=True, text=True).stdout
    fields = [line.split() for line in lines.splitlines()]
    return {name.partition("@")[0] for *_, kind, name in fields if kind != "A"}


def soname(library):
    text = subprocess.run(["readelf", "-d", library], check=True, capture_output=True, text=True).stdout
    return re.search(r"SONAME.*\[(.*)\]", text).group(1)


def main(library, exports, name, *headers):
    patterns = listed(pathlib.Path(exports).read_text())
    wanted = {name for name in patterns if "*" not in name}
    functions = set().union(*map(names_of, headers))
    complaints = []
    for what, found in (("the library shows", shown(library)), ("the headers declare", functions)):
        extras = [name for name in sorted(found) if not any(fnmatch.fnmatchcase(name, one) for one in patterns)]
        complaints += [f"{what} {extra}, which {exports} does not list" for extra in extras]
        complaints += [f"{exports} lists {lost}, which is not what {what}" for lost in sorted(wanted - found)]
    if not wanted:
        complaints.append(f"{exports} lists nothing")
    if soname(library) != name:
        complaints.append(f"the library's name is {soname(library)}, not {name}")
    print("\n".join(complaints) or f"{len(wanted)} names, and no other")
    return bool(complaints)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))

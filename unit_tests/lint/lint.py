#!/usr/bin/env python3
# SPDX-FileCopyrightText: Pantile contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks the house rules (rules.py) on a source tree: lint.py FOLDER. Prints file:line: rule, exits 1 if any is
broken."""

import pathlib
import re
import sys

import functions
import rules

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')
COMMENT = re.compile(r"//.*$")
CONSTANTS = re.compile(r"\bconstexpr\s+[\w:]+\s+(\w[^;]*);")
NAMED = re.compile(r"(?:^|[,{.])\s*\.?(\w+)\s*=")


def room_of(path):
    """The room of a file below the source folder: ("core", name), ("face", name), ("team", name), ("impl", room),
    ..."""
    parts = path.split("/")
    if path.startswith("include/pantile/"):
        if parts[2] == "team":
            return "team", parts[-1]
        name = parts[-1].removesuffix(".hpp")
        if len(parts) > 3:
            return parts[2], name  # c, mpi
        if name == "pantile":
            return "umbrella", name
        return ("core" if name in rules.CORE else "face"), name
    if path.startswith(("src/pantile/impl/mpi/", "src/lib/mpi/")):
        return "mpi", parts[-1]
    if path.startswith("src/pantile/impl/"):
        return "impl", parts[3]
    if path.startswith("src/lib/isa/"):
        return "isa", parts[-1]
    if path.startswith(("src/lib/blas/", "src/lib/c/")):
        return ("blas" if parts[2] == "blas" else "c_face"), parts[-1]
    if path.startswith("src/lib/python/"):
        return "python", parts[-1]
    if path.startswith("src/lib/"):
        return "lib", parts[1]
    return "other", ""


def target_of(include):
    """The same for an include <pantile/...>, with the header's name."""
    parts = include.split("/")
    name = parts[-1].removesuffix(".hpp")
    if parts[1] == "impl":
        return "impl", parts[2], name
    if parts[1] == "instances":
        return "instances", name, name
    if parts[1] in ("team", "c", "mpi"):
        return parts[1], name, name
    return ("core" if name in rules.CORE else "umbrella" if name == "pantile" else "face"), name, name


def may_include_impl(kind, name, room, header):
    """May (kind, name) include header of src/pantile/impl/room?"""
    if kind == "isa":
        return room == "arch"
    door = header in rules.ARCH_DOORS
    if room == "arch" and not (kind == "impl" and name == "arch") and not door:
        return False
    if kind == "impl":
        allowed = rules.SHARED_ROOMS.get(name, rules.OPERATION_OF.get(name, rules.OPERATION))
        return room == name or room in allowed
    if kind == "core":
        return header in rules.CORE_INCLUDES.get(name, set())
    if kind == "face":
        return room == rules.FACE_ROOMS.get(name, name) or room in rules.FACE
    if kind == "team":
        return room in rules.TEAM
    if kind in rules.LIBRARY_ROOMS:
        return room in rules.LIBRARY_ROOMS[kind]
    return kind == "lib" and (room == "arch" or header == "instances")


def may_include_numbers(path, include, kind):
    """May a file include a header of a host's numbers?"""
    users = rules.TUNING_USERS.get(include.removeprefix(rules.TUNING_FOLDER).removesuffix(".hpp"), ())
    return may_include_impl(kind, room_of(path)[1], "arch", "machine") and path.startswith(users)


def may_include(path, include):
    kind, name = room_of(path)
    if include.startswith(rules.TUNING_FOLDER) and kind != "other":
        return may_include_numbers(path, include, kind)
    target, target_name, header = target_of(include)
    if kind == "other" or target == "core":
        return True
    if target == "impl":
        return may_include_impl(kind, name, target_name, header)
    if target == "instances":
        return kind == "face" and target_name == name
    if target == "team":
        return kind in ("team", "umbrella")
    if target == "face":
        calls = {"face": rules.FACE_INCLUDES, "impl": rules.ROOM_FACES}.get(kind, {})
        return kind in ("umbrella", "lib", "blas", "c_face", "mpi") or target_name in calls.get(name, ())
    if target == "mpi":
        return kind == "mpi"
    return kind in ("lib", "blas", "c_face") or (target == "c" and kind in ("c", "python", "mpi"))


def check_includes(path, number, line):
    found = INCLUDE.match(line)
    if not found:
        return
    quote, include = found.groups()
    own = path.startswith(("src/driver/", "src/lib/fortran/"))
    if quote == '"' and path.startswith(("include/", "src/")) and not own:
        yield number, f'include "{include}": headers are included as <pantile/...>'
    if ".." in include.split("/"):
        yield number, f"include {include}: relative to a parent folder"
    in_library = path.startswith(("include/", "src/"))
    if in_library and include.startswith("pantile/") and "@" not in include and not may_include(path, include):
        yield number, f"include {include}: not allowed here, see CONTRIBUTING (who may include whom)"
    if path == "include/pantile/policy.hpp" and include.startswith("Kokkos"):
        yield number, "policy.hpp is plain: no Kokkos"


def check_text(path, number, line):
    code = COMMENT.sub("", line)
    in_library = path.startswith(("include/", "src/"))
    if in_library and not path.startswith(rules.MACHINE_ROOMS):
        for macro in re.findall(rules.MACHINE_MACRO, code):
            if macro not in rules.MACHINE_MACRO_EXCEPTIONS:
                yield number, f"machine macro {macro} outside {', '.join(rules.MACHINE_ROOMS)}"
    if in_library and re.search(rules.KOKKOS_INTERNAL, code):
        yield number, "Kokkos::Impl and KOKKOS_IMPL_ are not for users"
    if not path.startswith("unit_tests/lint/") and re.search(rules.LEFTOVER, line):
        yield number, "leftover: TODO, FIXME, XXX or #if 0"


def check_frame(path, lines):
    """Opening lines, include guard, length."""
    opening = lines[1:3] if lines and lines[0].startswith("#!") else lines[:2]
    spdx = ("SPDX-FileCopyrightText: Pantile contributors", "SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception")
    if len(opening) < 2 or not all(words in line for words, line in zip(spdx, opening)):
        yield 1, "the two SPDX lines must open the file"
    # An instances.hpp defines a macro for each file that includes it, every time.
    if path.endswith((".hpp", ".h")) and not path.endswith("/instances.hpp") and "#pragma once" not in lines:
        yield 1, "#pragma once is missing"
    for folder, limit in rules.LINES.items():
        if path.startswith(folder) and len(lines) > limit:
            yield len(lines), f"{len(lines)} lines, the limit below {folder} is {limit}"


def check_shape(path, lines):
    """Columns, and lengths of functions of C++."""
    for number, line in enumerate(lines, 1):
        if len(line) > rules.COLUMNS:
            yield number, f"{len(line)} columns, the limit is {rules.COLUMNS}"
    if not path.endswith((".hpp", ".cpp", ".cu", ".h")):
        return
    for folder, limit in rules.FUNCTION_LINES.items():
        most = rules.LONG_FUNCTIONS.get(path, limit)
        if path.startswith(folder):
            for number, length in functions.functions("\n".join(lines)):
                if length > most:
                    yield number, f"a function of {length} lines, the limit is {most}"


def check_comments(path, lines):
    """Lines of comments that follow each other; the two SPDX lines are none."""
    if not path.startswith((*rules.PRIVATE, *rules.FACES)) or not path.endswith((".hpp", ".cpp", ".h", ".c")):
        return
    counted = re.compile(r"\s*//(?! SPDX)" if path.startswith(rules.PRIVATE) else r"\s*//(?!/| SPDX)")
    length = 0
    for number, line in enumerate([*lines, ""], 1):
        if counted.match(line):
            length += 1
            continue
        if length > rules.COMMENT_LINES:
            yield number - length, f"a comment of {length} lines, the limit is {rules.COMMENT_LINES}"
        length = 0


def check_signatures(path, lines):
    """What users read of a function names no type of the library's own."""
    if not path.startswith("include/") or not path.endswith(".hpp"):
        return
    for number, declared in functions.signatures("\n".join(lines)):
        if re.search(rules.IMPL_IN_SIGNATURE, declared):
            yield number, "impl:: in the signature of a face"


def check_file(root, path):
    lines = (root / path).read_text(encoding="utf-8").splitlines()
    yield from check_frame(path, lines)
    yield from check_shape(path, lines)
    yield from check_comments(path, lines)
    yield from check_signatures(path, lines)
    for number, line in enumerate(lines, 1):
        yield from check_includes(path, number, line)
        yield from check_text(path, number, line)


def files_of(root):
    for folder in rules.SPDX_FOLDERS:
        for file in sorted((root / folder).rglob("*")):
            is_script = folder == "scripts" and "." not in file.name
            if file.is_file() and (is_script or file.name.endswith(rules.SPDX_ENDINGS)):
                yield file.relative_to(root).as_posix()
    if (root / "CMakeLists.txt").is_file():
        yield "CMakeLists.txt"


def constants_of(text):
    """(line, name) of each constant that a header of numbers defines: constexpr variables, and members that a
    designated initializer sets."""
    code = "\n".join(COMMENT.sub("", line) for line in text.splitlines())
    for found in CONSTANTS.finditer(code):
        for name in NAMED.finditer(found.group(1)):
            yield code.count("\n", 0, found.start(1) + name.start(1)) + 1, name.group(1)


def check_tuning(root):
    """Each number of a machine stands in the note of them all, by its name."""
    note = root / rules.TUNING_NOTE
    names = set(re.findall(r"\w+", note.read_text(encoding="utf-8"))) if note.is_file() else set()
    for path in rules.TUNING:
        if (root / path).is_file():
            for number, name in constants_of((root / path).read_text(encoding="utf-8")):
                if name not in names:
                    yield path, number, f"{name}: {rules.TUNING_NOTE} does not say where this number comes from"


def check_documents(root):
    """examples/documents.md has a section for each of 01 to 14, with as many entries of what was mended (the last
    column of three) as the program has comments that begin with MENDED."""
    page = pathlib.Path(root, "examples", "documents.md")
    text = page.read_text(encoding="utf-8") if page.exists() else ""
    for program in sorted(pathlib.Path(root, "examples").glob("[01][0-9]_*/*.cpp")):
        if program.parent.name[:2] > "14":
            continue
        section = text.partition(f"\n## {program.stem}\n")[2].partition("\n## ")[0]
        rows = [line.split("|") for line in section.splitlines() if re.match(r"\|(?!-)", line)][1:]
        said = sum(len(row) == 5 and bool(row[3].strip()) for row in rows)
        marks = len(re.findall(r"// MENDED: ", program.read_text(encoding="utf-8")))
        if not rows or said != marks:
            yield program.relative_to(root).as_posix(), 1, f"{marks} times MENDED, {said} in examples/documents.md"


def check_tree(root):
    """All broken rules as "file:line: rule"."""
    root = pathlib.Path(root)
    broken = [f"{path}:{number}: {rule}" for path in files_of(root) for number, rule in check_file(root, path)]
    return broken + [f"{path}:{number}: {rule}" for check in (check_tuning, check_documents)
                     for path, number, rule in check(root)]


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    broken = check_tree(sys.argv[1])
    for line in broken:
        print(line)
    print(f"{len(broken)} broken rules")
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
# SPDX-FileCopyrightText: Pantile contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""check_headers.py SOURCE BUILD FOLDER [mpi]: every header compiles as the first of a file, and twice."""

import pathlib
import re
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from compiler import Compiler  # noqa: E402

INCLUDE = re.compile(r"^\s*#\s*include\s*<([^>]+)>", re.MULTILINE)


def headers(source, with_mpi):
    """Include path -> file. An instances.hpp is no header of its own: it completes a generated file."""
    found = {}
    for root in (source / "include", source / "src"):
        for file in sorted(root.glob("pantile/**/*.hpp")):
            if file.name != "instances.hpp" and (with_mpi or "mpi" not in file.parent.parts):
                found[file.relative_to(root).as_posix()] = file
    return found


def reaches_kokkos(path, files, seen):
    """Does the header include Kokkos_Core.hpp, itself or by others? Only then may it be precompiled: a header that
    uses Kokkos without including it must fail."""
    if path in seen or path not in files:
        return False
    seen.add(path)
    includes = INCLUDE.findall(files[path].read_text(encoding="utf-8"))
    return "Kokkos_Core.hpp" in includes or any(reaches_kokkos(other, files, seen) for other in includes)


def messages_of(compiler, files):
    text = "#include <{0}>\n#include <{0}>\n"
    return compiler.check_all({path: (text.format(path), reaches_kokkos(path, files, set())) for path in files})


def check_the_check(compiler):
    """A header that needs another, and one without a guard, must be found."""
    with tempfile.TemporaryDirectory() as folder:
        for name, text in (("needy.hpp", "#pragma once\nstd::string f();\n"), ("twice.hpp", "struct S {};\n")):
            header = pathlib.Path(folder, name)
            header.write_text(text, encoding="utf-8")
            if compiler.check(f'#include "{header}"\n#include "{header}"\n', False) is None:
                sys.exit(f"{name} was not found")


def main():
    source, build, folder = map(pathlib.Path, sys.argv[1:4])
    found = headers(source, sys.argv[4:] == ["mpi"])
    compiler = Compiler(build, folder)
    check_the_check(compiler)
    bad = {path: text for path, text in messages_of(compiler, found).items() if text is not None}
    for path, text in bad.items():
        print(f"--- {path}\n{text}")
    print(f"{len(found)} headers, {len(bad)} do not stand alone: {', '.join(bad)}")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())

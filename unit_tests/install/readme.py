#!/usr/bin/env python3
# SPDX-FileCopyrightText: Pantile contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""readme.py README PREFIX FOLDER OPTION...: the README's first program, built from the installation as the CMake
project of its section "Use", which gets the options; then the programs in "From C and Fortran", by the section's own
commands and as its CMake project. They print what they must."""

import os
import pathlib
import re
import shutil
import subprocess
import sys

SECTION = "From C and Fortran"
FILES = {"c": "product.c", "fortran": "product.f90"}
# Of the second product's rows, each is 2 * 3 * 3 for the three terms of a sum; every other one gets half of that more.
PRINTED = ["4 5", "10 11"] + 2 * ["27.0 27.0", "18.0 18.0"]


def blocks_of(section):
    return re.findall(r"```(\w+)\n(.*?)```", section, flags=re.DOTALL)


def section_of(text, name):
    return text.partition(f"## {name}\n")[2].partition("\n## ")[0]


def first_project(text):
    """The README's first block, and the first of CMake in the section on use."""
    language, program = blocks_of(text)[0]
    project = next(text for name, text in blocks_of(section_of(text, "Use")) if name == "cmake")
    if language != "cpp" or program.count("\n") > 10:
        sys.exit(f"the first program is of {language}, in {program.count(chr(10))} lines")
    return program, project


def blocks(text):
    """Language -> its one block of the section."""
    found = blocks_of(section_of(text, SECTION))
    if sorted(language for language, _ in found) != ["c", "cmake", "fortran", "sh"]:
        sys.exit(f"the section '{SECTION}' has blocks of {[language for language, _ in found]}")
    return dict(found)


def check(what, output):
    lines = [" ".join(line.split()) for line in output.splitlines()]
    if lines != PRINTED:
        sys.exit(f"{what} printed {lines} instead of {PRINTED}")


def main(readme, prefix, folder, *options):
    folder = pathlib.Path(folder)
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    text = pathlib.Path(readme).read_text()
    block = blocks(text)
    for language, name in FILES.items():
        (folder / name).write_text(block[language])
    descriptions = next(pathlib.Path(prefix).rglob("pantile_c.pc")).parent
    environment = dict(os.environ, PKG_CONFIG_PATH=str(descriptions), LD_LIBRARY_PATH=str(descriptions.parent))

    def run(*command, **options):
        return subprocess.run(command, check=True, cwd=folder, stdout=subprocess.PIPE, text=True, **options).stdout

    def build(project, *options):
        (folder / "CMakeLists.txt").write_text(project)
        run("cmake", "-S", ".", "-B", "build", f"-DCMAKE_PREFIX_PATH={prefix}", *options)
        run("cmake", "--build", "build")

    program, project = first_project(text)
    (folder / "app.cpp").write_text(program)
    build(project, *options)
    printed = run("build/app")
    if not re.match(r"pantile::matmul\[\w+,\w+,double\]\n", printed):
        sys.exit(f"the first program printed {printed}")
    shutil.rmtree(folder / "build")
    check("the commands", run("sh", "-e", "-c", block["sh"], env=environment))
    build(block["cmake"])
    check("the CMake project", run("build/product_c") + run("build/product_fortran"))


if __name__ == "__main__":
    main(*sys.argv[1:])

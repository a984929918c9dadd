#!/usr/bin/env python3
# SPDX-FileCopyrightText: Pantile contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""readme.py README PREFIX FOLDER: the programs in the README's section "From C and Fortran", built from the
installation by the section's own commands, then as its CMake project; they print what they must."""

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


def blocks(text):
    """Language -> its one block of the section."""
    section = text.partition(f"## {SECTION}\n")[2].partition("\n## ")[0]
    found = re.findall(r"```(\w+)\n(.*?)```", section, flags=re.DOTALL)
    if sorted(language for language, _ in found) != ["c", "cmake", "fortran", "sh"]:
        sys.exit(f"the section '{SECTION}' has blocks of {[language for language, _ in found]}")
    return dict(found)


def check(what, output):
    lines = [" ".join(line.split()) for line in output.splitlines()]
    if lines != PRINTED:
        sys.exit(f"{what} printed {lines} instead of {PRINTED}")


def main(readme, prefix, folder):
    folder = pathlib.Path(folder)
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    block = blocks(pathlib.Path(readme).read_text())
    for language, name in FILES.items():
        (folder / name).write_text(block[language])
    descriptions = next(pathlib.Path(prefix).rglob("pantile_c.pc")).parent
    environment = dict(os.environ, PKG_CONFIG_PATH=str(descriptions), LD_LIBRARY_PATH=str(descriptions.parent))

    def run(*command, **options):
        return subprocess.run(command, check=True, cwd=folder, stdout=subprocess.PIPE, text=True, **options).stdout

    check("the commands", run("sh", "-e", "-c", block["sh"], env=environment))
    (folder / "CMakeLists.txt").write_text("cmake_minimum_required(VERSION 3.25)\n" + block["cmake"])
    run("cmake", "-S", ".", "-B", "build", f"-DCMAKE_PREFIX_PATH={prefix}")
    run("cmake", "--build", "build")
    check("the CMake project", run("build/product_c") + run("build/product_fortran"))


if __name__ == "__main__":
    main(*sys.argv[1:])

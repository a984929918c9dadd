# SPDX-FileCopyrightText: Pantile contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs programs with libpantile_blas.so preloaded, and reads from the dynamic linker where their calls went."""

import glob
import os
import re
import subprocess
import tempfile

BINDING = re.compile(r"binding file (\S+) \[\d+\] to (\S+) \[\d+\]: normal symbol `(\w+)'")


def run(library, command, environment=None, **options):
    """The finished process, and the set of symbols that were bound to the library from elsewhere."""
    with tempfile.TemporaryDirectory() as folder:
        variables = dict(os.environ, **(environment or {}))
        variables.update(LD_PRELOAD=str(library), LD_DEBUG="bindings", LD_DEBUG_OUTPUT=f"{folder}/bindings")
        done = subprocess.run(command, env=variables, capture_output=True, text=True, check=False, **options)
        symbols = set()
        for file in glob.glob(f"{folder}/bindings.*"):
            with open(file, encoding="utf-8", errors="replace") as lines:
                symbols |= bound_to(library, lines)
    return done, symbols


def bound_to(library, lines):
    found = set()
    for line in lines:
        match = BINDING.search(line)
        if match and match[2] == str(library) and match[1] != str(library):
            found.add(match[3])
    return found

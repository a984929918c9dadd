# SPDX-FileCopyrightText: Pantile contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Asks the build's own compiler whether a piece of text compiles.

Kokkos_Core.hpp is precompiled once (precompile FOLDER as a program, a test fixture): a check then takes a fraction of a
second instead of several.
"""

import concurrent.futures
import json
import os
import pathlib
import shlex
import subprocess
import sys
import time

PRECOMPILED = "kokkos_precompiled.hpp"


class Compiler:
    """The command that compiles unit_tests/support/main.cpp, from the build folder's compile_commands.json."""

    def __init__(self, build, folder):
        entries = json.loads(pathlib.Path(build, "compile_commands.json").read_text(encoding="utf-8"))
        entry = next(e for e in entries if e["file"].endswith("unit_tests/support/main.cpp"))
        words = shlex.split(entry["command"])
        self._command = []
        skip = False
        for word in words:
            if skip:
                skip = False
            elif word in ("-o", "-MF", "-MT"):
                skip = True
            elif word not in ("-c", "-MD", entry["file"]):
                self._command.append(word)
        self._working = entry["directory"]
        self._folder = pathlib.Path(folder).resolve()

    def _run(self, arguments, text=None):
        return subprocess.run(
            self._command + arguments, cwd=self._working, input=text, text=True, capture_output=True, check=False
        )

    def precompile(self):
        self._folder.mkdir(parents=True, exist_ok=True)
        header = self._folder / PRECOMPILED
        header.write_text("#include <Kokkos_Core.hpp>\n", encoding="utf-8")
        done = self._run(["-x", "c++-header", str(header), "-o", f"{header}.gch"])
        if done.returncode != 0:
            raise RuntimeError(done.stderr)

    def check(self, text, with_kokkos):
        """Messages of the compiler; None if the text compiles. with_kokkos: Kokkos_Core.hpp comes first,
        precompiled."""
        first = ["-include", str(self._folder / PRECOMPILED)] if with_kokkos else []
        done = self._run(first + ["-fsyntax-only", "-x", "c++", "-"], text)
        return None if done.returncode == 0 else done.stderr

    def seconds(self, text):
        """How long the text takes to be compiled into an object."""
        start = time.monotonic()
        done = self._run(["-c", "-o", os.devnull, "-x", "c++", "-"], text)
        if done.returncode != 0:
            raise RuntimeError(done.stderr)
        return time.monotonic() - start

    def check_all(self, jobs):
        """jobs: name -> (text, with_kokkos); name -> messages or None, all processors at work."""
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            futures = {name: pool.submit(self.check, *job) for name, job in jobs.items()}
            return {name: future.result() for name, future in futures.items()}


if __name__ == "__main__":
    Compiler(sys.argv[1], sys.argv[2]).precompile()

# SPDX-FileCopyrightText: Pantile contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs programs on a BLAS of one's choice, and counts the products that they ask for."""

import os
import pathlib
import struct
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent


class Blas:
    """A BLAS that is put before a program: first the counter, then the libraries by which the program is to be
    served."""

    def __init__(self, name, counter, preload, path):
        self.name = name
        self.preload = [str(counter), *map(str, preload)]
        self.path = ":".join(map(str, path))

    def run(self, command, layer, timeout, **options):
        """(finished process or None when it took too long, calls, calls to the layer)."""
        with tempfile.NamedTemporaryFile() as counts:
            counts.write(bytes(16))
            counts.flush()
            variables = {
                "OMP_NUM_THREADS": "2", "OMP_WAIT_POLICY": "passive", "OMP_PROC_BIND": "false",
                "OPENBLAS_NUM_THREADS": "2", **os.environ, "LD_PRELOAD": " ".join(self.preload),
                "LD_LIBRARY_PATH": self.path, "COUNT_FILE": counts.name, "COUNT_LIBRARY": str(layer),
                "PYTHONDONTWRITEBYTECODE": "1",
            }
            try:
                done = subprocess.run(command, env=variables, check=False, timeout=timeout, **options)
            except subprocess.TimeoutExpired:
                done = None
            counts.seek(0)
            calls, to_layer = struct.unpack("=QQ", counts.read(16))
        return done, calls, to_layer


def build_counter(folder):
    library = folder / "count_calls.so"
    subprocess.run(["cc", "-O2", "-shared", "-fPIC", "-o", library, HERE / "count_calls.c", "-ldl"], check=True)
    return library


def library_folder():
    """Where Debian keeps libraries of this machine."""
    found = sorted(pathlib.Path("/usr/lib").glob("*/blas/libblas.so.3"))
    if not found:
        sys.exit("no reference BLAS: this belongs in the root 'suites'")
    return found[0].parent.parent


def blases(folder, layer):
    """The reference, the layer before it, and OpenBLAS, all under the reference LAPACK."""
    libraries, counter = library_folder(), build_counter(folder)
    blas, lapack, openblas = libraries / "blas", libraries / "lapack", libraries / "openblas-openmp"
    reference = blas / "libblas.so.3"
    return {
        "reference": Blas("reference", counter, [reference], [blas, lapack]),
        "layer": Blas("layer", counter, [layer, reference], [blas, lapack]),
        "openblas": Blas("openblas", counter, [openblas / "libblas.so.3"], [lapack, openblas]),
    }

# SPDX-FileCopyrightText: Pantile contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes Kokkos' configuration headers with CUDA switched on beside the host backend of Debian's library:
write_overlay.py KOKKOS_HEADERS FOLDER."""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[3] / "scripts/lib/device"))

import overlay  # noqa: E402

if __name__ == "__main__":
    headers, folder = (pathlib.Path(argument) for argument in sys.argv[1:])
    overlay.write_overlay(folder, headers, "cuda", "sm_90", host="OPENMP")

# SPDX-FileCopyrightText: Pantile contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles sources for GPUs from Kokkos' headers alone, reads the machine code, and tabulates what each kernel uses.

    python3 scripts/lib/device compile --backend cuda|hip --arch sm_90 --kokkos DIR --out DIR [...] SOURCE...
    python3 scripts/lib/device compile ... --tuned-of sm_90 --arch sm_80     # only what has tuned kernels there
    python3 scripts/lib/device report --out DIR --counts DIR ARCH...

'compile' leaves OUT/<arch>.json; 'report' joins them into OUT/report.json and a table, and fails on a compile error,
a register spilt to memory, or a tuned kernel that breaks one of the rules (rules.py).
"""

import argparse
import sys
from pathlib import Path

import compilation
import overlay
import report


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    verbs = parser.add_subparsers(dest="verb", required=True)
    one = verbs.add_parser("compile")
    one.add_argument("--backend", choices=[name for name in overlay.BACKENDS if name != "host"], required=True)
    one.add_argument("--arch", required=True)
    one.add_argument("--kokkos", type=Path, required=True)
    one.add_argument("--out", type=Path, required=True)
    one.add_argument("--include", type=Path, action="append", default=[], help="the first has <pantile/impl>")
    one.add_argument("--host-compiler")
    one.add_argument("--jobs", type=int, default=2)
    one.add_argument("--device-only", action="store_true", help="do not compile the host's half")
    one.add_argument("--tuned-of", metavar="ARCH", help="the sources that had tuned kernels there, not SOURCE")
    one.add_argument("source", type=Path, nargs="*")
    two = verbs.add_parser("report")
    two.add_argument("--out", type=Path, required=True)
    two.add_argument("--counts", type=Path, required=True, help="of an interpreter of PTX; may be missing")
    two.add_argument("--width", type=int, default=96)
    two.add_argument("--every", action="store_true", help="print the other kernels too")
    two.add_argument("arch", nargs="+")
    options = parser.parse_args()
    return compilation.compile_all(options) if options.verb == "compile" else report.report(options)


if __name__ == "__main__":
    sys.exit(main())

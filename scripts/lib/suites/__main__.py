# SPDX-FileCopyrightText: Pantile contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""suites LIBRARY OUT [--quick] [--peer] [SUITE...]: see scripts/check_suites --help."""

import argparse
import concurrent.futures
import functools
import pathlib
import subprocess
import sys
import time

import blas
import lapack
import programs
import python_tests
import verdicts

SUITES = ("blas", "lapack", "numpy", "scipy")
PACKAGES = ("libblas3", "liblapack3", "liblapack-test", "libopenblas0-openmp", "python3-numpy", "python3-scipy")


def parts_of(suite, quick):
    """part -> run(blas, layer)."""
    if suite == "blas":
        return {part: functools.partial(blas.run, part) for part in blas.parts()}
    if suite == "lapack":
        return {part: functools.partial(lapack.run, part)
                for part in lapack.parts() if not quick or part in lapack.QUICK}
    return {part: functools.partial(python_tests.run, part) for part in python_tests.parts(suite, quick)}


def needs_calls(suite, part):
    """LAPACK has routines that multiply nothing, or too little for their blocked forms."""
    return suite != "lapack" or part.endswith("test")


def show(verdict, table, seconds, peer):
    expected = table.get(verdict.part)
    numbers = (verdict.tests, verdict.reference, verdict.layer)
    line = verdicts.table_line(verdict.part, numbers) + f" {verdict.calls:9} {seconds:6.0f}"
    if peer is not None:
        line += f" {peer.layer:9}"
    print(line, flush=True)
    for text in verdict.details[:40]:
        print(f"    only with the layer: {text}")
    for text in peer.details[:40] if peer else ():
        print(f"    only with OpenBLAS: {text}")
    for text in verdicts.remarks(verdict, expected):
        print(f"    remark: {text}")
    found = verdicts.complaints(verdict, expected)
    for text in found:
        print(f"    FAILS: {text}", flush=True)
    return not found


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("library", type=pathlib.Path)
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--peer", action="store_true")
    parser.add_argument("suites", nargs="*")
    options = parser.parse_args()
    if not set(options.suites) <= set(SUITES):
        parser.error(f"suites are {', '.join(SUITES)}")
    layer = options.library.resolve(strict=True)
    options.out.mkdir(parents=True, exist_ok=True)
    options.out = options.out.resolve()
    text = (programs.HERE / "expected.txt").read_text(encoding="utf-8")
    table, recorded = verdicts.read_table(text), {}
    choices = programs.blases(options.out, layer)
    versions = subprocess.run(["dpkg-query", "-W", "-f", "${Package} ${Version}, ", *PACKAGES], capture_output=True,
                              text=True, check=True).stdout.rstrip(", ")
    print(f"reference: {choices['reference'].preload[1]}; {versions}")
    print(f"{'part':26} {'tests':>8} {'reference':>9} {'layer':>5} {'products':>9} {'s':>6}"
          + " openblas" * options.peer)
    good, failed = 0, []
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for suite in options.suites or SUITES:
            for part, run in parts_of(suite, options.quick).items():
                begin = time.monotonic()
                has_peer = options.peer and suite != "blas"
                names = ["reference", "layer"] + ["openblas"] * has_peer
                done = dict(zip(names, pool.map(lambda name, run=run: run(choices[name], layer), names)))
                verdict = verdicts.compare(f"{suite}/{part}", done["reference"], done["layer"],
                                           needs_calls(suite, part))
                peer = None
                if has_peer:
                    done["openblas"].calls_to_library = done["openblas"].calls
                    peer = verdicts.compare(part, done["reference"], done["openblas"], False)
                recorded[verdict.part] = (verdict.tests, verdict.reference, verdict.layer)
                if show(verdict, table, time.monotonic() - begin, peer):
                    good += 1
                else:
                    failed.append(verdict.part)
    out = options.out / "expected.txt"
    out.write_text(verdicts.updated_table(text, recorded, versions), encoding="utf-8")
    print(f"{good} parts as expected, {len(failed)} not{': ' if failed else ''}{', '.join(failed)}; {out}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
# SPDX-FileCopyrightText: Pantile contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A small campaign, for continuous integration: check_subset.py FOLDER COMPILER KOKKOS_DIR [--jobs N]. Plants the
faults of a few headers and some drawn mutants, builds the test programs of these headers once, and fails unless every
fault is killed."""

import argparse
import pathlib
import sys

sys.dont_write_bytecode = True

import campaign as campaigns  # noqa: E402
import hunt  # noqa: E402
import mutate  # noqa: E402
import selection  # noqa: E402

FILES = ("src/pantile/impl/reverse/", "src/pantile/impl/tile/reverse.hpp", "src/pantile/impl/fill/",
         "src/pantile/impl/view/overlap.hpp")
TARGETS = ("test_reverse", "test_fill", "test_view_overlap")
DRAWN = 25


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("compiler")
    parser.add_argument("kokkos")
    parser.add_argument("--jobs", type=int, default=2)
    arguments = parser.parse_args()

    here = campaigns.Campaign(mutate.PROJECT, arguments.folder)
    files = [path for path in selection.source_files(mutate.PROJECT) if path.startswith(FILES)]
    here.make_plan(mutate.SEED, DRAWN, files)
    here.write_copy(here.plan())
    # The kernels are linked, and called by none of these programs.
    here.configure(["-DPantile_BUILD_LIBRARY=OFF", "-DPantile_ENABLE_BLAS=OFF",
                    "-DPantile_MICRO_KERNEL_OPTIMIZATION=-O0",
                    f"-DCMAKE_CXX_COMPILER={arguments.compiler}", f"-DKokkos_DIR={arguments.kokkos}"])  # fmt: skip
    here.compile(TARGETS, arguments.jobs)

    for name in ("reach.json", "results.json"):
        (here.folder / name).unlink(missing_ok=True)
    reach = hunt.record(here, {}, mutate.progress)
    failing = [name for name, facts in reach.items() if not facts["passed"]]
    if failing or len(reach) != len(TARGETS):
        sys.exit(f"without a mutant awake, {sorted(reach)} must pass; these fail: {failing}")
    planted, sites = here.chosen(here.plan())
    results = hunt.hunt(here, planted + sites, arguments.jobs, mutate.progress)

    killed = [m for m in sites if results[str(m["number"])]["status"] == "killed"]
    alive = [m["name"] for m in planted if results[str(m["number"])]["status"] != "killed"]
    print(f"{len(planted) - len(alive)} of {len(planted)} planted faults and "
          f"{len(killed)} of {len(sites)} drawn mutants killed")
    if alive or 2 * len(killed) < len(sites):
        sys.exit(f"planted faults that no test has found: {alive}")


if __name__ == "__main__":
    main()

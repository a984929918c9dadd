# SPDX-FileCopyrightText: Pantile contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Drops the fences of Pantile's transfers and workspaces, one at a time, and says which programs notice: a fence is
skipped at run time by its label, so nothing is compiled. Each is tried with several orders of streams, with frees that
wait and with frees that do not. By hand, after scripts/test_device, in its build folder: drop_fences.py [--seeds N]
PROGRAM..."""

import argparse
import os
import pathlib
import re
import subprocess
import sys

SOURCES = pathlib.Path(__file__).resolve().parents[3] / "src/pantile/impl"
LABEL = re.compile(r'fence\("(pantile[^"]*)"\)')  # waits for events have labels too, but no fence


# Why a fence that is dropped shows in no program of CUDA's. Hosts' instances have done their work when a call returns.
EXPLAINED = {
    "pantile: no event to wait for": "where the runtime refuses an event, which this one never does",
    "pantile::mpi: the work before, on the caller's instance":
        "kernels are put behind it on the same instance, or are of the host, whose memory copies have reached",
    "pantile::transfer: before the host packs":
        "what the host packs is pageable: copies into it have ended at their return",
    "pantile::transfer: before the host unpacks":
        "what the host unpacks is pageable: copies into it have ended at their return",
    "pantile::transfer: the host has copied a piece": "of a host's instance",
    "pantile::transfer: the host has packed": "of a host's instance",
    "pantile::transfer: the host has unpacked": "of a host's instance",
    "pantile::transfer: the work before, on the caller's instance": "the caller's is a host's instance here",
}


def labels():
    found = set()
    for path in SOURCES.rglob("*.hpp"):
        found.update(LABEL.findall(path.read_text()))
    return sorted(found)


def run(program, seed, **fault):
    environment = {**os.environ, "OMP_NUM_THREADS": "1", "PANTILE_INTERPRETER_SEED": str(seed), **fault}
    words = [program, "--gtest_brief=1"]
    try:
        process = subprocess.run(words, env=environment, capture_output=True, text=True, timeout=600)
    except subprocess.TimeoutExpired:
        return "does not end"
    if process.returncode == 0:
        return ""
    failed = len(re.findall(r"^\[  FAILED  \] .*ms\)$", process.stdout, flags=re.M))
    return f"{failed} tests fail" if failed else f"stopped, status {process.returncode}"


NOT_NOTICED = "NOT NOTICED"


def verdict(programs, seeds, **fault):
    for frees in ("wait", "at_once"):
        for seed in range(seeds):
            for program in programs:
                noticed = run(program, seed, PANTILE_INTERPRETER_FREES=frees, **fault)
                if noticed:
                    return f"{pathlib.Path(program).name}, seed {seed}, frees {frees}: {noticed}"
    return NOT_NOTICED


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, default=4, help="orders of streams that are tried, from 0")
    parser.add_argument("program", nargs="+")
    options = parser.parse_args()
    unharmed = verdict(options.program, options.seeds)
    if unharmed != NOT_NOTICED:
        raise SystemExit(f"a program fails without a fault: {unharmed}")
    print("| dropped | noticed by |")
    print("|---|---|")
    unexplained = 0
    for label in labels():
        found = verdict(options.program, options.seeds, PANTILE_INTERPRETER_DROP_FENCE=label)
        if found == NOT_NOTICED and label in EXPLAINED:
            found = f"nothing: {EXPLAINED[label]}"
        unexplained += found == NOT_NOTICED
        print(f"| {label} | {found} |", flush=True)
    found = verdict(options.program, options.seeds, PANTILE_INTERPRETER_DROP_EVENTS="on")
    print(f"| all waits for events | {found} |")
    return int(unexplained > 0 or found == NOT_NOTICED)


if __name__ == "__main__":
    sys.exit(main())

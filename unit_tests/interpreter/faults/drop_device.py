#!/usr/bin/env python3
# SPDX-FileCopyrightText: Pantile contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Drops barriers, waits for copies and bound checks of Pantile's device code, one at a time, and says what notices. The PTX
of a program is changed and executed in place of its own, so that nothing is compiled. By hand, after scripts/test_device, in
its build folder: drop_device.py [--each N] [--seed N] PROGRAM..."""

import argparse
import collections
import json
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

import device_text  # noqa: E402

FAILED = re.compile(r"^\[  FAILED  \] \S+.* \(\d+ ms\)$", flags=re.M)
STOPPED = 70  # the runtime's status behind a fault


class Program:
    """A test program, what it executes, and how long it takes when nothing is dropped."""

    def __init__(self, path, folder, filter_):
        self.path = pathlib.Path(path).resolve()
        self.folder = folder
        self.arguments = ["--gtest_brief=1", "--gtest_fail_fast", *([f"--gtest_filter={filter_}"] if filter_ else [])]
        self.environment = {**os.environ, "OMP_NUM_THREADS": "1", "OMP_PROC_BIND": "false"}
        texts, kernels = folder / "texts", folder / "kernels"
        texts.mkdir(parents=True)
        start = time.monotonic()
        unharmed = self.run(
            600, PANTILE_INTERPRETER_TEXT=str(texts), PANTILE_INTERPRETER_KERNELS=str(kernels)
        )
        self.seconds = time.monotonic() - start
        if unharmed[0]:
            raise SystemExit(f"{self.path.name} fails with nothing dropped: {unharmed[0]}")
        self.races = unharmed[1]
        self.texts = {path.name: path.read_text() for path in sorted(texts.iterdir())}
        self.launched = set(kernels.read_text().splitlines()) if kernels.exists() else set()

    def run(self, limit, **variables):
        """What went wrong, in words, or nothing; and how many races were found."""
        report = self.folder / "report"
        report.unlink(missing_ok=True)
        environment = {**self.environment, "PANTILE_INTERPRETER_REPORT": str(report), **variables}
        words = [self.path, *self.arguments]
        try:
            process = subprocess.run(words, env=environment, capture_output=True, text=True, errors="replace", timeout=limit)
        except subprocess.TimeoutExpired:
            return "no end", 0
        races = sum(json.loads(line)["races"] for line in report.read_text().splitlines()) if report.exists() else 0
        if process.returncode == STOPPED:
            return "fault", races
        if process.returncode != 0:
            return "test" if FAILED.search(process.stdout) else "crash", races
        return "", races

    def verdict(self, name, text):
        changed = self.folder / "changed"
        changed.mkdir(exist_ok=True)
        (changed / name).write_text(text)
        what, races = self.run(4 * self.seconds + 20, PANTILE_INTERPRETER_TEXT_FROM=str(changed))
        (changed / name).unlink()
        return "race" if races > self.races and what in ("", "test") else what


def drawn(programs, each, seed):
    """For each kind and line of the sources, so many of its sites in kernels that are launched."""
    groups = collections.defaultdict(list)
    for program in programs:
        for name, text in program.texts.items():
            for site in device_text.sites(text):
                if f"{name} {site.kernel}" in program.launched:
                    groups[site.kind, site.place].append((program, name, site))
    chance = random.Random(seed)
    for key in sorted(groups):
        sites = groups[key]
        yield key, len(sites), chance.sample(sites, min(each, len(sites)))


def noticed(program, name, site):
    text = program.texts[name]
    what = program.verdict(name, device_text.replaced(text, site.line, site.dropped))
    if what:
        return what
    by_the_way = program.verdict(name, device_text.replaced(text, site.line, device_text.REACHED))
    return "survives" if by_the_way else "not reached"


COLUMNS = ("fault", "race", "test", "no end", "crash", "not reached", "survives")


def table(programs, each, seed, out):
    print("| dropped | line | sites | drawn |", " | ".join(COLUMNS), "|", file=out, flush=True)
    print("|---|---|---|---|" + "---|" * len(COLUMNS), file=out, flush=True)
    total, survivors = collections.Counter(), []
    for (kind, place), number, sites in drawn(programs, each, seed):
        counts = collections.Counter()
        for program, name, site in sites:
            result = noticed(program, name, site)
            counts[result] += 1
            if result == "survives":
                survivors.append(f"{kind}, {place}: {name}, line {site.line + 1}, {site.kernel}")
        total += counts
        cells = " | ".join(str(counts[column] or "") for column in COLUMNS)
        print(f"| {kind} | {place} | {number} | {len(sites)} | {cells} |", file=out, flush=True)
    cells = " | ".join(str(total[column]) for column in COLUMNS)
    print(f"| all | | | {sum(total.values())} | {cells} |", file=out, flush=True)
    return survivors


def main(words):
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--each", type=int, default=2, help="sites of each kind and line of the sources")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--filter", help="for GoogleTest: which tests run")
    parser.add_argument("program", nargs="+")
    options = parser.parse_args(words)
    with tempfile.TemporaryDirectory() as folder:
        programs = [
            Program(path, pathlib.Path(folder) / str(number), options.filter) for number, path in enumerate(options.program)
        ]
        survivors = table(programs, options.each, options.seed, sys.stdout)
    print("\n".join(["", "survivors:", *survivors]))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

#!/usr/bin/env python3
# SPDX-FileCopyrightText: Pantile contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Drops barriers, waits for copies, sizes of copies, bound checks and cuts of Pantile's device code, one at a time, and
says what notices. The PTX of a program is changed and executed in place of its own, so that nothing is compiled. By
hand, after scripts/test_device, in its build folder: drop_device.py [--each N] [--seed N] [--filter TESTS]
PROGRAM..."""

import argparse
import collections
import dataclasses
import functools
import math
import os
import pathlib
import random
import re
import resource
import signal
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

import device_text  # noqa: E402

FAILED = re.compile(r"^\[  FAILED  \] \S+.* \(\d+ ms\)$", flags=re.M)
STOPPED = 70  # the runtime's status behind a fault
ONE_CTA = {"PANTILE_INTERPRETER_MOST_CTAS": "1", "PANTILE_INTERPRETER_MOST_CTAS_OF": "TeamPolicy"}
RACE = ": a race: "
ABSENT = "is not in its program's PTX"
# As scripts/test_device has it.
SETTINGS = {
    "OMP_NUM_THREADS": "1",
    "OMP_PROC_BIND": "false",
    "PANTILE_INTERPRETER_STOP_AT_RACE": "on",
    "PANTILE_INTERPRETER_RACES_LEFT_OUT": "Kokkos_Cuda_ReduceScan.hpp",
}


@dataclasses.dataclass(frozen=True)
class Test:
    name: str
    seconds: float
    kernels: frozenset  # "FILE KERNEL" of what it launches
    in_one_cta: bool  # does it pass where one CTA plays all teams of a league?


class Program:
    """A test program: what each of its tests launches, and how long that takes when nothing is dropped."""

    def __init__(self, path, folder, filter_="*"):
        self.path = pathlib.Path(path).resolve()
        self.folder = folder
        self.texts, self.tried = {}, set()
        (folder / "texts").mkdir(parents=True)
        (folder / "changed").mkdir()
        self.tests = sorted(map(self.known, self.names(filter_)), key=lambda test: test.seconds)
        self.launched = frozenset().union(*(test.kernels for test in self.tests))

    def names(self, filter_):
        words = [self.path, "--gtest_list_tests", f"--gtest_filter={filter_}"]
        lines = subprocess.run(words, capture_output=True, text=True, check=True).stdout.splitlines()
        suite = ""
        for line in (line.split("#")[0].rstrip() for line in lines):
            if line.endswith("."):
                suite = line
            elif suite and line.startswith("  "):
                yield suite + line.strip()

    def known(self, name):
        """Runs a test as it is."""
        kernels = self.folder / "kernels"
        kernels.unlink(missing_ok=True)
        start = processor_seconds()
        unharmed = self.run([name], 600, PANTILE_INTERPRETER_KERNELS=str(kernels))
        seconds = processor_seconds() - start
        if unharmed:
            raise SystemExit(f"{self.path.name}, {name} fails with nothing dropped: {unharmed}")
        launched = frozenset(kernels.read_text().splitlines()) if kernels.exists() else frozenset()
        if {kernel.split()[0] for kernel in launched} - set(self.texts):
            self.run([name], 600, PANTILE_INTERPRETER_TEXT=str(self.folder / "texts"))
            self.texts = {path.name: path.read_text() for path in sorted((self.folder / "texts").iterdir())}
        in_one_cta = bool(launched) and not self.run([name], 600, **ONE_CTA)
        return Test(name, seconds, launched, in_one_cta)

    def run(self, tests, limit, **variables):
        """What went wrong, in a word, or nothing.

        The limit is in processor seconds: others may want the machine too."""
        words = [self.path, "--gtest_brief=1", "--gtest_fail_fast", "--gtest_filter=" + ":".join(tests)]
        environment = {**SETTINGS, **os.environ, **variables}
        within = functools.partial(resource.setrlimit, resource.RLIMIT_CPU, (math.ceil(limit), math.ceil(limit) + 5))
        process = subprocess.run(words, env=environment, capture_output=True, text=True, errors="replace",
                                 preexec_fn=within)
        if process.returncode == -signal.SIGXCPU:
            return "no end"
        if ABSENT in process.stderr + process.stdout:
            return ABSENT
        if process.returncode == STOPPED:
            return "race" if RACE in process.stderr else "fault"
        if process.returncode != 0:
            return "test" if FAILED.search(process.stdout) else "crash"
        return ""

    def verdict(self, name, site, content):
        """What goes wrong in the tests that launch the site's kernel, the quick ones first, if its line is this."""
        tests = [test for test in self.tests if f"{name} {site.kernel}" in test.kernels]
        kept = {kernel.split()[1] for test in tests for kernel in test.kernels if kernel.split()[0] == name}
        lines = device_text.only(self.texts[name], kept)
        changed = self.folder / "changed" / name
        if name not in self.tried:
            self.tried.add(name)
            changed.write_text("\n".join(lines) + "\n")
            if self.first(tests):
                raise SystemExit(f"{self.path.name} fails by a text in which nothing is dropped")
        changed.write_text(device_text.replaced(lines, site.line, content))
        what = self.first(tests)
        if what == ABSENT:  # the drop leads to a kernel that these tests do not launch else
            changed.write_text(device_text.replaced(self.texts[name].splitlines(), site.line, content))
            what = self.first(tests)
        if not what and self.first([test for test in tests if test.in_one_cta], **ONE_CTA):
            what = "one CTA"
        changed.unlink()
        return what

    def first(self, tests, **variables):
        """The first thing that goes wrong with the changed text."""
        for part in parts(tests):
            limit = 6 * sum(test.seconds for test in part) + 5
            names = [test.name for test in part]
            what = self.run(names, limit, PANTILE_INTERPRETER_TEXT_FROM=str(self.folder / "changed"), **variables)
            if what:
                return what
        return ""


def processor_seconds():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def parts(tests):
    """Some that take a tenth of the time together, one at least, and the rest."""
    tenth, first = sum(test.seconds for test in tests) / 10, 1
    while first < len(tests) and sum(test.seconds for test in tests[: first + 1]) < tenth:
        first += 1
    return [part for part in (tests[:first], tests[first:]) if part]


def drawn(programs, each, seed, only):
    """For each kind and line of the sources, so many of its sites in kernels that are launched."""
    groups = collections.defaultdict(list)
    for program in programs:
        for name, text in program.texts.items():
            for site in device_text.sites(text):
                if f"{name} {site.kernel}" in program.launched and only.search(f"{site.kind}, {site.place}"):
                    groups[site.kind, site.place].append((program, name, site))
    for kind, place in sorted(groups):
        sites = groups[kind, place]
        chance = random.Random(f"{seed} {kind} {place}")  # the same whatever else is drawn
        yield (kind, place), len(sites), chance.sample(sites, min(each, len(sites)))


def noticed(program, name, site):
    what = program.verdict(name, site, site.dropped)
    if what:
        return what
    return "survives" if program.verdict(name, site, device_text.REACHED) else "not reached"


COLUMNS = ("fault", "race", "test", "no end", "crash", "one CTA", "not reached", "survives")


def table(programs, each, seed, out, only=re.compile("")):
    print("| dropped | line | sites | drawn |", " | ".join(COLUMNS), "|", file=out, flush=True)
    print("|---|---|---|---|" + "---|" * len(COLUMNS), file=out, flush=True)
    total, survivors = collections.Counter(), []
    for (kind, place), number, sites in drawn(programs, each, seed, only):
        counts = collections.Counter()
        for program, name, site in sites:
            result = noticed(program, name, site)
            counts[result] += 1
            if result == "survives":
                survivors.append(f"{kind}, {place}: {name}, line {site.line + 1}, {site.kernel}: "
                                 f"{site.dropped.strip()}")
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
    parser.add_argument("--filter", default="*", help="for GoogleTest: which tests run")
    parser.add_argument("--only", type=re.compile, default="", help="sites whose 'KIND, FILE:LINE' matches")
    parser.add_argument("program", nargs="+")
    options = parser.parse_args(words)
    with tempfile.TemporaryDirectory() as folder:
        programs = [
            Program(path, pathlib.Path(folder) / str(number), options.filter)
            for number, path in enumerate(options.program)
        ]
        survivors = table(programs, options.each, options.seed, sys.stdout, options.only)
    print("\n".join(["", "survivors:", *survivors]))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

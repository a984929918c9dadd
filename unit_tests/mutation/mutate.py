#!/usr/bin/env python3
# SPDX-FileCopyrightText: Pantile contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Mutation testing of Pantile's host code: mutate.py plan | build | reach | run | report | sites FILE. See
README.md."""

import argparse
import pathlib
import sys
import time

sys.dont_write_bytecode = True

import campaign as campaigns  # noqa: E402
import hunt  # noqa: E402
import operators  # noqa: E402
import report  # noqa: E402
import survivors  # noqa: E402

PROJECT = pathlib.Path(__file__).resolve().parents[2]
SEED = 20261123


def progress(text):
    print(time.strftime("%H:%M:%S"), text, flush=True)


def parse():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--folder", default=PROJECT / "build" / "mutation", type=pathlib.Path, help="of the campaign")
    commands = parser.add_subparsers(dest="command", required=True)
    plan = commands.add_parser("plan", help="draw the mutants")
    plan.add_argument("--seed", type=int, default=SEED)
    plan.add_argument("--count", type=int, default=500)
    plan.add_argument("--files", nargs="*", help="only these")
    build = commands.add_parser("build", help="write the instrumented copy and compile it")
    build.add_argument("--jobs", type=int, default=2)
    build.add_argument("--targets", nargs="*", help="instead of all test programs")
    build.add_argument("--option", action="append", default=[], help="for CMake")
    commands.add_parser("reach", help="run each test program once, and see what it reaches")
    run = commands.add_parser("run", help="run the tests on each mutant that has no result yet")
    run.add_argument("--jobs", type=int, default=1)
    run.add_argument("--only", choices=("faults", "sites"))
    run.add_argument("--again", nargs="*", type=int, default=[], help="forget the results of these numbers first")
    run.add_argument("--slowest", type=float, help="leave out programs that take longer, in seconds")
    write = commands.add_parser("report", help="print the tables")
    write.add_argument("--readme", action="store_true", help="put them into README.md too")
    sites = commands.add_parser("sites", help="print all mutants of a file")
    sites.add_argument("file")
    return parser.parse_args()


def main():
    arguments = parse()
    if arguments.command == "sites":
        for site in operators.sites_of(arguments.file, (PROJECT / arguments.file).read_text(encoding="utf-8")):
            print(f"{site.line} {site.function}: {site.operator}: {site.old} -> {site.new or 'nothing'}")
        return
    here = campaigns.Campaign(PROJECT, arguments.folder)
    if arguments.command == "plan":
        here.make_plan(arguments.seed, arguments.count, arguments.files)
        plan = here.plan()
        progress(f"seed {plan['seed']}, commit {plan['commit']}: {len(plan['mutants'])} mutants")
    elif arguments.command == "build":
        here.write_copy(here.plan())
        here.configure(arguments.option)
        here.compile(arguments.targets or [*here.library_targets(), *here.test_targets()], arguments.jobs)
    elif arguments.command == "reach":
        known = here.read("reach.json", {})
        hunt.record(here, known, progress)
    elif arguments.command == "run":
        results = here.read("results.json", {})
        here.write("results.json",
                   {number: result for number, result in results.items() if number not in map(str, arguments.again)})
        planted, sites = here.chosen(here.plan())
        wanted = {"faults": planted, "sites": sites, None: planted + sites}[arguments.only]
        wanted.sort(key=survivors.is_explained)  # those that should live cost most: last
        hunt.hunt(here, wanted, arguments.jobs, progress, arguments.slowest)
    else:
        text = report.tables(here)
        print(text)
        if arguments.readme:
            report.put_into(pathlib.Path(__file__).with_name("README.md"), text)


if __name__ == "__main__":
    main()

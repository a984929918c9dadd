# SPDX-FileCopyrightText: Pantile contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What ctest ran and what was executed for it: table.py JUNIT_FILE REPORTS_FOLDER. Exits with 1 where races were found,
and where a program that ran again, in another order, did not bring the same results from the device."""

import collections
import dataclasses
import json
import pathlib
import sys
import xml.etree.ElementTree as xml


@dataclasses.dataclass
class Row:
    tests: int = 0
    failed: int = 0
    launches: int = 0
    warp_instructions: int = 0
    races: int = 0
    seconds: float = 0
    results: int = 0

    def add(self, other):
        for field in dataclasses.fields(Row):
            setattr(self, field.name, getattr(self, field.name) + getattr(other, field.name))


def program_of(test):
    return test.partition(":")[0]


def tests_in(junit, rows):
    for case in xml.parse(junit).getroot().iter("testcase"):
        row = rows[program_of(case.get("name"))]
        row.tests += 1
        row.failed += case.get("status") == "fail"
        row.seconds += float(case.get("time"))


def reports_in(folder, rows):
    for path in sorted(folder.iterdir()):
        for line in path.read_text().splitlines():
            found = json.loads(line)
            counts = {name: found[name] for name in ("launches", "warp_instructions", "races")}
            rows[path.name].add(Row(**counts, results=int(found["results"], 16)))


def merged(runs):
    """One row for each program, whatever the order it ran in."""
    rows = collections.defaultdict(Row)
    for name, run in runs.items():
        rows[program_of(name)].add(run)
    return rows


def compared(runs):
    """Runs in another order whose results are the same, and those whose results are not. They are compared with the run
    of the same cases in the order of seed 0, which is the program's own where there is no other, and ran as a whole."""
    same, others = [], []
    for name, run in sorted(runs.items()):
        program = program_of(name)
        first = runs.get(f"{program}:seed_0", runs.get(program))
        if ":" in name and first is not None and first is not run and first.launches == run.launches:
            differs = (first.results - run.results) % (1 << 64)
            (others if differs else same).append(name)
    return same, others


def table(rows):
    total = Row()
    for name, row in rows.items():
        total.add(row)
        if name.startswith("runtime_"):  # the tests of the checks plant races
            total.races -= row.races
    head = f"{'program':<28}{'tests':>7}{'failed':>8}{'launches':>10}{'M warp instr.':>15}{'races':>7}{'s':>9}"
    lines = [head, "-" * len(head)]
    for name, row in [*sorted(rows.items()), ("all", total)]:
        lines.append(
            f"{name:<28}{row.tests:>7}{row.failed:>8}{row.launches:>10}{row.warp_instructions / 1e6:>15.1f}"
            f"{row.races:>7}{row.seconds:>9.1f}"
        )
    return "\n".join(lines), total


def main(junit, reports):
    runs = collections.defaultdict(Row)
    reports_in(pathlib.Path(reports), runs)
    rows = merged(runs)
    tests_in(junit, rows)
    text, total = table(rows)
    print("executed by an interpreter of PTX:")
    print(text)
    same, others = compared(runs)
    print(f"runs in other orders with the same bits: {len(same)}, with others: {len(others)}")
    for name in others:
        print(f"{name}: not the results of {program_of(name)}")
    return int(total.races > 0 or len(others) > 0)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))

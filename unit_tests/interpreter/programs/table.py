# SPDX-FileCopyrightText: Pantile contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What ctest ran and what was executed for it: table.py JUNIT_FILE REPORTS_FOLDER. Exits with 1 where races were found."""

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
            rows[path.name].add(Row(**counts))


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
    rows = collections.defaultdict(Row)
    tests_in(junit, rows)
    reports_in(pathlib.Path(reports), rows)
    text, total = table(rows)
    print("executed by an interpreter of PTX:")
    print(text)
    return int(total.races > 0)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))

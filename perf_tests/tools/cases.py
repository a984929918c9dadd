# SPDX-FileCopyrightText: Pantile contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Cases as the programs write them, a line of JSON each (support/main.cpp), and what the reports say of one.

A case has its name, the unit of its rates, Pantile's rate (the median), its rates in all rounds (samples), those of
peers and bounds by their names, the distance of each one's quartiles relative to the median (spread), other figures
(checks) and what was wrong; or an error, or why it was skipped. Results add the numbers of threads and ranks.
"""

import json
import math


def read_lines(text):
    """JSON objects, one per line; what is no JSON is left out (a line that was being written when its program died)."""
    for line in text.splitlines():
        try:
            item = json.loads(line)
        except ValueError:
            continue
        if isinstance(item, dict):
            yield item


def is_wrong(case):
    return bool(case.get("error") or case.get("wrong"))


def is_measured(case):
    return bool(case.get("pantile")) and not is_wrong(case)


def error_of(case):
    wrong = "; ".join(f"{who}: {what}" for who, what in case.get("wrong", {}).items())
    return (case.get("error") or wrong).replace("\n", " ")


BEFORE = ("before", "before_omatcopy", "before_imatcopy")  # another Pantile, which is no peer to be best


def best_of(rates, names=None):
    """The name of the best rate (among these names), or None."""
    wanted = (lambda name: name not in BEFORE) if names is None else names.__contains__
    rates = {name: rate for name, rate in rates.items() if rate and wanted(name)}
    return max(rates, key=rates.get) if rates else None


def ratio_to(case, kind, names=None):
    """Whose rate is the best of the case's peers or bounds, and Pantile's over it; None where either is missing."""
    best = best_of(case.get(kind, {}), names)
    return best, case["pantile"] / case[kind][best] if best and case.get("pantile") else None


def mean(values):
    """The geometric one, of those that there are."""
    values = [value for value in values if value]
    return math.exp(sum(map(math.log, values)) / len(values)) if values else None


def quantile(values, share):
    """As support/quantile.hpp has it: on the line between the two nearest values."""
    values = sorted(values)
    place = share * (len(values) - 1)
    low = int(place)
    high = min(low + 1, len(values) - 1)
    return values[low] + (place - low) * (values[high] - values[low])


def samples_of(case):
    """Pantile's rates in all rounds; none where the results hold medians only."""
    return [rate for rate in case.get("samples", {}).get("pantile", ()) if rate]


def spread_of(case):
    """Distance of the quartiles of Pantile's times over their median."""
    times = [1 / rate for rate in samples_of(case)]
    if times:
        return (quantile(times, 0.75) - quantile(times, 0.25)) / quantile(times, 0.5)
    return case.get("spread", {}).get("pantile") or 0


def name_of(case):
    """With its threads and ranks, where they are known and more than one."""
    counts = [f"{case[kind]} {kind}" for kind in ("threads", "ranks") if case.get(kind, 1) > 1]
    return ", ".join([case["case"], *counts])


def lay_out(rows, right):
    """Lines of columns of equal width, those in `right` flush right; None is a rule, a short row's last cell takes the
    rest.
    """
    count = max(len(row) for row in rows if row)
    widths = [max(len(row[i]) for row in rows if row and len(row) == count) for i in range(count)]
    widths[-1] = widths[-1] if count - 1 in right else 0

    def show(row):
        cells = [
            cell.rjust(width) if i in right else cell.ljust(width) for i, (cell, width) in enumerate(zip(row, widths))
        ]
        return "  ".join(cells if len(row) == count else [*cells[:-1], row[-1]]).rstrip()

    return ["-" * (sum(widths) + 2 * count - 2) if row is None else show(row) for row in rows]

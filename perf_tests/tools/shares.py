# SPDX-FileCopyrightText: Pantile contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Does Pantile reach the share of a machine's measured bounds that it is known for there?

A table is a JSON file of machines: {"machine": a pattern of their name and kind (results.identity: families and models
of one vendor differ), "measured": the files that the shares are from, "shares": [[a pattern of cases, the least share],
...]}. The first patterns that match count. The bound is the one of the same contest: peak of multiply-adds, or the
faster of two copies. A share of the table is the least of its files, a tenth off.
"""

import json
import pathlib
import re

from cases import name_of, ratio_to
from results import Unusable

TABLE = pathlib.Path(__file__).with_name("shares.json")


def read_table(path=TABLE):
    try:
        machines = json.loads(path.read_text(encoding="utf-8"))["machines"]
        for entry in machines:
            re.compile(entry["machine"])
            for pattern, share in entry["shares"]:
                re.compile(pattern)
                if not 0 < share < 10:
                    raise ValueError(f"{share} is no share")
    except OSError as error:
        raise Unusable(f"{path}: {error.strerror}") from error
    except (ValueError, KeyError, TypeError, re.error) as error:
        raise Unusable(f"{path}: no table of shares: {type(error).__name__} {error}") from error
    return machines


def entry_for(machines, identity):
    return next((entry for entry in machines if re.search(entry["machine"], identity)), None)


def least_of(entry, case):
    """The share that a case has at least; None where none is known of it."""
    return next((share for pattern, share in entry["shares"] if re.search(pattern, case["case"])), None)


def bound_of(case):
    """The best bound that the machine has by itself, and Pantile's share of it."""
    bounds = {name: rate for name, rate in case.get("bounds", {}).items() if name != "own_float"}
    return ratio_to({**case, "bounds": bounds}, "bounds")


def check(results, machines, identity=None):
    """(cases that were looked at, one at least, [(case, bound, share, least share)] of those below)."""
    identity = identity or results.identity
    entry = entry_for(machines, identity)
    if entry is None:
        raise Unusable(f"{results.path}: no shares are known of the machine {identity or 'that it does not name'}; "
                       "--machine names another")  # fmt: skip
    looked_at, below = 0, []
    for case in results.measured():
        least = least_of(entry, case)
        bound, share = bound_of(case)
        if least is not None and share is not None:
            looked_at += 1
            if share < least:
                below.append((case, bound, share, least))
    if not looked_at:
        raise Unusable(f"{results.path}: no share is known of any of its cases, on {entry['machine']}")
    return looked_at, below


def lines_of(looked_at, below):
    lines = [
        f"below: {name_of(case)}: {share:.1%} of {bound}, at least {least:.0%} are known"
        for case, bound, share, least in below
    ]
    return [*lines, f"shares of bounds: {looked_at} cases looked at, {len(below)} below"]

# SPDX-FileCopyrightText: Pantile contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The table of scripts/bench, and what makes its figures doubtful.

A contest's rates are medians over its rounds; a ratio is Pantile's rate over the best peer's, a share Pantile's rate
over the bound in the same contest: the machine's peak of fused multiply-adds, the faster of two copies, or Pantile's
own rate for float (integers).
"""

import csv
import io
import re

from cases import BEFORE, lay_out, mean, ratio_to, spread_of
from gather import host_of, median, places_of, shares_by_rank, slowest

WIDE_SPREAD = 0.2  # quartiles further apart than this share of the median: a figure to distrust
LITTLE_SPEEDUP = 1.3  # a peer that gains less from more threads was not given them
SLOW_RANK = 0.9  # of the others' share: a rank, or its node, that is not as the others
KEPT = 0.97  # of the rate before a change: what a case should have after it
COLUMNS = ("case", "threads", "Pantile", "best peer", "", "ratio", "share")


def group_of(case):
    return case["case"].rpartition("/")[0]


def workers_of(case):
    """Threads, or where there are several ranks such as 4x2: ranks and threads of each."""
    ranks = case.get("ranks", 1)
    return str(case["threads"]) if ranks == 1 else f"{ranks}x{case['threads']}"


def make_groups(cases, group_of=group_of):
    """Geometric means over the cases of each group with as many workers."""
    members = {}
    for case in cases:
        if "error" not in case:
            members.setdefault((group_of(case), workers_of(case)), []).append(case)
    groups = []
    for (group, workers), those in members.items():
        ratios = [ratio_to(case, "peers")[1] for case in those]
        groups.append({"group": group, "workers": workers, "cases": those, "ratio": mean(ratios),
                       "least_ratio": min((ratio for ratio in ratios if ratio), default=None),
                       "share": mean([ratio_to(case, "bounds")[1] for case in those])})  # fmt: skip
    return groups


def show_rate(rate, unit):
    """Calls a second are read as the time of one call."""
    return f"{1e3 / rate:.0f} ns" if unit == "Mcall/s" else f"{rate:.3g} {unit}"


def show_own(case):
    """Pantile's rate, if it has one; of several ranks with that of the slowest and of the fastest."""
    if not case.get("pantile"):
        return "-"
    own, by_rank = show_rate(case["pantile"], case["unit"]), case.get("by_rank")
    if by_rank:
        ends = (show_rate(rate, case["unit"]).partition(" ")[0] for rate in (min(by_rank), max(by_rank)))
        own += f" ({' to '.join(ends)})"
    return own


def show_spread(case):
    """How far Pantile's quartiles are apart; of several ranks also each one's own, the least to the most."""
    own, by_rank = show_number(spread_of(case) or None, "{:.1%}"), case.get("spread_by_rank")
    return own + (f" ({min(by_rank):.1%} to {max(by_rank):.1%})" if by_rank else "")


def show_number(value, pattern):
    return "-" if value is None else pattern.format(value)


def case_row(case):
    if "error" in case:
        return (case["case"], workers_of(case), "ERROR", case["error"], "", "", "")
    best, ratio = ratio_to(case, "peers")
    own = show_own(case)
    if "allocations" in case["checks"]:
        own += f", {case['checks']['allocations']:g} allocations"
    return (
        case["case"],
        workers_of(case),
        own,
        best or "-",
        show_rate(case["peers"][best], case["unit"]) if best else "",
        show_number(ratio, "{:.2f}"),
        show_number(ratio_to(case, "bounds")[1], "{:.0%}"),
    )


def group_row(group):
    least = show_number(group["least_ratio"], "least {:.2f}")
    return (
        f"{group['group']}: geometric mean of {len(group['cases'])}",
        group["workers"],
        "",
        "",
        least,
        show_number(group["ratio"], "{:.2f}"),
        show_number(group["share"], "{:.0%}"),
    )


def make_table(cases, groups):
    """The cases of each group, its mean below them; of the sweep the mean alone."""
    rows = [COLUMNS, None]
    for group in groups:
        if not group["group"].startswith("sweep/"):
            rows += [case_row(case) for case in group["cases"]]
        rows += [group_row(group)] if len(group["cases"]) > 1 else []
        rows.append(None)
    return lay_out(rows + [case_row(case) for case in cases if "error" in case], {1, 2, 4, 5, 6})


def peers_of(runs):
    """Which peers there were, by name and number of threads."""
    described = {}
    for run in runs:
        for key, value in run["context"].items():
            if key.startswith("peer:"):
                described[key.removeprefix("peer:"), run["threads"]] = value
    return described


def slow_ranks(runs, cases):
    """Sentences on ranks that are slower than the others, over all cases of as many workers. Where ranks measure
    together their parts differ (on a square grid some send nothing in a transposition): there in each operation.
    """
    together = all("mpi" in run["context"] for run in runs)
    groups = {}
    for case in cases:
        groups.setdefault(case["case"].partition("/")[0] if together else "", []).append(case)
    found = {}
    for group in groups.values():
        for (threads, ranks), shares in shares_by_rank(group).items():
            for rank, share in enumerate(shares):
                others = median(shares[:rank] + shares[rank + 1 :]) if ranks > 1 else share
                found.setdefault((threads, ranks, rank), []).append(share / others)
    return [
        f"rank {rank} of {ranks}{host_of(runs, ranks, rank)} has {max(shares):.2f} of the others' rates"
        for (_, ranks, rank), shares in found.items()
        if max(shares) < SLOW_RANK
    ]


def doubts(runs, cases):
    """What makes the figures doubtful."""
    found = []
    for (name, _), text in peers_of(runs).items():
        speedup = re.search(r"\d+ threads are ([\d.]+) x one", text)
        if speedup and float(speedup[1]) < LITTLE_SPEEDUP:
            found.append(f"{name}: {speedup[0]}; it may not have had its threads")
    # The first program's: later ones see the load that earlier ones were.
    load = float(runs[0]["context"].get("load_avg", 0))
    if load > 0.5:
        found.append(f"the load average was {load:.1f} when the first program began: others were at work")
    wide = [case["case"] for case in cases if spread_of(case) > WIDE_SPREAD]
    if wide:
        found.append(
            f"Pantile's own quartiles are more than {WIDE_SPREAD:.0%} apart in {len(wide)} of {len(cases)} cases"
        )
    return found + slow_ranks(runs, cases)


def rank_lines(runs, cases):
    """How far ranks are apart, and the slowest host: rates of ranks over their medians, geometric means over cases."""
    places, found = places_of(runs), slowest(runs, cases)
    bindings = dict.fromkeys(place["binding"] for one in places.values() for place in one if "binding" in place)
    bad = [f"DOUBT: {said}" for said in bindings]
    if not found:
        return bad
    rates = "of one rank: the median (slowest to fastest); over its median"
    if all("mpi" in run["context"] for run in runs):
        rates = "of all ranks by the slowest one's time (by each one's own, slowest to fastest); over it"
    counts = ", ".join(map(str, sorted(places)))
    lines = [
        f"{counts} ranks on {found['hosts']} hosts, rates {rates} the slowest host, {found['host']}, has "
        f"{found['share']:.2f}, the slowest rank {found['share_of_rank']:.2f} in {found['case']}"
    ]
    widest = max(
        ((spread, rank, case["case"]) for case in cases for rank, spread in enumerate(case.get("spread_by_rank", ()))),
        default=None,
    )
    if widest:
        lines.append(
            f"quartiles of one rank's own rounds are at most {widest[0]:.1%} apart: rank {widest[1]} in {widest[2]}"
        )
    return lines + bad


def before_lines(cases):
    """Beside another Pantile in the same contests: means over the groups, and the cases that lost."""
    ratios = {}
    for case in cases:
        ratio = ratio_to(case, "peers", BEFORE)[1]
        if ratio:
            ratios.setdefault((case["case"].partition("/")[0], workers_of(case)), {})[case["case"]] = ratio
    lines = []
    for (group, workers), found in ratios.items():
        lost = sorted((ratio, name) for name, ratio in found.items() if ratio < KEPT)
        named = ", ".join(f"{name} {ratio:.2f}" for ratio, name in lost)
        over = f"geometric mean of {len(found)} {mean(found.values()):.2f}, least {min(found.values()):.2f}"
        lost = f"{len(lost)} below {KEPT}" + (f": {named}" if lost else "")
        lines.append(f"before, {group}, {workers} threads: over it, {over}; {lost}")
    return lines


def notes(runs, cases):
    lines = [f"{name}, {threads} threads: {text}" for (name, threads), text in peers_of(runs).items()]
    lines += rank_lines(runs, cases) + before_lines(cases)
    return lines + [f"DOUBT: {doubt}" for doubt in doubts(runs, cases)]


def text_of(runs, cases):
    return "\n".join(make_table(cases, make_groups(cases)) + notes(runs, cases)) + "\n"


def sweep_text(cases):
    """The squares from 1 to 512 as comma-separated values."""
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(("element", "n", "threads", "implementation", "gflops"))
    for case in cases:
        if "error" in case or not case["case"].startswith("sweep/"):
            continue
        _, element, shape = case["case"].split("/")
        n = shape.partition("x")[0]
        rates = {"pantile": case["pantile"], **case["peers"], **case["bounds"]}
        for name, rate in rates.items():
            if rate:
                writer.writerow((element, n, case["threads"], name, f"{rate:.4g}"))
    return file.getvalue()

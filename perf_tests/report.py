#!/usr/bin/env python3
# SPDX-FileCopyrightText: Pantile contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes one report of what the contests wrote: report.py --out FOLDER [--commit TEXT] FILE...

Writes bench.json (all rates of all cases, to four digits, and where they come from), table.txt and sweep.csv into FOLDER,
and prints the table. With a bench.json as the one FILE the same is made of that, without --out the table alone.
A contest's rates are medians over its rounds; a ratio is Pantile's rate over the best peer's, a share Pantile's rate
over the bound in the same contest: the machine's peak of fused multiply-adds, the faster of two copies, or Pantile's
own rate for float (integers).
"""

import argparse
import csv
import json
import pathlib
import re
import sys

from cases import error_of, is_wrong, lay_out, mean, ratio_to, read_lines, spread_of

WIDE_SPREAD = 0.2    # quartiles further apart than this share of the median: a figure to distrust
LITTLE_SPEEDUP = 1.3  # a peer that gains less from more threads was not given them
# What is kept of a program's own description of its run.
CONTEXT = ("date", "load_avg", "caches", "kokkos_version", "pantile_version")
COLUMNS = ("case", "threads", "Pantile", "best peer", "", "ratio", "share")
KINDS = {"peer": "peers", "bound": "bounds", "spread": "spread"}


def read_runs(files):
    runs, cases = [], []
    for file in files:
        for item in read_lines(file.read_text(encoding="utf-8")):
            if "context" in item:
                threads = item["context"]["host_concurrency"]
                runs.append({"program": file.stem, "threads": threads, "context": item["context"]})
            elif is_wrong(item):
                cases.append({"case": item["case"], "threads": threads, "error": error_of(item)})
            elif "unit" in item:
                cases.append({**item, "threads": threads})
    return runs, cases


def group_of(case):
    return case["case"].rpartition("/")[0]


def four_digits(value):
    return value if value is None else float(f"{value:.4g}")


def figures_of(case):
    """pantile, peer:NAME, bound:NAME, spread:pantile, allocations"""
    peers = {f"peer:{name}": rate for name, rate in case["peers"].items()}
    bounds = {f"bound:{name}": rate for name, rate in case["bounds"].items()}
    others = {"spread:pantile": spread_of(case) or None, "allocations": case["checks"].get("allocations")}
    return {"pantile": case["pantile"], **peers, **bounds, **{key: one for key, one in others.items() if one is not None}}


def compact(commit, runs, cases):
    """The text of bench.json: a group of cases names its columns once, and a case is a line."""
    kept = [run | {"context": {key: run["context"][key] for key in CONTEXT if key in run["context"]}
                   | {key: text for key, text in run["context"].items() if key.startswith("peer:")}} for run in runs]  # fmt: skip
    groups = {}
    for case in cases:
        if "error" not in case:
            groups.setdefault((group_of(case), case["threads"], case["unit"]), []).append(case)
    blocks = []
    for (group, threads, unit), members in groups.items():
        columns = list(dict.fromkeys(key for case in members for key in figures_of(case)))
        head = json.dumps({"group": group, "threads": threads, "unit": unit, "columns": columns})
        lines = []
        for case in members:
            figures = figures_of(case)
            row = [case["case"].rpartition("/")[2], *(four_digits(figures.get(key)) for key in columns)]
            lines.append("  " + json.dumps(row, separators=(",", ":")))
        blocks.append(f'{head[:-1]}, "cases": [\n' + ",\n".join(lines) + "]}")
    errors = [case for case in cases if "error" in case]
    head = json.dumps({"commit": commit, "runs": kept, "errors": errors}, indent=1)
    return f'{head[:-2]},\n "groups": [\n' + ",\n".join(blocks) + "]\n}\n"


def read_compact(content):
    cases = []
    for group in content["groups"]:
        for name, *values in group["cases"]:
            case = {"case": f"{group['group']}/{name}", "threads": group["threads"], "unit": group["unit"], "peers": {},
                    "bounds": {}, "spread": {}, "checks": {}}  # fmt: skip
            for key, value in zip(group["columns"], values):
                kind, _, what = key.partition(":")
                if key == "pantile":
                    case["pantile"] = value
                elif value is not None:
                    case[KINDS.get(kind, "checks")][what or key] = value
            cases.append(case)
    return content["commit"], content["runs"], cases + content["errors"]


def make_groups(cases):
    """Geometric means over the cases of each group and thread count."""
    members = {}
    for case in cases:
        if "error" not in case:
            members.setdefault((group_of(case), case["threads"]), []).append(case)
    groups = []
    for (group, threads), those in members.items():
        ratios = [ratio_to(case, "peers")[1] for case in those]
        groups.append({"group": group, "threads": threads, "cases": those, "ratio": mean(ratios),
                       "least_ratio": min((ratio for ratio in ratios if ratio), default=None),
                       "share": mean([ratio_to(case, "bounds")[1] for case in those])})  # fmt: skip
    return groups


def show_rate(rate, unit):
    """Calls a second are read as the time of one call."""
    return f"{1e3 / rate:.0f} ns" if unit == "Mcall/s" else f"{rate:.3g} {unit}"


def show_number(value, pattern):
    return "-" if value is None else pattern.format(value)


def case_row(case):
    if "error" in case:
        return (case["case"], str(case["threads"]), "ERROR", case["error"], "", "", "")
    best, ratio = ratio_to(case, "peers")
    own = show_rate(case["pantile"], case["unit"])
    if "allocations" in case["checks"]:
        own += f", {case['checks']['allocations']:g} allocations"
    return (
        case["case"],
        str(case["threads"]),
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
        str(group["threads"]),
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


def notes(runs, cases):
    """Which peers there were, and what makes the figures doubtful."""
    described, doubts = {}, []
    for run in runs:
        for key, value in run["context"].items():
            if key.startswith("peer:"):
                described[key.removeprefix("peer:"), run["threads"]] = value
                speedup = re.search(r"\d+ threads are ([\d.]+) x one", value)
                if speedup and float(speedup[1]) < LITTLE_SPEEDUP:
                    doubts.append(f"{key.removeprefix('peer:')}: {speedup[0]}; it may not have had its threads")
    # The first program's: later ones see the load that earlier ones were.
    load = runs[0]["context"].get("load_avg", 0)
    if load > 0.5:
        doubts.append(f"the load average was {load:.1f} when the first program began: others were at work")
    wide = [case["case"] for case in cases if spread_of(case) > WIDE_SPREAD]
    if wide:
        doubts.append(f"Pantile's own quartiles are more than {WIDE_SPREAD:.0%} apart in {len(wide)} of {len(cases)} cases")
    lines = [f"{name}, {threads} threads: {text}" for (name, threads), text in described.items()]
    return lines + [f"DOUBT: {doubt}" for doubt in doubts]


def write_sweep(cases, path):
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(("element", "n", "threads", "implementation", "gflops"))
        for case in cases:
            if "error" in case or not case["case"].startswith("sweep/"):
                continue
            _, element, shape = case["case"].split("/")
            n = shape.partition("x")[0]
            rates = {"pantile": case["pantile"], **case["peers"], **case["bounds"]}
            for name, rate in rates.items():
                writer.writerow((element, n, case["threads"], name, f"{rate:.4g}"))


def main(words=None):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+", type=pathlib.Path, metavar="FILE")
    parser.add_argument("--out", type=pathlib.Path, metavar="FOLDER")
    parser.add_argument("--commit", default="unknown", help="what was measured")
    arguments = parser.parse_args(words)

    text = arguments.files[0].read_text(encoding="utf-8")
    if text.startswith("{\n"):  # programs write objects on one line
        commit, runs, cases = read_compact(json.loads(text))
    else:
        commit, (runs, cases) = arguments.commit, read_runs(arguments.files)
    if not cases:
        sys.exit("report: no case was run")
    text = "\n".join(make_table(cases, make_groups(cases)) + notes(runs, cases)) + "\n"
    if arguments.out:
        (arguments.out / "bench.json").write_text(compact(commit, runs, cases), encoding="utf-8")
        (arguments.out / "table.txt").write_text(text, encoding="utf-8")
        write_sweep(cases, arguments.out / "sweep.csv")
    sys.stdout.write(text)
    return 1 if any("error" in case for case in cases) else 0


if __name__ == "__main__":
    sys.exit(main())

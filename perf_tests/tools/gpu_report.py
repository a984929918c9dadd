# SPDX-FileCopyrightText: Pantile contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The report of gpu_run.py: results.json and table.txt of what has been measured so far.

A ratio is Pantile's rate over the peer's, medians of the same rounds in one process (Numba and CuPy: a process of their
own). A share is Pantile's rate over a bound of the same case: the runtime's copy, or Pantile's own rate for wider
elements.
"""

import json

from cases import error_of, is_wrong, lay_out, mean, ratio_to, spread_of
from files import write_whole
from results import SCHEMA

WIDE_SPREAD = 0.1  # quartiles further apart than this share of the median: a figure to distrust
PEERS = (("cublas", ("cublas",)), ("CUDA C", ("cuda_c", "cuda_c_tile", "cuda_c_padded")), ("Numba", ("numba",)),
         ("CuPy", ("cupy",)))  # fmt: skip
COLUMNS = ("case", "Pantile", *(f"/ {name}" for name, _ in PEERS), "share of", "")
RIGHT = range(1, len(COLUMNS) - 1)
LISTS = ("steps", "tests", "cases", "groups", "sanitizer")


def group_of(case):
    return "/".join(case["case"].split("/")[:2])


def make_groups(cases):
    members = {}
    for case in cases:
        if not is_wrong(case) and "skipped" not in case:
            members.setdefault(group_of(case), []).append(case)
    groups = []
    for name, those in members.items():
        group = {"group": name, "cases": len(those)}
        for peer, names in PEERS:
            ratios = [ratio_to(case, "peers", names)[1] for case in those]
            group[peer] = mean(ratios)
            group[f"least {peer}"] = min((ratio for ratio in ratios if ratio), default=None)
        group["share"] = mean([ratio_to(case, "bounds")[1] for case in those])
        groups.append(group)
    return groups


def show(value, pattern="{:.2f}"):
    return "" if value is None else pattern.format(value)


def show_rate(rate):
    return f"{rate:.0f}" if rate >= 1000 else f"{rate:.4g}"


def case_row(case):
    if case.get("error"):
        return (case["case"], "ERROR: " + error_of(case)[:150])
    if "skipped" in case:
        return (case["case"], f"skipped: {case['skipped']}")
    own = show_rate(case["pantile"]) + " " + case["unit"] if case.get("pantile") else "-"
    bound, share = ratio_to(case, "bounds")
    doubt = "spread" if spread_of(case) > WIDE_SPREAD else ""
    wrong = "WRONG " + error_of(case) if is_wrong(case) else ""
    ratios = (show(ratio_to(case, "peers", names)[1]) for _, names in PEERS)
    return (case["case"], own, *ratios, f"{share:.0%} {bound}" if share else "", wrong or doubt)


def group_row(group):
    least = [group[f"least {peer}"] for peer, _ in PEERS]
    cells = [f"{show(group[peer])} ({show(low)})" if group[peer] else "" for (peer, _), low in zip(PEERS, least)]
    return (f"= {group['group']}: mean (least) of {group['cases']}", "", *cells, show(group["share"], "{:.0%}"), "")


def table_rows(cases, groups):
    rows = [COLUMNS, None]
    means = {group["group"]: group for group in groups}
    order = list(dict.fromkeys(group_of(case) for case in cases))
    for place, name in enumerate(order):
        rows += [case_row(case) for case in cases if group_of(case) == name]
        if means.get(name, {}).get("cases", 0) > 1:
            rows.append(group_row(means[name]))
        if place + 1 == len(order) or order[place + 1].split("/")[0] != name.split("/")[0]:
            rows.append(None)
    return rows


def test_lines(tests):
    lines = []
    for found in tests:
        text = (
            f"{found['program']}: {found['passed']} passed, {len(found['failed'])} failed, {found['skipped']} skipped"
        )
        lines.append(f"{text} in {found.get('seconds', 0):.0f} s")
        lines += [f"  FAILED {name}" for name in found["failed"]]
        lines += [f"  DIED in {death['test']}: {death['how']}" for death in found["died"]]
    if tests:
        lines.insert(0, f"tests on the device: {sum(found['passed'] for found in tests)} passed, "
                        f"{sum(len(found['failed']) for found in tests)} failed, "
                        f"{sum(len(found['died']) for found in tests)} times a program died")  # fmt: skip
    return lines


def sanitizer_lines(runs):
    lines = []
    for run in runs:
        if "skipped" in run:
            said = f"skipped: {run['skipped']}"
        elif None in map(run.get, ("errors", "passed", "failed")):
            said = f"no summary: {run.get('how', 'not run')}"
        else:
            said = f"{run['errors']} errors, {run['passed']} tests passed, {run['failed']} failed"
        lines.append(f"{run['tool']} {run['program']}: {said}")
    return lines


def step_lines(steps):
    lines = []
    for step in steps:
        for key in ("skipped", "error"):
            if key in step:
                lines.append(f"step {step['step']} {key}: {step[key]}")
    return lines


def head_lines(results):
    facts, context, bundle = results["facts"], results["context"], results["bundle"]
    device = facts.get("device", {})
    host = results.get("machine") or facts  # of schema 1
    return [
        f"device: {device.get('name', 'unknown')}, {device.get('memory.total', '?')}, driver "
        f"{device.get('driver_version', '?')}, clocks at most {device.get('clocks.max.sm', '?')} and "
        f"{device.get('clocks.max.memory', '?')}, power limit {device.get('power.limit', '?')}",
        f"host: {host.get('cpu', '')}, {host.get('cores', '?')} cores; {facts.get('date', '')}",
        f"Pantile {bundle.get('commit', 'unknown')}; {bundle.get('compiler', 'compiler unknown')}; Kokkos "
        f"{context.get('kokkos_version', '?')} {context.get('space', '')}, "
        f"team scratch {context.get('team_scratch', '?')}",
        f"vendor's BLAS: {context.get('vendor_blas', 'unknown')}",
    ]


def make_table(results):
    """Of what gpu_run.py gathered, or of a results.json."""
    lines = head_lines(results) + [""] + lay_out(table_rows(results["cases"], make_groups(results["cases"])), RIGHT)
    return lines + test_lines(results["tests"]) + sanitizer_lines(results["sanitizer"]) + step_lines(results["steps"])


def failures(results):
    """Everything that must not be: failed or dead tests, wrong or failed cases, errors that a sanitizer found."""
    found = [case["case"] for case in results["cases"] if is_wrong(case)]
    for program in results["tests"]:
        found += program["failed"] + [death["test"] for death in program["died"]]
    found += [f"{run['tool']} {run['program']}" for run in results["sanitizer"]
              if "skipped" not in run and (run.get("errors") != 0 or run.get("failed"))]  # fmt: skip
    return found + [step["step"] for step in results["steps"] if "error" in step]


def as_json(results):
    """One item per line, so that two runs can be compared line by line."""
    parts = []
    for key, value in results.items():
        if key in LISTS and value:
            items = ",\n  ".join(json.dumps(item) for item in value)
            parts.append(f' "{key}": [{items}]')
        else:
            parts.append(f' "{key}": {json.dumps(value)}')
    return "{\n" + ",\n".join(parts) + "\n}\n"


def write(results, folder):
    """Both files, each replaced whole: whoever stops the run finds the last state."""
    whole = {"schema": SCHEMA, **results, "groups": make_groups(results["cases"])}
    write_whole(folder / "results.json", as_json(whole))
    write_whole(folder / "table.txt", "\n".join(make_table(results)) + "\n")

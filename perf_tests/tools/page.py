# SPDX-FileCopyrightText: Pantile contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A result as one page of HTML, which asks for nothing outside itself."""

import html
import itertools
import re

import gpu_report
import plots
import shares
from cases import error_of, is_wrong, name_of, ratio_to, samples_of, spread_of
from gather import places_of
from results import Unusable
from table import doubts, make_groups, peers_of, rank_lines, show_number, show_own, show_rate, show_spread

STYLE = """
body { font: 15px/1.45 system-ui, sans-serif; color: #1f2933; background: #fff;
  margin: 0 auto; max-width: 72rem; padding: 1.5rem; }
h1 { font-size: 1.6rem; margin: 0 0 .2rem; } h2 { font-size: 1.2rem; margin: 2.2rem 0 .6rem; }
.where { color: #52606d; margin: 0 0 1rem; }
.scroll { overflow-x: auto; } table { border-collapse: collapse; margin: .4rem 0 1rem; }
th, td { padding: .18rem .7rem; text-align: left; vertical-align: top; }
th, td.n, td:first-child { white-space: nowrap; } td.n, th.n { text-align: right; font-variant-numeric: tabular-nums; }
thead th { border-bottom: 2px solid #9aa5b1; } tbody tr:nth-child(even) { background: #f3f5f7; }
.doubt { border-left: .3rem solid #d55e00; background: #fdf3ec; padding: .5rem .9rem; margin: .5rem 0; }
.less { font-weight: 600; } details { margin: .4rem 0; } summary { cursor: pointer; padding: .15rem 0; }
figure { margin: .5rem 0 1.5rem; } figure svg { max-width: 100%; height: auto; } figcaption { color: #52606d; }
pre { background: #f3f5f7; padding: .8rem; overflow-x: auto; font-size: 13px; }
"""
EXPLAINED = (
    "Geometric means over the cases of a group. A ratio is Pantile's rate over the best peer's in the same "
    "contest: below 1 (bold) the peer is faster. A share is its rate over the bound in the same contest."
)
CAPTIONS = {
    "ratios": "Pantile's rates over those of its peers in the same contests.",
    "roofline": "Bounds and rates of one run. Flops are counted for each byte of the operands, as if every one "
    "were moved once: what lies in a cache may be above the copy from memory.",
    "sweep": "Every square from 1 to 512.",
}


def row(cells, tag="td"):
    """Cells are texts, or (text, class)."""
    parts = []
    for cell in cells:
        text, kind = cell if isinstance(cell, tuple) else (cell, "")
        parts.append(f"<{tag}{f' class={chr(34)}{kind}{chr(34)}' if kind else ''}>{html.escape(str(text))}</{tag}>")
    return f"<tr>{''.join(parts)}</tr>"


def table(columns, rows):
    return (
        f'<div class="scroll"><table><thead>{row(columns, "th")}</thead>\n<tbody>\n'
        + "\n".join(map(row, rows))
        + "\n</tbody></table></div>"
    )


def number(value, pattern):
    return show_number(value, pattern), "n"


def ratio_cell(ratio):
    return show_number(ratio, "{:.2f}"), "n less" if ratio and round(ratio, 2) < 1 else "n"


def flat(known, prefix=""):
    """Pairs of a nested object's leaves."""
    for key, value in known.items():
        if isinstance(value, dict):
            yield from flat(value, f"{prefix}{key} ")
        else:
            yield prefix + (key if key.isupper() else key.replace("_", " ")), value


def section(title, *parts):
    return "\n".join([f"<h2>{html.escape(title)}</h2>", *parts]) if any(parts) else ""


def items(lines):
    return "<ul>" + "".join(f"<li>{html.escape(line)}</li>" for line in lines) + "</ul>" if lines else ""


def case_row(case):
    best, ratio = ratio_to(case, "peers")
    bound, share = ratio_to(case, "bounds")
    rounds = len(samples_of(case)) or case.get("rounds", "")
    return (
        name_of(case),
        (show_own(case), "n"),
        (show_spread(case), "n"),
        (rounds, "n"),
        best or "-",
        (show_rate(case["peers"][best], case["unit"]) if best else "", "n"),
        ratio_cell(ratio),
        number(share, "{:.0%}"),
        bound or "",
    )


CASE_COLUMNS = (
    "case",
    ("Pantile", "n"),
    ("quartiles apart", "n"),
    ("rounds", "n"),
    "best peer",
    ("its rate", "n"),
    ("ratio", "n"),
    ("share", "n"),
    "of",
)


def right_cases(results):
    return [case for case in results.cases if not is_wrong(case) and "skipped" not in case and case.get("unit")]


def group_tables(results):
    groups = make_groups(right_cases(results), results.group_of)
    rows = [
        (
            group["group"],
            (group["workers"], "n"),
            (len(group["cases"]), "n"),
            ratio_cell(group["ratio"]),
            ratio_cell(group["least_ratio"]),
            number(group["share"], "{:.0%}"),
        )
        for group in groups
    ]
    columns = (
        "group",
        ("workers", "n"),
        ("cases", "n"),
        ("ratio to the best peer", "n"),
        ("least", "n"),
        ("share of the bound", "n"),
    )
    details = [
        f"<details><summary>{html.escape(group['group'])}, workers: {group['workers']}, cases: {len(group['cases'])}"
        f"</summary>{table(CASE_COLUMNS, map(case_row, group['cases']))}</details>"
        for group in groups
        if not group["group"].startswith("sweep/")
    ]
    return table(columns, rows), "\n".join(details)


def pictures(results, number):
    """HTML of the pictures, and why others are left out; the number is this result's on the page."""
    try:
        drawn, left_out = plots.draw_all(results)
    except Unusable as error:
        return "", [str(error)]
    figures = [
        f"<figure>{plots.inline(figure, name[:2] + str(number))}"
        f"<figcaption>{html.escape(CAPTIONS[name])}</figcaption></figure>"
        for name, figure in drawn.items()
    ]
    return "\n".join(figures), left_out


# The programs of scripts/bench.
PROGRAMS = ("matmul", "batched_matmul", "matmul_forms", "misaligned", "integer_matmul", "low_precision_matmul",
            "movement", "histogram", "fixed_cost")  # fmt: skip
ON_RANKS = ("mpi",)  # what is run by itself


def words_after(option, command):
    """NAME of each `option NAME` in a command, which results have as one text without quotes."""
    return [word for before, word in itertools.pairwise(command.split()) if before == option]


def not_run(results):
    """Programs and cases that were not asked for, and peers that were not there."""
    command, lines = str(results.head.get("settings", {}).get("command", "")), []
    ran = {re.sub(r"-\d+$", "", run["program"]) for run in results.runs}
    missing = [name for name in PROGRAMS if name not in ran]
    if results.kind == "bench" and missing and not ran & set(ON_RANKS):
        lines.append(f"programs that were not run or had no case to run: {', '.join(missing)}")
    lines += [f"cases that --filter '{text}' does not take" for text in words_after("--filter", command)]
    shapes = words_after("--shape", command)
    lines += [f"all shapes but {', '.join(shapes)}"] * bool(shapes)
    if "--quick" in command.split():
        lines.append("cases and rounds that --quick leaves out")
    absent = {}
    for run in results.runs:
        for key, why in run["context"].items():
            if key.startswith("absent:"):
                absent[key.removeprefix("absent:")] = why
    return lines + [f"the peer {name}: {why}" for name, why in absent.items()]


def left_out(results):
    """What a reader might look for in vain, and why."""
    lines = not_run(results)
    if results.kind != "google" and results.schema < 2:
        lines.append("machine, clocks, compiler and rounds: a result of schema 1 does not have them")
    elif results.kind != "google" and "governor" not in results.machine.get("clocks", {}):
        lines.append("the governor and the greatest clock: this machine's kernel does not say")
    if any(case["case"].startswith("sweep/") for case in results.cases):
        lines.append("the sweep's cases one by one: the picture has them, and sweep.csv")
    skipped = {}
    for case in results.cases:
        if "skipped" in case:
            skipped.setdefault(case["skipped"], []).append(case["case"])
    lines += [f"{len(names)} cases, the first {names[0]}: {why}" for why, names in skipped.items()]
    return lines + [
        f"step {step['step']}: {step['skipped']}" for step in results.head.get("steps", ()) if "skipped" in step
    ]


def below_shares(results, machines):
    try:
        looked_at, below = shares.check(results, machines)
    except Unusable:
        return "", ["shares that this machine is known for: the table has none of it and of these cases"]
    rows = [
        (name_of(case), number(share, "{:.1%}"), number(least, "{:.0%}"), bound) for case, bound, share, least in below
    ]
    text = f"<p>{looked_at} cases were looked at, {len(below)} are below the share that this machine is known for.</p>"
    return text + (table(("case", ("share", "n"), ("at least", "n"), "of"), rows) if below else ""), []


def versions(results):
    """Of what all runs have in common."""
    first = results.runs[0]["context"]
    known = [
        (key.replace("_", " "), first[key])
        for key in (
            *("pantile_version", "kokkos_version", "compiler", "flags", "space", "vendor_blas", "library_version"),
            *("mpi", "grid"),
        )
        if key in first
    ]
    bundle = results.head.get("bundle", {})
    known += [
        (key.replace("_", " "), bundle[key]) for key in ("compiler", "kokkos_source", "machine_code") if key in bundle
    ]
    return known + [(f"{name}, {threads} threads", text) for (name, threads), text in peers_of(results.runs).items()]


def threads_rows(results):
    rows = {}
    for run in results.runs:
        if "affinity" in run["context"] and not run.get("places"):  # of ranks the page has each one's
            rows.setdefault((run["threads"], run.get("ranks", 1)), run["context"]["affinity"])
    return [
        (f"processors of {threads} threads" + f" in {ranks} ranks" * (ranks > 1), text)
        for (threads, ranks), text in rows.items()
    ]


def rank_tables(runs):
    """Host and processors of each rank."""
    return [
        f"<details><summary>{ranks} ranks</summary>"
        + table((("rank", "n"), "host", "processors"),
                [((rank, "n"), place["host"], place.get("affinity", "")) for rank, place in enumerate(places)])
        + "</details>"
        for ranks, places in sorted(places_of(runs).items())
    ]  # fmt: skip


def document(parts):
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1"><title>Pantile, measured</title>'
        f"<style>{STYLE}</style></head>\n<body>\n" + "\n".join(filter(None, parts)) + "\n</body></html>\n"
    )


TITLE = "<h1>Pantile, measured</h1>"


def make(results, machines):
    return make_page(results, machines)[0]


def make_page(results, machines):
    """The page of a result, and which pictures it lacks and why."""
    parts, lacking = parts_of(results, machines)
    return document([TITLE, *parts]), lacking


def make_machines_page(found, machines):
    """The same of a machine's file: each result under its name, without its cases one by one."""
    names = [html.escape(one.path.name.rpartition("#")[2]) for one in found]
    links = [f'<a href="#{name}">{name}</a>' for name in names]
    parts, lacking = [TITLE, f"<p>{', '.join(links)}</p>"], []
    for number, (name, one) in enumerate(zip(names, found)):
        more, not_drawn = parts_of(one, machines, number, False)
        parts += [f'<h1 id="{name}">{name}</h1>', *more]
        lacking += [f"{name}: {why}" for why in not_drawn]
    return document(parts), lacking


def parts_of(results, machines, number=0, has_cases=True):
    """The parts of a result's page, and which pictures it lacks and why."""
    head, context = results.head, results.runs[0]["context"]
    commit = head.get("commit", "unknown") + " and changes that are not committed" * bool(head.get("dirty"))
    known_doubts = doubts(results.runs, results.cases)
    if results.is_unfinished:
        known_doubts.append("the run did not come to its end")
    figures, not_drawn = pictures(results, number)
    shown, not_shown = below_shares(results, machines)
    groups, details = group_tables(results)
    machine = [
        *flat(head.get("facts", {}).get("device", {}), "device "),
        *flat(results.machine),
        *flat(head.get("settings", {})),
        *threads_rows(results),
    ]
    tests = []
    if results.kind == "gpu":
        tests = gpu_report.test_lines(head["tests"]) + gpu_report.sanitizer_lines(head["sanitizer"])
    missing = [] if has_cases else [f"the cases one by one: report {results.path.name} has them"]
    errors = [f"{name_of(case)}: {error_of(case)}" for case in results.cases if is_wrong(case)]
    errors += [f"step {step['step']}: {step['error']}" for step in head.get("steps", ()) if "error" in step]
    configuration = context.get("kokkos_configuration", "")
    where = "; ".join(
        filter(
            None,
            (
                results.identity,
                f"commit {commit}",
                str(context.get("date", "")),
                f"{len(right_cases(results))} cases",
                f"schema {results.schema}",
            ),
        )
    )
    parts = [
        f'<p class="where">{html.escape(where)}</p>',
        *(f'<p class="doubt">DOUBT: {html.escape(doubt)}</p>' for doubt in known_doubts),
        section("Errors", items(errors)),
        section("Pictures", figures),
        section("Groups of cases", f"<p>{html.escape(EXPLAINED)}</p>", groups),
        section("Ranks", items(rank_lines(results.runs, results.cases)), *rank_tables(results.runs)),
        section("Shares of the bounds", shown),
        section("Cases", details if has_cases else ""),
        section("Tests on the device", items(tests)),
        section("Machine and settings", table(("what", "value"), machine) if machine else ""),
        section(
            "Versions",
            table(("what", "version"), versions(results)),
            f"<details><summary>Kokkos' configuration</summary><pre>{html.escape(configuration)}</pre></details>"
            if configuration
            else "",
        ),
        section("Left out", items(left_out(results) + not_drawn + not_shown + missing)),
    ]
    return parts, not_drawn

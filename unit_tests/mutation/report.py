# SPDX-FileCopyrightText: Pantile contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The tables of a campaign: planted faults, the score, and each survivor with its reason."""

import collections

import faults
import operators
import survivors

BEGIN, END = "<!-- tables: written by mutate.py report -->", "<!-- end of the tables -->"


def code(text):
    return "`" + text.replace("|", "\\|") + "`"


def outcome(result):
    if result is None:
        return "not run"
    if result["status"] == "killed":
        return f"{result['by']}: {result['how']}"
    return {"survived": "**survived**", "unreached": "**no test reaches it**"}[result["status"]]


def table(head, rows):
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in rows])


def fault_table(planted, results):
    like = {fault.name: fault.like for fault in faults.FAULTS}
    rows = []
    for m in planted:
        result = results.get(str(m["number"]))
        text = outcome(result)
        if result and result["status"] != "killed":
            text += ": " + survivors.why_of_fault(m["name"])
        rows.append((m["name"], like[m["name"]], f"{m['path']}", text))
    killed = sum(results.get(str(m["number"]), {}).get("status") == "killed" for m in planted)
    return (f"{killed} of {len(planted)} planted faults killed.\n\n"
            + table(("fault", "stands for", "file", "killed by"), rows))


def score_table(sites, results):
    rows = []
    total = collections.Counter()
    for operator in operators.OPERATORS:
        counts = collections.Counter(results.get(str(m["number"]), {}).get("status", "not run")
                                     for m in sites if m["operator"] == operator)
        total += counts
        rows.append((operator, counts))
    rows.append(("all", total))
    texts = []
    for name, counts in rows:
        done = counts["killed"] + counts["survived"] + counts["unreached"]
        share = f"{100 * counts['killed'] / done:.1f} %" if done else "-"
        texts.append((name, *(str(counts[s]) for s in ("killed", "survived", "unreached", "not run")), share))
    return table(("operator", "killed", "survived", "not reached", "not run", "killed of those run"), texts), total


def survivor_table(sites, results):
    """Grouped by reason; what has none stands under "not explained"."""
    groups = collections.defaultdict(list)
    for m in sites:
        result = results.get(str(m["number"]))
        if result and result["status"] != "killed":
            kind, why = survivors.why(m)
            groups[kind].append((f"{m['path'].removeprefix('src/pantile/impl/')}, {m['function']}", m["operator"],
                                 f"{code(m['old'])} -> {code(m['new']) if m['new'] else 'left out'}",
                                 why + (" (not reached)" if result["status"] == "unreached" else "")))  # fmt: skip
    parts = [table(("survivors", "number"),
                   [(survivors.KINDS[kind], str(len(groups[kind]))) for kind in survivors.KINDS if groups[kind]])]
    for kind, text in survivors.KINDS.items():
        if groups[kind]:
            parts.append(f"#### {text[0].upper() + text[1:]}\n\n"
                         + table(("where", "operator", "mutant", "why"), sorted(groups[kind])))
    return "\n\n".join(parts), groups


def tables(campaign):
    plan = campaign.plan()
    results = campaign.read("results.json", {})
    planted, sites = campaign.chosen(plan)
    scores, total = score_table(sites, results)
    texts, groups = survivor_table(sites, results)
    day = results.get("date", "no day yet")
    equal = sum(len(groups[kind]) for kind in survivors.SAME_RESULT)
    done = total["killed"] + total["survived"] + total["unreached"]
    judged = done - equal
    adjusted = f"{100 * total['killed'] / judged:.1f} %" if judged else "-"
    return "\n\n".join([
        f"Seed {plan['seed']}, {len(sites)} drawn mutants, sources of commit {plan['commit']}, run on {day}."
        " Names of files are those of that commit.",
        "### Planted faults", fault_table(planted, results),
        "### Drawn mutants", scores,
        f"Without the {equal} that change no result: {total['killed']} of {judged}, {adjusted}.",
        "### Survivors", texts,
    ]) + "\n"  # fmt: skip


def put_into(file, text):
    """Replaces what stands between the two marks."""
    old = file.read_text(encoding="utf-8")
    before, _, rest = old.partition(BEGIN)
    _, _, after = rest.partition(END)
    if not rest or END not in rest:
        raise SystemExit(f"{file} lacks the marks of the tables")
    file.write_text(before + BEGIN + "\n\n" + text + "\n" + END + after, encoding="utf-8")

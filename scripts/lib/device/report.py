# SPDX-FileCopyrightText: Pantile contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The tables of the device check, and what fails it."""

import json

import facts
import modelled
import names
import occupancy
import rules
from resources import spills

OTHERS = [
    ("registers", "regs"),
    ("matrix_registers", "agprs"),
    ("static_scratch", "scratch"),
    ("stack", "stack"),
    ("spill_stores", "sp.st"),
    ("spill_loads", "sp.ld"),
    ("scalar_spills", "sp.sgpr"),
]


def distinct(units):
    """(arch, source, kernel) of each kernel once, without those of Kokkos itself; and how many those are."""
    rows, seen, own = [], set(), 0
    for unit in units:
        for kernel in unit["kernels"]:
            key = (unit["arch"], kernel["mangled"])
            if key in seen:
                continue
            seen.add(key)
            own += kernel["kokkos_own"]
            if not kernel["kokkos_own"]:
                rows.append((unit["arch"], unit["source"], kernel))
    return rows, own


def number(value, digits=0):
    return "-" if value is None else f"{value:.{digits}f}"


def occupied(arch, kernel):
    """Percent of a multiprocessor's threads that a kernel's teams can be, or None."""
    bounds, fit = names.launch_bounds(kernel["name"]), rules.fit(arch, kernel)
    if fit is None:
        return None
    return 100 * min(fit.teams * bounds[0], occupancy.MACHINES[arch].threads) / occupancy.MACHINES[arch].threads


def tuned_row(arch, kernel, width):
    bounds, fit, fact = names.launch_bounds(kernel["name"]), rules.fit(arch, kernel), kernel.get("fact")
    threads, designed = bounds or (None, None)
    registers = number(kernel.get("registers"))
    if kernel.get("matrix_registers"):
        registers += f"+{kernel['matrix_registers']}"
    scratch = fact["scratch"] if fact and fact["scratch"] >= 0 else None
    found = ", ".join(f"{rules.plain(one)} {times}" for one, times in rules.found_instructions(arch, kernel))
    return [
        arch,
        names.shorten_tuned(kernel["name"], width),
        number(threads),
        registers,
        number(scratch),
        number(designed),
        number(fit and fit.teams),
        fit.bound if fit else "-",
        number(occupied(arch, kernel)),
        number(facts.per_byte_of_scratch(fact), 1),
        number(facts.per_byte_of_memory(fact), 1),
        found or "-",
    ]


def tuned_table(rows, width=52):
    head = ["arch", "tuned kernel", "threads", "regs", "scratch", "teams", "fit", "bound by", "occ%", "flop/B s",
            "flop/B m", "instructions found"]  # fmt: skip
    yield from lines_of([head, *(tuned_row(arch, kernel, width) for arch, _, kernel in rows)], {0, 1, 7, 11})


def lines_of(body, left):
    """Columns as wide as their widest cell; those in left begin with it."""
    widths = [max(len(line[column]) for line in body) for column in range(len(body[0]))]
    for line in body:
        cells = enumerate(zip(line, widths))
        yield "  ".join(cell.ljust(size) if at in left else cell.rjust(size) for at, (cell, size) in cells).rstrip()


def modelled_row(arch, kernel, width):
    cases = kernel["modelled"]
    slow, fast = modelled.best_and_worst(cases) or (next(iter(cases)),) * 2
    figures = cases[slow]
    peak = sorted({number(100 * cases[case]["share"]) for case in (slow, fast) if cases[case]["share"]}, key=float)
    mix = [f"{what} {number(100 * part)}" for what, part in figures["mix"].items() if part >= 0.03]
    return [
        names.shorten_tuned(kernel["name"], width),
        number(kernel.get("registers")),
        number(occupied(arch, kernel)),
        *(number(found and found[0], 2) for name in modelled.RATIOS for found in [modelled.worst(cases, name)]),
        number(figures["bytes"] / 1024),
        figures["bound"] or "-",
        "-".join(peak) or "-",
        f"{figures['second']} {number(100 * figures['second_part'])}" if figures["second"] else "-",
        number(figures["issue"] and 100 * figures["issue"]),
        number(figures["alu"] and 100 * figures["alu"]),
        ", ".join(mix),
    ]


def modelled_table(rows, width=52):
    head = ["tuned kernel", "regs", "occ%", "st.s", "ld.s", "ld.g", "st.g", "KiB", "bound by", "peak%", "then", "issue",
            "alu", "instructions %"]  # fmt: skip
    yield from lines_of([head, *(modelled_row(arch, kernel, width) for arch, _, kernel in rows)], {0, 8, 10, 13})


def other_table(rows, width):
    yield f"{'arch':8}{'kernel':{width}}" + "".join(f"{title:>9}" for _, title in OTHERS)
    for arch, _, kernel in rows:
        cells = [kernel.get(key) for key, _ in OTHERS]
        figures = "".join(f"{'-' if cell is None else cell:>9}" for cell in cells)
        mark = "  <- spills" if spills(kernel) else ""
        yield f"{arch:8}{names.shorten(kernel['name'], width - 1):{width}}{figures}{mark}"


LEGEND = """\
threads, teams: of a team, and how many of them a multiprocessor should hold, as the kernel declares; fit: how many it
can hold, by what bounds them; occ%: their share of a multiprocessor's threads; scratch: bytes of a team; flop/B: of the
tile, per byte from scratch to registers (s) and from memory to scratch (m)."""


MODELLED = """\
Modelled for sm_90 from what an interpreter of PTX executed (lib/device/modelled.py); nobody has measured it. Of a
matmul's tile: its main loop. st.s, ld.s: wavefronts of scratch over the fewest, ld.g, st.g: sectors of global memory
over the fewest, each in the case (layouts of A and B) that is worst; the rest in the case with the least share of
the peak. KiB: to and from the second-level cache; bound by: the pipe that needs most clocks; peak%: what that leaves
of the peak, in the worst and in the best case; then: the next pipe, in percent of those clocks; issue, alu: clocks
of all instructions and of those for addresses, in the same percent, at most: the machine code has fewer than PTX;
instructions %: those of each kind."""


def add_models(units, counts):
    """To each kernel for sm_90 the figures of the cases in which it was counted."""
    for unit in units:
        for kernel in unit["kernels"]:
            if unit["arch"] == "sm_90" and kernel["mangled"] in counts:
                kernel["modelled"] = modelled.models(kernel, counts)


def tell_models(tuned):
    known = [row for row in tuned if row[2].get("modelled")]
    if known:
        print("\n".join(modelled_table(known)), MODELLED, sep="\n", end="\n\n")
    missing = sum(arch == "sm_90" and not kernel.get("modelled") for arch, _, kernel in tuned)
    if missing:
        print(f"{missing} of the tuned kernels for sm_90 are not modelled, {len(known)} are "
              "(scripts/test_device -L counts)")


def tell(units, width, every):
    """Prints everything; returns the exit status and the lines of the other kernels' table."""
    rows, own = distinct(units)
    rows.sort(key=lambda row: (row[0], row[1], row[2]["name"]))
    tuned = [row for row in rows if row[2]["tuned"]]
    others = [row for row in rows if not row[2]["tuned"]]
    table = list(other_table(others, width))
    if tuned:
        print("\n".join(tuned_table(tuned)), LEGEND, sep="\n", end="\n\n")
    tell_models(tuned)
    if every:
        print("\n".join(table), end="\n\n")

    failed = [unit for unit in units if not unit["compiled"]]
    spilling = [row for row in others if spills(row[2])]
    broken = [(arch, kernel, found) for arch, _, kernel in rows if (found := rules.faults_of(arch, kernel))]
    print(
        f"{len(units)} units, {len(failed)} failed to compile; {len(tuned)} tuned kernels, {len(broken)} break a rule; "
        f"{len(others)} other kernels, {len(spilling)} spill; {own} kernels of Kokkos itself not shown"
    )
    for unit in failed:
        print(f"failed: {unit['arch']} {unit['source']}")
    for arch, _, kernel in spilling:
        print(f"spills: {arch} {names.shorten(kernel['name'], width)}")
    for arch, kernel, found in broken:
        print(f"broken: {arch} {names.shorten_tuned(kernel['name'], width)}: {'; '.join(found)}")
    return (1 if failed or spilling or broken or not units else 0), table


def report(options):
    units = [unit for arch in options.arch for unit in json.loads((options.out / f"{arch}.json").read_text())]
    add_models(units, modelled.read(options.counts))
    status, table = tell(units, options.width, options.every)
    (options.out / "report.json").write_text(json.dumps({"units": units}, indent=1) + "\n")
    (options.out / "kernels.txt").write_text("\n".join(table) + "\n")
    spent = sum(unit["processor_seconds"] for unit in units)
    files = f"other kernels: {options.out / 'kernels.txt'}; all: {options.out / 'report.json'}"
    print(f"{spent / 60:.1f} processor minutes; {files}")
    return status

# SPDX-FileCopyrightText: Pantile contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Is Pantile faster or slower in one result than in another? Case by case, of two files or folders of one kind.

A case is worse or better where both hold: its rate has changed by more than noise, and its rounds differ by the rank test
of Mann and Whitney at a risk of 5 %; where rounds are too few for that (3 and 3) they must not overlap, and the rate has
changed by more than twice the noise. Rounds of one process do not know what changes between processes: noise is the
threshold or, where that is more, what 95 of 100 rates of the other libraries changed by between the two results, since
those ran the same code; at most a tenth: machines that differ by more are not to be compared. Of results without rounds the
ranges between the quartiles must not meet. A case that has become an error is worse.
"""

import dataclasses
import math
import re
from collections import Counter

from cases import error_of, is_measured, lay_out, mean, name_of, quantile, samples_of, spread_of
from rank_test import least_probability, probability
from results import Unusable
from table import peers_of, show_rate

THRESHOLD = 0.03  # perf_tests/notes/comparing.md
RISK = 0.05
CONTROL = 0.95
MOST_NOISE = 0.1
LEAST_CONTROLS = 20  # fewer rates of others are no measure of noise
# Rungs and forms of Pantile's own are peers of a contest too.
OWN_PEERS = r"^(naive|grid_stride|tiled|contiguous|aligned|kernels|depth_\d+)$"
CONDITIONS = ("compiler", "flags", "kokkos_version", "affinity", "space", "vendor_blas")
VERDICTS = ("better", "worse", "same")


@dataclasses.dataclass
class Pair:
    """A case in both results."""

    old: dict
    new: dict
    verdict: str = "same"

    @property
    def ratio(self):
        return self.new["pantile"] / self.old["pantile"] if is_measured(self.new) else None


@dataclasses.dataclass
class Comparison:
    pairs: dict  # by key: name, threads, ranks
    missing: list  # cases of the old result only
    added: list  # of the new one only
    controls: dict  # by key: what the rates of other libraries changed by
    control: float  # of these, but for a few of a hundred
    noise: float

    def count(self, verdict):
        return sum(pair.verdict == verdict for pair in self.pairs.values())


def key_of(case):
    return case["case"], case["threads"], case.get("ranks", 1)


def range_of(case):
    """Between the quartiles, as far as the distance of these says."""
    half = case["pantile"] * spread_of(case) / 2
    return case["pantile"] - half, case["pantile"] + half


def evidence(old, new):
    """Do the rounds of two cases differ, and how many times the noise must the rates?"""
    rounds = samples_of(old), samples_of(new)
    if all(len(rates) > 1 for rates in rounds):
        least = least_probability(*map(len, rounds))
        return probability(*rounds) <= max(RISK, least), 1 if least <= RISK else 2
    (low, high), (other_low, other_high) = range_of(old), range_of(new)
    return other_low > high or other_high < low, 1


def judge(old, new, noise):
    if not is_measured(new):
        return "worse"
    change = math.log(new["pantile"] / old["pantile"])
    if abs(change) <= -math.log1p(-noise):
        return "same"
    differ, times = evidence(old, new)
    if not differ or abs(change) <= -times * math.log1p(-noise):
        return "same"
    return "better" if change > 0 else "worse"


def described(results):
    """Which library each peer was, without how its threads did."""
    return {name: re.sub(r", \d+ threads are .*", "", text) for (name, _), text in peers_of(results.runs).items()}


def foreign(case):
    return {name: rate for name, rate in case.get("peers", {}).items() if rate and not re.match(OWN_PEERS, name)}


def find_controls(pairs, old, new):
    """Ratios of the rates of libraries that are the same in both results."""
    before, after = described(old), described(new)
    controls = {}
    for key, pair in pairs.items():
        was, is_now = foreign(pair.old), foreign(pair.new)
        ratios = [is_now[name] / rate for name, rate in was.items() if name in is_now and before.get(name) == after.get(name)]
        if ratios:
            controls[key] = ratios
    return controls


def check_peers(pairs, old, new):
    """A peer that is gone took its turns in one of the contests only: other caches, other clocks."""
    was = {name for pair in pairs.values() for name in foreign(pair.old)}
    gone = sorted(was - {name for pair in pairs.values() for name in foreign(pair.new)})
    if gone:
        raise Unusable(f"{new.path}: no rates of {', '.join(gone)}, beside which {old.path} was measured; "
                       "--without-peers compares all the same")  # fmt: skip


def check_units(pairs, new):
    for pair in pairs.values():
        if is_measured(pair.new) and pair.new["unit"] != pair.old["unit"]:
            raise Unusable(f"{new.path}: {name_of(pair.new)} is in {pair.new['unit']}, not in {pair.old['unit']}")


def compare(old, new, threshold=THRESHOLD, without_peers=False):
    if old.kind != new.kind:
        raise Unusable(f"{new.path}: a result of the kind {new.kind}, {old.path} is of the kind {old.kind}")
    before = {key_of(case): case for case in old.measured()}
    after = {key_of(case): case for case in new.cases if "skipped" not in case}
    pairs = {key: Pair(case, after[key]) for key, case in before.items() if key in after}
    if not pairs:
        raise Unusable(f"{new.path}: no case is in {old.path} too")
    check_units(pairs, new)
    if not without_peers:
        check_peers(pairs, old, new)
    controls = {} if without_peers else find_controls(pairs, old, new)
    changes = [abs(math.log(ratio)) for ratios in controls.values() for ratio in ratios]
    control = -math.expm1(-quantile(changes, CONTROL)) if len(changes) >= LEAST_CONTROLS else 0
    noise = max(threshold, min(control, MOST_NOISE))
    for pair in pairs.values():
        pair.verdict = judge(pair.old, pair.new, noise)
    missing = [case for key, case in before.items() if key not in after]
    added = [case for key, case in after.items() if key not in before and is_measured(case)]
    return Comparison(pairs, missing, added, controls, control, noise)


def conditions(results):
    """What should be the same in both results, by name."""
    context = results.runs[0]["context"] if results.runs else {}
    known = {key: context[key] for key in CONDITIONS if key in context}
    return known | {key: value for key, value in results.head.get("settings", {}).get("variables", {}).items()}


def differences(old, new):
    """Lines on what is known of both and is not the same."""
    before, after = conditions(old), conditions(new)
    return [f"differs: {key}: {before[key]} -> {after[key]}" for key in before if after.get(key, before[key]) != before[key]]


# --- What is printed --------------------------------------------------------------------------------


def head_of(results):
    context = results.runs[0]["context"] if results.runs else {}
    parts = [str(results.path), results.head.get("commit", "unknown") + "-dirty" * bool(results.head.get("dirty")),
             results.identity, str(context.get("date", ""))]  # fmt: skip
    return "; ".join(filter(None, parts))


def group_rows(found, old):
    groups = {}
    for key, pair in found.pairs.items():
        groups.setdefault((old.group_of(pair.old), key[1], key[2]), []).append(key)
    rows = [("group", "workers", "cases", "better", "worse", "mean", "least", "most", "peers"), None]
    for (group, threads, ranks), keys in groups.items():
        verdicts = Counter(found.pairs[key].verdict for key in keys)
        ratios = [found.pairs[key].ratio for key in keys if found.pairs[key].ratio]
        controls = [ratio for key in keys for ratio in found.controls.get(key, ())]
        shown = [f"{value:.3f}" if value else "-" for value in
                 (mean(ratios), min(ratios, default=None), max(ratios, default=None), mean(controls))]  # fmt: skip
        workers = str(threads) if ranks == 1 else f"{ranks}x{threads}"
        rows.append((group, workers, str(len(keys)), str(verdicts["better"]), str(verdicts["worse"]), *shown))
    return rows


def pair_line(pair):
    name, old = name_of(pair.old), show_rate(pair.old["pantile"], pair.old["unit"])
    if not is_measured(pair.new):
        return f"worse: {name}: {old}, now ERROR: {error_of(pair.new)}"
    return f"{pair.verdict}: {name}: {old} -> {show_rate(pair.new['pantile'], pair.new['unit'])}, {pair.ratio:.3f} of before"


def lines_of(found, old, new):
    noise = f"{found.noise:.1%}"
    if found.control:
        rates = sum(map(len, found.controls.values()))
        noise += f"; {CONTROL:.0%} of {rates} rates of other libraries changed by at most {found.control:.1%}"
    lines = [f"old: {head_of(old)}", f"new: {head_of(new)}", f"noise: {noise}"]
    lines += [f"DOUBT: {one.path} is of a run that did not come to its end" for one in (old, new) if one.is_unfinished]
    if old.identity != new.identity:
        lines.append("DOUBT: the two results are of different machines")
    if found.control > MOST_NOISE:
        lines.append("DOUBT: so much says that the machine was not the same, or that others were at work")
    lines += [*differences(old, new), "", *lay_out(group_rows(found, old), range(1, 9)), ""]
    for verdict in VERDICTS[:2]:
        lines += [pair_line(pair) for pair in found.pairs.values() if pair.verdict == verdict]
    lines += [f"missing: {name_of(case)}" for case in found.missing]
    if found.added:
        lines.append(f"only in the new result: {len(found.added)} cases, the first {name_of(found.added[0])}")
    ratio = mean([pair.ratio for pair in found.pairs.values()])
    counts = ", ".join(f"{found.count(verdict)} {verdict}" for verdict in VERDICTS)
    lines.append(f"{len(found.pairs)} cases: {counts}; {len(found.missing)} missing; geometric mean {ratio or 0:.3f}")
    return lines

# SPDX-FileCopyrightText: Pantile contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Is Pantile faster or slower in one result than in another? Case by case, of two files or folders of one kind.

What takes turns with Pantile in a contest, other libraries and the machine's bounds, is the same code in both results:
what they changed by, the machine changed by. A case is worse or better where both hold: its rate has changed by more
than any of theirs, by more than noise; and its rounds differ by the rank test of Mann and Whitney at a risk of 1 %.
Where rounds are too few for that (4 and 4) they must not overlap, and twice the noise counts; of results without rounds
the ranges between the quartiles must not meet. Noise is the threshold or, where that is more, what 99 of 100 of the
other libraries' rates changed by beyond all else in their contests.

Of many cases some lie beyond that by chance. How probable so large a change is where nothing has changed the other
libraries' rates tell (where these are few, the rank test); a case is worse or better only if Holm's test of all cases
together, at a risk of 1 % for the whole comparison, finds it so, else it is listed as perhaps worse or better and does
not count. A case that has become an error is worse. Of several new results of one state a case is worse, or better,
only where all others that have it show the same, perhaps or for certain: measuring again confirms.

The median over many ranks does not show one slow node. So the slowest rank's rate over the median of the ranks is
compared too: over all cases of as many workers, where it has fallen by more than noise, and in a single case, by more
than twice the noise and than the quartiles of that rank's rounds are apart.
"""

import dataclasses
import math
import re
from collections import Counter

from cases import error_of, is_measured, lay_out, mean, name_of, quantile, samples_of, spread_of
from gather import host_of, share_of_rank, shares_by_rank
from mann_whitney import holm, least_probability, probability
from results import Unusable
from table import peers_of, show_rate

THRESHOLD = 0.03  # perf_tests/notes/comparing.md
RISK = 0.01  # of the rank test of a case, and of all that is said of a comparison
CONTROL = 0.99
TAIL = 0.1  # of the controls, the part that is taken for an exponential tail
MUCH_NOISE = 0.1
FEW_CASES = 4  # fewer tell no more of a rank than each by itself
LEAST_CONTROLS = 20  # fewer rates of others are no measure of noise
# Rungs, forms and parts of Pantile's own are peers and bounds of a contest too.
OWN = r"^(naive|grid_stride|tiled|contiguous|aligned|kernels|depth_\d+|own_float|copies|before(_[io]matcopy)?)$"
CONDITIONS = ("compiler", "flags", "kokkos_version", "affinity", "space", "vendor_blas", "mpi", "grid")
VERDICTS = ("better", "worse", "same")


@dataclasses.dataclass
class Pair:
    """A case in both results."""

    old: dict
    new: dict
    peers: list  # logarithms of the ratios of other libraries' rates
    bounds: list  # and of the bounds
    verdict: str = "same"
    perhaps: str = "same"  # the verdict on this case alone, where that on all cases takes it back

    @property
    def shown(self):
        return self.verdict if self.verdict != "same" else self.perhaps

    @property
    def ratio(self):
        return self.new["pantile"] / self.old["pantile"] if is_measured(self.new) else None


@dataclasses.dataclass
class Comparison:
    pairs: dict  # by key: name, threads, ranks
    missing: list  # cases of the old result only
    added: list  # of the new one only
    control: float  # what others changed by beyond their contests, but for a few of a hundred
    noise: float
    slowest: dict  # sentences on the slowest rank that is slower now, by key; (None, threads, ranks): over all cases

    def count(self, verdict):
        return sum(pair.verdict == verdict for pair in self.pairs.values())

    def confirm(self, again):
        """Takes back what another result of the new state does not show."""
        for key, pair in self.pairs.items():
            if key in again.pairs and again.pairs[key].shown != pair.shown:
                pair.verdict = pair.perhaps = "same"
        self.slowest = {key: said for key, said in self.slowest.items() if key in again.slowest or again.lacks(key)}

    def lacks(self, key):
        """Has it no pair of this key?"""
        return key not in self.pairs if key[0] else key[1:] not in {known[1:] for known in self.pairs}


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


def excess(change, others):
    """How far a change lies outside of what others, and nothing at all, changed by; both as logarithms."""
    low, high = min(0, *others, 0), max(0, *others, 0)
    return max(change - high, 0) + min(change - low, 0)


def judge(old, new, noise, others=()):
    if not is_measured(new):
        return "worse"
    beyond = excess(math.log(new["pantile"] / old["pantile"]), others)
    if abs(beyond) <= -math.log1p(-noise):
        return "same"
    differ, times = evidence(old, new)
    if not differ or abs(beyond) <= -times * math.log1p(-noise):
        return "same"
    return "better" if beyond > 0 else "worse"


def described(results):
    """Which library each peer was, without how its threads did."""
    return {name: re.sub(r", \d+ threads are .*", "", text) for (name, _), text in peers_of(results.runs).items()}


def foreign(rates):
    return {name: rate for name, rate in (rates or {}).items() if rate and not re.match(OWN, name)}


def changes(old, new, kind, same):
    """Logarithms of the ratios of what is the same code in both results."""
    was, is_now = foreign(old.get(kind)), foreign(new.get(kind))
    return [math.log(is_now[name] / rate) for name, rate in was.items() if name in is_now and same(name)]


def make_pair(old, new, same):
    return Pair(old, new, changes(old, new, "peers", same), changes(old, new, "bounds", lambda name: True))


def find_controls(pairs):
    """What the rates of other libraries changed by beyond everything else in their contests, as absolute logarithms;
    none where they are few.
    """
    found = []
    for pair in pairs.values():
        for place, change in enumerate(pair.peers):
            found.append(abs(excess(change, pair.peers[:place] + pair.peers[place + 1 :] + pair.bounds)))
    return found if len(found) >= LEAST_CONTROLS else []


def chance_of(change, controls):
    """How probable so large a change is where nothing has changed: the share of the controls that changed as much. Of
    what lies beyond all but a tenth of them, too few to be counted, an exponential tail is taken (peaks over a
    threshold, Pickands 1975, of shape 0).
    """
    begin = quantile(controls, 1 - TAIL)
    if change <= begin:
        return sum(one >= change for one in controls) / len(controls)
    beyond = [one - begin for one in controls if one > begin]
    decay = sum(beyond) / len(beyond) if beyond else 0
    return TAIL * math.exp(-(change - begin) / decay) if decay else 0.0


def chance_of_rounds(pair, beyond, noise, count):
    """The same by the rank test, for one of `count` cases. Where rounds are too few to pass Holm's test they must not
    overlap, and twice the noise counts; of results without rounds nothing is known.
    """
    rounds = samples_of(pair.old), samples_of(pair.new)
    if not all(len(rates) > 1 for rates in rounds):
        return 0.0
    found, least = probability(*rounds), least_probability(*map(len, rounds))
    if least <= RISK / count:
        return found
    return 0.0 if found <= least and abs(beyond) > -2 * math.log1p(-noise) else 1.0


def take_back(pairs, controls, noise, without_peers):
    """The verdicts that so many cases make no rarity."""
    judged = [pair for pair in pairs.values() if is_measured(pair.new)]
    chances = []
    for pair in judged:
        beyond = excess(math.log(pair.ratio), [] if without_peers else pair.peers + pair.bounds)
        chances.append(
            chance_of(abs(beyond), controls) if controls else chance_of_rounds(pair, beyond, noise, len(judged))
        )
    for pair, is_certain in zip(judged, holm(chances, RISK)):
        if not is_certain:
            pair.perhaps, pair.verdict = pair.verdict, "same"


def has_ranks(case, ranks):
    rates, spreads = case.get("by_rank", ()), case.get("spread_by_rank", [0] * ranks)
    return len(rates) == len(spreads) == ranks and all(rates)


def slowest_of(case):
    """The slowest rank, its rate over the median of the ranks, how far the quartiles of its rounds are apart."""
    rates = case["by_rank"]
    rank = rates.index(min(rates))
    return rank, share_of_rank(case, rank), case.get("spread_by_rank", [0] * len(rates))[rank]


def slower_ranks(pairs, noise, runs):
    """Sentences on the slowest rank where it has less of the ranks' median than before."""
    ranked = {
        key: pair
        for key, pair in pairs.items()
        if all(is_measured(case) and has_ranks(case, key[2]) for case in (pair.old, pair.new))
    }
    found, all_old = {}, shares_by_rank([pair.old for pair in ranked.values()])
    for (threads, ranks), shares in shares_by_rank([pair.new for pair in ranked.values()]).items():
        count = sum(key[1:] == (threads, ranks) for key in ranked)
        old, new = min(all_old[threads, ranks]), min(shares)
        if count >= FEW_CASES and new < old * (1 - noise):
            where = f"rank {shares.index(new)} of {ranks}{host_of(runs, ranks, shares.index(new))}"
            found[None, threads, ranks] = f"over {count} cases, {where}: {old:.3f} -> {new:.3f} of the ranks' median"
    for key, pair in ranked.items():
        (_, old, apart), (rank, new, still) = slowest_of(pair.old), slowest_of(pair.new)
        if new < old * (1 - max(2 * noise, apart, still)):
            where = f"rank {rank} of {key[2]}{host_of(runs, key[2], rank)}"
            found[key] = f"{name_of(pair.new)}, {where}: {old:.3f} -> {new:.3f} of the ranks' median"
    return found


def check_peers(pairs, old, new):
    """A peer that is gone took its turns in one of the contests only: other caches, other clocks."""
    was = {name for pair in pairs.values() for name in foreign(pair.old.get("peers"))}
    gone = sorted(was - {name for pair in pairs.values() for name in foreign(pair.new.get("peers"))})
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
    descriptions = described(old), described(new)

    def same(name):
        return not without_peers and descriptions[0].get(name) == descriptions[1].get(name)

    pairs = {key: make_pair(case, after[key], same) for key, case in before.items() if key in after}
    if not pairs:
        raise Unusable(f"{new.path}: no case is in {old.path} too")
    check_units(pairs, new)
    if not without_peers:
        check_peers(pairs, old, new)
    controls = find_controls(pairs)
    control = -math.expm1(-quantile(controls, CONTROL)) if controls else 0
    noise = max(threshold, control)
    for pair in pairs.values():
        pair.verdict = judge(pair.old, pair.new, noise, [] if without_peers else pair.peers + pair.bounds)
    take_back(pairs, controls, noise, without_peers)
    missing = [case for key, case in before.items() if key not in after]
    added = [case for key, case in after.items() if key not in before and is_measured(case)]
    return Comparison(pairs, missing, added, control, noise, slower_ranks(pairs, noise, new.runs))


def conditions(results):
    """What should be the same in both results, by name."""
    context = results.runs[0]["context"] if results.runs else {}
    known = {key: context[key] for key in CONDITIONS if key in context}
    settings = results.head.get("settings", {})
    return known | {key: settings[key] for key in ("numpy",) if key in settings} | settings.get("variables", {})


def differences(old, new):
    """Lines on what is known of both and is not the same."""
    before, after = conditions(old), conditions(new)
    return [
        f"differs: {key}: {before[key]} -> {after[key]}" for key in before if after.get(key, before[key]) != before[key]
    ]


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
        others = [math.exp(change) for key in keys for change in found.pairs[key].peers]
        shown = [f"{value:.3f}" if value else "-" for value in
                 (mean(ratios), min(ratios, default=None), max(ratios, default=None), mean(others))]  # fmt: skip
        workers = str(threads) if ranks == 1 else f"{ranks}x{threads}"
        rows.append((group, workers, str(len(keys)), str(verdicts["better"]), str(verdicts["worse"]), *shown))
    return rows


def pair_line(pair):
    others = [math.exp(change) for change in pair.peers + pair.bounds]
    beside = f"; the others in its contest {min(others):.3f} to {max(others):.3f}" if others else ""
    name, old = name_of(pair.old), show_rate(pair.old["pantile"], pair.old["unit"])
    if not is_measured(pair.new):
        return f"worse: {name}: {old}, now ERROR: {error_of(pair.new)}"
    new = show_rate(pair.new["pantile"], pair.new["unit"])
    verdict = pair.verdict if pair.verdict != "same" else f"perhaps {pair.perhaps}"
    return f"{verdict}: {name}: {old} -> {new}, {pair.ratio:.3f} of before{beside}"


def lines_of(found, old, news):
    noise = f"{found.noise:.1%}"
    if found.control:
        noise += f"; {CONTROL:.0%} of other libraries' rates changed by at most {found.control:.1%} "
        noise += "beyond the rest of their contests"
    lines = [f"old: {head_of(old)}", *(f"new: {head_of(new)}" for new in news), f"noise: {noise}"]
    lines += [
        f"DOUBT: {one.path} is of a run that did not come to its end" for one in (old, *news) if one.is_unfinished
    ]
    if any(new.identity != old.identity for new in news):
        lines.append("DOUBT: the two results are of different machines")
    if found.control > MUCH_NOISE:
        lines.append("DOUBT: so much says that the machine was not the same, or that others were at work")
    lines += [*differences(old, news[0]), "", *lay_out(group_rows(found, old), range(1, 9)), ""]
    for verdict in VERDICTS[:2]:
        lines += [pair_line(pair) for pair in found.pairs.values() if pair.verdict == verdict]
    lines += [f"worse: slowest rank {said}" for said in found.slowest.values()]
    perhaps = [pair_line(pair) for pair in found.pairs.values() if pair.verdict == "same" != pair.perhaps]
    if perhaps:
        lines.append(f"among {len(found.pairs)} cases chance may do that, measuring again tells:")
        lines += perhaps
    lines += [f"missing: {name_of(case)}" for case in found.missing]
    if found.added:
        lines.append(f"only in the new result: {len(found.added)} cases, the first {name_of(found.added[0])}")
    ratio = mean([pair.ratio for pair in found.pairs.values()])
    counts = ", ".join(f"{found.count(verdict)} {verdict}" for verdict in VERDICTS)
    lines.append(f"{len(found.pairs)} cases: {counts}; {len(found.missing)} missing; geometric mean {ratio or 0:.3f}")
    if found.slowest:
        count = sum(key[0] is not None for key in found.slowest)
        lines.append(f"the slowest rank is slower beside the others: in {count} cases by itself")
    return lines

# SPDX-FileCopyrightText: Pantile contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Do two sets of measurements differ? The test of Mann and Whitney (1947), which asks of a distribution only that it is
the same in both, with exact probabilities for few values. And which of many such tests count: Holm's way (1979).
"""

import bisect
import functools
import math

EXACT = 32  # values in all, up to which every way to deal out the ranks is counted


def doubled_ranks(values):
    """Ranks from one, twice, so that equal values share a whole number."""
    ordered = sorted(values)
    return [bisect.bisect_left(ordered, value) + bisect.bisect_right(ordered, value) + 1 for value in values]


@functools.lru_cache(maxsize=256)
def ways_of(ranks, count):
    """How many ways of taking `count` of these ranks there are for each sum of theirs."""
    ways = [{0: 1}] + [{} for _ in range(count)]
    for rank in ranks:
        for taken in range(count, 0, -1):
            for total, number in ways[taken - 1].items():
                ways[taken][total + rank] = ways[taken].get(total + rank, 0) + number
    return ways[count]


def probability(first, second):
    """That ranks at least as far apart are seen where the two do not differ (both sides)."""
    ranks = doubled_ranks([*first, *second])
    count, size = len(first), len(ranks)
    centre = count * (size + 1)
    distance = abs(sum(ranks[:count]) - centre)
    if size <= EXACT:
        ways = ways_of(tuple(sorted(ranks)), count)
        far = sum(number for total, number in ways.items() if abs(total - centre) >= distance)
        return far / math.comb(size, count)
    ties = sum(ranks.count(rank) ** 3 - ranks.count(rank) for rank in set(ranks))
    variance = count * len(second) / 12 * (size + 1 - ties / (size * (size - 1)))
    if variance <= 0:
        return 1.0
    # Doubled ranks: distances are twice as large, and steps too (correction for continuity).
    return math.erfc(max(distance / 2 - 0.5, 0) / math.sqrt(2 * variance))


def least_probability(count, other):
    """Where no value of one is among those of the other."""
    return 2 / math.comb(count + other, count)


def holm(probabilities, risk):
    """For each of them: can it be said that it is no chance, so that the risk to say so wrongly, even once, is `risk`?
    The smallest has to be below risk / their number, the next one below risk / (number - 1) and so on. Nothing is asked
    of how they depend on each other (Holm, 1979).
    """
    said = [False] * len(probabilities)
    for place, index in enumerate(sorted(range(len(said)), key=probabilities.__getitem__)):
        if probabilities[index] > risk / (len(said) - place):
            break
        said[index] = True
    return said

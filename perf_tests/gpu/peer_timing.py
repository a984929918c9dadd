# SPDX-FileCopyrightText: Pantile contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the peers in Python share: options, rounds of repeated calls, one line of JSON for each case."""

import argparse
import json
import statistics
import time

SAMPLE_SECONDS = 4e-3
CASE_SECONDS = 0.35


def say(**item):
    print(json.dumps(item), flush=True)


def options(description):
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--seconds", type=float, default=60, help="after so many no other case begins")
    parser.add_argument("--scale", choices=("quick", "full"), default="full")
    return parser.parse_args()


def median_seconds(call, timer):
    """Seconds of one call: the median over rounds of as many calls as last SAMPLE_SECONDS. timer(call, n) times n
    calls."""
    timer(call, 1)  # compiles
    calls = 1
    while True:
        taken = min(timer(call, calls), timer(call, calls))
        if taken >= 0.8 * SAMPLE_SECONDS:
            break
        calls = int(calls * min(max(SAMPLE_SECONDS / max(taken, 1e-9), 1.3), 50)) + 1
    rounds = int(min(max(CASE_SECONDS / taken, 3), 15))
    return statistics.median(timer(call, calls) / calls for _ in range(rounds))


def run(peer, cases, seconds, timer):
    """cases: (name, unit, amount, make), where make() gives (call, check) and check() what is wrong with the result, or
    None."""
    begin = time.monotonic()
    for name, unit, amount, make in cases:
        if time.monotonic() - begin > seconds:
            say(case=name, peer=peer, skipped="no time was left")
            continue
        try:
            call, check = make()
            call()
            wrong = check()
            if wrong:
                say(case=name, peer=peer, error=wrong)
                continue
            rate = amount / median_seconds(call, timer)
        except Exception as error:  # the next case may do better
            say(case=name, peer=peer, error=f"{type(error).__name__}: {error}")
            continue
        say(case=name, unit=unit, peers={peer: rate})

# SPDX-FileCopyrightText: Pantile contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""One bench.json of the folders that the command ranks has filled, each with one program.

Rates are of one rank: the medians over ranks, and by_rank, those of each, with spread_by_rank, how far the quartiles of
its own rounds are apart; the rounds are medians over ranks of the
first round, the second and so on. A run has its ranks' hosts and processors. Names of hosts are kept: the slowest is
named. What a program's ranks have measured together by MPI (perf_mpi) rank 0's lines have, of all ranks: they are taken
as they are.
"""

import pathlib
import socket

import machine
from cases import error_of, is_wrong, mean, quantile, samples_of, spread_of
from ranks import faults_of, name_all, read_ranks, said_of
from results import Unusable, read_programs


def median(values):
    return quantile(values, 0.5)


def medians(tables):
    """Of the tables' values by their names, over those tables that have them."""
    names = dict.fromkeys(name for table in tables for name in table)
    known = {name: [table[name] for table in tables if table.get(name) is not None] for name in names}
    return {name: median(values) for name, values in known.items() if values}


def check_ranks(folder):
    """All of them, by rank, when all are done."""
    found = read_ranks(folder)
    if not found:
        raise Unusable(f"{folder}: no rank was here")
    size = max(one["size"] for one in found.values())
    missing = set(range(size)) - set(found)
    if missing:
        raise Unusable(f"{folder}: {name_all(missing)} of {size} missing")
    failed = [one for one in found.values() if one["state"] == "failed"]
    for one in failed or found.values():
        if one["state"] != "done":
            said = one["message"] or f"rank {one['rank']} of {size} on {one['host']} did not end its work"
            raise Unusable(f"{folder}: {said}")
    return found


def merge_case(name, where, by_rank, places):
    """One case of those of all ranks: {rank: case}."""
    wrong = [
        f"{error_of(case)} (rank {rank} on {places[rank]['host']})" for rank, case in by_rank.items() if is_wrong(case)
    ]
    missing = set(range(len(places))) - set(by_rank)
    if wrong or missing:
        return {"case": name, **where, "error": wrong[0] if wrong else f"{name_all(missing)}: no figure"}
    cases = [by_rank[rank] for rank in range(len(places))]
    rounds = [median(rates) for rates in zip(*map(samples_of, cases))]
    return {
        "case": name, **where, "unit": cases[0]["unit"], "pantile": median([case["pantile"] for case in cases]),
        "by_rank": [case["pantile"] for case in cases], "spread_by_rank": [spread_of(case) for case in cases],
        "samples": {"pantile": rounds} if rounds else {},
        **{kind: medians([case.get(kind, {}) for case in cases]) for kind in ("peers", "bounds", "spread", "checks")},
    }  # fmt: skip


def read_lines_of(folder, found):
    """Runs, one of each rank, and cases by their names and ranks."""
    runs, by_name = [], {}
    for rank in found:
        file = folder / f"rank-{rank}.jsonl"
        try:
            own, cases = read_programs([file])
        except OSError as error:
            raise Unusable(f"{file}: {error.strerror}") from error
        if len(own) != 1:
            raise Unusable(f"{file}: {len(own)} runs of a program, not one")
        runs += own
        for case in cases:
            by_name.setdefault(case["case"], {})[rank] = case
    return runs, by_name


def by_mpi(folder, runs):
    """Have these ranks of a program measured together?"""
    together = ["mpi" in run["context"] for run in runs]
    if not any(together):
        return False
    sizes = {run["ranks"] for run in runs}
    if not all(together) or sizes != {len(runs)}:
        counts = ", ".join(map(str, sorted(sizes)))
        raise Unusable(f"{folder}: {len(runs)} ranks were started, and MPI saw {counts}: the program found no others")
    return True


def merge(folder):
    """(runs, cases, what rank 0 knows of its machine)"""
    found = check_ranks(folder)
    runs, by_name = read_lines_of(folder, found)
    threads = {run["threads"] for run in runs}
    if len(threads) > 1:
        raise Unusable(f"{folder}: ranks have different numbers of threads: {', '.join(map(str, sorted(threads)))}")
    where = {"threads": threads.pop(), "ranks": len(found)}
    context = runs[0]["context"]
    if "load_avg" in context:
        context["load_avg"] = max(run["context"]["load_avg"] for run in runs)
    if all("copy" in run["context"] for run in runs):
        context["copy"] = context["copy"] | {"rate": median([run["context"]["copy"]["rate"] for run in runs])}
    places = [{key: one[key] for key in ("host", "affinity", "binding") if key in one} for one in found.values()]
    program = found[0]["words"][0].rpartition("/")[2].removeprefix("perf_")
    run = {"program": program, **where, "places": places, "context": context}
    known = {key: found[0][key] for key in ("machine", "settings", "commit") if key in found[0]}
    if by_mpi(folder, runs):
        cases = [by_rank[0] | where for by_rank in by_name.values() if 0 in by_rank]
    else:
        cases = [merge_case(name, where, by_rank, places) for name, by_rank in by_name.items()]
    return run, cases, known


def share_of_rank(case, rank):
    """Its rate over the median of all ranks' rates."""
    return case["by_rank"][rank] / median(case["by_rank"])


def shares_by_rank(cases):
    """{(threads, ranks): [geometric mean over cases of each rank's rate over the median of the ranks]}"""
    members = {}
    for case in cases:
        if all(case.get("by_rank") or [0]):
            members.setdefault((case["threads"], len(case["by_rank"])), []).append(case)
    return {
        workers: [mean([share_of_rank(case, rank) for case in those]) for rank in range(workers[1])]
        for workers, those in members.items()
    }


def host_of(runs, ranks, rank):
    """ on HOST, where it is known."""
    places = places_of(runs).get(ranks)
    return f" on {places[rank]['host']}" if places else ""


def places_of(runs):
    """Hosts and processors of the ranks, by the number of these."""
    return {len(run["places"]): run["places"] for run in reversed(runs) if run.get("places")}


def add_binding(runs, root=pathlib.Path("/")):
    """What is wrong with the binding of ranks that the command ranks has not started, as it says it. Last-level caches
    are those of this host; of other hosts they are not known.
    """
    for run in runs:
        by_host = {}
        for rank, place in enumerate(run.get("places", ())):
            by_host.setdefault(place["host"], []).append((rank, place))
        for host, those in by_host.items():
            found = [
                {"rank": rank, "devices": 0,
                 "affinity": machine.list_of(machine.numbers_of_threads(place.get("affinity", "")))}
                for rank, place in those
            ]  # fmt: skip
            faults = faults_of(found, machine.last_level_caches(root) if host == socket.gethostname() else [])
            if faults:
                for _, place in those:
                    place.setdefault("binding", said_of(host, faults))


def slowest(runs, cases):
    """The slowest host, with the geometric mean over cases of its ranks' rates over those of the cases, and the slowest
    rate of one rank so; None where there are no rates of ranks.
    """
    places, shares = places_of(runs), {}
    for case in cases:
        rates = case.get("by_rank", ())
        for rank, (place, rate) in enumerate(zip(places.get(len(rates), ()), rates)):
            if rate and case.get("pantile"):
                shares.setdefault(place["host"], []).append((rate / case["pantile"], rank, case["case"]))
    if not shares:
        return None
    means = {host: mean([share for share, _, _ in those]) for host, those in shares.items()}
    host = min(means, key=means.get)
    share, rank, name = min(min(those) for those in shares.values())
    return {"host": host, "share": round(means[host], 4), "hosts": len(means),
            "rank": rank, "share_of_rank": round(share, 4), "case": name}  # fmt: skip


def merge_all(folders):
    """Runs, cases, what is known of the machine of the first; of as many ranks on the same hosts."""
    runs, cases, known = [], [], {}
    for folder in folders:
        run, own, machine = merge(folder)
        hosts = [[place["host"] for place in one["places"]] for one in (*runs[:1], run)]
        if hosts[0] != hosts[-1]:
            raise Unusable(f"{folder}: its ranks are on other hosts than those of {folders[0]}")
        runs.append(run)
        cases += own
        known = known or machine
    return runs, cases, known

# SPDX-FileCopyrightText: Pantile contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs of the test programs: once without a mutant, to see what each reaches and how long it takes, then for each
mutant those that reach it, the quickest first, until one fails."""

import concurrent.futures
import resource
import threading
import time

import programs


SLOW = 4  # seconds, from which on a program is run case by case


def cpu_of_children():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def record(campaign, known, progress):
    """What each program reaches, and its time; of those in `known` again only what has failed. A slow program of
    GoogleTest is recorded case by case as well, and later run so."""
    for program in programs.list_programs(campaign.build):
        if not is_known(known, program):
            known[program.name] = _record_one(campaign, program)
            campaign.write("reach.json", known)
            progress(_words(program.name, known[program.name]))
        if known[program.name]["passed"] and known[program.name]["cpu"] > SLOW:
            for case in programs.cases_of(program):
                if not is_known(known, case):
                    known[case.name] = _record_one(campaign, case)
                    progress(_words(case.name, known[case.name]))
            campaign.write("reach.json", known)
    return known


def is_known(known, program):
    facts = known.get(program.name, {})
    return bool(facts.get("passed")) and facts["version"] == program.version()


def _record_one(campaign, program):
    plan = campaign.plan()
    file = campaign.folder / "reached.bin"
    file.write_bytes(bytes(max((m["number"] for m in plan["mutants"]), default=0) + 1))
    before = cpu_of_children()
    result = programs.run(program, {"PANTILE_MUTANTS_REACHED": str(file)})
    cpu = cpu_of_children() - before
    reached = [number for number, byte in enumerate(file.read_bytes()) if byte]
    return {"version": program.version(), "passed": not result.failed, "how": result.how, "seconds": result.seconds,
            "cpu": cpu, "reached": reached}  # fmt: skip


def _words(name, facts):
    fails = "" if facts["passed"] else ", FAILS: " + facts["how"]
    return f"{name}: {facts['cpu']:.1f} s, reaches {len(facts['reached'])}{fails}"


def ordered_programs(campaign, reach):
    """Programs, and cases of the slow ones, that have been recorded and pass; the quickest first."""
    order = []
    for program in programs.list_programs(campaign.build):
        cases = programs.cases_of(program) if reach.get(program.name, {}).get("cpu", 0) > SLOW else []
        known = [case for case in cases if case.name in reach]
        order += known or [program]
    order = [program for program in order if reach.get(program.name, {}).get("passed")]
    return sorted(order, key=lambda program: reach[program.name]["cpu"])


def try_mutant(mutant, order, reach):
    """The result of a mutant: who killed it and how, or that none did."""
    tried, seconds = 0, 0.0
    for program in order:
        facts = reach[program.name]
        if mutant["number"] not in facts["set"]:
            continue
        tried += 1
        result = programs.run(program, {"PANTILE_MUTANT": str(mutant["number"])}, (facts["cpu"], facts["seconds"]))
        seconds += result.seconds
        if result.failed:
            return {"status": "killed", "by": program.name, "how": result.how, "tried": tried,
                    "seconds": round(seconds, 1)}
    return {"status": "survived" if tried else "unreached", "tried": tried, "seconds": round(seconds, 1)}


def merged(old, new):
    """A second result, of the programs that the first had left out."""
    if new["status"] != "killed" and old.get("status") == "survived":
        new["status"] = "survived"
    for key in ("tried", "seconds"):
        new[key] = round(new[key] + old.get(key, 0), 1)
    return new


def hunt(campaign, mutants, jobs, progress, slowest=None):
    """Tries each mutant that lives with the programs that it has not been tried with; the results are kept after each.
    slowest: of the programs for now, in seconds."""
    reach = campaign.read("reach.json", {})
    order = ordered_programs(campaign, reach)
    for facts in reach.values():
        facts["set"] = set(facts["reached"])
    order = [program for program in order if slowest is None or reach[program.name]["cpu"] <= slowest]
    results = campaign.read("results.json", {})
    lock = threading.Lock()

    def work(mutant):
        number = str(mutant["number"])
        old = results.get(number, {})
        if old.get("status") == "killed":
            return
        done = set(old.get("with", []))
        mine = [program for program in order if program.version() not in done]
        result = merged(old, try_mutant(mutant, mine, reach))
        if result["status"] != "killed":
            result["with"] = sorted(done | {program.version() for program in mine})
        with lock:
            results[number] = result
            results["date"] = time.strftime("%Y-%m-%d")
            campaign.write("results.json", results)
            told = {key: value for key, value in result.items() if key != "with"}
            progress(f"{len(results) - 1}/{len(mutants)} {number} {mutant['path']}:{mutant['line']} {told}")

    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        for future in [pool.submit(work, mutant) for mutant in mutants]:
            future.result()
    return results

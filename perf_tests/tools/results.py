# SPDX-FileCopyrightText: Pantile contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Files of results: bench.json of scripts/bench, which is written here, results.json of scripts/gpu_bench, and what
Google Benchmark writes as JSON.

bench.json, schema 2: commit, dirty; machine, settings (machine.py); context, which all runs of programs have in common;
runs (program, threads, ranks, the rest of the context); errors; groups of cases with equal columns, a case a line. Of a
case it has the medians of Pantile and of every peer, the best of each bound, and Pantile's rates in all rounds as parts
in ten thousand of the median, which they differ from; of the sweep, whose neighbours tell as much, the quartiles. Cases
of several ranks (gather.py) have the rates of each in the same way, and in such parts how far each one's quartiles are
apart, and the file names the slowest host: share is the mean of its ranks' rates over the cases' own. Schema 1, before,
has neither machine nor rounds.

A machine's file (keep.py) has several of them, {"results": {NAME: what a bench.json holds}}; FILE#NAME is one.
"""

import dataclasses
import json
import pathlib
import re

import shapes
from cases import error_of, is_measured, is_wrong, quantile, read_lines, samples_of, spread_of
from machine import identity

SCHEMA = 2
NAMES = ("bench.json", "results.json")
# What is kept of a program's own description of its run; so are peers' descriptions, and why others are absent.
CONTEXT = (
    "date",
    "load_avg",
    "caches",
    "kokkos_version",
    "pantile_version",
    "space",
    "concurrency",
    "compiler",
    "flags",
    "affinity",
    "kokkos_configuration",
    "mpi",
    "grid",
    "copy",
)
KINDS = {"peer": "peers", "bound": "bounds", "spread": "spread"}
PARTS = 10_000


class Unusable(Exception):
    """A sentence that says what is wrong with a file."""


@dataclasses.dataclass
class Results:
    """What a file holds. `head` has whatever the file says of the whole: commit, dirty, machine, settings, bundle,
    facts.
    """

    kind: str  # bench, gpu or google
    schema: int = SCHEMA
    path: pathlib.Path = pathlib.Path()
    content: dict = dataclasses.field(default_factory=dict)  # as the file has it
    head: dict = dataclasses.field(default_factory=dict)
    runs: list = dataclasses.field(default_factory=list)
    cases: list = dataclasses.field(default_factory=list)

    def group_of(self, case):
        parts = case["case"].split("/")
        return "/".join(parts[:2] if self.kind == "gpu" else parts[:-1] or parts)

    @property
    def machine(self):
        return self.head.get("machine", {})

    @property
    def identity(self):
        """One line such as a table of machines is searched by."""
        device = self.head.get("facts", {}).get("device", {}).get("name")
        return device or identity(self.machine)

    @property
    def is_unfinished(self):
        """Is it the state of a run that was going on or was stopped?"""
        return self.head.get("finished") is False

    def measured(self):
        return [case for case in self.cases if is_measured(case)]


# --- What programs wrote ----------------------------------------------------------------------------


def fitting(file, value, shape, where):
    """The value; Unusable where it is not what programs write."""
    unfit = shapes.mismatch(value, shape, where)
    if unfit:
        raise Unusable(f"{file}: not as programs write it: {unfit}")
    return value


def read_programs(files):
    """Runs and cases of the lines of several programs."""
    runs, cases = [], []
    for file in files:
        where = {}
        for item in read_lines(file.read_text(encoding="utf-8")):
            if "context" in item:
                context = fitting(file, item["context"], shapes.PROGRAM_CONTEXT, "context")
                where = {"threads": context["host_concurrency"], "ranks": context.get("ranks", 1)}
                configuration = context.get("kokkos_configuration", "")
                if configuration:  # without the threads, which are known
                    context["kokkos_configuration"] = re.sub(
                        r"\n*\w+ Runtime Configuration:.*", "", configuration, flags=re.S
                    )
                kept = {key: context[key] for key in context if key in CONTEXT or key.startswith(("peer:", "absent:"))}
                places = {"places": context["places"]} if "places" in context else {}
                runs.append({"program": file.stem, **where, **places, "context": kept})
            elif is_wrong(item):
                case = {"case": item.get("case"), **where, "error": error_of(item)}
                cases.append(fitting(file, case, shapes.CASE, "a case"))
            elif "unit" in item:
                cases.append(fitting(file, {**item, **where}, shapes.CASE | shapes.FIGURES, "a case"))
    return runs, cases


# --- bench.json -------------------------------------------------------------------------------------


def four_digits(value):
    return value if value is None else float(f"{value:.4g}")


def parts_of(rates, median):
    return [round((rate / median - 1) * PARTS) for rate in rates]


def figures_of(case):
    """pantile, peer:NAME, bound:NAME, samples:pantile or spread:pantile, ranks:pantile, rank_spreads:pantile,
    allocations
    """
    peers = {f"peer:{name}": four_digits(rate) for name, rate in case["peers"].items()}
    bounds = {f"bound:{name}": four_digits(rate) for name, rate in case["bounds"].items()}
    others = {"allocations": four_digits(case["checks"].get("allocations"))}
    samples = samples_of(case)
    if len(samples) > 1 and not case["case"].startswith("sweep/"):
        others["samples:pantile"] = parts_of(samples, case["pantile"])
    else:
        others["spread:pantile"] = four_digits(spread_of(case)) or None
    if case.get("by_rank"):
        others["ranks:pantile"] = parts_of(case["by_rank"], case["pantile"])
    if case.get("spread_by_rank"):
        others["rank_spreads:pantile"] = [round(spread * PARTS) for spread in case["spread_by_rank"]]
    known = {key: one for key, one in others.items() if one is not None}
    return {"pantile": four_digits(case["pantile"]), **peers, **bounds, **known}


def in_common(runs):
    """The entries of the contexts that are equal in all runs."""
    first, *rest = (run["context"] for run in runs)
    return {key: value for key, value in first.items() if all(other.get(key) == value for other in rest)}


def compact(head, runs, cases):
    """The text of bench.json."""
    common = in_common(runs)
    own = [
        run | {"context": {key: value for key, value in run["context"].items() if key not in common}} for run in runs
    ]
    members = {}
    for case in cases:
        if "error" not in case:
            key = case["case"].rpartition("/")[0], case["threads"], case.get("ranks", 1), case["unit"]
            members.setdefault(key, []).append(case)
    groups = []
    for key, those in members.items():
        rows = [(case["case"].rpartition("/")[2], figures_of(case)) for case in those]
        columns = list(dict.fromkeys(column for _, figures in rows for column in figures))
        group = dict(zip(("group", "threads", "ranks", "unit"), key)) | {"columns": columns}
        groups.append(group | {"cases": [[name, *(figures.get(key) for key in columns)] for name, figures in rows]})
    errors = [case for case in cases if "error" in case]
    return text_of(
        {"schema": SCHEMA, **head, "context": common, "runs": own, "errors": errors, "groups": groups}
    )


def text_of(content):
    """JSON of what bench.json holds, a case a line."""
    blocks = []
    for group in content["groups"]:
        opening = json.dumps({key: value for key, value in group.items() if key != "cases"})
        lines = ["  " + json.dumps(row, separators=(",", ":")) for row in group["cases"]]
        blocks.append(f'{opening[:-1]}, "cases": [\n' + ",\n".join(lines) + "]}")
    rest = {key: value for key, value in content.items() if key != "groups"}
    return f'{json.dumps(rest, indent=1)[:-2]},\n "groups": [\n' + ",\n".join(blocks) + "]\n}\n"


def read_row(group, row):
    name, *values = row
    if len(values) != len(group["columns"]):
        raise ValueError(f"{group['group']}/{name} has {len(values)} figures for {len(group['columns'])} columns")
    case = {"case": f"{group['group']}/{name}", "threads": group["threads"], "ranks": group.get("ranks", 1),
            "unit": group["unit"], "peers": {}, "bounds": {}, "spread": {}, "samples": {}, "checks": {}}  # fmt: skip
    for key, value in zip(group["columns"], values):
        kind, _, what = key.partition(":")
        if key == "pantile":
            case["pantile"] = value
        elif kind in ("samples", "ranks") and value is not None:
            rates = [case["pantile"] * (1 + part / PARTS) for part in value]
            case |= {"by_rank": rates} if kind == "ranks" else {"samples": {what: rates}}
        elif kind == "rank_spreads" and value is not None:
            case["spread_by_rank"] = [part / PARTS for part in value]
        elif value is not None:
            case[KINDS.get(kind, "checks")][what or key] = value
    return case


def read_bench(content):
    common = content.get("context", {})
    runs = [run | {"context": common | run["context"]} for run in content["runs"]]
    cases = [read_row(group, row) for group in content["groups"] for row in group["cases"]]
    head = {key: content[key] for key in ("commit", "dirty", "machine", "settings", "slowest") if key in content}
    return Results("bench", head=head, runs=runs, cases=cases + content["errors"])


# --- The others -------------------------------------------------------------------------------------


def read_gpu(content):
    head = {key: value for key, value in content.items() if key not in ("cases", "groups", "context")}
    head["commit"] = content["bundle"].get("commit", "unknown")
    if "machine" not in head:  # of schema 1
        head["machine"] = {"cpu": content["facts"].get("cpu", "")}
    run = {"program": "gpu_contests", "threads": 1, "ranks": 1, "context": content["context"]}
    cases = [{"threads": 1, "ranks": 1, **case} for case in content["cases"]]
    for case in cases:  # as they were called until 2026-11-28
        case["case"] = re.sub("_turned$", "_transposed", case["case"])
    return Results("gpu", head=head, runs=[run], cases=cases)


NANOSECONDS = {"ns": 1, "us": 1e3, "ms": 1e6, "s": 1e9}


def read_google(content):
    """A case is a run of a name, its rate calls a second of real time; repetitions are its rounds."""
    times, errors = {}, []
    for item in content["benchmarks"]:
        name = item.get("run_name", item["name"])
        if item.get("error_occurred"):
            errors.append(
                {"case": name, "threads": item.get("threads", 1), "error": item.get("error_message", "error")}
            )
        elif item.get("run_type", "iteration") == "iteration":
            seconds = item["real_time"] * NANOSECONDS[item["time_unit"]] * 1e-9
            times.setdefault((name, item.get("threads", 1)), []).append(seconds)
    cases = []
    for (name, threads), seconds in times.items():
        cases.append(
            {
                "case": name,
                "threads": threads,
                "ranks": 1,
                "unit": "call/s",
                "pantile": 1 / quantile(seconds, 0.5),
                "samples": {"pantile": [1 / one for one in seconds]},
                "peers": {},
                "bounds": {},
                "checks": {},
            }
        )
    context = content.get("context", {})
    run = {"program": context.get("executable", "benchmark"), "threads": 1, "ranks": 1, "context": context}
    head = {"commit": "unknown", "machine": {"cores": context.get("num_cpus")}}
    return Results("google", head=head, runs=[run], cases=cases + errors)


def file_in(folder):
    for name in NAMES:
        if (folder / name).is_file():
            return folder / name
    found = sorted(folder.glob("*.json"))
    if len(found) != 1:
        raise Unusable(f"{folder}: neither {' nor '.join(NAMES)} is in this folder, nor one JSON file alone")
    return found[0]


def interpret(content):
    if not isinstance(content, dict):
        raise Unusable("it holds no results: no object is outermost")
    schema = content.get("schema", 1)
    if schema not in range(1, SCHEMA + 1):
        raise Unusable(f"it has schema {schema}, these tools read 1 to {SCHEMA}")
    if "groups" in content and "runs" in content:
        found = read_bench(content)
    elif "bundle" in content and "cases" in content:
        found = read_gpu(content)
    elif "benchmarks" in content:
        found = read_google(content)
    else:
        raise Unusable("it is a result neither of scripts/bench nor of scripts/gpu_bench nor of Google Benchmark")
    found.schema = schema
    if not found.cases or not found.runs:
        raise Unusable(f"it holds no {'run' if found.cases else 'case'}")
    unfit = shapes.check(found)
    if unfit:
        raise Unusable(f"not as its schema has it: {unfit}")
    return found


def contents_of(content, name):
    """NAME: what the results in a file hold, or the one of this name; of a file with one result, by no name."""
    kept = content.get("results") if isinstance(content, dict) else None
    if not isinstance(kept, dict):
        kept = {"": content}
    elif not name and kept:
        return kept
    if name not in kept:
        raise Unusable(f"it holds no result{' ' if name else ''}{name}")
    return {name: kept[name]}


def load_all(path):
    """The results in a file or in a folder of scripts/bench or scripts/gpu_bench: of a machine's file all of them, or
    as FILE#NAME one.
    """
    path, name = pathlib.Path(path), ""
    if "#" in path.name and not path.exists():
        base, _, name = path.name.rpartition("#")
        path = path.with_name(base)
    file = file_in(path) if path.is_dir() else path
    found = []
    try:
        text = file.read_text(encoding="utf-8")
        if not text.strip():
            raise Unusable("it is empty")
        for key, content in contents_of(json.loads(text), name).items():
            found.append(interpret(content))
            found[-1].content = content
            found[-1].path = file.with_name(f"{file.name}#{key}") if key else file
    except OSError as error:
        raise Unusable(f"{file}: {error.strerror}") from error
    except json.JSONDecodeError as error:
        raise Unusable(f"{file}: no whole JSON, it ends or breaks in line {error.lineno}") from error
    except UnicodeDecodeError as error:
        raise Unusable(f"{file}: no text") from error
    except Unusable as error:
        raise Unusable(f"{file}: {error}") from error
    except (KeyError, TypeError, ValueError, AttributeError, ArithmeticError) as error:
        raise Unusable(f"{file}: not as its schema has it: {type(error).__name__} {error}") from error
    return found


def load(path):
    """The one result of a file or a folder."""
    found = load_all(path)
    if len(found) > 1:
        raise Unusable(f"{path}: it holds several results, of which one is to be named: "
                       + ", ".join(str(one.path) for one in found))  # fmt: skip
    return found[0]

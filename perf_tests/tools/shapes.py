# SPDX-FileCopyrightText: Pantile contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the results in a file must be made of: looked at when they are read, so that what comes after may compute with
them.

A shape is one of the kinds below; an object, {key: shape}, of whose keys those that end with ? may be missing, and
those that end with * stand for all that begin so; or a list, [shape], of any length.
"""

import math


def is_number(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value)


KINDS = {
    "text": lambda value: isinstance(value, str),
    "number": is_number,
    "count": lambda value: is_number(value) and isinstance(value, int) and value >= 0,
    "number of workers": lambda value: is_number(value) and isinstance(value, int) and value >= 1,
    "rate": lambda value: value is None or value == 0 or (is_number(value) and 1e-30 < value < 1e30),  # has a logarithm
    "bool": lambda value: isinstance(value, bool),
    "object": lambda value: isinstance(value, dict),
}
WORKERS = {"threads": "number of workers", "ranks?": "number of workers"}
FIGURES = {"pantile": "rate", "unit": "text", "peers": {"*": "rate"}, "bounds": {"*": "rate"}, "spread?": {"*": "rate"},
           "samples?": {"*": ["rate"]}, "by_rank?": ["rate"], "spread_by_rank?": ["number"],
           "checks?": {"allocations?": "number"}, "wrong?": {"*": "text"}}  # fmt: skip
CASE = {"case": "text", "error?": "text", "skipped?": "text", **WORKERS}
CONTEXT = {"peer:*": "text", "absent:*": "text", "load_avg?": "number", "kokkos_configuration?": "text", "mpi?": "text",
           "grid?": "text", "copy?": {"bytes": "count", "rate": "rate"}}  # fmt: skip
PLACES = [{"host": "text", "affinity?": "text", "binding?": "text"}]
PROGRAM_CONTEXT = {"host_concurrency": "number of workers", "ranks?": "number of workers", "places?": PLACES, **CONTEXT}
RUN = {"program": "text", **WORKERS, "places?": PLACES, "context": CONTEXT}
TEST = {"program": "text", "passed": "count", "skipped": "count", "seconds?": "number", "failed": ["text"],
        "died": [{"test": "text", "how": "text"}]}  # fmt: skip
SANITIZER = {"tool": "text", "program": "text", "skipped?": "text", "how?": "text"}
HEAD = {
    "commit?": "text",
    "finished?": "bool",
    "machine?": {"cpu?": "text", "cpu_kind?": "text", "clocks?": "object"},
    "settings?": {"variables?": "object"},
    "slowest?": {"host": "text", "share": "number", "rank": "count", "share_of_rank": "number", "case": "text"},
    "bundle?": "object",
    "facts?": {"device?": {"name?": "text"}},
    "steps?": [{"step": "text", "skipped?": "text", "error?": "text"}],
    "tests?": [TEST],
    "sanitizer?": [SANITIZER],
}


def mismatch(value, shape, where):
    """What does not fit, as a sentence, or None."""
    if isinstance(shape, str):
        return None if KINDS[shape](value) else f"{where} is no {shape}"
    if isinstance(shape, list):
        if not isinstance(value, list):
            return f"{where} is no list"
        parts = [(item, shape[0], f"{where}[{place}]") for place, item in enumerate(value)]
    else:
        if not isinstance(value, dict):
            return f"{where} is no object"
        parts = []
        for key, inner in shape.items():
            name = key.rstrip("?*")
            found = [one for one in value if one.startswith(name)] if key.endswith("*") else [name] * (name in value)
            if key == name and not found:
                return f"{where} has no {name}"
            parts += [(value[one], inner, f"{where} {one}") for one in found]
    return next(filter(None, (mismatch(*part) for part in parts)), None)


def of_case(case):
    return CASE if isinstance(case, dict) and ("error" in case or "skipped" in case) else CASE | FIGURES


def check(results):
    """The first thing that does not fit, or None."""
    parts = [(results.head, HEAD, "the file"), (results.runs, [RUN], "runs")]
    for place, case in enumerate(results.cases):
        name = case.get("case") if isinstance(case, dict) else None
        parts.append((case, of_case(case), str(name or f"case {place}")))
    return next(filter(None, (mismatch(*part) for part in parts)), None)

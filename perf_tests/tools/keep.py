# SPDX-FileCopyrightText: Pantile contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A machine's file: results of several programs and days, each under a name with its own date, commit, command and
machine. The other commands take one of them as FILE#NAME; `table` and `report` all of FILE."""

import json

import results
from files import write_whole


def keep(file, name, result):
    """Puts the result into the file, in the place of what has this name there."""
    if "#" in name or not name:
        raise results.Unusable(f"{name!r} is no name: it has characters, and no #")
    known = {one.path.name.rpartition("#")[2]: one for one in results.load_all(file)} if file.exists() else {}
    new = results.load(result)
    if new.kind != "bench":
        raise results.Unusable(f"{result}: only results of scripts/bench have files that hold several")
    for one in known.values():
        if one.identity != new.identity:
            raise results.Unusable(f"{file} is of {one.identity or 'a machine without a name'}, {result} of "
                                   f"{new.identity or 'a machine without a name'}")  # fmt: skip
    texts = [f"{json.dumps(key)}: {results.text_of(one.content).strip()}" for key, one in (known | {name: new}).items()]
    write_whole(file, '{"results": {\n' + ",\n".join(texts) + "\n}}\n")

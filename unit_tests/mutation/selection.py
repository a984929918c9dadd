# SPDX-FileCopyrightText: Pantile contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Which mutants of which files: in an order that a seed decides, and of which every beginning is spread over the files
in proportion to their code, and within a file over the operators."""

import random
import re

import operators
import source as cxx

# What runs on hosts. Kernels that only devices run are left out, and what decides about them.
FILES = re.compile(r"^(src/pantile/impl/.*\.hpp|src/lib/(?:blas|c)/.*\.[ch]pp|include/pantile/.*\.hpp)$")
NOT_FILES = re.compile(
    r"^src/pantile/impl/(arch/(cuda|hip)/|backend/|matmul/device/(epilogue|launch|load|mainloop|mma|slices)"
    r"|(transpose|add)/(kernel|launch)_packed|histogram/(kernel|launch)_device|tile/pack"
    r"|arch/(async_copy|byte_permute|device_traits|kernel_tag|warp_shuffle|matrix_multiply|device_tile|spaces)"
    r"|.*/instances\.hpp$)"
)


def source_files(project):
    """Paths of the files to mutate."""
    names = (file.relative_to(project).as_posix() for folder in ("src", "include")
             for file in (project / folder).rglob("*"))
    return sorted(name for name in names if FILES.match(name) and not NOT_FILES.match(name))


def lines_of_code(text):
    """Lines with something in them, of function bodies."""
    src = cxx.Source("", text)
    lines = set()
    for function in cxx.functions_of(src):
        lines.update(range(src.line(function.begin - 1), src.line(function.end) + 1))
    return len(lines)


def shuffled(sites, choice):
    """Sites of one file: the operators take turns, the site is drawn."""
    by_operator = {}
    for site in sites:
        by_operator.setdefault(site.operator, []).append(site)
    for group in by_operator.values():
        choice.shuffle(group)
    order = []
    while by_operator:
        names = list(by_operator)
        choice.shuffle(names)
        for name in names:
            order.append(by_operator[name].pop())
            if not by_operator[name]:
                del by_operator[name]
    return order


def ordered_sites(project, seed, files=None):
    """All sites, those first that the seed picks first."""
    choice = random.Random(seed)
    placed = []
    for path in files or source_files(project):
        text = (project / path).read_text(encoding="utf-8")
        sites = shuffled(operators.sites_of(path, text), choice)
        lines = lines_of_code(text)
        offset = choice.random()
        placed += [((position + offset) / lines, path, position, site) for position, site in enumerate(sites)]
    placed.sort(key=lambda entry: entry[:3])
    return [entry[3] for entry in placed]

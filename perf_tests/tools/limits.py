# SPDX-FileCopyrightText: Pantile contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Processes with little memory: in a group of Linux (cgroup, either version), whose limit holds for the cache of files
too, or in a small address space, which needs no right.
"""

import contextlib
import dataclasses
import os
import pathlib
import resource
import time
import typing

# The program, Kokkos and its threads' stacks and arenas, in address space rather than in memory.
ADDRESSES_BESIDE = 768 << 20
GROUPS = pathlib.Path("/sys/fs/cgroup")


class Unlimited(Exception):
    """A sentence that says why there is no such limit."""


@dataclasses.dataclass
class Limit:
    """`enter` is what a new process calls before its program begins, `budget` what it may take for its tiles."""

    budget: int
    words: str
    enter: typing.Callable
    holds_cache: bool


def own_group(root=GROUPS, table="/proc/self/cgroup"):
    """(folder of this process' group, names of the files with its limits: of memory, of swap)."""
    lines = pathlib.Path(table).read_text(encoding="ascii").splitlines()
    for _, controllers, path in (line.split(":", 2) for line in lines):
        if "memory" in controllers.split(","):
            return root / "memory" / path.lstrip("/"), ("memory.limit_in_bytes", "memory.memsw.limit_in_bytes")
    for _, controllers, path in (line.split(":", 2) for line in lines):
        if controllers == "":
            return root / path.lstrip("/"), ("memory.max", "memory.swap.max")
    raise Unlimited("this process is in no group of processes")


def write(path, text):
    with open(path, "w", encoding="ascii") as file:
        file.write(text)


def make_group(parent, files, memory):
    """A group in another one, which its processes are in already. Neither may have a process beside it in version 2."""
    group = parent / f"pantile-{os.getpid()}"
    try:
        group.mkdir()
    except OSError as error:
        raise Unlimited(f"no group of processes can be made here: {error.strerror}") from error
    try:
        if not (group / files[0]).exists():
            raise Unlimited("groups of processes have no limit of memory here")
        write(group / files[0], str(memory))
    except OSError as error:
        group.rmdir()
        raise Unlimited(f"a group of processes takes no limit of memory here: {error.strerror}") from error
    except Unlimited:
        group.rmdir()
        raise
    with contextlib.suppress(OSError):  # there need be none
        write(group / files[1], str(memory if "memsw" in files[1] else 0))
    return group


def remove(group):
    """Once the last process in it is gone, which the system may notice late."""
    for _ in range(50):
        try:
            return group.rmdir()
        except OSError:
            time.sleep(0.1)


@contextlib.contextmanager
def in_group(memory, beside):
    parent, files = own_group()
    group = make_group(parent, files, memory)
    try:
        yield Limit(memory - beside, f"a group with {memory >> 20} MiB, {beside >> 20} of them beside the budget",
                    lambda: write(group / "cgroup.procs", str(os.getpid())), True)  # fmt: skip
    finally:
        remove(group)


@contextlib.contextmanager
def in_addresses(memory):
    most = memory + ADDRESSES_BESIDE
    yield Limit(memory, f"a budget of {memory >> 20} MiB in {most >> 20} MiB of addresses",
                lambda: resource.setrlimit(resource.RLIMIT_AS, (most, most)), False)  # fmt: skip


@contextlib.contextmanager
def choose(way, memory, beside):
    """way: group, addresses, or any: a group where one can be made that has room beside, else addresses."""
    if way == "addresses" or (way == "any" and memory < 2 * beside):
        with in_addresses(memory) as limit:
            yield limit
        return
    if memory <= beside:
        raise Unlimited(f"a group with {memory >> 20} MiB has none but the {beside >> 20} beside the budget")
    with contextlib.ExitStack() as stack:
        try:
            limit = stack.enter_context(in_group(memory, beside))
        except Unlimited:
            if way == "group":
                raise
            limit = stack.enter_context(in_addresses(memory))
        yield limit

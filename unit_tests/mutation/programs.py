# SPDX-FileCopyrightText: Pantile contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The test programs that are to tell, as the build's ctest knows them, and one run of one of them."""

import json
import os
import re
import resource
import shutil
import signal
import subprocess
import time
from typing import NamedTuple

NO_PROGRAMS = re.compile(
    r"multistage_low_precision|device_tiles|_packed|^gpu_|test_support|npy|matrix_market|test_file_|test_oracle|driver"
    r"|cost")
# Tests that are no GoogleTest cases, but run the library too.
OTHER_TESTS = re.compile(
    r"^(matmul|histogram|transpose|add|pipeline|blas|c|guarded)_(?!.*(find_failures|header|exports))")

# What one program may take beyond what it takes without a mutant. A mutant may ask for any memory; of the programs for
# large operands, which map terabytes that they do not touch, it is not limited.
CPU_FACTOR, CPU_MORE = 4, 10
WALL_FACTOR, WALL_MORE = 12, 60
MEMORY = 9 << 30


class Program(NamedTuple):
    name: str
    command: list
    environment: dict
    silent: bool  # any output is a failure

    def version(self):
        """Its name and when it was built: a program that has changed is another one."""
        files = [word.split("=", 1)[-1] for word in self.command]
        return f"{self.name} {max((int(os.path.getmtime(f)) for f in files if os.path.isfile(f)), default=0)}"


class Run(NamedTuple):
    failed: bool
    how: str
    seconds: float


def _properties(test):
    return {entry["name"]: entry["value"] for entry in test.get("properties", [])}


def programs_of(listing):
    """From the output of ctest --show-only=json-v1. The cases of one GoogleTest program are one run of it."""
    found = {}
    for test in json.loads(listing)["tests"]:
        command, values = test.get("command", []), _properties(test)
        words = [word for word in command if not word.startswith("--gtest_")]
        is_cases = len(words) < len(command)
        name = test["name"].split(":")[0] if is_cases else test["name"]
        if name in found or NO_PROGRAMS.search(name) or not (is_cases or OTHER_TESTS.search(name)):
            continue
        if is_cases:
            words = [words[0], "--gtest_brief=1", "--gtest_fail_fast", *words[1:]]
        environment = dict(entry.split("=", 1) for entry in values.get("ENVIRONMENT", []))
        found[name] = Program(name, words, environment, "." in values.get("FAIL_REGULAR_EXPRESSION", []))
    return [found[name] for name in sorted(found)]


def list_programs(build):
    result = subprocess.run(["ctest", "--test-dir", str(build), "--show-only=json-v1"], capture_output=True, text=True,
                            check=True)
    return [program for program in programs_of(result.stdout) if is_built(program)]


def is_built(program):
    """Do the files exist that it names?"""
    paths = [word.split("=", 1)[-1] for word in program.command]
    return (bool(program.command) and shutil.which(paths[0])
            and all(os.path.exists(p) for p in paths if p.startswith("/")))


def cases_of(program):
    """A GoogleTest program's cases, each as a program; none of other programs."""
    if not os.path.basename(program.command[0]).startswith("test_"):
        return []
    command = [program.command[0], "--gtest_list_tests", *(word for word in program.command[1:] if "gtest" not in word)]
    listing = subprocess.run(command, capture_output=True, text=True, check=True,
                             env=environment_of(program, {})).stdout
    cases, suite = [], ""
    for line in listing.splitlines():
        name = line.split("#")[0].rstrip()
        if line.startswith("  ") and suite:
            words = [program.command[0], f"--gtest_filter={suite}{name.strip()}", "--gtest_brief=1",
                     *program.command[1:]]
            cases.append(program._replace(name=f"{program.name}:{suite}{name.strip()}", command=words))
        else:
            suite = name if name.endswith(".") else ""
    return cases if len(cases) > 1 else []


def environment_of(program, more):
    environment = dict(os.environ)
    environment.update(OMP_NUM_THREADS="2", OMP_PROC_BIND="false", OMP_WAIT_POLICY="passive",
                       PYTHONDONTWRITEBYTECODE="1")
    environment.update(program.environment)
    environment.update(more)
    return environment


def _limits(program, cpu_seconds):
    def apply():
        if cpu_seconds:
            resource.setrlimit(resource.RLIMIT_CPU, (cpu_seconds, cpu_seconds + 5))
        if "large" not in program.name:
            resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

    return apply


def _how(output, code):
    failed = re.search(r"\[  FAILED  \] ([\w/.<>:]+)", output)
    if failed:
        return failed.group(1)
    return f"signal {-code}" if code < 0 else f"exit {code}"


def run(program, variables, usual=None):
    """One run; usual: (CPU, wall) seconds that it takes without a mutant, None for no limit."""
    cpu = int(usual[0] * CPU_FACTOR + CPU_MORE) if usual else 0
    wall = usual[1] * WALL_FACTOR + WALL_MORE if usual else None
    start = time.monotonic()
    process = subprocess.Popen(
        program.command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        errors="replace",
        env=environment_of(program, variables), preexec_fn=_limits(program, cpu), start_new_session=True,
    )  # fmt: skip
    try:
        output, _ = process.communicate(timeout=wall)
    except subprocess.TimeoutExpired:
        _end(process)
        return Run(True, "time limit", time.monotonic() - start)
    seconds = time.monotonic() - start
    if process.returncode in (-24, 152):
        return Run(True, "time limit", seconds)
    if program.silent and output:
        return Run(True, "output", seconds)
    return Run(process.returncode != 0, _how(output, process.returncode) if process.returncode else "", seconds)


def _end(process):
    """The program and what it has started, which are a group of their own."""
    os.killpg(process.pid, signal.SIGKILL)
    process.communicate()

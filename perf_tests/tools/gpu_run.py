#!/usr/bin/env python3
# SPDX-FileCopyrightText: Pantile contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs a bundle of scripts/gpu_bench on a machine with a GPU: gpu_run.py BUNDLE --out FOLDER. Standard library only.

A program that fails, hangs or kills its process stops nothing: what it was at is recorded and left out, and it is
started again for the rest. FOLDER holds log.txt (every step), results.json and table.txt, rewritten after every step.
"""

import argparse
import contextlib
import ctypes
import importlib.util
import json
import os
import pathlib
import platform
import re
import shutil
import signal
import subprocess
import sys
import tarfile
import tempfile
import threading
import time

import gpu_report
import machine
from cases import read_lines

# Name, the least that is kept free for it until its turn, the most it gets (seconds); in the order of importance.
STEPS = {
    "tests": (60, 170),
    "square": (40, 90),
    "transpose": (20, 45),
    "add": (8, 20),
    "histogram": (15, 40),
    "skinny": (15, 45),
    "batched": (15, 60),
    "forms": (10, 30),
    "low_precision": (10, 30),
    "ladder": (10, 25),
    "tiles": (10, 60),
    "transfer": (15, 40),
    "numba": (20, 40),
    "cupy": (10, 30),
    "sanitizer": (60, 120),
}
CONTESTS = {
    "square": "^(square|odd)/",
    "transpose": "^transpose",
    "add": "^add",
    "histogram": "^histogram",
    "skinny": "^skinny/",
    "batched": "^batched",
    "forms": "^forms/",
    "low_precision": "^(low_precision|mixed)/",
    "ladder": "^ladder/",
    "tiles": "^tiles/",
    "transfer": "^transfer/",
}
# What a sanitizer sees: the kernels with scratch and barriers first, at their smallest.
SANITIZED = (
    ("gpu_test_matmul", "MatmulDefaultSpace/0.BlockedTakes*:MatmulDefaultSpace/1.BlockedTakes*"),
    ("gpu_test_transpose", "TransposeLayouts/0.*:TransposeLayouts/1.*"),
    ("gpu_test_histogram", "Counting/0.*"),
    ("gpu_test_matmul", "MatmulTiles/0.*"),
    ("gpu_test_add", "AddShapes/0.*"),
    ("gpu_test_transfer", "Copy.VectorsOfAnyStride:Copy.TypedLayouts*"),
)
DRIVER_FOLDERS = ("/usr/local/nvidia/lib64", "/usr/local/nvidia/lib", "/usr/lib64-nvidia",
                  "/usr/lib/x86_64-linux-gnu/nvidia/current")  # fmt: skip
TOOLS = ("memcheck", "initcheck", "racecheck")
RESTARTS = 6
PATIENCE = 45  # seconds without a word, after which a test or a contest hangs
HUNG = set()  # tools
SMI_FACTS = "name,driver_version,memory.total,power.limit,clocks.max.sm,clocks.max.memory,pstate,ecc.mode.current"
SMI_STATE = "clocks.sm,clocks.memory,power.draw,temperature.gpu,utilization.gpu,memory.used"


class Outcome:
    """What became of a process: status None where it was stopped at its limit."""

    def __init__(self, status, text, seconds):
        self.status, self.text, self.seconds = status, text, seconds

    def how(self):
        if self.status is None:
            return f"stopped after {self.seconds:.0f} s"
        if self.status < 0:
            return f"ended by {signal.Signals(-self.status).name}"
        return f"exit status {self.status}"


def wait_for(process, limit, patience, grown):
    """Its status, or None where it runs longer than the limit, or for `patience` seconds says nothing new: grown()
    bytes.
    """
    now = since = time.monotonic()
    end, seen = now + max(limit, 1), grown()
    while True:
        try:
            return process.wait(max(min(end - now, 1 if patience else end - now), 0.01))
        except subprocess.TimeoutExpired:
            now = time.monotonic()
        if patience and grown() != seen:
            seen, since = grown(), now
        if now >= end or (patience and now - since >= patience):
            return None


def run_process(words, limit, environment=None, patience=None, file=None):
    """Output and status of a command; its whole group ends with it. With patience, where neither its output nor the
    file that it writes grows for so long, it hangs.
    """
    begin = time.monotonic()
    with tempfile.TemporaryFile() as output:
        try:
            process = subprocess.Popen(
                words, stdout=output, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, env=environment,
                start_new_session=True,
            )  # fmt: skip
        except OSError as error:
            return Outcome(127, str(error), 0)
        sizes = [
            lambda: os.fstat(output.fileno()).st_size,
            lambda: file.stat().st_size if file and file.exists() else 0,
        ]
        status = wait_for(process, limit, patience, lambda: [size() for size in sizes])
        if status is None:
            os.killpg(process.pid, signal.SIGKILL)
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(10)  # one that waits for a broken device does not even end so
        output.seek(0)
        text = output.read().decode("utf-8", "replace")
    return Outcome(status, text, time.monotonic() - begin)


def answer(*words):
    """What a command prints, or None where it is missing or fails. One that has hung is not asked again."""
    if words[0] in HUNG or not shutil.which(words[0]):
        return None
    outcome = run_process(words, 20)
    if outcome.status is None:
        HUNG.add(words[0])
    return outcome.text.strip() if outcome.status == 0 else None


def query_smi(fields):
    text = answer("nvidia-smi", f"--query-gpu={fields}", "--format=csv,noheader")
    if text:
        return dict(zip(fields.split(","), (word.strip() for word in text.splitlines()[0].split(","))))
    # One that this driver does not know spoils the whole answer.
    parts = fields.split(",")
    return {} if len(parts) == 1 else {key: value for part in parts for key, value in query_smi(part).items()}


def find_driver():
    """The driver's library, and its folder where the loader would not find it by itself."""
    try:
        return ctypes.CDLL("libcuda.so.1"), None
    except OSError as error:
        said = error
    for folder in DRIVER_FOLDERS:
        try:
            return ctypes.CDLL(f"{folder}/libcuda.so.1"), folder
        except OSError:
            continue
    raise said


def count_devices():
    """Number of devices by the driver itself, and what is wrong where there is none."""
    try:
        driver, _ = find_driver()
    except OSError as error:
        return 0, f"no driver library: {error}"
    status = driver.cuInit(0)
    if status != 0:
        return 0, f"cuInit returned {status}"
    number = ctypes.c_int(0)
    driver.cuDeviceGetCount(ctypes.byref(number))
    return number.value, "" if number.value else "the driver sees no device"


def program_environment():
    """This process's, with the driver's folder where the loader needs to be told of it."""
    environment = {"CUDA_MODULE_LOADING": "LAZY", **os.environ}
    try:
        folder = find_driver()[1]
    except OSError:
        folder = None
    if folder:
        known = environment.get("LD_LIBRARY_PATH")
        environment["LD_LIBRARY_PATH"] = f"{folder}:{known}" if known else folder
    return environment


def package_folders():
    """Folders of Python's packages that may hold cuBLAS."""
    found = []
    for package, patterns in (("nvidia", ("cu*/lib", "cublas/lib")), ("torch", ("lib",))):
        try:
            spec = importlib.util.find_spec(package)
        except (ImportError, ValueError):
            spec = None
        for place in (spec.submodule_search_locations or ()) if spec else ():
            for pattern in patterns:
                found += [
                    str(path) for path in sorted(pathlib.Path(place).glob(pattern)) if list(path.glob("libcublas*"))
                ]
    return found


def gather_facts():
    return {
        "device": query_smi(SMI_FACTS),
        "before": query_smi(SMI_STATE),
        "libc": " ".join(platform.libc_ver()),
        "python": platform.python_version(),
        "cublas_folders": package_folders(),
        "date": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
    }


def find_sanitizer():
    for place in (shutil.which("compute-sanitizer"), "/usr/local/cuda/bin/compute-sanitizer"):
        if place and os.access(place, os.X_OK):
            return place
    return None


# --- Reading what programs print --------------------------------------------------------------------


def read_gtest(text):
    """Names by outcome; `running` is the test that a process died in."""
    found = {"passed": [], "failed": [], "skipped": [], "running": None}
    kinds = {"OK": "passed", "FAILED": "failed", "SKIPPED": "skipped"}
    for line in text.splitlines():
        match = re.match(r"\[ *(RUN|OK|FAILED|SKIPPED) *\] ([\w/]+\.[\w/]+)(?:,| \(|$)", line)
        if not match:
            continue
        name = match[2]
        if match[1] == "RUN":
            found["running"] = name
        elif found["running"] == name:
            found[kinds[match[1]]].append(name)
            found["running"] = None
    return found


def read_sanitizer(tool, outcome):
    """Errors that a tool counted; None where it did not come to count."""
    pattern = r"RACECHECK SUMMARY: (\d+) hazard" if tool == "racecheck" else r"ERROR SUMMARY: (\d+) error"
    match = re.search(pattern, outcome.text)
    return int(match[1]) if match else None


# --- The steps --------------------------------------------------------------------------------------


def read_manifest(bundle):
    try:
        return json.loads((bundle / "manifest.json").read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        return {"error": f"manifest.json: {error}"}


def wanted_glibc(bundle):
    return read_manifest(bundle).get("glibc", "0").removeprefix("GLIBC_")


def python_of_peers():
    return os.environ.get("PANTILE_PERF_PYTHON") or shutil.which("python3") or sys.executable


class Bench:
    def __init__(self, bundle, out, *, seconds=480, scale="full", names=None):
        self.bundle, self.out, self.scale = pathlib.Path(bundle), pathlib.Path(out), scale
        self.deadline = time.monotonic() + seconds - 5
        self.names = list(names or STEPS)
        self.lock = threading.Lock()
        self.idle, self.patience = set(), PATIENCE
        self.environment = program_environment()
        self.loader = find_loader(self.bundle, self.environment)
        self.results = {
            "bundle": read_manifest(self.bundle),
            "machine": machine.facts(),
            "settings": machine.settings(),
            "finished": False,
            "facts": {},
            "context": {},
            "steps": [],
            "tests": [],
            "cases": [],
            "sanitizer": [],
        }
        self.out.mkdir(parents=True, exist_ok=True)
        (self.out / "log.txt").write_text("", encoding="utf-8")

    def program(self, name):
        """The program's path, or None where the bundle lacks it."""
        path = self.bundle / "bin" / name
        return str(path) if os.access(path, os.X_OK) else None

    def command(self, name):
        """The words that start a program."""
        return [*self.loader, self.program(name) or name]

    def left(self):
        return self.deadline - time.monotonic()

    def log(self, title, text, most=200_000):
        if len(text) > most:
            text = text[: most // 2] + f"\n... {len(text) - most} characters left out ...\n" + text[-most // 2 :]
        with self.lock, (self.out / "log.txt").open("a", encoding="utf-8") as file:
            file.write(f"=== {title}\n{text.rstrip()}\n\n")

    def save(self):
        gpu_report.write(self.results, self.out)

    def limit_of(self, name):
        """Seconds for a step: its own limit, less what the later ones are to find left."""
        later = [other for other in self.names[self.names.index(name) + 1 :] if other not in self.idle]
        return min(STEPS[name][1], self.left() - sum(STEPS[other][0] for other in later))

    def find_idle(self):
        """Steps that have nothing to run here, for which no time is kept."""
        idle = set() if find_sanitizer() else {"sanitizer"}
        for step in ("numba", "cupy"):
            if step in self.names and run_process([python_of_peers(), "-c", f"import {step}"], 20).status != 0:
                idle.add(step)
        return idle

    def go(self):
        self.results["facts"] = gather_facts()
        self.idle = self.find_idle()
        folders = ":".join(self.results["facts"]["cublas_folders"])
        self.environment.setdefault("PANTILE_PERF_CUBLAS_FOLDERS", folders)
        self.save()
        for name in self.names:
            self.step(name)
            self.save()
        self.results["facts"]["after"] = query_smi(SMI_STATE)
        self.results["finished"] = True
        self.save()

    def step(self, name):
        limit = self.limit_of(name)
        if limit < 4 and self.left() >= 8:
            limit = min(STEPS[name][0], self.left() / 2)
        record = {"step": name, "limit": round(limit, 1)}
        self.results["steps"].append(record)
        if limit < 4:
            record["skipped"] = "no time was left"
            return
        print(f"gpu_bench: {name}, at most {limit:.0f} s of the {self.left():.0f} left", file=sys.stderr, flush=True)
        begin = time.monotonic()
        try:
            act = self.contests if name in CONTESTS else getattr(self, name)
            act(record, limit)
        except Exception as error:  # whatever it is, the other steps are still worth their time
            record["error"] = f"{type(error).__name__}: {error}"
        record["seconds"] = round(time.monotonic() - begin, 1)
        record["state"] = query_smi(SMI_STATE)

    # Tests

    def tests(self, record, limit):
        programs = sorted(path.name for path in (self.bundle / "bin").glob("gpu_test_*"))
        if not programs:
            record["skipped"] = "the bundle has no tests"
            return
        programs.sort(key=lambda name: name != "gpu_test_matmul")  # the longest first
        until = time.monotonic() + limit
        waiting = list(programs)

        def work():
            while True:
                with self.lock:
                    if not waiting:
                        return
                    name = waiting.pop(0)
                found = self.test_program(name, until)
                with self.lock:
                    self.results["tests"].append(found)

        threads = [threading.Thread(target=work) for _ in range(max(1, min(4, (os.cpu_count() or 1) // 2)))]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.results["tests"].sort(key=lambda found: found["program"])

    def test_program(self, name, until):
        """All tests of a program, those behind a fault too."""
        found = {"program": name, "passed": 0, "failed": [], "skipped": 0, "died": []}
        done, begin = [], time.monotonic()
        for _ in range(RESTARTS):
            limit = until - time.monotonic()
            if limit < 2:
                found["died"].append({"test": "the rest", "how": "no time was left"})
                break
            words = [*self.command(name), "--gtest_color=no", "--gtest_brief=0"]
            left_out = [*done, *(["*Large*"] if self.scale == "quick" else [])]
            if left_out:
                # By a file: thousands of names are too long for an argument.
                flags = pathlib.Path(tempfile.gettempdir(), f"pantile-{os.getpid()}-{name}.flags")
                flags.write_text("--gtest_filter=-" + ":".join(left_out) + "\n", encoding="utf-8")
                words.append(f"--gtest_flagfile={flags}")
            outcome = run_process(words, limit, self.environment, self.patience)
            self.log(f"{name}: {outcome.how()}, {outcome.seconds:.1f} s", outcome.text)
            part = read_gtest(outcome.text)
            found["passed"] += len(part["passed"])
            found["skipped"] += len(part["skipped"])
            found["failed"] += part["failed"]
            done += part["passed"] + part["failed"] + part["skipped"]
            complete = re.search(r"^\[==========\] \d+ tests? .*ran", outcome.text, re.M)
            if complete and outcome.status in (0, 1):
                break
            culprit = part["running"] or ("its end" if complete else "its start")
            found["died"].append({"test": culprit, "how": outcome.how(), "said": outcome.text[-600:]})
            if not part["running"] or until - time.monotonic() < 2:
                break
            done.append(culprit)
        found["seconds"] = round(time.monotonic() - begin, 1)
        return found

    # Contests

    def contests(self, record, limit):
        if not self.program("gpu_contests"):
            record["skipped"] = "the bundle has no gpu_contests"
            return
        until, after, cases = time.monotonic() + limit, "", []
        with tempfile.TemporaryDirectory() as folder:
            for attempt in range(RESTARTS):
                left = until - time.monotonic()
                if left < 3:
                    break
                file = pathlib.Path(folder, f"{attempt}.jsonl")
                words = [
                    *self.command("gpu_contests"),
                    f"--scale={self.scale}",
                    f"--filter={CONTESTS[record['step']]}",
                    f"--out={file}",
                    f"--seconds={max(left - 6, 1):.0f}",
                ]
                words += [f"--after={after}"] if after else []
                outcome = run_process(words, left, self.environment, self.patience, file)
                text = file.read_text(encoding="utf-8", errors="replace") if file.exists() else ""
                self.log(f"{record['step']}: {outcome.how()}, {outcome.seconds:.1f} s", outcome.text + "\n" + text)
                begun = self.take_cases(text, cases)
                if outcome.status == 0:
                    break
                if begun is None:
                    record["error"] = f"gpu_contests: {outcome.how()}: {outcome.text[-600:]}"
                    break
                cases.append({"case": begun, "error": f"{outcome.how()}: {outcome.text[-400:]}"})
                after = begun
        self.results["cases"] += cases

    def take_cases(self, text, cases):
        """Adds the cases; the one that was begun and not ended, if any."""
        begun = None
        for item in read_lines(text):
            if "context" in item:
                self.results["context"] = item["context"]
            elif "begin" in item:
                begun = item["begin"]
            elif "case" in item:
                cases.append(item)
                begun = None if begun == item["case"] else begun
        return begun

    # Peers in Python

    def peers(self, record, limit, script):
        path = self.bundle / "gpu" / script
        words = [python_of_peers(), str(path), f"--seconds={max(limit - 8, 1):.0f}", f"--scale={self.scale}"]
        outcome = run_process(words, limit, self.environment)
        self.log(f"{script}: {outcome.how()}", outcome.text)
        known = {case["case"]: case for case in self.results["cases"]}
        for item in read_lines(outcome.text):
            if "skipped" in item:
                if "case" not in item:
                    record["skipped"] = item["skipped"]
            elif "context" in item:
                record["context"] = item["context"]
            elif "error" in item:
                record["error"] = f"{item.get('case', '')}: {item['error']}"
            elif item.get("case") in known:
                known[item["case"]].setdefault("peers", {}).update(item["peers"])
            elif "case" in item:
                self.results["cases"].append(item)
        if outcome.status != 0 and "skipped" not in record:
            record["error"] = f"{script}: {outcome.how()}: {outcome.text[-400:]}"

    def numba(self, record, limit):
        self.peers(record, limit, "numba_kernels.py")

    def cupy(self, record, limit):
        self.peers(record, limit, "cupy_peers.py")

    # Sanitizers

    def sanitizer(self, record, limit):
        tool_path = find_sanitizer()
        if not tool_path:
            record["skipped"] = "compute-sanitizer is neither on PATH nor in /usr/local/cuda/bin"
            return
        until = time.monotonic() + limit
        jobs = [(tool, program, tests) for tool in TOOLS for program, tests in SANITIZED if self.program(program)]
        for place, (tool, program, tests) in enumerate(jobs):
            share = (until - time.monotonic()) / (len(jobs) - place)
            found = {"tool": tool, "program": program, "tests": tests}
            self.results["sanitizer"].append(found)
            if share < 3:
                found["skipped"] = "no time was left"
                continue
            words = [
                tool_path,
                "--tool",
                tool,
                "--error-exitcode",
                "99",
                *self.command(program),
                f"--gtest_filter={tests}",
                "--gtest_color=no",
            ]
            outcome = run_process(words, min(1.5 * share, until - time.monotonic()), self.environment)
            self.log(f"{tool} {program}: {outcome.how()}", outcome.text)
            part = read_gtest(outcome.text)
            found.update(errors=read_sanitizer(tool, outcome), passed=len(part["passed"]), failed=len(part["failed"]),
                         how=outcome.how(), seconds=round(outcome.seconds, 1))  # fmt: skip
            self.save()


def unpacked(bundle, folder):
    """The bundle's folder; an archive is unpacked into `folder` first."""
    bundle = pathlib.Path(bundle)
    if bundle.is_dir():
        return bundle
    with tarfile.open(bundle) as archive:
        archive.extractall(folder)
    (inner,) = pathlib.Path(folder).iterdir()
    return inner


def numbers_of(version):
    return [int(number) for number in re.findall(r"\d+", version)]


def is_older(wanted):
    """Is this machine's C library?"""
    name, version = platform.libc_ver()
    return name == "glibc" and numbers_of(version) < numbers_of(wanted)


def find_loader(bundle, environment):
    """Words before a program's: none, or where this machine's C library is older than what the programs were linked
    with, the bundle's loader, which then takes the bundle's.
    """
    loader = bundle / "glibc" / "ld-linux-x86-64.so.2"
    if not loader.exists() or not is_older(wanted_glibc(bundle)):
        return []
    folders = [str(loader.parent), environment.get("LD_LIBRARY_PATH")]
    return [str(loader), "--library-path", ":".join(folder for folder in folders if folder)]


def missing(bundle, devices=count_devices):
    """What keeps the bundle from running here."""
    lacks = []
    if not (bundle / "bin" / "gpu_contests").exists():
        lacks.append(f"{bundle} has no bin/gpu_contests: it is no bundle of scripts/gpu_bench --build")
    number, wrong = devices()
    if number == 0:
        lacks.append(f"no GPU: {wrong}")
    if not shutil.which("nvidia-smi"):
        lacks.append("no nvidia-smi on PATH; the report would lack the device's name and clocks")
    wanted = wanted_glibc(bundle)
    too_old = is_older(wanted) and not find_loader(bundle, {})
    if too_old:
        lacks.append(f"glibc {platform.libc_ver()[1]} is older than the {wanted} that the programs were linked with")
    return lacks, number > 0 and (bundle / "bin" / "gpu_contests").exists() and not too_old


def main(words=None, devices=count_devices):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("bundle", help="folder or archive that scripts/gpu_bench --build made")
    parser.add_argument("--out", required=True, type=pathlib.Path, metavar="FOLDER")
    parser.add_argument("--seconds", type=float, default=480, help="for everything (480)")
    parser.add_argument("--quick", action="store_true", help="fewer cases and rounds")
    parser.add_argument("--only", metavar="STEP,...", help="these steps, in this order, of: " + " ".join(STEPS))
    arguments = parser.parse_args(words)
    names = arguments.only.split(",") if arguments.only else None
    for name in names or ():
        if name not in STEPS:
            parser.error(f"no step '{name}'; there are: {' '.join(STEPS)}")

    with tempfile.TemporaryDirectory() as folder:
        try:
            bundle = unpacked(arguments.bundle, folder)
        except (OSError, tarfile.TarError, ValueError) as error:
            print(f"gpu_bench: {arguments.bundle}: {error}", file=sys.stderr)
            return 2
        lacks, possible = missing(bundle, devices)
        for lack in lacks:
            print(f"gpu_bench: {lack}", file=sys.stderr)
        if not possible:
            return 2
        bench = Bench(bundle, arguments.out, seconds=arguments.seconds, scale="quick" if arguments.quick else "full",
                      names=names)  # fmt: skip
        bench.go()
    sys.stdout.write((arguments.out / "table.txt").read_text(encoding="utf-8"))
    return 1 if gpu_report.failures(bench.results) else 0


if __name__ == "__main__":
    sys.exit(main())

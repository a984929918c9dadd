# SPDX-FileCopyrightText: Pantile contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""One rank of a program of perf_tests under mpirun, srun or flux run, without MPI: one rank for each device or
last-level cache.

    mpirun -n 4 --map-by l3cache --bind-to l3cache \\
        python3 perf_tests/tools ranks --out DIR -- build/bench/bin/perf_matmul

Rank and number of ranks are read from the launcher's variables. Ranks meet in DIR, a folder that all hosts see:
rank-N.status is there as soon as rank N is, and all begin when all are there, so that a host is measured with all its
ranks at work. Ranks of one host have processors of their own and, on a host of several last-level caches without
devices, a cache each; with several devices in sight each takes one (KOKKOS_DEVICE_ID). The program's lines are
rank-N.jsonl once it has ended, its output is rank-N.log. The first rank that fails writes the file stop and one
sentence; the others end when they see it.
"""

import contextlib
import itertools
import json
import os
import pathlib
import re
import signal
import socket
import subprocess
import sys
import time

import machine
from cases import read_lines
from files import write_whole
from results import Unusable

# Variables of rank and number of ranks. An MPI inside of a job comes before the job's own, which its ranks inherit.
LAUNCHERS = {
    "Open MPI": ("OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"),
    "MPICH": ("PMI_RANK", "PMI_SIZE"),
    "Flux": ("FLUX_TASK_RANK", "FLUX_JOB_SIZE"),
    "Slurm": ("SLURM_PROCID", "SLURM_STEP_NUM_TASKS"),
}
VISIBLE = ("KOKKOS_VISIBLE_DEVICES", "CUDA_VISIBLE_DEVICES", "HIP_VISIBLE_DEVICES", "ROCR_VISIBLE_DEVICES")
SECONDS = 3600.0  # for all that a rank does
WAIT = 120.0  # seconds at most between the first rank's begin and the last one's
POLL = 0.1  # seconds between two looks into the folder


class Stopped(Exception):
    """Another rank, or the launcher, has ended the run and said why."""


def place_of(environment):
    """Rank and number of ranks."""
    for launcher, names in LAUNCHERS.items():
        if all(name in environment for name in names):
            rank, size = (int(environment[name]) if environment[name].isdecimal() else -1 for name in names)
            if not 0 <= rank < size:
                said = " and ".join(f"{name}={environment[name]}" for name in names)
                raise Unusable(f"{said} of {launcher} are no rank and number of ranks")
            return rank, size
    raise Unusable(f"this is no rank: start it by mpirun, srun or flux run ({', '.join(LAUNCHERS)} are known)")


def devices_of(environment, root):
    """Number of devices that a rank may choose from; None where the launcher has chosen one for it."""
    for name in VISIBLE:
        if name in environment:
            count = len(list(filter(None, environment[name].split(","))))
            return None if count == 1 else count
    nvidia = list((root / "proc/driver/nvidia/gpus").glob("*"))
    amd = [
        file for file in (root / "sys/class/kfd/kfd/topology/nodes").glob("*/simd_count") if machine.read(file) != "0"
    ]
    return len(nvidia or amd)


def device_of(environment):
    """The UUID of the one device that the launcher shows a rank; empty where it says a number, which is one of those
    that this rank may see and may be another device elsewhere.
    """
    shown = next((environment[name] for name in VISIBLE if name in environment), "")
    return shown if re.fullmatch(r"(GPU|MIG)-[^,]+", shown) else ""


def device_faults(ranks):
    """Sentences on what devices the ranks of one host see, of which some see one at least."""
    blind = {one["rank"] for one in ranks if one["devices"] == 0}
    seeing = [one for one in ranks if one["devices"] != 0]
    found = [f"rank {rank} is without its GPU: it sees none, rank {seeing[0]['rank']} does" for rank in sorted(blind)]
    counts = [one["devices"] for one in seeing if one["devices"] is not None]
    if counts and len(seeing) > max(counts):
        found.append(f"{len(seeing)} ranks share {max(counts)} devices")
    for first, second in itertools.combinations(seeing, 2):
        if first.get("device") and first["device"] == second.get("device"):
            found.append(f"ranks {first['rank']} and {second['rank']} share the device {first['device']}")
    return found


def blind_host(ranks, everyone):
    """A sentence on a host of which no rank sees a device, beside another host where one does."""
    seeing = [one for one in everyone if one["devices"] != 0]
    if not seeing or any(one["devices"] != 0 for one in ranks):
        return []
    numbers = [one["rank"] for one in ranks]
    is_without = "are without their GPUs" if len(numbers) > 1 else "is without its GPU"
    first = seeing[0]
    return [f"{name_all(numbers)} {is_without}: none is seen here, rank {first['rank']} on {first['host']} sees one"]


def faults_of(ranks, caches):
    """Sentences on the binding of the ranks of one host, of whose last-level caches these are the processors."""
    found, masks = [], {one["rank"]: machine.numbers_of(one["affinity"]) for one in ranks}
    for first, second in itertools.combinations(masks, 2):
        shared = masks[first] & masks[second]
        if shared:
            found.append(f"ranks {first} and {second} share processors {machine.list_of(shared)}")
    if any(one["devices"] != 0 for one in ranks):
        return found + device_faults(ranks)
    if len(caches) > 1:
        for rank, mask in masks.items():
            touched = [cache for cache in caches if cache & mask]
            if len(touched) > 1:
                found.append(f"rank {rank} has processors of {len(touched)} last-level caches")
        for cache in caches:
            there = [str(rank) for rank, mask in masks.items() if cache & mask]
            if len(there) > 1:
                found.append(
                    f"ranks {', '.join(there)} share the last-level cache of processors {machine.list_of(cache)}"
                )
    return found


def said_of(host, faults):
    more = f" and {len(faults) - 1} more" if len(faults) > 1 else ""
    return f"on {host} {faults[0]}{more}"


def read_ranks(folder):
    """What the ranks have written of themselves, by rank."""
    found = {}
    for file in folder.glob("rank-*.status"):
        try:
            one = json.loads(file.read_text(encoding="utf-8"))
            found[one["rank"]] = one
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise Unusable(f"{file}: no status of a rank") from error
    return dict(sorted(found.items()))


def name_all(ranks):
    """rank 3; ranks 1, 3."""
    return f"rank{'s' * (len(ranks) > 1)} {', '.join(map(str, sorted(ranks)))}"


class Rank:
    """One of them, from its begin to its end."""

    def __init__(self, folder, words, seconds, root=pathlib.Path("/")):
        self.folder, self.words, self.root, self.seconds = folder, words, root, seconds
        self.end = time.monotonic() + seconds
        self.rank, self.size = place_of(os.environ)
        self.own = {
            "rank": self.rank,
            "size": self.size,
            "host": os.environ.get("SLURMD_NODENAME") or socket.gethostname(),
            "affinity": machine.list_of(os.sched_getaffinity(0)),
            "devices": devices_of(os.environ, root),
            "device": device_of(os.environ),
            "words": words,
        }
        if self.rank == 0:  # of the whole
            self.own |= {"machine": machine.facts(root), "settings": machine.settings(), "commit": machine.commit()}

    def file(self, kind):
        return self.folder / f"rank-{self.rank}.{kind}"

    def record(self, state, message=""):
        self.state = state
        write_whole(self.file("status"), json.dumps({**self.own, "state": state, "message": message}) + "\n")

    def begin(self):
        if any(word.partition("=")[0] == "--out" for word in self.words):
            raise Unusable(f"--out={self.file('jsonl')} is given to the program, no other --out can be")
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            if self.file("status").exists():
                raise Unusable(f"{self.folder} holds rank {self.rank} of another run")
            self.record("ready")
        except OSError as error:
            raise Unusable(f"{self.folder}: {error.strerror}") from error

    def look(self):
        """Between two looks into the folder."""
        if (self.folder / "stop").exists():
            raise Stopped
        time.sleep(POLL)

    def meet(self):
        """All ranks, when all are there."""
        wait = min(WAIT, self.seconds)
        end = time.monotonic() + wait
        while True:
            missing = {f"rank-{rank}.status" for rank in range(self.size)} - set(os.listdir(self.folder))
            if not missing:
                break
            if time.monotonic() > end:
                numbers = [int(name[5:-7]) for name in missing]
                raise Unusable(f"{name_all(numbers)} of {self.size} did not begin within {wait:g} s")
            self.look()
        found = read_ranks(self.folder)
        if any((one["size"], one["words"]) != (self.size, self.words) for one in found.values()):
            raise Unusable(f"{self.folder} holds ranks of another run")
        return found

    def neighbours(self, everyone):
        return [one for one in everyone.values() if one["host"] == self.own["host"]]

    def choose_device(self, neighbours):
        """The variables of Kokkos that name this rank's device."""
        count, local = self.own["devices"], [one["rank"] for one in neighbours].index(self.rank)
        return {"KOKKOS_DEVICE_ID": str(local % count)} if count else {}

    def last_case(self):
        lines = (
            read_lines(self.file("jsonl.part").read_text(encoding="utf-8")) if self.file("jsonl.part").exists() else ()
        )
        begun = [line["begin"] for line in lines if "begin" in line]
        return f", the last case begun was {begun[-1]}" if begun else ""

    def why(self, status):
        said = self.file("log").read_text(encoding="utf-8", errors="replace").strip().splitlines()
        how = f"was ended by signal {-status}" if status < 0 else f"ended with status {status}"
        return f"{self.words[0]} {how}{self.last_case()}" + (f": {said[-1]}" if said else "")

    def run_program(self, variables):
        environment = {"OMP_PLACES": "cores", "OMP_PROC_BIND": "close", **os.environ, **variables}
        words = [*self.words, f"--out={self.file('jsonl.part')}"]
        with open(self.file("log"), "wb") as log:
            try:
                program = subprocess.Popen(words, env=environment, stdin=subprocess.DEVNULL, stdout=log, stderr=log)
            except OSError as error:
                raise Unusable(f"{self.words[0]}: {error.strerror}") from error
            try:
                while program.poll() is None:
                    if time.monotonic() > self.end:
                        raise Unusable(f"{self.words[0]} was not done after {self.seconds:g} s{self.last_case()}")
                    self.look()
            finally:
                program.kill()
                program.wait(10)
        if program.returncode:
            raise Unusable(self.why(program.returncode))
        if not self.file("jsonl.part").exists():
            raise Unusable(f"{self.words[0]} did not write what --out={self.file('jsonl.part')} asks for")
        self.file("jsonl.part").replace(self.file("jsonl"))

    def work(self, allow_overlap):
        everyone = self.meet()
        neighbours = self.neighbours(everyone)
        faults = blind_host(neighbours, everyone.values())
        faults += faults_of(neighbours, machine.last_level_caches(self.root))
        if faults:
            said = said_of(self.own["host"], faults)
            if not allow_overlap:
                raise Unusable(f"{said}; bind them (mpirun --map-by l3cache --bind-to l3cache, srun --cpu-bind=cores) "
                               "or --allow-overlap")  # fmt: skip
            self.own["binding"] = said
            if neighbours[0]["rank"] == self.rank:
                print(f"perf_tests/tools: {said}", file=sys.stderr)
        self.run_program(self.choose_device(neighbours))


def is_first_to_stop(folder, sentence):
    try:
        with open(folder / "stop", "x", encoding="utf-8") as file:
            file.write(sentence + "\n")
    except FileExistsError:
        return False
    except OSError:  # a full disk: the name alone stops the others
        pass
    return True


def take_part(folder, words, seconds=SECONDS, allow_overlap=False):
    """Exit status; the first rank that fails throws."""

    def end(*_):
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        raise Stopped

    signal.signal(signal.SIGTERM, end)
    one = Rank(folder, words, seconds)
    one.begin()
    try:
        try:
            one.work(allow_overlap)
            one.record("done")
            return 0
        except (Unusable, OSError) as error:
            said = f"{error.filename}: {error.strerror}" if isinstance(error, OSError) else error
            sentence = f"rank {one.rank} of {one.size} on {one.own['host']}: {said}"
            with contextlib.suppress(OSError):
                one.record("failed", sentence)
            if is_first_to_stop(folder, sentence):
                raise Unusable(sentence) from error
    except Stopped:  # also while it fails by itself: that it has failed stays recorded
        if one.state != "failed":
            with contextlib.suppress(OSError):
                one.record("stopped")
    time.sleep(POLL)  # launchers end all when one ends: the first is let say why
    return 2

#!/usr/bin/env python3
# SPDX-FileCopyrightText: Pantile contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""out_of_core.py DRIVER FOLDER [--memory MIB] [--threads N] [--rounds N] [--out FILE]: products and transpositions of
four times the memory.

Makes operands of random doubles in FOLDER, which with the result are four times --memory (320), and runs the driver
program on them where it has no more than that (limits.py): in a group of processes whose memory is limited (cgroup),
the cache of files with it; where there is no right to make one, in an address space that does not hold the operands (as
by ulimit -v). --limit chooses one. Of a group --beside (64) MiB are left to the program itself and to that cache, the
driver's budget is the rest. Beside each run stand, in the same limits,

- the disk's time: the bytes that the plan moves, read and written from front to back with 4 MiB at a time, the result
  brought to the disk as the driver does;
- the computing time: of a product the same operations at the rate of a product in memory, of a transposition the
  driver's run in memory on an operand that is a quarter as large, times four; both without a limit, the faster of those
  before and after the run.

The files are dropped from the cache of files before each run. What is read a second time within a run may come from
that cache, in the driver's run and in the disk's time alike: both read each file as often. The lines have the ratio of
the run to the larger of the two times, by their medians over --rounds (3), and each round's. --out writes them as
scripts/bench does (schema 2, perf_tests/tools/results.py): rates of the run and, as its bound, of the larger time.
NumPy is needed (without it the exit status is 77), and as much room in FOLDER as eight times --memory.
"""

import argparse
import datetime
import json
import os
import pathlib
import statistics
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent / "tools"))

import limits  # noqa: E402
import machine  # noqa: E402
import results  # noqa: E402
from files import write_whole  # noqa: E402

# NumPy's BLAS may bind this process to one core as it is loaded, where OMP_PROC_BIND is set: its children too.
cores = os.sched_getaffinity(0)
try:
    import numpy as np
except ImportError:
    print("no NumPy here")
    sys.exit(77)
os.sched_setaffinity(0, cores)

MIB = 1 << 20
PIECE = 4 * MIB


def make(path, rows, cols):
    """Random doubles, a few rows at a time."""
    random = np.random.default_rng(rows + cols)
    array = np.lib.format.open_memmap(path, mode="w+", dtype="float64", shape=(rows, cols))
    step = max(1, PIECE // (8 * cols))
    for begin in range(0, rows, step):
        end = min(begin + step, rows)
        array[begin:end] = random.uniform(-1, 1, (end - begin, cols))
    array.flush()


def drop(*paths):
    """Out of the cache of files; what is not on the disk yet would stay."""
    for path in paths:
        descriptor = os.open(path, os.O_RDONLY)
        os.fsync(descriptor)
        os.posix_fadvise(descriptor, 0, 0, os.POSIX_FADV_DONTNEED)
        os.close(descriptor)


def move(paths, bytes_read, bytes_written, output):
    """Seconds for so many bytes from front to back, over and over, and a file of so many."""
    drop(*paths)
    piece = memoryview(bytearray(PIECE))
    start = time.perf_counter()
    left = bytes_read
    while left > 0:
        for path in paths:
            with open(path, "rb", buffering=0) as file:
                while left > 0 and (got := file.readinto(piece)):
                    left -= got
    descriptor = os.open(output, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    for begin in range(0, bytes_written, PIECE):
        os.write(descriptor, piece[: min(PIECE, bytes_written - begin)])
    os.fsync(descriptor)
    os.close(descriptor)
    seconds = time.perf_counter() - start
    os.unlink(output)
    return seconds


class Bench:
    def __init__(self, options, limit):
        self.driver, self.folder, self.limit, self.rounds = options.driver, options.folder, limit, options.rounds
        self.memory, self.budget = options.memory * MIB, limit.budget
        self.threads = options.threads
        self.environment = os.environ | {
            "OMP_NUM_THREADS": str(options.threads), "OMP_PROC_BIND": "close", "OMP_PLACES": "cores",
        }  # fmt: skip
        self.cases, self.plans = [], {}

    def run(self, *arguments, limit=None):
        """The driver's report."""
        report = self.folder / "report.json"
        command = [self.driver, *map(str, arguments), "-o", str(self.folder / "out.npy"), "--report", str(report)]
        enter = limit.enter if limit else None
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, env=self.environment, preexec_fn=enter)
        (self.folder / "out.npy").unlink()
        return json.loads(report.read_text())

    def disk(self, paths, traffic):
        """Seconds of move() in a process of its own, with as much memory as the driver."""
        words = [sys.executable, __file__, "move", str(int(traffic["read"])), str(int(traffic["written"])),
                 str(self.folder / "disk.bin"), *map(str, paths)]  # fmt: skip
        enter = self.limit.enter if self.limit.holds_cache else None
        done = subprocess.run(words, check=True, stdout=subprocess.PIPE, text=True, preexec_fn=enter)
        return float(done.stdout)

    def round(self, command, paths, computing):
        """Report of a run; seconds of the run, of the disk, of computing."""
        before = computing()
        drop(*paths)
        report = self.run(command, *paths, "--memory", self.budget, limit=self.limit)
        disk = self.disk(paths, report["traffic"])
        return report, (report["time"]["run"], disk, min(before, computing()))

    def contest(self, command, n, work, paths, computing, unit):
        """`work` in `unit` makes a rate of seconds."""
        found = [self.round(command, paths, computing) for _ in range(self.rounds)]
        report = found[0][0]
        name = f"out_of_core/{command}/{n}"
        print(f"{command}: {n} on a side, {self.limit.words}; tiles {report['tiles']['plan']}, "
              f"{report['tiles']['count']} of them, {report['traffic']['read'] / MIB:.0f} MiB read, "
              f"{report['traffic']['written'] / MIB:.0f} MiB written")
        for _, (run, disk, compute) in found:
            print(f"{command}: {run:.2f} s; disk {disk:.2f} s, computing {compute:.2f} s; "
                  f"{run / max(disk, compute):.2f} of the larger")
        run, disk, compute = (statistics.median(times[part] for _, times in found) for part in range(3))
        larger = max(disk, compute)
        print(f"{command}: medians {run:.2f} s; disk {disk:.2f} s, computing {compute:.2f} s; "
              f"{run / larger:.2f} of the larger", flush=True)
        self.plans[name] = {"tiles": report["tiles"]["plan"], "disk_s": round(disk, 3),
                            "computing_s": round(compute, 3)}  # fmt: skip
        self.cases.append({
            "case": name, "threads": self.threads, "unit": unit, "pantile": work / run, "checks": {}, "peers": {},
            "bounds": {"the_larger_alone": work / larger},
            "samples": {"pantile": [work / times[0] for _, times in found]},
        })  # fmt: skip

    def matmul(self):
        n = int((4 * self.memory / 3 / 8) ** 0.5) // 16 * 16
        paths = [self.folder / "a.npy", self.folder / "b.npy"]
        small = [self.folder / "small_a.npy", self.folder / "small_b.npy"]
        for path, edge in zip(paths + small, (n, n, n // 2, n // 2)):
            make(path, edge, edge)

        def computing():
            return 2 * n**3 / (2 * (n // 2) ** 3) * self.in_memory("matmul", small)

        self.contest("matmul", n, 2e-9 * n**3, paths, computing, "GFLOP/s")

    def transpose(self):
        n = int((2 * self.memory / 8) ** 0.5) // 16 * 16
        paths, small = [self.folder / "a.npy"], [self.folder / "small_a.npy"]
        make(paths[0], n, n)
        make(small[0], n // 2, n // 2)
        self.contest("transpose", n, 16e-9 * n**2, paths, lambda: 4 * self.in_memory("transpose", small), "GB/s")

    def in_memory(self, command, paths):
        return self.run(command, *paths, "--memory", "1T", "--repeat", 1)["time"]["second_run"]

    def build(self):
        """What the driver says of itself."""
        words = [self.driver, "info", "--report", "-"]
        info = json.loads(subprocess.run(words, check=True, stdout=subprocess.PIPE, env=self.environment).stdout)
        return {"pantile_version": info["version"]} | {key: info[key] for key in ("kokkos_version", "compiler")}

    def text(self):
        """bench.json of all that was measured."""
        now = datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
        context = {"date": now, "memory": self.limit.words, "plans": self.plans} | self.build()
        runs = [{"program": "out_of_core", "threads": self.threads, "ranks": 1, "context": context}]
        commit = machine.commit()
        head = {"commit": commit.removesuffix("-dirty"), "dirty": commit.endswith("-dirty"),
                "machine": machine.facts(), "settings": machine.settings(self.environment)}  # fmt: skip
        return results.compact(head, runs, self.cases)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("driver", type=lambda text: str(pathlib.Path(text).resolve()))
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--memory", type=int, default=320, help="in MiB")
    parser.add_argument("--beside", type=int, default=64, help="MiB of a group that are no budget")
    parser.add_argument("--limit", choices=("group", "addresses", "any"), default="any")
    parser.add_argument("--threads", type=int, default=os.cpu_count())
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--only", choices=("matmul", "transpose"))
    parser.add_argument("--out", type=pathlib.Path)
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    try:
        with limits.choose(options.limit, options.memory * MIB, options.beside * MIB) as limit:
            bench = Bench(options, limit)
            for command in ("matmul", "transpose"):
                if options.only in (None, command):
                    getattr(bench, command)()
    except limits.Unlimited as error:
        sys.exit(f"out_of_core.py: {error}")
    if options.out:
        write_whole(options.out, bench.text())


if __name__ == "__main__":
    if sys.argv[1:2] == ["move"]:
        print(move(sys.argv[5:], int(sys.argv[2]), int(sys.argv[3]), sys.argv[4]))
    else:
        main()

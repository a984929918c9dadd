#!/usr/bin/env python3
# SPDX-FileCopyrightText: Pantile contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""out_of_core.py DRIVER FOLDER [--memory MIB] [--threads N]: products and transpositions of four times the memory.

Makes operands of random doubles in FOLDER, which with the result are four times --memory (256), and runs the driver
program on them in an address space that does not hold them (as by ulimit -v). Beside each run stand

- the disk's time: the bytes that the plan moves, read and written from front to back with 4 MiB at a time, the result
  brought to the disk as the driver does;
- the computing time: of a product the same operations at the rate of a product in memory, of a transposition the
  driver's run in memory on an operand that is a quarter as large, times four.

The files are dropped from the cache of files before each run. What is read a second time within a run may come from
that cache, in the driver's run and in the disk's time alike: both read each file as often. The last line has the ratio
of the run to the larger of the two times. NumPy is needed (without it the exit status is 77), and as much room in
FOLDER as eight times --memory.
"""

import argparse
import json
import os
import pathlib
import resource
import subprocess
import sys
import time

try:
    import numpy as np
except ImportError:
    print("no NumPy here")
    sys.exit(77)

MIB = 1 << 20
PIECE = 4 * MIB
# The program, Kokkos and its threads' stacks and arenas, in address space rather than in memory.
ADDRESSES_BESIDE = 768 * MIB


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
    def __init__(self, driver, folder, memory, threads):
        self.driver, self.folder, self.memory = driver, folder, memory
        self.environment = os.environ | {
            "OMP_NUM_THREADS": str(threads), "OMP_PROC_BIND": "close", "OMP_PLACES": "cores",
        }  # fmt: skip

    def run(self, *arguments, limit=None):
        """The driver's report."""
        report = self.folder / "report.json"
        command = [self.driver, *map(str, arguments), "-o", str(self.folder / "out.npy"), "--report", str(report)]
        limits = (lambda: resource.setrlimit(resource.RLIMIT_AS, (limit, limit))) if limit else None
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, env=self.environment, preexec_fn=limits)
        (self.folder / "out.npy").unlink()
        return json.loads(report.read_text())

    def tiled(self, command, *paths):
        drop(*paths)
        report = self.run(command, *paths, "--memory", self.memory, limit=self.memory + ADDRESSES_BESIDE)
        traffic = report["traffic"]
        disk = move(paths, int(traffic["read"]), int(traffic["written"]), self.folder / "disk.bin")
        return report, disk

    def show(self, name, report, disk, computing):
        run = report["time"]["run"]
        print(f"{name}: tiles {report['tiles']['plan']}, {report['tiles']['count']} of them, "
              f"{report['traffic']['read'] / MIB:.0f} MiB read, {report['traffic']['written'] / MIB:.0f} MiB written")
        larger = run / max(disk, computing)
        print(f"{name}: {run:.2f} s; disk {disk:.2f} s, computing {computing:.2f} s; {larger:.2f} of the larger")

    def matmul(self):
        n = int((4 * self.memory / 3 / 8) ** 0.5) // 16 * 16
        paths = [self.folder / "a.npy", self.folder / "b.npy"]
        for path in paths:
            make(path, n, n)
        report, disk = self.tiled("matmul", *paths)
        small = n // 2
        for path in paths:
            make(path, small, small)
        rate = 2 * small**3 / self.run("matmul", *paths, "--memory", "1T", "--repeat", 1)["time"]["second_run"]
        self.show("matmul", report, disk, report["flops"] / rate)

    def transpose(self):
        n = int((2 * self.memory / 8) ** 0.5) // 16 * 16
        path = self.folder / "a.npy"
        make(path, n, n)
        report, disk = self.tiled("transpose", path)
        make(path, n // 2, n // 2)
        second = self.run("transpose", path, "--memory", "1T", "--repeat", 1)["time"]["second_run"]
        self.show("transpose", report, disk, 4 * second)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("driver", type=lambda text: str(pathlib.Path(text).resolve()))
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--memory", type=int, default=256, help="budget in MiB")
    parser.add_argument("--threads", type=int, default=os.cpu_count())
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    bench = Bench(options.driver, options.folder, options.memory * MIB, options.threads)
    bench.matmul()
    bench.transpose()


if __name__ == "__main__":
    main()

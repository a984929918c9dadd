# SPDX-FileCopyrightText: Pantile contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""perf_mpi's lines are those that the tools read, under mpirun alone and as a program of `ranks`; a rank that stops
ends all. PANTILE_PERF_MPI names the program, PANTILE_MPIEXEC the launcher with its flags.
"""

import os
import pathlib
import shlex
import subprocess
import sys
import unittest

import results
from cases import read_lines
from test_compare import Folder

TOOLS = pathlib.Path(__file__).resolve().parent
PROGRAM = os.environ.get("PANTILE_PERF_MPI", "")
MPIEXEC = shlex.split(os.environ.get("PANTILE_MPIEXEC", "mpirun --oversubscribe --allow-run-as-root -n"))
CASES = ["matmul/double/33", "transpose/double/33", "matmul/double/48", "transpose/double/48"]


@unittest.skipUnless(PROGRAM, "no perf_mpi named")
class ByMpi(Folder):
    def mpirun(self, count, *words):
        return subprocess.run([*MPIEXEC, str(count), *words], env={**os.environ, "OMP_NUM_THREADS": "1"},
                              capture_output=True, text=True, timeout=300, check=False)  # fmt: skip

    def check_cases(self, found, count):
        self.assertEqual(sorted(case["case"] for case in found.cases), sorted(CASES))
        for case in found.cases:
            self.assertEqual((case["ranks"], case["threads"], len(case["by_rank"])), (count, 1, count))
            self.assertEqual(len(case["spread_by_rank"]), count)
            self.assertEqual(set(case["peers"]), {"scalapack"})
            self.assertGreater(case["peers"]["scalapack"], 0)
            self.assertGreaterEqual(len(case["samples"]["pantile"]), 3)
            # The slowest rank of each turn is not faster than any rank's own.
            self.assertGreaterEqual(min(case["by_rank"]), case["pantile"] * 0.999)
            self.assertEqual(case["unit"], "GFLOP/s" if case["case"].startswith("matmul") else "GB/s")

    def test_one_file_of_four_ranks(self):
        file = self.folder / "mpi.jsonl"
        ran = self.mpirun(4, PROGRAM, f"--out={file}", "8", "0", "33", "48")
        self.assertEqual((ran.returncode, ran.stdout), (0, ""), ran.stderr)
        lines = list(read_lines(file.read_text(encoding="utf-8")))
        self.assertEqual([line["begin"] for line in lines if "begin" in line], CASES)
        out = self.folder / "out"
        out.mkdir()
        status, shown, said = self.tool("collect", file, "--out", out, "--commit", "abc")
        self.assertEqual(status, 0, shown + said)
        self.assertRegex(shown, r"matmul/double/33 +4x1 +[\d.e+-]+ GFLOP/s \(.*\) +scalapack")
        self.assertRegex(shown, "4 ranks on 1 hosts, rates of all ranks by the slowest one's time")
        found = results.load(out)
        self.check_cases(found, 4)
        (run,) = found.runs
        self.assertEqual((run["ranks"], run["context"]["grid"]), (4, "grid 2x2, blocks of 8"))
        self.assertEqual(len({place["host"] for place in run["places"]}), 1)
        self.assertEqual(len(run["places"]), 4)
        for key in ("date", "compiler", "kokkos_version", "affinity", "mpi", "peer:scalapack"):
            self.assertTrue(run["context"][key], key)
        self.assertEqual(self.tool("compare", out, out)[0], 0)
        page = self.folder / "page.html"
        self.assertEqual(self.tool("report", out, "--out", page)[0], 0)
        self.assertIn("scalapack", page.read_text(encoding="utf-8"))

    def test_ranks_on_one_processor_are_a_doubt(self):
        file, one = self.folder / "mpi.jsonl", str(min(os.sched_getaffinity(0)))
        ran = self.mpirun(2, "taskset", "-c", one, PROGRAM, f"--out={file}", "8", "0", "33")
        self.assertEqual(ran.returncode, 0, ran.stderr)
        status, shown, said = self.tool("collect", file, "--out", self.folder)
        self.assertEqual(status, 0, shown + said)
        self.assertRegex(shown, rf"DOUBT: on \S+ ranks 0 and 1 share processors {one}\n")

    def test_as_ranks(self):
        raw, out = self.folder / "raw", self.folder / "out"
        words = ["ranks", "--out", str(raw), "--allow-overlap", "--seconds", "200", "--", PROGRAM, "8", "0", "33", "48"]
        ran = self.mpirun(2, sys.executable, "-B", str(TOOLS), *words)
        self.assertEqual(ran.returncode, 0, ran.stderr)
        status, shown, said = self.tool("gather", raw, "--out", out)
        self.assertEqual(status, 0, shown + said)
        found = results.load(out)
        self.check_cases(found, 2)
        self.assertEqual([run["program"] for run in found.runs], ["mpi"])
        self.assertNotEqual(found.head["commit"], "")
        one = raw / "rank-1.jsonl"
        text = one.read_text(encoding="utf-8")
        self.assertNotIn('"case"', text)
        one.write_text(text.replace('"ranks": 2', '"ranks": 1'), encoding="utf-8")
        status, _, said = self.tool("gather", raw, "--out", self.folder / "other")
        self.assertEqual(status, 2)
        self.assertIn("2 ranks were started, and MPI saw 1, 2: the program found no others", said)

    def test_a_rank_that_stops_ends_all(self):
        """It stops in the middle of a case of ten minutes; the others wait for it in MPI."""
        for stopped, speaker in ((1, 0), (0, 1)):
            file = self.folder / f"stopped-{stopped}.jsonl"
            stop = f"until grep -qs begin {file}; do sleep 0.1; done; while kill -STOP $$; do sleep 0.02; done"
            script = f'[ "${{OMPI_COMM_WORLD_RANK:-$PMI_RANK}}" = {stopped} ] && ({stop}) 2>/dev/null & exec "$@"'
            ran = self.mpirun(2, "sh", "-c", script, "sh", PROGRAM, f"--out={file}", "--limit=6", "8", "600", "33")
            self.assertNotEqual(ran.returncode, 0)
            self.assertRegex(ran.stderr, r"perf_mpi: matmul/double/33: not done within 6 s, in the turn of \w+ "
                                         rf"\(rank {speaker}\)")  # fmt: skip
            if speaker == 0:  # else the launcher wakes rank 0 before it ends it
                self.assertEqual(ran.stderr.count("perf_mpi: "), 1, ran.stderr)
                last = list(read_lines(file.read_text(encoding="utf-8")))[-1]
                self.assertRegex(last["error"], "^not done within 6 s, in the turn of ")


if __name__ == "__main__":
    unittest.main()

# SPDX-FileCopyrightText: Pantile contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests of where scripts/bench puts its results: the script in a checkout of its own, where a program stands in."""

import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

import results

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = """#!/bin/sh
for word; do case $word in --out=*) out=${word#--out=} ;; esac done
echo "$@" >>"$(dirname "$0")/words"
[ ! -e "$(dirname "$0")/broken" ] || { echo 'no memory' >&2; exit 1; }
exec >>"$out"
echo '{"context": {"host_concurrency": '$OMP_NUM_THREADS', "load_avg": 0, "compiler": "GNU 16.2", "affinity": "0"}}'
echo '{"case": "fixed_cost/double/8x8x8", "unit": "Mcall/s", "pantile": 2.0, "peers": {}, "bounds": {}, "checks": {}'"$(
    cat "$(dirname "$0")/wrong" 2>/dev/null)"'}'
"""


class Checkout(unittest.TestCase):
    """A checkout whose program stands in."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.project = pathlib.Path(folder.name, "project")
        shutil.copytree(ROOT / "scripts", self.project / "scripts")
        tools = self.project / "perf_tests" / "tools"
        shutil.copytree(ROOT / "perf_tests" / "tools", tools, ignore=shutil.ignore_patterns("test_*", "__pycache__"))
        self.bin = self.project / "build" / "bench" / "bin"
        self.bin.mkdir(parents=True)
        program = self.bin / "perf_fixed_cost"
        program.write_text(PROGRAM, encoding="utf-8")
        program.chmod(0o755)

    def variables(self, environment):
        """With which it takes no environment of its own, asks no BLIS, and binds as it does by itself."""
        kept = {
            key: value for key, value in environment.items() if key != "PANTILE_ROOT" and not key.startswith("OMP_")
        }
        return {**kept, "PANTILE_INSIDE": "host", "BLIS_ARCH_TYPE": "skx"}


class Bench(Checkout):
    def bench(self, *words):
        return subprocess.run(
            [self.project / "scripts" / "bench", "--no-build", "--program", "fixed_cost", "--threads", "1,2", *words],
            cwd=self.project.parent,
            env=self.variables(os.environ),
            capture_output=True,
            text=True,
            check=False,
        )

    def kept(self):
        return sorted((self.project / "build" / "bench" / "results").iterdir())

    def test_every_run_has_a_folder_of_its_own(self):
        ran = self.bench()
        self.assertEqual(ran.returncode, 0, ran.stderr)
        (first,) = self.kept()
        self.assertRegex(first.name, r"^\d{4}-\d\d-\d\d_\d\d-\d\d-\d\d_[a-z0-9-]+_\d+-cores$")
        self.assertIn(f"results in {first}; measured for ", ran.stdout)
        found = results.load(first)
        self.assertEqual([case["threads"] for case in found.cases], [1, 2])
        self.assertTrue(found.machine["cpu"])
        self.assertEqual(found.head["settings"]["variables"]["OMP_PROC_BIND"], "close")
        self.assertIn("--threads 1,2", found.head["settings"]["command"])
        self.assertEqual(found.runs[1]["context"]["compiler"], "GNU 16.2")
        self.assertTrue(
            {"bench.json", "table.txt", "sweep.csv", "report.html", "raw"} <= {path.name for path in first.iterdir()}
        )
        before = (first / "bench.json").read_bytes()
        place = first.with_name("2000-01-01_00-00-00_another")
        first.rename(place)
        self.assertEqual(self.bench().returncode, 0)
        self.assertEqual(len(self.kept()), 2)
        self.assertEqual((place / "bench.json").read_bytes(), before)

    def test_a_place_of_the_users(self):
        place = self.project.parent / "mine"
        place.mkdir()
        ran = self.bench("--out", "mine")
        self.assertEqual(ran.returncode, 0, ran.stderr)
        self.assertEqual(len(results.load(place).cases), 2)
        again = self.bench("--out", "mine")
        self.assertEqual(again.returncode, 1)
        self.assertIn("mine is no empty folder: results are not written over", again.stderr)
        self.assertEqual([path.name for path in self.project.parent.iterdir() if ".part." in path.name], [])

    def test_shapes_of_the_users_are_perf_matmuls(self):
        (self.bin / "perf_fixed_cost").rename(self.bin / "perf_matmul")
        ran = self.bench("--shape", "double/12x200x50000", "--shape", "complex<float>/3x5x7")
        self.assertEqual(ran.returncode, 0, ran.stderr)
        words = (self.bin / "words").read_text(encoding="utf-8")
        self.assertEqual(words.count(" --shape=double/12x200x50000 --shape=complex<float>/3x5x7 "), 2, words)

    def test_what_is_not_finished_does_not_look_it(self):
        (self.bin / "broken").touch()
        ran = self.bench("--out", "mine")
        self.assertEqual(ran.returncode, 1)
        self.assertIn("perf_fixed_cost failed: no memory", ran.stderr)
        self.assertFalse((self.project.parent / "mine").exists())
        (part,) = self.project.parent.glob("mine.part.*")
        self.assertIn(f"unfinished results in {part}", ran.stderr)
        self.assertTrue(re.search("no memory", (part / "raw" / "fixed_cost-1.log").read_text(encoding="utf-8")))

    def test_wrong_results_are_kept_and_fail(self):
        (self.bin / "wrong").write_text(', "wrong": {"pantile": "3 elements are wrong"}', encoding="utf-8")
        ran = self.bench("--out", "mine")
        self.assertEqual(ran.returncode, 1)
        self.assertIn("ERROR", ran.stdout)
        self.assertEqual(len(results.load(self.project.parent / "mine").cases), 2)


if __name__ == "__main__":
    unittest.main()

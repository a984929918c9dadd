# SPDX-FileCopyrightText: Pantile contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests of gpu_run.py and gpu_report.py, with scripts in place of the programs of a bundle: no GPU is needed."""

import contextlib
import io
import json
import os
import pathlib
import shutil
import tarfile
import tempfile
import unittest
from unittest import mock

import cases
import gpu_report
import gpu_run


def case(name, pantile=10.0, unit="GFLOP/s", **parts):
    return {"case": name, "unit": unit, "pantile": pantile, "peers": {}, "bounds": {}, "spread": {"pantile": 0.01},
            "checks": {}, "wrong": {}, "rounds": 5, "plan": "", **parts}  # fmt: skip


def results_of(cases=(), **parts):
    return {"bundle": {"commit": "abc", "compiler": "nvcc 12.4"}, "facts": {}, "context": {}, "steps": [], "tests": [],
            "cases": list(cases), "sanitizer": [], **parts}  # fmt: skip


class Table(unittest.TestCase):
    def table(self, *cases, **parts):
        return "\n".join(gpu_report.make_table(results_of(cases, **parts)))

    def test_ratios_to_each_peer_and_share_of_the_bound(self):
        text = self.table(case("square/float/4096", 10.0, peers={"cublas": 20.0, "numba": 2.0}, bounds={"copy": 12.5}))
        self.assertRegex(text, r"square/float/4096 +10 GFLOP/s +0\.50 +5\.00 +80% copy")

    def test_the_best_of_the_twins_counts(self):
        text = self.table(case("transpose/float/8", 10.0, "GB/s", peers={"cuda_c_tile": 5.0, "cuda_c_padded": 8.0}))
        self.assertRegex(text, r"transpose/float/8 +10 GB/s +1\.25")

    def test_groups_have_means_and_least_ratios(self):
        slow = case("square/float/1", 1.0, peers={"cublas": 4.0})
        fast = case("square/float/2", 4.0, peers={"cublas": 4.0})
        text = self.table(slow, fast, case("add/float/1"))
        self.assertRegex(text, r"= square/float: mean \(least\) of 2 +0\.50 \(0\.25\)")
        self.assertNotIn("= add/float", text)

    def test_errors_wrong_results_and_missing_time_are_shown(self):
        text = self.table(
            {"case": "add/float/1", "error": "ended by SIGABRT:\nsaid"},
            {"case": "add/float/2", "skipped": "no time was left"},
            case("add/float/3", wrong={"cublas": "differs"}),
            case("add/float/4", spread={"pantile": 0.4}),
        )
        self.assertIn("ERROR: ended by SIGABRT: said", text)
        self.assertIn("skipped: no time was left", text)
        self.assertRegex(text, r"add/float/3 .*WRONG cublas: differs")
        self.assertRegex(text, r"add/float/4 .*spread")

    def test_a_case_without_pantiles_rate_has_no_ratio(self):
        wrong = case("add/float/1", peers={"cublas": 2.0}, wrong={"pantile": "3 elements are wrong"})
        del wrong["pantile"]
        text = self.table(wrong)
        self.assertRegex(text, r"add/float/1 +- +WRONG pantile: 3 elements are wrong")

    def test_tests_sanitizers_and_steps_are_told(self):
        tests = [{"program": "gpu_test_add", "passed": 7, "failed": ["A.b"], "skipped": 1, "seconds": 3,
                  "died": [{"test": "A.c", "how": "ended by SIGSEGV"}]}]  # fmt: skip
        sanitizer = [
            {"tool": "memcheck", "program": "gpu_test_add", "errors": 0, "passed": 4, "failed": 0},
            {"tool": "racecheck", "program": "gpu_test_add", "errors": None, "how": "exit status 3"},
            {"tool": "initcheck", "program": "gpu_test_add", "errors": 2},
        ]
        steps = [{"step": "numba", "skipped": "no module numba"}, {"step": "cupy", "error": "x"}]
        text = self.table(tests=tests, sanitizer=sanitizer, steps=steps)
        for words in (
            "7 passed, 1 failed, 1 times a program died",
            "FAILED A.b",
            "DIED in A.c: ended by SIGSEGV",
            "memcheck gpu_test_add: 0 errors, 4 tests passed",
            "racecheck gpu_test_add: no summary: exit status 3",
            "initcheck gpu_test_add: no summary: not run",
            "step numba skipped: no module numba",
            "step cupy error: x",
        ):
            self.assertIn(words, text)
        found = gpu_report.failures(results_of(tests=tests, sanitizer=sanitizer, steps=steps))
        self.assertEqual(found, ["A.b", "A.c", "racecheck gpu_test_add", "initcheck gpu_test_add", "cupy"])

    def test_nothing_measured_is_a_table_too(self):
        self.assertIn("device: unknown", self.table())
        self.assertEqual(gpu_report.failures(results_of([case("add/float/1")])), [])

    def test_files_have_one_item_per_line(self):
        with tempfile.TemporaryDirectory() as folder:
            written = [case("add/float/1"), case("add/float/2")]
            gpu_report.write(results_of(written), pathlib.Path(folder))
            text = pathlib.Path(folder, "results.json").read_text(encoding="utf-8")
            self.assertEqual(json.loads(text)["cases"], written)
            self.assertEqual(sum('"case": "add' in line for line in text.splitlines()), 2)
            self.assertEqual(sorted(os.listdir(folder)), ["results.json", "table.txt"])


GTEST = """
[==========] Running 3 tests from 1 test suite.
[ RUN      ] A/0.passes
[       OK ] A/0.passes (3 ms)
[ RUN      ] A/0.fails
[  FAILED  ] A/0.fails, where TypeParam = int (0 ms)
[ RUN      ] A.skips
[  SKIPPED ] A.skips (0 ms)
"""


class Reading(unittest.TestCase):
    def test_gtest(self):
        found = gpu_run.read_gtest(GTEST + "[ RUN      ] A.dies\nTerminated\n[  FAILED  ] A/0.fails\n")
        self.assertEqual(
            found, {"passed": ["A/0.passes"], "failed": ["A/0.fails"], "skipped": ["A.skips"], "running": "A.dies"}
        )

    def test_a_half_written_line_is_left_out(self):
        self.assertEqual(list(cases.read_lines('{"a": 1}\n[2]\n{"b": ')), [{"a": 1}])

    def test_sanitizer_summaries(self):
        memory = gpu_run.Outcome(99, "========= ERROR SUMMARY: 4 errors", 1)
        race = gpu_run.Outcome(0, "========= RACECHECK SUMMARY: 0 hazards displayed (0 errors, 0 warnings)", 1)
        self.assertEqual(gpu_run.read_sanitizer("memcheck", memory), 4)
        self.assertEqual(gpu_run.read_sanitizer("racecheck", race), 0)
        self.assertIsNone(gpu_run.read_sanitizer("initcheck", gpu_run.Outcome(1, "Device not supported", 1)))

    def test_a_process_that_hangs_is_stopped_with_its_children(self):
        outcome = gpu_run.run_process(["sh", "-c", "echo begun; sleep 60 & wait"], 1)
        self.assertIsNone(outcome.status)
        self.assertLess(outcome.seconds, 10)
        self.assertIn("begun", outcome.text)
        self.assertEqual(gpu_run.run_process(["/no/such/program"], 1).status, 127)


# Dies in the second test, once; then the rest pass.
FRAIL_TESTS = """#!/bin/sh
for word; do case $word in --gtest_flagfile=*) flags=$(cat "${word#*=}") ;; esac done
case "$flags" in
*A.dies*)
    printf '[ RUN      ] A.last\\n[       OK ] A.last (1 ms)\\n'
    printf '[==========] 1 test from 1 test suite ran. (1 ms total)\\n' ;;
*) printf '[ RUN      ] A.first\\n[       OK ] A.first (1 ms)\\n[ RUN      ] A.dies\\n'; kill -ABRT $$ ;;
esac
"""
GOOD_TESTS = """#!/bin/sh
printf '[ RUN      ] B.only\\n[       OK ] B.only (1 ms)\\n[==========] 1 test from 1 test suite ran. (1 ms total)\\n'
"""
# Dies in its second case; with --after it goes on behind it.
FRAIL_CONTESTS = """#!/bin/sh
for word; do
    case $word in --out=*) out=${word#--out=} ;; --after=*) after=$word ;; esac
done
echo '{"context": {"space": "Toy"}}' >>"$out"
if [ -z "$after" ]; then
    echo '{"begin": "ladder/naive/float/1024"}' >>"$out"
    echo '{"case": "ladder/naive/float/1024", "unit": "GFLOP/s", "pantile": 8, "peers": {}}' >>"$out"
    echo '{"begin": "add/float/2"}' >>"$out"
    kill -SEGV $$
fi
echo '{"case": "add/float/3", "unit": "GB/s", "pantile": 3, "peers": {}}' >>"$out"
"""


HANGING_TESTS = """#!/bin/sh
case $* in
    *flagfile*) ;;
    *) echo '[ RUN      ] A.hangs'; sleep 1000 ;;
esac
echo '[ RUN      ] A.passes'
echo '[       OK ] A.passes (0 ms)'
echo '[==========] 1 test from 1 test suite ran. (0 ms total)'
"""
HANGING_CONTESTS = """#!/bin/sh
for word; do
    case $word in --out=*) out=${word#--out=} ;; --after=*) after=$word ;; esac
done
if [ -z "$after" ]; then
    echo '{"begin": "add/float/2"}' >>"$out"
    sleep 1000
fi
echo '{"case": "add/float/3", "unit": "GB/s", "pantile": 3, "peers": {}}' >>"$out"
"""


class Run(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.bundle = self.folder / "bundle"
        (self.bundle / "bin").mkdir(parents=True)
        (self.bundle / "manifest.json").write_text('{"commit": "abc"}', encoding="utf-8")

    def program(self, name, text):
        path = self.bundle / "bin" / name
        path.write_text(text, encoding="utf-8")
        path.chmod(0o755)

    def run_main(self, *words, devices=lambda: (1, ""), bundle=None):
        out, errors = io.StringIO(), io.StringIO()
        words = [str(bundle or self.bundle), "--out", str(self.folder / "out"), *words]
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(errors):
            status = gpu_run.main(words, devices)
        file = self.folder / "out" / "results.json"
        return status, out.getvalue(), errors.getvalue(), json.loads(file.read_text("utf-8")) if file.exists() else None

    def test_without_a_gpu_it_says_what_is_lacking(self):
        status, _, errors, results = self.run_main(devices=lambda: (0, "no driver library: libcuda.so.1"))
        self.assertEqual(status, 2)
        self.assertIn("no GPU: no driver library: libcuda.so.1", errors)
        self.assertIn("has no bin/gpu_contests", errors)
        self.assertIsNone(results)

    def test_this_machines_own_driver_is_asked(self):
        number, wrong = gpu_run.count_devices()
        self.assertEqual(number == 0, bool(wrong))

    def test_a_bundle_that_is_not_there(self):
        status, _, errors, _ = self.run_main(bundle=self.folder / "nothing.tar.xz")
        self.assertEqual(status, 2)
        self.assertIn("nothing.tar.xz", errors)

    def test_programs_that_die_do_not_stop_the_others(self):
        self.program("gpu_contests", FRAIL_CONTESTS)
        self.program("gpu_test_frail", FRAIL_TESTS)
        self.program("gpu_test_good", GOOD_TESTS)
        status, table, _, results = self.run_main("--only", "tests,ladder")
        self.assertEqual(status, 1)
        frail, good = results["tests"]
        self.assertEqual(
            (frail["passed"], frail["died"][0]["test"], frail["died"][0]["how"]), (2, "A.dies", "ended by SIGABRT")
        )
        self.assertEqual((good["passed"], good["died"]), (1, []))
        self.assertEqual([case["case"] for case in results["cases"]],
                         ["ladder/naive/float/1024", "add/float/2", "add/float/3"])  # fmt: skip
        self.assertIn("ended by SIGSEGV", results["cases"][1]["error"])
        self.assertIn("3 passed, 0 failed, 1 times a program died", table)
        self.assertIn("A.dies", (self.folder / "out" / "log.txt").read_text(encoding="utf-8"))

    def test_what_hangs_does_not_take_the_time_of_the_others(self):
        self.program("gpu_contests", HANGING_CONTESTS)
        self.program("gpu_test_hanging", HANGING_TESTS)
        with mock.patch.object(gpu_run, "PATIENCE", 1.5):
            _, _, _, results = self.run_main("--only", "tests,ladder")
        (hanging,) = results["tests"]
        self.assertEqual((hanging["passed"], [died["test"] for died in hanging["died"]]), (1, ["A.hangs"]))
        self.assertEqual([case["case"] for case in results["cases"]], ["add/float/2", "add/float/3"])
        self.assertIn("stopped after", results["cases"][0]["error"])

    def test_no_time_is_kept_for_what_cannot_run(self):
        self.program("gpu_contests", "#!/bin/sh\nexit 0\n")
        limits = []
        for idle in (set(), {"numba", "cupy", "sanitizer"}):
            with mock.patch.object(gpu_run.Bench, "find_idle", return_value=idle):
                _, _, _, results = self.run_main("--seconds", "300")
            limits.append({step["step"]: step["limit"] for step in results["steps"]})
        self.assertLess(limits[0]["tests"] + 50, limits[1]["tests"])

    def test_a_bundle_for_a_newer_glibc_does_not_start(self):
        self.program("gpu_contests", "#!/bin/sh\nexit 0\n")
        (self.bundle / "manifest.json").write_text('{"glibc": "GLIBC_9.1"}', encoding="utf-8")
        with mock.patch.object(gpu_run.platform, "libc_ver", return_value=("glibc", "2.36")):
            status, _, errors, _ = self.run_main("--only", "ladder")
        self.assertEqual(status, 2)
        self.assertIn("glibc 2.36 is older than the 9.1", errors)

    def test_an_older_machine_takes_the_bundles_own_glibc(self):
        self.program("gpu_contests", FRAIL_CONTESTS)
        (self.bundle / "manifest.json").write_text('{"glibc": "GLIBC_9.1"}', encoding="utf-8")
        (self.bundle / "glibc").mkdir()
        loader = self.bundle / "glibc" / "ld-linux-x86-64.so.2"
        loader.write_text(f'#!/bin/sh\necho "$2" >{self.folder}/path\nshift 2\nexec "$@"\n', encoding="utf-8")
        loader.chmod(0o755)
        with mock.patch.object(gpu_run.platform, "libc_ver", return_value=("glibc", "2.36")):
            _, _, _, results = self.run_main("--only", "ladder")
        self.assertEqual(len(results["cases"]), 3)
        self.assertTrue((self.folder / "path").read_text(encoding="utf-8").startswith(str(self.bundle / "glibc")))

    def test_an_archive_is_a_bundle_too(self):
        self.program("gpu_contests", FRAIL_CONTESTS)
        archive = self.folder / "bundle.tar.xz"
        with tarfile.open(archive, "w:xz") as file:
            file.add(self.bundle, "bundle")
        status, _, _, results = self.run_main("--only", "ladder", bundle=archive)
        self.assertEqual((status, len(results["cases"])), (1, 3))
        self.assertEqual(results["bundle"], {"commit": "abc"})

    def test_a_bundle_of_contests_alone(self):
        self.program("gpu_contests", "#!/bin/sh\nexit 3\n")
        status, table, _, results = self.run_main("--only", "tests,square")
        self.assertEqual(status, 1)
        states = {step["step"]: step for step in results["steps"]}
        self.assertEqual(states["tests"]["skipped"], "the bundle has no tests")
        self.assertIn("exit status 3", states["square"]["error"])
        self.assertIn("step square error: gpu_contests: exit status 3", table)

    def test_no_time_is_told(self):
        self.program("gpu_contests", FRAIL_CONTESTS)
        status, table, _, _ = self.run_main("--seconds", "6")
        self.assertEqual(status, 0)
        self.assertIn("step sanitizer skipped: no time was left", table)

    def test_peers_in_python_join_the_cases_of_their_names(self):
        self.program("gpu_contests", FRAIL_CONTESTS)
        script = self.folder / "python"
        script.write_text(
            '#!/bin/sh\necho \'{"case": "ladder/naive/float/1024", "peers": {"numba": 4}}\'\n'
            'echo \'{"case": "alone/1", "unit": "GB/s", "peers": {"numba": 4}}\'\n',
            encoding="utf-8",
        )
        script.chmod(0o755)
        with mock.patch.dict(os.environ, {"PANTILE_PERF_PYTHON": str(script)}):
            _, table, _, results = self.run_main("--only", "ladder,numba")
        self.assertEqual(results["cases"][0]["peers"], {"numba": 4})
        self.assertRegex(table, r"ladder/naive/float/1024 +8 GFLOP/s +2\.00")
        self.assertIn("alone/1", table)

    def test_peers_that_this_python_lacks_are_skipped_with_the_reason(self):
        self.program("gpu_contests", FRAIL_CONTESTS)
        shutil.copytree(pathlib.Path(__file__).resolve().parents[1] / "gpu", self.bundle / "gpu")
        _, _, _, results = self.run_main("--only", "numba,cupy")
        for step in results["steps"]:
            self.assertTrue("skipped" in step or "context" in step, step)
        self.assertEqual((results["schema"], results["finished"]), (2, True))
        self.assertIn("cpu", results["machine"])

    def test_a_step_that_there_is_none_of(self):
        with self.assertRaises(SystemExit):
            self.run_main("--only", "no_such_step")


if __name__ == "__main__":
    unittest.main()

# SPDX-FileCopyrightText: Pantile contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests of what does not need a cluster: flux.sh with a flux that stands in; the check of ReFrame and the application
of Ramble with the words of their languages put in place, beside the programs and the committed results.
"""

import os
import pathlib
import re
import subprocess
import sys
import types
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "tools"))

import results  # noqa: E402
from cases import mean  # noqa: E402
from shares import bound_of  # noqa: E402
from test_bench import Checkout  # noqa: E402

FLUX = """#!/bin/sh
echo "flux $*" >>"$FLUX_LOG"
case "$1 $2" in
    "getattr jobid") echo f7Xq ;;
    "getattr size") echo 1 ;;
    run*)
        while [ "${2#--}" != "$2" ]; do
            case $2 in --tasks-per-node=*) tasks=${2#*=} ;; esac
            shift
        done
        shift
        [ "$tasks" ] || exec "$@"
        rank=0 status=0
        while [ $rank -lt "$tasks" ]; do
            FLUX_TASK_RANK=$rank FLUX_JOB_SIZE=$tasks "$@" &
            all="$all $!" rank=$((rank + 1))
        done
        for one in $all; do wait "$one" || status=$?; done
        exit $status ;;
esac
"""
LINE = ('{"case": "square/double/8x8x8", "unit": "GFLOP/s", "pantile": 1.5e+02, "peers": {"blis": 2}, "bounds": {}, '
        '"samples": {"pantile": [1, 2]}, "wrong": {}, "plan": ""}')  # fmt: skip


class Flux(Checkout):
    def run_flux(self, *words, **variables):
        words = words or ("--no-build", "--program", "fixed_cost", "--threads", "1")
        return self.run_script(words, variables)

    def run_script(self, words, variables):
        fake = self.project / "bin" / "flux"
        fake.parent.mkdir(exist_ok=True)
        fake.write_text(FLUX, encoding="utf-8")
        fake.chmod(0o755)
        environment = {**self.variables(os.environ), "FLUX_LOG": str(self.project / "flux.log"),
                       "PATH": f"{fake.parent}:{os.environ['PATH']}", **variables}  # fmt: skip
        words = ["bash", HERE / "flux.sh", *words]
        return subprocess.run(words, cwd=self.project, env=environment, capture_output=True, text=True, check=False)

    def test_a_job_leaves_a_result_of_its_number(self):
        ran = self.run_flux()
        self.assertEqual(ran.returncode, 0, ran.stderr)
        place = self.project / "build" / "bench" / "results" / "flux-f7Xq"
        self.assertEqual(len(results.load(place).cases), 1)
        self.assertIn(
            "flux run --nodes=1 --ntasks=1 --exclusive", (self.project / "flux.log").read_text(encoding="utf-8")
        )
        ran = self.run_flux(PANTILE_RESULTS=str(self.project / "others"), PANTILE_BASELINE=str(place))
        self.assertEqual(ran.returncode, 0, ran.stderr)
        self.assertIn("1 cases: 0 better, 0 worse, 1 same", ran.stdout)

    def test_several_tasks_are_ranks(self):
        program = "build/bench/bin/perf_fixed_cost"
        variables = {"PANTILE_TASKS_PER_NODE": "2", "OMP_NUM_THREADS": "1",
                     "PANTILE_RANKS": "--allow-overlap --seconds 60"}  # fmt: skip
        ran = self.run_flux(program, **variables)
        self.assertEqual(ran.returncode, 0, ran.stderr)
        found = results.load(self.project / "build" / "bench" / "results" / "flux-f7Xq")
        self.assertEqual([(case["ranks"], len(case["by_rank"])) for case in found.cases], [(2, 2)])
        self.assertIn("flux run --nodes=1 --tasks-per-node=2 --exclusive --setopt=cpu-affinity=per-task "
                      "--setopt=gpu-affinity=per-task python3",
                      (self.project / "flux.log").read_text(encoding="utf-8"))  # fmt: skip
        (self.bin / "broken").touch()
        ran = self.run_flux(program, **variables, PANTILE_RESULTS=str(self.project / "others"))
        self.assertNotEqual(ran.returncode, 0)
        self.assertEqual(ran.stderr.count("ended with status 1: no memory"), 1, ran.stderr)
        self.assertFalse((self.project / "others" / "flux-f7Xq" / "bench.json").exists())

    def test_tasks_that_cannot_be(self):
        ran = self.run_flux(PANTILE_TASKS_PER_NODE="two")
        self.assertEqual(ran.returncode, 2)
        self.assertEqual(ran.stderr, "flux.sh: PANTILE_TASKS_PER_NODE is 'two', no number of tasks\n")
        ran = self.run_script((), {"PANTILE_TASKS_PER_NODE": "2"})
        self.assertEqual(ran.returncode, 2)
        self.assertEqual(ran.stderr, "flux.sh: 2 tasks on a node need a program of perf_tests to run\n")

    def test_a_folder_that_is_no_checkout(self):
        ran = self.run_flux(PANTILE_SOURCE="/tmp")
        self.assertEqual(ran.returncode, 2)
        self.assertIn("flux.sh: no checkout of Pantile in /tmp", ran.stderr)

    def test_a_baseline_that_is_not_there_is_said_before_all(self):
        ran = self.run_flux(PANTILE_BASELINE="/no/baseline")
        self.assertEqual(ran.returncode, 2)
        self.assertEqual(ran.stderr, "perf_tests/tools: /no/baseline: No such file or directory\n")
        self.assertNotIn("flux run", (self.project / "flux.log").read_text(encoding="utf-8"))

    def test_outside_of_a_job(self):
        scripts = {"flux.sh": "Flux: start it by flux batch", "slurm.sh": "Slurm: start it by sbatch"}
        for script, launcher in scripts.items():
            variables = {key: value for key, value in os.environ.items() if not key.startswith(("SLURM_", "FLUX_"))}
            ran = subprocess.run(["bash", HERE / script], env={**variables, "PANTILE_SOURCE": str(self.project)},
                                 cwd=self.project, capture_output=True, text=True, check=False)  # fmt: skip
            self.assertEqual((ran.returncode, ran.stderr), (2, f"{script}: this is no job of {launcher}\n"))


def run_file(path, modules):
    """The names of a file in a language that is not here."""
    for name, content in modules.items():
        sys.modules[name] = types.ModuleType(name)
        vars(sys.modules[name]).update(content)
        parent, _, own = name.rpartition(".")
        if parent:
            setattr(sys.modules[parent], own, sys.modules[name])
    try:
        space = {"__file__": str(path), "__name__": path.stem}
        exec(compile(path.read_text(encoding="utf-8"), str(path), "exec"), space)
    finally:
        for name in modules:
            del sys.modules[name]
    return space


def decorator(*_, **__):
    return lambda function: function


class Reframe(unittest.TestCase):
    def load(self):
        words = {"simple_test": lambda cls: cls, "RunOnlyRegressionTest": object}
        builtins = {"parameter": list, "performance_function": decorator, "run_before": decorator,
                    "sanity_function": lambda function: function, "variable": lambda kind, value: value}  # fmt: skip
        sanity = {"all": all, "assert_true": lambda value, _: bool(value), "assert_false": lambda value, _: not value}
        return run_file(HERE / "reframe_pantile.py", {
            "reframe": words, "reframe.utility": {}, "reframe.utility.sanity": sanity,
            "reframe.core": {}, "reframe.core.builtins": builtins})  # fmt: skip

    def test_references_are_what_committed_results_reach(self):
        for kind, (program, cases, least) in self.load()["CHECKS"].items():
            self.assertTrue((HERE.parent / f"{program}.cpp").exists())
            shares = []
            for file in HERE.parent.glob("results/*_amd-epyc-zen?_2-cores.json"):
                for threads in (1, 2):
                    chosen = [case for case in results.load(file).measured()
                              if re.search(cases, case["case"]) and case["threads"] == threads]  # fmt: skip
                    shares.append(mean([bound_of(case)[1] for case in chosen]))
            self.assertEqual(len(shares), 4)
            self.assertTrue(0.85 * min(shares) < least < 0.95 * min(shares), (kind, shares))


class Ramble(unittest.TestCase):
    def load(self):
        """(the module's names, what the application said: [(directive, words, named words)])"""
        said = []

        def directive(name):
            return lambda *words, **named: said.append((name, words, named))

        names = (
            "tags",
            "executable",
            "workload",
            "workload_variable",
            "figure_of_merit_context",
            "figure_of_merit",
            "success_criteria",
        )
        language = {name: directive(name) for name in names} | {"ExecutableApplication": object}
        folder = HERE / "ramble" / "repo" / "applications" / "pantile"
        return run_file(folder / "application.py", {"ramble": {}, "ramble.appkit": language}), said

    def test_lines_of_a_program_are_its_figures(self):
        space, said = self.load()
        found = re.match(space["CASE"], LINE)
        self.assertEqual((found["case"], found["unit"], found["rate"]), ("square/double/8x8x8", "GFLOP/s", "1.5e+02"))
        criteria = {words[0]: named for name, words, named in said if name == "success_criteria"}
        right, wrong = re.compile(criteria["measured"]["match"]), re.compile(criteria["right"]["anti_match"])
        self.assertTrue(right.match(LINE) and not wrong.match(LINE))
        bad = LINE.replace('"wrong": {}', '"wrong": {"pantile": "x"}'), '{"case": "a", "error": "no memory"}'
        self.assertTrue(all(map(wrong.match, bad)))
        self.assertFalse(right.match(bad[1]))

    def test_programs_and_their_options_are_there(self):
        space, said = self.load()
        usage = (HERE.parent / "support" / "main.cpp").read_text(encoding="utf-8")
        for program, _ in space["WORKLOADS"].values():
            self.assertTrue((HERE.parent / f"{program}.cpp").exists())
        commands = [words[1] for name, words, _ in said if name == "executable"]
        self.assertEqual(len(commands), 4)
        for option in re.findall(r"(--\w+)=", "".join(commands)):
            self.assertIn(f"[{option}=", usage)

    def test_experiments_name_workloads(self):
        text = (HERE / "ramble" / "ramble.yaml").read_text(encoding="utf-8")
        for workload in re.findall(r"^        (\w+):$", text, re.M):
            self.assertIn(workload, self.load()[0]["WORKLOADS"])


if __name__ == "__main__":
    unittest.main()

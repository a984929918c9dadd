# SPDX-FileCopyrightText: Pantile contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests of what does not need a cluster: flux.sh with a flux that stands in; the check of ReFrame and the application
of Ramble with the words of their languages put in place, beside the programs and the committed results.
"""

import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import types
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "tools"))

import results  # noqa: E402
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

    def stage(self, name, lines, **variables):
        """A check in the folder of a run that left these lines on a machine of the committed Zen 4's kind."""
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        place = pathlib.Path(folder.name)
        known = {"cpu": "AMD EPYC", "cpu_kind": variables.pop("cpu_kind", "AuthenticAMD family 25 model 17")}
        (place / "machine.json").write_text(json.dumps({"machine": known}), encoding="utf-8")
        (place / "results.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
        check = self.load()[name]()
        for key, value in {"stagedir": folder.name, **variables}.items():
            setattr(check, key, value)
        return check

    def zen4(self, slower=1.0):
        cases = results.load(HERE.parent / "results" / "amd-epyc-zen4_2-cores.json#matmul").measured()
        return [{**case, "pantile": slower * case["pantile"]} for case in cases
                if case["case"].startswith("square/double/") and case["threads"] == 1]  # fmt: skip

    def test_shares_are_over_the_row_of_the_jobs_own_machine(self):
        check = self.stage("PantileShares", self.zen4(), kind="squares")
        self.assertEqual(len(check.pairs()), 3)
        self.assertEqual({least for _, least in check.pairs()}, {0.76})
        self.assertTrue(check.all_results_are_right_and_shares_are_known())
        self.assertAlmostEqual(check.over_known(), check.share() / 0.76)
        self.assertTrue(1 < check.over_known() < 1.35, check.over_known())
        self.assertLess(self.stage("PantileShares", self.zen4(0.8), kind="squares").over_known(), 1)
        self.assertTrue(1 <= check.least_over_known() < check.over_known())
        one_slow = self.zen4()
        one_slow[-1]["pantile"] *= 0.7
        check = self.stage("PantileShares", one_slow, kind="squares")
        self.assertTrue(check.least_over_known() < 1 < check.over_known(), check.over_known())
        self.assertEqual(self.stage("PantileShares", [], kind="squares").least_over_known(), 0)
        check = self.stage("PantileShares", self.zen4(), kind="squares")
        check.set_command()
        self.assertEqual(set(check.reference["*"]), {"over_known", "least_over_known"})
        check = self.stage("PantileShares", self.zen4(), kind="squares", cpu_kind="AuthenticAMD family 25 model 1")
        self.assertEqual({least for _, least in check.pairs()}, {0.65})

    def test_shares_that_nothing_is_known_of_are_no_pass(self):
        for words in ({"cpu_kind": "AuthenticAMD family 99"}, {"machine": "another"}, {"thresholds": "/no/table"}):
            check = self.stage("PantileShares", self.zen4(), kind="squares", **words)
            self.assertFalse(check.all_results_are_right_and_shares_are_known(), words)
        check = self.stage("PantileShares", self.zen4(), kind="squares", machine="AuthenticAMD family 26 model 2")
        self.assertTrue(check.all_results_are_right_and_shares_are_known())
        wrong = self.stage("PantileShares", [{**case, "error": "no memory"} for case in self.zen4()], kind="squares")
        self.assertFalse(wrong.all_results_are_right_and_shares_are_known())

    def test_ranks(self):
        def lines(ranks, processor=lambda rank: rank):
            places = [{"host": "a", "affinity": str(processor(rank))} for rank in range(ranks)]
            yield {"context": {"ranks": ranks, "places": places}}
            for name, rate in (("matmul/double/512", 3.0), ("matmul/double/1024", 12.0), ("transpose/double/512", 4.0)):
                yield {"case": name, "pantile": rate, "peers": {"scalapack": 2.0}}

        check = self.stage("PantileRanks", lines(4), ranks=4)
        self.assertTrue(check.all_results_are_right_and_of_all_ranks())
        self.assertAlmostEqual(check.matmul(), 3)
        self.assertAlmostEqual(check.transpose(), 2)
        self.assertFalse(self.stage("PantileRanks", lines(1), ranks=4).all_results_are_right_and_of_all_ranks())
        for allowed in (False, True):
            together = self.stage("PantileRanks", lines(4, lambda rank: 0), ranks=4, allow_overlap=allowed)
            self.assertIs(bool(together.all_results_are_right_and_of_all_ranks()), allowed)
        check.set_command()
        self.assertEqual((check.num_tasks, check.executable_opts[0]), (4, "--out=results.jsonl"))

    def test_programs_are_there_and_their_options(self):
        space = self.load()
        usage = (HERE.parent / "support" / "main.cpp").read_text(encoding="utf-8")
        for kind, (program, cases) in space["CHECKS"].items():
            self.assertTrue((HERE.parent / f"{program}.cpp").exists())
            check = self.stage("PantileShares", [], kind=kind)
            check.set_command()
            self.assertEqual(check.executable_opts[1], f"--filter='{cases}'")
            for option in check.executable_opts:
                self.assertIn(f"[{option.partition('=')[0]}=", usage)
            self.assertIn("tools machine >machine.json", check.prerun_cmds[0])


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
        commands = [words[1] for name, words, named in said if name == "executable" and not named["use_mpi"]]
        self.assertEqual(len(commands), 4)
        (ranks,) = [words[1] for name, words, named in said if name == "executable" and named["use_mpi"]]
        known = {words[0] for name, words, named in said
                 if name == "workload_variable" and space["RANKS"] in named["workloads"]}  # fmt: skip
        self.assertEqual(set(re.findall(r"\{(\w+)\}", ranks)) - {"experiment_run_dir"}, known)
        self.assertEqual(ranks.split()[-3:], ["{block}", "{seconds}", "{sizes}"])
        for option in re.findall(r"(--\w+)=", "".join(commands)):
            self.assertIn(f"[{option}=", usage)

    def test_ranks_that_nothing_binds_do_not_take_one_core(self):
        """What is set for all experiments binds threads; the workload of ranks takes that back, each by itself."""
        text = (HERE / "ramble" / "ramble.yaml").read_text(encoding="utf-8")
        ranks = re.search(rf"^        {self.load()[0]['RANKS']}:\n(( {{10}}.*\n)+)", text, re.M)[1]
        of_all = text.partition("applications:")[0]
        self.assertRegex(of_all, r"OMP_PROC_BIND: close")
        self.assertRegex(ranks, r"^ {10}env_vars:\n {12}set:.*\n( {14}.*\n)*? {14}OMP_PROC_BIND: 'false'\n")
        self.assertRegex(ranks, r"\n {14}OMP_WAIT_POLICY: passive\n")

    def test_experiments_name_workloads(self):
        text = (HERE / "ramble" / "ramble.yaml").read_text(encoding="utf-8")
        space = self.load()[0]
        named = re.findall(r"^        (\w+):$", text, re.M)
        self.assertIn(space["RANKS"], named)
        self.assertLessEqual(set(named), {*space["WORKLOADS"], space["RANKS"]})


BENCHPARK = HERE / "benchpark"


class Benchpark(unittest.TestCase):
    """Its own language and Spack's are not here."""

    def package(self, *variants):
        """(the class, what it says of itself)"""
        said = []

        def satisfies(_, variant):
            return variant[1:] in variants

        def define(_, name, value):
            return name, value

        base = type("CMakePackage", (), {
            "satisfies": satisfies, "define": define, "spec": property(lambda self: self),
            "define_from_variant": lambda _, name, variant: (name, variant in variants),
            "__getitem__": lambda *_: types.SimpleNamespace(libs=types.SimpleNamespace(joined=lambda _: "scalapack")),
            "build": lambda self, *_: said.append(("build", tuple(self.build_targets), {}))})  # fmt: skip
        language = {name: lambda *words, name=name, **named: said.append((name, words, named))
                    for name in ("license", "version", "variant", "depends_on")}  # fmt: skip
        space = run_file(BENCHPARK / "repo/pantile/package.py",
                         {"spack": {}, "spack.package": language | {"CMakePackage": base}})  # fmt: skip
        return space["Pantile"], said

    def test_the_application_is_rambles(self):
        ours = HERE / "ramble/repo/applications/pantile/application.py"
        self.assertEqual((BENCHPARK / "repo/pantile/application.py").resolve(), ours)

    def test_the_package_builds_the_programs_of_this_checkout(self):
        options = (HERE.parents[1] / "CMakeLists.txt").read_text(encoding="utf-8")
        package, said = self.package("mpi")
        self.assertEqual(package.git, HERE.parents[1].as_uri())
        given = dict(package().cmake_args())
        self.assertEqual((given["Pantile_ENABLE_PERF_TESTS"], given["Pantile_ENABLE_MPI"]), (True, True))
        self.assertEqual(given.pop("ScaLAPACK_LIBRARIES"), "scalapack")
        self.assertEqual(dict(self.package()[0]().cmake_args()), given | {"Pantile_ENABLE_MPI": False})
        for name in given:
            self.assertRegex(options, rf"\b{name}\b")
        of_libraries = HERE.parents[1] / "scripts/spack_repo/pantile/packages/pantile/package.py"
        text = of_libraries.read_text(encoding="utf-8")
        for needed in ("cmake@3.25:", "kokkos@4.5.01:5"):
            self.assertIn(needed, [words[0] for name, words, _ in said if name == "depends_on"])
            self.assertIn(f'depends_on("{needed}"', text)
        package().build(package(), None)
        self.assertEqual(said[-1][1], ("pantile_perf_contests", "perf_mpi"))
        known = "".join((HERE.parent / name).read_text(encoding="utf-8")
                        for name in ("CMakeLists.txt", "mpi/CMakeLists.txt"))  # fmt: skip
        for target in said[-1][1]:
            self.assertRegex(known, rf"add_(custom_target|executable)\({target}\b")

    def test_experiments_run_workloads_of_programs_that_their_package_has(self):
        space = Ramble.load(self)[0]
        seen = set()
        for variant in ("openmp", "mpi"):
            text = (BENCHPARK / "experiments/pantile" / variant / "ramble.yaml").read_text(encoding="utf-8")
            workloads = re.findall(r"^        (\w+):$", text.partition("\n  software:")[0], re.M)
            self.assertLessEqual(set(workloads), {*space["WORKLOADS"], space["RANKS"]})
            self.assertEqual(space["RANKS"] in workloads, "+mpi" in text)
            self.assertEqual("OMP_PROC_BIND: 'false'" in text, "+mpi" in text)
            self.assertIn("pantile_bin: '{pantile_path}/bin'", text)
            seen |= set(workloads)
        self.assertLessEqual({"squares", "movement", "mpi"}, seen)


if __name__ == "__main__":
    unittest.main()

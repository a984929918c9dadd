# SPDX-FileCopyrightText: Pantile contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A check for ReFrame 4: programs of perf_tests, whose mean shares of the machine's bounds are held to references.

    scripts/bench --quick --program fixed_cost     # builds build/bench/bin, as any other way to build it does
    reframe -c perf_tests/clusters/reframe_pantile.py -r --performance-report \\
        [-S bin=DIR] [-S threads=N] [-S scale=full]

A share is Pantile's rate over the bound in the same contest (peak of multiply-adds, or the faster of two copies), so
that one reference holds for machines of one kind. The references below are the least of the committed results of hosts
with a tenth off; a site writes its own (`reference` takes the names of systems and partitions). ReFrame 4.10 has run it
with its generic settings. On a machine that others use at the same time shares say nothing.
"""

import pathlib
import sys

import reframe as rfm
import reframe.utility.sanity as sn
from reframe.core.builtins import parameter, performance_function, run_before, sanity_function, variable

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "tools"))

from cases import is_wrong, mean, read_lines  # noqa: E402
from shares import bound_of  # noqa: E402

# Name: program, cases, the least geometric mean of their shares.
CHECKS = {
    "squares": ("perf_matmul", "^square/(double|float)/(256|511|1024)x", 0.74),
    "transposes": ("perf_movement", "^transpose/[48]_bytes/", 0.39),
    "additions": ("perf_movement", "^add/(double|float)/", 0.75),
}


@rfm.simple_test
class PantileShares(rfm.RunOnlyRegressionTest):
    """Cases of one kind on one node."""

    kind = parameter(list(CHECKS))
    bin = variable(str, value=str(HERE.parents[1] / "build" / "bench" / "bin"))
    threads = variable(int, value=1)
    scale = variable(str, value="quick")
    valid_systems = ["*"]
    valid_prog_environs = ["*"]
    num_tasks = 1
    exclusive_access = True
    keep_files = ["results.jsonl"]
    time_limit = "20m"

    @run_before("run")
    def set_command(self):
        program, cases, least = CHECKS[self.kind]
        self.num_cpus_per_task = self.threads
        self.executable = f"{self.bin}/{program}"
        self.executable_opts = [f"--scale={self.scale}", f"--filter='{cases}'", "--out=results.jsonl"]
        self.env_vars = {"OMP_NUM_THREADS": self.threads, "OMP_PLACES": "cores", "OMP_PROC_BIND": "close"}
        self.reference = {"*": {"share": (least, 0, None, "of the bound")}}

    def cases(self):
        text = (pathlib.Path(self.stagedir) / "results.jsonl").read_text(encoding="utf-8")
        return [item for item in read_lines(text) if "case" in item]

    @sanity_function
    def all_results_are_right(self):
        cases = self.cases()
        wrong = [case["case"] for case in cases if is_wrong(case)]
        return sn.all([sn.assert_true(cases, "no case was run"), sn.assert_false(wrong, f"wrong or failed: {wrong}")])

    @performance_function("of the bound")
    def share(self):
        return mean([bound_of(case)[1] for case in self.cases()]) or 0

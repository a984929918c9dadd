# SPDX-FileCopyrightText: Pantile contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks for ReFrame 4: programs of perf_tests, held to the shares of the machine's bounds that it is known for, and
pantile::mpi on ranks, held to ScaLAPACK called directly.

    scripts/bench --quick --program fixed_cost     # builds build/bench/bin, as any other way to build it does
    reframe -c perf_tests/clusters/reframe_pantile.py -r -n PantileShares --performance-report \\
        [-S bin=DIR] [-S threads=N] [-S scale=full] [-S machine=NAME] [-S thresholds=FILE]
    reframe -C SETTINGS -c perf_tests/clusters/reframe_pantile.py -r -n PantileRanks -S bin=build/host/bin

A share is Pantile's rate over the bound in the same contest (peak of multiply-adds, or the faster of two copies). The
job says what processor its node has, and its row of perf_tests/tools/shares.json, or of a table of the site's own, has
what each case reaches at least: `over_known` is the geometric mean of the shares over these, `least_over_known`
the worst case's; both are 1 at least. Where no row is known of
the machine the check fails and says so. Ranks need a partition whose launcher starts them (mpirun, srun) and binds
them: where they share processors the check fails, unless by -S allow_overlap=yes. On a machine that others use at the
same time shares say nothing.
"""

import json
import pathlib
import sys

import reframe as rfm
import reframe.utility.sanity as sn
from reframe.core.builtins import parameter, performance_function, run_before, sanity_function, variable

HERE = pathlib.Path(__file__).resolve().parent
TOOLS = HERE.parent / "tools"
sys.path.insert(0, str(TOOLS))

from cases import is_wrong, mean, ratio_to, read_lines  # noqa: E402
from gather import add_binding  # noqa: E402
from machine import identity  # noqa: E402
from results import Unusable  # noqa: E402
from shares import TABLE, bound_of, entry_for, least_of, read_table  # noqa: E402

# Name: program, cases.
CHECKS = {
    "squares": ("perf_matmul", "^square/(double|float)/(256|511|1024)x"),
    "transposes": ("perf_movement", "^transpose/[48]_bytes/"),
    "skinny": ("perf_matmul", "^(skinny|deep)/(double|float)/"),
    "batches": ("perf_batched_matmul", "^batched/(double|float)/"),
    "additions": ("perf_movement", "^add/(double|float)/"),
}
LEAST_RATIO = 0.95  # of ScaLAPACK's rate: 1 less what runs of one build differ by


def lines_in(folder):
    return list(read_lines((pathlib.Path(folder) / "results.jsonl").read_text(encoding="utf-8")))


def cases_in(folder):
    return [line for line in lines_in(folder) if "case" in line]


def are_right(cases):
    wrong = [case["case"] for case in cases if is_wrong(case)]
    return [sn.assert_true(cases, "no case was run"), sn.assert_false(wrong, f"wrong or failed: {wrong}")]


@rfm.simple_test
class PantileShares(rfm.RunOnlyRegressionTest):
    """Cases of one kind on one node."""

    kind = parameter(list(CHECKS))
    bin = variable(str, value=str(HERE.parents[1] / "build" / "bench" / "bin"))
    threads = variable(int, value=1)
    scale = variable(str, value="quick")
    machine = variable(str, value="")
    thresholds = variable(str, value=str(TABLE))
    valid_systems = ["*"]
    valid_prog_environs = ["*"]
    num_tasks = 1
    exclusive_access = True
    keep_files = ["results.jsonl", "machine.json"]
    time_limit = "20m"

    @run_before("run")
    def set_command(self):
        program, cases = CHECKS[self.kind]
        self.num_cpus_per_task = self.threads
        self.prerun_cmds = [f"python3 -B {TOOLS} machine >machine.json"]
        self.executable = f"{self.bin}/{program}"
        self.executable_opts = [f"--scale={self.scale}", f"--filter='{cases}'", "--out=results.jsonl"]
        self.env_vars = {"OMP_NUM_THREADS": self.threads, "OMP_PLACES": "cores", "OMP_PROC_BIND": "close"}
        known = (1, 0, None, "of what is known")
        self.reference = {"*": {"over_known": known, "least_over_known": known}}

    def identity(self):
        known = json.loads((pathlib.Path(self.stagedir) / "machine.json").read_text(encoding="utf-8"))
        return self.machine or identity(known["machine"])

    def pairs(self):
        """(share, the least that is known) of the cases of which one is."""
        entry = entry_for(read_table(pathlib.Path(self.thresholds)), self.identity())
        if entry is None:
            return []
        found = [(bound_of(case)[1], least_of(entry, case)) for case in cases_in(self.stagedir)]
        return [(share, least) for share, least in found if share and least]

    @sanity_function
    def all_results_are_right_and_shares_are_known(self):
        said = f"no shares of {self.kind} are known of {self.identity()} in {self.thresholds}: -S thresholds=FILE"
        try:
            known = bool(self.pairs())
        except Unusable as error:
            known, said = False, str(error)
        return sn.all([*are_right(cases_in(self.stagedir)), sn.assert_true(known, said)])

    @performance_function("of the bound")
    def share(self):
        return mean([share for share, _ in self.pairs()]) or 0

    @performance_function("of what is known")
    def over_known(self):
        return mean([share / least for share, least in self.pairs()]) or 0

    @performance_function("of what is known")
    def least_over_known(self):
        return min((share / least for share, least in self.pairs()), default=0)


@rfm.simple_test
class PantileRanks(rfm.RunOnlyRegressionTest):
    """pantile::mpi beside ScaLAPACK called directly, by perf_mpi."""

    ranks = parameter([2, 4])
    bin = variable(str, value=str(HERE.parents[1] / "build" / "bench" / "bin"))
    block = variable(int, value=64)
    seconds = variable(float, value=2.0)
    sizes = variable(str, value="512 1024 2048")
    allow_overlap = variable(bool, value=False)
    valid_systems = ["*"]
    valid_prog_environs = ["*"]
    num_cpus_per_task = 1
    exclusive_access = True
    keep_files = ["results.jsonl"]
    time_limit = "20m"

    @run_before("run")
    def set_command(self):
        self.num_tasks = self.ranks
        self.executable = f"{self.bin}/perf_mpi"
        self.executable_opts = ["--out=results.jsonl", str(self.block), str(self.seconds), self.sizes]
        self.env_vars = {"OMP_NUM_THREADS": 1, "OMP_PROC_BIND": "false", "OMP_WAIT_POLICY": "passive"}
        ratio = (LEAST_RATIO, 0, None, "of ScaLAPACK")
        self.reference = {"*": {"matmul": ratio, "transpose": ratio}}

    @sanity_function
    def all_results_are_right_and_of_all_ranks(self):
        contexts = [line["context"] for line in lines_in(self.stagedir) if "context" in line]
        seen = {context["ranks"] for context in contexts}
        said = f"MPI saw {seen} ranks, not {self.ranks}: the partition's launcher does not start them"
        add_binding(contexts)
        overlap = {place["binding"] for one in contexts for place in one.get("places", ()) if "binding" in place}
        bound = sn.assert_true(self.allow_overlap or not overlap, f"{', '.join(overlap)}; -S allow_overlap=yes")
        return sn.all([sn.assert_true(seen == {self.ranks}, said), bound, *are_right(cases_in(self.stagedir))])

    def ratio(self, operation):
        return mean([ratio_to(case, "peers")[1] for case in cases_in(self.stagedir)
                     if case["case"].startswith(f"{operation}/")]) or 0  # fmt: skip

    @performance_function("of ScaLAPACK")
    def matmul(self):
        return self.ratio("matmul")

    @performance_function("of ScaLAPACK")
    def transpose(self):
        return self.ratio("transpose")

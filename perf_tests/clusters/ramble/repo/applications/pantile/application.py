# SPDX-FileCopyrightText: Pantile contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Pantile's programs of perf_tests as an application of Ramble; Benchpark takes the folder `pantile` into its `repo`.

Rates of every case are figures of merit. What a case is, perf_tests/tools and CONTRIBUTING.md (Measuring) say.
"""

from ramble.appkit import *

# Workload: program, cases.
WORKLOADS = {
    "squares": ("perf_matmul", "^square/"),
    "skinny": ("perf_matmul", "^skinny/"),
    "movement": ("perf_movement", "."),
    "histogram": ("perf_histogram", "."),
}
# pantile::mpi beside ScaLAPACK called directly, by as many ranks as the experiment has: n_ranks and mpi_command.
RANKS = "mpi"
CASE = r'^\{"case": "(?P<case>[^"]+)", "unit": "(?P<unit>[^"]+)", "pantile": (?P<rate>[-+.0-9e]+)'
LINES = "{experiment_run_dir}/results.jsonl"


class Pantile(ExecutableApplication):
    """Dense 2D kernels on Kokkos, beside their peers and the machine's bounds in the same contests"""

    name = "pantile"

    tags("benchmark-app")

    for workload_name, (program, cases) in WORKLOADS.items():
        executable(
            workload_name,
            "{pantile_bin}/" + program + " --scale={scale} --filter='{cases}' --out=" + LINES,
            use_mpi=False,
        )
        workload(workload_name, executables=[workload_name])
        workload_variable("cases", default=cases, description="regular expression of cases", workloads=[workload_name])

    executable(RANKS, "{pantile_bin}/perf_mpi --out=" + LINES + " {block} {seconds} {sizes}", use_mpi=True)
    workload(RANKS, executables=[RANKS])
    workload_variable("block", default="64", description="edge of the blocks", workloads=[RANKS])
    workload_variable("seconds", default="2", description="of a case", workloads=[RANKS])
    workload_variable("sizes", default="512 1024 2048", description="edges of the squares", workloads=[RANKS])

    workload_variable(
        "pantile_bin", default="build/bench/bin", description="folder of the programs", workloads=[*WORKLOADS, RANKS]
    )
    workload_variable("scale", default="quick", description="smoke, quick or full", workloads=[*WORKLOADS])

    figure_of_merit_context("case", regex=CASE, output_format="{case}, {unit}")
    figure_of_merit("rate", log_file=LINES, fom_regex=CASE, group_name="rate", units="", contexts=["case"])

    # From the beginning of a line.
    success_criteria("measured", mode="string", match=r'^\{"case": .*"pantile": [0-9]', file=LINES)
    success_criteria("right", mode="string", anti_match=r'.*("error": "|"wrong": \{")', file=LINES)

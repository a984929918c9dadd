# SPDX-FileCopyrightText: Pantile contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs slurm.sh on a Slurm of its own: munged, slurmctld and slurmd of one node, with configuration, keys and state in
a folder that goes away. Skipped where these are missing (Debian: slurm-wlm, munge).

    python3 test_slurm.py COMMAND...      runs COMMAND with such a Slurm beside, such as a shell with sbatch and squeue

"""

import contextlib
import getpass
import os
import pathlib
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "tools"))

import results  # noqa: E402
from machine import numbers_of  # noqa: E402
from test_bench import Checkout  # noqa: E402

PROGRAMS = ("munged", "slurmctld", "slurmd", "sbatch", "srun", "sinfo", "scancel", "squeue")
PERF_MPI = os.environ.get("PANTILE_PERF_MPI", "")
KEEP = os.environ.get("PANTILE_KEEP_SLURM", "")  # where the result of perf_mpi goes too
MPIRUN = """#!/bin/sh
echo "mpirun $*"
while [ "$1" != python3 ]; do [ "$1" != -n ] || ranks=$2; shift; done
rank=0 status=0
while [ $rank -lt $ranks ]; do
    OMPI_COMM_WORLD_RANK=$rank OMPI_COMM_WORLD_SIZE=$ranks "$@" &
    all="$all $!" rank=$((rank + 1))
done
for one in $all; do wait "$one" || status=$?; done
exit $status
"""
SETTINGS = """ClusterName=private
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={ports[0]}
SlurmdPort={ports[1]}
AuthType=auth/munge
AuthInfo=socket={folder}/munge.socket
SlurmUser={user}
SlurmdUser={user}
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
ProctrackType=proctrack/linuxproc
TaskPlugin=task/affinity
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerType=sched/builtin
ReturnToService=2
NodeName={host} NodeAddr=127.0.0.1 CPUs={cpus} State=UNKNOWN
PartitionName=all Nodes={host} Default=YES State=UP
{more}"""


def program(name):
    return shutil.which(name, path=os.environ.get("PATH", "") + ":/usr/sbin:/sbin")


def free_ports(count):
    sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    ports = [one.getsockname()[1] for one in sockets]
    for one in sockets:
        one.close()
    return ports


def until(found, seconds, said):
    """Waits until found() is true; a failure shows said()."""
    end = time.monotonic() + seconds
    while not found():
        if time.monotonic() > end:
            raise TimeoutError(said())
        time.sleep(0.2)


def tails(folder):
    return "\n".join(f"{log.name}: {log.read_text(errors='replace')[-1500:]}" for log in sorted(folder.glob("*.log")))


def version_of_slurm():
    text = subprocess.run([program("slurmctld"), "-V"], capture_output=True, text=True, check=True).stdout
    return tuple(map(int, text.split()[-1].split(".")[:2]))


@contextlib.contextmanager
def private_slurm(least_cpus=1):
    """The environment of commands that are to use it; of fewer processors than asked for it is told more."""
    with tempfile.TemporaryDirectory() as name, contextlib.ExitStack() as servers:
        folder, host = pathlib.Path(name), socket.gethostname().partition(".")[0]
        for part in ("state", "spool"):
            (folder / part).mkdir()
        key = folder / "munge.key"
        key.write_bytes(os.urandom(1024))
        key.chmod(0o600)
        settings = SETTINGS.format(
            host=host, ports=free_ports(2), folder=folder, user=getpass.getuser(), cpus=max(least_cpus, os.cpu_count()),
            more="SlurmdParameters=config_overrides\n" if least_cpus > os.cpu_count() else ""
        )
        (folder / "slurm.conf").write_text(settings, encoding="utf-8")
        if version_of_slurm() >= (23, 11):
            (folder / "cgroup.conf").write_text("CgroupPlugin=disabled\n", encoding="utf-8")
        environment = {**os.environ, "SLURM_CONF": str(folder / "slurm.conf")}

        def serve(*words):
            log = servers.enter_context(open(folder / f"{pathlib.Path(words[0]).name}.log", "wb"))
            server = subprocess.Popen(words, env=environment, stdin=subprocess.DEVNULL, stdout=log, stderr=log)
            servers.callback(server.wait, 10)
            servers.callback(server.terminate)

        def ask(*words):
            return subprocess.run(words, env=environment, capture_output=True, text=True, check=False).stdout

        serve(
            program("munged"),
            "--foreground",
            "--force",
            f"--key-file={key}",
            f"--socket={folder}/munge.socket",
            f"--pid-file={folder}/munge.pid",
            f"--seed-file={folder}/munge.seed",
            f"--log-file={folder}/munge.txt",
        )
        until((folder / "munge.socket").exists, 20, lambda: tails(folder))
        serve(program("slurmctld"), "-D")
        serve(program("slurmd"), "-D", "-N", host)
        until(lambda: "idle" in ask("sinfo", "--noheader", "--format=%t"), 60, lambda: tails(folder))
        try:
            yield environment
        finally:  # jobs would outlive slurmd
            ask("scancel", f"--user={getpass.getuser()}")
            until(lambda: not ask("squeue", "--noheader"), 60, lambda: tails(folder))


@unittest.skipUnless(all(map(program, PROGRAMS)), "no Slurm here (Debian: slurm-wlm, munge)")
class Slurm(Checkout):
    """slurm.sh in a checkout where a program stands in."""

    def setUp(self):
        super().setUp()
        shutil.copytree(pathlib.Path(__file__).parent, self.project / "perf_tests" / "clusters")

    def submit(self, environment, *words, options=(), **variables):
        """Exit status of the job, its log, its number."""
        words = words if options else ("--no-build", "--program", "fixed_cost", *words)
        ran = subprocess.run(
            ["sbatch", "--wait", "--parsable", *options, "perf_tests/clusters/slurm.sh", *words],
            cwd=self.project,
            env=self.variables(environment) | variables,
            capture_output=True,
            text=True,
            timeout=600,
            check=False,
        )
        number = ran.stdout.strip()
        log = self.project / f"pantile-{number}.log"
        until(log.exists, 10, lambda: f"{ran.stdout}{ran.stderr}")
        return ran.returncode, log.read_text(encoding="utf-8"), number

    def test_a_job_leaves_a_result_of_its_number(self):
        with private_slurm() as environment:
            status, log, number = self.submit(environment, "--threads", "1")
            self.assertEqual(status, 0, log)
            first = self.project / "build" / "bench" / "results" / f"slurm-{number}"
            found = results.load(first)
            self.assertEqual(len(found.cases), 1)
            self.assertEqual(found.head["settings"]["job"]["SLURM_JOB_ID"], number)
            status, log, second = self.submit(environment, "--threads", "1", PANTILE_BASELINE=str(first))
            self.assertEqual(status, 0, log)
            self.assertNotEqual(second, number)
            self.assertIn("1 cases: 0 better, 0 worse, 1 same", log)
            (self.bin / "broken").touch()
            status, log, _ = self.submit(environment, "--threads", "1")
            self.assertEqual(status, 1)
            self.assertIn("perf_fixed_cost failed: no memory", log)
            (self.bin / "broken").unlink()
            slower = (
                (self.bin / "perf_fixed_cost").read_text(encoding="utf-8").replace('"pantile": 2.0', '"pantile": 1.8')
            )
            (self.bin / "perf_fixed_cost").write_text(slower, encoding="utf-8")
            status, log, _ = self.submit(environment, "--threads", "1", PANTILE_BASELINE=str(first))
            self.assertEqual(status, 1)
            self.assertIn("worse: fixed_cost/double/8x8x8", log)

    @unittest.skipUnless((os.cpu_count() or 1) > 1, "two tasks need two processors")
    def test_several_tasks_are_ranks(self):
        program = "build/bench/bin/perf_fixed_cost"
        variables = {"OMP_NUM_THREADS": "1", "PANTILE_RANKS": "--seconds 60"}
        with private_slurm() as environment:
            status, log, number = self.submit(environment, program, options=["--ntasks=2"], **variables)
            self.assertEqual(status, 0, log)
            found = results.load(self.project / "build" / "bench" / "results" / f"slurm-{number}")
            self.assertEqual([(case["ranks"], len(case["by_rank"])) for case in found.cases], [(2, 2)])
            first, second = (numbers_of(place["affinity"]) for place in found.runs[0]["places"])
            self.assertFalse(first & second, "Slurm has bound them")
            (self.bin / "broken").touch()
            status, log, _ = self.submit(environment, program, options=["--ntasks=2"], **variables)
            self.assertNotEqual(status, 0)
            self.assertEqual(log.count("ended with status 1: no memory"), 1, log)
            status, log, _ = self.submit(environment, options=["--ntasks=2"])
            self.assertEqual(status, 2)
            self.assertIn("slurm.sh: 2 tasks need a program of perf_tests to run", log)

    @unittest.skipUnless((os.cpu_count() or 1) > 1, "two tasks need two processors")
    def test_other_ways_to_launch(self):
        """A way that is not known; srun with an option that it refuses; an mpirun that stands in."""
        program = "build/bench/bin/perf_fixed_cost"
        fake = self.project / "bin" / "mpirun"
        fake.parent.mkdir()
        fake.write_text(MPIRUN, encoding="utf-8")
        fake.chmod(0o755)
        variables = {"OMP_NUM_THREADS": "1", "PANTILE_RANKS": "--seconds 60 --allow-overlap",
                     "PATH": f"{fake.parent}:{os.environ['PATH']}"}  # fmt: skip
        with private_slurm() as environment:
            status, log, _ = self.submit(environment, program, options=["--ntasks=2"],
                                         PANTILE_LAUNCH="rsh", **variables)  # fmt: skip
            self.assertEqual(status, 2)
            self.assertIn("slurm.sh: PANTILE_LAUNCH is 'rsh'; srun and mpirun are known", log)
            status, log, _ = self.submit(environment, program, options=["--ntasks=2"],
                                         PANTILE_LAUNCH_OPTIONS="--mpi=no_such", **variables)  # fmt: skip
            self.assertNotEqual(status, 0)
            self.assertIn("no_such", log)
            status, log, number = self.submit(environment, program, options=["--ntasks=2"], PANTILE_LAUNCH="mpirun",
                                              PANTILE_LAUNCH_OPTIONS="--oversubscribe --more", **variables)  # fmt: skip
            self.assertEqual(status, 0, log)
            self.assertIn("mpirun -n 2 --oversubscribe --more python3", log)
            status, log, number = self.submit(environment, program, options=["--ntasks=2"], PANTILE_LAUNCH="mpirun",
                                              **variables)  # fmt: skip
            self.assertEqual(status, 0, log)
            self.assertIn("mpirun -n 2 --map-by slot:PE=1 --bind-to core python3", log)
            found = results.load(self.project / "build" / "bench" / "results" / f"slurm-{number}")
            self.assertEqual([(case["ranks"], len(case["by_rank"])) for case in found.cases], [(2, 2)])

    if PERF_MPI and program("mpirun"):  # else it would be skipped, and the others with it

        def test_ranks_of_mpi_by_mpirun_inside_of_a_job(self):
            variables = {"OMP_NUM_THREADS": "1", "OMP_PROC_BIND": "false", "OMP_WAIT_POLICY": "passive",
                         "PANTILE_RANKS": "--seconds 300 --allow-overlap", "PANTILE_LAUNCH": "mpirun",
                         "PANTILE_LAUNCH_OPTIONS": "--allow-run-as-root --oversubscribe --bind-to none"}  # fmt: skip
            words = [PERF_MPI, "64", "0.5", "256", "512"]
            with private_slurm(least_cpus=4) as environment:
                status, log, number = self.submit(environment, *words, options=["--ntasks=4"], **variables)
                self.assertEqual(status, 0, log)
                place = self.project / "build" / "bench" / "results" / f"slurm-{number}"
                found = results.load(place)
                self.assertEqual(len(found.cases), 4)
                self.assertEqual({(case["ranks"], len(case["by_rank"])) for case in found.cases}, {(4, 4)})
                self.assertEqual(found.runs[0]["context"]["grid"], "grid 2x2, blocks of 64")
                self.assertEqual(found.head["settings"]["job"]["SLURM_JOB_ID"], number)
                if KEEP:
                    shutil.copy(place / "bench.json", KEEP)

    def test_a_folder_that_is_no_checkout(self):
        with private_slurm() as environment:
            status, log, _ = self.submit(environment, PANTILE_SOURCE="/tmp")
            self.assertEqual(status, 2)
            self.assertIn("slurm.sh: no checkout of Pantile in /tmp", log)


if __name__ == "__main__":
    if len(sys.argv) > 1 and not sys.argv[1].startswith("-") and program(sys.argv[1]):
        with private_slurm() as variables:
            sys.exit(subprocess.run(sys.argv[1:], env=variables, check=False).returncode)
    unittest.main()

# SPDX-FileCopyrightText: Pantile contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests of ranks.py and gather.py: ranks are processes with a launcher's variables, and two start by mpirun."""

import contextlib
import errno
import io
import json
import math
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from unittest import mock

import command_line
import gather
import machine
import page
import ranks
import results
from files import write_whole

TOOLS = pathlib.Path(__file__).resolve().parent
# Its rates are those of its rank's file, its faults those that its words name for a rank.
PROGRAM = """#!{python}
import json, os, pathlib, sys, time
words = dict(word.lstrip("-").partition("=")[::2] for word in sys.argv[1:])
out = pathlib.Path(words["out"])
rank = out.name.partition(".")[0].rpartition("-")[2]
if words.get("fails") == rank:
    sys.exit("no memory")
rate = json.loads(words["rates"])[int(rank)]
with open(out, "a") as file:
    def say(**item):
        print(json.dumps(item), file=file, flush=True)
    device = os.environ.get("KOKKOS_DEVICE_ID", "")
    say(context=dict(host_concurrency=1, load_avg=0.0, affinity="0", space=device))
    say(begin="square/double/8x8x8")
    if words.get("hangs") == rank:
        time.sleep(600)
    apart = 0.2 if rank == "2" else 0.1
    wrong = dict(pantile="3 elements are wrong") if words.get("wrong") == rank else dict()
    samples = [rate, rate * (1 + apart), rate * (1 - apart)]
    say(case="square/double/8x8x8", unit="GFLOP/s", pantile=rate, peers=dict(blis=10.0), bounds=dict(peak=2 * rate),
        checks=dict(), spread=dict(pantile=0.01), samples=dict(pantile=samples), wrong=wrong)
    if words.get("short") != rank:
        empty = dict(peers=dict(), bounds=dict(), checks=dict(), wrong=dict())
        say(case="square/double/9x9x9", unit="GFLOP/s", pantile=rate, **empty)
"""


def status_of(rank, affinity, devices=0, host="a"):
    return {"rank": rank, "affinity": affinity, "devices": devices, "host": host}


class Place(unittest.TestCase):
    def test_launchers(self):
        for variables, place in (
            (
                {
                    "OMPI_COMM_WORLD_RANK": "1",
                    "OMPI_COMM_WORLD_SIZE": "4",
                    "SLURM_PROCID": "0",
                    "SLURM_STEP_NUM_TASKS": "1",
                },
                (1, 4),
            ),
            ({"PMI_RANK": "2", "PMI_SIZE": "3", "FLUX_TASK_RANK": "0"}, (2, 3)),
            ({"FLUX_TASK_RANK": "0", "FLUX_JOB_SIZE": "1"}, (0, 1)),
            ({"SLURM_PROCID": "7", "SLURM_STEP_NUM_TASKS": "8"}, (7, 8)),
        ):
            self.assertEqual(ranks.place_of(variables), place)
        with self.assertRaisesRegex(results.Unusable, "this is no rank: start it by mpirun, srun or flux run"):
            ranks.place_of({"PMI_RANK": "0"})
        for size in ("2", "two", "-1"):
            with self.assertRaisesRegex(results.Unusable, f"PMI_RANK=2 and PMI_SIZE={size} of MPICH are no rank"):
                ranks.place_of({"PMI_RANK": "2", "PMI_SIZE": size})


class Binding(unittest.TestCase):
    CACHES = [{0, 1, 2, 3}, {4, 5, 6, 7}]

    def faults(self, *masks, devices=0, caches=None):
        known = [status_of(rank, mask, devices) for rank, mask in enumerate(masks)]
        return ranks.faults_of(known, self.CACHES if caches is None else caches)

    def test_a_cache_for_each_rank(self):
        self.assertEqual(self.faults("0-3", "4-7"), [])
        self.assertEqual(
            self.faults("0-3", "2-3"),
            ["ranks 0 and 1 share processors 2-3", "ranks 0, 1 share the last-level cache of processors 0-3"],
        )
        self.assertEqual(self.faults("0-1", "2-3"), ["ranks 0, 1 share the last-level cache of processors 0-3"])
        self.assertEqual(self.faults("0-4"), ["rank 0 has processors of 2 last-level caches"])
        self.assertEqual(self.faults("0-1", "2-3", caches=[{0, 1, 2, 3}]), [])

    def test_a_device_for_each_rank(self):
        self.assertEqual(self.faults("0-1", "2-4", devices=2), [])
        self.assertEqual(self.faults("0-1", "2-4", devices=None), [])
        self.assertEqual(self.faults("0", "1", "2", devices=2), ["3 ranks share 2 devices"])

    def test_a_rank_without_its_device(self):
        for counts, said in (
            ((1, 0), ["rank 1 is without its GPU: it sees none, rank 0 does"]),
            ((1, 0, 1), ["rank 1 is without its GPU: it sees none, rank 0 does", "2 ranks share 1 devices"]),
            ((0, 2), ["rank 0 is without its GPU: it sees none, rank 1 does"]),
            ((0, None), ["rank 0 is without its GPU: it sees none, rank 1 does"]),
            ((None, 0, None), ["rank 1 is without its GPU: it sees none, rank 0 does"]),
            ((0, 0), []),
            ((2, 3, 3), []),  # each takes one of those that it sees
        ):
            known = [status_of(rank, str(rank), count) for rank, count in enumerate(counts)]
            self.assertEqual(ranks.faults_of(known, [{0, 1, 2, 3}]), said)

    def test_a_host_without_devices_beside_others_with_them(self):
        a, b = [status_of(0, "0", 2), status_of(1, "1", 2)], [status_of(2, "0", 0, "b"), status_of(3, "1", 0, "b")]
        self.assertEqual(ranks.blind_host(a, a + b), [])
        said = "ranks 2, 3 are without their GPUs: none is seen here, rank 0 on a sees one"
        self.assertEqual(ranks.blind_host(b, a + b), [said])
        self.assertEqual(ranks.blind_host(b[:1], [status_of(0, "0", None)] + b[:1]), [
            "rank 2 is without its GPU: none is seen here, rank 0 on a sees one"])  # fmt: skip
        self.assertEqual(ranks.blind_host(b, b), [])

    def test_one_device_that_is_shown_to_two_ranks(self):
        def faults(*shown):
            known = []
            for rank, text in enumerate(shown):
                variables = {"CUDA_VISIBLE_DEVICES": text}
                one = status_of(rank, str(rank), ranks.devices_of(variables, pathlib.Path("/none")))
                known.append({**one, "device": ranks.device_of(variables)})
            return ranks.faults_of(known, [])

        self.assertEqual(faults("GPU-1a", "GPU-2b", "GPU-1a"), ["ranks 0 and 2 share the device GPU-1a"])
        self.assertEqual(faults("MIG-1", "MIG-1"), ["ranks 0 and 1 share the device MIG-1"])
        self.assertEqual(faults("0", "0"), [])  # in a job that hides the others both may be the first
        self.assertEqual(faults("GPU-1a,GPU-2b", "GPU-1a,GPU-2b"), [])  # each takes its own
        self.assertEqual(faults("GPU-1a", ""), ["rank 1 is without its GPU: it sees none, rank 0 does"])

    def test_files_of_a_host(self):
        with tempfile.TemporaryDirectory() as name:
            root = pathlib.Path(name)
            for number in range(8):
                for index, level, shared in ((0, 1, f"{number}"), (2, 3, "0-3" if number < 4 else "4-7")):
                    cache = root / f"sys/devices/system/cpu/cpu{number}/cache/index{index}"
                    cache.mkdir(parents=True)
                    (cache / "level").write_text(f"{level}\n", encoding="utf-8")
                    (cache / "shared_cpu_list").write_text(f"{shared}\n", encoding="utf-8")
            self.assertEqual(machine.last_level_caches(root), self.CACHES)
            self.assertEqual(ranks.devices_of({}, root), 0)
            for number, count in enumerate(("0", "64", "64")):  # the first is the host
                node = root / f"sys/class/kfd/kfd/topology/nodes/{number}"
                node.mkdir(parents=True)
                (node / "simd_count").write_text(count, encoding="utf-8")
            self.assertEqual(ranks.devices_of({}, root), 2)
            (root / "proc/driver/nvidia/gpus/0000:01:00.0").mkdir(parents=True)  # beside a processor's own graphics
            self.assertEqual(ranks.devices_of({}, root), 1)
            self.assertEqual(ranks.devices_of({"CUDA_VISIBLE_DEVICES": "0,1,3"}, root), 3)
            self.assertIsNone(ranks.devices_of({"CUDA_VISIBLE_DEVICES": "3"}, root))


class Folder(unittest.TestCase):
    """A folder where ranks meet, and a program."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.raw, self.out = self.folder / "raw", self.folder / "out"
        self.program = self.folder / "perf_stand_in"
        self.program.write_text(PROGRAM.replace("{python}", sys.executable), encoding="utf-8")
        self.program.chmod(0o755)

    def words(self, *options, program=()):
        return [
            sys.executable,
            "-B",
            str(TOOLS),
            "ranks",
            "--out",
            str(self.raw),
            *options,
            "--",
            str(self.program),
            *program,
        ]

    def gather(self, *words):
        """Exit status, what is printed, the sentence."""
        out, said = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(said):
            status = command_line.main(["gather", str(self.raw), "--out", str(self.out), *words])
        return status, out.getvalue(), said.getvalue()


@unittest.skipUnless(hasattr(os, "sched_setaffinity"), "no masks of processors here")
class Run(Folder):
    def run_ranks(self, hosts, *options, begun=None, program=(), seconds=30, rates=(20, 18, 10, 12), **variables):
        """Exit statuses and sentences of ranks on these hosts, those of one host on as many processors as there are."""
        program = [f"--rates={list(rates)}", *program] if rates else program
        words = self.words("--seconds", str(seconds), *options, program=program)
        clean = {key: text for key, text in os.environ.items() if key not in sum(ranks.LAUNCHERS.values(), ())}
        running = []
        for rank, host in enumerate(hosts[:begun]):
            own = {"SLURM_PROCID": str(rank), "SLURM_STEP_NUM_TASKS": str(len(hosts)), "SLURMD_NODENAME": host}
            running.append(subprocess.Popen(words, env={**clean, **own, **variables}, text=True,
                                            stdout=subprocess.PIPE, stderr=subprocess.PIPE))  # fmt: skip
        said = [one.communicate(timeout=120)[1] for one in running]
        return [one.returncode for one in running], "".join(said)

    def test_all_good(self):
        done = self.run_ranks("aabb", "--allow-overlap")
        self.assertEqual(done[0], [0] * 4, done[1])
        status, shown, _ = self.gather("--commit", "abc")
        self.assertEqual(status, 0)
        self.assertRegex(shown, r"square/double/8x8x8 +4x1 +15 GFLOP/s \(10 to 20\) +blis +10 GFLOP/s +1\.50 +50%")
        self.assertRegex(
            shown, r"4 ranks on 2 hosts.* the slowest host, b, has 0\.73, the slowest rank 0\.67 in square"
        )
        found = results.load(self.out)
        self.assertEqual(found.head["commit"], "abc")
        named = json.loads((self.out / "bench.json").read_text(encoding="utf-8"))["slowest"]
        self.assertEqual((named["host"], named["hosts"], named["rank"]), ("b", 2, 2))
        # Ranks with 10 and 12 of the median, 15, on b, with 20 and 18 on a.
        self.assertAlmostEqual(named["share"], math.sqrt(10 * 12) / 15, delta=1e-3)
        self.assertAlmostEqual(named["share_of_rank"], 10 / 15, delta=1e-3)
        self.assertEqual(found.head["slowest"], named)
        first = self.raw / "rank-0.status"
        known = json.loads(first.read_text(encoding="utf-8"))
        self.assertEqual(known["commit"], machine.commit())
        first.write_text(json.dumps(known | {"commit": "def-dirty"}), encoding="utf-8")
        self.assertEqual(self.gather()[0], 0)
        self.assertEqual([results.load(self.out).head[key] for key in ("commit", "dirty")], ["def", True])
        self.assertTrue(found.machine["cpu"])
        (run,) = found.runs
        self.assertEqual((run["program"], run["ranks"], run["threads"]), ("stand_in", 4, 1))
        self.assertEqual([place["host"] for place in run["places"]], list("aabb"))
        first = found.cases[0]
        for rate, expected in zip(first["by_rank"], (20, 18, 10, 12), strict=True):
            self.assertAlmostEqual(rate, expected, delta=0.002)
        for rate, expected in zip(first["samples"]["pantile"], (15, 16.5, 13.5), strict=True):
            self.assertAlmostEqual(rate, expected, delta=0.002)
        of_ten = (1 / 0.9 - 1 / 1.1) / 2  # quartiles of three times, which lie half way to the middle one
        of_twenty = (1 / 0.8 - 1 / 1.2) / 2
        for spread, expected in zip(first["spread_by_rank"], (of_ten, of_ten, of_twenty, of_ten), strict=True):
            self.assertAlmostEqual(spread, expected, delta=1e-4)
        self.assertIn("one rank's own rounds are at most 20.8% apart: rank 2 in square/double/8x8x8", shown)
        self.assertIn("10.1% (10.1% to 20.8%)", page.make(found, {}))
        self.assertIn("15 GFLOP/s (10 to 20)", page.make(found, {}))
        self.assertIn("the slowest host, b", page.make(found, {}))
        again = self.run_ranks("aabb", "--allow-overlap")
        self.assertEqual(again[0], [2] * 4)
        self.assertIn("holds rank 0 of another run", again[1])

    def test_devices_are_chosen_among_the_ranks_of_a_host(self):
        self.assertEqual(self.run_ranks("abab", "--allow-overlap", CUDA_VISIBLE_DEVICES="5,7")[0], [0] * 4)
        spaces = [
            json.loads((self.raw / f"rank-{rank}.jsonl").read_text(encoding="utf-8").splitlines()[0])["context"][
                "space"
            ]
            for rank in range(4)
        ]
        self.assertEqual(spaces, ["0", "0", "1", "1"])

    @unittest.skipUnless("PANTILE_GPU_CONTESTS" in os.environ, "no gpu_contests named")
    def test_contests_of_devices_are_programs_of_ranks(self):
        self.program = pathlib.Path(os.environ["PANTILE_GPU_CONTESTS"])
        done = self.run_ranks("aa", "--allow-overlap", program=["--scale=smoke", "--filter=^add/double"], seconds=100,
                              rates=(), CUDA_VISIBLE_DEVICES="5,7", OMP_NUM_THREADS="1")  # fmt: skip
        self.assertEqual(done[0], [0, 0], done[1])
        status, shown, said = self.gather()
        self.assertEqual(status, 0, shown + said)
        found = results.load(self.out)
        self.assertEqual([run["ranks"] for run in found.runs], [2])
        self.assertEqual(json.loads((self.raw / "rank-1.status").read_text(encoding="utf-8"))["devices"], 2)
        self.assertTrue(found.cases)
        self.assertEqual({len(case["by_rank"]) for case in found.cases}, {2})

    def test_a_rank_that_fails_ends_all(self):
        begin = time.monotonic()
        statuses, said = self.run_ranks("aab", "--allow-overlap", program=["--fails=1", "--hangs=2"], seconds=100)
        self.assertEqual(statuses, [0 if (self.raw / "rank-0.jsonl").exists() else 2, 2, 2])
        self.assertLess(time.monotonic() - begin, 90)
        sentence = f"rank 1 of 3 on a: {self.program} ended with status 1: no memory"
        self.assertEqual(
            [line for line in said.splitlines() if "share processors" not in line], [f"perf_tests/tools: {sentence}"]
        )
        status, _, said = self.gather()
        self.assertEqual((status, said), (2, f"perf_tests/tools: {self.raw}: {sentence}\n"))
        self.assertFalse(self.out.exists())

    def test_a_rank_that_fails_while_the_launcher_ends_it_is_silent(self):
        self.addCleanup(signal.signal, signal.SIGTERM, signal.getsignal(signal.SIGTERM))

        def other_was_first(*_):
            os.kill(os.getpid(), signal.SIGTERM)
            return False

        words = [str(self.program), "--rates=[20]", "--fails=0"]
        self.raw.mkdir()
        with (
            mock.patch.dict(os.environ, {"SLURM_PROCID": "0", "SLURM_STEP_NUM_TASKS": "1"}),
            mock.patch.object(ranks, "is_first_to_stop", other_was_first),
        ):
            self.assertEqual(ranks.take_part(self.raw, words, 30, allow_overlap=True), 2)
        self.assertEqual(json.loads((self.raw / "rank-0.status").read_text(encoding="utf-8"))["state"], "failed")

    def test_a_rank_that_hangs_is_ended(self):
        statuses, said = self.run_ranks("ab", "--allow-overlap", program=["--hangs=1"], seconds=15)
        self.assertEqual(statuses, [0, 2])
        self.assertIn("perf_stand_in was not done after 15 s, the last case begun was square/double/8x8x8", said)

    def test_a_rank_that_does_not_begin(self):
        statuses, said = self.run_ranks("abc", begun=2, seconds=6)
        self.assertEqual(statuses, [2, 2])
        self.assertEqual(said.count("rank 2 of 3 did not begin within 6 s"), 1)

    def test_masks_that_overlap(self):
        statuses, said = self.run_ranks("aa")
        self.assertEqual(statuses, [2, 2])
        self.assertRegex(
            said, r"^perf_tests/tools: rank [01] of 2 on a: on a ranks 0 and 1 share processors [\d,-]+.*; bind them"
        )
        self.assertEqual(said.count("\n"), 1)
        self.assertEqual(list(self.raw.glob("*.jsonl*")), [])

    def test_a_rank_on_each_host_and_one_sees_no_device(self):
        words = ["sh", "-c", ': >"${0#--out=}"']
        self.raw.mkdir()
        other = status_of(0, "0", 1, "another") | {"size": 2, "words": words}
        write_whole(self.raw / "rank-0.status", json.dumps(other))
        variables = {"OMPI_COMM_WORLD_RANK": "1", "OMPI_COMM_WORLD_SIZE": "2", "CUDA_VISIBLE_DEVICES": "",
                     "SLURMD_NODENAME": "blind"}  # fmt: skip
        self.addCleanup(signal.signal, signal.SIGTERM, signal.getsignal(signal.SIGTERM))
        said = "^rank 1 of 2 on blind: on blind rank 1 is without its GPU: none is seen here, rank 0 on another sees"
        with mock.patch.dict(os.environ, variables), self.assertRaisesRegex(results.Unusable, said):
            ranks.take_part(self.raw, words, 30)

    def test_what_overlapped_is_a_doubt(self):
        statuses, said = self.run_ranks("aa", "--allow-overlap")
        self.assertEqual((statuses, said.count("share processors")), ([0, 0], 1))
        self.assertRegex(self.gather()[1], "DOUBT: on a ranks 0 and 1 share processors")

    def test_a_full_disk_is_said_once(self):
        def full(path, content):
            if '"ready"' in content:
                write_whole(path, content)
                return
            if others_stop:
                (path.parent / "stop").touch()
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(path))

        words = ["sh", "-c", ': >"${0#--out=}"']
        variables = {"OMPI_COMM_WORLD_RANK": "0", "OMPI_COMM_WORLD_SIZE": "1"}
        with mock.patch.dict(os.environ, variables), mock.patch.object(ranks, "write_whole", full):
            others_stop = False
            with self.assertRaisesRegex(results.Unusable, "^rank 0 of 1 on .*rank-0.status: No space left on device$"):
                ranks.take_part(self.raw / "alone", words)
            self.assertTrue((self.raw / "alone" / "stop").exists())
            others_stop = True
            self.assertEqual(ranks.take_part(self.raw / "second", words), 2)
        with mock.patch("builtins.open", side_effect=OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))):
            self.assertTrue(ranks.is_first_to_stop(self.raw, "why"))

    def test_ranks_of_another_run(self):
        self.addCleanup(signal.signal, signal.SIGTERM, signal.getsignal(signal.SIGTERM))
        words = [str(self.program), "--rates=[20, 18]"]
        for name, size, others in (("size", 3, words), ("words", 2, [*words, "--short=0"])):
            folder = self.raw / name
            folder.mkdir(parents=True)
            write_whole(folder / "rank-1.status", json.dumps({**status_of(1, "1"), "size": size, "words": others}))
            with (
                mock.patch.dict(os.environ, {"OMPI_COMM_WORLD_RANK": "0", "OMPI_COMM_WORLD_SIZE": "2"}),
                self.assertRaisesRegex(results.Unusable, f"{folder} holds ranks of another run$"),
            ):
                ranks.take_part(folder, words, 5, allow_overlap=True)

    def test_what_is_said_of_a_program_that_dies(self):
        self.addCleanup(signal.signal, signal.SIGTERM, signal.getsignal(signal.SIGTERM))
        begun = """printf '{"begin": "first"}\\n{"begin": "second"}\\n' >"${0#--out=}"; """
        words = ["sh", "-c", begun + 'echo hello; echo "$OMP_PLACES $OMP_PROC_BIND"; kill -9 $$']
        variables = {"OMPI_COMM_WORLD_RANK": "0", "OMPI_COMM_WORLD_SIZE": "1", "OMP_PLACES": "sockets"}
        sentence = "^rank 0 of 1 on .*: sh was ended by signal 9, the last case begun was second: sockets close$"
        with mock.patch.dict(os.environ, variables), self.assertRaisesRegex(results.Unusable, sentence):
            os.environ.pop("OMP_PROC_BIND", None)
            ranks.take_part(self.raw, words, 30, allow_overlap=True)

    def test_programs_that_are_none(self):
        statuses, said = self.run_ranks("a", program=["--out=x"])
        self.assertEqual(statuses, [2])
        self.assertIn("no other --out can be", said)
        self.program.unlink()
        statuses, said = self.run_ranks("a", "--allow-overlap")
        self.assertEqual(statuses, [2])
        self.assertIn("perf_stand_in: No such file or directory", said)

    def test_wrong_and_missing_figures(self):
        self.assertEqual(self.run_ranks("ab", program=["--wrong=1", "--short=0"])[0], [0, 0])
        status, shown, _ = self.gather()
        self.assertEqual(status, 1)
        self.assertRegex(shown, r"8x8x8 +2x1 +ERROR +pantile: 3 elements are wrong \(rank 1 on b\)")
        self.assertRegex(shown, r"9x9x9 +2x1 +ERROR +rank 0: no figure")

    def test_a_rate_of_zero_is_one(self):
        tables = [{"blis": 0.0}, {"blis": 2.0, "mkl": None}, {"mkl": 3.0}]
        self.assertEqual(gather.medians(tables), {"blis": 1.0, "mkl": 3.0})

    def test_who_is_missing_and_who_has_failed(self):
        self.raw.mkdir()
        for sizes, states, sentence in (((2, 3), ("done", "done"), "rank 2 of 3 missing"),
                                        ((3, 2), ("done", "done"), "rank 2 of 3 missing"),
                                        ((2, 2), ("stopped", "failed"), "no memory")):  # fmt: skip
            for rank, (size, state) in enumerate(zip(sizes, states)):
                one = {**status_of(rank, "0"), "size": size, "state": state}
                one["message"] = "no memory" if state == "failed" else ""
                (self.raw / f"rank-{rank}.status").write_text(json.dumps(one), encoding="utf-8")
            with self.assertRaisesRegex(results.Unusable, f"^{self.raw}: {sentence}$"):
                gather.check_ranks(self.raw)

    def test_the_slowest_rank_need_not_be_on_the_slowest_host(self):
        runs = [{"places": [{"host": "a"}, {"host": "b"}]}]
        cases = [{"case": "first", "pantile": 10, "by_rank": [10, 6]},
                 {"case": "second", "pantile": 10, "by_rank": [5, 6]}]  # fmt: skip
        found = gather.slowest(runs, cases)
        self.assertEqual([found[key] for key in ("host", "share")], ["b", 0.6])
        self.assertEqual([found[key] for key in ("rank", "share_of_rank", "case")], [0, 0.5, "second"])

    def test_folders_are_of_the_same_hosts(self):
        def merged(*hosts):
            found = [({"places": [{"host": host} for host in one]}, [one], {"commit": one}) for one in hosts]
            with mock.patch.object(gather, "merge", side_effect=found):
                return gather.merge_all(["first", "second"])

        self.assertEqual(merged("ab", "ab")[1:], (["ab", "ab"], {"commit": "ab"}))
        with mock.patch.object(gather, "merge", side_effect=[({"places": []}, [], {"commit": name}) for name in "xy"]):
            self.assertEqual(gather.merge_all(["first", "second"])[2], {"commit": "x"})
        for others in ("ac", "a"):
            with self.assertRaisesRegex(results.Unusable, "^second: its ranks are on other hosts than those of first$"):
                merged("ab", others)

    def test_what_mpi_saw(self):
        def by_mpi(*seen):
            contexts = [{"mpi": "4.1"} if size else {} for size in seen]
            return gather.by_mpi("x", [{"context": one, "ranks": size or 2} for one, size in zip(contexts, seen)])

        self.assertIs(by_mpi(2, 2), True)
        self.assertIs(by_mpi(0, 0), False)
        for seen in ((1, 1), (2, 1), (2, 0), (0, 2)):
            with self.assertRaisesRegex(results.Unusable, "^x: 2 ranks were started, and MPI saw"):
                by_mpi(*seen)

    def test_loads_and_threads_of_ranks(self):
        def merge(*threads):
            runs = [{"threads": count, "ranks": 1, "context": {"load_avg": 0.1 * count}} for count in threads]
            found = {rank: {"host": "a", "affinity": "0", "words": ["x/perf_matmul"]} for rank in range(len(runs))}
            with (
                mock.patch.object(gather, "check_ranks", return_value=found),
                mock.patch.object(gather, "read_lines_of", return_value=(runs, {})),
            ):
                runs[0]["context"]["load_avg"] = 0.05
                for rank, run in enumerate(runs):
                    run["context"]["copy"] = {"bytes": 8, "rate": 10 * (rank + 1)}
                return gather.merge("x")[0]

        self.assertEqual([merge(3, 3)[key] for key in ("program", "threads", "ranks")], ["matmul", 3, 2])
        self.assertAlmostEqual(merge(3, 3)["context"]["load_avg"], 0.3)  # of the busiest
        self.assertAlmostEqual(merge(3, 3)["context"]["copy"]["rate"], 15)  # of one rank
        with self.assertRaisesRegex(results.Unusable, "^x: ranks have different numbers of threads: 1, 2$"):
            merge(2, 1)

    def test_missing_and_unfinished_ranks(self):
        self.assertEqual(self.run_ranks("ab")[0], [0, 0])
        file = self.raw / "rank-1.status"
        text = file.read_text(encoding="utf-8")
        for other, sentence in ((text.replace('"done"', '"ready"'), "rank 1 of 2 on b did not end its work"),
                                ("{", f"{file}: no status of a rank")):  # fmt: skip
            file.write_text(other, encoding="utf-8")
            status, _, said = self.gather()
            self.assertEqual(status, 2)
            self.assertIn(sentence, said)
        file.unlink()
        self.assertEqual(self.gather(), (2, "", f"perf_tests/tools: {self.raw}: rank 1 of 2 missing\n"))
        shutil.rmtree(self.raw)
        self.assertEqual(self.gather()[2], f"perf_tests/tools: {self.raw}: no rank was here\n")
        self.assertFalse(self.out.exists())


@unittest.skipUnless(shutil.which("mpirun"), "no mpirun here (Debian: openmpi-bin)")
class ByMpirun(Folder):
    def mpirun(self, *program):
        words = self.words("--allow-overlap", "--seconds", "60", program=["--rates=[20, 18]", *program])
        return subprocess.run(["mpirun", "-n", "2", "--oversubscribe", "--allow-run-as-root", *words],
                              capture_output=True, text=True, timeout=300, check=False)  # fmt: skip

    def test_two_ranks(self):
        ran = self.mpirun()
        self.assertEqual(ran.returncode, 0, ran.stderr)
        self.assertRegex(self.gather()[1], r"square/double/8x8x8 +2x1 +19 GFLOP/s \(18 to 20\)")

    def test_one_fails(self):
        ran = self.mpirun("--fails=1", "--hangs=0")
        self.assertNotEqual(ran.returncode, 0)
        self.assertEqual(ran.stderr.count("ended with status 1: no memory"), 1, ran.stderr)


if __name__ == "__main__":
    unittest.main()

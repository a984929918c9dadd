# SPDX-FileCopyrightText: Pantile contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests of the table, of bench.json and of the ladder, on files as the contests write them."""

import contextlib
import io
import json
import os
import pathlib
import re
import resource
import socket
import tempfile
import unittest
import xml.etree.ElementTree
from unittest import mock

import command_line
import ladder
import machine
import results
from files import write_whole


def entry(name, pantile, peers=None, bounds=None, **parts):
    return {"case": name, "unit": "GFLOP/s", "pantile": pantile, "peers": peers or {}, "bounds": bounds or {},
            "spread": {"pantile": 0.01}, "checks": {}, "wrong": {}, "rounds": 7, "plan": "", **parts}  # fmt: skip


def file_of(entries, threads=1, **context):
    """As a program writes it that ended in the middle of a line."""
    items = [{"context": {"host_concurrency": threads, "load_avg": 0.1, **context}}]
    for one in entries:
        items += [{"begin": one["case"]}, one]
    return "".join(json.dumps(item) + "\n" for item in items) + '{"begin": '


class Table(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def run_on(self, *texts):
        """Exit status, table, report."""
        files = []
        for number, text in enumerate(texts):
            files.append(self.folder / f"program-{number}.jsonl")
            files[-1].write_text(text, encoding="utf-8")
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            status = command_line.main(
                ["collect", "--commit", "abc-dirty", "--out", str(self.folder), *map(str, files)]
            )
        self.assertEqual((self.folder / "table.txt").read_text(encoding="utf-8"), out.getvalue())
        return status, out.getvalue(), json.loads((self.folder / "bench.json").read_text(encoding="utf-8"))

    def table_again(self):
        """What is printed for the bench.json alone."""
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            command_line.main(["table", str(self.folder)])
        return out.getvalue()

    def test_a_disk_that_is_full_leaves_what_was_there(self):
        text = file_of([entry("square/double/8x8x8", 2.0)])
        self.run_on(text)
        before = {file: file.read_bytes() for file in self.folder.rglob("*") if file.is_file()}
        limits = resource.getrlimit(resource.RLIMIT_FSIZE)
        said = io.StringIO()
        words = ["collect", "--out", str(self.folder), str(self.folder / "program-0.jsonl")]
        try:
            resource.setrlimit(resource.RLIMIT_FSIZE, (100, limits[1]))  # Python lets such a write fail
            with contextlib.redirect_stderr(said), contextlib.redirect_stdout(io.StringIO()):
                status = command_line.main(words)
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, limits)
        self.assertEqual((status, said.getvalue()), (2, f"perf_tests/tools: {self.folder}/table.txt: File too large\n"))
        self.assertEqual({file: file.read_bytes() for file in self.folder.rglob("*") if file.is_file()}, before)

    def test_a_pipe_is_written_to_and_not_replaced(self):
        pipe = self.folder / "pipe"
        os.mkfifo(pipe)
        reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
        try:
            write_whole(pipe, "a page\n")
            self.assertEqual(os.read(reader, 100), b"a page\n")
        finally:
            os.close(reader)
        self.assertTrue(pipe.is_fifo())
        self.assertEqual(list(self.folder.glob("*.part")), [])

    def test_takes_the_best_peer_and_the_highest_bound(self):
        text = file_of([entry("square/double/8x8x8", 20.0, {"blis": 10.0, "eigen": 40.0},
                              {"memcpy": 50.0, "stream_copy": 80.0})])  # fmt: skip
        status, table, content = self.run_on(text)
        self.assertEqual(status, 0)
        (group,) = content["groups"]
        self.assertEqual((group["group"], group["threads"], group["unit"]), ("square/double", 1, "GFLOP/s"))
        self.assertEqual(dict(zip(["case", *group["columns"]], group["cases"][0])), {
            "case": "8x8x8", "pantile": 20.0, "peer:blis": 10.0, "peer:eigen": 40.0, "bound:memcpy": 50.0,
            "bound:stream_copy": 80.0, "spread:pantile": 0.01})  # fmt: skip
        self.assertRegex(table, r"square/double/8x8x8 +1 +20 GFLOP/s +eigen +40 GFLOP/s +0\.50 +25%")

    def test_another_pantile_is_compared_with_and_never_the_best_peer(self):
        peers = {"blis": 50, "before": 100}
        case = [entry(f"square/double/{n}", own, peers) for n, own in ((64, 98), (65, 96), (66, 200))]
        moved = entry("transpose/8_bytes/9x9", 30, {"before_omatcopy": 40})
        _, table, _ = self.run_on(file_of([*case, moved]))
        self.assertRegex(table, r"square/double/65 +1 +96 GFLOP/s +blis +50 GFLOP/s +1.92")
        self.assertIn("before, square, 1 threads: over it, geometric mean of 3 1.23, least 0.96; 1 below 0.97: "
                      "square/double/65 0.96\n", table)  # fmt: skip
        self.assertIn("before, transpose, 1 threads: over it, geometric mean of 1 0.75, least 0.75; 1 below 0.97: "
                      "transpose/8_bytes/9x9 0.75\n", table)  # fmt: skip

    def test_a_case_without_a_rate_is_shown(self):
        """Programs write null for a rate that is no number."""
        lost = entry("sweep/double/9x9x9", None, {"blis": None}, {"memcpy": 50.0})
        status, table, _ = self.run_on(file_of([entry("square/double/8x8x8", None, {"blis": 10.0}), lost]))
        self.assertEqual(status, 0)
        self.assertRegex(table, r"square/double/8x8x8 +1 +- +blis +10 GFLOP/s +- +-")
        self.assertEqual((self.folder / "sweep.csv").read_text(encoding="utf-8").splitlines()[1:],
                         ["double,9,1,memcpy,50"])  # fmt: skip
        self.assertEqual(self.table_again(), table)

    def refused(self, *words):
        errors = io.StringIO()
        with contextlib.redirect_stderr(errors):
            try:
                status = command_line.main(["collect", "--out", str(self.folder / "out"), *map(str, words)])
            except SystemExit as end:
                status = end.code
        self.assertEqual(status, 2)
        return errors.getvalue()

    def test_lines_that_no_program_wrote(self):
        line = {"context": {"host_concurrency": 1}}
        texts = {
            "context has no host_concurrency": [{"context": {}}],
            "a case has no threads": [entry("square/double/8x8x8", 20.0)],
            "a case pantile is no rate": [line, entry("square/double/8x8x8", "20")],
            "a case case is no text": [line, entry(None, 20.0)],
        }
        for said, items in texts.items():
            file = self.folder / "lines.jsonl"
            file.write_text("".join(json.dumps(item) + "\n" for item in items), encoding="utf-8")
            self.assertIn(f"{file}: not as programs write it: {said}", self.refused(file))
        file.write_text(file_of([entry("square/double/8x8x8", 20.0)]), encoding="utf-8")
        self.assertIn("no.jsonl: No such file", self.refused(self.folder / "no.jsonl"))
        self.assertIn("x is not of the form NAME=TEXT", self.refused(file, "--setting", "x"))
        machine = self.folder / "machine.json"
        machine.write_text("{", encoding="utf-8")
        self.assertIn("machine.json: no JSON", self.refused(file, "--machine", machine))
        machine.write_text("[]", encoding="utf-8")
        self.assertIn("what is known of the machine is no object", self.refused(file, "--machine", machine))
        self.assertFalse((self.folder / "out").exists())

    def test_groups_by_name_and_threads_with_geometric_means(self):
        slow = entry("square/double/8x8x8", 1.0, {"blis": 4.0})
        fast = entry("square/double/9x9x9", 4.0, {"blis": 4.0})
        _, table, content = self.run_on(file_of([slow, fast]), file_of([slow], threads=2))
        self.assertEqual([group["threads"] for group in content["groups"]], [1, 2])
        self.assertRegex(table, r"geometric mean of 2 +1 +least 0\.25 +0\.50")
        self.assertRegex(table, r"9x9x9 .* 1\.00 +-\n")
        self.assertNotIn("geometric mean of 1", table)

    def test_the_record_has_all_of_the_table(self):
        first = entry(
            "square/double/8x8x8", 20.123456, {"blis": 10.0}, {"peak": 40.0}, checks={"allocations": 0.0, "error": 1.0}
        )
        second = entry("square/double/9x9x9", 4.0, {"eigen": 4.0})
        wrong = entry("add/float/3x3", 2.0, wrong={"x": "1 is wrong"})
        _, table, content = self.run_on(file_of([first, second, wrong], 2, **{"peer:blis": "BLIS 1"}, host_name="a"))
        self.assertEqual(self.table_again(), table)
        self.assertEqual(content["groups"][0]["cases"][0][1], 20.12)
        self.assertNotIn("host_name", content["runs"][0]["context"])

    def test_rounds_are_kept_in_parts_of_the_median(self):
        rounds = [19.0, 20.0, 22.0, 20.1, 19.98]
        self.run_on(file_of([entry("square/double/8x8x8", 20.0, samples={"pantile": rounds})]))
        (group,) = json.loads((self.folder / "bench.json").read_text(encoding="utf-8"))["groups"]
        self.assertEqual(group["columns"], ["pantile", "samples:pantile"])
        self.assertEqual(group["cases"], [["8x8x8", 20.0, [-500, 0, 1000, 50, -10]]])
        self.assertEqual(results.figures_of(entry("sweep/double/8x8x8", 20.0, samples={"pantile": rounds})),
                         {"pantile": 20.0, "spread:pantile": 0.005976})  # fmt: skip
        (case,) = results.load(self.folder).cases
        for rate, expected in zip(case["samples"]["pantile"], rounds, strict=True):
            self.assertAlmostEqual(rate, expected)

    def test_ranks_have_a_place(self):
        case = entry("square/double/8x8x8", 20.0)
        _, table, content = self.run_on(file_of([case], 2), file_of([case], 2, ranks=4))
        self.assertEqual([group["ranks"] for group in content["groups"]], [1, 4])
        self.assertRegex(table, r"8x8x8 +2 [^$]*8x8x8 +4x2 ")
        self.assertEqual([case["ranks"] for case in results.load(self.folder).cases], [1, 4])

    def test_what_runs_have_in_common_is_said_once(self):
        case = entry("square/double/8x8x8", 20.0)
        common = {"compiler": "GNU 16", "flags": "-O3"}
        texts = []
        for threads, affinity in ((1, "0"), (2, "0; 1")):
            configuration = f"Kokkos 5\nOptions:\n  a: yes\n\nOpenMP Runtime Configuration:\n[ 1 x {threads} ]\n"
            texts.append(file_of([case], threads, affinity=affinity, kokkos_configuration=configuration, **common))
        _, _, content = self.run_on(*texts)
        common["kokkos_configuration"] = "Kokkos 5\nOptions:\n  a: yes"
        self.assertEqual((content["schema"], content["commit"], content["dirty"]), (2, "abc", True))
        self.assertEqual(content["context"], {"load_avg": 0.1, **common})
        self.assertEqual([run["context"] for run in content["runs"]], [{"affinity": "0"}, {"affinity": "0; 1"}])
        self.assertEqual(results.load(self.folder).runs[1]["context"]["compiler"], "GNU 16")

    def test_a_result_is_there_whole_or_not_at_all(self):
        self.run_on(file_of([entry("square/double/8x8x8", 20.0)]))
        self.assertEqual(sorted(path.name for path in self.folder.iterdir()),
                         ["bench.json", "program-0.jsonl", "sweep.csv", "table.txt"])  # fmt: skip

    def test_committed_results_of_the_first_schema_are_read(self):
        folder = pathlib.Path(__file__).resolve().parents[1] / "results"
        found = [one for file in sorted(folder.glob("*.json")) for one in results.load_all(file)]
        self.assertEqual([len(one.cases) for one in found if one.path.name == "amd-epyc-zen3_2-cores.json#all"], [2694])
        self.assertEqual({one.kind for one in found}, {"bench", "gpu"})
        for one in found:
            out = io.StringIO()
            with contextlib.redirect_stdout(out):
                self.assertEqual(command_line.main(["table", str(one.path)]), 0)
            self.assertRegex(out.getvalue(), r"\d\.\d\d")

    def test_google_benchmarks_repetitions_are_rounds(self):
        def item(name, time, **parts):
            return {
                "name": name,
                "run_name": name,
                "run_type": "iteration",
                "real_time": time,
                "time_unit": "us",
                **parts,
            }

        benchmarks = [
            item("gemm/8", 2.0),
            item("gemm/8", 4.0),
            item("gemm/8", 2.5),
            item("gemm/8", 3.0, run_type="aggregate"),
            item("gemm/9", 0, error_occurred=True, error_message="no memory"),
        ]
        file = self.folder / "google.json"
        file.write_text(json.dumps({"context": {"num_cpus": 4}, "benchmarks": benchmarks}), encoding="utf-8")
        found = results.load(file)
        self.assertEqual(found.kind, "google")
        self.assertAlmostEqual(found.cases[0]["pantile"], 1 / 2.5e-6)
        self.assertEqual(len(found.cases[0]["samples"]["pantile"]), 3)
        self.assertEqual(found.cases[1]["error"], "no memory")

    def test_an_error_is_shown_and_fails(self):
        wrong = entry("add/float/3x3", 2.0, wrong={"x": "1 is wrong"})
        dead = {"case": "add/float/2x2", "error": "no\nmemory"}
        status, table, content = self.run_on(file_of([wrong, dead, entry("add/float/4x4", 1.0)]))
        self.assertEqual(status, 1)
        self.assertRegex(table, r"add/float/3x3 +1 +ERROR +x: 1 is wrong")
        self.assertRegex(table, r"add/float/2x2 +1 +ERROR +no memory")
        self.assertEqual(len(content["groups"][0]["cases"]), 1)

    def test_a_tiny_call_is_shown_as_time(self):
        tiny = entry("fixed_cost/double/4x4x4", 2.0, {"eigen": 4.0}, checks={"allocations": 1.0}, unit="Mcall/s")
        _, table, _ = self.run_on(file_of([tiny]))
        self.assertRegex(table, r"500 ns, 1 allocations +eigen +250 ns +0\.50")

    def test_doubts(self):
        calm = entry("square/double/8x8x8", 1.0)
        _, table, _ = self.run_on(file_of([calm], 2, **{"peer:blis": "BLIS 1, 2 threads are 1.90 x one"}))
        self.assertNotIn("DOUBT", table)
        calm["spread"]["pantile"] = 0.5
        _, table, _ = self.run_on(file_of([calm], 2, load_avg=3.0, **{"peer:blis": "BLIS 1, 2 threads are 1.01 x one"}))
        self.assertIn("DOUBT: blis: 2 threads are 1.01 x one", table)
        self.assertIn("DOUBT: the load average was 3.0", table)
        self.assertIn("in 1 of 1 cases", table)

    def ranks_on(self, *places):
        places = [dict(zip(("host", "affinity"), place)) for place in places]
        case = entry("matmul/double/8", 20.0, by_rank=[20.0] * len(places))
        _, table, content = self.run_on(file_of([case], ranks=len(places), places=places))
        return re.findall("DOUBT: (.*)", table), content["runs"][0]["places"]

    def test_how_ranks_of_mpi_are_bound_is_looked_at(self):
        """The command ranks has not started them."""
        self.assertEqual(self.ranks_on(("a", "0"), ("a", "1"), ("b", "0"), ("b", "1"))[0], [])
        self.assertEqual(self.ranks_on(("a", "0; 1"), ("a", "2; 3"), ("b", "0-1"))[0], [])
        doubts, places = self.ranks_on(*[("a", "0")] * 4, ("b", "0"))
        self.assertEqual(doubts, ["on a ranks 0 and 1 share processors 0 and 5 more"])
        self.assertEqual([place.get("binding") for place in places], doubts * 4 + [None])
        self.assertEqual(self.ranks_on(("a", "0; 1"), ("a", "1; 2"))[0], ["on a ranks 0 and 1 share processors 1"])
        self.assertEqual(self.ranks_on(("a", "unknown"), ("a", ""), ("a", "0,x"))[0], [])
        page = self.folder / "page.html"
        self.ranks_on(("a", "0"), ("b", "3-5"))
        with contextlib.redirect_stdout(io.StringIO()):
            self.assertEqual(command_line.main(["report", str(self.folder), "--out", str(page)]), 0)
        text = page.read_text(encoding="utf-8")
        self.assertIn('<tr><td class="n">0</td><td>a</td><td>0</td></tr>', text)
        self.assertIn('<tr><td class="n">1</td><td>b</td><td>3-5</td></tr>', text)

    def test_a_rank_of_mpi_is_slow_where_all_operations_say_so(self):
        places = [{"host": f"h{rank}", "affinity": "0"} for rank in range(4)]

        def doubts(matmul, transpose, **context):
            cases = [entry("matmul/double/8", 10.0, by_rank=matmul),
                     entry("transpose/double/8", 10.0, by_rank=transpose)]  # fmt: skip
            _, table, _ = self.run_on(file_of(cases, ranks=4, places=places, **context))
            return re.findall("DOUBT: rank (.*)", table)

        equal, uneven = [10.0] * 4, [20.0, 10.0, 11.0, 21.0]  # the ranks of the diagonal send nothing
        self.assertEqual(doubts(equal, uneven, mpi="4.1"), [])
        self.assertEqual(len(doubts(equal, uneven)), 2)
        slow = doubts([10.0, 8.0, 10.0, 10.0], uneven, mpi="4.1")
        self.assertEqual(slow, ["1 of 4 on h1 has 0.80 of the others' rates"])

    def test_caches_of_this_host_are_known_others_are_not(self):
        with mock.patch.object(machine, "last_level_caches", return_value=[{0, 1}, {2, 3}]):
            here = socket.gethostname()
            self.assertEqual(self.ranks_on((here, "0"), (here, "1"))[0],
                             [f"on {here} ranks 0, 1 share the last-level cache of processors 0-1"])  # fmt: skip
            self.assertEqual(self.ranks_on(("b", "0"), ("b", "1"))[0], [])

    def test_the_slowest_is_among_ranks_of_any_number(self):
        def text(rates):
            places = [{"host": f"h{rank}", "affinity": "0"} for rank in range(len(rates))]
            case = entry(f"matmul/double/{len(rates)}", 10.0, by_rank=rates)
            return file_of([case], ranks=len(rates), places=places, mpi="4.1")

        _, table, content = self.run_on(text([10.0, 11.0]), text([10.0, 12.0, 12.0, 8.0]))
        self.assertEqual([content["slowest"][key] for key in ("host", "hosts", "rank")], ["h3", 4, 3])
        self.assertIn("2, 4 ranks on 4 hosts, rates of all ranks", table)
        self.assertIn("DOUBT: rank 3 of 4 on h3 has 0.67 of the others' rates", table)

    def test_the_ladder_is_drawn_with_its_figures(self):
        self.run_on(file_of([entry("ladder/float/8x8x8", 185.2, {"naive": 0.317, "tiled": 25.4, "eigen": 99.5},
                                   {"fma_peak": 212})]))  # fmt: skip
        found = results.load(self.folder)
        picture = ladder.draw(ladder.find(found, "ladder/float/8x8x8", 1), "a machine & a day")
        xml.etree.ElementTree.fromstring(picture)
        for words in ("naive 0.317", ">25.4<", ">185<", ">99.5<", ">212<", "a machine &amp; a day"):
            self.assertIn(words, picture)
        self.assertNotIn("OpenBLAS", picture)
        with self.assertRaisesRegex(results.Unusable, "no case ladder/float/8x8x8 with 2 threads"):
            ladder.find(found, "ladder/float/8x8x8", 2)

    def test_the_sweep_is_a_file_and_one_line(self):
        points = [entry(f"sweep/double/{n}x{n}x{n}", n / 4, {"blis": 2.0}) for n in (1, 2)]
        _, table, _ = self.run_on(file_of(points))
        self.assertNotIn("2x2x2", table)
        self.assertEqual(
            (self.folder / "sweep.csv").read_text(encoding="utf-8").splitlines(),
            [
                "element,n,threads,implementation,gflops",
                "double,1,1,pantile,0.25",
                "double,1,1,blis,2",
                "double,2,1,pantile,0.5",
                "double,2,1,blis,2",
            ],
        )


if __name__ == "__main__":
    unittest.main()

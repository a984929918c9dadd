# SPDX-FileCopyrightText: Pantile contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests of the comparison of results, on runs of a seeded model of noise, and of the test of ranks behind it."""

import contextlib
import io
import itertools
import json
import math
import pathlib
import random
import re
import shutil
import statistics
import tempfile
import unittest
import unittest.mock

import command_line
import compare
import mann_whitney
import results

SIZES = (8, 16, 31, 64, 127, 256, 511, 1024, 2048, 4096)
BETWEEN, WITHIN = 0.004, 0.012  # of the logarithms of rates: from process to process, and from round to round


def run_of(seed, *, slower=None, scale=1.0, rounds=None, peers=("openblas", "eigen"), between=BETWEEN, drift=0, far=0):
    """Lines of two programs: `slower` maps cases to factors of Pantile's rate; drift is of all in a contest. With `far`
    rates change from process to process by an exponential law, of which one in a hundred is 4.6 times as far.
    """
    noise = random.Random(seed)

    def moved():
        return math.exp(noise.gauss(0, between) + (far and noise.choice((-1, 1)) * noise.expovariate(1 / far)))

    lines = []
    for threads in (1, 2):
        lines.append(
            {
                "context": {
                    "host_concurrency": threads,
                    "load_avg": 0.1,
                    "peer:openblas": "OpenBLAS 0.3",
                    "peer:eigen": "E",
                }
            }
        )
        for group, n in itertools.product(("square/double", "square/float", "add/double"), SIZES):
            name = f"{group}/{n}x{n}x{n}"
            count = rounds or (15 if n < 512 else 6 if n < 4096 else 3)
            speed = threads * scale * math.exp(noise.gauss(0, drift))
            level = 50 * speed * moved() * (slower or {}).get(name, 1)
            rates = [
                level * math.exp(noise.gauss(0, WITHIN)) * (0.7 if noise.random() < 0.03 else 1) for _ in range(count)
            ]
            others = {peer: 40 * speed * moved() for peer in peers}
            lines.append(
                {
                    "case": name,
                    "unit": "GFLOP/s",
                    "pantile": sorted(rates)[count // 2],
                    "peers": others,
                    "bounds": {},
                    "spread": {},
                    "samples": {"pantile": rates},
                    "checks": {},
                    "wrong": {},
                }
            )
    return lines


class Folder(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def write(self, name, lines, cpu="a processor"):
        """bench.json of a run, as scripts/bench leaves it."""
        raw = self.folder / f"{name}.jsonl"
        raw.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
        out = self.folder / name
        out.mkdir()
        head = {"commit": name, "dirty": False, "machine": {"cpu": cpu}, "settings": {}}
        (out / "bench.json").write_text(results.compact(head, *results.read_programs([raw])), encoding="utf-8")
        return out

    def tool(self, *words):
        """Exit status, output, errors."""
        out, errors = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(errors):
            status = command_line.main([str(word) for word in words])
        return status, out.getvalue(), errors.getvalue()


ONE_BUILD = pathlib.Path(__file__).resolve().parents[1] / "results" / "one_build"  # two real runs; README.md there


def plant(file, slower, cases):
    """Pantile's rates of these cases of a bench.json, its rounds with them, times slower."""
    whole = json.loads(file.read_text(encoding="utf-8"))
    for group in whole["groups"]:
        for row in group["cases"]:
            if f"{group['group']}/{row[0]}" in cases:
                row[1 + group["columns"].index("pantile")] *= slower
    file.write_text(json.dumps(whole), encoding="utf-8")


class OneBuild(Folder):
    """Two runs of one build on one machine: the same; what is planted, found."""

    def check(self, first, again, slower_by):
        status, out, _ = self.tool("compare", first, again)
        self.assertEqual(status, 0, out)
        self.assertIn(" 0 better, 0 worse, ", out)
        names = sorted(case["case"] for case in results.load(again).measured() if case["threads"] == 1)
        chosen = names[:: max(1, len(names) // 3)][:3]
        slower = self.folder / "slower.json"
        shutil.copy(again, slower)
        plant(slower, 1 - slower_by, chosen)
        status, out, _ = self.tool("compare", first, slower)
        self.assertEqual(status, 1, out)
        self.assertEqual(sorted(re.findall(r"^worse: ([^:]+):", out, re.M)), chosen, out)

    def test_two_runs_that_are_made(self):
        first, again = (self.write(f"one{seed}", run_of(seed)) / "bench.json" for seed in (1, 2))
        for file in (first, again):
            whole = json.loads(file.read_text(encoding="utf-8"))
            whole["groups"] = [group for group in whole["groups"] if group["threads"] == 1]
            file.write_text(json.dumps(whole), encoding="utf-8")
        self.check(first, again, slower_by=0.05)

    def test_two_runs_that_were_measured(self):
        """What is found beside their machine's noise of 3 %: README.md there."""
        first, again = ONE_BUILD / "first.json", ONE_BUILD / "again.json"
        self.check(first, again, slower_by=0.08)


class Compare(Folder):
    def test_two_runs_of_one_build_are_the_same(self):
        for seed in range(8):
            old, new = self.write(f"old{seed}", run_of(seed)), self.write(f"new{seed}", run_of(1000 + seed))
            status, out, _ = self.tool("compare", old, new)
            self.assertEqual(status, 0, out)
            self.assertIn("60 cases: 0 better, 0 worse, 60 same; 0 missing", out)

    def test_five_percent_are_found(self):
        slower = {"square/double/64x64x64": 0.95, "square/float/256x256x256": 0.95, "add/double/8x8x8": 1 / 0.95}
        old, new = self.write("old", run_of(1)), self.write("new", run_of(2, slower=slower))
        status, out, _ = self.tool("compare", old, new)
        self.assertEqual(status, 1)
        self.assertIn("60 cases: 2 better, 4 worse, 54 same", out)  # each with one thread and with two
        for words in ("worse: square/double/64x64x64: ", "worse: square/double/64x64x64, 2 threads: ",
                      "worse: square/float/256x256x256: ", "better: add/double/8x8x8, 2 threads: "):  # fmt: skip
            self.assertIn(words, out)

    def statuses(self, count, *words, **how):
        """Exit statuses of comparisons of one build."""
        found = []
        with tempfile.TemporaryDirectory() as name:
            self.folder = pathlib.Path(name)
            for seed in range(count):
                old = self.write(f"old{seed}", run_of(seed, **how))
                new = self.write(f"new{seed}", run_of(1000 + seed, **how))
                found.append(self.tool("compare", old, new, *words)[0])
        return found

    def test_many_cases_on_an_unsteady_machine_are_the_same(self):
        """Where each case is judged alone, one in a hundred is beyond all but one in a hundred changes of others."""
        alone = unittest.mock.patch.object(compare, "holm", lambda chances, risk: [chance <= 1 for chance in chances])
        how = {"far": 0.03, "peers": ("openblas",)}
        with alone:
            self.assertGreaterEqual(sum(self.statuses(20, **how)), 5)
        self.assertEqual(sum(self.statuses(20, **how)), 0)

    def test_many_cases_without_other_libraries_are_the_same(self):
        how = {"peers": (), "between": 0, "rounds": 15}
        alone = unittest.mock.patch.object(compare, "holm", lambda chances, risk: [chance <= 1 for chance in chances])
        with alone:
            self.assertGreaterEqual(sum(self.statuses(20, "--threshold", "0", **how)), 3)
        self.assertEqual(sum(self.statuses(20, "--threshold", "0", **how)), 0)

    def test_without_other_libraries_few_rounds_that_do_not_overlap_suffice(self):
        slower = {"square/double/64x64x64": 0.8, "add/double/8x8x8": 0.955}
        how = {"peers": (), "between": 0, "rounds": 5}
        old, new = self.write("old", run_of(1, **how)), self.write("new", run_of(4, slower=slower, **how))
        status, out, _ = self.tool("compare", old, new)
        self.assertEqual(status, 1)
        self.assertIn("worse: square/double/64x64x64: ", out)
        self.assertNotIn("\nworse: add/double/8x8x8", out)  # less than twice the noise

    def test_a_great_change_is_found_on_an_unsteady_machine_and_a_small_one_is_perhaps_there(self):
        slower = {"square/double/64x64x64": 0.6, "add/double/8x8x8": 0.84}
        old, new = self.write("old", run_of(1, far=0.01)), self.write("new", run_of(2, far=0.01, slower=slower))
        status, out, _ = self.tool("compare", old, new)
        self.assertEqual(status, 1)
        self.assertIn("worse: square/double/64x64x64: ", out)
        slower.pop("square/double/64x64x64")
        slower["add/double/8x8x8"] = 0.94
        status, out, _ = self.tool("compare", old, self.write("small", run_of(2, far=0.01, slower=slower)))
        self.assertEqual(status, 0, out)
        self.assertIn("among 60 cases chance may do that, measuring again tells:\nperhaps worse: add/double/8x8x8", out)

    def test_a_greater_threshold_lets_them_pass(self):
        old, new = self.write("old", run_of(1)), self.write("new", run_of(2, slower={"square/double/64x64x64": 0.95}))
        self.assertEqual(self.tool("compare", old, new)[0], 1)
        self.assertEqual(self.tool("compare", old, new, "--threshold", "0.1")[0], 0)

    def test_rounds_that_are_all_over_the_place_prove_nothing(self):
        lines = run_of(1), run_of(2)
        for number, run in enumerate(lines):
            case = next(line for line in run if line.get("case") == "square/double/64x64x64")
            case["samples"]["pantile"] = [30, 70, 35, 66, 49.0 + 2 * number, 40, 60]
            case["pantile"] = 49.0 + 2 * number
        status, out, _ = self.tool("compare", self.write("old", lines[0]), self.write("new", lines[1]))
        self.assertEqual(status, 0, out)

    def test_a_machine_that_changes_is_seen_by_the_others_in_a_contest(self):
        old = self.write("old", run_of(1, drift=0.05))
        status, out, _ = self.tool("compare", old, self.write("same", run_of(2, drift=0.05)))
        self.assertEqual(status, 0, out)
        self.assertIn("60 same", out)
        self.assertIn("noise: 3.0%; 99% of other libraries' rates changed by at most", out)
        slower = self.write("slower", run_of(2, drift=0.05, slower={"square/double/64x64x64": 0.8}))
        status, out, _ = self.tool("compare", old, slower)
        self.assertEqual(status, 1)
        self.assertRegex(
            out, r"worse: square/double/64x64x64: .* of before; the others in its contest \d\.\d+ to \d\.\d+\n"
        )
        status, out, _ = self.tool("compare", old, self.folder / "same", "--without-peers")
        self.assertEqual(status, 1)
        self.assertIn("noise: 3.0%\n", out)  # others are no measure of it either

    def test_what_a_contest_changes_by_is_no_noise(self):
        for peers, bounds, beyond in (([0.1], [0.1], 0), ([0.1, 0.1], [], 0), ([0.1], [0.04], 0.06), ([0.1], [], 0.1),
                                      ([0.1, -0.1], [], 0.1)):  # fmt: skip
            found = compare.find_controls({place: compare.Pair({}, {}, peers, bounds) for place in range(20)})
            self.assertEqual(len(found), 20 * len(peers))
            for one in found:
                self.assertAlmostEqual(one, beyond)

    def test_few_rounds_of_many_cases_must_lie_apart(self):
        for new, beyond, chance in (([5, 6, 7], 0.7, 0), ([3, 6, 7], 0.7, 1), ([5, 6, 7], 0.05, 1)):
            pair = compare.Pair({"samples": {"pantile": [1, 2, 4]}}, {"samples": {"pantile": new}}, [], [])
            self.assertEqual(compare.chance_of_rounds(pair, beyond, 0.03, 50), chance)

    def test_what_other_libraries_change_by_alone_is_noise(self):
        old = self.write("old", run_of(1))
        unsteady = self.write("unsteady", run_of(2, between=0.06, slower={"square/double/64x64x64": 0.95}))
        _, out, _ = self.tool("compare", old, unsteady)
        self.assertRegex(out, r"noise: 1\d\.\d%; 99% of other libraries' rates changed by at most 1\d\.\d%")
        self.assertIn("DOUBT: so much says that the machine was not the same", out)
        self.assertNotIn("worse: square/double/64x64x64:", out)

    def test_measuring_again_confirms(self):
        one, other = {"square/double/64x64x64": 0.9, "add/double/8x8x8": 0.9}, {"square/double/64x64x64": 0.9}
        old, first = self.write("old", run_of(1)), self.write("first", run_of(2, slower=one))
        _, out, _ = self.tool("compare", old, first)
        self.assertIn("4 worse", out)
        second = self.write(
            "second", [line for line in run_of(3, slower=other) if "/8x8x8" not in line.get("case", "")]
        )
        _, out, _ = self.tool("compare", old, first, second)
        self.assertIn("4 worse", out)  # the second has not measured the other case
        status, out, _ = self.tool("compare", old, first, self.write("third", run_of(3, slower=other)))
        self.assertEqual(status, 1)
        self.assertIn("2 worse, 58 same", out)
        self.assertEqual(self.tool("compare", old, first, self.write("fourth", run_of(4)))[0], 0)

    def test_another_library_of_the_name_is_no_control(self):
        lines = run_of(2, scale=0.9)
        for line in lines:
            if "context" in line:
                line["context"].update({"peer:openblas": "OpenBLAS 0.4", "peer:eigen": "E 4"})
        _, out, _ = self.tool("compare", self.write("old", run_of(1)), self.write("new", lines))
        self.assertIn("noise: 3.0%\n", out)

    def test_missing_cases_and_errors_are_listed(self):
        lines = run_of(2)
        lines = [line for line in lines if line.get("case") != "add/double/8x8x8"]
        lines.append(
            {"case": "add/double/9x9x9", "unit": "GFLOP/s", "pantile": 1.0, "peers": {}, "bounds": {}, "checks": {}}
        )
        status, out, _ = self.tool("compare", self.write("old", run_of(1)), self.write("new", lines))
        self.assertEqual(status, 0)
        self.assertIn("missing: add/double/8x8x8\nmissing: add/double/8x8x8, 2 threads\n", out)
        self.assertIn("only in the new result: 1 cases, the first add/double/9x9x9, 2 threads", out)
        next(line for line in lines if line.get("case") == "square/float/31x31x31")["wrong"] = {
            "pantile": "3 elements are wrong"
        }
        status, out, _ = self.tool("compare", self.folder / "old", self.write("wrong", lines))
        self.assertEqual(status, 1)
        self.assertRegex(out, r"worse: square/float/31x31x31: .* now ERROR: pantile: 3 elements are wrong")

    def test_what_is_perhaps_so_confirms_what_is_certain(self):
        def found(verdict, perhaps="same"):
            pair = compare.Pair({}, {}, [], [], verdict, perhaps)
            return compare.Comparison({"a": pair}, [], [], 0, 0.03, {})

        for first, again, verdict in (
            (("worse",), ("same", "worse"), "worse"),
            (("worse",), ("same", "better"), "same"),
            (("worse",), ("same",), "same"),
            (("same", "worse"), ("worse",), "same"),
        ):
            one = found(*first)
            one.confirm(found(*again))
            self.assertEqual(one.pairs["a"].verdict, verdict)

    def test_chances_are_counted_and_behind_nine_of_ten_exponential(self):
        draw = random.Random(11)
        controls = [draw.expovariate(1) for _ in range(4000)]
        for change in (0.1, 1, 2):
            self.assertAlmostEqual(compare.chance_of(change, controls), math.exp(-change), delta=0.02)
        for change in (4, 8, 12):  # the last is beyond all of them
            self.assertAlmostEqual(math.log(compare.chance_of(change, controls)), -change, delta=1)
        self.assertEqual(compare.chance_of(0.1, [0] * 30), 0)
        self.assertEqual(compare.chance_of(0, [0] * 30), 1)

    def test_three_rounds_must_not_overlap_and_differ_by_twice_the_noise(self):
        def case(*rates):
            return {"pantile": rates[1], "samples": {"pantile": rates}}

        self.assertEqual(compare.judge(case(99, 100, 101), case(89, 90, 91), 0.03), "worse")
        self.assertEqual(compare.judge(case(99, 100, 101), case(94, 95, 96), 0.03), "same")
        self.assertEqual(compare.judge(case(80, 100, 101), case(89, 90, 91), 0.03), "same")
        self.assertEqual(compare.judge(case(99, 100, 100, 100.5, 101), case(94, 95, 95, 95.5, 96), 0.03), "worse")

    def test_without_rounds_the_quartiles_must_not_meet(self):
        def case(rate, spread):
            return {"pantile": rate, "spread": {"pantile": spread}}

        self.assertEqual(compare.judge(case(100, 0.02), case(95, 0.02), 0.03), "worse")
        self.assertEqual(compare.judge(case(100, 0.02), case(106, 0.02), 0.03), "better")
        self.assertEqual(compare.judge(case(100, 0.06), case(95, 0.06), 0.03), "same")
        self.assertEqual(compare.judge(case(100, 0), case(98, 0), 0.03), "same")

    def ranked(self, name, seed, slow=(), ranks=8, names=range(16)):
        """A result of several ranks; `slow` maps (case, rank) or rank to a factor of its rate."""
        noise, slow = random.Random(seed), dict(slow)
        own = [math.exp(noise.gauss(0, 0.004)) for _ in range(ranks)]  # cores of one kind
        places = [{"host": f"node{rank}"} for rank in range(ranks)]
        lines = [{"context": {"host_concurrency": 1, "ranks": ranks, "places": places}}]
        for case in names:
            rates = [50 * own[rank] * math.exp(noise.gauss(0, 0.008)) * slow.get(rank, 1) * slow.get((case, rank), 1)
                     for rank in range(ranks)]  # fmt: skip
            median = statistics.median(rates)
            rounds = [median * math.exp(noise.gauss(0, WITHIN)) for _ in range(9)]
            lines.append({"case": f"square/double/{case}", "unit": "GFLOP/s", "pantile": median, "by_rank": rates,
                          "spread_by_rank": [0.02] * ranks, "samples": {"pantile": rounds}, "peers": {},
                          "bounds": {}, "checks": {}})  # fmt: skip
        return self.write(name, lines)

    def test_one_slow_rank_of_many_is_worse(self):
        old, same = self.ranked("old", 1), self.ranked("same", 2)
        status, out, _ = self.tool("compare", old, same)
        self.assertEqual(status, 0, out)
        self.assertNotIn("slowest rank", out)
        self.assertNotIn("DOUBT", self.tool("table", same)[1])
        slow = self.ranked("slow", 3, {5: 0.6})
        status, out, _ = self.tool("compare", old, slow)
        self.assertEqual(status, 1, out)
        self.assertRegex(out, r"worse: slowest rank over 16 cases, rank 5 of 8 on node5: 0\.99\d -> 0\.[56]\d\d of the")
        self.assertRegex(out, r"worse: slowest rank square/double/0, 8 ranks, rank 5 of 8 on node5: 0\.\d+ -> 0\.[56]")
        self.assertIn("0 worse, 16 same", out)
        self.assertIn("the slowest rank is slower beside the others: in 16 cases by itself", out)
        shown = self.tool("table", slow)[1]
        self.assertRegex(shown, r"DOUBT: rank 5 of 8 on node5 has 0\.(59|60) of the others' rates")
        self.assertEqual(self.tool("compare", slow, self.ranked("still", 4, {2: 0.6}))[0], 0)

    def test_a_rank_that_is_slow_by_little_in_all_cases_or_by_much_in_one_is_worse(self):
        old = self.ranked("old", 1)
        status, out, _ = self.tool("compare", old, self.ranked("little", 2, {3: 0.94}))
        self.assertEqual((status, out.count("worse: slowest rank over 16 cases, rank 3")), (1, 1), out)
        status, out, _ = self.tool("compare", old, self.ranked("once", 3, {(7, 2): 0.7}))
        self.assertEqual((status, out.count("worse: slowest rank")), (1, 1), out)
        self.assertIn("worse: slowest rank square/double/7, 8 ranks, rank 2 of 8 on node2", out)
        first, again = self.ranked("first", 4, {(7, 2): 0.7, 3: 0.94}), self.ranked("again", 5, {3: 0.94})
        status, out, _ = self.tool("compare", old, first, again)
        self.assertEqual((status, out.count("worse: slowest rank")), (1, 1), out)
        self.assertIn("worse: slowest rank over 16 cases, rank 3", out)

    def test_few_ranks_of_one_case_or_none(self):
        old, new = self.ranked("old", 1, ranks=2, names=[0]), self.ranked("new", 2, {1: 0.95}, ranks=2, names=[0])
        self.assertEqual(self.tool("compare", old, new)[0], 0)
        self.assertFalse(compare.has_ranks({"by_rank": [1, 2], "spread_by_rank": [0.1]}, 2))
        self.assertFalse(compare.has_ranks({"by_rank": [1, 0]}, 2))
        self.assertTrue(compare.has_ranks({"by_rank": [1, 2]}, 2))

    def test_what_was_not_the_same_is_said(self):
        lines = run_of(1), run_of(2)
        for number, run in enumerate(lines):
            run[0]["context"].update(compiler=f"GNU {15 + number}", flags="-O3")
        _, out, _ = self.tool("compare", self.write("old", lines[0]), self.write("new", lines[1], cpu="another"))
        self.assertIn("differs: compiler: GNU 15 -> GNU 16\n", out)
        self.assertNotIn("flags", out)
        self.assertIn("DOUBT: the two results are of different machines", out)

    def test_a_run_that_was_stopped(self):
        gpu = pathlib.Path(__file__).resolve().parents[1] / "results" / "nvidia-h100.json"
        stopped = self.folder / "results.json"
        stopped.write_text(
            json.dumps(json.loads(gpu.read_text(encoding="utf-8")) | {"finished": False}), encoding="utf-8"
        )
        status, out, _ = self.tool("compare", gpu, stopped)
        self.assertEqual(status, 0)
        self.assertIn(f"DOUBT: {stopped} is of a run that did not come to its end", out)

    def test_cases_that_had_another_name(self):
        gpu = pathlib.Path(__file__).resolve().parents[1] / "results" / "nvidia-h100.json"
        names = [case["case"] for case in results.load(gpu).cases]
        self.assertEqual([name for name in names if "turned" in name], [])
        self.assertIn("transfer/h2d/pinned_transposed", names)


class Unusable(Folder):
    def refused(self, *words):
        """The sentence with which a tool refuses its input."""
        status, out, errors = self.tool(*words)
        self.assertEqual((status, out), (2, ""))
        self.assertEqual(errors.count("\n"), 1, errors)
        return errors

    def test_files_that_are_no_results(self):
        good = self.write("good", run_of(1))
        whole = (good / "bench.json").read_text(encoding="utf-8")
        texts = {
            "empty": "",
            "cut": whole[: len(whole) // 2],
            "list": "[1, 2]",
            "other": '{"a": 1}',
            "none": '{"benchmarks": []}',
            "later": whole.replace('"schema": 2', '"schema": 3'),
            "row": whole.replace('["8x8x8",', '["8x8x8",1,2,3,4,5,'),
        }
        said = {
            "empty": "it is empty",
            "cut": "no whole JSON",
            "list": "no object",
            "other": "neither of scripts/bench",
            "none": "no case",
            "later": "schema 3, these tools read 1 to 2",
            "row": "not as its schema has it",
        }
        for name, text in texts.items():
            file = self.folder / f"{name}.json"
            file.write_text(text, encoding="utf-8")
            for words in (
                ("compare", good, file),
                ("table", file),
                ("check", file),
                ("report", file, "--out", self.folder / "x.html"),
            ):
                refusal = self.refused(*words)
                self.assertIn(said[name], refusal)
                self.assertIn(f"{name}.json", refusal)
        self.assertFalse((self.folder / "x.html").exists())

    def test_values_that_nothing_can_be_computed_of(self):
        """A traceback would end with status 1, which says that a case is worse."""
        good = self.write("good", run_of(1))
        whole = json.loads((good / "bench.json").read_text(encoding="utf-8"))
        first = "square/double/8x8x8"
        damages = {
            f"{first} pantile is no rate": lambda whole: whole["groups"][0]["cases"][0].__setitem__(1, -50),
            f"{first} peers openblas is no rate": lambda whole: whole["groups"][0]["cases"][0].__setitem__(2, -1),
            f"{first} threads is no number of workers": lambda whole: whole["groups"][0].update(threads=None),
            "runs[0] context peer:eigen is no text": lambda whole: whole["context"].update({"peer:eigen": 3}),
            "the file commit is no text": lambda whole: whole.update(commit=["a"]),
            "it holds no run": lambda whole: whole.update(runs=[]),
        }  # fmt: skip
        for said, damage in damages.items():
            damaged = json.loads(json.dumps(whole))
            damage(damaged)
            file = self.folder / "damaged.json"
            file.write_text(json.dumps(damaged), encoding="utf-8")
            for words in (("compare", good, file), ("compare", file, good), ("table", file), ("check", file)):
                self.assertIn(said, self.refused(*words))

    def test_any_value_in_the_place_of_any_other(self):
        good = self.write("good", run_of(1)[:9])
        whole = json.loads((good / "bench.json").read_text(encoding="utf-8"))
        draw, seen = random.Random(7), set()
        for _ in range(300):
            damaged = json.loads(json.dumps(whole))
            place, parent = damaged, None
            while isinstance(place, (dict, list)) and place and (parent is None or draw.random() < 0.9):
                key = draw.choice(list(place) if isinstance(place, dict) else range(len(place)))
                parent, place = place, place[key]
            parent[key] = draw.choice((None, "x", "", 0, -2.5, math.nan, math.inf, 1e-320, 10**40, [], {}, [1], True))
            file = self.folder / "damaged.json"
            file.write_text(json.dumps(damaged), encoding="utf-8")
            seen.add(self.tool("compare", good, file)[0])
            for words in (("compare", file, good), ("table", file), ("report", file, "--out", self.folder / "x.html")):
                self.tool(*words)
        self.assertLessEqual({0, 2}, seen)

    def test_what_is_not_there(self):
        good = self.write("good", run_of(1))
        (self.folder / "nothing").mkdir()
        self.assertIn(
            "neither bench.json nor results.json is in this folder",
            self.refused("compare", good, self.folder / "nothing"),
        )
        self.assertIn("No such file", self.refused("compare", self.folder / "no.json", good))
        self.assertIn("Is a directory", self.refused("report", good, "--out", self.folder))

    def test_a_peer_that_is_gone(self):
        old, new = self.write("old", run_of(1)), self.write("new", run_of(2, peers=("eigen",)))
        self.assertRegex(self.refused("compare", old, new), "no rates of openblas, beside which .* was measured")
        self.assertEqual(self.tool("compare", old, new, "--without-peers")[0], 0)

    def test_nothing_in_common(self):
        old = self.write("old", run_of(1))
        others = [{**line, "case": "other/" + line["case"]} if "case" in line else line for line in run_of(1)]
        self.assertIn("no case is in", self.refused("compare", old, self.write("others", others)))
        gigabytes = [{**line, "unit": "GB/s"} if "case" in line else line for line in run_of(1)]
        self.assertIn("is in GB/s, not in GFLOP/s", self.refused("compare", old, self.write("gigabytes", gigabytes)))


class Ranks(unittest.TestCase):
    def test_probabilities_are_counted(self):
        self.assertEqual(mann_whitney.probability([1, 2, 3], [4, 5, 6]), 0.1)  # 2 of 20 ways
        self.assertAlmostEqual(mann_whitney.probability([1, 2, 3, 4], [5, 6, 7, 8]), 2 / 70)
        self.assertAlmostEqual(mann_whitney.probability([1, 3, 5], [2, 4, 6]), 14 / 20)
        self.assertEqual(mann_whitney.probability([1, 1, 1], [1, 1, 1]), 1)

    def test_every_way_by_hand_with_equal_values(self):
        values = [1, 2, 2, 3, 5, 5, 8]
        for first in itertools.combinations(range(7), 3):
            one = [values[i] for i in first]
            rest = [values[i] for i in range(7) if i not in first]

            def excess(a, b):
                return abs(sum((x > y) - (x < y) for x in a for y in b))

            far = sum(
                excess([values[i] for i in way], [values[i] for i in range(7) if i not in way]) >= excess(one, rest)
                for way in itertools.combinations(range(7), 3)
            )
            self.assertAlmostEqual(mann_whitney.probability(one, rest), far / math.comb(7, 3))

    def test_many_values_agree_with_few(self):
        noise = random.Random(3)
        for shift in (0, 0.5, 1):
            one, other = ([noise.gauss(at, 1) for _ in range(16)] for at in (0, shift))
            exact = mann_whitney.probability(one, other)
            with unittest.mock.patch.object(mann_whitney, "EXACT", 0):
                self.assertAlmostEqual(mann_whitney.probability(one, other), exact, delta=0.03 * exact + 0.002)

    def test_equal_values_narrow_what_is_seen(self):
        one, other = [0] * 10 + [1] * 10, [0] * 5 + [1] * 15
        ranks = [rank / 2 for rank in mann_whitney.doubled_ranks(one + other)]
        variance = 20 * 20 / 40 * statistics.variance(ranks)
        distance = abs(sum(ranks[:20]) - 20 * 41 / 2) - 0.5
        self.assertAlmostEqual(mann_whitney.probability(one, other), math.erfc(distance / math.sqrt(2 * variance)))

    def test_of_many_tests_the_smallest_probability_needs_most(self):
        self.assertEqual(mann_whitney.holm([0.01, 0.04, 0.03, 0.005], 0.05), [True, False, False, True])
        self.assertEqual(mann_whitney.holm([0.02, 0.02, 0.02], 0.05), [False] * 3)
        self.assertEqual(mann_whitney.holm([0.02, 0.005, 0.015], 0.05), [True] * 3)  # the last ones need less
        self.assertEqual(mann_whitney.holm([0.05], 0.05), [True])
        self.assertEqual(mann_whitney.holm([], 0.05), [])

    def test_of_many_tests_one_is_wrong_as_often_as_the_risk_says(self):
        draw = random.Random(13)
        wrong = sum(any(mann_whitney.holm([draw.random() for _ in range(138)], 0.05)) for _ in range(2000))
        self.assertLess(wrong, 2000 * 0.05 + 40)
        self.assertGreater(wrong, 2000 * 0.05 - 40)

    def test_false_alarms_are_as_many_as_the_risk_says(self):
        noise = random.Random(5)
        alarms = sum(
            mann_whitney.probability(*([noise.gauss(0, 1) for _ in range(9)] for _ in range(2))) <= 0.05
            for _ in range(2000)
        )
        self.assertLess(alarms, 2000 * 0.05 + 40)
        self.assertGreater(alarms, 2000 * 0.05 - 60)


if __name__ == "__main__":
    unittest.main()

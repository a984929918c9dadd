# SPDX-FileCopyrightText: Pantile contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests of the pictures, of the page and of shares of bounds."""

import html.parser
import json
import math
import pathlib
import re
import sys
import unittest
import unittest.mock
import xml.etree.ElementTree

import page
import plots
import results
import shares
from test_compare import Folder, run_of

try:
    import matplotlib
except ImportError:
    matplotlib = None
with_matplotlib = unittest.skipUnless(matplotlib, "no matplotlib here")
COMMITTED = pathlib.Path(__file__).resolve().parents[1] / "results"
HOST, GPU = COMMITTED / "amd-epyc-zen3_2-cores.json#all", COMMITTED / "nvidia-h100.json"


def committed():
    """All that is kept, of whatever machine."""
    return [one for file in sorted(COMMITTED.glob("*.json")) for one in results.load_all(file)]


class Reader(html.parser.HTMLParser):
    """Text, tags that are open at the end, whatever would be fetched."""

    VOID = {"meta", "br", "path", "use", "rect", "circle", "line"}

    def __init__(self, text):
        super().__init__()
        self.open, self.fetched, self.text, self.names = [], [], [], []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        if tag not in self.VOID:
            self.open.append(tag)
        for key, value in attrs:
            if key in ("src", "href", "xlink:href") and not value.startswith("#"):
                self.fetched.append(value)
            if key == "id":
                self.names.append(value)

    def handle_endtag(self, tag):
        if tag not in self.VOID:
            assert self.open.pop() == tag, f"{tag} closes another"

    def handle_startendtag(self, tag, attrs):
        self.handle_starttag(tag, attrs)
        if tag not in self.VOID:
            self.open.pop()

    def handle_data(self, data):
        self.text.append(data)


class Plots(Folder):
    @with_matplotlib
    def test_three_pictures_in_two_formats(self):
        status, out, _ = self.tool("plot", HOST, "--out", self.folder / "pictures")
        self.assertEqual(status, 0, out)
        for name, words in {
            "sweep": ("GFLOP/s", "n", "Pantile", "OpenBLAS", "double, 2 threads"),
            "roofline": ("GFLOP/s", "flops for each byte of the operands", "copy of 1074 MB", "peak of multiply-adds"),
            "ratios": ("skinny/double", "Eigen", "2 threads"),
        }.items():
            text = (self.folder / "pictures" / f"{name}.svg").read_text(encoding="utf-8")
            xml.etree.ElementTree.fromstring(text)
            for word in words:
                self.assertIn(word, text)
            self.assertEqual((self.folder / "pictures" / f"{name}.png").read_bytes()[:4], b"\x89PNG")
        self.assertEqual(len(list((self.folder / "pictures").iterdir())), 6)

    @with_matplotlib
    def test_what_a_device_lacks_is_said(self):
        status, out, _ = self.tool("plot", GPU, "--out", self.folder / "pictures", "--formats", "svg")
        self.assertEqual(status, 0)
        self.assertIn("left out: the roofline: no peak of multiply-adds was measured in this run", out)
        self.assertEqual([path.name for path in (self.folder / "pictures").iterdir()], ["ratios.svg"])

    def test_a_report_says_what_it_left_out(self):
        run = self.write("run", run_of(1))
        with unittest.mock.patch.object(plots, "import_matplotlib", side_effect=results.Unusable("no pictures: none")):
            status, out, _ = self.tool("report", run, "--out", self.folder / "page.html")
        self.assertEqual((status, out), (0, f"report in {self.folder}/page.html\nleft out: no pictures: none\n"))

    def test_without_matplotlib_one_sentence(self):
        with unittest.mock.patch.dict(sys.modules, {"matplotlib": None}):
            status, _, errors = self.tool("plot", HOST, "--out", self.folder / "pictures")
            self.assertEqual(status, 2)
            self.assertIn("no pictures without Python's matplotlib", errors)
            text = page.make(results.load(HOST), [])
        self.assertIn("no pictures without Python", text)
        self.assertFalse((self.folder / "pictures").exists())

    def test_intensities(self):
        def case(name):
            return {"case": name}

        self.assertEqual(plots.intensity_of(case("square/double/6x6x6")), ("double", 2 * 216 / (3 * 36 * 8)))
        self.assertEqual(plots.intensity_of(case("skinny/complex<float>/1x2x3")), ("complex<float>", 8 * 6 / (8 * 11)))
        self.assertEqual(plots.intensity_of(case("add/float/8x8_padded")), ("float", 0.25))
        self.assertIsNone(plots.intensity_of(case("histogram/refusing/256_uniform")))

    def test_a_run_of_products_alone_has_a_roof_of_memory(self):
        """What perf_matmul copies once, of as many threads."""
        found = self.products_and_a_copy()
        self.assertEqual([plots.copies_of(found, count) for count in "12"], [[(2**28, 20.0)], [(2**28, 40.0)]])

    @with_matplotlib
    def test_the_roof_of_memory_is_drawn(self):
        figure, _ = plots.roofline(self.products_and_a_copy(), plots.import_matplotlib())
        labels = {line.get_label() for axis in figure.axes for line in axis.get_lines()}
        self.assertIn("copy of 268 MB", labels)

    @with_matplotlib
    def test_a_page_draws_what_matplotlib_does(self):
        """The same parts and texts, each at its place to a twentieth of a point, in less than half the characters."""
        figure, _ = plots.roofline(self.products_and_a_copy(), plots.import_matplotlib())
        whole, small = plots.bytes_of(figure, "svg").decode("utf-8"), plots.inline(figure, "ro0")
        self.assertLess(2 * len(small), len(whole))

        def parts(text):
            tree = xml.etree.ElementTree.fromstring(text[text.index("<svg") :].replace("xlink:href", "href"))
            return [part for part in tree.iter() if part.tag.rpartition("}")[2] in ("use", "text", "path")]

        pairs = list(zip(parts(whole), parts(small), strict=True))
        self.assertGreater(len(pairs), 50)
        for one, other in pairs:
            self.assertEqual(*((part.tag, (part.text or "").strip()) for part in (one, other)))
            for key in ("x", "y", "d"):
                numbers = [[float(number) for number in re.findall(r"-?\d+\.?\d*", part.get(key, ""))]
                           for part in (one, other)]  # fmt: skip
                self.assertEqual(len(numbers[0]), len(numbers[1]), one.get(key))
                for before, after in zip(*numbers):
                    self.assertAlmostEqual(before, after, delta=0.0501)
        names = re.findall(r' id="([^"]*)"', small)
        self.assertEqual(sorted(set(re.findall(r'(?:url\(|href=")#([^)"]+)', small))), sorted(names))
        self.assertEqual([name for name in names if not name.startswith("ro0-")], [])
        for style in set(re.findall(r' class="([^"]*)"', small)):
            self.assertIn(f".{style} {{ ", small)

    def products_and_a_copy(self):
        lines = [line for line in run_of(1) if "context" in line or line["case"].startswith("square")]
        self.assertEqual(plots.copies_of(results.load(self.write("none", lines)), "1"), [])
        for line in lines:
            if "context" in line:
                line["context"]["copy"] = {"bytes": 2**28, "rate": 20.0 * line["context"]["host_concurrency"]}
            else:
                line["bounds"] = {"fma_peak": 100.0}
        return results.load(self.write("run", lines))

    def test_colours_and_markers_differ(self):
        names = ["openblas", "blis", "eigen", "numpy", "openblas_gemv", "plain_loop", "contiguous"]
        styles = [plots.style_of(name, number) for number, name in enumerate(names)]
        self.assertEqual(len({style[1:] for style in styles}), len(names))
        self.assertEqual(styles[4][0], "OpenBLAS, gemv")


class Page(Folder):
    def page_of(self, path):
        file = self.folder / "page.html"
        status, _, errors = self.tool("report", path, "--out", file)
        self.assertEqual(status, 0, errors)
        reader = Reader(file.read_text(encoding="utf-8"))
        self.assertEqual((reader.open, reader.fetched), ([], []))
        self.assertEqual(len(reader.names), len(set(reader.names)))
        return " ".join(reader.text)

    def test_a_run_with_all_that_is_known(self):
        lines = run_of(1)
        lines[0]["context"].update(load_avg=3.0, compiler="GNU 16.2", affinity="0", kokkos_configuration="Kokkos <5.2>")
        lines.append({"case": "add/double/9x9x9", "error": "no <memory>"})
        text = self.page_of(self.write("run", lines, cpu="AMD EPYC 9B45"))
        for words in (
            "AMD EPYC 9B45",
            "DOUBT: the load average was 3.0",
            "GNU 16.2",
            "OpenBLAS 0.3",
            "add/double/9x9x9, 2 threads: no <memory>",
            "square/double/8x8x8, 2 threads",
            "Kokkos <5.2>",
            "the governor and the greatest clock",
            "Left out",
        ):
            self.assertIn(words, text)

    def test_what_was_not_run_is_left_out(self):
        lines = run_of(1)
        lines[0]["context"]["absent:mkl"] = "PANTILE_PERF_MKL names no <libmkl_rt.so>"
        run = self.write("movement-1", lines)
        whole = json.loads((run / "bench.json").read_text(encoding="utf-8"))
        whole["settings"]["command"] = r"scripts/bench --quick --program movement --filter ^(add|square)/\d --threads 1"
        (run / "bench.json").write_text(json.dumps(whole), encoding="utf-8")
        text = self.page_of(run)
        left = text[text.index("Left out") :]
        for words in ("programs that were not run or had no case to run: matmul, batched_matmul, matmul_forms,",
                      "low_precision_matmul, histogram, fixed_cost",
                      r"cases that --filter '^(add|square)/\d' does not take",
                      "cases and rounds that --quick leaves out",
                      "the peer mkl: PANTILE_PERF_MKL names no <libmkl_rt.so>"):  # fmt: skip
            self.assertIn(words, left)
        whole["settings"]["command"] = "scripts/bench"
        whole["runs"] = [{**whole["runs"][0], "program": f"{name}-1"} for name in page.PROGRAMS]
        for run_context in (whole["context"], *(one["context"] for one in whole["runs"])):
            run_context.pop("absent:mkl", None)
        (run / "bench.json").write_text(json.dumps(whole), encoding="utf-8")
        left = self.page_of(run).partition("Left out")[2]
        for words in ("not run", "--", "the peer"):
            self.assertNotIn(words, left)

    def test_programs_are_those_of_the_script(self):
        text = (COMMITTED.parents[1] / "scripts" / "bench").read_text(encoding="utf-8")
        self.assertEqual(re.search(r"^programs=\(([^)]*)\)", text, re.M)[1].split(), [*page.PROGRAMS])

    def test_committed_results(self):
        host, device = self.page_of(HOST), self.page_of(GPU)
        self.assertIn("a result of schema 1 does not have them", host)
        self.assertIn("the sweep's cases one by one", host)
        self.assertIn("DOUBT: the load average was 1.8", host)
        self.assertIn("NVIDIA H100 80GB HBM3", device)
        self.assertIn("tests on the device: 613 passed", device)
        self.assertIn("step numba: histogram/int32/256/uniform: AttributeError", device)


# Whether they could be drawn depends on the machine that makes the page.
NOT_DRAWN = r"<li>(ratios to peers|the roofline|the sweep|no pictures)\b[^<]*</li>"


def without_pictures(page_text):
    page_text = re.sub(r"<h2>Pictures</h2>.*?(?=<h2>)", "", page_text, flags=re.S)
    return re.sub(NOT_DRAWN, "", page_text)


class Committed(Folder):
    """Pages that lie beside their results are those that `report` makes of them."""

    def test_pages_are_of_todays_report(self):
        pages = sorted(COMMITTED.glob("*.html"))
        self.assertTrue(pages)
        for kept in pages:
            made = self.folder / kept.name
            status, _, errors = self.tool("report", kept.with_suffix(".json"), "--out", made)
            self.assertEqual(status, 0, errors)
            texts = [without_pictures(file.read_text(encoding="utf-8")) for file in (kept, made)]
            self.assertEqual(*(text.splitlines() for text in texts), kept.name)
            self.assertGreater(len(texts[0]), 3000)
            self.assertNotIn("<svg", texts[0])
            self.assertIn("<svg", kept.read_text(encoding="utf-8"))

    def test_each_machine_has_one_file_and_what_is_kept_is_small(self):
        """But for what another has to be compared with, in a folder of its own."""
        files = [path for path in COMMITTED.iterdir() if path.is_file() and path.suffix in (".json", ".html")]
        for file in files:
            self.assertLessEqual(file.stat().st_size, 200_000, file.name)
        machines = [one.identity or one.path.name.partition("#")[0] for one in committed()]
        of = {}
        for one, machine in zip(committed(), machines):
            of.setdefault(machine, set()).add(one.path.name.partition("#")[0])
        self.assertEqual({machine: len(names) for machine, names in of.items()}, dict.fromkeys(of, 1))

    def test_results_of_ranks_have_all_that_is_known_of_them(self):
        found = committed()
        ranked = [one for one in found if any(case.get("ranks", 1) > 1 for case in one.cases)]
        self.assertGreaterEqual(len(ranked), 2)  # by the command ranks, and by MPI
        for one in ranked:
            self.assertIn("slowest", one.head, one.path)
            for case in one.cases:
                self.assertEqual(len(case["by_rank"]), case["ranks"])
                self.assertEqual(len(case["spread_by_rank"]), case["ranks"])
            for run in one.runs:
                self.assertEqual(len(run["places"]), run["ranks"])


class Keep(Folder):
    """A machine's file."""

    def setUp(self):
        super().setUp()
        self.file = self.folder / "machine.json"
        self.one, self.other = self.write("one", run_of(1)), self.write("other", run_of(2))

    def keep(self, name, run):
        status, out, errors = self.tool("keep", self.file, name, run)
        self.assertEqual((status, out), (0, ""), errors)

    def test_results_are_kept_whole_and_each_by_its_name(self):
        self.keep("one", self.one)
        lines = self.file.read_text(encoding="utf-8").splitlines()
        self.assertEqual(results.load(self.file).content, results.load(self.one).content)
        self.keep("other", self.other)
        for name, run in (("one", self.one), ("other", self.other)):
            kept = results.load(f"{self.file}#{name}")
            self.assertEqual((kept.content, kept.path.name), (results.load(run).content, f"machine.json#{name}"))
            self.assertEqual(self.tool("table", f"{self.file}#{name}")[1], self.tool("table", run)[1])
            self.assertEqual(self.tool("compare", run, f"{self.file}#{name}")[0], 0)
        # What was there has stayed line by line.
        self.assertEqual(self.file.read_text(encoding="utf-8").splitlines()[: len(lines) - 2], lines[:-2])
        self.keep("one", self.other)
        self.assertEqual([one.content for one in results.load_all(self.file)], 2 * [results.load(self.other).content])

    def test_table_and_page_have_all(self):
        self.keep("one", self.one)
        self.keep("<other>", self.other)
        status, out, _ = self.tool("table", self.file)
        self.assertEqual(status, 0)
        self.assertEqual(out, "".join(f"{self.file}#{name}\n{self.tool('table', run)[1]}"
                                      for name, run in (("one", self.one), ("<other>", self.other))))  # fmt: skip
        file = self.folder / "page.html"
        self.assertEqual(self.tool("report", self.file, "--out", file)[0], 0)
        read = Reader(file.read_text(encoding="utf-8"))
        self.assertEqual((read.open, read.fetched), ([], []))
        self.assertEqual(len(read.names), len(set(read.names)))
        self.assertTrue({"one", "<other>"} <= set(read.names))
        self.assertIn("the cases one by one: report machine.json#one has them", read.text)
        self.assertEqual(self.tool("report", f"{self.file}#one", "--out", file)[0], 0)
        self.assertIn("<details><summary>square/double", file.read_text(encoding="utf-8"))

    def test_what_is_no_one_result_is_refused(self):
        self.keep("one", self.one)
        self.keep("other", self.other)
        before = self.file.read_bytes()
        for words, said in (
            (("compare", self.file, self.one), "holds several results, of which one is to be named: .*#one, .*#other"),
            (("check", self.file), "holds several results"),
            (("table", f"{self.file}#third"), "machine.json: it holds no result third"),
            (("table", f"{self.one}#third"), "holds no result third"),
            (("keep", self.file, "a#b", self.one), "is no name"),
            (("keep", self.file, "", self.one), "is no name"),
            (("keep", self.file, "gpu", GPU), "another machine|only results of scripts/bench"),
            (("keep", self.file, "third", self.write("third", run_of(1), cpu="EPYC")), "is of a processor, .* of EPYC"),
        ):
            status, out, errors = self.tool(*words)
            self.assertEqual((status, out), (2, ""), words)
            self.assertRegex(errors, f"^perf_tests/tools: .*({said}).*\n$")
        self.assertEqual(self.file.read_bytes(), before)
        self.file.write_text('{"results": {}}', encoding="utf-8")
        self.assertRegex(self.tool("table", self.file)[2], "it holds no result\n$")


class Shares(Folder):
    def table(self, machines):
        path = self.folder / "shares.json"
        path.write_text(json.dumps({"machines": machines}), encoding="utf-8")
        return path

    def run_with_peak(self, cpu="AMD EPYC 9B45"):
        lines = run_of(1)
        for line in lines:
            if "case" in line:
                line["bounds"] = {"fma_peak": 100.0, "own_float": 1000.0}
        return self.write("run", lines, cpu)

    def test_cases_below_their_share_are_named(self):
        table = self.table(
            [
                {"machine": "Xeon", "shares": [["", 9]]},
                {"machine": "EPYC", "shares": [["^square/double/64x", 0.7], ["^square", 0.4], ["^other", 0.9]]},
            ]
        )
        run = self.run_with_peak()
        status, out, _ = self.tool("check", run, "--thresholds", table)
        self.assertEqual(status, 1)
        self.assertRegex(out, r"below: square/double/64x64x64: (49|50)\.\d% of fma_peak, at least 70% are known\n")
        self.assertIn("shares of bounds: 40 cases looked at, 1 below", out)
        self.assertEqual(
            self.tool("check", run, "--thresholds", self.table([{"machine": "", "shares": [["", 0.4]]}]))[0], 0
        )

    def test_a_case_with_just_its_share_is_not_below(self):
        found = results.load(self.run_with_peak())
        _, share = shares.bound_of(found.cases[0])
        for least, below in ((share, 0), (math.nextafter(share, 2), 1)):
            entry = {"machine": "", "shares": [[f"^{found.cases[0]['case']}$", least]]}
            those = shares.check(found, [entry])[1]
            self.assertEqual([case["threads"] for case, *_ in those], [found.cases[0]["threads"]] * below)

    def test_compare_looks_at_them_too(self):
        run = self.run_with_peak()
        self.assertEqual(self.tool("compare", run, run)[0], 0)
        table = self.table([{"machine": "EPYC", "shares": [["^square/double/64x", 0.7]]}])
        status, out, _ = self.tool("compare", run, run, "--thresholds", table)
        self.assertEqual(status, 1)
        self.assertIn("below: square/double/64x64x64", out)

    def test_unusable_tables_and_unknown_machines(self):
        run = self.run_with_peak("a new processor")
        known = [{"machine": "EPYC", "shares": [["", 0.4]]}]
        for table, words in ((self.table(known), "no shares are known of the machine a new processor"),
                             (self.folder / "no.json", "No such file")):  # fmt: skip
            status, _, errors = self.tool("check", run, "--thresholds", table)
            self.assertEqual(status, 2)
            self.assertIn(words, errors)
        self.assertEqual(self.tool("check", run, "--thresholds", self.table(known), "--machine", "EPYC")[0], 0)
        for entry in ({"machine": "("}, {"machine": "a", "shares": [["b", 0]]}, {"machine": "a", "shares": [["b"]]}):
            status, _, errors = self.tool("check", run, "--thresholds", self.table([entry]))
            self.assertEqual(status, 2)
            self.assertIn("no table of shares", errors)

    def test_the_tables_own_results_keep_to_it(self):
        machines = shares.read_table()
        self.assertTrue(machines)
        for entry in machines:
            machine = re.sub(r"\\b", "", entry["machine"])
            self.assertIs(shares.entry_for(machines, machine), entry)
            seen = set()
            for file in entry["measured"]:
                found = results.load(COMMITTED / file)
                looked_at, below = shares.check(found, machines, machine)
                self.assertGreater(looked_at, 0)
                self.assertEqual(below, [])
                seen |= {case["case"] for case in found.measured()}
            for pattern, _ in entry["shares"]:
                self.assertTrue(any(re.search(pattern, case) for case in seen), pattern)

    def test_a_row_is_the_least_of_its_cases_a_tenth_off(self):
        for entry in shares.read_table():
            least = {}
            for case in (case for file in entry["measured"] for case in results.load(COMMITTED / file).measured()):
                row = next((row for row in entry["shares"] if re.search(row[0], case["case"])), None)
                share = shares.bound_of(case)[1]
                if row and share:
                    least[row[0]] = min(share, least.get(row[0], share))
            for pattern, share in entry["shares"]:
                self.assertTrue(0.87 * least[pattern] - 0.01 < share < 0.905 * least[pattern] + 0.005,
                                f"{entry['machine']} {pattern}: {share} of {least[pattern]}")  # fmt: skip

    def test_products_of_every_kind_have_a_row_on_zen_4(self):
        entry = shares.entry_for(shares.read_table(), "AuthenticAMD family 25 model 17")
        for name, kinds in (("matmul", ("skinny", "deep", "ladder")), ("batches", ("batched",))):
            file = COMMITTED / f"amd-epyc-zen4_2-cores.json#{name}"
            self.assertEqual(self.tool("check", file)[0], 0)
            cases = results.load(file).measured()
            for kind in kinds:
                those = [case for case in cases if case["case"].startswith(f"{kind}/")]
                self.assertTrue(those, kind)
                self.assertEqual([case["case"] for case in those if not shares.least_of(entry, case)], [])

    def test_what_machines_say_of_themselves_finds_their_row(self):
        machines = shares.read_table()
        known = {"epyc-zen4": "family 25 model 17", "epyc-zen3": "family 25 model 1", "epyc-zen5": "family 26",
                 "intel-xeon": "family 6 model 167"}  # fmt: skip
        found = [one for one in committed() if one.schema == 2]
        self.assertGreaterEqual(len(found), 3)
        for one in found:
            kind = next(kind for name, kind in known.items() if name in one.path.name)
            row = shares.entry_for(machines, one.identity)
            self.assertRegex(row["machine"], rf" {kind}\\b", one.path.name)
        self.assertIsNone(shares.entry_for(machines, "AMD EPYC, AuthenticAMD family 25 model 160"))

    def test_no_case_to_look_at_is_no_pass(self):
        run = self.run_with_peak()
        table = self.table([{"machine": "EPYC", "shares": [["^other", 0.4]]}])
        for words in (("check", run), ("compare", run, run)):
            status, out, errors = self.tool(*words, "--thresholds", table)
            self.assertEqual(status, 2)
            self.assertNotIn("looked at", out)
            self.assertRegex(errors, "^perf_tests/tools: .*: no share is known of any of its cases, on EPYC\n$")
        text = page.make(results.load(run), shares.read_table(table))
        self.assertIn("the table has none of it and of these cases", text)


if __name__ == "__main__":
    unittest.main()

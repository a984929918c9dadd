# SPDX-FileCopyrightText: Pantile contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The table of scripts/test_device, and the list of entry points that are not there."""

import contextlib
import io
import pathlib
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "runtime"), str(HERE.parent / "conformance")]

import missing_entries  # noqa: E402
import opcodes  # noqa: E402
import table  # noqa: E402

JUNIT = """<testsuite>
<testcase name="fill:Fill.One" time="1.5" status="run"/>
<testcase name="fill:Fill.Two" time="0.25" status="fail"/>
<testcase name="team:Team.One" time="2" status="run"/>
</testsuite>"""
REPORT = '{"launches": 2, "warp_instructions": 1500000, "races": %d, "seconds": 0.5, "results": "%x"}\n'


class Opcodes(unittest.TestCase):
    def compare(self, executed, tested):
        with tempfile.TemporaryDirectory() as folder:
            paths = [pathlib.Path(folder) / name for name in ("executed", "tested")]
            for path, words in zip(paths, (executed, tested)):
                path.write_text("".join(word + "\n" for word in words))
            out, errors = io.StringIO(), io.StringIO()
            with contextlib.redirect_stdout(out), contextlib.redirect_stderr(errors):
                status = opcodes.main(*paths)
            return status, out.getvalue(), errors.getvalue()

    def test_what_is_executed_is_tested(self):
        status, told, errors = self.compare(["add.s32", "ret", "add.s32"], ["ret", "mul.f32", "add.s32"])
        self.assertEqual((status, errors), (0, ""))
        self.assertEqual(told, "2 opcodes were executed, conformance tests run 2 of them\n")

    def test_what_is_not_is_named(self):
        status, told, errors = self.compare(["add.s32", "add.s64", "ret"], ["add.s32", "ret"])
        self.assertEqual(status, 1)
        self.assertEqual(errors, "add.s64: executed, and no conformance test runs it\n")
        self.assertIn("run 2 of them", told)
        self.assertEqual(self.compare([], ["ret"])[0], 1)


class Table(unittest.TestCase):
    def run_on(self, races=0, again=5):
        with tempfile.TemporaryDirectory() as folder:
            reports = pathlib.Path(folder) / "reports"
            reports.mkdir()
            (reports / "fill").write_text(REPORT % (0, 2**64 - 1) + REPORT % (races, 6))
            (reports / "fill:seed_1").write_text(REPORT % (0, 1) + REPORT % (0, again - 1))
            (reports / "team:seed_1").write_text(REPORT % (0, 9))  # team itself was left out
            (reports / "runtime_stops").write_text(REPORT % (5, 0))  # planted
            junit = pathlib.Path(folder) / "junit.xml"
            junit.write_text(JUNIT)
            with contextlib.redirect_stdout(io.StringIO()) as text:
                status = table.main(str(junit), str(reports))
        return status, [line.split() for line in text.getvalue().splitlines()]

    def test_sums_of_each_program_and_of_all(self):
        status, lines = self.run_on()
        self.assertEqual(status, 0)
        self.assertIn(["fill", "2", "1", "8", "6.0", "0", "1.8"], lines)
        self.assertIn(["team", "1", "0", "2", "1.5", "0", "2.0"], lines)
        self.assertIn(["all", "3", "1", "12", "9.0", "0", "3.8"], lines)

    def test_a_race_fails(self):
        status, lines = self.run_on(races=3)
        self.assertEqual(status, 1)
        self.assertEqual(next(line for line in lines if line[0] == "all")[5], "3")

    def test_sums_of_results_are_compared(self):
        status, lines = self.run_on()
        self.assertEqual((status, " ".join(lines[-1])),
                         (0, "runs in other orders with the same bits: 1, with others: 0"))
        status, lines = self.run_on(again=6)
        self.assertEqual((status, " ".join(lines[-1])), (1, "fill:seed_1: not the results of fill"))


class MissingEntries(unittest.TestCase):
    def test_functions_of_a_library_without_their_versions(self):
        with tempfile.TemporaryDirectory() as folder:
            source, library = pathlib.Path(folder) / "library.c", pathlib.Path(folder) / "library.so"
            source.write_text("void first(void) {} void second(void) {} int datum = 1; static void hidden(void) {}")
            script = pathlib.Path(folder) / "version"
            script.write_text("LIBRARY { global: *; };")
            subprocess.run(["gcc", "-shared", "-fPIC", source, "-o", library, f"-Wl,--version-script={script}"],
                           check=True)
            output = pathlib.Path(folder) / "missing.cpp"
            missing_entries.main(library, output)
            text = output.read_text()
        for name in ("first", "second"):
            self.assertIn(f'void {name}() {{ stop_at_missing("{name}"); }}', text)
        for name in ("datum", "hidden", "LIBRARY"):
            self.assertNotIn(name, text)


if __name__ == "__main__":
    unittest.main()

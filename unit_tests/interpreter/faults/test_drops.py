# SPDX-FileCopyrightText: Pantile contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What device_text.py finds in PTX, and what drop_device.py and drop_fences.py make of programs that notice and that do
not."""

import io
import os
import pathlib
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

import device_text  # noqa: E402
import drop_device  # noqa: E402
import drop_fences  # noqa: E402

TEXT = """
.visible .entry kernel(
	.param .u32 kernel_param_0
)
{
	.loc	1 5 3
	bar.sync 	0;
	.loc	1 96 3
	.loc	2 20 7, function_name $L__info_string0, inlined_at 1 96 3
	.loc	3 30 9, function_name $L__info_string1, inlined_at 2 20 7
	bar.sync 	0;
	.loc	3 0 9
	bar.warp.sync 	-1;
	{
	.reg .pred 	%q;
}
	cp.async.wait_group 1;
	cp.async.cg.shared.global [%r1], [%rd1], 16, %r2;
	.loc	2 40 3, function_name $L__info_string0, inlined_at 1 96 3
	@%p1 bra 	$L__BB0_2;

	ld.global.u32 	%r3, [%rd1];

$L__BB0_2:
	@%p2 bra 	$L__BB0_3;
	add.s32 	%r3, %r3, 1;

$L__BB0_3:
	@%p3 bra 	$L__BB0_2;
	@%p4 bra 	$L__BB0_5;
	bra.uni 	$L__BB0_6;

$L__BB0_5:
	st.shared.u32 	[%r4], %r3;

$L__BB0_6:
	min.s64 	%rd2, %rd3, 64;
	@%p5 bra 	$L__BB0_8;

$L__BB0_7:
	st.shared.u32 	[%r4], %r3;
	@%p6 bra 	$L__BB0_7;

$L__BB0_8:
	@%p7 bra 	$L__BB0_9;
	mov.u32 	%r3, 0;
	bra.uni 	$L__BB0_10;

$L__BB0_9:
	ld.shared.u32 	%r3, [%r4];

$L__BB0_10:
	.loc	4 7 1, function_name $L__info_string1, inlined_at 2 40 3
	bar.sync 	0;
	ret;
}
	.file	1 "/usr/include/kokkos/Launch.hpp"
	.file	2 "/home/x/include/pantile/impl/matmul/kernel.hpp"
	.file	3 "/usr/include/kokkos/Team.hpp"
	.file	4 "/home/x/include/pantile/impl/tile/team.hpp"
"""

# Stands for a test program: tells its text and kernel, and looks at the text that takes its place.
PROGRAM = """#!{python}
import os, pathlib, sys
name = "program.0.ptx"
text = {text!r}
if "--gtest_list_tests" in sys.argv:
    print("Some.\\n  Test  # GetParam() = 1\\n  Other")
    sys.exit()
if "PANTILE_INTERPRETER_TEXT" in os.environ:
    pathlib.Path(os.environ["PANTILE_INTERPRETER_TEXT"], name).write_text(text)
if "PANTILE_INTERPRETER_KERNELS" in os.environ and "--gtest_filter=Some.Test" in sys.argv:
    pathlib.Path(os.environ["PANTILE_INTERPRETER_KERNELS"]).write_text(name + " {launched}\\n")
folder = os.environ.get("PANTILE_INTERPRETER_TEXT_FROM")
if folder:
    text = pathlib.Path(folder, name).read_text()
before, behind = text.split("$L__BB0_10:")
if before.count("bar.sync") != 2:
    print("interpreter: kernel: a race: it reads", file=sys.stderr)
    sys.exit(70)
if "bar.sync" not in behind and "PANTILE_INTERPRETER_MOST_CTAS" in os.environ:
    sys.exit(70)
if "wait_group" not in text:
    print("[  FAILED  ] Some.Test (3 ms)")
    sys.exit(1)
if "16, %r2" not in text or "%reached" in text.split("BB0_2:")[0]:
    sys.exit(70)
"""


class Text(unittest.TestCase):
    def setUp(self):
        self.sites = device_text.sites(TEXT)

    def test_sites_are_those_of_the_librarys_own_lines(self):
        self.assertEqual(
            [(site.kind, site.place) for site in self.sites],
            [
                ("barrier", "matmul/kernel.hpp:20"),
                ("warp barrier", "matmul/kernel.hpp:20"),
                ("wait for copies", "matmul/kernel.hpp:20"),
                ("size of a copy", "matmul/kernel.hpp:20"),
                ("bound check", "matmul/kernel.hpp:40"),
                ("bound check", "matmul/kernel.hpp:40"),
                ("cut", "matmul/kernel.hpp:40"),
                ("cut", "matmul/kernel.hpp:40"),
                ("loop entry", "matmul/kernel.hpp:40"),
                ("bound check", "matmul/kernel.hpp:40"),
                ("barrier", "matmul/kernel.hpp:40"),  # of a helper, for the line that calls it
            ],
        )
        self.assertEqual({site.kernel for site in self.sites}, {"kernel"})

    def test_a_dropped_site_is_gone_and_nothing_else(self):
        lines = TEXT.splitlines()
        for site in self.sites:
            changed = device_text.replaced(lines, site.line, site.dropped).splitlines()
            different = [k for k in range(len(lines)) if lines[k] != changed[k]]
            self.assertEqual(different, [site.line])
        self.assertEqual(self.sites[3].dropped, "\tcp.async.cg.shared.global [%r1], [%rd1], 16;")
        self.assertEqual(
            [site.dropped.replace("\t", "") for site in self.sites[4:]],
            ["", "bra.uni $L__BB0_5;", "mov.b64 %rd2, %rd3;", "mov.b64 %rd2, 64;", "", "bra.uni $L__BB0_9;", ""],
        )

    def test_kernels_that_are_not_wanted_leave_their_lines_empty(self):
        lines = device_text.only(TEXT, {"another"})
        self.assertEqual(len(lines), len(TEXT.splitlines()))
        self.assertEqual([line.split()[0] for line in lines if line], [".file"] * 4)
        self.assertEqual(device_text.only(TEXT, {"kernel"}), TEXT.splitlines())


class Drops(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def program(self, launched="kernel"):
        path = self.folder / "program"
        path.write_text(PROGRAM.format(python=sys.executable, text=TEXT, launched=launched))
        path.chmod(0o755)
        return drop_device.Program(path, self.folder / "work")

    def rows(self, program):
        out = io.StringIO()
        survivors = drop_device.table([program], 5, 1, out)
        rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in out.getvalue().splitlines()]
        head = rows[0]
        names = (" ".join(row[:2]).replace("matmul/kernel.hpp", "").strip() for row in rows[2:])
        return {name: dict(zip(head[3:], row[3:])) for name, row in zip(names, rows[2:])}, survivors

    def test_each_verdict(self):
        rows, survivors = self.rows(self.program())
        self.assertEqual(rows["barrier :20"]["race"], "1")
        self.assertEqual(rows["barrier :40"]["one CTA"], "1")
        self.assertEqual(rows["wait for copies :20"]["test"], "1")
        self.assertEqual(rows["size of a copy :20"]["fault"], "1")
        self.assertEqual(rows["warp barrier :20"]["survives"], "1")
        checks = rows["bound check :40"]
        self.assertEqual(checks, checks | {"drawn": "3", "fault": "", "survives": "1", "not reached": "2"})
        self.assertEqual(rows["all"]["drawn"], "11")
        self.assertEqual(len(survivors), 2)
        self.assertTrue(survivors[0].startswith("bound check, matmul/kernel.hpp:40: program.0.ptx, line "))

    def test_kernels_that_are_not_launched_have_no_sites(self):
        rows, _ = self.rows(self.program("another"))
        self.assertEqual(list(rows), ["all"])

    def test_a_program_that_fails_unharmed_is_refused(self):
        path = self.folder / "program"
        listing = "if '--gtest_list_tests' in sys.argv: sys.exit(print('Some.', '  Test', sep=chr(10)))"
        path.write_text(f"#!{sys.executable}\nimport sys\n{listing}\nsys.exit(70)\n")
        path.chmod(0o755)
        with self.assertRaisesRegex(SystemExit, "fails with nothing dropped: fault"):
            drop_device.Program(path, self.folder / "work", None)


class Fences(unittest.TestCase):
    def test_labels_are_those_of_the_sources(self):
        labels = drop_fences.labels()
        self.assertIn("pantile::pipeline: a chunk", labels)
        self.assertGreater(len(labels), 10)
        self.assertLessEqual(set(drop_fences.EXPLAINED), set(labels))

    def test_verdicts(self):
        with tempfile.TemporaryDirectory() as folder:
            program = os.path.join(folder, "program")
            with open(program, "w") as file:
                file.write(
                    f"#!{sys.executable}\nimport os, sys\n"
                    "if os.environ.get('PANTILE_INTERPRETER_DROP_FENCE') == 'one': sys.exit(70)\n"
                )
            os.chmod(program, 0o755)
            self.assertIn("stopped, status 70", drop_fences.verdict([program], 1, PANTILE_INTERPRETER_DROP_FENCE="one"))
            self.assertEqual(
                drop_fences.verdict([program], 1, PANTILE_INTERPRETER_DROP_FENCE="other"), drop_fences.NOT_NOTICED
            )


if __name__ == "__main__":
    unittest.main()

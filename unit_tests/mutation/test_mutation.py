# SPDX-FileCopyrightText: Pantile contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests of the mutator itself: what it finds, what it leaves alone, what it writes, and that it says so when a fault
fits no longer. Run with unittest in this folder."""

import json
import pathlib
import tempfile
import unittest

import campaign as campaigns
import faults
import instrument
import operators
import programs
import report
import selection
import source as cxx

PROJECT = pathlib.Path(__file__).resolve().parents[2]


def in_function(body, head="void f(Matrix const& x, int n)"):
    return "// first line\nnamespace a {\n" + head + " {\n" + body + "\n}\n}\n"


def found(body, operator=None, **more):
    """Pairs (old, new) of the sites in a function with this body."""
    sites = operators.sites_of("f.hpp", in_function(body, **more))
    return [(site.old, site.new) for site in sites if operator in (None, site.operator)]


class Tokens(unittest.TestCase):
    def words(self, text):
        return [token.text for token in cxx.tokens_of(text)]

    def test_comments_strings_and_numbers(self):
        self.assertEqual(self.words("a = 1'000; // b\n/* c\n d */ e(\"// f\", 'g', 0x1p-3);"),
                         ["a", "=", "1'000", ";", "e", "(", '"// f"', ",", "'g'", ",", "0x1p-3", ")", ";"])  # fmt: skip
        self.assertEqual(self.words('R"x( ")" )x" + u8"a"'), ['R"x( ")" )x"', "+", 'u8"a"'])

    def test_directives_are_whole_lines(self):
        self.assertEqual(self.words("#define A(x) \\\n  x + 1\nb"), ["#define A(x) \\\n  x + 1", "b"])

    def test_brackets_of_templates_are_no_comparisons(self):
        src = cxx.Source("", "f<A<B>>(x) < g<(n > 0)>(y) >> 2 > z")
        binary = [src.word(i) for i in range(len(src.tokens)) if src.is_binary(i)]
        self.assertEqual(binary, ["<", ">", ">>", ">"])

    def test_a_bracket_that_closes_nothing_is_an_error(self):
        with self.assertRaises(ValueError):
            cxx.Source("", "f(a]")


class Functions(unittest.TestCase):
    def test_bodies_of_namespaces_and_classes(self):
        text = """namespace a::b {
          template <class T> struct S : Base<T> {
            static constexpr int x{3};
            int y = 4;
            constexpr S(int a) : m_a(a), m_b{a} { run(); }
            int operator()(int i) const { return i; }
           private:
            int m_a, m_b;
          };
          enum class E { one, two };
          inline auto const z = [] { return 1; };
          auto g(int i) -> int { return i; }
        }"""
        functions = list(cxx.functions_of(cxx.Source("", text)))
        self.assertEqual([f.name for f in functions], ["S", "operator", "g"])
        self.assertEqual([f.constant for f in functions], [True, False, False])


class Sites(unittest.TestCase):
    def test_bounds(self):
        self.assertEqual(found("while (a + b < n) g();", "bounds"), [("a + b < n", "a + b <= n")])
        self.assertEqual(found("return p.x >= q[i];", "bounds"), [("p.x >= q[i]", "p.x > q[i]")])

    def test_signs(self):
        self.assertEqual(found("return a - b + c * d;", "signs"),
                         [("a - b", "a + b"), ("a - b + c * d", "a - b - c * d")])
        self.assertEqual(found("return -f(x);", "signs"), [("-f(x)", "f(x)")])
        self.assertEqual(found("p->sum += a;", "signs"), [("p->sum += a", "p->sum -= a")])

    def test_off_by_one(self):
        self.assertEqual(found("g(7);", "off by one"), [("7", "7 + 1"), ("7", "7 - 1")])
        self.assertEqual(found("return x[i + a];", "off by one"), [("i + a", "(i + a) + 1")])
        self.assertEqual(found("while (i < p.end) g();", "off by one"), [("p.end", "(p.end) - 1")])
        self.assertEqual(found("while (i <= p.end) g();", "off by one"), [("p.end", "(p.end) + 1")])

    def test_swapped_strides(self):
        self.assertEqual(found("return x.data[x.row_stride] + y.col_stride;", "swapped strides"),
                         [("x.row_stride", "x.col_stride"), ("y.col_stride", "y.row_stride")])  # fmt: skip
        self.assertEqual(found("int m = 3; return g(m, n);", "swapped strides")[0], ("m", "n"))
        # What is not there cannot be taken.
        self.assertEqual(found("return x.row_stride;", "swapped strides"), [])
        self.assertEqual(found("return row;", "swapped strides"), [])

    def test_dropped_statements_and_fences(self):
        self.assertEqual(found('exec.fence("why");', "dropped fence"), [('exec.fence("why")', "")])
        locks = [s for s in operators.sites_of("f.hpp", in_function("std::lock_guard const lock(m_mutex);\ng();"))]
        self.assertIn("std::defer_lock); if (!PANTILE_MUTANT({id})) lock.lock()", locks[0].template)
        body = "a.b[i] = c; int x = 3; X const y(a); auto* const z = a; ++n; return; std::move(a, b);"
        self.assertEqual([old for old, _ in found(body, "dropped statement")], ["a.b[i] = c", "++n", "std::move(a, b)"])
        self.assertEqual(found("for (i = a; i != b; ++i) g(i);", "dropped statement"), [("g(i)", "")])

    def test_inverted_branches(self):
        self.assertEqual(found("if (a) g();", "inverted branch"), [("a", "!(a)")])
        self.assertEqual(found("return a.b() ? c : d;", "inverted branch"), [("a.b()", "!(a.b())")])
        self.assertEqual(found("return a && b;", "inverted branch"), [("a && b", "a || b")])
        # A condition that is one comparison has one opposite.
        self.assertEqual(found("if (a == b) g();", "inverted branch"), [("a == b", "!(a == b)")])
        self.assertEqual(found("if (int* const p = g()) h();", "inverted branch"), [])

    def test_what_is_left_out(self):
        for body in (
            "static_assert(a < b);", "if constexpr (a < b) {}", "constexpr int x = a + b;", "using X = Y<(a > b)>;",
            "case_of<sizeof(a[3])>();", "int x[a + b];", "auto const g = [m, n](int i = a + b) {};",
            'throw Error("text " + a + b);', "if constexpr (Arch::device) { g(a + b); }",
            "if constexpr (!Arch::device) {} else { g(a + b); }",
            "switch (n) { case a + b: break; }", "#if a + b\n#endif",
            "#if defined(KOKKOS_ENABLE_CUDA)\ng(a + b);\n#endif",
        ):  # fmt: skip
            with self.subTest(body):
                found_there = [pair for pair in found(body) if pair[1] != ""]
                self.assertEqual(found_there, [])
        self.assertEqual(found("return a + b;", head="std::string describe_plan(int a)"), [])
        self.assertEqual(operators.sites_of("f.hpp", "int f(int a = b + 1);\nstruct S { int x = a < b; };"), [])

    def test_functions_that_the_compiler_may_evaluate_are_not_left_out(self):
        text = "constexpr bool f(int a, int b) { return a < b; }\ninline bool g(int a, int b) { return a > b; }\n"
        text += "struct S { static constexpr int x = 2 - 1; constexpr S() : m_x(3 - 1) {} int m_x; };"
        found_there = {(site.function, site.old) for site in operators.sites_of("f.hpp", f"namespace n {{ {text} }}")
                       if site.operator in ("bounds", "signs")}
        self.assertEqual(found_there, {("f", "a < b"), ("g", "a > b"), ("S", "3 - 1")})

    def test_a_text_in_one_statement_hides_no_other(self):
        body = 'check.require(a <= b, [&] { return "a " + text(a + 1); }); c = a - b;'
        changed = [new for _, new in found(body)]
        self.assertIn("a < b", changed)
        self.assertIn("a + b", changed)
        self.assertNotIn('"a " - text(a + 1)', changed)


class Instrumentation(unittest.TestCase):
    TEXT = in_function("  if (a + b < n) {  // why\n    x.run();\n  }")

    def planted(self, text):
        sites = operators.sites_of("f.hpp", text)
        return [instrument.Planted(i, s.begin, s.end, s.template, s.new) for i, s in enumerate(sites, 10)]

    def test_without_mutants_a_file_stays_as_it_is(self):
        for path in selection.source_files(PROJECT):
            text = (PROJECT / path).read_text(encoding="utf-8")
            self.assertEqual(instrument.instrumented(cxx.Source(path, text), [])[0], text)

    def test_all_mutants_of_a_file_nest(self):
        text, spans = instrument.instrumented(cxx.Source("f.hpp", self.TEXT), self.planted(self.TEXT))
        self.assertEqual(text.count("\n"), self.TEXT.count("\n"))
        self.assertEqual(text.split("\n")[0], "#include <pantile_mutant.hpp>")
        self.assertIn("(PANTILE_MUTANT(14) ? (void)0 : (void)(x.run()));", text)
        for span in spans:
            self.assertTrue(text[span.start : span.end].startswith(f"(PANTILE_MUTANT({span.number})"))
            self.assertEqual(text[span.start : span.end].count("("), text[span.start : span.end].count(")"))

    def test_all_sources_can_be_instrumented(self):
        for path in selection.source_files(PROJECT):
            text = (PROJECT / path).read_text(encoding="utf-8")
            src = cxx.Source(path, text)
            kept, out = instrument.without_crossings(self.planted(text))
            new, spans = instrument.instrumented(src, kept)
            self.assertEqual((len(out), len(spans)), (0, len(kept)), path)
            cxx.Source(path, new)  # brackets match

    def test_of_two_that_cross_the_first_stays(self):
        one, two = (instrument.Planted(n, b, e, "", "") for n, b, e in ((1, 3, 6), (2, 5, 8)))
        self.assertEqual(instrument.without_crossings([two, one]), ([one], [two]))


class Faults(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        (pathlib.Path(self.folder.name) / "f.hpp").write_text(in_function("if (a &&\n  b) g(); if (c) g(); h();"))

    def place(self, old, inside=""):
        return faults.site_of(pathlib.Path(self.folder.name), faults.Fault("x", "f.hpp", old, "n", "y", inside))

    def test_words_match_across_line_breaks(self):
        site = self.place("a && b")
        self.assertEqual((site.old, site.new, site.line, site.function), ("a && b", "n", 4, "f"))
        self.assertIn("if (PANTILE_MUTANT", self.place("h();").template)

    def test_the_context_chooses(self):
        self.assertEqual(self.place("g();", inside="if (c) g();").line, 5)

    def test_what_does_not_match_once_is_an_error(self):
        for old, inside in (("b && a", ""), ("g();", ""), ("a", "if (d) g();")):
            with self.subTest(old), self.assertRaisesRegex(faults.Unmatched, "fault x: .* times in f.hpp, not once"):
                self.place(old, inside)
        with self.assertRaisesRegex(faults.Unmatched, "there is no g.hpp"):
            faults.site_of(pathlib.Path(self.folder.name), faults.Fault("x", "g.hpp", "a", "b", "c"))

    def test_all_faults_fit_the_sources(self):
        self.assertGreaterEqual(len(faults.FAULTS), 40)
        self.assertEqual(len({fault.name for fault in faults.FAULTS}), len(faults.FAULTS))
        for fault in faults.FAULTS:
            with self.subTest(fault.name):
                faults.site_of(PROJECT, fault)


class Plans(unittest.TestCase):
    def test_the_seed_decides(self):
        one, again, other = (selection.ordered_sites(PROJECT, seed)[:500] for seed in (1, 1, 2))
        self.assertEqual(one, again)
        self.assertNotEqual(one, other)

    def test_spread_over_files_and_operators(self):
        sites = selection.ordered_sites(PROJECT, 1)[:500]
        self.assertEqual({site.operator for site in sites}, set(operators.OPERATORS))
        files = {site.path for site in sites}
        self.assertGreater(len(files), 80)
        for path in files:
            self.assertLess(sum(site.path == path for site in sites), 30)
            self.assertNotRegex(path, r"arch/(cuda|hip)|device/mainloop")

    def test_a_planted_fault_is_in_the_plan_and_in_the_copy(self):
        with tempfile.TemporaryDirectory() as folder:
            here = campaigns.Campaign(PROJECT, folder)
            here.make_plan(1, 4, files=["src/pantile/impl/fill/kernel.hpp"])
            planted, sites = here.chosen(here.plan())
            self.assertIn("fill: coordinates exchanged", [m["name"] for m in planted])
            self.assertEqual(len(sites), 4)
            spans = here.write_copy(here.plan())
            self.assertEqual(list(spans), ["src/pantile/impl/fill/kernel.hpp"])
            text = (here.source / "src/pantile/impl/fill/kernel.hpp").read_text()
            self.assertIn("? (f(i, col + k)) : (f(col + k, i)))", text)
            header = (here.source / "include/pantile_mutant.hpp").read_text()
            self.assertNotIn("PANTILE_MUTANT_COUNT, ", header)

    def test_errors_of_the_compiler_tell_which_mutants_to_leave_out(self):
        with tempfile.TemporaryDirectory() as folder:
            here = campaigns.Campaign(PROJECT, folder)
            here.make_plan(1, 4, files=["src/pantile/impl/fill/kernel.hpp"])
            spans = here.write_copy(here.plan())
            (path, (span, *_)) = next(iter(spans.items()))
            text = (here.source / path).read_text()
            row = text.count("\n", 0, span.start) + 1
            column = span.start - text.rfind("\n", 0, span.start)
            log = ("/a/Kokkos.hpp:1:2: error: no\n"
                   f"{here.source}/src/pantile/impl/fill/kernel.hpp:{row}:{column}: note: here\n")
            self.assertEqual(here.blamed(log, spans), {span.number})
            self.assertEqual(here.blamed("/a/Kokkos.hpp:1:2: error: no\n", spans), set())


class Programs(unittest.TestCase):
    def test_cases_of_a_program_are_one_run(self):
        def test(name, *command, **values):
            return {"name": name, "command": list(command),
                    "properties": [{"name": k, "value": v} for k, v in values.items()]}

        listing = json.dumps({"tests": [
            test("test_a:S.one", "/b/test_a", "--gtest_filter=S.one", "--gtest_also_run_disabled_tests", "--threads=3"),
            test("test_a:S.two", "/b/test_a", "--gtest_filter=S.two", "--threads=3"),
            test("add_generic", "/b/test_b", ENVIRONMENT=["PANTILE_ISA=generic"]),
            test("blas_quiet", "/b/c", FAIL_REGULAR_EXPRESSION=["."]),
            test("lint", "python3", "lint.py"), test("test_d_NOT_BUILT"), test("blas_header_is_c", "/b/h"),
        ]})  # fmt: skip
        self.assertFalse(programs.is_built(programs.programs_of(listing)[0]))
        b, quiet, a = programs.programs_of(listing)
        self.assertEqual(a.command, ["/b/test_a", "--gtest_brief=1", "--gtest_fail_fast", "--threads=3"])
        self.assertEqual((b.name, b.environment, b.silent), ("add_generic", {"PANTILE_ISA": "generic"}, False))
        self.assertTrue(quiet.silent)

    def test_failures_and_time_limits(self):
        def run(script, usual=(1.0, 1.0), silent=False):
            return programs.run(programs.Program("x", ["sh", "-c", script], {}, silent), {"PANTILE_MUTANT": "7"}, usual)

        self.assertFalse(run('test "$PANTILE_MUTANT" = 7').failed)
        self.assertEqual(run("echo '[  FAILED  ] S.one (3 ms)'; exit 1").how, "S.one")
        self.assertEqual(run("kill -SEGV $$").how, "signal 11")
        self.assertTrue(run("echo word", silent=True).failed)
        self.assertEqual(run("sleep 5", usual=(0, -5)).how, "time limit")


class Report(unittest.TestCase):
    def test_tables_go_between_the_marks(self):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "README.md"
            file.write_text(f"a\n{report.BEGIN}\nold\n{report.END}\nb\n")
            report.put_into(file, "new\n")
            self.assertEqual(file.read_text(), f"a\n{report.BEGIN}\n\nnew\n\n{report.END}\nb\n")
            file.write_text("no marks")
            with self.assertRaises(SystemExit):
                report.put_into(file, "new")

    def test_a_survivor_without_a_reason_is_seen(self):
        site = {"number": 1000, "path": "a.hpp", "function": "f", "operator": "signs", "old": "a + b", "new": "a - b",
                "line": 3}
        text, groups = report.survivor_table([site], {"1000": {"status": "survived"}})
        self.assertIn("`a + b` -> `a - b`", text)
        self.assertEqual({kind: len(group) for kind, group in groups.items() if group}, {"unknown": 1})


if __name__ == "__main__":
    unittest.main()

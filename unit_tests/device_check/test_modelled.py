# SPDX-FileCopyrightText: Pantile contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Clocks of pipes from counts of instructions, by hand; budgets, and a kernel that breaks each."""

import contextlib
import io
import json
import pathlib
import tempfile
import unittest

from test_device_check import (
    COUNTING, COUNTING_FACT, GOOD, PACKED, UNTUNED, fact_of, fact_without_tile, kernel_of, multistage,
)  # fmt: skip

import modelled
import report
import rules

WARPS = 1000
FLOATS = multistage("float", "cuda::Floats")
FLOATS_FACT = fact_of()


def instruction(text, warps=WARPS, shared=(0, 0), sectors=(0, 0), line=1):
    return [text, line, warps, 32 * warps, *shared, *sectors]


def line_of(*instructions, case="*Streams*", kernel="_Zkernel"):
    return {"kernel": kernel, "arguments": ["--gtest_brief=1", f"--gtest_filter={case}"],
            "instructions": list(instructions)}  # fmt: skip


def model(*instructions, fact=None):
    return modelled.model_of(line_of(*instructions), fact)


class Opcodes(unittest.TestCase):
    def test_the_guard_is_no_opcode(self):
        self.assertEqual(modelled.opcode("@!%p1 ld.shared.v4.f32 {%f1, %f2}, [%r1]"), "ld.shared.v4.f32")
        self.assertEqual(modelled.opcode("ret;"), "ret")

    def test_kinds(self):
        for op, kind in {
            "mov.u32": "free", "ld.param.u64": "free", "cvta.to.global.u64": "free",
            "mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64": "tensor", "ld.global.v4.f32": "access",
            "cp.async.cg.shared.global.L2::128B": "access", "cp.async.commit_group": "control",
            "cp.async.wait_group": "control", "red.shared.add.u32": "access", "bar.sync": "control", "bra": "control",
            "bra.uni": "control", "fma.rn.f32": "fma", "mad.lo.s32": "fma", "mul.wide.u32": "fma", "mul.f64": "fp64",
            "add.s64": "alu", "setp.lt.s32": "alu", "prmt.b32": "alu", "shfl.sync.bfly.b32": "scratch",
            "cvt.rn.f64.s32": "conversion", "cvt.rna.tf32.f32": "conversion", "cvt.u64.u32": "alu",
            "popc.b32": "special",
        }.items():  # fmt: skip
            with self.subTest(op=op):
                self.assertEqual(modelled.kind(op), kind)


class Clocks(unittest.TestCase):
    def assert_clocks(self, text, **clocks):
        found = model(instruction(text)).clocks
        for pipe, each in clocks.items():
            with self.subTest(text=text, pipe=pipe):
                self.assertAlmostEqual(found[pipe], each * WARPS)

    def test_of_arithmetic(self):
        self.assert_clocks("fma.rn.f32 %f1, %f2, %f3, %f1", fma=32 / 128, issue=1 / 4)
        self.assert_clocks("fma.rn.f64 %fd1, %fd2, %fd3, %fd1", fp64=32 / 64, issue=1 / 4)
        self.assert_clocks("mad.lo.s32 %r1, %r2, %r3, %r1", fma=32 / 64)
        self.assert_clocks("mul.lo.s64 %rd1, %rd2, %rd3", fma=3 * 32 / 64, issue=3 / 4)
        self.assert_clocks("add.s64 %rd1, %rd2, %rd3", alu=2 * 32 / 64, issue=2 / 4)
        self.assert_clocks("cvt.f64.f32 %fd1, %f1", conversion=32 / 16)
        self.assert_clocks("shfl.sync.bfly.b32 %r1, %r2, 1, 31, -1", scratch=1)
        self.assert_clocks("mov.b32 %r1, %r2", issue=0)

    def test_of_matrix_instructions(self):
        self.assert_clocks("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {}", tensor=8 * 8 * 4 / 128)
        self.assert_clocks("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {}", tensor=16 * 8 * 8 / (0.64 * 1024))
        self.assert_clocks("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {}", tensor=16 * 8 * 16 / (0.64 * 2048))
        self.assert_clocks("mma.sync.aligned.m16n8k32.row.col.satfinite.s32.s8.u8.s32 {}",
                           tensor=16 * 8 * 32 / (0.64 * 4096))

    def test_of_accesses(self):
        found = model(instruction("ld.shared.v4.f32 {}, [%r1]", shared=(4800, 4000)),
                      instruction("st.shared.u32 [%r1], %r2", shared=(2000, 1000)),
                      instruction("cp.async.cg.shared.global [%r1], [%rd1], 16", shared=(4000, 4000),
                                  sectors=(16000, 16000)),
                      instruction("ld.global.u32 %r1, [%rd1]", sectors=(8000, 4000)),
                      instruction("red.global.add.u32 [%rd1], %r1", sectors=(4000, 4000)))  # fmt: skip
        self.assertAlmostEqual(found.scratch_loads.value, 1.2)
        self.assertAlmostEqual(found.scratch_stores.value, 6000 / 5000)
        self.assertAlmostEqual(found.global_loads.value, 24 / 20)
        self.assertAlmostEqual(found.global_stores.value, 1)
        self.assertEqual(found.bytes, 32 * 28000)
        self.assertEqual(found.clocks["scratch"], 4800 + 2000 + 4000)
        self.assertAlmostEqual(found.clocks["cache"], 32 * 28000 / (5120 / 132))

    def test_what_multiplies_nothing_moves_bytes_at_the_memory_s_rate(self):
        found = model(instruction("ld.global.v4.f32 {}, [%rd1]", sectors=(16000, 16000)),
                      instruction("st.global.v4.f32 [%rd1], {}", sectors=(16000, 16000))).figures()  # fmt: skip
        self.assertEqual((found["bound"], found["second"]), ("memory", "cache"))
        self.assertAlmostEqual(found["share"], 1)
        twice = model(instruction("ld.global.v4.f32 {}, [%rd1]", sectors=(128000, 16000)))
        self.assertEqual(twice.pipes[0][0], "cache")
        self.assertAlmostEqual(twice.share, (16000 * 32 / modelled.MEMORY_BYTES) / (128000 * 32 / modelled.CACHE_BYTES))

    def test_the_rate_of_memory_is_that_of_the_datasheet(self):
        self.assertAlmostEqual(modelled.MEMORY_BYTES * 132 * 1.98e9, 3.35e12)


def few_loads():
    return [instruction("cp.async.cg.shared.global [%r1], [%rd1], 16", 100, sectors=(3200, 1600))]


class Products(unittest.TestCase):
    def test_the_share_is_of_the_products_clocks(self):
        found = model(instruction("fma.rn.f32 %f1, %f2, %f3, %f1", 4000),
                      instruction("mul.wide.u32 %rd1, %r1, %r2", 500),
                      instruction("ld.shared.v4.f32 {}, [%r1]", 100, shared=(400, 400)),
                      fact=FLOATS_FACT).figures()  # fmt: skip
        self.assertEqual((found["bound"], found["second"]), ("fma", "scratch"))
        self.assertAlmostEqual(found["share"], 1000 / 1250)
        self.assertAlmostEqual(found["second_part"], 400 / 1250)
        self.assertAlmostEqual(found["issue"], (4600 / 4) / 1250)

    def test_scratch_may_bind(self):
        found = model(instruction("fma.rn.f32 %f1, %f2, %f3, %f1", 4000),
                      instruction("ld.shared.v4.f32 {}, [%r1]", 500, shared=(2000, 2000)),
                      fact=FLOATS_FACT).figures()  # fmt: skip
        self.assertEqual((found["bound"], found["share"]), ("scratch", 0.5))

    def test_addresses_do_not_bind(self):
        found = model(instruction("fma.rn.f32 %f1, %f2, %f3, %f1", 4000), instruction("add.s64 %rd1, %rd2, 8", 40000),
                      fact=FLOATS_FACT).figures()  # fmt: skip
        self.assertEqual((found["bound"], found["share"]), ("fma", 1))
        self.assertEqual(found["alu"], 40)

    def test_products_and_sums_that_become_one_instruction(self):
        # A complex multiply-add, as nvcc writes it: four multiply-adds for the machine.
        found = model(instruction("mul.f32 %f1, %f2, %f3", 100), instruction("sub.f32 %f1, %f4, %f1", 100),
                      instruction("fma.rn.f32 %f1, %f2, %f3, %f1", 300),
                      fact=fact_of("matmul multiply_add float same_type complex<float> by complex<float>")
                       ).figures()  # fmt: skip
        self.assertEqual((found["bound"], found["share"]), ("fma", 1))
        self.assertAlmostEqual(found["clocks"]["fma"], 100)

    def test_three_products_of_tf32_are_one(self):
        text = "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {}"
        for engine, share in (("tf32", 0.64), ("three_tf32", 0.64 / 3)):
            found = model(instruction(text), fact=fact_of(f"matmul {engine} float same_type float by float")).figures()
            self.assertEqual(found["bound"], "tensor")
            self.assertAlmostEqual(found["share"], share)

    def test_thin_tiles_read_the_other_operand_from_memory(self):
        fact = fact_of(m=16, n=128, a_size=2)
        part = 128 * 4 / (16 * 2 + 128 * 4)
        few = model(instruction("fma.rn.f32 %f1, %f2, %f3, %f1", 4000),
                    *few_loads(), fact=fact)  # fmt: skip
        self.assertAlmostEqual(few.clocks["memory"], 32 * 1600 * part / modelled.MEMORY_BYTES)
        self.assertEqual(few.figures()["bound"], "memory")
        self.assertAlmostEqual(few.share, 1)
        many = model(instruction("fma.rn.f32 %f1, %f2, %f3, %f1", 40000), *few_loads(), fact=fact)
        self.assertEqual(many.figures()["bound"], "fma")
        self.assertAlmostEqual(many.share, 1)
        self.assertEqual(model(*few_loads(), fact=fact_of(m=64, n=128)).clocks["memory"], 0)

    def test_products_of_each_type_of_sums(self):
        for factors, text in (("double", "fma.rn.f64"), ("integer", "mad.lo.s32"), ("integer", "mul.lo.s64")):
            with self.subTest(text=text):
                fact = fact_of(f"matmul multiply_add {factors} same_type any by any")
                self.assertEqual(model(instruction(text + " %x"), fact=fact).figures()["share"], 1)
        self.assertEqual(modelled.product_of(COUNTING_FACT), (None, 1))
        self.assertEqual(modelled.product_of(None), (None, 1))


class Cases(unittest.TestCase):
    def counted(self, *lines):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder)
            (path / "matmul").write_text("".join(json.dumps(line) + "\n" for line in lines))
            return modelled.read(path)

    def test_the_main_loop_is_what_a_long_run_has_beyond_a_short_one(self):
        def run(part, times):
            return line_of(instruction("fma.rn.f32 %f1, %f2, %f3, %f1", 1000 * times + 70),
                           instruction("ld.shared.v4.f32 {}, [%r1]", 100 * times, shared=(600 * times, 400 * times)),
                           instruction("add.f32 %f1, %f2, %f3", 50, line=9),
                           instruction("st.global.v4.f32 [%rd1], {}", 10, sectors=(300, 160)),
                           case=f"*/MatmulWholeTiles.{part}/rows_columns")  # fmt: skip

        kernel = {"mangled": "_Zkernel", "fact": FLOATS_FACT}
        found = modelled.models(kernel, self.counted(run("Long", 2), run("Short", 1)))
        self.assertEqual(list(found), ["rows_columns"])
        figures = found["rows_columns"]
        self.assertAlmostEqual(figures["clocks"]["fma"], 250)
        self.assertEqual(figures["clocks"]["scratch"], 600)
        self.assertAlmostEqual(figures["scratch_loads"], 1.5)
        self.assertAlmostEqual(figures["global_stores"], 300 / 160)  # they come behind the loop
        alone = modelled.models(kernel, self.counted(run("Short", 1)))["rows_columns"]
        self.assertAlmostEqual(alone["clocks"]["fma"], 0.25 * (1070 + 50))

    def test_cases_are_named_by_their_filter(self):
        self.assertEqual(modelled.case_of(["--gtest_filter=*/MatmulWholeTiles.Long/rows_rows"]), ("rows_rows", "Long"))
        self.assertEqual(modelled.case_of(["--gtest_filter=TransposeWholeTiles/*.ByPacks"]), ("ByPacks", ""))
        self.assertEqual(modelled.case_of([]), ("", ""))

    def test_no_counts_no_models(self):
        self.assertEqual(modelled.read(pathlib.Path("/nonexistent")), {})
        self.assertEqual(modelled.models({"mangled": "_Zother"}, self.counted(line_of())), {})

    def test_the_worst_case_is_told(self):
        cases = {"a": {"x": 1.0, "share": 0.5}, "b": {"x": 3.0, "share": 0.25}, "c": {"x": None, "share": None}}
        self.assertEqual(modelled.worst(cases, "x"), (3.0, "b"))
        self.assertEqual(modelled.best_and_worst(cases), ("b", "a"))
        self.assertIsNone(modelled.best_and_worst({"c": cases["c"]}))


FIGURES = {"scratch_stores": 1.0, "scratch_loads": 1.0, "global_loads": 1.0, "global_stores": None, "bytes": 2048,
           "bound": "fma", "share": 0.9, "second": "scratch", "second_part": 0.7, "issue": 1.2, "alu": 0.3,
           "mix": {"fma": 0.8, "alu": 0.19, "access": 0.01}, "clocks": {}, "loops": []}  # fmt: skip


def with_models(kernel, **changes):
    return {**kernel, "modelled": {"rows_rows": FIGURES, "columns_rows": {**FIGURES, **changes}}}


class Budgets(unittest.TestCase):
    words = GOOD[0][1]

    def assert_fault(self, text, kernel=None, **changes):
        found = rules.faults("sm_90", with_models(kernel or self.words, **changes))
        self.assertEqual(len(found), 1, found)
        self.assertIn(text, found[0])
        self.assertIn("columns_rows", found[0])

    def test_a_kernel_within_them(self):
        self.assertEqual(rules.faults("sm_90", with_models(self.words, scratch_stores=1.09)), [])

    def test_every_budget_is_broken(self):
        packed = next(kernel for arch, kernel in GOOD if arch == "sm_90" and kernel["mangled"] == PACKED)
        for budget in rules.BUDGETS:
            for kernel in (self.words, packed):
                with self.subTest(budget=budget, kernel=kernel["mangled"]):
                    self.assert_fault(f"takes {budget.most + 0.01:.2f} {budget.what}", kernel,
                                      **{budget.figure: budget.most + 0.01})  # fmt: skip

    def test_scratch_binds_no_tile(self):
        self.assert_fault("is bound by scratch at 44 % of the peak", bound="scratch", share=0.44)

    def test_single_elements_begin_anywhere_but_not_in_scratch(self):
        singles = next(kernel for arch, kernel in GOOD if arch == "sm_90" and "singles" in rules.words(kernel))
        self.assertEqual(rules.faults("sm_90", with_models(singles, global_loads=1.5, global_stores=1.5)), [])
        self.assert_fault("wavefronts", singles, scratch_stores=2.01)

    def test_what_is_open_is_no_fault_and_what_is_beyond_it_is_one(self):
        mixed = kernel_of(FLOATS, self.words["opcodes"],
                          fact_of("matmul multiply_add float mixed_types half by float", n=16))
        self.assertEqual(rules.faults("sm_90", with_models(mixed, scratch_stores=1.9, bound="scratch")), [])
        self.assert_fault("takes 2.01 wavefronts", mixed, scratch_stores=2.01)
        self.assert_fault("takes 1.40 sectors", mixed, global_loads=1.4)
        large = kernel_of(FLOATS, self.words["opcodes"], {**mixed["fact"], "n": 128})
        self.assert_fault("is bound by scratch", large, bound="scratch")

    def test_kernels_that_are_not_tuned_name_their_address_space_too(self):
        functor = "pantile::impl::transpose::TiledKernel<float>"
        for arch, opcode, own in (("gfx942", "flat_load_dword", "ds_read_b32"), ("sm_90", "LD.E", "LDS")):
            for name, fact, text in ((functor, UNTUNED, "known at run time only"), ("users::Kernel<float>", None, ""),
                                     (functor, fact_without_tile("untuned any_address"), "")):  # fmt: skip
                with self.subTest(arch=arch, name=name):
                    found = rules.faults_of(arch, kernel_of(name, [opcode, own], fact, (256, 1)))
                    self.assertIn(text, found[0]) if text else self.assertEqual(found, [])
            self.assertEqual(rules.faults_of(arch, kernel_of(functor, [own], UNTUNED, (256, 1))), [])

    def test_counting_waits_for_scratch(self):
        counting = kernel_of(COUNTING, ["LDG.E.128", "ATOMS.POPC.INC.32"], COUNTING_FACT)
        self.assertEqual(rules.faults("sm_90", with_models(counting, bound="scratch", scratch_stores=2.0)), [])

    def test_loops_of_compare_and_swap(self):
        for text, found in (("atom.global.cas.b64 %rd1, [%rd2], %rd3, %rd4", ["atom.global.cas.b64"]),
                            ("atom.cas.b64 %rd1, [%rd2], %rd3, %rd4", ["atom.cas.b64"]),
                            ("atom.global.cas.b32 %r1, [%rd2], %r3, %r4", []),
                            ("red.add.u64 [%rd1], %rd2", [])):  # fmt: skip
            self.assertEqual(model(instruction(text)).loops, found)
        other = kernel_of("pantile::impl::histogram::GlobalKernel<int>", ["LDL"], UNTUNED, (256, 1))
        slow = with_models(other, loops=["atom.cas.b64"])
        self.assertEqual(rules.faults_of("sm_90", slow), ["executes atom.cas.b64, a loop where the hardware adds"])
        self.assertEqual(rules.faults_of("sm_90", with_models(other)), [])


class Telling(unittest.TestCase):
    def tell(self, kernel, counts):
        unit = {"source": "a.cpp", "arch": "sm_90", "compiled": True, "kernels": [kernel]}
        report.add_models([unit], counts)
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            status, _ = report.tell([unit], 80, False)
        return status, out.getvalue()

    def counts(self, wavefronts):
        line = line_of(instruction("fma.rn.f32 %f1, %f2, %f3, %f1", 4000),
                       instruction("st.shared.v4.f32 [%r1], {}", 100, shared=(wavefronts, 400)),
                       case="*/MatmulWholeTiles.Long/rows_rows", kernel=FLOATS)  # fmt: skip
        return {FLOATS: [line]}

    def test_a_row_of_the_table(self):
        status, text = self.tell({**GOOD[0][1]}, self.counts(400))
        self.assertEqual(status, 0)
        row = next(line for line in text.splitlines() if line.startswith("matmul::"))
        self.assertEqual(" ".join(row.split()),
                         "matmul::MultistageKernel<float,Floats> 128 25 1.00 - - - 0 fma 100 scratch 40 "
                                                "102 0 fma 98")  # fmt: skip
        self.assertIn("nobody has measured it", text)
        self.assertNotIn("are not modelled", text)

    def test_a_budget_fails_the_check(self):
        status, text = self.tell({**GOOD[0][1]}, self.counts(800))
        self.assertEqual(status, 1)
        self.assertIn("takes 2.00 wavefronts", text)

    def test_what_was_not_counted_is_told(self):
        status, text = self.tell({**GOOD[0][1]}, {})
        self.assertEqual(status, 0)
        self.assertIn("1 of the tuned kernels for sm_90 are not modelled", text)


if __name__ == "__main__":
    unittest.main()

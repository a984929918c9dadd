# SPDX-FileCopyrightText: Pantile contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The device check reads what compilers and disassemblers write, and finds every fault that it is there to find."""

import contextlib
import copy
import io
import pathlib
import re
import sys
import types
import unittest

PROJECT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(PROJECT / "scripts/lib/device"))

import compilation  # noqa: E402
import disassembly  # noqa: E402
import facts  # noqa: E402
import names  # noqa: E402
import occupancy  # noqa: E402
import overlay  # noqa: E402
import report  # noqa: E402
import resources  # noqa: E402
import rules  # noqa: E402

PTXAS = """\
ptxas info    : 0 bytes gmem
ptxas info    : Compiling entry function '_Zfirst' for 'sm_90'
ptxas info    : Function properties for _Zfirst
    16 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 224 registers, used 1 barriers, 16 bytes smem, 736 bytes cmem[0]
ptxas info    : Compiling entry function '_Zsecond' for 'sm_90'
ptxas info    : Function properties for _Zsecond
    40 bytes stack frame, 24 bytes spill stores, 28 bytes spill loads
ptxas info    : Used 32 registers, 528 bytes cmem[0]
ptxas info    : Function properties for _Zhelper
    8 bytes stack frame, 4 bytes spill stores, 4 bytes spill loads
"""

REMARKS = """\
a.hpp:9:1: remark: Function Name: _Zfirst [-Rpass-analysis=kernel-resource-usage]
a.hpp:9:1: remark:     TotalSGPRs: 102 [-Rpass-analysis=kernel-resource-usage]
a.hpp:9:1: remark:     VGPRs: 225 [-Rpass-analysis=kernel-resource-usage]
a.hpp:9:1: remark:     AGPRs: 8 [-Rpass-analysis=kernel-resource-usage]
a.hpp:9:1: remark:     ScratchSize [bytes/lane]: 0 [-Rpass-analysis=kernel-resource-usage]
a.hpp:9:1: remark:     Dynamic Stack: False [-Rpass-analysis=kernel-resource-usage]
a.hpp:9:1: remark:     Occupancy [waves/SIMD]: 2 [-Rpass-analysis=kernel-resource-usage]
a.hpp:9:1: remark:     SGPRs Spill: 39 [-Rpass-analysis=kernel-resource-usage]
a.hpp:9:1: remark:     VGPRs Spill: 0 [-Rpass-analysis=kernel-resource-usage]
a.hpp:9:1: remark:     LDS Size [bytes/block]: 8 [-Rpass-analysis=kernel-resource-usage]
b.hpp:7:1: warning: unused variable 'x' [-Wunused-variable]
remark: <unknown>:0:0: Function Name: _Zsecond [-Rpass-analysis=kernel-resource-usage]
remark: <unknown>:0:0:     VGPRs: 256 [-Rpass-analysis=kernel-resource-usage]
remark: <unknown>:0:0:     Dynamic Stack: True [-Rpass-analysis=kernel-resource-usage]
remark: <unknown>:0:0:     VGPRs Spill: 12 [-Rpass-analysis=kernel-resource-usage]
"""

SASS = """\
\tcode for sm_90
\t\tFunction : _Zfirst
\t.headerflags\t@"EF_CUDA_SM90 EF_CUDA_VIRTUAL_SM(EF_CUDA_SM90)"
        /*0000*/                   LDC R1, c[0x0][0x28] ;                  /* 0x00000a00ff017b82 */
                                                                           /* 0x000fe20000000800 */
        /*0010*/              @!P0 LDGSTS.E.BYPASS.128 [R4], [R2.64] ;     /* 0x0000000002047fae */
        /*0020*/               @P1 LDGSTS.E.BYPASS.128.ZFILL [R4], [R2] ;  /* 0x0000000002047fae */
        /*0030*/            @!UPT0 UIADD3 UR4, UR4, 0x1, URZ ;             /* 0x0000000104047890 */
        /*0038*/               @!PT LDS RZ, [RZ] ;                         /* 0x00000000fffff984 */
        /*0040*/                   DMMA.16x8x4 R8, R4, R6, R8 ;            /* 0x000000060408723f */
.L_x_0:
\t\tFunction : _Zsecond
        /*0000*/                   STL.64 [R1], R2 ;                       /* 0x0000000201007387 */
"""

AMD = """\

first.o:\tfile format elf64-amdgpu

Disassembly of section .text:

<.text>:
\ts_nop 0

<_Zfirst>:
\ts_load_dwordx2 s[0:1], s[4:5], 0x0
\tglobal_load_dwordx4 v[0:3], v4, s[0:1]
\tv_mfma_f64_16x16x4_f64 a[0:7], v[0:1], v[2:3], a[0:7]
\tv_mfma_f64_16x16x4_f64 a[0:7], v[0:1], v[2:3], a[0:7]

000000000000dd00 <_Zsecond>:
\tscratch_store_dword off, v0, s32 // 00000000DD00: DC704000
\t...
"""


def kernel_name(functor, threads=256, teams=2, space="Cuda"):
    """As c++filt writes it."""
    closure = (
        f"Kokkos::Impl::ParallelFor<{functor}, Kokkos::TeamPolicy<Kokkos::{space}, "
        f"Kokkos::LaunchBounds<{threads}u, {teams}u> >, Kokkos::{space}>"
    )
    return f"void Kokkos::Impl::parallel_launch_local_memory<{closure}, {threads}u, {teams}u>({closure})"


def range_name(functor, space="Cuda"):
    closure = (
        f"Kokkos::Impl::ParallelReduce<Kokkos::Impl::CombinedFunctorReducer<{functor}, Kokkos::Min<long> >, "
        f"Kokkos::RangePolicy<Kokkos::{space}, Kokkos::IndexType<long> >, Kokkos::{space}>"
    )
    return f"void Kokkos::Impl::parallel_launch_local_memory<{closure}>({closure})"


def multistage(element, tile):
    elements = ", ".join([element] * 4)
    return f"pantile::impl::matmul::MultistageKernel<{elements}, pantile::impl::arch::{tile}>"


def fact_of(tag="matmul multiply_add float same_type float by float", **changes):
    """Of a tile for floats, unless the changes say otherwise."""
    fact = {"tag": tag, "scratch": 33808, "a_size": 4, "b_size": 4, "flops": 2, "m": 128, "n": 128, "k": 16,
            "warp_m": 32, "warp_n": 64, "thread_m": 8, "thread_n": 8, "stages": 2}  # fmt: skip
    return {**fact, **changes}


def fact_without_tile(tag, scratch=-1):
    return {**dict.fromkeys(facts.KEYS[1:], 0), "tag": tag, "scratch": scratch}


def kernel_of(functor, opcodes, fact=None, bounds=(256, 2), **changes):
    kernel = {"mangled": functor, "name": kernel_name(functor, *bounds), "registers": 128, "static_scratch": 16,
              "stack": 0, "spill_stores": 0, "spill_loads": 0, "opcodes": {one: 8 for one in opcodes}, "fact": fact,
              "kokkos_own": False}  # fmt: skip
    return {"tuned": rules.is_tuned(kernel), **kernel, **changes}


PACKED = "pantile::impl::transpose::PackedKernel<float, true>"
ADD = "pantile::impl::add::PackedKernel<float, float, float, float>"
COUNTING = "pantile::impl::histogram::DeviceCountingKernel<int, unsigned int>"
CHECK = "pantile::impl::histogram::DeviceCheckKernel<int>"
PACKED_FACT = fact_without_tile("transpose packs float", 16400)
SINGLES_FACT = fact_without_tile("transpose singles float", 16400)
ADD_FACT = fact_without_tile("add packs")
COUNTING_FACT = fact_without_tile("histogram count uint32")
CHECK_FACT = fact_without_tile("histogram check")
UNTUNED = fact_without_tile("untuned")
DOUBLES_FACT = fact_of("matmul matrix double same_type double by double", scratch=38416, a_size=8, b_size=8, n=64, k=8,
                       warp_m=64, warp_n=32, thread_m=0, thread_n=0, stages=3)  # fmt: skip
WAVE = {"scratch": 17424, "warp_m": 64, "warp_n": 64, "thread_m": 0, "thread_n": 0}
COPIES = ["LDGSTS.E.BYPASS.128", "LDGSTS.E.BYPASS.128.ZFILL", "STG.E.128"]
EXCHANGE = ["LDS", "LDS.64", "SHFL.BFLY", "STG.E.128"]
WORDS = ["LDG.E.128", "STS.128", "PRMT", *EXCHANGE]
PACKS = ["LDG.E.128", "STS.128", "LDS.128", "STG.E.128"]
AMD_PACKS = ["global_load_dwordx4", "ds_write_b128", "ds_read_b128", "global_store_dwordx4"]
# (architecture, kernel) that keeps every rule; for each rule there is one that it speaks of.
GOOD = [
    ("sm_90", kernel_of(multistage("float", "cuda::Floats"), ["FFMA", "LDS.128", "LDC", *COPIES], fact_of())),
    ("sm_80", kernel_of(multistage("long", "cuda::Pairs"), ["IMAD.WIDE.U32", "LDS.128", *COPIES],
                        fact_of("matmul multiply_add integer same_type int64 by int64"))),
    ("sm_90", kernel_of(multistage("Kokkos::complex<double>", "cuda::Quads"), ["DFMA", "LDS.128", *COPIES],
                        fact_of("matmul multiply_add double same_type complex<double> by complex<double>"))),
    ("sm_80", kernel_of(multistage("double", "cuda::Doubles"), ["DMMA.8x8x4", "LDS.64", "LDS.128", *COPIES],
                        DOUBLES_FACT)),
    ("sm_90", kernel_of(multistage("float", "cuda::Tf32Floats"), ["HMMA.1688.F32.TF32", *EXCHANGE, *COPIES],
                        fact_of("matmul tf32 float same_type float by float"))),
    ("sm_90", kernel_of(multistage("float", "cuda::ThreeTf32Floats"), ["HMMA.1688.F32.TF32", *EXCHANGE, *COPIES],
                        fact_of("matmul three_tf32 float same_type float by float"))),
    ("sm_90", kernel_of(multistage("half", "cuda::LowPrecision<cuda::HalfProduct<half>, 2, 800>"),
                        ["HMMA.16816.F32", *WORDS], fact_of("matmul matrix half same_type half by half"))),
    ("sm_80", kernel_of(multistage("char", "cuda::LowPrecision<cuda::ByteProduct<char, char>, 4, 1600>"),
                        ["IMMA.16832.S8.S8", *WORDS], fact_of("matmul matrix byte mixed_types int8 by int8"))),
    ("gfx90a", kernel_of(multistage("half", "hip::Wave<hip::HalfProduct<half>, 32, 8, 4, 500>"),
                         ["v_mfma_f32_32x32x8f16", "ds_read2_b64", "ds_write_b64", *AMD_PACKS],
                         fact_of("matmul matrix half same_type half by half", **WAVE))),
    ("gfx90a", kernel_of(multistage("float", "hip::Floats"), ["v_pk_fma_f32", *AMD_PACKS], fact_of(scratch=17424))),
    ("gfx90a", kernel_of(multistage("double", "hip::Small"), ["v_fmac_f64_e32", *AMD_PACKS],
                         fact_of("matmul multiply_add double same_type double by double", scratch=17424))),
    ("gfx942", kernel_of(multistage("int", "hip::Small"), ["v_mul_lo_u32", *AMD_PACKS],
                         fact_of("matmul multiply_add integer same_type int32 by int32", scratch=17424))),
    ("gfx942", kernel_of(multistage("double", "hip::Wave<hip::DoubleProduct, 8, 8, 1, 100, 0>"),
                         ["v_mfma_f64_16x16x4_f64", "ds_read_b64", *AMD_PACKS],
                         fact_of("matmul matrix double same_type double by double", **WAVE))),
    ("sm_90", kernel_of(PACKED, [*PACKS, "LDG.E"], PACKED_FACT)),
    ("gfx942", kernel_of(PACKED, [*AMD_PACKS, "global_load_dword"], PACKED_FACT)),
    ("sm_90", kernel_of(PACKED, ["LDG.E", "STS", "LDS", "STG.E", "PRMT"],
                        fact_without_tile("transpose packed_bytes uint8", 16400))),
    ("gfx90a",
     kernel_of(PACKED, ["global_load_dword", "ds_write2_b32", "ds_read_b32", "global_store_dword", "v_perm_b32"],
                         fact_without_tile("transpose packed_bytes int8", 16400))),
    ("sm_90", kernel_of(PACKED.replace("true", "false"), ["LDG.E", "STS", "LDS", "STG.E"], SINGLES_FACT)),
    ("gfx90a", kernel_of(PACKED.replace("true", "false"),
                         ["global_load_dword", "ds_write_b32", "ds_read_b32", "global_store_dword"], SINGLES_FACT)),
    ("sm_90", kernel_of(ADD, ["LDG.E.128", "STG.E.128"], ADD_FACT)),
    ("gfx942", kernel_of(ADD, AMD_PACKS, ADD_FACT)),
    ("sm_80", kernel_of(COUNTING, ["LDG.E.128", "ATOMS.POPC.INC.32"], COUNTING_FACT)),
    ("sm_90",
     kernel_of(COUNTING.replace("int>", "long>"), ["LDG.E.128", "ATOMS.POPC.INC.32", "REDG.E.ADD.64.STRONG.GPU"],
                        fact_without_tile("histogram count uint64"))),
    ("gfx942", kernel_of(COUNTING, [*AMD_PACKS, "ds_add_u32"], COUNTING_FACT)),
    ("sm_90", kernel_of(CHECK, ["LDG.E.128"], CHECK_FACT)),
    ("gfx90a", kernel_of(CHECK, AMD_PACKS, CHECK_FACT)),
]  # fmt: skip
FORBIDDEN = {
    "sm_": ["LDL", "LDL.64", "STL.128", "LD.E", "LD.E.128", "LD.E.STRONG.GPU", "ST.E", "ST.E.64",
            "ATOMG.E.CAS.64.STRONG.GPU", "ATOM.E.CAS.64", "ATOM.E.CAST.SPIN.64", "ATOMS.CAST.SPIN.64"],
    "gfx": ["scratch_load_dword", "scratch_store_dwordx4", "buffer_load_dword", "buffer_store_dwordx2",
            "flat_load_dwordx4", "flat_store_dword", "flat_atomic_add"],
}  # fmt: skip
ALLOWED = {
    "sm_": ["LDG.E", "LDS", "LDSM.16.M88.4", "LDC.64", "LDGDEPBAR", "LDGSTS.E.64", "STG.E", "STS.64", "ULDC.64",
            "ATOMG.E.CAS.STRONG.GPU", "REDG.E.ADD.64.STRONG.GPU"],
    "gfx": ["s_load_dwordx2", "s_buffer_load_dword", "ds_read2_b64", "global_load_ushort", "global_atomic_cmpswap"],
}  # fmt: skip


class Reading(unittest.TestCase):
    def test_ptxas(self):
        first, second, helper = resources.parse_ptxas(PTXAS)
        self.assertEqual(first, {"mangled": "_Zfirst", "registers": 224, "static_scratch": 16, "stack": 16,
                                 "spill_stores": 0, "spill_loads": 0})  # fmt: skip
        self.assertEqual((second["registers"], second["static_scratch"]), (32, 0))
        self.assertEqual((second["spill_stores"], second["spill_loads"]), (24, 28))
        self.assertEqual((helper["mangled"], helper["registers"], helper["spill_stores"]), ("_Zhelper", None, 4))
        self.assertEqual([resources.spills(kernel) for kernel in (first, second, helper)], [False, True, True])

    def test_remarks(self):
        first, second = resources.parse_remarks(REMARKS)
        self.assertEqual((first["registers"], first["matrix_registers"], first["waves"]), (225, 8, 2))
        self.assertEqual((first["scalar_spills"], first["static_scratch"], first["dynamic_stack"]), (39, 8, False))
        self.assertEqual((second["registers"], second["spill_stores"], second["dynamic_stack"]), (256, 12, True))
        self.assertEqual([resources.spills(kernel) for kernel in (first, second)], [False, True])

    def test_nvidia_machine_code(self):
        found = disassembly.parse_sass(SASS)
        self.assertEqual(found["_Zfirst"], {"LDC": 1, "LDGSTS.E.BYPASS.128": 1, "LDGSTS.E.BYPASS.128.ZFILL": 1,
                                            "UIADD3": 1, "DMMA.16x8x4": 1})  # fmt: skip
        self.assertEqual(found["_Zsecond"], {"STL.64": 1})
        self.assertEqual(disassembly.count(found["_Zfirst"], r"LDGSTS\.E\.BYPASS\.128"), 2)

    def test_amd_machine_code(self):
        found = disassembly.parse_amd(AMD)
        self.assertEqual(sorted(found), ["_Zfirst", "_Zsecond"])
        self.assertEqual(found["_Zfirst"], {"s_load_dwordx2": 1, "global_load_dwordx4": 1,
                                            "v_mfma_f64_16x16x4_f64": 2})  # fmt: skip
        self.assertEqual(found["_Zsecond"], {"scratch_store_dword": 1})

    def test_names(self):
        self.assertEqual(names.demangle(["_Z1fI1AI1BI1CEEEvv"]), ["void f<A<B<C>>>()"])
        name = kernel_name(multistage("Kokkos::complex<float>", "cuda::Pairs"), 64, 3)
        self.assertEqual(names.launch_bounds(name), (64, 3))
        self.assertIsNone(names.launch_bounds(name.replace("LaunchBounds<64u, 3u>", "LaunchBounds<0u, 0u>")))
        self.assertEqual(names.functor(name), multistage("Kokkos::complex<float>", "cuda::Pairs"))
        self.assertEqual(names.shorten_tuned(name, 60), "matmul::MultistageKernel<complex<float>,Pairs>")
        self.assertEqual(names.shorten_tuned(kernel_name(PACKED), 60), "transpose::PackedKernel<float,true>")
        self.assertTrue(names.is_kokkos_own(kernel_name("Kokkos::Impl::ViewFill<int>")))
        self.assertFalse(names.is_kokkos_own(name))

    def test_what_is_tuned(self):
        for fact, tuned in ((fact_of(), True), (CHECK_FACT, True), (UNTUNED, False), (None, False),
                            (fact_without_tile("untuned any_address"), False)):  # fmt: skip
            with self.subTest(fact=fact):
                self.assertEqual(kernel_of(PACKED, [], fact)["tuned"], tuned)

    def test_a_kernel_that_ought_to_have_a_tag(self):
        functor = "pantile::impl::transpose::NewKernel<float>"
        missing = ["has no tag that says what it is (arch/kernel_tag.hpp)"]
        bounded = kernel_name(functor).replace("TeamPolicy", "RangePolicy")
        for name, untagged, untuned in (
            (kernel_name(functor, 256, 2), missing,
             ["declares that 2 teams should fit, and its tag says that nobody tunes it"]),
            (kernel_name(functor, 256, 1), missing, []), (kernel_name(functor, 0, 0), missing, []),
            (bounded, missing, ["declares that 2 teams should fit, and its tag says that nobody tunes it"]),
            (range_name(functor), [], []), (kernel_name("users::Kernel", 256, 2), [], []),
        ):  # fmt: skip
            with self.subTest(name=name):
                self.assertEqual(rules.faults_of("sm_90", {**kernel_of(functor, ["LDS"]), "name": name}), untagged)
                self.assertEqual(rules.faults_of("sm_90", {**kernel_of(functor, ["LDS"], UNTUNED), "name": name}),
                                 untuned)

    def test_only_teams_have_bounds_to_declare(self):
        check = {**kernel_of(CHECK, ["LDG.E.128"], CHECK_FACT), "name": range_name(CHECK)}
        self.assertEqual(rules.faults("sm_90", check), [])
        undeclared = kernel_of(PACKED, PACKS, PACKED_FACT, bounds=(0, 0))
        self.assertEqual(rules.faults("sm_90", undeclared), ["declares no LaunchBounds<threads, teams>"])

    def test_a_kernel_is_compiled_again_from_one_source_only(self):
        def unit(source, *kernels):
            return {"source": source, "kernels": [{"mangled": name, "tuned": name.isupper()} for name in kernels]}

        units = [unit("a", "A", "x"), unit("b", "A"), unit("c", "x"), unit("d", "A", "B")]
        self.assertEqual(compilation.sources_with_tuned(units), ["a", "d"])


class Facts(unittest.TestCase):
    def test_tags_and_numbers_come_from_the_names_of_functions(self):
        functors = [multistage("double", "cuda::Doubles"), PACKED, "pantile::impl::launch::GridStride<float>"]
        text = facts.program(functors, ["pantile/pantile.hpp"])
        self.assertIn("#include <pantile/pantile.hpp>", text)
        self.assertIn(f"template void fact<fact_of<{PACKED}>(1)>();", text)

        def symbol(tag, *numbers):
            letters, values = ("".join(f"L{kind}{value}E" for value in them)
                               for kind, them in (("c", map(ord, tag)), ("l", numbers)))
            return f"_Z4factIXtl4FacttlN7pantile4impl4arch9KernelTagEtlA96_c{letters}EE{values}EEEvv:".replace("-", "n")

        doubles = symbol(DOUBLES_FACT["tag"], 0, 38416, 8, 8, 2, 128, 64, 8, 64, 32, 0, 0, 3)
        lines = "\n\tret\n".join(["\t.text", doubles, symbol("add packs", 1, -1), symbol("", 2)])
        self.assertEqual(facts.parse(lines, functors),
                         {functors[0]: DOUBLES_FACT, PACKED: fact_without_tile("add packs")})

    def test_kernels_of_types_that_headers_do_not_have_are_not_asked(self):
        half = "Kokkos::Experimental::Impl::floating_point_wrapper<__half>"
        for functor, known in (
            (PACKED, True), (PACKED.replace("float", half), True),
            (multistage("unsigned long", "cuda::Flat<4, 70>"), True),
            (PACKED.replace("float", "users::Number"), False), (PACKED.replace("float", "Number"), False),
            ("pantile::impl::fill::ThreadKernel<float, main::{lambda(int)#1}>", False),
            ("pantile::impl::fill::ThreadKernel<float, __nv_dl_wrapper_t<int>>", False),
            ("pantile::impl::fill::ThreadKernel<float, (anonymous namespace)::Squares>", False),
        ):  # fmt: skip
            with self.subTest(functor=functor):
                self.assertEqual(facts.of_known_types(functor), known)

    def test_arithmetic_intensity(self):
        words = fact_of()
        self.assertEqual(facts.per_byte_of_memory(words), 32)  # 2 x 128 x 128 / (256 x 4)
        self.assertEqual(facts.per_byte_of_scratch(words), 2)  # 2 x 8 x 8 / (16 x 4)
        self.assertAlmostEqual(facts.per_byte_of_scratch(DOUBLES_FACT), 2 * 64 * 32 / (96 * 8))
        halves_as_words = fact_of(a_size=2, b_size=2)
        self.assertEqual(facts.per_byte_of_memory(halves_as_words), 64)
        self.assertEqual(facts.per_byte_of_scratch(halves_as_words), 2)
        self.assertIsNone(facts.per_byte_of_memory(PACKED_FACT))
        self.assertIsNone(facts.per_byte_of_scratch(None))


class Occupancy(unittest.TestCase):
    def fit(self, arch, threads, registers, scratch=None):
        found = occupancy.fit(occupancy.MACHINES[arch], threads, registers, scratch)
        return found.teams, found.bound

    def test_registers_of_a_warp_come_in_units(self):
        # As NVIDIA's calculator has it: 2 teams of 256 threads with 128 registers, 1 with one register more.
        self.assertEqual(self.fit("sm_90", 256, 128), (2, "registers"))
        self.assertEqual(self.fit("sm_90", 256, 129), (1, "registers"))
        self.assertEqual(self.fit("sm_80", 128, 168), (3, "registers"))
        self.assertEqual(self.fit("sm_80", 128, 255), (2, "registers"))
        self.assertEqual(self.fit("sm_90", 256, 32), (8, "registers"))

    def test_warps_and_teams(self):
        self.assertEqual(self.fit("sm_90", 1024, 16), (2, "threads"))
        self.assertEqual(self.fit("sm_90", 32, 16), (32, "threads"))
        self.assertEqual(self.fit("sm_86", 1024, 16), (1, "threads"))
        self.assertEqual(self.fit("gfx942", 1024, 16), (2, "threads"))
        self.assertEqual(self.fit("gfx90a", 128, 16), (16, "threads"))

    def test_scratch(self):
        self.assertEqual(self.fit("sm_80", 128, 64, 40 * 1024), (4, "scratch"))
        self.assertEqual(self.fit("sm_90", 128, 64, 40 * 1024), (5, "scratch"))
        self.assertEqual(self.fit("gfx942", 256, 64, 17 * 1024), (3, "scratch"))
        self.assertEqual(occupancy.scratch_of_team(33792, 256, 16), 33792 + 8 * 258 + 16)

    def test_amd_registers_are_shared_by_both_kinds(self):
        # LLVM's remarks for these: 8, 4, 2 and 1 waves per SIMD.
        for registers, waves in ((64, 8), (128, 4), (225, 2), (257, 1)):
            self.assertEqual(self.fit("gfx90a", 256, registers)[0], waves)
        # More than 100 scalar registers leave room for 7 waves, whatever the vector registers are.
        self.assertEqual(occupancy.fit(occupancy.MACHINES["gfx942"], 256, 32, None, 7).teams, 7)
        self.assertEqual(occupancy.registers_of_thread(126, 128), 256)
        self.assertEqual(occupancy.registers_of_thread(126, 0), 126)

    def test_every_default_architecture_is_known(self):
        for arch in ("sm_80", "sm_90", "gfx90a", "gfx942"):
            self.assertIn(arch, occupancy.MACHINES)
            self.assertIn(arch, overlay.ARCHITECTURES)


class Judging(unittest.TestCase):
    def test_good_kernels_have_no_faults(self):
        for arch, kernel in GOOD:
            with self.subTest(arch=arch, kernel=kernel["mangled"]):
                self.assertEqual(rules.faults(arch, kernel), [])

    def test_every_rule_speaks_of_a_kernel(self):
        for rule in rules.RULES:
            with self.subTest(rule=rule):
                self.assertTrue(any(rule in rules.rules_for(arch, kernel, rules.RULES) for arch, kernel in GOOD))

    def test_every_instruction_that_must_be_there_is_missed(self):
        for arch, kernel in GOOD:
            patterns = [one for rule in rules.rules_for(arch, kernel, rules.RULES) for one in rule.must]
            self.assertTrue(patterns)
            for pattern in patterns:
                with self.subTest(arch=arch, kernel=kernel["mangled"], pattern=pattern):
                    broken = copy.deepcopy(kernel)
                    broken["opcodes"] = {one: 1 for one in kernel["opcodes"] if not re.match(pattern, one)}
                    broken["opcodes"]["NOP"] = 1
                    self.assertIn(f"lacks {rules.plain(pattern)}", rules.faults(arch, broken))

    def test_every_forbidden_instruction_is_found(self):
        used = set()
        for arch, kernel in GOOD:
            family = next(prefix for prefix in FORBIDDEN if arch.startswith(prefix))
            for opcode in FORBIDDEN[family]:
                with self.subTest(arch=arch, opcode=opcode):
                    broken = copy.deepcopy(kernel)
                    broken["opcodes"][opcode] = 3
                    (fault,) = rules.faults(arch, broken)
                    self.assertTrue(fault.startswith("has 3 "), fault)
                    used.add(re.search(r"\((.*)\)", fault)[1])
            for opcode in ALLOWED[family]:
                with self.subTest(arch=arch, opcode=opcode):
                    fine = copy.deepcopy(kernel)
                    fine["opcodes"][opcode] = 1
                    self.assertEqual(rules.faults(arch, fine), [])
        self.assertEqual(used, {rule.why for rule in rules.RULES if rule.never})

    def assert_fault(self, text, arch="sm_90", **changes):
        words, fact = ["FFMA", "LDS.128", *COPIES], fact_of()
        if arch.startswith("gfx"):
            words, fact = ["v_fma_f32", *AMD_PACKS], fact_of(scratch=17424)
        kernel = kernel_of(multistage("float", "cuda::Floats"), words, fact)
        kernel.update(changes)
        faults = rules.faults(arch, kernel)
        self.assertEqual(len(faults), 1, faults)
        self.assertIn(text, faults[0])

    def test_resources(self):
        self.assert_fault("spills", spill_stores=8)
        self.assert_fault("spills", spill_loads=8)
        self.assert_fault("spills", arch="gfx942", spill_stores=1, spill_loads=None)
        self.assert_fault("stack of unknown size", arch="gfx942", dynamic_stack=True)
        self.assert_fault("registers leave room for 1 of the 2 teams", registers=129)
        self.assert_fault("registers leave room for 1 of the 2 teams", arch="gfx90a", registers=128,
                          matrix_registers=136)  # fmt: skip
        self.assert_fault("scratch leave room for 1 of the 2 teams", arch="gfx942", fact=fact_of(scratch=33808))
        self.assert_fault("scratch leave room for 1 of the 2 teams", fact=fact_of(scratch=120000))
        self.assert_fault("threads leave room for 2 of the 3 teams", registers=16, fact=fact_of(scratch=-1),
                          name=kernel_name(multistage("float", "cuda::Floats"), 1024, 3))  # fmt: skip
        self.assert_fault("declares no LaunchBounds", name=kernel_name(multistage("float", "cuda::Floats"), 0, 0))

    def test_what_nobody_wrote_a_rule_for(self):
        self.assert_fault("its machine code was not read", opcodes={})
        lone = kernel_of(multistage("float", "cuda::Floats"), ["IMAD.MOV.U32", "IMAD.WIDE", "LDS.128", *COPIES],
                         fact_of())
        self.assertEqual(rules.faults("sm_90", lone), ["lacks FFMA"])
        faults = rules.faults("sm_90", kernel_of(PACKED, PACKS, fact_without_tile("transpose pack float")))
        self.assertEqual(faults, ["no rule says what it must contain"])

    def test_an_instruction_as_one_reads_it(self):
        self.assertEqual(rules.plain(r"IMAD(?!\.(MOV|SHL))"), "IMAD")
        self.assertEqual(rules.plain("v_(pk_)?(fma|fmac)_f32"), "v_fma_f32")
        self.assertEqual(rules.plain("scratch_"), "scratch")
        self.assertEqual(rules.plain(r"LDS\.128"), "LDS.128")
        self.assertEqual(rules.plain(r"LD\b"), "LD")


class Telling(unittest.TestCase):
    def tell(self, *kernels, compiled=True, every=False):
        unit = {"source": "a.cpp", "arch": "sm_90", "compiled": compiled, "kernels": list(kernels)}
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            status, table = report.tell([unit], 80, every)
        return types.SimpleNamespace(status=status, text=out.getvalue(), table="\n".join(table))

    def other(self, **changes):
        return kernel_of("pantile::impl::add::Kernel<float>", ["LDL"], UNTUNED, (256, 1), **changes)

    def test_a_good_kernel(self):
        told = self.tell(GOOD[0][1], self.other())
        self.assertEqual(told.status, 0)
        self.assertIn("FFMA 8, LDGSTS.E.BYPASS.128 16, LDS.128 8, STG.E.128 8\n", told.text)
        figures = " ".join(told.text.splitlines()[1].split()[:11])
        self.assertEqual(figures, "sm_90 matmul::MultistageKernel<float,Floats> 256 128 33808 2 2 registers 25 2.0 "
                                  "32.0")
        self.assertNotIn("add::Kernel", told.text)
        self.assertIn("add::Kernel<float> [Team]", told.table)

    def test_what_fails(self):
        slow = copy.deepcopy(GOOD[0][1])
        slow["opcodes"]["STL"] = 2
        told = self.tell(slow)
        self.assertEqual(told.status, 1)
        self.assertIn("broken: sm_90 matmul::MultistageKernel<float,Floats>: has 2 STL (local memory)", told.text)
        told = self.tell(GOOD[0][1], self.other(spill_stores=4))
        self.assertEqual(told.status, 1)
        self.assertIn("spills: sm_90 add::Kernel<float> [Team]", told.text)
        told = self.tell(compiled=False)
        self.assertEqual(told.status, 1)
        self.assertIn("failed: sm_90 a.cpp", told.text)

    def test_every_kernel_where_it_is_asked_for(self):
        told = self.tell(self.other(), every=True)
        self.assertEqual(told.status, 0)
        self.assertIn("add::Kernel<float> [Team]", told.text)

    def test_a_kernel_of_two_units_is_told_once(self):
        rows, own = report.distinct([
            {"arch": "sm_90", "source": "a", "kernels": [self.other(), {"mangled": "b", "kokkos_own": True}]},
            {"arch": "sm_90", "source": "b", "kernels": [self.other()]},
            {"arch": "sm_80", "source": "b", "kernels": [self.other()]},
        ])  # fmt: skip
        self.assertEqual(([row[:2] for row in rows], own), ([("sm_90", "a"), ("sm_80", "b")], 1))


if __name__ == "__main__":
    unittest.main()

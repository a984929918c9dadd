# SPDX-FileCopyrightText: Pantile contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the tuned kernels must be like. A new kernel, tile or engine is a line in RULES."""

import re
from dataclasses import dataclass

import modelled
import names
import occupancy
import resources
from disassembly import count

# Kernels that are tuned: their functors. So is every kernel of the library that declares two teams or more.
TUNED = r"pantile::impl::\w+::((Multistage|Packed|Singles)\w*|DeviceCheckKernel)<"


@dataclass(frozen=True)
class Rule:
    """
    arch, kernel: patterns of the architecture's name and of the functor's, which is followed by the engine in brackets
    must, never: opcodes begin with these patterns; why: what is wrong with those
    """

    arch: str
    kernel: str
    must: tuple = ()
    never: tuple = ()
    why: str = ""


MULTIPLY = r".*::Multistage\w*<"
# A thread's own multiply-adds, by the type of the sums.
FLOATS = r".*::Multistage\w*<([^,]+, ){3}(float|Kokkos::complex<float>), .*\[multiply_add\]"
DOUBLES = r".*::Multistage\w*<([^,]+, ){3}(double|Kokkos::complex<double>), .*\[multiply_add\]"
INTEGERS = r".*::Multistage\w*<([^,]+, ){3}(unsigned )?(int|long), .*\[multiply_add\]"
# Elements that keep their type on the way to scratch.
SAME = r".*::Multistage\w*<(?P<e>[^,]+), (?P=e), (?P=e), (?P=e), "
# Matrix instructions, by what they multiply; elements of low precision become words on their way to scratch.
DOUBLE = r".*::Multistage\w*<([^,]+, ){3}double, .*\[matrix\]"
NARROW = MULTIPLY + r".*\b(Half|Byte)Product\b"
# Of a lane's sums fewer than 16 bytes of C are neighbours, so that lanes give each other theirs.
WORDS = MULTIPLY + r".*(\b(Half|Byte)Product\b|\[(three_)?tf32\])"
# Elements of which eight, four, two or one are a pack of 16 bytes; of single bytes four are moved at once.
PACKS = (
    r".*::Packed(Pairs)?Kernel<("
    r"float|double|int|unsigned int|long|unsigned long|Kokkos::complex<\w+>|[\w:]*floating_point_wrapper<\w+>)>"
)
PACKED_BYTES = r".*::Packed(Pairs)?Kernel<(un)?signed char>"
SINGLES = r".*::Singles(Pairs)?Kernel<"

# Kernels that take a team's scratch, or none. In two of them a bin is looked for, and nvcc no longer knows where what may be
# found is.
SCRATCH_OF_OURS = r"pantile::impl::(?!histogram::(Global|Scratch)Kernel)"
ANYWHERE = "where to is known at run time only"

RULES = [
    Rule("sm_", ".*", never=("LDL", "STL"), why="local memory"),
    Rule("sm_", ".*", never=(r"LD\b", r"ST\b"), why=ANYWHERE),
    Rule("sm_", ".*", never=(r"ATOMG?\.E\.CAS\.64", r"ATOM[SG]?\.(E\.)?CAST\.SPIN\.64"), why="a loop of compare and swap"),
    Rule("gfx", ".*", never=("scratch_", "buffer_load", "buffer_store"), why="local memory"),
    Rule("gfx", ".*", never=("flat_",), why=ANYWHERE),
    # Products.
    Rule("sm_", FLOATS, must=("FFMA",)),
    Rule("sm_", DOUBLES, must=("DFMA",)),
    Rule("sm_", INTEGERS, must=(r"IMAD(?!\.(MOV|SHL|IADD|X))",)),
    Rule("sm_", DOUBLE, must=("DMMA",)),
    Rule("sm_", MULTIPLY + r".*(\bHalfProduct\b|\[(three_)?tf32\])", must=("HMMA",)),
    Rule("sm_", MULTIPLY + r".*\bByteProduct\b", must=("IMMA",)),
    Rule("gfx", FLOATS, must=("v_(pk_)?(fma|fmac)_f32",)),
    Rule("gfx", DOUBLES, must=("v_(fma|fmac)_f64",)),
    Rule("gfx", INTEGERS, must=("v_(mul_lo_u32|mad_u64_u32)",)),
    Rule("gfx", MULTIPLY + r".*\[(?!multiply_add)\w+\]", must=("v_mfma",)),
    # Panels into scratch, panels out of it, outputs to memory.
    Rule("sm_", SAME + r"(?!.*\b(Half|Byte)Product\b)", must=(r"LDGSTS\.E\.BYPASS\.128",)),
    Rule("sm_", NARROW, must=(r"LDG\.E\.128", r"STS\.128", "PRMT")),
    Rule("sm_", WORDS, must=(r"LDS\.64", r"SHFL\.BFLY", r"STG\.E\.128")),
    Rule("sm_", SAME + r".*\[multiply_add\]", must=(r"LDS\.128", r"STG\.E\.128")),
    Rule("sm_", DOUBLE, must=(r"LDS\.64", r"LDS\.128", r"STG\.E\.128")),
    Rule("gfx", SAME, must=("global_load_dwordx(2|4)", "ds_write")),
    Rule("gfx", NARROW, must=("global_load_dwordx4", "ds_write_b(64|128)", "ds_read(2st64|2)?_b(64|128)")),
    Rule("gfx", MULTIPLY + r".*\bWave<.*(Double|Half|Byte)Product", must=("ds_read_b128",)),
    Rule("gfx", MULTIPLY + r".*\bWave<", must=("global_store_dwordx4",)),
    Rule("gfx", SAME + r".*\[multiply_add\]", must=("ds_read_b128", "global_store_dwordx4")),
    # Transposition.
    Rule("sm_", PACKS, must=(r"LDG\.E\.128", r"STS\.128", r"LDS\.128", r"STG\.E\.128")),
    Rule("gfx", PACKS, must=("global_load_dwordx4", "ds_write_b128", "ds_read_b128", "global_store_dwordx4")),
    Rule("sm_", PACKED_BYTES, must=(r"LDG\.E(?!\.)", r"STS(?!\.)", r"LDS(?!\.)", r"STG\.E(?!\.)", "PRMT")),
    Rule("gfx", PACKED_BYTES, must=(r"global_load_dword\b", r"ds_write2?(st64)?_b32", r"ds_read2?(st64)?_b32",
                                    r"global_store_dword\b", "v_perm_b32")),  # fmt: skip
    Rule("sm_", SINGLES, must=(r"LDG\.E", "STS", "LDS", r"STG\.E")),
    Rule("gfx", SINGLES, must=("global_load_", "ds_write", "ds_read", "global_store_")),
    # Addition and counting.
    Rule("sm_", r".*::add::PackedKernel<", must=(r"LDG\.E\.128", r"STG\.E\.128")),
    Rule("gfx", r".*::add::PackedKernel<", must=("global_load_dwordx4", "global_store_dwordx4")),
    Rule("sm_", r".*::DeviceCountingKernel<", must=(r"LDG\.E\.128", r"ATOMS\.POPC\.INC")),
    Rule("sm_", r".*::DeviceCountingKernel<.*\blong>", must=(r"REDG?\.E\.ADD\.64",)),
    Rule("gfx", r".*::DeviceCountingKernel<", must=("global_load_dwordx4", "ds_add_u32")),
    Rule("sm_", r".*::DeviceCheckKernel<", must=(r"LDG\.E\.128",)),
    Rule("gfx", r".*::DeviceCheckKernel<", must=("global_load_dwordx4",)),
]


@dataclass(frozen=True)
class Budget:
    """
    kernel: pattern of its functor; figure: of modelled.py, in every case at most `most`; what: as one says it
    """

    kernel: str
    figure: str
    most: float
    what: str


TILES = r".*::(Multistage|Packed|Singles)\w*<"
BUDGETS = [
    Budget(TILES, "scratch_stores", 1.1, "wavefronts for each that a store into scratch needs"),
    Budget(TILES, "scratch_loads", 1.1, "wavefronts for each that a load from scratch needs"),
    # Single elements begin anywhere.
    Budget(r".*::(Multistage|Packed)\w*<", "global_loads", 1.1, "sectors for each that a load from memory needs"),
    Budget(r".*::(Multistage|Packed)\w*<", "global_stores", 1.1, "sectors for each that a store to memory needs"),
]
# What these must not be bound by.
NOT_BOUND_BY = [(TILES, "scratch")]

# What is beyond a budget or bound by scratch today: no more than was found of sm_90's, and nothing else. A line that no longer
# holds goes.
HALF_BY_FLOAT = MULTIPLY + r"[\w:]*floating_point_wrapper<\w+>, float, "
OPEN = [
    Budget(HALF_BY_FLOAT, "scratch_stores", 2.0, "a sector of half words is 16 rows of floats deep, and 8 fill the banks"),
    Budget(HALF_BY_FLOAT, "global_loads", 1.34, "panels of 8 floats are half a sector of half words deep"),
    Budget(HALF_BY_FLOAT + ".*Tall", "bound", 1.0, "by those stores"),
    Budget(r".*::Singles\w*<([\w:]*floating_point_wrapper<\w+>|(un)?signed char)>", "scratch_stores", 2.0,
           "lines of 2 and 1 bytes in scratch, of kernels bound by memory, or by the arithmetic that 1.0 would add to"),
]


def is_tuned(name):
    functor, bounds = names.functor(name), names.launch_bounds(name)
    if re.match(TUNED, functor):
        return True
    return functor.startswith("pantile::impl::") and bounds is not None and bounds[1] >= 2


def rules_for(arch, kernel, rules):
    engine = (kernel.get("fact") or {}).get("engine")
    subject = names.functor(kernel["name"]) + (f" [{engine}]" if engine else "")
    return [rule for rule in rules if re.match(rule.arch, arch) and re.match(rule.kernel, subject)]


def found_instructions(arch, kernel, rules=None):
    """What it must have, as (pattern, how often)."""
    patterns = [one for rule in rules_for(arch, kernel, rules or RULES) for one in rule.must]
    return [(one, count(kernel["opcodes"], one)) for one in dict.fromkeys(patterns)]


def fit(arch, kernel):
    """How many teams fit, or None for an architecture of unknown limits or a kernel that declares no teams."""
    machine, bounds = occupancy.MACHINES.get(arch), names.launch_bounds(kernel["name"])
    if machine is None or bounds is None or kernel.get("registers") is None:
        return None
    scratch = (kernel.get("fact") or {}).get("scratch", -1)
    if scratch >= 0:
        scratch = occupancy.scratch_of_team(scratch, bounds[0], kernel.get("static_scratch") or 0)
    registers = occupancy.registers_of_thread(kernel["registers"], kernel.get("matrix_registers"))
    return occupancy.fit(machine, bounds[0], registers, None if scratch < 0 else scratch, kernel.get("waves"))


def faults(arch, kernel, rules=None):
    """Sentences on what a tuned kernel breaks."""
    return [*faults_of_resources(arch, kernel), *faults_of_instructions(arch, kernel, rules or RULES),
            *faults_of_budgets(kernel), *faults_of_loops(kernel)]  # fmt: skip


def faults_of(arch, kernel):
    """Those of a tuned kernel, or of another one."""
    return faults(arch, kernel) if kernel["tuned"] else [*faults_of_addresses(arch, kernel), *faults_of_loops(kernel)]


def faults_of_budgets(kernel):
    cases, functor = kernel.get("modelled") or {}, names.functor(kernel["name"])
    for budget in BUDGETS:
        found = modelled.worst(cases, budget.figure) if re.match(budget.kernel, functor) else None
        if found and found[0] > max(budget.most, known(functor, budget.figure)):
            yield f"takes {found[0]:.2f} {budget.what} ({found[1]}), beyond {budget.most}"
    for pattern, pipe in NOT_BOUND_BY:
        bound = [case for case, figures in cases.items() if figures["bound"] == pipe]
        if bound and re.match(pattern, functor) and not known(functor, "bound"):
            share = min(cases[case]["share"] or 0 for case in bound)
            yield f"is bound by {pipe} at {100 * share:.0f} % of the peak ({', '.join(bound)})"


def known(functor, figure):
    """What OPEN lets the kernel have of a figure."""
    return max((one.most for one in OPEN if one.figure == figure and re.match(one.kernel, functor)), default=0)


def faults_of_addresses(arch, kernel):
    """Of what is tuned the rules say it."""
    if re.match(SCRATCH_OF_OURS, names.functor(kernel["name"])):
        for rule in RULES:
            if rule.why == ANYWHERE and re.match(rule.arch, arch):
                for pattern in rule.never:
                    if number := count(kernel["opcodes"], pattern):
                        yield f"has {number} {plain(pattern)} ({rule.why})"


def faults_of_loops(kernel):
    loops = dict.fromkeys(loop for figures in (kernel.get("modelled") or {}).values() for loop in figures["loops"])
    for loop in loops:
        yield f"executes {loop}, a loop where the hardware adds"


def faults_of_resources(arch, kernel):
    if resources.spills(kernel):
        yield "spills registers to memory"
    if kernel.get("dynamic_stack"):
        yield "has a stack of unknown size"
    bounds = names.launch_bounds(kernel["name"])
    if bounds is None:
        if not names.is_of_teams(kernel["name"]):
            return
        yield "declares no LaunchBounds<threads, teams>"
        return
    found = fit(arch, kernel)
    if found is None:
        return
    for what, teams in found.bounds().items():
        if teams < bounds[1]:
            yield f"{what} leave room for {teams} of the {bounds[1]} teams that it declares"


def faults_of_instructions(arch, kernel, rules):
    mine = rules_for(arch, kernel, rules)
    if not kernel["opcodes"]:
        yield "its machine code was not read: no disassembler"
        return
    if not any(rule.must for rule in mine):
        yield "no rule says what it must contain"
    for pattern, number in found_instructions(arch, kernel, rules):
        if number == 0:
            yield f"lacks {plain(pattern)}"
    for pattern, why in dict.fromkeys((one, rule.why) for rule in mine for one in rule.never):
        if number := count(kernel["opcodes"], pattern):
            yield f"has {number} {plain(pattern)} ({why})"


def plain(pattern):
    """A pattern as one reads it, of alternatives the first: v_(pk_)?(fma|fmac)_f32 is v_fma_f32."""
    text = re.sub(r"\(\?!.*\)$|\([^()]*\)\?|\\b", "", pattern)
    return re.sub(r"\((\w+)[^()]*\)", r"\1", text).replace("\\", "").rstrip("_")

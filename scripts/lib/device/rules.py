# SPDX-FileCopyrightText: Pantile contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the tuned kernels must be like, by the words of their tags. A new kernel or engine is a line in RULES."""

import re
from dataclasses import dataclass

import modelled
import names
import occupancy
import resources
from disassembly import count


@dataclass(frozen=True)
class Rule:
    """
    arch, kernel: patterns of the architecture's name and of the kernel's words
    must, never: opcodes begin with these patterns; why: what is wrong with those
    """

    arch: str
    kernel: str
    must: tuple = ()
    never: tuple = ()
    why: str = ""


# Elements that become words of several of them on their way to scratch.
LOW_PRECISION = r"matmul matrix (half|byte) "
# Of a lane's sums fewer than 16 bytes of C are neighbours, so that lanes give each other theirs.
EXCHANGED = r"matmul (matrix (half|byte)|(three_)?tf32) "
# A wave's 64 x 64 sums.
WAVE = r"\b.* warp 64x64$"
ANYWHERE = "where to is known at run time only"
# Words of tags of kernels that nobody tunes, and of those that take any address.
UNTUNED, ANY_ADDRESS = "untuned", "any_address"

RULES = [
    Rule("sm_", ".*", never=("LDL", "STL"), why="local memory"),
    Rule("sm_", ".*", never=(r"LD\b", r"ST\b"), why=ANYWHERE),
    Rule("sm_", ".*", never=(r"ATOMG?\.E\.CAS\.64", r"ATOM[SG]?\.(E\.)?CAST\.SPIN\.64"),
         why="a loop of compare and swap"),
    Rule("gfx", ".*", never=("scratch_", "buffer_load", "buffer_store"), why="local memory"),
    Rule("gfx", ".*", never=("flat_",), why=ANYWHERE),
    # Products: a thread's own multiply-adds, matrix instructions.
    Rule("sm_", "matmul multiply_add float ", must=("FFMA",)),
    Rule("sm_", "matmul multiply_add double ", must=("DFMA",)),
    Rule("sm_", "matmul multiply_add integer ", must=(r"IMAD(?!\.(MOV|SHL|IADD|X))",)),
    Rule("sm_", "matmul matrix double ", must=("DMMA",)),
    Rule("sm_", r"matmul (matrix half|(three_)?tf32) ", must=("HMMA",)),
    Rule("sm_", "matmul matrix byte ", must=("IMMA",)),
    Rule("gfx", "matmul multiply_add float ", must=("v_(pk_)?(fma|fmac)_f32",)),
    Rule("gfx", "matmul multiply_add double ", must=("v_(fma|fmac)_f64",)),
    Rule("gfx", "matmul multiply_add integer ", must=("v_(mul_lo_u32|mad_u64_u32)",)),
    Rule("gfx", r"matmul (?!multiply_add )", must=("v_mfma",)),
    # Panels into scratch, panels out of it, outputs to memory.
    Rule("sm_", rf"(?!{LOW_PRECISION})matmul .*\bsame_type\b", must=(r"LDGSTS\.E\.BYPASS\.(LTC128B\.)?128",)),
    Rule("sm_", LOW_PRECISION, must=(r"LDG\.E\.128", r"STS\.128", "PRMT")),
    Rule("sm_", EXCHANGED, must=(r"LDS\.64", r"SHFL\.BFLY", r"STG\.E\.128")),
    Rule("sm_", r"matmul multiply_add .*\bsame_type\b", must=(r"LDS\.128", r"STG\.E\.128")),
    Rule("sm_", "matmul matrix double ", must=(r"LDS\.128", r"STG\.E\.128")),
    Rule("sm_", "matmul matrix double (?!.*complex)", must=(r"LDS\.64",)),
    Rule("gfx", r"matmul .*\bsame_type\b", must=("global_load_dwordx(2|4)", "ds_write")),
    Rule("gfx", LOW_PRECISION, must=("global_load_dwordx4", "ds_write_b(64|128)", "ds_read(2st64|2)?_b(64|128)")),
    Rule("gfx", "matmul matrix (double|half|byte)" + WAVE, must=("ds_read_b128",)),
    Rule("gfx", "matmul matrix" + WAVE, must=("global_store_dwordx4",)),
    Rule("gfx", r"matmul multiply_add .*\bsame_type\b", must=("ds_read_b128", "global_store_dwordx4")),
    # Transposition.
    Rule("sm_", "transpose packs ", must=(r"LDG\.E\.128", r"STS\.128", r"LDS\.128", r"STG\.E\.128")),
    Rule("gfx", "transpose packs ",
         must=("global_load_dwordx4", "ds_write_b128", "ds_read_b128", "global_store_dwordx4")),
    Rule("sm_", "transpose packed_bytes ",
         must=(r"LDG\.E(?!\.)", r"STS(?!\.)", r"LDS(?!\.)", r"STG\.E(?!\.)", "PRMT")),
    Rule("gfx", "transpose packed_bytes ",
         must=(r"global_load_dword\b", r"ds_write2?(st64)?_b32", r"ds_read2?(st64)?_b32", r"global_store_dword\b",
               "v_perm_b32")),
    Rule("sm_", "transpose singles ", must=(r"LDG\.E", "STS", "LDS", r"STG\.E")),
    Rule("gfx", "transpose singles ", must=("global_load_", "ds_write", "ds_read", "global_store_")),
    # Addition and counting.
    Rule("sm_", "add packs", must=(r"LDG\.E\.128", r"STG\.E\.128")),
    Rule("gfx", "add packs", must=("global_load_dwordx4", "global_store_dwordx4")),
    Rule("sm_", "histogram count ", must=(r"LDG\.E\.128", r"ATOMS\.POPC\.INC")),
    Rule("sm_", "histogram count u?int64", must=(r"REDG?\.E\.ADD\.64",)),
    Rule("gfx", "histogram count ", must=("global_load_dwordx4", "ds_add_u32")),
    Rule("sm_", "histogram check", must=(r"LDG\.E\.128",)),
    Rule("gfx", "histogram check", must=("global_load_dwordx4",)),
]  # fmt: skip


@dataclass(frozen=True)
class Budget:
    """
    kernel: pattern of its words; figure: of modelled.py, in every case at most `most`; what: as one says it
    """

    kernel: str
    figure: str
    most: float
    what: str


TILES = "(matmul|transpose|add) "
BUDGETS = [
    Budget(TILES, "scratch_stores", 1.1, "wavefronts for each that a store into scratch needs"),
    Budget(TILES, "scratch_loads", 1.1, "wavefronts for each that a load from scratch needs"),
    # Single elements begin anywhere.
    Budget("matmul |transpose pack|add ", "global_loads", 1.1, "sectors for each that a load from memory needs"),
    Budget("matmul |transpose pack|add ", "global_stores", 1.1, "sectors for each that a store to memory needs"),
]
# What these must not be bound by.
NOT_BOUND_BY = [(TILES, "scratch")]

# What is beyond a budget or bound by scratch today: no more than was found of sm_90's, and nothing else. A line that no
# longer holds goes.
HALF_BY_FLOAT = r"matmul .*\bb?half by float "
OPEN = [
    Budget(HALF_BY_FLOAT, "scratch_stores", 2.0,
           "a sector of half words is 16 rows of floats deep, and 8 fill the banks"),
    Budget(HALF_BY_FLOAT, "global_loads", 1.34, "panels of 8 floats are half a sector of half words deep"),
    Budget(HALF_BY_FLOAT + "tile 128x16 ", "bound", 1.0, "by those stores"),
    Budget("transpose singles (b?half|u?int8)$", "scratch_stores", 2.0,
           "lines of 2 and 1 bytes in scratch, of kernels bound by memory, or by the arithmetic that 1.0 would add to"),
]


def words(kernel):
    """Its tag and, of one that multiplies, the sizes of its tile; empty where it has none."""
    fact = kernel.get("fact")
    if not fact:
        return ""
    tile = " tile {m}x{n} warp {warp_m}x{warp_n}".format_map(fact) if fact["warp_m"] else ""
    return fact["tag"] + tile


def is_tuned(kernel):
    return words(kernel) != "" and not words(kernel).startswith(UNTUNED)


def rules_for(arch, kernel, rules):
    return [rule for rule in rules if re.match(rule.arch, arch) and re.match(rule.kernel, words(kernel))]


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
    if kernel["tuned"]:
        return faults(arch, kernel)
    own = [*faults_of_tag(kernel), *faults_of_addresses(arch, kernel)] if names.is_of_library(kernel["name"]) else []
    return [*own, *faults_of_loops(kernel)]


def faults_of_budgets(kernel):
    cases = kernel.get("modelled") or {}
    for budget in BUDGETS:
        found = modelled.worst(cases, budget.figure) if re.match(budget.kernel, words(kernel)) else None
        if found and found[0] > max(budget.most, known(kernel, budget.figure)):
            yield f"takes {found[0]:.2f} {budget.what} ({found[1]}), beyond {budget.most}"
    for pattern, pipe in NOT_BOUND_BY:
        bound = [case for case, figures in cases.items() if figures["bound"] == pipe]
        if bound and re.match(pattern, words(kernel)) and not known(kernel, "bound"):
            share = min(cases[case]["share"] or 0 for case in bound)
            yield f"is bound by {pipe} at {100 * share:.0f} % of the peak ({', '.join(bound)})"


def known(kernel, figure):
    """What OPEN lets the kernel have of a figure."""
    return max((one.most for one in OPEN if one.figure == figure and re.match(one.kernel, words(kernel))), default=0)


def faults_of_tag(kernel):
    """Of a kernel that is not tuned: would it go untagged?"""
    bounds = names.launch_bounds(kernel["name"])
    if not words(kernel) and (names.is_of_teams(kernel["name"]) or bounds):
        yield "has no tag that says what it is (arch/kernel_tag.hpp)"
    elif bounds and bounds[1] >= 2:
        yield f"declares that {bounds[1]} teams should fit, and its tag says that nobody tunes it"


def faults_of_addresses(arch, kernel):
    """Of what is tuned the rules say it."""
    if ANY_ADDRESS not in words(kernel).split():
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

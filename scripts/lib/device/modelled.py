# SPDX-FileCopyrightText: Pantile contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a kernel asks of each pipe of a multiprocessor, from what an interpreter of PTX counted. Modelled, never
measured.

The interpreter leaves a line for each kernel (unit_tests/interpreter/runtime, PANTILE_INTERPRETER_COUNTS): how often
warps executed each instruction, and its wavefronts and sectors. Each instruction takes clocks of one pipe; the pipe
with the most clocks bounds the kernel, as if the others worked beside it and nothing ever waited for memory or for a
barrier.

Rates of sm_90, for each multiprocessor and clock. Sources: NVIDIA, CUDA C++ Programming Guide 12, "Throughput of Native
Arithmetic Instructions" (results), and "Shared Memory" (32 banks of 4 bytes); H100 Tensor Core GPU datasheet (SXM, 132
multiprocessors: 67 TFLOPS of doubles by matrix instructions at 1.98 GHz; 989 of halves, 495 of tf32, 1979 of bytes at
1.83 GHz, without sparsity; 3.35 TB/s of memory); A100 whitepaper (5120 bytes from the second-level cache, for which
NVIDIA gives no number of H100). Rates of matrix instructions are those of wgmma, of which a warp's own mma reaches 0.63
to 0.65 for halves (W. Luo et al., arXiv 2501.12084; taken for tf32 and bytes too); doubles have no other instruction.
What a wavefront is: interpreter/ptx/traffic.hpp.
"""

import json
import re
from collections import Counter, defaultdict
from dataclasses import dataclass, field

WARP = 32
MULTIPROCESSORS = 132
SECTOR = 32
MEMORY_BYTES = 3.35e12 / 1.98e9 / MULTIPROCESSORS  # per clock
CACHE_BYTES = 5120 / MULTIPROCESSORS

# Instructions that take no clocks of their own: registers, parameters in constant memory, ends.
FREE = r"(mov|ld\.param|cvta|ret|exit)\b"
# (opcodes, pipe, results per clock, machine instructions); the first that fits.
ARITHMETIC = [
    (r"(fma|add|sub|mul)\..*f64$", "fp64", 64, 1),
    (r"(fma|add|sub|mul)\..*f16x2$", "fma", 128, 1),
    (r"(fma|add|sub|mul)\..*f(32|16)$", "fma", 128, 1),
    # Products of integers are made by half of the multiply-add units; of 64 bits by three of 32 bits.
    (r"(mad|mul)\.(lo|hi)\.[usb]64$", "fma", 64, 3),
    (r"(mad|mul)\.", "fma", 64, 1),
    (r"shfl\.", "scratch", 32, 1),
    (r"cvt\..*f64", "conversion", 16, 1),
    (r"cvt\..*f(16|32|16x2)\b", "conversion", 64, 1),
    (r"(popc|clz|brev|ex2|lg2|rcp|rsqrt|sqrt|div\.approx)\b", "special", 16, 1),
    (r".*[usb]64$", "alu", 64, 2),
    (r".*", "alu", 64, 1),
]
# Pipes whose instructions are those of the machine code, nearly one for one. Of the others PTX has more than the
# machine code: of several that compute an address ptxas makes one.
CERTAIN = ("tensor", "fma", "fp64", "scratch", "cache", "memory")
# Products and sums that ptxas may contract to a multiply-add, as their rounding is not named.
LOOSE = r"(mul|add|sub)\.(ftz\.)?f(32|64)$"
# Control, barriers and fences are issued, and take no pipe that could bind.
CONTROL = r"(bra|bar|barrier|membar|fence|cp\.async\.(commit|wait)\w*|activemask|nop|trap)\b"
ACCESS = r"(ld|st|atom|red|cp\.async)\."
# Multiply-adds per clock, by the types of A in mma.
TENSOR = {"f64": 128, "tf32": 1024, "f16": 2048, "bf16": 2048, "s8": 4096, "u8": 4096}
# What mma reaches of them, where there is wgmma.
MMA_PART = {"f64": 1.0, "tf32": 0.64, "f16": 0.64, "bf16": 0.64, "s8": 0.64, "u8": 0.64}
ISSUED = 4  # warp instructions per clock

RATIOS = ("scratch_stores", "scratch_loads", "global_loads", "global_stores")

# Names of the tests that run a tile with a long and a short k.
LONG, SHORT = "Long", "Short"


@dataclass
class Ratio:
    """Wavefronts or sectors, and the fewest that could serve the same accesses."""

    units: int = 0
    ideal: int = 0

    def add(self, units, ideal):
        self.units += units
        self.ideal += ideal

    @property
    def value(self):
        return self.units / self.ideal if self.ideal else None


@dataclass
class Model:
    """One kernel in one case."""

    scratch_loads: Ratio = field(default_factory=Ratio)
    scratch_stores: Ratio = field(default_factory=Ratio)
    global_loads: Ratio = field(default_factory=Ratio)
    global_stores: Ratio = field(default_factory=Ratio)
    instructions: Counter = field(default_factory=Counter)  # of warps, by kind
    clocks: Counter = field(default_factory=Counter)  # of one multiprocessor, by pipe
    useful: float = 0.0  # clocks in which the best pipe could have done what is asked for
    loops: list = field(default_factory=list)  # atomic compare-and-swap of 64 bits

    @property
    def pipes(self):
        """Those that are certain, the one with the most clocks first, with their clocks over that one's."""
        known = sorted(((clocks, pipe) for pipe, clocks in self.clocks.items() if pipe in CERTAIN and clocks),
                       reverse=True)
        return [(pipe, clocks / known[0][0]) for clocks, pipe in known]

    @property
    def share(self):
        """Of the peak, at most."""
        return self.useful / self.clocks[self.pipes[0][0]] if self.pipes and self.useful else None

    @property
    def bytes(self):
        return SECTOR * (self.global_loads.units + self.global_stores.units)

    def figures(self):
        """What the table and the rules read."""
        pipes = [*self.pipes, (None, 0.0), (None, 0.0)]
        longest = self.clocks[pipes[0][0]]
        issued = sum(warps for what, warps in self.instructions.items() if what != "free")
        return {
            **{name: getattr(self, name).value for name in RATIOS},
            "bytes": self.bytes,
            "bound": pipes[0][0],
            "share": self.share,
            "second": pipes[1][0],
            "second_part": pipes[1][1],
            "issue": self.clocks["issue"] / longest if longest else None,
            "alu": self.clocks["alu"] / longest if longest else None,
            "mix": {what: warps / issued for what, warps in self.instructions.most_common() if what != "free"},
            "clocks": dict(self.clocks.most_common()),
            "loops": self.loops,
        }


def opcode(text):
    """Without the guard: '@%p1 fma.rn.f32 %f1, ...' is fma.rn.f32."""
    return re.sub(r"^@!?\S+\s+", "", text).split(None, 1)[0].rstrip(";")


def factors(op):
    """mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32: the types of D, A, B and C are at its end; that of A."""
    return [word for word in op.split(".") if re.fullmatch(r"[fsu]\d+|bf16|tf32", word)][1]


def tensor_clocks(op):
    m, n, k = (int(number) for number in re.search(r"\.m(\d+)n(\d+)k(\d+)\.", op).groups())
    return m * n * k / TENSOR[factors(op)] / MMA_PART[factors(op)]


def kind(op):
    """What the instruction mix calls it."""
    if re.match(FREE, op):
        return "free"
    if op.startswith("mma."):
        return "tensor"
    if re.match(CONTROL, op):
        return "control"
    if re.match(ACCESS, op):
        return "access"
    return next(pipe for pattern, pipe, _, _ in ARITHMETIC if re.match(pattern, op))


def clocks_of(op, what, warps):
    """Of each pipe, without what an access takes of its own."""
    if what in ("access", "control"):
        return Counter(issue=warps / ISSUED)
    if what == "tensor":
        return Counter(tensor=warps * tensor_clocks(op), issue=warps / ISSUED)
    _, pipe, rate, instructions = next(one for one in ARITHMETIC if re.match(one[0], op))
    return Counter({pipe: warps * instructions * WARP / rate, "issue": warps * instructions / ISSUED})


def add_access(model, op, shared, whole):
    """shared, whole: units and ideal in shared and in global memory."""
    loads = op.startswith("ld")
    copies = op.startswith("cp.")
    (model.scratch_loads if loads else model.scratch_stores).add(*shared)
    (model.global_loads if loads or copies else model.global_stores).add(*whole)
    model.clocks["scratch"] += shared[0]
    model.clocks["cache"] += whole[0] * SECTOR / CACHE_BYTES
    if re.match(r"atom\..*\bcas\b.*64$", op):
        model.loops.append(op)


def is_product(op, product):
    return op.startswith("mma.") if product == "mma" else re.match(product, op) is not None


PRODUCTS = {"float": r"fma\.rn\.f32", "double": r"fma\.rn\.f64", "integer": r"(mad|mul)\.lo\.[usb](64|32)"}


def product_of(fact):
    """Pattern of a kernel's products, and how many of them are one; None for what multiplies nothing."""
    if not fact or not fact["warp_m"]:
        return None, 1
    _, engine, multiplied, *_ = fact["tag"].split()
    if engine != "multiply_add":
        return "mma", 3 if engine == "three_tf32" else 1
    return PRODUCTS[multiplied], 1


def model_of(line, fact=None):
    """Of one line of counts."""
    product, times = product_of(fact)
    model, loose = Model(), Counter()
    for text, _, warps, _, shared, shared_ideal, sectors, sectors_ideal in line["instructions"]:
        op = opcode(text)
        what = kind(op)
        model.instructions[what] += warps
        if what == "free":
            continue
        clocks = clocks_of(op, what, warps)
        model.clocks += clocks
        if what == "access":
            add_access(model, op, (shared, shared_ideal), (sectors, sectors_ideal))
        if product and is_product(op, product):
            best = MMA_PART[factors(op)] if what == "tensor" else 1
            model.useful += max(clocks[pipe] for pipe in ("tensor", "fma", "fp64")) * best / times
        if re.match(LOOSE, op):
            loose["mul" if op.startswith("mul") else "sum", op[-3:]] += warps
    contract(model, loose, product)
    if product is None:
        # What multiplies nothing moves each byte once between memory and the cache, and from there as its accesses say.
        model.useful = SECTOR * (model.global_loads.ideal + model.global_stores.ideal) / MEMORY_BYTES
        model.clocks["memory"] = model.useful
    elif skinny_part(fact):
        model.clocks["memory"] = SECTOR * model.global_loads.ideal * skinny_part(fact) / MEMORY_BYTES
        model.useful = max(model.useful, model.clocks["memory"])
    return model


def skinny_part(fact):
    """
    Tiles of few rows or columns are for matrices of so few: the panels along the other edge are read from memory, each
    by one team. Their part of the bytes of both panels; zero for other tiles.
    """
    m, n = fact["m"], fact["n"]
    if max(m, n) < 8 * min(m, n):
        return 0.0
    a, b = m * fact["a_size"], n * fact["b_size"]
    return max(a, b) / (a + b)


def contract(model, loose, product):
    """Of a product and a sum that ptxas makes a multiply-add, only one takes clocks."""
    for kind_of_number in ("f32", "f64"):
        fused = min(loose["mul", kind_of_number], loose["sum", kind_of_number])
        op = "fma.rn." + kind_of_number
        saved = clocks_of(op, kind(op), fused)
        model.clocks.subtract(saved)
        model.instructions[kind(op)] -= fused
        if product and is_product(op, product):
            model.useful += max(saved[pipe] for pipe in ("fma", "fp64"))


def case_of(arguments):
    """('rows_columns', 'Long') of '--gtest_filter=*MatmulWholeTiles.Long/rows_columns'; the second may be empty."""
    named = [word.partition("=")[2] for word in arguments if word.startswith("--gtest_filter=")]
    words = re.split(r"[/.]", named[0]) if named else [""]
    return words[-1].strip("*"), next((word for word in words if word in (LONG, SHORT)), "")


def beyond(long, short):
    """What the instructions of one line count beyond those of another one of the same kernel."""
    less = {(text, line): numbers for text, line, *numbers in short["instructions"]}
    found = []
    for text, line, *numbers in long["instructions"]:
        rest = [more - few for more, few in zip(numbers, less.get((text, line), [0] * len(numbers)))]
        if rest[0] > 0:
            found.append([text, line, *rest])
    return {**long, "instructions": found}


def models(kernel, counts):
    """
    Case -> figures of a kernel of the device check. Where it ran on a long and on a short problem, of its main loop
    alone, but for stores to memory, which come behind it.
    """
    cases = defaultdict(dict)
    for line in counts.get(kernel["mangled"], []):
        case, part = case_of(line["arguments"])
        cases[case][part] = line
    found = {}
    for case, parts in sorted(cases.items()):
        whole = parts.get(LONG) or parts.get("") or parts[SHORT]
        model = model_of(whole, kernel.get("fact"))
        if LONG in parts and SHORT in parts:
            stores = model.global_stores
            model = model_of(beyond(whole, parts[SHORT]), kernel.get("fact"))
            model.global_stores = stores
        found[case] = model.figures()
    return found


def read(folder):
    """Mangled name -> lines of counts of the kernel; empty where nothing was counted."""
    found = defaultdict(list)
    for path in sorted(folder.iterdir()) if folder.is_dir() else []:
        for text in path.read_text().splitlines():
            line = json.loads(text)
            found[line["kernel"]].append(line)
    return found


def worst(cases, name):
    """The largest of a figure over all cases, and its case; None where it has no value."""
    found = [(figures[name], case) for case, figures in cases.items() if figures[name] is not None]
    return max(found, default=None)


def best_and_worst(cases):
    """Cases by their share of the peak: (least, most), or None."""
    known = sorted((figures["share"], case) for case, figures in cases.items() if figures["share"] is not None)
    return (known[0][1], known[-1][1]) if known else None

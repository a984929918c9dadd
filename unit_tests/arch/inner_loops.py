# SPDX-FileCopyrightText: Pantile contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""inner_loops.py OBJDUMP ISA OBJECT...: disassembles the micro-kernels of full register tiles and fails where an inner
loop touches the stack, or does not hold the fused products it is there for."""
import re
import subprocess
import sys

TILES = {"avx2": ([(6, 2)], "ymm"), "avx512": ([(8, 3), (6, 4)], "zmm"), "avx512vnni": ([(8, 3)], "zmm"),
         "avx512bf16": ([(8, 3)], "zmm")}
# Kernels with full tiles. Of float and double, real and complex: packed, strided, strided with either reach; real ones
# strided that fetch what comes soon, of double with broad tiles; float once more for converted halves; pairs of bytes.
# avx512 also has tiles that end with half a register, of float and double, by full registers across.
# The sets that differ in products of elements of low precision have those only.
COUNT = {"avx2": 20, "avx512": 25, "avx512vnni": 2, "avx512bf16": 3}
KERNEL = re.compile(
    r"<.*GemmMicro<.*Simd<\d+, \d+, \d>, (float|double|unsigned int), (?:true|false), (\d+), (\d+), false, "
    r"[\w:]*?(\w+Product)>"
    r"::(?:packed|strided)"
)
UNEVEN = re.compile(r"<.*GemmUneven<.*Simd<\d+, \d+, \d>, (?:float|double), (\d+), (\d+), false>::strided")
UNEVEN_TILES = [(12, 1), (8, 2)]
INSTRUCTION = {"OneProduct": "fmadd", "PairProduct": "vpmaddwd", "ByteProduct": "vpdpbusd", "BrainProduct": "vdpbf16ps"}
LINE = re.compile(r"^\s*([0-9a-f]+):\s+(\S+)\s*(.*)$")


def functions(objdump, path):
    """(header, [(address, instruction, operands)]) of every function of an object file."""
    text = subprocess.run([objdump, "-d", "--no-show-raw-insn", "-C", path], check=True, capture_output=True, text=True)
    header, lines = None, []
    for line in text.stdout.splitlines():
        if line.endswith(">:"):
            if header:
                yield header, lines
            header, lines = line, []
        elif match := LINE.match(line):
            lines.append((int(match[1], 16), match[2], match[3]))
    if header:
        yield header, lines


def loops(lines):
    """Bodies of innermost loops: from the target of a backward jump to the jump, with no other such pair inside."""
    jumps = []
    for address, instruction, operands in lines:
        target = re.match(r"([0-9a-f]+) ", operands)
        if instruction.startswith("j") and target and int(target[1], 16) <= address:
            jumps.append((int(target[1], 16), address))
    for begin, end in jumps:
        body = [line for line in lines if begin <= line[0] <= end]
        inner = any((b, e) != (begin, end) and begin <= b and e <= end for b, e in jumps)
        # A jump back to code that returns closes no loop.
        if not inner and not any(line[1].startswith("ret") for line in body):
            yield body


def findings(header, lines, rows, vecs, register, product):
    # The loop over k broadcasts A's elements, by instructions of their own or (AVX-512) in the products.
    bodies = [body for body in loops(lines) if any("broadcast" in line[1] or "{1to" in line[2] for line in body)]
    if not bodies:
        yield f"no loop with fused products in {header}"
    for body in bodies:
        fused = sum(INSTRUCTION[product] in line[1] and register in line[2] for line in body)
        if fused == 0 or fused % (rows * vecs) != 0:
            yield f"{fused} fused products on {register} in a loop over {rows} x {vecs} sums: {header}"
        for address, instruction, operands in body:
            if re.search(r"\(%r[sb]p", operands):
                yield f"stack traffic at {address:x} ({instruction} {operands}): {header}"


def main():
    objdump, isa, *paths = sys.argv[1:]
    tiles, register = TILES[isa]
    seen, wrong = 0, []
    for path in (p for argument in paths for p in argument.split(";")):
        for header, lines in functions(objdump, path):
            match = KERNEL.search(header)
            tile = (int(match[2]), int(match[3])) if match else None
            whole = tile in tiles
            if whole and (match[1], match[4]) != ("unsigned int", "OneProduct"):
                seen += 1
                wrong += findings(header, lines, *tile, register, match[4])
            match = UNEVEN.search(header)
            tile = (int(match[1]), int(match[2])) if match else None
            if tile in UNEVEN_TILES:
                seen += 1
                wrong += findings(header, lines, *tile, register, "OneProduct")
    print("\n".join(wrong))
    print(f"{seen} micro-kernels of {tiles} {register} registers, {len(wrong)} findings")
    sys.exit(bool(wrong) or seen != COUNT[isa])


if __name__ == "__main__":
    main()

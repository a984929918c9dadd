#!/usr/bin/env python3
# SPDX-FileCopyrightText: Pantile contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Counts what a machine for gfx942 would have to execute, in objects that hipcc made or code objects out of them.

usage: count_opcodes.py PATH...

PATH is an object, a code object or a folder of objects (*.o). Prints instructions by class, forms of waits, operands of
note, what the kernels' metadata say, and every opcode. Needs llvm-objdump and llvm-readelf.
"""

import glob
import re
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

# The first that matches counts.
CLASSES = {
    "matrix": r"v_s?mfma", "AGPR moves": r"v_accvgpr", "EXEC saved and changed": r"s_\w+_saveexec",
    "across lanes": r"v_(read\w*lane|writelane|mbcnt|permlane)|\w+_dpp$|ds_\w*permute|ds_swizzle",
    "branches, calls": r"s_(c?branch|setpc|swappc|getpc|call)", "vector compare": r"v_cmpx?_",
    "end of kernel": r"s_endpgm", "barrier": r"s_barrier", "waits for counters": r"s_waitcnt", "wait states": r"s_nop",
    "messages, traps, modes, clocks": r"s_(sendmsg|trap|sethalt|[sg]etreg|setprio|sleep|mem(real)?time|icache)",
    "scalar memory": r"s_(load|store|buffer|scratch|atomic|dcache)",
    "scalar compare": r"s_(cmp|cmpk|bitcmp[01])_", "scalar ALU": r"s_",
    "vector ALU, float": r"v_\w*_(f16|f32|f64|bf16)", "vector ALU, integer and bits": r"v_",
    "LDS atomics": r"ds_(add|sub|inc|dec|min|max|and|or|xor|cmpst|wrxchg|pk_add)_",
    "LDS": r"ds_", "atomics in memory": r"(global|flat|buffer)_atomic", "global memory": r"global_",
    "LDS or global by address": r"flat_", "private memory": r"scratch_", "caches": r"buffer_(wbl2|inv)",
}
OPERANDS = {word: rf"(?<!\w){word}(?![a-z])" for word in (
    "vcc exec m0 flat_scratch src_shared_base src_private_base hwreg sc0 sc1 nt quad_perm row_shl row_shr row_mirror "
    "row_bcast src0_sel src1_sel dst_sel op_sel op_sel_hi neg_lo neg_hi clamp mul div blgp cbsz").split()}
OPERANDS |= {"AGPR": r"(?<!\w)a\[?\d", "negated": r"-\|?[vsa]\[?\d", "absolute": r"\|[vsa]"}
FACTS = ["wavefront_size", "max_flat_workgroup_size", "group_segment_fixed_size", "private_segment_fixed_size",
         "agpr_count", "vgpr_count", "vgpr_spill_count", "sgpr_spill_count", "kernarg_segment_size"]


def ask(name, *arguments):
    folders = sorted(glob.glob("/usr/lib/llvm-*/bin"), key=lambda path: int(re.search(r"\d+", path)[0]), reverse=True)
    tool = shutil.which(name) or shutil.which(name, path=":".join(["/opt/rocm/llvm/bin", *folders]))
    tool = tool or sys.exit(f"count_opcodes.py: {name} is not there")
    run = subprocess.run([tool, *map(str, arguments)], capture_output=True, text=True)
    return run.stdout if run.returncode == 0 else sys.exit(f"count_opcodes.py: {run.stderr.strip()}")


def code_objects(path, folder):
    """The code for gfx942 in a file. The parts of a bundle are written beside a link to it, never beside the file."""
    if "amdgpu" in ask("llvm-objdump", "--file-headers", path):
        return [path]
    link = folder / f"{len(list(folder.iterdir()))}-{path.name}"
    link.symlink_to(path.resolve())
    ask("llvm-objdump", "--offloading", link)
    return sorted(folder.glob(f"{glob.escape(link.name)}.*amdgcn*gfx942*"))


def instructions(text):
    """(opcode, operands) of each function, without the s_nop that pad it."""
    body = []
    for line in [*text.splitlines(), "<end>:"]:
        if re.match(r"\s+[a-z]\w+", line):
            body.append(tuple(line.split("//")[0].strip().partition(" ")[::2]))
        elif re.match(r"(\w+ )?<\S+>:$", line):
            while body and body[-1][0] == "s_nop":
                body.pop()
            yield from body
            body = []


def table(title, pairs):
    """Sums the counts of equal names."""
    sums = Counter()
    for name, count in pairs:
        sums[name] += count
    print(f"\n{title}", *(f"{count:9}  {name}" for name, count in sums.most_common()), sep="\n")
    return len(sums)


def class_of(opcode):
    return next((name for name, pattern in CLASSES.items() if re.match(pattern, opcode)), f"unknown: {opcode}")


def report(code, notes):
    print(sum(code.values()), "instructions")
    table("classes", ((class_of(opcode), count) for (opcode, _), count in code.items()))
    table("waits", ((" ".join(pair), count) for pair, count in code.items() if pair[0] in ("s_waitcnt", "s_nop")))
    table("instructions with such an operand", ((word, count * bool(re.search(pattern, operands))) for word, pattern
                                                in OPERANDS.items() for (_, operands), count in code.items()))
    table("kernels' arguments", Counter(re.findall(r"\.value_kind: +(\w+)", notes)).items())
    for fact in FACTS:
        values = list(map(int, re.findall(rf"\.{fact}: +(\d+)", notes))) or [0]
        print(f"{fact}: {min(values)} to {max(values)}, above 0 in {sum(value > 0 for value in values)} kernels")
    forms = table("opcodes with encodings", ((opcode, count) for (opcode, _), count in code.items()))
    bases = ((re.sub(r"_(e32|e64|sdwa|dpp)$", "", opcode), count) for (opcode, _), count in code.items())
    print(f"\n{table('opcodes', bases)} opcodes, {forms} with encodings")


def main(arguments):
    paths = [Path(text) for text in arguments]
    if not paths or any(text.startswith("-") for text in arguments):
        sys.exit(__doc__)
    files = [file for path in paths for file in (sorted(path.glob("*.o")) if path.is_dir() else [path])]
    code, notes = Counter(), ""
    with tempfile.TemporaryDirectory() as folder:
        found = [part for file in files for part in code_objects(file, Path(folder))]
        for part in found:
            code.update(instructions(ask("llvm-objdump", "--disassemble", "--no-leading-addr", part)))
            notes += ask("llvm-readelf", "--notes", part)
    if not code:
        sys.exit(f"count_opcodes.py: no code for gfx942 in {len(files)} files")
    print(f"{len(files)} files, {len(found)} code objects, {len(re.findall('[.]symbol:', notes))} kernels, ", end="")
    report(code, notes)


if __name__ == "__main__":
    main(sys.argv[1:])

# SPDX-FileCopyrightText: Pantile contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the compilers say a kernel uses: a list of dictionaries, one per kernel, under its mangled name."""

import re


def parse_ptxas(text):
    """`ptxas -v`: one 'Compiling entry function', its properties, then its resources."""
    kernels, properties, function = {}, {}, None
    for line in text.splitlines():
        if match := re.search(r"Compiling entry function '(\S+)'", line):
            kernels[match[1]] = {"mangled": match[1]}
            function = match[1]
        elif match := re.search(r"Function properties for (\S+)", line):
            function = match[1]
        elif match := re.search(r"(\d+) bytes stack frame, (\d+) bytes spill stores, (\d+) bytes spill loads", line):
            keys = ("stack", "spill_stores", "spill_loads")
            properties[function] = dict(zip(keys, map(int, match.groups())))
        elif (match := re.search(r"Used (\d+) registers", line)) and function in kernels:
            scratch = re.search(r"(\d+) bytes smem", line)
            kernels[function]["registers"] = int(match[1])
            kernels[function]["static_scratch"] = int(scratch[1]) if scratch else 0
    # A device function that was not inlined is listed too: its spills are somebody's.
    for name, values in properties.items():
        kernels.setdefault(name, {"mangled": name, "registers": None, "static_scratch": 0}).update(values)
    return list(kernels.values())


REMARKS = {
    "VGPRs": "registers",
    "AGPRs": "matrix_registers",
    "TotalSGPRs": "scalar_registers",
    "ScratchSize [bytes/lane]": "stack",
    "VGPRs Spill": "spill_stores",
    "SGPRs Spill": "scalar_spills",
    "LDS Size [bytes/block]": "static_scratch",
    "Occupancy [waves/SIMD]": "waves",
    "Dynamic Stack": "dynamic_stack",
}
REMARK = r"remark: (?:\S+: )?\s*([A-Za-z][^:]*): (\S+) \[-Rpass-analysis=kernel-resource-usage\]"


def parse_remarks(text):
    """`-Rpass-analysis=kernel-resource-usage`: a block of remarks per kernel, headed by its name."""
    kernels = []
    for line in text.splitlines():
        match = re.search(REMARK, line)
        if match and match[1] == "Function Name":
            kernels.append({"mangled": match[2], "spill_loads": None})
        elif match and match[1] in REMARKS and kernels:
            value = match[2]
            kernels[-1][REMARKS[match[1]]] = int(value) if value.isdigit() else value == "True"
    return kernels


def spills(kernel):
    """To memory, that is: AMD's scalar registers spill into vector registers, and these into those of matrix
    instructions."""
    if kernel.get("matrix_registers") and not kernel.get("stack"):
        return False
    return any(kernel.get(key) for key in ("spill_stores", "spill_loads"))

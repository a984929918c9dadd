# SPDX-FileCopyrightText: Pantile contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Which instructions a kernel's machine code consists of: mangled name -> opcode -> how often."""

import re
import shutil
import subprocess
from collections import Counter
from pathlib import Path


def find_tool(backend):
    """The toolkit's disassembler, or None."""
    if backend == "cuda":
        return shutil.which("cuobjdump")
    folders = sorted(Path("/usr/lib").glob("llvm-*/bin"), key=lambda path: int(re.search(r"\d+", path.parent.name)[0]))
    folders = ["/opt/rocm/llvm/bin", *map(str, reversed(folders))]
    return shutil.which("llvm-objdump") or shutil.which("llvm-objdump", path=":".join(folders))


def read(backend, output, arch):
    """Of a compiled file, which may hold code for the host too. Empty without a disassembler."""
    tool = find_tool(backend)
    if tool is None:
        return {}
    if backend == "cuda":
        return parse_sass(ask(tool, "-sass", output))
    code = output
    if ask(tool, "--file-headers", output).find("amdgpu") < 0:
        for old in output.parent.glob(f"{output.name}.*.*"):
            old.unlink()
        ask(tool, "--offloading", output)
        found = list(output.parent.glob(f"{output.name}.*amdgcn*{arch}"))
        if len(found) != 1:
            return {}
        code = found[0]
    return parse_amd(ask(tool, "--disassemble", "--no-show-raw-insn", "--no-leading-addr", code))


def ask(*command):
    run = subprocess.run([str(word) for word in command], capture_output=True, text=True, errors="replace", check=True)
    return run.stdout


SASS = r"\s+/\*[0-9a-f]+\*/\s+(?:@(?!!PT)!?\w+\s+)?([A-Z][\w.]*)"


def parse_sass(text):
    """Without instructions that never run (@!PT), which ptxas puts beside asynchronous copies."""
    found, function = {}, None
    for line in text.splitlines():
        if match := re.search(r"Function : (\S+)", line):
            function = found.setdefault(match[1], Counter())
        elif function is not None and (match := re.match(SASS, line)):
            function[match[1]] += 1
    return found


def parse_amd(text):
    """A kernel's descriptor has its name with '.kd'; it is no code."""
    found, function = {}, None
    for line in text.splitlines():
        if match := re.match(r"(?:[0-9a-f]+ )?<(\S+)>:$", line):
            function = None if match[1].startswith((".", "BB")) else found.setdefault(match[1], Counter())
        elif function is not None and (match := re.match(r"\s+([a-z]\w+)", line)):
            function[match[1]] += 1
    return {name: count for name, count in found.items() if count}


def count(opcodes, pattern):
    """How many instructions begin with the pattern."""
    matcher = re.compile(pattern)
    return sum(number for opcode, number in opcodes.items() if matcher.match(opcode))

# SPDX-FileCopyrightText: Pantile contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles sources for GPUs from Kokkos' headers alone, and tabulates what each kernel uses.

    device.py compile --backend cuda|hip --arch sm_90 --kokkos DIR --out DIR [...] SOURCE...
    device.py report --out DIR ARCH...

An installed Kokkos is configured for the host. An overlay folder, before it on the include path, holds
its configuration headers with the device backend switched on. Nothing is linked. 'compile' leaves
OUT/<arch>.json; 'report' joins them into OUT/report.json and one table, and fails on a compile error,
a register spilt to memory, or a kernel without the instructions that it is written for.
"""

import argparse
import json
import re
import shutil
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

# What Kokkos' configuration defines for an architecture.
ARCHITECTURES = {
    "sm_80": ["AMPERE", "AMPERE80"],
    "sm_86": ["AMPERE", "AMPERE86"],
    "sm_89": ["ADA89"],
    "sm_90": ["HOPPER", "HOPPER90"],
    "sm_100": ["BLACKWELL", "BLACKWELL100"],
    "sm_120": ["BLACKWELL", "BLACKWELL120"],
    "gfx908": ["AMD_GPU", "AMD_GFX908", "VEGA", "VEGA908"],
    "gfx90a": ["AMD_GPU", "AMD_GFX90A", "VEGA", "VEGA90A"],
    "gfx942": ["AMD_GPU", "AMD_GFX942"],
    "gfx1100": ["AMD_GPU", "AMD_GFX1100", "NAVI", "NAVI1100"],
}

# Backend: its name in Kokkos' macros, in its fwd/ and decl/ headers, and in its setup/ header.
BACKENDS = {"cuda": ("CUDA", "CUDA", "Cuda"), "hip": ("HIP", "HIP", "HIP")}


# What a kernel is written for: part of its name, and instructions that begin so. Only of elements that keep their type.
SAME = r"StagedKernel<(?P<e>[^,]+), (?P=e), (?P=e), (?P=e), "
COPIES = ["LDGSTS.E.BYPASS.128", "STG.E.128"]
INSTRUCTIONS = [
    (re.compile(SAME + r".*cuda::(Small)?Doubles>"), ["DMMA", "LDS.64", *COPIES]),
    (re.compile(SAME + r".*cuda::(Small)?(Words|Pairs|Quads)>"), ["LDS.128", *COPIES]),
    (re.compile(r"PackedKernel<(float|double|Kokkos::complex<\w+>)>"), ["LDG.E.128", "STS.128", "LDS.128", "STG.E.128"]),
]


# --- Overlay ------------------------------------------------------------------------------------------


def define(text, name, value=""):
    """Switches a `/* #undef NAME */` or `#define NAME` of a generated header on."""
    pattern = rf"^(/\* #undef {name} \*/|#define {name}\b.*)$"
    text, count = re.subn(pattern, f"#define {name} {value}".rstrip(), text, flags=re.M)
    if count != 1:
        raise SystemExit(f"device.py: this Kokkos' configuration has no {name}")
    return text


def write_overlay(folder, kokkos, backend, arch):
    macro, header, setup = BACKENDS[backend]
    config = (kokkos / "KokkosCore_config.h").read_text()
    config = re.sub(r"^#define (KOKKOS_ENABLE_(OPENMP|THREADS|HPX))$", r"/* #undef \1 */", config, flags=re.M)
    config = define(config, "KOKKOS_ENABLE_SERIAL")
    config = define(config, f"KOKKOS_ENABLE_{macro}")
    for name in ARCHITECTURES[arch]:
        config = define(config, f"KOKKOS_ARCH_{name}", f'"{arch}"' if name == "AMD_GPU" else "")
    desul = (kokkos / "desul/atomics/Config.hpp").read_text()
    files = {
        "KokkosCore_config.h": config,
        "desul/atomics/Config.hpp": define(desul, f"DESUL_ATOMICS_ENABLE_{macro}"),
        "KokkosCore_Config_FwdBackend.hpp": includes("fwd/Kokkos_Fwd", ["SERIAL", header]),
        "KokkosCore_Config_SetupBackend.hpp": includes("setup/Kokkos_Setup", [setup]),
        "KokkosCore_Config_DeclareBackend.hpp": includes("decl/Kokkos_Declare", ["SERIAL", header]),
    }
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if not path.exists() or path.read_text() != text:
            path.write_text(text)


def includes(stem, names):
    return "#pragma once\n" + "".join(f"#include <{stem}_{name}.hpp>\n" for name in names)


# --- Compilation --------------------------------------------------------------------------------------


def command(options, source, output):
    paths = [options.out / f"overlay-{options.arch}", *options.include, options.kokkos]
    common = ["-std=c++20", "-DNDEBUG", *(f"-I{path}" for path in paths)]
    # The host's half of each unit is compiled to be right, not to be fast.
    if options.backend == "cuda":
        host = ["-Xcompiler", "-O0", *(["-ccbin", options.host_compiler] if options.host_compiler else [])]
        # Not --expt-relaxed-constexpr: Kokkos' builds have it off by default.
        device = [f"-arch={options.arch}", "--extended-lambda", "-Xptxas", "-v"]
        head = ["nvcc", *host, "-x", "cu", *device]
    else:
        device = [f"--offload-arch={options.arch}", "-O3", "-Rpass-analysis=kernel-resource-usage"]
        head = ["hipcc", *device, "-Xarch_host", "-O0"]
    return [*head, *common, "-c", str(source), "-o", str(output)]


def calls_host(text, kokkos):
    """Does device code outside Kokkos call a host function? nvcc only warns, and may compile such a kernel to nothing."""
    found = (line for line in text.splitlines() if re.search(r"#200\d\d-D: calling a (constexpr )?__host__", line))
    return any(not line.startswith(kokkos) for line in found)


def compile_one(options, source):
    name = re.sub(r"\W+", "_", str(source.with_suffix("")))
    folder = options.out / options.arch
    folder.mkdir(parents=True, exist_ok=True)
    start = time.monotonic()
    run = subprocess.run(
        command(options, source, folder / f"{name}.o"), stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        text=True, errors="replace", check=False,
    )  # fmt: skip
    seconds = time.monotonic() - start
    (folder / f"{name}.log").write_text(run.stdout)
    compiled = run.returncode == 0 and not calls_host(run.stdout, str(options.kokkos))
    state = "compiled" if compiled else "FAILED"
    print(f"  {options.arch}  {seconds:5.0f} s  {state}  {source}", file=sys.stderr, flush=True)
    if not compiled:
        print("\n".join(run.stdout.splitlines()[:40]), file=sys.stderr, flush=True)
    parse = parse_ptxas if options.backend == "cuda" else parse_remarks
    kernels = parse(run.stdout)
    found = opcodes(folder / f"{name}.o") if options.backend == "cuda" and run.returncode == 0 else {}
    for kernel in kernels:
        kernel["opcodes"] = sorted(found.get(kernel["mangled"], ()))
    return {
        "source": str(source),
        "arch": options.arch,
        "seconds": round(seconds, 1),
        "compiled": compiled,
        "kernels": kernels,
    }


def compile_all(options):
    if options.arch not in ARCHITECTURES:
        raise SystemExit(f"device.py: unknown architecture {options.arch}; known: {' '.join(ARCHITECTURES)}")
    write_overlay(options.out / f"overlay-{options.arch}", options.kokkos, options.backend, options.arch)
    with ThreadPoolExecutor(options.jobs) as pool:
        units = list(pool.map(lambda source: compile_one(options, source), options.source))
    mangled = [kernel["mangled"] for unit in units for kernel in unit["kernels"]]
    plain = dict(zip(mangled, demangle(mangled)))
    for unit in units:
        for kernel in unit["kernels"]:
            kernel["name"] = plain[kernel["mangled"]]
    (options.out / f"{options.arch}.json").write_text(json.dumps(units, indent=1))


def demangle(names):
    if not names:
        return []
    run = subprocess.run(["c++filt"], input="\n".join(names), capture_output=True, text=True, check=True)
    return run.stdout.splitlines()


# --- Compilers' reports -------------------------------------------------------------------------------


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


def parse_remarks(text):
    """`-Rpass-analysis=kernel-resource-usage`: a block of remarks per kernel, headed by its name."""
    keys = {
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
    kernels = []
    for line in text.splitlines():
        match = re.search(r"remark: (?:\S+: )?\s*([A-Za-z][^:]*): (\S+) \[-Rpass-analysis=kernel-resource-usage\]", line)
        if match and match[1] == "Function Name":
            kernels.append({"mangled": match[2], "spill_loads": None})
        elif match and match[1] in keys and kernels:
            value = match[2]
            kernels[-1][keys[match[1]]] = int(value) if value.isdigit() else value == "True"
    return kernels


def opcodes(output):
    """Kernel -> the opcodes in its machine code; empty where the toolkit has no disassembler."""
    if not shutil.which("cuobjdump"):
        return {}
    run = subprocess.run(["cuobjdump", "-sass", str(output)], capture_output=True, text=True, check=True)
    found, function = {}, None
    for line in run.stdout.splitlines():
        if match := re.search(r"Function : (\S+)", line):
            function = found.setdefault(match[1], set())
        elif function is not None and (match := re.match(r"\s+/\*[0-9a-f]+\*/\s+(?:@!?\w+\s+)?([A-Z][\w.]*)", line)):
            function.add(match[1])
    return found


def missing_instructions(kernel):
    """Of those that the kernel is written for; none where its machine code was not read."""
    for pattern, wanted in INSTRUCTIONS:
        if kernel["opcodes"] and pattern.search(kernel["name"]):
            return [one for one in wanted if not any(opcode.startswith(one) for opcode in kernel["opcodes"])]
    return []


# --- Names --------------------------------------------------------------------------------------------


def arguments(text, start):
    """The top-level arguments of the bracket that opens at text[start - 1]."""
    depth, begin, found = 0, start, []
    for at in range(start, len(text)):
        letter = text[at]
        if letter in "<({[":
            depth += 1
        elif letter == "," and depth == 0:
            found.append(text[begin:at].strip())
            begin = at + 1
        elif letter in ">)}]" and text[at - 1 : at + 1] != "->":
            if depth == 0:
                return [*found, text[begin:at].strip()]
            depth -= 1
    return [*found, text[begin:].strip()]


def functor_and_launch(name):
    """The user's functor in the name of a kernel that Kokkos launches, and how it is launched; else None."""
    match = re.search(r"Impl::Parallel(For|Reduce|Scan)\w*<", name)
    if not match:
        return None
    inner = arguments(name, match.end())
    functor = inner[0]
    if functor.startswith("Kokkos::Impl::CombinedFunctorReducer<"):
        functor = arguments(functor, functor.index("<") + 1)[0]
    policy = re.search(r"(MDRange|Team|Range|WorkGraph)Policy", " ".join(inner[1:]))
    launch = [policy[1] if policy else "?"]
    if match[1] != "For":
        launch.append(match[1].lower())
    if inner[1] == "true":
        # Kokkos 5.2 instantiates an MDRange twice; this one strides over extents beyond the launch limits.
        launch.append("strided")
    return functor, " ".join(launch)


def is_kokkos_own(name):
    """Kokkos' own kernels (fills, copies, initialisation): listed in report.json, not in the table."""
    found = functor_and_launch(name)
    if found:
        return found[0].startswith("Kokkos::") and "pantile::" not in found[0]
    return "pantile::" not in name and re.search(r"\b(Kokkos|desul)::", name) is not None


def shorten(name, width):
    found = functor_and_launch(name)
    text = found[0] if found else name
    # nvcc's own wrapper of a lambda names the enclosing function.
    text = re.sub(r"__nv_h?dl_wrapper_t<[^&]*&\(?(?:\w+ )?", "lambda in ", text)
    text = re.sub(r"Kokkos::View<([^,<>]+), (?:Kokkos::)?Layout(\w+)[^<>]*(?:<[^<>]*>[^<>]*)*>", r"View<\1,\2>", text)
    text = re.sub(r"\([^()]*\)(?: const)?(?=::\{lambda)", "", text)
    text = re.sub(r"\{lambda\([^()]*\)#(\d+)\}", r"lambda#\1", text)
    text = re.sub(r"\b(?:pantile::(?:impl::)?|Kokkos::(?:Impl::|Experimental::)*|std::)", "", text)
    text = re.sub(r"\((?:unsigned )?(?:int|long|char|bool)\)", "", text)
    text = re.sub(r"(?<=\d)[ul]+\b", "", text).replace(", ", ",").replace(" >", ">")
    tail = f" [{found[1]}]" if found else ""
    room = width - len(tail)
    if len(text) > room:
        text = text[: room * 2 // 3] + "..." + text[len(text) - (room - room * 2 // 3 - 3) :]
    return text + tail


# --- Table --------------------------------------------------------------------------------------------

COLUMNS = [
    ("registers", "regs"),
    ("matrix_registers", "agprs"),
    ("static_scratch", "scratch"),
    ("stack", "stack"),
    ("spill_stores", "sp.st"),
    ("spill_loads", "sp.ld"),
    ("scalar_spills", "sp.sgpr"),
]


def spills(kernel):
    """To memory, that is; AMD's scalar registers spill into vector registers."""
    return any(kernel.get(key) for key in ("spill_stores", "spill_loads"))


def report(options):
    units = [unit for arch in options.arch for unit in json.loads((options.out / f"{arch}.json").read_text())]
    rows, seen, own = [], set(), 0
    for unit in units:
        for kernel in unit["kernels"]:
            key = (unit["arch"], kernel["mangled"])
            if key in seen:
                continue
            seen.add(key)
            kernel["kokkos_own"] = is_kokkos_own(kernel["name"])
            own += kernel["kokkos_own"]
            if not kernel["kokkos_own"]:
                rows.append((unit, kernel))
    (options.out / "report.json").write_text(json.dumps({"units": units}, indent=1) + "\n")

    print(f"{'arch':8}{'kernel':{options.width}}" + "".join(f"{title:>9}" for _, title in COLUMNS))
    for unit, kernel in sorted(rows, key=lambda row: (row[0]["arch"], row[0]["source"], row[1]["name"])):
        cells = [kernel.get(key) for key, _ in COLUMNS]
        figures = "".join(f"{'-' if cell is None else cell:>9}" for cell in cells)
        mark = "  <- spills" if spills(kernel) else ""
        print(f"{unit['arch']:8}{shorten(kernel['name'], options.width - 1):{options.width}}{figures}{mark}")

    failed = [unit for unit in units if not unit["compiled"]]
    spilling = [kernel for _, kernel in rows if spills(kernel)]
    read = sum(bool(kernel["opcodes"]) for _, kernel in rows)
    lacking = [(unit, kernel) for unit, kernel in rows if missing_instructions(kernel)]
    print(
        f"\n{len(units)} units, {len(failed)} failed to compile; {len(rows)} kernels, {len(spilling)} spill; "
        f"{own} kernels of Kokkos itself not shown. Scratch: static bytes per block; stack: bytes per thread; "
        "sp.sgpr: scalar registers kept in vector registers."
    )
    for unit in failed:
        print(f"failed: {unit['arch']} {unit['source']}")
    print(f"machine code of {read} kernels was read; {len(lacking)} lack instructions that they are written for")
    for unit, kernel in lacking:
        print(f"lacks {', '.join(missing_instructions(kernel))}: {unit['arch']} {shorten(kernel['name'], options.width)}")
    print(f"report: {options.out / 'report.json'}")
    return 1 if failed or spilling or lacking or not units else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    verbs = parser.add_subparsers(dest="verb", required=True)
    one = verbs.add_parser("compile")
    one.add_argument("--backend", choices=BACKENDS, required=True)
    one.add_argument("--arch", required=True)
    one.add_argument("--kokkos", type=Path, required=True)
    one.add_argument("--out", type=Path, required=True)
    one.add_argument("--include", type=Path, action="append", default=[])
    one.add_argument("--host-compiler")
    one.add_argument("--jobs", type=int, default=2)
    one.add_argument("source", type=Path, nargs="+")
    two = verbs.add_parser("report")
    two.add_argument("--out", type=Path, required=True)
    two.add_argument("--width", type=int, default=96)
    two.add_argument("arch", nargs="+")
    options = parser.parse_args()
    return compile_all(options) if options.verb == "compile" else report(options)


if __name__ == "__main__":
    sys.exit(main())

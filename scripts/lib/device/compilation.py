# SPDX-FileCopyrightText: Pantile contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles sources for a device and collects what is known of each kernel. Leaves OUT/<arch>.json."""

import json
import os
import re
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor

import disassembly
import facts
import names
import overlay
import resources
import rules


def command(options, arch, source, output):
    paths = [options.out / f"overlay-{arch}", *options.include, options.kokkos]
    common = ["-std=c++20", "-DNDEBUG", *(f"-I{path}" for path in paths)]
    if "examples" in source.parts:
        common.append("-DPANTILE_USE_LIBRARY")  # its kernels are compiled for themselves
    # The host's half of each unit is compiled to be right, not to be fast.
    if options.backend == "cuda":
        host = ["-ccbin", options.host_compiler] if options.host_compiler else []
        what = ["-cubin"] if options.device_only else ["-c", "-Xcompiler", "-O0"]
        head = ["nvcc", *host, *what, "-x", "cu", f"-arch={arch}"]
        # Not --expt-relaxed-constexpr: Kokkos' builds have it off by default.
        head += ["--extended-lambda", "-Xptxas", "-v"]
    else:
        what = ["--cuda-device-only", "--no-gpu-bundle-output"] if options.device_only else ["-Xarch_host", "-O0"]
        head = ["hipcc", f"--offload-arch={arch}", "-O3", "-Rpass-analysis=kernel-resource-usage", "-c", *what]
    return [*head, *common, str(source), "-o", str(output)]


def calls_host(text, kokkos):
    """Does device code outside Kokkos call a host function? nvcc only warns, and may compile such a kernel to
    nothing."""
    found = (line for line in text.splitlines() if re.search(r"#200\d\d-D: calling a (constexpr )?__host__", line))
    return any(not line.startswith(kokkos) for line in found)


def run(words, log):
    """Exit status and processor seconds, which do not grow when others work here too."""
    with log.open("w") as file:
        process = subprocess.Popen([str(word) for word in words], stdout=file, stderr=subprocess.STDOUT)
        _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    return process.returncode, usage.ru_utime + usage.ru_stime


def compile_one(options, arch, source):
    name = re.sub(r"\W+", "_", str(source.with_suffix("")))
    folder = options.out / arch
    folder.mkdir(parents=True, exist_ok=True)
    output, log = folder / f"{name}.o", folder / f"{name}.log"
    start = time.monotonic()
    status, processor = run(command(options, arch, source, output), log)
    seconds = time.monotonic() - start
    text = log.read_text(errors="replace")
    compiled = status == 0 and not calls_host(text, str(options.kokkos))
    state = "compiled" if compiled else "FAILED"
    print(f"  {arch}  {seconds:5.0f} s  {state}  {source}", file=sys.stderr, flush=True)
    if not compiled:
        print("\n".join(text.splitlines()[:40]), file=sys.stderr, flush=True)
    kernels = (resources.parse_ptxas if options.backend == "cuda" else resources.parse_remarks)(text)
    found = disassembly.read(options.backend, output, arch) if status == 0 else {}
    for kernel, plain in zip(kernels, names.demangle([kernel["mangled"] for kernel in kernels])):
        kernel["name"] = plain
        kernel["kokkos_own"] = names.is_kokkos_own(plain)
        kernel["opcodes"] = dict(sorted(found.get(kernel["mangled"], {}).items()))
    return {
        "source": str(source),
        "arch": arch,
        "seconds": round(seconds, 1),
        "processor_seconds": round(processor, 1),
        "compiled": compiled,
        "kernels": kernels,
    }


def sources_with_tuned(units):
    """The fewest first sources that have all tuned kernels of these units."""
    seen, found = set(), []
    for unit in units:
        tuned = {kernel["mangled"] for kernel in unit["kernels"] if kernel["tuned"]}
        if tuned - seen:
            found.append(unit["source"])
            seen |= tuned
    return found


def add_facts(options, units):
    """To each of the library's kernels what it says of itself: its tag and numbers."""
    kernels = [kernel for unit in units for kernel in unit["kernels"]]
    functors = sorted({names.functor(kernel["name"]) for kernel in kernels if names.is_of_library(kernel["name"])})
    folder = options.out / "overlay-host"
    overlay.write_overlay(folder, options.kokkos, "host", "host")
    paths = [folder, *options.include, options.kokkos]
    found = facts.collect(functors, options.out, options.host_compiler or "c++", paths)
    for kernel in kernels:
        kernel["fact"] = found.get(names.functor(kernel["name"]))
        kernel["tuned"] = rules.is_tuned(kernel)


def compile_all(options):
    if options.arch not in overlay.ARCHITECTURES:
        known = " ".join(overlay.ARCHITECTURES)
        raise SystemExit(f"device check: unknown architecture {options.arch}; known: {known}")
    sources = options.source
    if options.tuned_of:
        known = json.loads((options.out / f"{options.tuned_of}.json").read_text())
        sources = [type(options.out)(source) for source in sources_with_tuned(known)]
    overlay.write_overlay(options.out / f"overlay-{options.arch}", options.kokkos, options.backend, options.arch)
    # Products take longest: begun first, so that none is compiled alone at the end.
    order = sorted(sources, key=lambda source: "matmul" not in source.name)
    with ThreadPoolExecutor(options.jobs) as pool:
        found = dict(zip(order, pool.map(lambda source: compile_one(options, options.arch, source), order)))
    units = [found[source] for source in sources]
    add_facts(options, units)
    (options.out / f"{options.arch}.json").write_text(json.dumps(units, indent=1))

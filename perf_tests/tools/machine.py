# SPDX-FileCopyrightText: Pantile contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What is known of this machine and of the settings of a run, from Linux's own files; what cannot be read is left out.

Names of hosts and users are not asked for.
"""

import os
import pathlib
import platform
import re
import subprocess

VARIABLES = r"^(OMP_|KOKKOS|GOMP|KMP|OPENBLAS|BLIS|MKL|PANTILE_ISA|PANTILE_PERF|CUDA_VISIBLE|ROCR_VISIBLE|HIP_VISIBLE)"
JOB = r"^(SLURM_(JOB_ID|JOB_NUM_NODES|NTASKS|CPUS_PER_TASK|CPU_BIND|GPUS\w*|JOB_PARTITION)|FLUX_JOB_(ID|SIZE|NNODES))$"
FREQUENCY = "sys/devices/system/cpu/cpu0/cpufreq"


def read(path):
    try:
        return path.read_text(encoding="utf-8", errors="replace").strip()
    except OSError:
        return ""


def numbers_of(processors):
    """{0, 1, 2, 3, 8} of 0-3,8."""
    found = set()
    for part in filter(None, processors.split(",")):
        first, _, last = part.partition("-")
        found |= set(range(int(first), int(last or first) + 1))
    return found


def numbers_of_threads(affinity):
    """Of the processors of each thread, such as 0; 1, or of all, as programs write them; none where they do not say."""
    parts = [part.strip() for part in affinity.split(";")]
    return set().union(*(numbers_of(part) for part in parts if re.fullmatch(r"\d+(-\d+)?(,\d+(-\d+)?)*", part)))


def list_of(numbers):
    """0-3,8 of {0, 1, 2, 3, 8}."""
    parts = []
    for number in sorted(numbers):
        if parts and parts[-1][1] == number - 1:
            parts[-1][1] = number
        else:
            parts.append([number, number])
    return ",".join(str(first) if first == last else f"{first}-{last}" for first, last in parts)


def cpu_facts(root):
    text = read(root / "proc/cpuinfo")

    def value(key):
        match = re.search(rf"^{key}\s*: (.+)$", text, re.M)
        return match[1].strip() if match else ""

    kind = [f"{word} {value(key)}" for word, key in (("family", "cpu family"), ("model", "model")) if value(key)]
    pairs = re.findall(r"^physical id\s*: (\d+)$.*?^core id\s*: (\d+)$", text, re.M | re.S)
    facts = {
        "cpu": value("model name") or platform.machine(),
        "cpu_kind": " ".join([value("vendor_id"), *kind]).strip(),
        "sockets": len({socket for socket, _ in pairs}),
        "cores": len(set(pairs)) or os.cpu_count(),
        "hardware_threads": text.count("processor\t") or os.cpu_count(),
        "virtual": bool(re.search(r"^flags\s*:.*\bhypervisor\b", text, re.M)),
    }
    return {key: fact for key, fact in facts.items() if fact not in ("", 0)}


def cache_facts(root):
    """Size of each cache that holds data, and how many processors share it."""
    caches = {}
    for folder in sorted((root / "sys/devices/system/cpu/cpu0/cache").glob("index*")):
        if read(folder / "type") in ("Data", "Unified"):
            shared = len(numbers_of(read(folder / "shared_cpu_list"))) or 1
            caches[f"L{read(folder / 'level')}"] = f"{read(folder / 'size')}, shared by {shared}"
    return caches


def last_level_caches(root):
    """The processors of each, as sets."""
    found = set()
    for folder in (root / "sys/devices/system/cpu").glob("cpu[0-9]*/cache"):
        levels = [(int(read(index / "level") or 0), read(index / "shared_cpu_list")) for index in folder.glob("index*")]
        found |= {max(levels)[1]} if levels else set()
    return sorted((numbers_of(processors) for processors in found), key=min)


def clock_facts(root):
    """MHz, of the first processor; where the kernel does not say, of /proc/cpuinfo: what it was told at boot."""
    folder = root / FREQUENCY
    facts = {key: read(folder / f"scaling_{key}") for key in ("governor", "driver")}
    for key, name in (("max_MHz", "cpuinfo_max_freq"), ("MHz", "scaling_cur_freq")):
        if read(folder / name):
            facts[key] = int(read(folder / name)) // 1000
    clocks = [float(clock) for clock in re.findall(r"^cpu MHz\s*: ([\d.]+)$", read(root / "proc/cpuinfo"), re.M)]
    if clocks and "MHz" not in facts:
        facts["MHz_of_cpuinfo"] = round(max(clocks))
    for name, key in (("boost", "boost"), ("intel_pstate/no_turbo", "no_turbo")):
        facts[key] = read(root / "sys/devices/system/cpu/cpufreq" / name) or read(
            root / "sys/devices/system/cpu" / name
        )
    return {key: fact for key, fact in facts.items() if fact != ""}


def facts(root=pathlib.Path("/")):
    memory = re.search(r"^MemTotal:\s*(\d+) kB", read(root / "proc/meminfo"), re.M)
    pages = re.search(r"\[(\w+)\]", read(root / "sys/kernel/mm/transparent_hugepage/enabled"))
    found = cpu_facts(root) | {
        "caches": cache_facts(root),
        "clocks": clock_facts(root),
        "numa_nodes": len(list((root / "sys/devices/system/node").glob("node[0-9]*"))),
        "memory_GiB": round(int(memory[1]) / 2**20, 1) if memory else 0,
        "huge_pages": pages[1] if pages else "",
        "quota": read(root / "sys/fs/cgroup/cpu.max"),
        "kernel": platform.release(),
    }
    return {key: fact for key, fact in found.items() if fact not in ("", 0, {})}


def numpy_of(environment):
    """Version of the NumPy that takes part in contests (peers/numpy.hpp); empty where there is none."""
    words = [environment.get("PANTILE_PERF_PYTHON", "python3"), "-c", "import numpy; print(numpy.__version__)"]
    try:
        return subprocess.run(words, capture_output=True, text=True, timeout=60, check=False).stdout.strip()
    except (OSError, subprocess.TimeoutExpired):
        return ""


def commit():
    """What these tools are checked out at, with -dirty where there are changes."""
    words = ["git", "-C", str(pathlib.Path(__file__).parent), "describe", "--always", "--dirty"]
    try:
        return subprocess.run(words, capture_output=True, text=True, check=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        return "unknown"


def settings(environment=None):
    """Variables that decide how many threads there are and where they run, the job, the processors allowed, NumPy."""
    environment = os.environ if environment is None else environment
    found = {
        "variables": {key: environment[key] for key in sorted(environment) if re.match(VARIABLES, key)},
        "job": {key: environment[key] for key in sorted(environment) if re.match(JOB, key)},
        "affinity": list_of(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else "",
        "numpy": numpy_of(environment),
    }
    return {key: value for key, value in found.items() if value}


def identity(known):
    """One line of what facts() found, such as a table of machines is searched by."""
    return ", ".join(filter(None, (known.get("cpu"), known.get("cpu_kind"))))


def short_name(known):
    """For names of folders: amd-epyc-9b45_2-cores."""
    text = re.sub(r"\((R|TM)\)|\bCPU\b|\bProcessor\b|@.*|\d+-Core", "", known.get("cpu", "machine"), flags=re.I)
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-") + f"_{known.get('cores', '')}-cores"

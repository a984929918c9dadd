# SPDX-FileCopyrightText: Pantile contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests of machine.py on a tree of files such as Linux shows, and on this machine."""

import contextlib
import io
import json
import pathlib
import tempfile
import unittest

import command_line
import machine

PROCESSOR = """processor\t: {number}
vendor_id\t: AuthenticAMD
cpu family\t: 26
model\t\t: 2
model name\t: AMD EPYC 9B45 128-Core Processor
cpu MHz\t\t: 2500.5
physical id\t: {socket}
core id\t\t: {core}
flags\t\t: fpu sse avx512f
"""
FILES = {
    "proc/cpuinfo": "\n".join(PROCESSOR.format(number=i, socket=i // 4, core=i % 2) for i in range(8)),
    "proc/meminfo": "MemTotal:       16777216 kB\nMemFree: 1 kB\n",
    "sys/devices/system/cpu/cpu0/cache/index0/type": "Data",
    "sys/devices/system/cpu/cpu0/cache/index0/level": "1",
    "sys/devices/system/cpu/cpu0/cache/index0/size": "48K",
    "sys/devices/system/cpu/cpu0/cache/index0/shared_cpu_list": "0,4",
    "sys/devices/system/cpu/cpu0/cache/index1/type": "Instruction",
    "sys/devices/system/cpu/cpu0/cpufreq/scaling_governor": "performance",
    "sys/devices/system/cpu/cpu0/cpufreq/scaling_driver": "amd-pstate",
    "sys/devices/system/cpu/cpu0/cpufreq/cpuinfo_max_freq": "4100000",
    "sys/devices/system/cpu/cpu0/cpufreq/scaling_cur_freq": "3900000",
    "sys/devices/system/cpu/cpufreq/boost": "1",
    "sys/devices/system/node/node0/cpulist": "0-7",
    "sys/kernel/mm/transparent_hugepage/enabled": "always [madvise] never",
}


class Machine(unittest.TestCase):
    def test_a_tree_of_files(self):
        with tempfile.TemporaryDirectory() as folder:
            for name, text in FILES.items():
                path = pathlib.Path(folder, name)
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text + "\n", encoding="utf-8")
            known = machine.facts(pathlib.Path(folder))
        del known["kernel"]
        self.assertEqual(
            known,
            {
                "cpu": "AMD EPYC 9B45 128-Core Processor",
                "cpu_kind": "AuthenticAMD family 26 model 2",
                "sockets": 2,
                "cores": 4,
                "hardware_threads": 8,
                "caches": {"L1": "48K, shared by 2"},
                "numa_nodes": 1,
                "memory_GiB": 16.0,
                "huge_pages": "madvise",
                "clocks": {
                    "governor": "performance",
                    "driver": "amd-pstate",
                    "max_MHz": 4100,
                    "MHz": 3900,
                    "boost": "1",
                },
            },
        )
        self.assertEqual(machine.short_name(known), "amd-epyc-9b45_4-cores")
        self.assertEqual(machine.identity(known), "AMD EPYC 9B45 128-Core Processor, AuthenticAMD family 26 model 2")

    def test_what_cannot_be_read_is_left_out(self):
        with tempfile.TemporaryDirectory() as folder:
            known = machine.facts(pathlib.Path(folder))
        self.assertEqual(set(known), {"cpu", "cores", "hardware_threads", "kernel"})

    def test_lists_of_processors(self):
        self.assertEqual(machine.list_of({0, 1, 2, 3, 8}), "0-3,8")
        self.assertEqual(machine.numbers_of("0-3,8"), {0, 1, 2, 3, 8})
        self.assertEqual(machine.list_of(()), "")

    def test_settings_have_neither_host_nor_user(self):
        python = {"PANTILE_PERF_PYTHON": "/no/python"}
        others = {"USER": "me", "SLURM_JOB_USER": "me", "OMPI_ARGV": "a b"}
        known = machine.settings({"OMP_PLACES": "cores", "SLURM_JOB_ID": "7", **others, **python})
        self.assertEqual((known["variables"], known["job"]), ({"OMP_PLACES": "cores", **python}, {"SLURM_JOB_ID": "7"}))
        self.assertNotIn("numpy", known)

    def test_the_numpy_of_the_contests(self):
        with tempfile.TemporaryDirectory() as folder:
            python = pathlib.Path(folder, "python")
            python.write_text("#!/bin/sh\necho 2.3.4\n", encoding="utf-8")
            python.chmod(0o755)
            self.assertEqual(machine.settings({"PANTILE_PERF_PYTHON": str(python)})["numpy"], "2.3.4")

    def test_this_machine(self):
        for words in (["machine"], ["machine", "--name"]):
            out = io.StringIO()
            with contextlib.redirect_stdout(out):
                self.assertEqual(command_line.main(words), 0)
            if len(words) == 1:
                self.assertTrue(json.loads(out.getvalue())["machine"]["cpu"])
            else:
                self.assertRegex(out.getvalue(), r"^[a-z0-9-]+_\d+-cores\n$")


if __name__ == "__main__":
    unittest.main()

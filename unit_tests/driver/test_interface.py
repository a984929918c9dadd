#!/usr/bin/env python3
# SPDX-FileCopyrightText: Pantile contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the driver program says of itself: version, suggestions, shell completion, man page."""

import json
import pathlib
import re
import shutil
import subprocess
import unittest

import driver_case
from driver_case import DriverCase

SHARE = pathlib.Path(__file__).resolve().parents[2] / "src/driver/share"
COMMANDS = ["matmul", "transpose", "add", "histogram", "ladder", "info"]


class Interface(DriverCase):
    def options_of(self, command):
        """Long names in the usage text."""
        return set(re.findall(r"^ .*?(--[a-z-]+)", self.succeed(command, "--help"), re.MULTILINE))

    def test_version(self):
        self.succeed("info", "--report", "r.json")
        version = json.loads((self.folder / "r.json").read_text())["version"].split(",")[0]
        self.assertEqual(self.succeed("--version"), f"pantile {version}\n")

    def test_suggestions(self):
        files = ["matmul", "a.npy", "b.npy", "-o", "c.npy"]
        for arguments, word in ((["matmull"], "matmul"), (["--helpp"], None), (["trasnpose", "--help"], "transpose"),
                                (["matmul", "a.npy", "b.npy", "--ouput", "c.npy"], "--output"),
                                ([*files, "--algoritm=tiled"], "--algorithm"), ([*files, "--zzz"], None),
                                ([*files, "--algorithm", "tield"], "tiled"), ([*files, "--algorithm=tield"], "tiled"),
                                ([*files, "--op-a", "tranpose"], "transpose"), ([*files, "--order", "c"], None),
                                (["ladder", "--type", "flaot32"], "float32"),
                                (["histogram", "i.npy", "--bins", "4", "-o", "c.npy", "--out-of-range", "cuont"],
                                 "count"),
                                (["--completion", "bahs"], "bash")):
            with self.subTest(arguments=arguments):
                line = self.refuse(*arguments, status=2)
                self.assertEqual(re.findall(r"did you mean '(.*)'\?", line), [word] if word else [], line)

    def test_values_are_no_options(self):
        self.write("a.npy", driver_case.ones_npy(2, 2))
        self.succeed("transpose", "a.npy", "-o", "--strange.npy")
        self.assertTrue((self.folder / "--strange.npy").exists())
        self.succeed("transpose", "-o", "out.npy", "--", "--strange.npy")

    def complete(self, *words):
        """What bash offers for the last of these words."""
        script = ('eval "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _pantile; '
                  'printf "%s\\n" "${COMPREPLY[@]}"')
        result = subprocess.run(["bash", "-c", script, "bash", self.succeed("--completion", "bash"), "pantile", *words],
                                capture_output=True, text=True, check=True, timeout=60, cwd=self.folder)
        self.assertEqual(result.stderr, "")
        return result.stdout.split()

    @unittest.skipIf(shutil.which("bash") is None, "there is no bash")
    def test_bash_completion(self):
        self.write("a.npy", b"")
        self.write("b.mtx", b"")
        self.assertEqual(self.complete("tr"), ["transpose"])
        self.assertEqual(self.complete("--v"), ["--version"])
        self.assertEqual(self.complete("--completion", ""), ["bash", "zsh"])
        self.assertEqual(sorted(self.complete("")), sorted([*COMMANDS, "-h", "--help", "--version", "--completion"]))
        for command in COMMANDS:
            offered = set(self.complete(command, "-")) - {"-h", "-o"}
            self.assertEqual(offered, self.options_of(command), command)
        self.assertEqual(self.complete("matmul", "a.npy", "--op-b", "conjugate"), ["conjugate", "conjugate_transpose"])
        self.assertEqual(self.complete("transpose", "--algorithm", "p"), ["padded"])
        self.assertEqual(self.complete("matmul", "--algorithm", "p"), [])
        self.assertEqual(self.complete("matmul", "--threads", ""), [])
        self.assertEqual(self.complete("matmul", "a"), ["a.npy"])
        self.assertEqual(self.complete("matmul", "a.npy", "-o", "b"), ["b.mtx"])

    def test_zsh_completion(self):
        text = self.succeed("--completion", "zsh")
        for command in COMMANDS:
            arguments = re.search(rf"^ +{command}\) _arguments(.*?) ;;$", text, re.MULTILINE | re.DOTALL).group(1)
            self.assertEqual(set(re.findall(r"(--[a-z-]+)\[", arguments)), self.options_of(command), command)
        if shutil.which("zsh"):
            subprocess.run(["zsh", "-n"], input=text, text=True, check=True, timeout=60)

    def test_man_page(self):
        text = self.succeed("--man")
        for command in COMMANDS:
            section = re.search(rf"^\.SS pantile {command}\n(.*?)^\.S", text, re.MULTILINE | re.DOTALL).group(1)
            names = {name.replace("\\-", "-") for name in re.findall(r"\\fB(\\-\\-[a-z\\-]+)\\fR", section)}
            self.assertEqual(names, self.options_of(command), command)
        self.assertEqual(re.findall(r"^\.[a-z].*", text, re.MULTILINE), [], "a dot begins a line: troff leaves it out")
        # What the program asks, or refuses, stands there too.
        sources = [SHARE.parent / "session.cpp", SHARE.parents[1] / "pantile/impl/arch/host/isa.hpp"]
        asked = set(re.findall(r'"((?:KOKKOS|OMP|PANTILE)_[A-Z_]+)"', "".join(map(pathlib.Path.read_text, sources))))
        self.assertGreater(len(asked), 5)
        self.assertEqual(asked - set(re.findall(r"\w+", text.partition(".SH ENVIRONMENT\n")[2])), set())
        sets = re.findall(r'case Isa::\w+: return "(\w+)"', sources[1].read_text())
        self.assertIn("avx2", sets)
        told = re.findall(r"\w+", text.partition("PANTILE_ISA\n")[2].partition(".TP")[0])
        self.assertEqual(set(sets) - set(told), set())
        if shutil.which("mandoc"):
            subprocess.run(["mandoc", "-T", "lint", "-W", "error"], input=text, text=True, check=True, timeout=60)

    def test_operands_that_begin_with_a_dash(self):
        self.write("-a.npy", driver_case.ones_npy(2, 3))
        self.succeed("transpose", "-o", "b.npy", "--", "-a.npy")
        self.assertEqual((self.folder / "b.npy").read_bytes()[-48:], driver_case.ones_npy(3, 2)[-48:])
        self.assertIn('pantile transpose \\-o b.npy \\-\\- \\-a.npy', self.succeed("--man"))


if __name__ == "__main__":
    driver_case.main()

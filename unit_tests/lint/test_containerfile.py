#!/usr/bin/env python3
# SPDX-FileCopyrightText: Pantile contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What scripts/Containerfile names is there: functions of scripts/lib/roots.sh, scripts, roots. Nothing is built."""

import os
import pathlib
import re
import subprocess
import unittest

PROJECT = pathlib.Path(__file__).resolve().parents[2]
TEXT = (PROJECT / "scripts" / "Containerfile").read_text(encoding="utf-8")


def sourced(command):
    """What bash says to a command after it has read roots.sh as the image does."""
    words = ["bash", "-euc", f". scripts/lib/roots.sh; {command}"]
    return subprocess.run(words, cwd=PROJECT, capture_output=True, text=True, check=True).stdout


class ContainerfileTest(unittest.TestCase):
    def test_functions(self):
        named = set(re.findall(r"\broot_\w+", TEXT))
        self.assertLessEqual({"root_components", "root_packages", "root_filters", "root_mend"}, named)
        self.assertEqual(named - set(sourced("compgen -A function").split()), set())

    def test_scripts(self):
        named = set(re.findall(r"\bscripts/[\w/.]*\w", TEXT))
        self.assertLessEqual({"scripts/lib/roots.sh", "scripts/demo", "scripts/test"}, named)
        for path in named:
            with self.subTest(path):
                self.assertTrue((PROJECT / path).is_file())
        for path in re.findall(r'"(scripts/\w+)"', TEXT):
            self.assertTrue(os.access(PROJECT / path, os.X_OK), f"{path} is what the image runs")

    def test_roots(self):
        for root in set(re.findall(r"\bROOT=(\w+)", TEXT)):
            self.assertIn(root, sourced("root_names").split())
            for function in ("root_components", "root_packages"):
                self.assertNotEqual(sourced(f"{function} {root}").strip(), "")

    def test_variables(self):
        named = set(re.findall(r"\bPANTILE_\w+", TEXT))
        self.assertIn("PANTILE_INSIDE", named)
        known = (PROJECT / "scripts" / "lib" / "environment.sh").read_text(encoding="utf-8")
        self.assertEqual([name for name in sorted(named) if name not in known], [])


if __name__ == "__main__":
    unittest.main()

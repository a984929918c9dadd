#!/usr/bin/env python3
# SPDX-FileCopyrightText: Pantile contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""scripts/check_format without its program: lenient by hand, a failure where CI is set."""

import os
import pathlib
import subprocess
import unittest

SCRIPT = pathlib.Path(__file__).resolve().parents[2] / "scripts" / "check_format"


def run(**variables):
    environment = {name: value for name, value in os.environ.items() if name != "CI"}
    environment.update({"CLANG_FORMAT": "no_such_clang_format"} | variables)
    return subprocess.run(["bash", SCRIPT], env=environment, capture_output=True, text=True, check=False)


class CheckFormatTest(unittest.TestCase):
    def test_missing_program(self):
        for variables, status in (({}, 0), ({"CI": ""}, 0), ({"CI": "true"}, 1), ({"CI": "1"}, 1)):
            with self.subTest(**variables):
                result = run(**variables)
                self.assertEqual(result.returncode, status, result)
                self.assertIn("no no_such_clang_format here: formatting is not checked", result.stdout)

    def test_files_of_all_kinds(self):
        words = ["git", "-C", SCRIPT.parents[1], "ls-files", "*.hpp", "*.cpp", "*.cu", "*.h", "*.c"]
        found = subprocess.run(words, capture_output=True, text=True, check=False)
        if found.returncode != 0:
            self.skipTest("no checkout")
        result = run(CLANG_FORMAT="echo")  # says which files it is given
        self.assertEqual(set(found.stdout.split()) - set(result.stdout.split()), set())
        self.assertIn(".cu", {pathlib.Path(word).suffix for word in result.stdout.split()})


if __name__ == "__main__":
    unittest.main()

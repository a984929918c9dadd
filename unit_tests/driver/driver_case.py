# SPDX-FileCopyrightText: Pantile contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the tests of the driver program share: a folder of its own for each test, and calls of the program.

A test file is called with the program's path, and then as unittest is: test_x.py DRIVER [unittest's arguments].
"""

import os
import pathlib
import struct
import subprocess
import sys
import tempfile
import unittest

SKIPPED = 77  # SKIP_RETURN_CODE of the ctest cases
# Address sanitizer, as the presets run it: its operator new ends the program where it should throw.
SANITIZED = "ASAN_OPTIONS" in os.environ


def npy_bytes(header, data, version=(1, 0), magic=b"\x93NUMPY"):
    """An .npy file with this dictionary, whatever it says."""
    text = header.encode() if isinstance(header, str) else header
    length = struct.pack("<H" if version == (1, 0) else "<I", len(text))
    return magic + bytes(version) + length + text + data


def ones_npy(rows, columns):
    """A whole file of float64 ones, without NumPy."""
    header = f"{{'descr': '<f8', 'fortran_order': False, 'shape': ({rows}, {columns}), }}\n"
    return npy_bytes(header, struct.pack("<d", 1.0) * (rows * columns))


class DriverCase(unittest.TestCase):
    driver = ""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def call(self, *arguments, **environment):
        command = [self.driver, *map(str, arguments)]
        return subprocess.run(command, capture_output=True, text=True, timeout=120, cwd=self.folder,
                              env=os.environ | environment)

    def pipe(self, *arguments, data=b""):
        """The same in bytes, with `data` on its standard input."""
        command = [self.driver, *map(str, arguments)]
        return subprocess.run(command, input=data, capture_output=True, timeout=120, cwd=self.folder)

    def write(self, name, content):
        (self.folder / name).write_bytes(content)
        return name

    def succeed(self, *arguments):
        result = self.call(*arguments)
        self.assertEqual(result.returncode, 0, f"{arguments}: {result.stderr}")
        self.assertEqual(result.stderr, "")
        return result.stdout

    def refuse(self, *arguments, status=1, words=(), **environment):
        """The program ends with this status and one sentence that has all the words; no file appears or stays."""
        before = sorted(path.name for path in self.folder.iterdir())
        result = self.call(*arguments, **environment)
        self.assertEqual(result.returncode, status, f"{arguments}: {result.stdout}{result.stderr}")
        lines = result.stderr.splitlines()
        self.assertEqual(len(lines), 1, f"{arguments}: {result.stderr}")
        self.assertTrue(lines[0].startswith("pantile: "), lines[0])
        for word in words:
            self.assertIn(word, lines[0])
        self.assertEqual(sorted(path.name for path in self.folder.iterdir()), before, arguments)
        return lines[0]


def main():
    if len(sys.argv) < 2:
        sys.exit("usage: test file DRIVER [unittest's arguments]")
    DriverCase.driver = str(pathlib.Path(sys.argv.pop(1)).resolve())
    unittest.main(module="__main__")

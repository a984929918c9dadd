# SPDX-FileCopyrightText: Pantile contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Processes with little memory get no more, and nothing of their groups stays."""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest
from unittest import mock

import limits

MIB = 1 << 20
GREEDY = "import sys; a = bytearray(int(sys.argv[1])); a[::4096] = b'x' * len(a[::4096])"


def take(limit, mib):
    """Exit status of a process that uses so much."""
    return subprocess.run([sys.executable, "-c", GREEDY, str(mib * MIB)], preexec_fn=limit.enter, check=False,
                          stderr=subprocess.DEVNULL).returncode  # fmt: skip


class LimitsTest(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.root = pathlib.Path(self.folder.name)

    def own_group(self, table):
        (self.root / "table").write_text(table, encoding="ascii")
        return limits.own_group(self.root, self.root / "table")

    def test_own_group(self):
        self.assertEqual(self.own_group("4:cpu,memory:/a/b\n0::/\n"),
                         (self.root / "memory/a/b", ("memory.limit_in_bytes", "memory.memsw.limit_in_bytes")))
        self.assertEqual(self.own_group("1:cpu:/\n0::/user/x:y\n"),
                         (self.root / "user/x:y", ("memory.max", "memory.swap.max")))
        with self.assertRaisesRegex(limits.Unlimited, "in no group"):
            self.own_group("1:cpu:/\n")

    def test_groups_without_a_limit_or_a_right(self):
        with self.assertRaisesRegex(limits.Unlimited, "have no limit of memory here"):
            limits.make_group(self.root, ("memory.max", "memory.swap.max"), 1)
        self.assertEqual(list(self.root.iterdir()), [])
        with self.assertRaisesRegex(limits.Unlimited, "can be made here: No such file"):
            limits.make_group(self.root / "none", ("memory.max", "memory.swap.max"), 1)

    def test_swap_is_none_or_counted_with_memory(self):
        make = pathlib.Path.mkdir
        for files, swap in ((("memory.max", "memory.swap.max"), "0"),
                            (("memory.limit_in_bytes", "memory.memsw.limit_in_bytes"), "4096")):  # fmt: skip

            def as_the_system(group, files=files):
                make(group)
                for name in files:
                    (group / name).touch()

            with mock.patch.object(pathlib.Path, "mkdir", as_the_system):
                group = limits.make_group(self.root, files, 4096)
            self.assertEqual([(group / name).read_text(encoding="ascii") for name in files], ["4096", swap])
            shutil.rmtree(group)

    def test_what_is_chosen(self):
        refused = mock.patch.object(limits, "own_group", side_effect=limits.Unlimited("not here"))
        with refused, limits.choose("any", 512 * MIB, 64 * MIB) as limit:
            self.assertEqual((limit.budget, limit.holds_cache), (512 * MIB, False))
            self.assertIn("512 MiB in 1280 MiB of addresses", limit.words)
        with refused, self.assertRaisesRegex(limits.Unlimited, "not here"), limits.choose("group", 512 * MIB, 64 * MIB):
            pass
        for memory in (MIB, 64 * MIB):
            with self.assertRaisesRegex(limits.Unlimited, "none but the 64"), limits.choose("group", memory, 64 * MIB):
                pass
        with limits.choose("any", 100 * MIB, 64 * MIB) as limit:  # too small a group
            self.assertFalse(limit.holds_cache)

    def test_addresses(self):
        with limits.choose("addresses", 64 * MIB, 0) as limit:
            self.assertEqual(take(limit, 64), 0)
            self.assertNotEqual(take(limit, 64 + 768), 0)

    def test_group(self):
        try:
            with limits.in_group(128 * MIB, 28 * MIB) as limit:
                self.assertEqual((limit.budget, limit.holds_cache), (100 * MIB, True))
                self.assertEqual(take(limit, 64), 0)
                self.assertNotEqual(take(limit, 256), 0)
                group = limits.own_group()[0] / f"pantile-{os.getpid()}"
                self.assertTrue(group.exists())
        except limits.Unlimited as error:
            self.skipTest(str(error))
        self.assertFalse(group.exists())


if __name__ == "__main__":
    unittest.main()

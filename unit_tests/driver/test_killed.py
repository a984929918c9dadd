#!/usr/bin/env python3
# SPDX-FileCopyrightText: Pantile contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs by tiles that are killed at any change of a file, and what is left of them damaged. 77: no NumPy here.

The killing is done by the library that PANTILE_KILLING names (killing.cpp). PANTILE_KILLS says how many runs of each
command are killed; from some hundred on each change of a file ends one.
"""

import os
import re
import signal

import driver_case
from test_tiles import TilesCase, np

JOURNAL = ".pantile-out.npy.journal"
TEMPORARY = ".pantile-out.npy.tmp"
COMMANDS = {
    "transpose": ["transpose", "a.npy", "--memory", "8K"],
    "matmul": ["matmul", "a.npy", "b.npy", "--alpha", "0.3", "--memory", "12K"],
}


class Killed(TilesCase):
    KILLS = int(os.environ.get("PANTILE_KILLS", 20))

    def setUp(self):
        super().setUp()
        self.save("a.npy", self.random.standard_normal((40, 50)))
        self.save("b.npy", self.random.standard_normal((50, 30)))

    def run_killed(self, *arguments, at=0, cuts=False):
        """The status and what was said of a run that ends at that change of a file, 0: by itself."""
        environment = {
            "LD_PRELOAD": os.environ["PANTILE_KILLING"],
            "PANTILE_KILL_AT": str(at),
            "PANTILE_KILL_CUTS": str(int(cuts)),
            "PANTILE_KILL_COUNT": "changes",
            "ASAN_OPTIONS": os.environ.get("ASAN_OPTIONS", "") + ":verify_asan_link_order=0",
            "OMP_NUM_THREADS": "1",
        }
        result = self.call(*arguments, "-o", "out.npy", **environment)
        return result.returncode, result.stderr

    def undisturbed(self, arguments):
        """The result's bytes, and how many changes of files it takes."""
        self.assertEqual(self.run_killed(*arguments), (0, ""))
        result = self.folder / "out.npy"
        whole = result.read_bytes()
        result.unlink()
        return whole, int((self.folder / "changes").read_text())

    def left(self):
        """But for the file, empty yet, by which a run has found out that it may write."""
        return [name for name in super().left() if not re.fullmatch(r"\.pantile-\d+-0\.tmp", name)]

    def resumed(self, arguments, whole, what):
        """The end of a run that was killed, whose result must be the same to the bit."""
        self.assertEqual(self.run_killed(*arguments, "--resume"), (0, ""), what)
        self.assertEqual((self.folder / "out.npy").read_bytes(), whole, what)
        self.assertEqual(self.left(), [], what)

    def kill_and_resume(self, arguments, whole, points):
        """Killed at the first of the points, the next run at the next, ...; how many of them were reached."""
        self.write("out.npy", b"older")
        kills = 0
        for at, cuts, resume in points:
            status, text = self.run_killed(*arguments, *resume, at=at, cuts=cuts)
            self.assertIn(status, (0, -signal.SIGKILL), text)
            kills += status != 0
            self.assertIn((self.folder / "out.npy").read_bytes(), (b"older", whole), points)
        self.resumed(arguments, whole, points)
        return kills

    def drawn_points(self, changes, first):
        """One to three (change, cuts, options), at the first one and at others, more often near a run's ends."""
        for turn in range(self.random.integers(1, 4)):
            near = int(changes ** self.random.random())
            at = first if turn == 0 else int(self.random.choice([near, changes + 1 - near]))
            resume = ["--resume"] if self.random.integers(3) > 0 else []
            yield at, bool(self.random.integers(2)), resume

    def test_at_any_change_of_a_file(self):
        for command, arguments in COMMANDS.items():
            whole, changes = self.undisturbed(arguments)
            self.assertGreater(changes, 40)
            firsts = 1 + self.random.permutation(changes)
            kills = chains = 0
            while kills < self.KILLS:
                points = list(self.drawn_points(changes, int(firsts[chains % changes])))
                kills += self.kill_and_resume(arguments, whole, points)
                chains += 1
            print(f"{command}: killed {kills} times at {changes} changes, {chains} results the same")

    def left_over(self, arguments):
        """Files of a run that was killed when it had recorded half of its tiles, by name."""
        _, changes = self.undisturbed(arguments)
        for at in range(changes // 2, changes):
            self.run_killed(*arguments, at=at)
            if (self.folder / JOURNAL).exists() and (self.folder / JOURNAL).read_text().count("parts ") > 1:
                return {name: (self.folder / name).read_bytes() for name in (JOURNAL, TEMPORARY)}
        return self.fail("no run was killed in the middle")

    def damages(self, journal, temporary):
        """(what it is, journal, temporary file)"""
        lines = journal.splitlines(keepends=True)
        yield "another number of tiles", journal.replace(b"parts ", b"parts 9"), temporary
        yield "fewer than no tiles", journal.replace(b"parts ", b"parts -"), temporary
        yield "a number and more", journal[:-1] + b"0\n", temporary
        yield "a last line without its end", journal[:-1], temporary
        yield "a torn line and another", journal[:-2] + lines[-1], temporary
        yield "zeros at the end", journal + bytes(50), temporary
        yield "zeros alone", bytes(len(journal)), temporary
        yield "nothing", b"", temporary
        yield "no line of tiles", b"".join(line for line in lines if not line.startswith(b"parts ")), temporary
        yield "a short result", journal, temporary[:-1]
        yield "a long result", journal, temporary + b"0"
        yield "no result", journal, b""
        for _ in range(self.KILLS // 2):
            at = int(self.random.integers(len(journal)))
            yield f"cut at {at}", journal[:at], temporary
            damaged = bytearray(journal)
            damaged[at] ^= 1 << self.random.integers(8)
            yield f"a bit at {at}", bytes(damaged), temporary
            at = len(journal) - 1 - int(self.random.integers(len(lines[-1])))
            damaged = bytearray(journal)
            damaged[at] = self.random.integers(ord("0"), ord("9"), endpoint=True)
            yield f"a digit at {at}", bytes(damaged), temporary

    def test_damaged_files(self):
        arguments = COMMANDS["transpose"]
        whole, _ = self.undisturbed(arguments)
        left = self.left_over(arguments)
        refused = 0
        for what, journal, temporary in self.damages(left[JOURNAL], left[TEMPORARY]):
            with self.subTest(what=what):
                self.write(JOURNAL, journal)
                self.write(TEMPORARY, temporary)
                status, text = self.run_killed(*arguments, "--resume")
                if status != 0:
                    self.assertEqual((status, len(text.splitlines())), (1, 1), text)
                    self.assertRegex(text, "^pantile: cannot .* without --resume (it|the run) begins anew$")
                    self.assertFalse((self.folder / "out.npy").exists())
                    self.assertEqual((self.folder / JOURNAL).read_bytes(), journal)
                    refused += 1
                    self.assertEqual(self.run_killed(*arguments), (0, ""))
                self.assertEqual((self.folder / "out.npy").read_bytes(), whole)
                self.assertEqual(self.left(), [])
                (self.folder / "out.npy").unlink()
        print(f"{refused} damaged journals refused")

    def test_of_other_operands_and_options(self):
        arguments = COMMANDS["matmul"]
        whole, _ = self.undisturbed(arguments)
        left = self.left_over(arguments)
        self.save("b_t.npy", np.load(self.folder / "b.npy").T.copy())
        self.save("c.npy", np.zeros((40, 30)))
        for others in (
            ["matmul", "a.npy", "b.npy", "--alpha", "0.4"],
            ["matmul", "a.npy", "b.npy", "--alpha", "0.3", "--order", "F"],
            ["matmul", "a.npy", "b_t.npy", "--op-b", "transpose", "--alpha", "0.3"],
            ["matmul", "a.npy", "b.npy", "--alpha", "0.3", "--beta", "1", "--c-in", "c.npy"],
            ["matmul", "b.npy", "a.npy", "--op-a", "transpose", "--op-b", "transpose", "--alpha", "0.3"],
            ["transpose", "a.npy"],
        ):
            with self.subTest(others=others):
                for name, content in left.items():
                    self.write(name, content)
                status, text = self.run_killed(*others, "--memory", "12K", "--resume")
                self.assertEqual((status, len(text.splitlines())), (1, 1), text)
                self.assertRegex(text, "^pantile: cannot write 'out.npy': the run to be resumed had .* begins anew$")
                self.assertEqual({name: (self.folder / name).read_bytes() for name in left}, left)
        self.resumed(arguments, whole, "after refusals")


if __name__ == "__main__":
    driver_case.main()

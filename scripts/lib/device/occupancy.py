# SPDX-FileCopyrightText: Pantile contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How many teams of a kernel a multiprocessor holds at once.

Sources: NVIDIA, CUDA C++ Programming Guide, "Compute Capabilities" (limits per multiprocessor), and the occupancy
calculator (a warp's registers come in units of 256, from the quarter of the file that belongs to its scheduler); AMD,
Instinct MI200 and MI300 ISA guides, and LLVM's AMDGPUBaseInfo (granules, waves per SIMD, barriers per compute unit).
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Machine:
    warp: int  # threads
    warps: int  # of all schedulers
    teams: int
    registers: int  # of 4 bytes, of all schedulers
    register_unit: int  # in which a warp gets them
    scratch: int  # bytes
    scratch_unit: int
    scratch_taken: int  # by the system, from each team's
    schedulers: int = 4

    @property
    def threads(self):
        return self.warp * self.warps


def nvidia(warps, teams, scratch_kib):
    return Machine(32, warps, teams, 65536, 256, scratch_kib * 1024, 128, 1024)


# A lane of a SIMD has 512 registers, matrix registers among them; a compute unit has barriers for 16 teams.
AMD = Machine(64, 32, 16, 4 * 64 * 512, 64 * 8, 64 * 1024, 512, 0)

MACHINES = {
    "sm_80": nvidia(64, 32, 164),
    "sm_86": nvidia(48, 16, 100),
    "sm_89": nvidia(48, 24, 100),
    "sm_90": nvidia(64, 32, 228),
    "sm_100": nvidia(64, 32, 228),
    "sm_120": nvidia(48, 24, 100),
    "gfx90a": AMD,
    "gfx942": AMD,
}


def round_up(value, unit):
    return -(-value // unit) * unit


def scratch_of_team(scratch, threads, static):
    """Bytes: the kernel's own, what Kokkos puts before it (8 for each thread and two more), and static ones."""
    return scratch + 8 * (threads + 2) + static


def registers_of_thread(registers, matrix_registers):
    """AMD's matrix registers follow the others, from a multiple of four on."""
    return round_up(registers, 4) + matrix_registers if matrix_registers else registers


@dataclass(frozen=True)
class Fit:
    """Teams that a multiprocessor holds, by what bounds them; scratch is None where it is chosen at run time."""

    registers: int
    threads: int
    scratch: "int | None"

    @property
    def teams(self):
        return min(self.bounds().values())

    @property
    def bound(self):
        bounds = self.bounds()
        return min(bounds, key=bounds.get)

    def bounds(self):
        known = {"registers": self.registers, "scratch": self.scratch, "threads": self.threads}
        return {name: value for name, value in known.items() if value is not None}


def fit(machine, threads, registers, scratch, waves=None):
    """
    threads: of a team; registers: of a thread; scratch: bytes of a team, or None; waves: how many a scheduler holds as
    the compiler says, which knows of scalar registers too
    """
    warps = -(-threads // machine.warp)
    of_warp = round_up(max(registers, 1) * machine.warp, machine.register_unit)
    resident = machine.registers // machine.schedulers // of_warp * machine.schedulers
    if waves is not None:
        resident = min(resident, waves * machine.schedulers)
    by_scratch = None
    if scratch is not None:
        of_team = round_up(scratch + machine.scratch_taken, machine.scratch_unit)
        by_scratch = machine.scratch // max(of_team, 1)
    return Fit(resident // warps, min(machine.warps // warps, machine.teams), by_scratch)

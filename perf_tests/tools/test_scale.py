# SPDX-FileCopyrightText: Pantile contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests of scale.py: limits of the model, and that the notes say what it says."""

import contextlib
import dataclasses
import io
import math
import pathlib
import re
import unittest

import command_line
import scale

NOTES = pathlib.Path(__file__).resolve().parent.parent / "notes"
HOST, NARROW, DEVICE = scale.ways()
MESSAGES = ("packing", "latency", "volume")


class Terms(unittest.TestCase):
    def test_one_rank_sends_nothing(self):
        for way in (HOST, NARROW, DEVICE):
            product = scale.matmul_terms(4096, (1, 1), way, scale.NDR)
            moved = scale.transpose_terms(4096, (1, 1), way, scale.NDR)
            self.assertEqual([product[name] for name in (*MESSAGES, "agreement")], [0, 0, 0, 0])
            self.assertEqual([moved[name] for name in ("latency", "volume", "agreement")], [0, 0, 0])
            self.assertGreater(product["product"], 0)

    def test_a_row_of_ranks_sends_no_panels_of_b(self):
        row = scale.matmul_terms(4096, (1, 4), DEVICE, scale.NDR)
        alone = scale.broadcasts(4096 * DEVICE.panel * scale.ELEMENT, 4096 / DEVICE.panel, 4, scale.NDR)
        self.assertAlmostEqual(row["latency"], alone[0])
        self.assertAlmostEqual(row["volume"], alone[1])
        self.assertAlmostEqual(row["packing"], 4096**2 * scale.ELEMENT * DEVICE.pack_panel)

    def test_the_volume(self):
        half = dataclasses.replace(scale.NDR, bandwidth=scale.NDR.bandwidth / 2)
        for terms_of in (scale.matmul_terms, scale.transpose_terms):
            fast, slow = (terms_of(65536, (4, 4), DEVICE, network) for network in (scale.NDR, half))
            self.assertAlmostEqual(slow["volume"], 2 * fast["volume"])
            self.assertEqual(slow["product"], fast["product"])
        once, twice = (scale.broadcasts(size, 10, 8, scale.NDR) for size in (1e9, 2e9))
        self.assertAlmostEqual(twice[1], 2 * once[1])
        self.assertEqual(twice[0], once[0])

    def test_a_ring(self):
        for ranks, hops in ((1, 0), (2, 10 + 1), (5, 16 + 4)):  # ten panels: of two ranks one sends, the other receives
            latency, volume = scale.broadcasts(1e6, 10, ranks, scale.NDR)
            self.assertAlmostEqual(latency, hops * scale.NDR.latency)
            self.assertAlmostEqual(volume, hops * 1e6 / scale.NDR.bandwidth)

    def test_both_directions_of_the_grid(self):
        wide, tall = (scale.matmul_terms(8192, grid, DEVICE, scale.NDR) for grid in ((2, 8), (8, 2)))
        self.assertEqual(wide, tall)

    def test_the_product(self):
        n, grid = 65536, (4, 4)
        product = scale.matmul_terms(n, grid, DEVICE, scale.NDR)["product"]
        self.assertAlmostEqual(product, 2 * n**3 / 16 / DEVICE.flops)
        narrow = scale.matmul_terms(n, grid, NARROW, scale.NDR)["product"]  # by memory: C there and back for each panel
        self.assertAlmostEqual(narrow, 16 * (n / 4) ** 2 * (n / 64) / NARROW.memory_bandwidth)

    def test_staging_is_of_those_who_stage(self):
        n, grid, part = 6400, (10, 10), 640**2 * 8 / HOST.staging
        self.assertAlmostEqual(scale.matmul_terms(n, grid, HOST, scale.NDR)["staging"], 3 * part)
        self.assertAlmostEqual(scale.transpose_terms(n, grid, HOST, scale.NDR)["staging"], 2 * part)
        self.assertEqual(scale.matmul_terms(n, grid, DEVICE, scale.NDR)["staging"], 0)

    def test_the_agreement_grows_by_the_tree(self):
        two, many = scale.agreement(2, scale.NDR), scale.agreement(10_000, scale.NDR)
        self.assertAlmostEqual(many, 14 * two)
        self.assertAlmostEqual(two, 2 * (scale.NDR.latency + 24 / scale.NDR.bandwidth))


class Parts(unittest.TestCase):
    def test_every_row_has_a_place(self):
        for n, block, places in ((9, 2, 3), (1, 64, 5), (1000, 64, 7), (128, 64, 2), (0, 8, 2)):
            extents = [scale.local_extent(n, block, places, place) for place in range(places)]
            self.assertEqual(sum(extents), n)
            self.assertEqual(max(extents), extents[0])
            counted = [sum(1 for row in range(n) if row // block % places == place) for place in range(places)]
            self.assertEqual(extents, counted)

    def test_imbalance(self):
        self.assertEqual(scale.imbalance(256, (2, 2)), 1)
        self.assertAlmostEqual(scale.imbalance(3 * 64, (2, 2)), (4 / 3) ** 2)

    def test_memory_adds_up(self):
        for way, copies in ((HOST, 3), (DEVICE, 0)):
            found = scale.memory(12800, (10, 10), way)
            self.assertEqual(found["total"], found["operands"] + found["staged"] + found["panels"])
            self.assertEqual(found["operands"], 3 * 1280**2 * 8)
            self.assertEqual(found["staged"], copies * 1280**2 * 8)
            self.assertEqual(found["panels"], 2 * 1280 * way.panel * 8)
        large = scale.memory(128000, (10, 10), HOST)  # slabs of two operands, two of each
        self.assertEqual(large["staged"], 12800**2 * 8 + 4 * scale.SLAB)

    def test_32_bits(self):
        grid = (50_000, 50_000)  # the grid's blocks are counted with the extent
        last = scale.INT_LIMIT - 50_000 * scale.BLOCK
        self.assertEqual([scale.fits_int(n, grid) for n in (last, last + 1)], [True, False])
        most = scale.largest(100)
        self.assertTrue(scale.fits_int(most, (100, 100)))
        self.assertFalse(scale.fits_int(most + 64 * 100, (100, 100)))
        fewest, _ = scale.smallest_square_grid(10**7)
        self.assertTrue(scale.fits_int(10**7, (fewest, fewest)))
        self.assertFalse(scale.fits_int(10**7, (fewest - 1, fewest - 1)))
        self.assertGreaterEqual(fewest, math.sqrt(1e14 / 2**31))
        self.assertFalse(scale.fits_int(10**7, (1, 10**7)))  # a packed panel is more bytes than an int counts


class Calibration(unittest.TestCase):
    def test_a_fit_finds_what_was_put_in(self):
        features = [(1.0, 10.0, 3.0), (2.0, 5.0, 7.0), (4.0, 1.0, 2.0), (8.0, 3.0, 9.0)]
        for wanted in ((2.0, 0.5, 0.25), (2.0, 0.0, 0.25)):
            times = [sum(c * x for c, x in zip(wanted, row, strict=True)) for row in features]
            for found, expected in zip(scale.fit(features, times), wanted, strict=True):
                self.assertAlmostEqual(found, expected)

    def test_a_fit_has_no_negative_times(self):
        found = scale.fit([(1.0, 1.0), (2.0, 1.0), (4.0, 1.0)], [0.5, 1.5, 3.5])
        self.assertGreater(found[0], 0)
        self.assertEqual(found[1], 0)

    def test_zen_4s_points_are_the_notes(self):
        chapters = (NOTES / "mpi.md").read_text(encoding="utf-8").split("\n## ")
        grid, products, transpositions = None, [], []
        for line in next(text for text in chapters if text.startswith("Both on an AMD EPYC, Zen 4")).splitlines():
            row = [cell.strip() for cell in line.strip("|").split("|")]
            if len(row) == 8 and row[1].isdigit():
                named = re.fullmatch(r"\d+, (\d+)x(\d+)", row[0])
                grid = tuple(map(int, named.groups())) if named else grid
                for points, cell in ((products, row[2]), (transpositions, row[5])):
                    points.append((grid, int(row[1]), float(cell.split()[0])))
        self.assertEqual((products, transpositions), (scale.PRODUCTS_ZEN_4, scale.TRANSPOSITIONS_ZEN_4))

    def test_points_that_a_fit_has_not_seen(self):
        """Two points of one law and one off it: only the last is off by the others."""
        found = scale.left_out([(1.0,), (2.0,), (4.0,)], [1.0, 2.0, 8.0])
        self.assertAlmostEqual(found[2], 4.0)
        for machine, bounds in ((scale.XEON, (0.12, 0.27)), (scale.ZEN_4, (0.11, 0.7))):
            for (_, features, times), most in zip(scale.observations(machine), bounds, strict=True):
                errors = [abs(left / time - 1) for left, time in zip(scale.left_out(features, times), times)]
                self.assertLess(max(errors), most)
                self.assertGreater(max(errors), most - 0.06)

    def test_machines_differ_by_panel_and_cache(self):
        self.assertEqual(scale.product_features((2, 2), 1024, scale.ZEN_4)[2], 1024 / 64 * 2)
        part = 2048 * 1024 * 8
        for machine in (scale.XEON, scale.ZEN_4):
            found = scale.transposition_features((2, 1), 2048, machine)
            self.assertEqual(found, (part, part - machine.cache))

    def test_the_measured_points_are_the_notes(self):
        chapters = (NOTES / "mpi.md").read_text(encoding="utf-8").split("\n## ")
        for name, points in (("Products", scale.PRODUCTS), ("Transpositions", scale.TRANSPOSITIONS)):
            grid, found = None, []
            for line in next(text for text in chapters if text.startswith(name + "\n")).splitlines():
                row = [cell.strip() for cell in line.strip("|").split("|")]
                if len(row) > 2 and row[1].isdigit():
                    named = re.fullmatch(r"\d+, (\d+)x(\d+)", row[0])
                    grid = tuple(map(int, named.groups())) if named else grid
                    found.append((grid, int(row[1]), float(row[2])))
            self.assertEqual(found, points)

    def test_tiles_slabs_and_panels_are_the_librarys(self):
        text = (NOTES.parent.parent / "src/pantile/impl/arch/host/tuning/mpi.hpp").read_text(encoding="utf-8")
        for name, bytes_ in (("exchange_tile_bytes", scale.TILE), ("product_slab_bytes", scale.SLAB)):
            found = re.search(rf"{name} = std::size_t\((\d+)\) << (\d+)[,;]", text)
            self.assertEqual(int(found[1]) << int(found[2]), bytes_, name)
        columns = re.search(r"product_panel_columns = (\d+);", text)
        self.assertEqual(int(columns[1]), scale.PANEL)

    def test_measured_points_had_narrower_panels(self):
        flops, wide, panels = scale.product_features((2, 2), 1024)
        self.assertEqual((flops, panels), (2 * 512**2 * 1024 * 2, 1024 / 32 * 2))
        self.assertEqual(wide, 2 * 512 * 32 * 8 * panels)
        self.assertEqual((HOST.panel, NARROW.panel), (scale.PANEL, scale.PANEL))

    def test_errors_are_small(self):
        for (_, points), most in zip(scale.calibrate(), (0.1, 0.25), strict=True):
            self.assertLess(max(abs(modelled / time - 1) for _, _, time, modelled in points), most)


class Report(unittest.TestCase):
    def rows(self, title):
        lines = scale.report()
        start = next(i for i, line in enumerate(lines) if line.startswith(f"### {title}"))
        for line in lines[start + 4 :]:
            if not line:
                return
            yield [cell.strip().replace(",", "") for cell in line.strip("|").split("|")]

    def test_totals(self):
        for title in ("matmul, n", "matmul, weak", "matmul, strong", "transpose, weak", "transpose, n"):
            rows = list(self.rows(title))
            self.assertTrue(rows)
            for row in rows:
                self.assertAlmostEqual(sum(map(float, row[3:9])) / float(row[9]), 1, delta=0.01)

    def test_the_note_has_every_line(self):
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            self.assertEqual(command_line.main(["scale"]), 0)
        note = (NOTES / "scale.md").read_text(encoding="utf-8")
        self.assertIn(out.getvalue().strip(), note)


if __name__ == "__main__":
    unittest.main()

#!/usr/bin/env python3
# SPDX-FileCopyrightText: Pantile contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Draws the sweep over squares n = 1 to 512: plot_sweep.py sweep.csv sweep.png"""

import csv
import sys

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402

# Colours are told apart without red and green; Pantile is drawn last, above its peers.
STYLES = {
    "fma_peak": ("peak", "#8c8c8c"),
    "eigen": ("Eigen", "#f6c47f"),
    "blis": ("BLIS", "#d9822b"),
    "openblas": ("OpenBLAS", "#74a9cf"),
    "kokkos_kernels": ("Kokkos Kernels", "#c994c7"),
    "pantile": ("Pantile", "#08306b"),
}


def read(path):
    """Curves by (element, threads) and implementation: lists of n and GFLOP/s."""
    panels = {}
    with open(path, newline="", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            curves = panels.setdefault((row["element"], int(row["threads"])), {})
            sizes, rates = curves.setdefault(row["implementation"], ([], []))
            sizes.append(int(row["n"]))
            rates.append(float(row["gflops"]))
    return panels


def draw_panel(axis, curves, title):
    for name, (label, colour) in STYLES.items():
        if name in curves:
            line = "--" if name == "fma_peak" else "-"
            axis.plot(*curves[name], line, color=colour, label=label, linewidth=1.6 if name == "pantile" else 0.9)
    axis.set_title(title, fontsize=10)
    axis.set_xlabel("n")
    axis.set_ylabel("GFLOP/s")
    axis.set_ylim(bottom=0)
    axis.grid(color="#d5d5d5", linewidth=0.5)
    for side in ("top", "right"):
        axis.spines[side].set_visible(False)


def draw(panels, path):
    elements = list(dict.fromkeys(element for element, _ in panels))
    counts = sorted({threads for _, threads in panels})
    figure, axes = plt.subplots(
        len(elements), len(counts), figsize=(6.4 * len(counts), 3.8 * len(elements)), squeeze=False, layout="constrained"
    )
    for row, element in zip(axes, elements):
        for axis, threads in zip(row, counts):
            draw_panel(axis, panels.get((element, threads), {}), f"{element}, {threads} thread{'s' * (threads > 1)}")
    handles, labels = axes[0][0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=len(labels), frameon=False)
    figure.suptitle("matmul of n x n matrices; higher is better")
    figure.savefig(path, dpi=150)


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    panels = read(sys.argv[1])
    if panels:
        draw(panels, sys.argv[2])


if __name__ == "__main__":
    main()

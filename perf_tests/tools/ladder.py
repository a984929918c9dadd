# SPDX-FileCopyrightText: Pantile contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Draws the rungs of matmul beside the peers.

The picture has the measured rates and nothing else; the caption says where they are from.
"""

import math
from xml.sax.saxutils import escape

from results import Unusable

INK, LINE, BLUE, SAND, GREY = "#1f2933", "#c3cad2", "#2f6fb0", "#eebc6a", "#b0bcc8"
RUNGS = {"naive": "naive", "grid_stride": "grid_stride", "tiled": "tiled", "pantile": "blocked"}
PEERS = {"openblas": "OpenBLAS", "blis": "BLIS", "eigen": "Eigen", "kokkos_kernels": "Kokkos Kernels"}
LEFT, RIGHT, BAR, STEP, TOP, WIDTH = 210, 70, 20, 30, 78, 830


def find(results, name, threads):
    for case in results.measured():
        if case["case"] == name and case["threads"] == threads:
            return case
    raise Unusable(f"{results.path}: no case {name} with {threads} threads")


def bars_of(case):
    """(label, rate, colour): the rungs from the lowest to the highest, the peers, the machine."""
    rates = case["peers"] | {"pantile": case["pantile"]} | case["bounds"]
    bars = [(f"Pantile, {label}", rates[name], BLUE) for name, label in RUNGS.items() if rates.get(name)]
    bars += [(label, rates[name], SAND) for name, label in PEERS.items() if rates.get(name)]
    return bars + [("peak of multiply-adds", rates[name], GREY) for name in ("fma_peak",) if rates.get(name)]


def draw(case, caption):
    bars = bars_of(case)
    low = 10.0 ** math.floor(math.log10(min(rate for _, rate, _ in bars)))
    high = max(rate for _, rate, _ in bars)
    scale = (WIDTH - LEFT - RIGHT) / math.log10(high / low)
    bottom = TOP + STEP * len(bars)

    def x_of(rate):
        return round(LEFT + scale * math.log10(rate / low), 1)

    def text(x, y, words, more=""):
        return f'  <text x="{x}" y="{y}"{more}>{escape(words)}</text>'

    said = ", ".join(f"{label} {rate:.3g}" for label, rate, _ in bars)
    _, element, shape = case["case"].split("/")
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {bottom + 62}" role="img"'
        f' aria-labelledby="title desc"\n     font-family="Helvetica, Arial, sans-serif" font-size="14" fill="{INK}">',
        "<!-- SPDX-FileCopyrightText: Pantile contributors\n"
        "     SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception\n"
        "     Made by perf_tests/tools ladder -->",
        f'  <title id="title">The ladder of matrix products: {element}, {shape}</title>',
        f'  <desc id="desc">{escape(case["unit"])}: {escape(said)}. {escape(caption)}</desc>',
        f'  <rect width="{WIDTH}" height="{bottom + 62}" rx="10" fill="#ffffff"/>',
        text(
            24, 34, f"Matrix products of {element}, {shape.replace('x', ' × ')}", ' font-weight="bold" font-size="17"'
        ),
        text(24, 58, f"{case['unit']}; each line is ten times the one before"),
    ]
    decade = low
    while decade <= high:
        lines.append(f'  <path d="M{x_of(decade)} {TOP - 6}V{bottom}" stroke="{LINE}"/>')
        lines.append(text(x_of(decade), bottom + 16, f"{decade:g}", ' text-anchor="middle" font-size="12"'))
        decade *= 10
    for place, (label, rate, colour) in enumerate(bars):
        y = TOP + STEP * place
        lines.append(text(LEFT - 12, y + 15, label, ' text-anchor="end"'))
        lines.append(f'  <rect x="{LEFT}" y="{y}" width="{x_of(rate) - LEFT:.1f}" height="{BAR}" fill="{colour}"/>')
        lines.append(text(x_of(rate) + 6, y + 15, f"{rate:.3g}", ' font-weight="bold"'))
    lines += [text(24, bottom + 44, caption, ' font-size="12"'), "</svg>", ""]
    return "\n".join(lines)

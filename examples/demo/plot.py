# SPDX-FileCopyrightText: Pantile contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The ladder as a picture: rates of the second run, matmul in GFLOP/s and transpose in GB/s, on log scales."""

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402
from matplotlib.ticker import LogLocator, NullFormatter  # noqa: E402

# Numba and Pantile go from light to dark as their ladders go up; colours are told apart without red and green.
STYLES = {
    "NumPy": "#8c8c8c",
    "Numba naive": "#f6c47f",
    "Numba tiled": "#d9822b",
    "Pantile naive": "#b3d1e8",
    "Pantile grid_stride": "#74a9cf",
    "Pantile tiled": "#2b7bba",
    "Pantile padded": "#145a9e",
    "Pantile automatic": "#08306b",
}


def draw_panel(axis, workloads, unit):
    """Bars in groups: one group per workload, one bar per implementation, its rate above it."""
    names = [name for name in STYLES if any(name in w["rates"] for w in workloads)]
    width = 0.86 / len(names)
    for index, name in enumerate(names):
        places = [g + (index - (len(names) - 1) / 2) * width for g, w in enumerate(workloads) if name in w["rates"]]
        rates = [w["rates"][name] for w in workloads if name in w["rates"]]
        bars = axis.bar(places, rates, width * 0.92, color=STYLES[name], label=name, zorder=2)
        axis.bar_label(bars, [f"{rate:.3g}" for rate in rates], fontsize=7, rotation=90, padding=3)
    axis.set_xticks(range(len(workloads)), [w["label"] for w in workloads], fontsize=8.5)
    axis.set_xlim(-0.55, len(workloads) - 0.45)
    axis.set_yscale("log")
    axis.set_ylabel(f"{unit} (log scale)")
    rates = [rate for w in workloads for rate in w["rates"].values()]
    low, high = min(rates) / 2, max(rates) * 1.3
    axis.set_ylim(low, high * (high / low) ** 0.1)  # room for the figures above the bars
    axis.yaxis.set_major_locator(LogLocator(subs=(1,) if high / low > 500 else (1, 2, 5)))
    axis.yaxis.set_major_formatter("{x:g}")
    axis.yaxis.set_minor_formatter(NullFormatter())
    axis.grid(axis="y", which="major", color="#d5d5d5", linewidth=0.7, zorder=0)
    axis.tick_params(axis="x", length=0)
    for side in ("top", "right"):
        axis.spines[side].set_visible(False)


def draw(workloads, machine, path):
    """`workloads`: dictionaries with label, unit and rates by implementation; one panel for each unit."""
    units = list(dict.fromkeys(w["unit"] for w in workloads))
    panels = [[w for w in workloads if w["unit"] == unit] for unit in units]
    # A group is given the same width in each panel.
    figure, axes = plt.subplots(
        1,
        len(panels),
        figsize=(3.2 + 1.9 * len(workloads), 5.4),
        gridspec_kw={"width_ratios": [len(panel) + 0.1 for panel in panels]},
        squeeze=False,
        layout="constrained",
    )
    for axis, panel, unit in zip(axes[0], panels, units):
        draw_panel(axis, panel, unit)
    handles = {}
    for axis in axes[0]:
        for handle, label in zip(*axis.get_legend_handles_labels()):
            handles.setdefault(label, handle)
    labels = [name for name in STYLES if name in handles]
    figure.legend([handles[label] for label in labels], labels, loc="outside lower center", ncols=len(labels),
                  fontsize=8.5, frameon=False)
    figure.suptitle(f"The documents' workloads, second run; higher is better\n{machine}", fontsize=11)
    figure.savefig(path, dpi=150)
    plt.close(figure)

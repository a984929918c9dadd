# SPDX-FileCopyrightText: Pantile contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Pictures of a result: the sweep over squares, a roofline under the run's own measured bounds, ratios to the peers.

Colours are Okabe and Ito's (2008), which colour-blind readers tell apart; no picture says by colour alone what it says.
"""

import collections
import io
import re

from cases import is_measured, mean
from machine import short_name
from results import Unusable
from table import workers_of

FORMATS = ("svg", "png", "pdf")
INK, GRID = "#1f2933", "#d5d5d5"
# Name of a contestant: label, colour, marker.
STYLES = {
    "pantile": ("Pantile", "#0072B2", "o"),
    "openblas": ("OpenBLAS", "#E69F00", "s"),
    "blis": ("BLIS", "#56B4E9", "^"),
    "eigen": ("Eigen", "#009E73", "D"),
    "mkl": ("oneMKL", "#D55E00", "v"),
    "kokkos_kernels": ("Kokkos Kernels", "#CC79A7", "P"),
    "numpy": ("NumPy", "#000000", "x"),
    "cublas": ("cuBLAS", "#E69F00", "s"),
    "cuda_c": ("CUDA C", "#56B4E9", "^"),
    "numba": ("Numba", "#009E73", "D"),
    "cupy": ("CuPy", "#D55E00", "v"),
    "fma_peak": ("peak of multiply-adds", "#6b6b6b", ""),
}
OTHER = ("#CC79A7", "#000000", "#D55E00", "#009E73", "#E69F00", "#56B4E9")
MARKERS = "<>*hXd"
BYTES = {"double": 8, "float": 4, "complex<double>": 16, "complex<float>": 8, "1_byte": 1, "2_bytes": 2, "4_bytes": 4,
         "8_bytes": 8, "16_bytes": 16}  # fmt: skip
REAL = {"complex<double>": "double", "complex<float>": "float"}
# Groups of a roofline: what a case does with its elements, marker.
KINDS = {"square": ("squares", "o", "#0072B2"), "skinny": ("skinny products", "s", "#E69F00"),
         "add": ("additions", "^", "#009E73")}  # fmt: skip


def import_matplotlib():
    try:
        import matplotlib
    except ImportError as error:
        raise Unusable(f"no pictures without Python's matplotlib: {error}") from error
    matplotlib.use("Agg")
    matplotlib.rcParams.update(
        {
            "svg.fonttype": "none",
            "svg.hashsalt": "pantile",
            "font.size": 9,
            "axes.titlesize": 10,
            "text.color": INK,
            "axes.labelcolor": INK,
            "axes.edgecolor": INK,
            "xtick.color": INK,
            "ytick.color": INK,
            "axes.spines.top": False,
            "axes.spines.right": False,
            "axes.axisbelow": True,
            "axes.grid": True,
            "grid.color": GRID,
            "grid.linewidth": 0.5,
            "font.family": ["sans-serif"],
            "font.sans-serif": ["DejaVu Sans", "Helvetica", "Arial"],
        }
    )
    import matplotlib.figure

    return matplotlib


def style_of(name, number=0):
    """Label, colour, marker; of a library's other functions its colour with another marker."""
    if name in STYLES:
        return STYLES[name]
    family = next((known for known in STYLES if name.startswith(known + "_")), None)
    label = f"{STYLES[family][0]}, {name.removeprefix(family + '_')}" if family else name.replace("_", " ")
    colour = STYLES[family][1] if family else OTHER[number % len(OTHER)]
    return label, colour, MARKERS[number % len(MARKERS)]


def threads_text(case):
    ranks, threads = case.get("ranks", 1), case["threads"]
    text = f"{threads} thread{'s' * (threads > 1)}"
    return text if ranks == 1 else f"{ranks} ranks of {text}"


def panels_of(matplotlib, rows, columns, width, height):
    figure = matplotlib.figure.Figure(figsize=(width * columns, height * rows), layout="constrained")
    return figure, figure.subplots(rows, columns, squeeze=False)


def shared_legend(figure, axes, columns=4):
    """One legend below, of what any panel has."""
    known = {}
    for axis in axes.flat:
        for handle, label in zip(*axis.get_legend_handles_labels()):
            known.setdefault(label, handle)
    if known:
        figure.legend(
            list(known.values()), list(known), loc="outside lower center", ncols=min(len(known), columns), frameon=False
        )


def title_of(results, text):
    where = (
        results.identity
        if results.kind == "gpu"
        else short_name(results.machine).replace("_", ", ")
        if results.machine
        else ""
    )
    return "\n".join(filter(None, (text, where)))


# --- The sweep --------------------------------------------------------------------------------------


def sweep(results, matplotlib):
    panels = {}
    for case in results.measured():
        if case["case"].startswith("sweep/"):
            _, element, shape = case["case"].split("/")
            panels.setdefault((element, workers_of(case)), []).append((int(shape.partition("x")[0]), case))
    if not panels:
        return None, "the sweep: no case of it was run"
    elements, counts = (list(dict.fromkeys(key[place] for key in panels)) for place in (0, 1))
    figure, axes = panels_of(matplotlib, len(elements), len(counts), 5.6, 3.4)
    for row, element in zip(axes, elements):
        for axis, count in zip(row, counts):
            points = sorted(panels.get((element, count), []), key=lambda point: point[0])
            if points:
                draw_sweep(axis, points, f"{element}, {threads_text(points[0][1])}")
    shared_legend(figure, axes, 6)
    figure.suptitle(title_of(results, "Products of n x n matrices; higher is better"))
    return figure, None


def draw_sweep(axis, points, title):
    rates = [(n, {**case["bounds"], **case["peers"], "pantile": case["pantile"]}) for n, case in points]
    names = dict.fromkeys(name for _, known in rates for name in known)
    for name in sorted(names, key=lambda name: name == "pantile"):  # Pantile's lies above its peers
        label, colour, marker = style_of(name)
        if name.endswith("_gemv"):
            continue  # at n = 1 alone
        line = (
            {"linestyle": "--"}
            if name == "fma_peak"
            else {"marker": marker, "markevery": max(len(points) // 8, 1), "markersize": 4}
        )
        axis.plot(*zip(*((n, known[name]) for n, known in rates if known.get(name))), color=colour, label=label,
                  linewidth=1.8 if name == "pantile" else 1, **line)  # fmt: skip
    axis.set(title=title, xlabel="n", ylabel=points[0][1]["unit"])
    axis.set_ylim(bottom=0)


# --- The roofline -----------------------------------------------------------------------------------


def intensity_of(case):
    """(element, flops for each byte that has to be moved once), or None where the name does not say."""
    parts = case["case"].split("/")
    if len(parts) != 3 or parts[1] not in BYTES:
        return None
    kind, element, shape = parts
    extents = [int(extent) for extent in re.findall(r"\d+", shape)]
    if kind == "add":  # alpha A + beta B
        return element, 3 / (3 * BYTES[element])
    if kind not in KINDS or not re.fullmatch(r"\d+x\d+x\d+", shape):
        return None
    m, n, k = extents
    flops = (8 if element in REAL else 2) * m * n * k
    return element, flops / (BYTES[element] * (m * k + k * n + m * n))


def flops_of(case, intensity):
    """GFLOP/s; movements have bytes."""
    return case["pantile"] * intensity if case["unit"] == "GB/s" else case["pantile"]


def copies_of(results, workers):
    """[(bytes of the matrix, GB/s)]: the best copy in each contest of movements, and those that programs of products
    make once (peers/machine.hpp, of one rank).
    """
    copies = [run["context"]["copy"] for run in results.runs if "copy" in run["context"] and workers_of(run) == workers]
    found = [(copy["bytes"], copy["rate"]) for copy in copies if copy["rate"]]
    for case in results.measured():
        parts, bounds = case["case"].split("/"), case["bounds"]
        rates = [bounds[name] for name in ("memcpy", "stream_copy", "copy") if bounds.get(name)]
        shape = re.fullmatch(r"(\d+)x(\d+)", parts[-1])
        if rates and shape and len(parts) == 3 and parts[1] in BYTES and workers_of(case) == workers:
            found.append((int(shape[1]) * int(shape[2]) * BYTES[parts[1]], max(rates)))
    return sorted(found)


def roofline(results, matplotlib):
    panels, peaks = {}, {}
    for case in results.measured():
        known = intensity_of(case)
        if not known:
            continue
        key = REAL.get(known[0], known[0]), workers_of(case)
        panels.setdefault(key, []).append((known[1], case))
        if case["bounds"].get("fma_peak"):
            peaks[key] = max(case["bounds"]["fma_peak"], peaks.get(key, 0))
    panels = {key: points for key, points in panels.items() if key in peaks}
    if not panels:
        return None, "the roofline: no peak of multiply-adds was measured in this run"
    elements, counts = (list(dict.fromkeys(key[place] for key in panels)) for place in (0, 1))
    figure, axes = panels_of(matplotlib, len(elements), len(counts), 5.6, 4.2)
    for row, element in zip(axes, elements):
        for axis, count in zip(row, counts):
            if (element, count) in panels:
                draw_roofline(axis, panels[element, count], peaks[element, count], copies_of(results, count), element)
    shared_legend(figure, axes, 3)
    figure.suptitle(title_of(results, "Rates under the bounds that the same run measured"))
    return figure, None


def draw_roofline(axis, points, peak, copies, element):
    low, high = min(x for x, _ in points) / 2, max(x for x, _ in points) * 2
    axis.plot([low, high], [peak, peak], "--", color=INK, linewidth=1.2, label="peak of multiply-adds")
    roofs = {}
    if copies:
        roofs = {f"copy of {copies[-1][0] / 1e6:.0f} MB": (copies[-1][1], "-")}
        if copies[0][0] * 8 <= copies[-1][0]:
            roofs[f"copy of {copies[0][0] / 1e6:.1f} MB"] = (copies[0][1], ":")
    for label, (rate, line) in roofs.items():
        axis.plot([low, peak / rate], [low * rate, peak], line, color=INK, linewidth=1.2, label=label)
    for kind, (label, marker, colour) in KINDS.items():
        for is_complex in (False, True):
            chosen = [
                (x, flops_of(case, x))
                for x, case in points
                if case["case"].startswith(kind + "/") and (case["case"].split("/")[1] in REAL) == is_complex
            ]
            if chosen:
                axis.plot(
                    *zip(*chosen),
                    marker,
                    linestyle="",
                    color=colour,
                    markersize=5,
                    markerfacecolor="none" if is_complex else colour,
                    label=label + ", complex" * is_complex,
                )
    axis.set(title=f"{element}, {threads_text(points[0][1])}", xscale="log", yscale="log", ylabel="GFLOP/s",
             xlabel="flops for each byte of the operands")  # fmt: skip
    axis.set_ylim(top=2 * peak)
    for part in (axis.xaxis, axis.yaxis):
        part.set_major_formatter("{x:g}")


# --- Ratios to peers --------------------------------------------------------------------------------


def ratios(results, matplotlib):
    """Geometric means over each group's cases."""
    groups = {}
    for case in results.cases:
        if is_measured(case):
            of_group = groups.setdefault(workers_of(case), {}).setdefault(results.group_of(case), {})
            for name, rate in case["peers"].items():
                if rate:
                    of_group.setdefault(name, []).append(case["pantile"] / rate)
    groups = {count: {name: of for name, of in of_count.items() if of} for count, of_count in groups.items()}
    groups = {count: of_count for count, of_count in groups.items() if of_count}
    if not groups:
        return None, "ratios to peers: no peer was measured"
    names = list(dict.fromkeys(name for of_count in groups.values() for of in of_count.values() for name in of))
    styles = {name: style_of(name, number) for number, name in enumerate(sorted(names))}
    rows = max(len(of_count) for of_count in groups.values())
    figure, axes = panels_of(matplotlib, 1, len(groups), 6.2, 1.6 + 0.19 * rows)
    for axis, (count, of_count) in zip(axes.flat, groups.items()):
        for place, of_group in enumerate(of_count.values()):
            for name, values in of_group.items():
                label, colour, marker = styles[name]
                axis.plot(mean(values), place, marker, color=colour, label=label, markersize=5)
        axis.axvline(1, color=INK, linewidth=1)
        axis.set(
            xscale="log",
            xlabel="Pantile's rate over the peer's; right of 1 Pantile is faster",
            ylim=(len(of_count) - 0.4, -0.6),
        )
        axis.xaxis.set_major_formatter("{x:g}")
        if results.kind != "gpu":
            axis.set_title(threads_text(next(case for case in results.cases if workers_of(case) == count)))
        axis.set_yticks(range(len(of_count)), list(of_count))
    shared_legend(figure, axes, 4 * len(groups))
    figure.suptitle(title_of(results, "Beside the peers: geometric means over the cases of each group"))
    return figure, None


# --- All --------------------------------------------------------------------------------------------


def draw_all(results):
    """({name: figure}, [what was left out and why])"""
    matplotlib = import_matplotlib()
    drawn, left_out = {}, []
    for draw in (ratios, roofline, sweep):
        figure, why = draw(results, matplotlib)
        if figure:
            drawn[draw.__name__] = figure
        else:
            left_out.append(why)
    return drawn, left_out


def bytes_of(figure, kind):
    file = io.BytesIO()
    figure.savefig(file, format=kind, dpi=150, metadata={"Date": None} if kind == "svg" else None)
    return file.getvalue()


def tenths(number):
    return f"{float(number[0]):.1f}".removesuffix(".0")


def inline(figure, name):
    """SVG for a page, in about a third of matplotlib's text: tenths of a point are enough, equal styles are said once,
    and parts have names where others refer to them. Names begin with `name`, since a page may have several.
    """
    text = bytes_of(figure, "svg").decode("utf-8")
    text = re.sub(r"<metadata>.*?</metadata>|<!--.*?-->", "", text[text.index("<svg") :], flags=re.S)
    text = re.sub(r' transform="rotate\(-0 [^"]*"', "", text)
    text = re.sub(r"<[^>C]*>", lambda tag: re.sub(r"\d+\.\d{3,}", tenths, tag[0]), text)  # curves are small
    text = re.sub(r"\s*\n\s*", " ", text).replace("> <", "><").replace("xlink:href", "href")
    text = re.sub(r' d="M[^"C]*"', lambda path: path[0].replace(" L", ""), text)  # what follows M is a line
    named = dict.fromkeys(re.findall(r'(?:url\(|href=")#([^)"]+)', text))
    parts = {part: f"{name}-{i}" for i, part in enumerate(named)}
    text = re.sub(r' id="([^"]*)"', lambda part: f' id="{parts[part[1]]}"' if part[1] in parts else "", text)
    text = re.sub(r'(url\(|href=")#([^)"]+)', lambda part: f"{part[1]}#{parts[part[2]]}", text)
    counts = collections.Counter(re.findall(r' style="([^"]*)"', text))
    classes = {style: f"{name}-s{i}" for i, style in enumerate(counts) if counts[style] > 1}
    for style, key in classes.items():
        text = text.replace(f' style="{style}"', f' class="{key}"')
    sheet = "".join(f".{key} {{ {style} }} " for style, key in classes.items())
    return text.replace("<defs>", f"<style>{sheet}</style><defs>", 1)

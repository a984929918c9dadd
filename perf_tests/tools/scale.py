# SPDX-FileCopyrightText: Pantile contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A model of pantile::mpi on many ranks: terms of time, memory, and the limits of 32 bits. Nothing here is measured
but PRODUCTS, TRANSPOSITIONS, those of Zen 4 (perf_tests/notes/mpi.md) and the rates that name a note;
perf_tests/notes/scale.md has the assumptions.

Seconds, bytes, elements of 8 bytes; square matrices, n on a side. A rank has one GPU and its share of a node's host.
"""

import dataclasses
import itertools
import math

ELEMENT = 8
BLOCK = 64  # edge of the blocks, as measured
PANEL = 64  # columns that a product multiplies at once, whatever the blocks: impl::arch::host::product_panel_columns
INT_LIMIT = 2**31 - 1
CORES_MEASURED = 2
HOST_CORES, HOST_BANDWIDTH = 14, 76.8e9  # DGX H100: 112 cores, 16 channels of DDR5-4800, over 8 GPUs
DEVICE_MEMORY = 80e9  # H100's data sheet
PINNED = 55e9  # perf_tests/results, H100: transfer/d2h/pinned
SLAB = 32 << 20  # bytes at most of an operand's slab, of which two are staged: impl::arch::host::product_slab_bytes
TILE = 8 << 20  # bytes that a rank's device transposes and packs at once: impl::arch::host::exchange_tile_bytes
# grid, n, GFLOP/s
PRODUCTS = [
    ((2, 1), 512, 104.6), ((2, 1), 1024, 116.9), ((2, 1), 2048, 131.4),
    ((2, 2), 512, 87.7), ((2, 2), 1024, 99.7), ((2, 2), 2048, 118.6),
]  # fmt: skip
# grid, n, GB/s read and written
TRANSPOSITIONS = [
    ((2, 1), 512, 13.9), ((2, 1), 1024, 9.8), ((2, 1), 2048, 5.8), ((2, 1), 4096, 6.6),
    ((2, 2), 512, 12.6), ((2, 2), 1024, 10.2), ((2, 2), 2048, 5.4), ((2, 2), 4096, 6.5),
]  # fmt: skip
PRODUCTS_ZEN_4 = [
    ((2, 1), 512, 89.7), ((2, 1), 1024, 91.1), ((2, 1), 2048, 91.6),
    ((2, 2), 512, 71.6), ((2, 2), 1024, 79.0), ((2, 2), 2048, 86.9),
]  # fmt: skip
TRANSPOSITIONS_ZEN_4 = [
    ((2, 1), 512, 24.7), ((2, 1), 1024, 8.6), ((2, 1), 2048, 8.7),
    ((2, 2), 512, 15.6), ((2, 2), 1024, 8.3), ((2, 2), 2048, 9.9),
]  # fmt: skip


@dataclasses.dataclass(frozen=True)
class Measured:
    """On two cores."""

    panel: int  # columns that its products multiplied at once
    cache: int  # bytes, second level of a core
    products: list
    transpositions: list


XEON = Measured(32, 2 << 20, PRODUCTS, TRANSPOSITIONS)  # ScaLAPACK's own panels, by PILAENV
ZEN_4 = Measured(PANEL, 1 << 20, PRODUCTS_ZEN_4, TRANSPOSITIONS_ZEN_4)


@dataclasses.dataclass(frozen=True)
class Network:
    name: str
    bandwidth: float  # of a rank, one direction
    latency: float = 2e-6  # assumed, of both


SLINGSHOT = Network("Slingshot-11", 25e9)  # 200 Gb/s for each endpoint: HPE's, ALCF's pages on Aurora
NDR = Network("NDR InfiniBand", 50e9)  # 400 Gb/s: NVIDIA's ConnectX-7 manual


@dataclasses.dataclass(frozen=True)
class Way:
    """Who computes. pack_*: seconds per byte of panels (matmul), of the local part (transpose)."""

    name: str
    flops: float
    memory_bandwidth: float
    panel: int
    pack_panel: float
    pack_part: float
    staging: float  # bytes per second between device and host; inf where operands stay


def local_extent(n, block, places, place=0):
    """As Distribution's: rows or columns that a place of the grid has; place 0 has the most."""
    blocks, rest = divmod(n, block)
    share, extra = divmod(blocks, places)
    return share * block + (block if place < extra else rest if place == extra else 0)


def part(n, grid):
    """Rows and columns of the largest part."""
    return tuple(local_extent(n, BLOCK, places) for places in grid)


def imbalance(n, grid):
    """The largest part over the mean."""
    rows, cols = part(n, grid)
    return rows * cols * grid[0] * grid[1] / n**2


def broadcasts(size, panels, ranks, network):
    """(latency, volume) of so many broadcasts in a row of ranks, by a ring: each rank receives a panel and sends it on.

    The next panel's source is the next rank, which need not wait; the last one waits for the first panel.
    """
    hops = 0.0 if ranks == 1 else panels * 2 * (1 - 1 / ranks) + ranks - 1
    return hops * network.latency, hops * size / network.bandwidth


def agreement(ranks, network):
    """One reduction of 24 bytes to all, by a tree and back."""
    return 2 * math.ceil(math.log2(ranks)) * (network.latency + 24 / network.bandwidth)


def matmul_terms(n, grid, way, network):
    """C = A B, by outer products of panels, none of it overlapped: PBLAS' p?gemm with C at its place."""
    rows, cols = part(n, grid)
    steps = math.ceil(n / way.panel)
    flops, traffic = 2.0 * rows * cols * n, 2.0 * ELEMENT * rows * cols * steps  # each panel reads and writes C
    a, b = rows * way.panel * ELEMENT, cols * way.panel * ELEMENT
    messages = [broadcasts(a, steps, grid[1], network), broadcasts(b, steps, grid[0], network)]
    return {
        "product": max(flops / way.flops, traffic / way.memory_bandwidth),
        "packing": steps * (a * (grid[1] > 1) + b * (grid[0] > 1)) * way.pack_panel,
        "latency": sum(latency for latency, _ in messages),
        "volume": sum(volume for _, volume in messages),
        "staging": 3.0 * rows * cols * ELEMENT / way.staging,  # A and B to the host, C back
        "agreement": agreement(grid[0] * grid[1], network),
    }


def transpose_terms(n, grid, way, network):
    """B = A': each rank sends its part once, tile by tile, but what stays with it; on a square grid, to one rank."""
    rows, cols = part(n, grid)
    size, ranks = float(rows * cols * ELEMENT), grid[0] * grid[1]
    return {
        "product": 0.0,
        "packing": size * way.pack_part,
        "latency": 0.0 if ranks == 1 else math.ceil(size / TILE) * network.latency,
        "volume": size * (1 - 1 / ranks) / network.bandwidth,
        "staging": 2.0 * size / way.staging,
        "agreement": agreement(ranks, network),
    }


def memory(n, grid, way, operands=3):
    """Bytes of the rank with the largest part: its operands, what is staged of them, the panels."""
    rows, cols = part(n, grid)
    panels = (rows + cols) * way.panel * ELEMENT
    size = rows * cols * ELEMENT
    staged = 0 if math.isinf(way.staging) else size + (operands - 1) * min(2 * SLAB, size)  # one is whole
    return {"operands": operands * size, "staged": staged, "panels": panels, "total": operands * size + staged + panels}


def fits_int(n, grid):
    """Does ScaLAPACK count it? The part's span, the extent with the grid's blocks, and a packed panel in bytes."""
    rows, cols = part(n, grid)
    return (
        rows * cols <= INT_LIMIT
        and all(n + places * min(BLOCK, n) <= INT_LIMIT for places in grid)
        and max(rows, cols) * PANEL * ELEMENT <= INT_LIMIT
    )


def smallest_square_grid(n):
    return next((p, p) for p in itertools.count(1) if fits_int(n, (p, p)))


def largest(places):
    """The largest n on places x places ranks whose parts are equal and whole blocks."""
    return places * (math.isqrt(INT_LIMIT) // BLOCK * BLOCK)


def solve(matrix, right):
    """Gauss' elimination with pivots; None where columns depend on each other."""
    rows = [[*row, value] for row, value in zip(matrix, right, strict=True)]
    for i in range(len(rows)):
        pivot = max(range(i, len(rows)), key=lambda r: abs(rows[r][i]))
        rows[i], rows[pivot] = rows[pivot], rows[i]
        if abs(rows[i][i]) < 1e-12:
            return None
        for r in range(len(rows)):
            if r != i:
                factor = rows[r][i] / rows[i][i]
                rows[r] = [x - factor * y for x, y in zip(rows[r], rows[i], strict=True)]
    return [row[-1] / row[i] for i, row in enumerate(rows)]


def fit(features, times):
    """Coefficients, none negative, with the least squares of relative errors."""
    count = len(features[0])
    scaled = [[value / time for value in row] for row, time in zip(features, times, strict=True)]
    unit = [max(row[j] for row in scaled) for j in range(count)]
    scaled = [[value / unit[j] for j, value in enumerate(row)] for row in scaled]
    best = None
    for size in range(1, count + 1):
        for kept in itertools.combinations(range(count), size):
            normal = [[sum(row[i] * row[j] for row in scaled) for j in kept] for i in kept]
            found = solve(normal, [sum(row[i] for row in scaled) for i in kept])
            if found is None or min(found) < 0:
                continue
            error = sum((sum(c * row[i] for c, i in zip(found, kept, strict=True)) - 1) ** 2 for row in scaled)
            if best is None or error < best[0]:
                best = error, dict(zip(kept, found, strict=True))
    return [best[1].get(j, 0.0) / unit[j] for j in range(count)]


def ranks_per_core(grid):
    return max(1, grid[0] * grid[1] // CORES_MEASURED)


def product_features(grid, n, machine=XEON):
    """Flops, bytes of panels, panels, all of one core."""
    rows, cols = part(n, grid)
    panels = math.ceil(n / machine.panel) * ranks_per_core(grid)
    wide = (rows * (grid[1] > 1) + cols * (grid[0] > 1)) * machine.panel * ELEMENT * panels
    return 2.0 * rows * cols * n * ranks_per_core(grid), wide, panels


def transposition_features(grid, n, machine=XEON):
    """Bytes of the part, and those of them that its core's cache does not hold, of one core."""
    rows, cols = part(n, grid)
    size = float(rows * cols * ELEMENT)
    return size * ranks_per_core(grid), max(0.0, size - machine.cache) * ranks_per_core(grid)


def observations(machine):
    """Of matmul and of transpose: (points, features, times)."""
    for points, features_of, work in (
        (machine.products, product_features, lambda n: 2e-9 * n**3),
        (machine.transpositions, transposition_features, lambda n: 2e-9 * ELEMENT * n**2),
    ):
        yield points, [features_of(*point[:2], machine) for point in points], [work(n) / rate for _, n, rate in points]


def modelled(coefficients, row):
    return sum(c * x for c, x in zip(coefficients, row, strict=True))


def calibrate(machine=XEON):
    """Coefficients of matmul and of transpose, and (grid, n, measured, modelled) of each."""
    found = []
    for points, features, times in observations(machine):
        coefficients = fit(features, times)
        found.append((coefficients, [(*point[:2], time, modelled(coefficients, row))
                                     for point, row, time in zip(points, features, times, strict=True)]))  # fmt: skip
    return found


def left_out(features, times):
    """Times of each point by a fit to all others."""
    return [modelled(fit(features[:i] + features[i + 1 :], times[:i] + times[i + 1 :]), features[i])
            for i in range(len(times))]  # fmt: skip


def ways():
    """As it is; as it would be with products and panels on devices, by PBLAS' panels and by wide ones."""
    (product, _), _ = calibrate()
    flops, copy, transpose = 47e12, 3.0e12, 2.7e12  # perf_tests/results, H100: double, edges of 4096 and 16384
    device = Way("on devices", flops, copy, 512, 2 / copy, 2 / transpose, math.inf)
    moved = 2 / transpose + 4 / copy  # on the device as it is: transposed, packed and unpacked
    host = Way("as it is", HOST_CORES / product[0], HOST_BANDWIDTH, PANEL, product[1], moved, PINNED)
    return host, dataclasses.replace(device, name=f"on devices, panels of {PANEL}", panel=PANEL), device


def text_of(value):
    if isinstance(value, tuple):
        return "x".join(map(str, value))
    if isinstance(value, int):
        return f"{value:,}"
    if not isinstance(value, float) or value == 0:
        return str(value).removesuffix(".0")
    return f"{value:,.0f}" if value >= 1e3 else f"{value:.3g}"


def table(title, head, rows):
    lines = [f"### {title}", "", f"| {' | '.join(head)} |", f"|{'---|' * len(head)}"]
    return [*lines, *(f"| {' | '.join(map(text_of, row))} |" for row in rows), ""]


def error_tables():
    """At the points that it is fitted to; by the others of these; and on another machine, by the first one's
    coefficients and by the machine's own other points.
    """
    head = ("call", "grid", "n", "measured, ms", "modelled, ms", "error")
    return [*table("The model at the measured points", (*head, "by a fit to the others"), error_rows(XEON)),
            *table("The model on another machine, Zen 4", (*head, "by a fit to the others there"),
                   error_rows(ZEN_4))]  # fmt: skip


def error_rows(machine):
    rows = []
    for name, (coefficients, _), known in zip(("matmul", "transpose"), calibrate(), observations(machine), strict=True):
        for (grid, n, _), row, time, other in zip(*known, left_out(*known[1:]), strict=True):
            m = modelled(coefficients, row)
            rows.append((name, grid, n, 1e3 * time, 1e3 * m, f"{m / time - 1:+.0%}", f"{other / time - 1:+.0%}"))
    return rows


def fits_table(n=10**7):
    host, _, device = ways()
    rows = []
    for places in (32, 100, 128, 216, 224, 317):
        grid = (places, places)
        rows_of_part, cols = part(n, grid)
        rows.append((grid, places**2, rows_of_part * cols / 2**31, "yes" if fits_int(n, grid) else "no",
                     memory(n, grid, device)["total"] / 1e9, memory(n, grid, host)["staged"] / 1e9,
                     imbalance(n, grid)))  # fmt: skip
    head = ("grid", "ranks", "part / 2^31", "fits", "device, GB", "staged on the host, GB", "largest part / mean")
    return table(f"C = A B of double, n = {n:,}: what fits", head, rows)


TERMS = ("product", "packing", "latency", "volume", "staging", "agreement")


def times_table(title, cases, terms_of, pairs):
    """cases: (n, grid); seconds of each term by NDR, both networks' totals, and what a rank achieves."""
    rows = []
    for way, (n, grid) in itertools.product(pairs, cases):
        terms, slower = terms_of(n, grid, way, NDR), terms_of(n, grid, way, SLINGSHOT)
        total = sum(terms.values())
        rate = 2e-12 * n**3 if terms["product"] else 2e-9 * ELEMENT * n**2
        rows.append((way.name, grid, n, *(terms[name] for name in TERMS), total, sum(slower.values()),
                     rate / total / (grid[0] * grid[1])))  # fmt: skip
    head = ("way", "grid", "n", *TERMS, f"total, {NDR.name}", f"total, {SLINGSHOT.name}", "per rank")
    return table(title, head, rows)


def smallest_edge(condition):
    """The smallest part, whole blocks on a side, for which condition holds; None if none that 32 bits count."""
    edges = range(BLOCK, math.isqrt(INT_LIMIT) + 1, BLOCK)
    return next((edge for edge in edges if condition(edge)), None)


def where_half(places, way, terms_of, names):
    """Below which parts, on a grid, the named terms of a call are more than half of it."""

    def are_less(edge):
        terms = terms_of(edge * places, (places, places), way, NDR)
        return sum(terms[name] for name in names) <= sum(terms.values()) / 2

    edge = smallest_edge(are_less)
    if edge == BLOCK:
        return "at no size"
    return f"parts below {edge:,}, n = {edge * places:,}" if edge else "at every size"


def breaks_table(places=100):
    host, narrow, device = ways()
    grid, most, rest = (places, places), largest(places), [name for name in TERMS if name != "product"]
    memory_edge = math.isqrt(int(DEVICE_MEMORY // (3 * ELEMENT)))
    fastest = {way: 2e-12 * most**3 / matmul_terms(most, grid, way, NDR)["product"] / places**2 for way in ways()}
    moved = transpose_terms(most, grid, host, NDR)
    staged, computed = matmul_terms(most, grid, host, NDR)["staging"], matmul_terms(most, grid, device, NDR)["product"]
    return table(f"What breaks first, {text_of(grid)} ranks, {NDR.name}", ("what", "where"), [
        ("matmul: products on the host", f"at every size: {fastest[host]:.2g} of {fastest[device]:.2g} TFLOP/s"),
        (f"matmul: panels of {PANEL}, were products on devices",
         f"at every size: {fastest[narrow]:.2g} of {fastest[device]:.2g} TFLOP/s"),
        ("transpose: staging", f"{moved['staging']:.3g} of {sum(moved.values()):.3g} s at n = {most:,}"),
        ("32 bits: the part's span", f"n above {most:,}; 10^7 takes {text_of(smallest_square_grid(10**7))} ranks"),
        ("device memory: three operands in 80 GB", f"n above {memory_edge * places:,}"),
        ("matmul: staging, were only products on devices", f"{staged:.3g} s beside {computed:.3g} s at n = {most:,}"),
        ("matmul as it is: products less than half", where_half(places, host, matmul_terms, rest)),
        ("matmul on devices: products less than half", where_half(places, device, matmul_terms, rest)),
        ("matmul as it is: the agreement more than half", where_half(places, host, matmul_terms, ["agreement"])),
        ("transpose on devices: the agreement more than half",
         where_half(places, device, transpose_terms, ["agreement"])),
    ])  # fmt: skip


def report():
    host, narrow, device = ways()
    weak = [(largest(places), (places, places)) for places in (1, 2, 10, 32, 100, 317)]
    strong = [(10**6, (places, places)) for places in (22, 32, 50, 100, 200)]
    large = [(10**7, smallest_square_grid(10**7))]
    return [
        *error_tables(),
        *fits_table(),
        *times_table("matmul, n = 10^7 on the fewest ranks that 32 bits allow: seconds, TFLOP/s", large, matmul_terms,
                     (host, narrow, device)),
        *times_table("matmul, weak scaling, the largest parts: seconds, TFLOP/s", weak, matmul_terms, (host, device)),
        *times_table("matmul, strong scaling: seconds, TFLOP/s", strong, matmul_terms, (host, device)),
        *times_table("transpose, weak scaling: seconds, GB/s", weak, transpose_terms, (host, device)),
        *times_table("transpose, n = 10^7: seconds, GB/s", large, transpose_terms, (host, device)),
        *breaks_table(),
    ]  # fmt: skip

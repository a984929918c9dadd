#!/usr/bin/env python3
# SPDX-FileCopyrightText: Pantile contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The main job: Pantile's driver program on real data, then the source documents' own workloads.

First the handwritten-digits set of scikit-learn (1797 images of 8 x 8 pixels): Gram matrix, covariance, a transpose, an
add and a histogram by the driver, from .npy file to .npy file, each checked against NumPy. Then the ladder: naive ->
grid_stride -> tiled as the documents' kernels stand on Numba's pages, with NumPy and Numba's CPU target beside it in
the same run, on the same arrays, every result compared. Ends with a table, results.json and ladder.png in the output
folder. Exit status: 0 when all checks hold, 1 when one fails or the job cannot be done, 2 for wrong usage.
"""

import argparse
import dataclasses
import json
import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

# The driver's threads are bound to cores as the environment says; Python's are not: libgomp would bind the main thread
# to one core, and the driver would inherit that core as all that it may use.
DRIVER_ENVIRONMENT = dict(os.environ)
for _name in ("OMP_PROC_BIND", "OMP_PLACES", "GOMP_CPU_AFFINITY"):
    os.environ.pop(_name, None)

try:
    import matplotlib  # noqa: F401
    import numba
    import numpy as np
    import sklearn.datasets
except ImportError as error:
    sys.exit(f"run.py: Python has no module {error.name}; Debian has it in one of the packages python3-numpy, "
             "python3-numba, python3-sklearn and python3-matplotlib")

import kernels  # noqa: E402
import plot  # noqa: E402

RTOL = 1e-5  # of the documents
SEED = 20


class DriverFailed(Exception):
    """The driver did not exit with status 0."""


class Driver:
    """The program under test, called with files."""

    def __init__(self, program, folder):
        self.program = pathlib.Path(program)
        self.folder = pathlib.Path(folder)

    def save(self, name, array):
        path = self.folder / f"{name}.npy"
        np.save(path, array)
        return path

    def call(self, *arguments):
        command = [str(self.program), *map(str, arguments)]
        result = subprocess.run(command, capture_output=True, text=True, env=DRIVER_ENVIRONMENT)
        if result.returncode != 0:
            raise DriverFailed(f"{' '.join(command)}: exit status {result.returncode}: {result.stderr.strip()}")
        return result.stdout

    def compute(self, subcommand, *inputs, options=(), repeat=1):
        """The output array and the driver's report. `inputs` are files."""
        output, report = self.folder / "output.npy", self.folder / "report.json"
        self.call(subcommand, *inputs, "-o", output, "--report", report, "--repeat", repeat, *options)
        result = np.load(output)
        output.unlink()
        return result, json.loads(report.read_text())


@dataclasses.dataclass
class Check:
    """A result of the driver on the digits, compared with NumPy's."""

    name: str
    shape: str
    first: float
    second: float
    passed: bool
    how: str


def timed(function):
    start = time.perf_counter()
    function()
    return time.perf_counter() - start


def first_and_second(function, repeat):
    """Seconds of the first call, and the median of `repeat` later ones."""
    first = timed(function)
    return first, statistics.median(timed(function) for _ in range(repeat))


def shape_text(array):
    return " x ".join(map(str, array.shape))


def relative_error(actual, reference, scale=None):
    """Largest |actual - reference| / scale, where scale is |reference| unless given; 0 / 0 is no error."""
    error = np.abs(actual.astype(np.float64) - reference)
    scale = np.abs(reference) if scale is None else scale
    with np.errstate(divide="ignore", invalid="ignore"):
        fraction = np.where(error == 0, 0.0, error / scale)
    return float(fraction.max(initial=0.0))


def check_equal(name, result, report, expected):
    passed = result.dtype == expected.dtype and np.array_equal(result, expected)
    return Check(name, shape_text(result), report["time"]["first_run"], report["time"]["second_run"], bool(passed),
                 "equal to NumPy" if passed else "NOT EQUAL to NumPy")


def check_close(name, result, report, A, B, factor=1.0):
    """result = factor A B in float32: componentwise within RTOL of |factor| |A| |B| around NumPy's float64 product.

    That scale is the one that cancellation leaves meaningful. Elements that do not cancel are also compared as the
    documents do, by assert_allclose(rtol=1e-5) with atol = 0; how many those are is said.
    """
    A, B = A.astype(np.float64), B.astype(np.float64)
    reference = factor * (A @ B)
    scale = abs(factor) * (np.abs(A) @ np.abs(B))
    error = relative_error(result, reference, scale)
    uncancelled = np.abs(reference) >= 0.5 * scale
    plain = relative_error(result[uncancelled], reference[uncancelled])
    passed = result.dtype == np.float32 and error <= RTOL and plain <= RTOL
    how = f"{error:.1e} of |A||B|; rtol {plain:.1e} on the {uncancelled.mean():.0%} without cancellation"
    return Check(name, shape_text(result), report["time"]["first_run"], report["time"]["second_run"], bool(passed), how)


def check_digits(driver, repeat):
    """Gram matrix and covariance in float32 and int32, transpose, add and histogram of the digits."""
    pixels = sklearn.datasets.load_digits().data  # float64, whole numbers from 0 to 16
    integers = pixels.astype(np.int32)
    floats = pixels.astype(np.float32)
    centred = (pixels - pixels.mean(axis=0)).astype(np.float32)
    factor = 1 / (len(pixels) - 1)
    files = {name: driver.save(name, array)
             for name, array in (("integers", integers), ("floats", floats), ("centred", centred),
                                 ("samples", integers.ravel()))}
    print(f"handwritten digits: {shape_text(pixels)} pixels, values {integers.min()} to {integers.max()}")

    gram = ("--op-b", "transpose")
    cross = ("--op-a", "transpose")
    checks = []
    result, report = driver.compute("matmul", files["floats"], files["floats"], options=gram, repeat=repeat)
    checks.append(check_close("Gram matrix X X^T, float32", result, report, floats, floats.T))
    result, report = driver.compute("matmul", files["integers"], files["integers"], options=gram, repeat=repeat)
    checks.append(check_equal("Gram matrix X X^T, int32", result, report, integers @ integers.T))
    # Summed in float64: pixels that are nearly always 0 give 1797 nearly equal terms, whose float32 roundings all go
    # the same way and add up to 4e-5. That is within the bound of theory for float32 sums, but not within RTOL.
    result, report = driver.compute("matmul", files["centred"], files["centred"], repeat=repeat,
                                    options=(*cross, "--alpha", repr(factor), "--accumulator", "float64"))
    checks.append(check_close("covariance, float32 (sums float64)", result, report, centred.T, centred, factor))
    result, report = driver.compute("matmul", files["integers"], files["integers"], options=cross, repeat=repeat)
    checks.append(check_equal("cross product X^T X, int32", result, report, integers.T @ integers))
    result, report = driver.compute("transpose", files["floats"], repeat=repeat)
    checks.append(check_equal("transpose, float32", result, report, floats.T))
    result, report = driver.compute("add", files["integers"], files["integers"], repeat=repeat,
                                    options=("--alpha", 3, "--beta", -1))
    checks.append(check_equal("add 3 X - X, int32", result, report, 3 * integers - integers))
    result, report = driver.compute("histogram", files["samples"], options=("--bins", 17), repeat=repeat)
    checks.append(check_equal("histogram of the pixels", result, report, np.bincount(integers.ravel(), minlength=17)))
    return checks


@dataclasses.dataclass
class Workload:
    """One of the documents' jobs. The row is that of the list of capabilities."""

    row: int
    title: str
    operation: str
    dtype: type
    shape: tuple  # (m, k, n) of a matmul, (m, n) of a transpose
    tile: int
    launch: str = ""

    def size_text(self):
        if self.operation == "transpose":
            return "{} x {}".format(*self.shape)
        return "({} x {}).({} x {})".format(self.shape[0], self.shape[1], self.shape[1], self.shape[2])

    def work(self):
        """Operations of a matmul, bytes of a transpose."""
        if self.operation == "transpose":
            return 2 * np.dtype(self.dtype).itemsize * self.shape[0] * self.shape[1]
        return 2 * self.shape[0] * self.shape[1] * self.shape[2]

    def unit(self):
        return "GB/s" if self.operation == "transpose" else "GFLOP/s"


def workloads(transpose_edge):
    return [
        Workload(4, "tile 16, whole tiles", "matmul", np.float32, (512, 512, 512), 16),
        Workload(4, "tile 16, any shape", "matmul", np.float32, (500, 300, 410), 16),
        Workload(5, "20 x 20 blocks of 20 x 20", "matmul", np.float32, (400, 400, 400), 20, "20x20,20x20"),
        Workload(10, "tile 32", "matmul", np.float32, (1600, 1600, 1600), 32, "50x50,32x32"),
        Workload(18, "any shape, exact", "matmul", np.int32, (128, 32, 128), 16),
        Workload(16, "tile 32", "transpose", np.int32, (transpose_edge, transpose_edge), 32),
    ]


@dataclasses.dataclass
class Rung:
    """One implementation on one workload."""

    name: str
    first: float
    second: float
    passed: bool
    error: float


def operands(workload, random):
    """As the documents make them: uniform in [0, 1) for floats, small whole numbers for integers."""
    shapes = [workload.shape[:2]] if workload.operation == "transpose" else [workload.shape[:2], workload.shape[1:]]
    if workload.dtype is np.int32:
        return [random.integers(0, 256, shape, dtype=np.int32) for shape in shapes]
    return [random.random(shape, dtype=np.float32) for shape in shapes]


def compare(result, expected):
    """Integers must be equal, floats as by the documents' assert_allclose(rtol=1e-5)."""
    if result.dtype != expected.dtype or result.shape != expected.shape:
        return False, float("inf")
    if result.dtype == np.int32:
        return bool(np.array_equal(result, expected)), 0.0
    error = relative_error(result, expected.astype(np.float64))
    return error <= RTOL, error


def numpy_and_numba_rungs(workload, arrays, repeat):
    """The expected result, and NumPy's and Numba's rungs."""
    if workload.operation == "transpose":
        call = lambda: np.copyto(output, arrays[0].T)  # noqa: E731
        output = np.empty(workload.shape[::-1], workload.dtype)
        rungs = {"Numba naive": kernels.transpose_naive, "Numba tiled": kernels.make_transpose_tiled(workload.tile)}
    else:
        call = lambda: np.matmul(*arrays, out=output)  # noqa: E731
        output = np.empty((workload.shape[0], workload.shape[2]), workload.dtype)
        rungs = {"Numba naive": kernels.matmul_naive, "Numba tiled": kernels.make_matmul_tiled(workload.tile)}
    results = [Rung("NumPy", *first_and_second(call, repeat), True, 0.0)]
    expected = output.copy()
    for name, kernel in rungs.items():
        output.fill(-1)
        times = first_and_second(lambda: kernel(*arrays, output), repeat)
        results.append(Rung(name, *times, *compare(output, expected)))
    return expected, results


def driver_rungs(driver, workload, arrays, expected, repeat):
    files = [driver.save(f"operand{index}", array) for index, array in enumerate(arrays)]
    algorithms = (["naive", "tiled", "padded"] if workload.operation == "transpose"
                  else ["naive", "grid_stride", "tiled"])
    algorithms.append("automatic")
    for algorithm in algorithms:
        options = ["--algorithm", algorithm]
        if algorithm in ("tiled", "padded"):
            options += ["--tile", workload.tile]
        if algorithm == "grid_stride" and workload.launch:
            options += ["--launch", workload.launch]
        result, report = driver.compute(workload.operation, *files, options=options, repeat=repeat)
        times = report["time"]["first_run"], report["time"]["second_run"]
        yield Rung(f"Pantile {algorithm}", *times, *compare(result, expected))
    for path in files:
        path.unlink()


def run_ladder(driver, jobs, repeat):
    """(workload, rungs) one after the other."""
    random = np.random.default_rng(SEED)
    for workload in jobs:
        arrays = operands(workload, random)
        # A run of seconds is measured once.
        times = repeat if workload.work() < 1e9 else 1
        expected, rungs = numpy_and_numba_rungs(workload, arrays, times)
        rungs += driver_rungs(driver, workload, arrays, expected, times)
        yield workload, rungs


def seconds_text(seconds):
    for factor, unit in ((1, "s"), (1e3, "ms"), (1e6, "us")):
        if seconds * factor >= 1 or unit == "us":
            return f"{seconds * factor:.3g} {unit}"
    raise AssertionError


def table(header, rows, alignment):
    """Lines of text with the columns aligned: `alignment` has < or > for each."""
    cells = [header, *rows]
    widths = [max(len(row[column]) for row in cells) for column in range(len(header))]
    lines = ["  ".join(f"{cell:{side}{width}}" for cell, side, width in zip(row, alignment, widths)).rstrip()
             for row in cells]
    lines.insert(1, "  ".join("-" * width for width in widths))
    return "\n".join(lines)


def print_checks(checks):
    rows = [(check.name, check.shape, seconds_text(check.first), seconds_text(check.second),
             "ok" if check.passed else "FAILED", check.how) for check in checks]
    print(table(("digits by the driver", "result", "first run", "second run", "check", "against NumPy"), rows,
                "<>>><<"))


def print_workload(workload, rungs):
    rows = [(rung.name, seconds_text(rung.first), seconds_text(rung.second),
             f"{workload.work() / rung.second * 1e-9:.3g} {workload.unit()}",
             "ok" if rung.passed else "FAILED", "equal" if rung.error == 0 else f"rtol {rung.error:.1e}")
            for rung in rungs]
    title = (f"row {workload.row}: {workload.operation} {workload.size_text()} {np.dtype(workload.dtype)}, "
             f"{workload.title}")
    print(f"\n{title}")
    print(table(("", "first run", "second run", "rate", "check", "to NumPy"), rows, "<>>><<"), flush=True)


def transpose_edge(asked, folder):
    """The documents' 16384 takes 1 GiB an array; less where memory or disk do not hold four of them."""
    edge = asked
    memory = os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    room = min(memory, shutil.disk_usage(folder).free)
    while edge > 256 and 6 * 4 * edge * edge > room:
        edge //= 2
    if edge != 16384:
        print(f"transpose: {edge} x {edge}; the document has 16384 x 16384, which --transpose-edge 16384 runs")
    return edge


def machine_text(driver):
    lines = dict(line.strip().split(None, 1) for line in driver.call("info").splitlines() if line.strip())
    processor = lines.get("host", "").split(",")[0]
    return processor, lines.get("set-up", "").partition("(")[2].rstrip(")")


def write_results(path, machine, checks, ladder):
    results = {
        "machine": machine,
        "versions": {"numpy": np.__version__, "numba": numba.__version__, "sklearn": sklearn.__version__},
        "rtol": RTOL,
        "seed": SEED,
        "digits": [dataclasses.asdict(check) for check in checks],
        "ladder": [
            {"row": w.row, "title": w.title, "operation": w.operation, "dtype": np.dtype(w.dtype).name,
             "shape": w.shape, "tile": w.tile, "launch": w.launch, "work": w.work(), "unit": w.unit(),
             "rungs": [dataclasses.asdict(rung) | {"rate": w.work() / rung.second * 1e-9} for rung in rungs]}
            for w, rungs in ladder
        ],
    }
    path.write_text(json.dumps(results, indent=2) + "\n")


def draw_plot(path, machine, ladder):
    panels = [
        {"label": f"row {w.row}: {w.operation}\n{w.size_text()}\n{np.dtype(w.dtype)}, tile {w.tile}", "unit": w.unit(),
         "rates": {rung.name: w.work() / rung.second * 1e-9 for rung in rungs}}
        for w, rungs in ladder
    ]
    plot.draw(panels, machine, path)


def parse_arguments():
    parser = argparse.ArgumentParser(description="Pantile's driver on real data and on the documents' workloads.")
    parser.add_argument("--driver", type=pathlib.Path, required=True, help="the program `pantile`")
    parser.add_argument("--out", type=pathlib.Path, required=True, help="folder for results.json and ladder.png")
    parser.add_argument("--repeat", type=int, default=5, help="timed runs after the first one (default 5)")
    parser.add_argument("--transpose-edge", type=int, default=8192, help="edge of the transposed matrix (default 8192)")
    arguments = parser.parse_args()
    if not arguments.driver.is_file():
        parser.error(f"there is no program {arguments.driver}")
    if arguments.repeat < 1 or arguments.transpose_edge < 1:
        parser.error("--repeat and --transpose-edge must be at least 1")
    return arguments


def main():
    arguments = parse_arguments()
    arguments.out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="pantile-demo-") as name:
        driver = Driver(arguments.driver.resolve(), name)
        processor, space = machine_text(driver)
        machine = f"{processor}; Kokkos {space}; NumPy {np.__version__}, Numba {numba.__version__}"
        print(machine)
        checks = check_digits(driver, arguments.repeat)
        print_checks(checks)
        print()
        jobs = workloads(transpose_edge(arguments.transpose_edge, name))
        ladder = []
        for workload, rungs in run_ladder(driver, jobs, arguments.repeat):
            print_workload(workload, rungs)
            ladder.append((workload, rungs))
    write_results(arguments.out / "results.json", machine, checks, ladder)
    draw_plot(arguments.out / "ladder.png", machine, ladder)

    verdicts = [check.passed for check in checks] + [rung.passed for _, rungs in ladder for rung in rungs]
    print(f"\n{sum(verdicts)} of {len(verdicts)} results agree with NumPy "
          f"(integers equal, floats within rtol {RTOL:g}); "
          f"{arguments.out / 'results.json'}, {arguments.out / 'ladder.png'}")
    return 0 if all(verdicts) else 1


if __name__ == "__main__":
    try:
        sys.exit(main())
    except DriverFailed as failure:
        sys.exit(f"run.py: {failure}")

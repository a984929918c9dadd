#!/usr/bin/env python3
# SPDX-FileCopyrightText: Pantile contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""CuPy's bincount on the cases of gpu_contests' histograms. Skipped, with the reason in its one line, where CuPy is
missing."""

import sys

import peer_timing

try:
    import cupy

    if cupy.cuda.runtime.getDeviceCount() == 0:
        raise ImportError("CuPy sees no device")
except Exception as error:  # CuPy raises its own kinds where the driver is missing
    peer_timing.say(skipped=f"{type(error).__name__}: {error}")
    sys.exit(0)

SIZE = 2**28


def timer(call, calls):
    begin, end = cupy.cuda.Event(), cupy.cuda.Event()
    begin.record()
    for _ in range(calls):
        call()
    end.record()
    end.synchronize()
    return cupy.cuda.get_elapsed_time(begin, end) * 1e-3


def counting(bins, spread):
    def make():
        if spread == "constant":
            samples = cupy.full(SIZE, int(0.4 * bins), cupy.int32)
        else:
            share = cupy.random.default_rng(7).random(SIZE, cupy.float32)
            samples = ((share if spread == "uniform" else share**4) * bins).astype(cupy.int32)
            samples = cupy.minimum(samples, bins - 1)
        check = lambda: None if int(cupy.bincount(samples, minlength=bins).sum()) == SIZE else "counts are wrong"
        return lambda: cupy.bincount(samples, minlength=bins), check

    return make


def main():
    options = peer_timing.options(__doc__)
    peer_timing.say(context={"cupy": cupy.__version__})
    cases = [
        (f"histogram/int32/{bins}/{spread}", "GB/s", 4e-9 * SIZE, counting(bins, spread))
        for bins in (256, 65536, 32, 1024)
        for spread in ("uniform", "skewed", "constant")
    ]
    peer_timing.run("cupy", cases if options.scale == "full" else cases[:3], options.seconds, timer)


if __name__ == "__main__":
    main()

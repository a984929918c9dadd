#!/usr/bin/env python3
# SPDX-FileCopyrightText: Pantile contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""check_negative.py BUILD FOLDER: local Views that ScaLAPACK does not take do not compile, and why is said."""

import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from compiler import Compiler  # noqa: E402

TEXT = """
#include <pantile/mpi/add.hpp>
#include <pantile/mpi/matmul.hpp>
#include <pantile/mpi/redistribute.hpp>
#include <pantile/mpi/transpose.hpp>
template <class T, class Layout>
using Part = pantile::mpi::DistributedMatrix<Kokkos::View<T**, Layout>>;
using Left = Kokkos::LayoutLeft;
using Right = Kokkos::LayoutRight;
using Stride = Kokkos::LayoutStride;
extern Part<double, Left> const a, b;
extern Part<double const, Left> const ca;
extern Part<double, Right> const right;
extern Part<double, Stride> const strided;
extern Part<float, Left> const fa;
extern Part<int, Left> const ia, ib;
extern Part<std::int8_t, Left> const sa, sb;
extern Part<Kokkos::complex<double>, Left> const za;
void call() {{ using namespace pantile; {} }}
"""
ORDERS = "all LayoutLeft or all LayoutRight"
NUMBERS = "elements are float, double or a complex of them"
SIZES = "elements have 4, 8 or 16 bytes"

# Call -> what the compiler must say; nothing of what must compile.
CASES = {
    "mpi::matmul(1.0, ca, a, 0.0, b);": None,
    "mpi::add(1.0, right, 1.0, strided, a);": None,
    "mpi::redistribute(ia, ib);": None,
    "mpi::matmul(1.0, right, a, 0.0, b);": ORDERS,
    "mpi::matmul(1.0, strided, strided, 0.0, strided);": ORDERS,
    "mpi::transpose(a, right);": ORDERS,
    "mpi::redistribute(strided, a);": ORDERS,
    "mpi::matmul(1, ia, ia, 0, ib);": NUMBERS,
    "mpi::matmul(1.0, a, fa, 0.0, b);": NUMBERS,
    "mpi::transpose(ia, ib);": NUMBERS,
    "mpi::redistribute(sa, sb);": SIZES,
    "mpi::redistribute(za, a);": SIZES,
    "mpi::matmul(1.0, a, b, 0.0, ca);": r"Mutable|no matching function",
}


def main():
    compiler = Compiler(*sys.argv[1:3])
    wrong = 0
    for call, messages in compiler.check_all({call: (TEXT.format(call), True) for call in CASES}).items():
        expected = CASES[call]
        right = messages is None if expected is None else messages is not None and re.search(expected, messages)
        if not right:
            wrong += 1
            print(f"--- {call} expected: {expected}\n{messages}")
    print(f"{len(CASES)} cases, {wrong} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())

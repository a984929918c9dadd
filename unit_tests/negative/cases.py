# SPDX-FileCopyrightText: Pantile contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Calls that must not compile, each with what the compiler must say; and the same calls done right, as controls."""

PROLOGUE = """
#include <pantile/matmul.hpp>
#include <complex>
#include <vector>
using Exec = Kokkos::DefaultExecutionSpace;
using Complex = Kokkos::complex<double>;
template <class T> using Matrix = Kokkos::View<T**, Exec>;
extern Exec const exec;
extern Matrix<double> const a, b, c;
extern Matrix<double const> const ca, cb, cc;
extern Matrix<float> const fa;
extern Matrix<int> const ia, ib, ic;
extern Matrix<Complex> const za, zb, zc;
extern Matrix<long double> const la, lb, lc;
extern Matrix<bool> const ba, bb, bc;
extern Kokkos::View<double*, Exec> const x;
extern Kokkos::View<double***, Exec> const cube;
extern Kokkos::View<double, Exec> const scalar;
extern std::vector<double> const vec;
void call() {
"""
EPILOGUE = "\n}\n"

# What a concept in a requires clause says, in every compiler.
CONSTRAINT = "constraints not satisfied"

COMPILES = {
    "plain": "pantile::matmul(exec, 1.0, a, b, 0.0, c);",
    "without instance": "pantile::matmul(1.0, a, b, 0.0, c);",
    "integer scalars on reals": "pantile::matmul(exec, 1, a, b, 0, c);",
    "const inputs": "pantile::matmul(exec, 1.0, ca, cb, 0.0, c);",
    "mixed reals": "pantile::matmul(exec, 1.0, fa, b, 0.0, c);",
    "chosen accumulator": "pantile::matmul<double>(exec, 1.0, fa, fa, 0.0, fa);",
    "real operand in a complex product": "pantile::matmul(exec, 1.0, a, zb, 0.0, zc);",
    "integers": "pantile::matmul(exec, 2, ia, ib, -1, ic);",
    "options": "pantile::matmul(exec, 1.0, a, b, 0.0, c, {.op_a = pantile::Op::transpose, .tile = {16, 16, 16}});",
    "explanation": "(void)pantile::explain::matmul(exec, 1.0, a, b, 0.0, c);",
}

MUST_NOT_COMPILE = {
    "vector as A": ("pantile::matmul(exec, 1.0, x, b, 0.0, c);", CONSTRAINT),
    "rank 3 as B": ("pantile::matmul(exec, 1.0, a, cube, 0.0, c);", CONSTRAINT),
    "rank 0 as C": ("pantile::matmul(exec, 1.0, a, b, 0.0, scalar);", CONSTRAINT),
    "no View": ("pantile::matmul(exec, 1.0, vec, b, 0.0, c);", CONSTRAINT),
    "const C": ("pantile::matmul(exec, 1.0, a, b, 0.0, cc);", CONSTRAINT),
    "const C in explain": ("(void)pantile::explain::matmul(exec, 1.0, a, b, 0.0, cc);", CONSTRAINT),
    "element type long double": ("pantile::matmul(exec, 1.0, la, lb, 0.0, lc);", CONSTRAINT),
    "element type bool": ("pantile::matmul(exec, 1, ba, bb, 0, bc);", CONSTRAINT),
    "no execution space": ("pantile::matmul(Kokkos::HostSpace{}, 1.0, a, b, 0.0, c);", CONSTRAINT),
    "real accumulator of complex operands": (
        "pantile::matmul<double>(exec, 1.0, za, zb, 0.0, zc);",
        "a real accumulator cannot take complex operands",
    ),
    "complex product into a real C": (
        "pantile::matmul(exec, 1.0, za, zb, 0.0, c);",
        "a complex result cannot be stored in a real C",
    ),
    "fractional alpha on integers": (
        "pantile::matmul(exec, 0.5, ia, ib, 0, ic);",
        "alpha and beta must be integers when the accumulator is an integer type",
    ),
    "fractional beta on integers": (
        "pantile::matmul(exec, 1, ia, ib, 0.5, ic);",
        "alpha and beta must be integers when the accumulator is an integer type",
    ),
    "alpha of a foreign type": (
        "pantile::matmul(exec, std::complex<double>(1, 0), za, zb, 0, zc);",
        "alpha and beta must be numbers of an element type",
    ),
    "complex alpha on reals": (
        "pantile::matmul(exec, Complex(1, 0), a, b, 0.0, c);",
        "a complex element cannot be converted to a real one",
    ),
    "accumulator that is no element": (
        "pantile::matmul<long double>(exec, 1.0, a, b, 0.0, c);",
        "the accumulator must be an element type",
    ),
    "complex converted to real": (
        "(void)pantile::convert<double>(Complex(1, 2));",
        "a complex element cannot be converted to a real one",
    ),
}

# SPDX-FileCopyrightText: Pantile contributors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Calls that must not compile, each with what the compiler must say; and the same calls done right, as controls."""

PROLOGUE = """
#include <pantile/pantile.hpp>
#include <pantile/out_of_core.hpp>
#include <Kokkos_DualView.hpp>
#include <Kokkos_OffsetView.hpp>
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
extern Kokkos::DualView<double**, Exec> const dual;
extern Kokkos::Experimental::OffsetView<double**, Exec> const offset;
extern Matrix<long long> const lla, llb, llc;
extern Matrix<unsigned long long> const ua, ub, uc;
extern Kokkos::View<int*, Exec> const samples, counts;
extern Kokkos::View<int const*, Exec> const const_counts;
extern Kokkos::View<short*, Exec> const short_counts;
extern Kokkos::View<bool*, Exec> const flags;
extern Kokkos::View<int**, Exec> const pairs;
extern Kokkos::View<int****, Exec> const rank_4;
extern Kokkos::View<Complex*, Exec> const zx;
extern Kokkos::View<double const*, Exec> const cx;
extern Kokkos::View<float*, Exec> const fx;
extern Kokkos::View<std::uint64_t, Exec> const ignored;
struct Sum {
  KOKKOS_FUNCTION double operator()(std::int64_t i, std::int64_t j) const { return double(i + j); }
};
struct OneCoordinate {
  KOKKOS_FUNCTION double operator()(std::int64_t i) const { return double(i); }
};
// Views with a layout of the user's own do not compile in Kokkos itself. These stand for them.
template <class Layout>
struct StandIn : Matrix<double> {
  using array_layout = Layout;
};
struct Tiled {};
template <class Layout>
struct Kokkos::is_view<StandIn<Layout>> : std::true_type {};
extern StandIn<Kokkos::LayoutRight> const plain;
extern StandIn<Tiled> const tiled;
void call() {
"""
EPILOGUE = "\n}\n"

# What the operations on matrices say themselves.
RANK = "a matrix is a View of rank 2"
ELEMENT = r"no element type: specialise pantile::element_traits for it \(pantile/element.hpp, and CONTRIBUTING, Recipe"
LAYOUT, CALL = "a matrix has LayoutRight", "no call with these arguments"
# And those on samples and on vectors.
SAMPLES, VECTORS = "no histogram of these arguments", "no reversal of these arguments"
# Of transfers, and of matrices that memory does not hold.
TRANSFER, PIPELINE = "no transfer of these arguments", "no pipeline of these arguments"
PLACES = r"operands are places of tiles: ViewSource\(A\) or ViewStore\(C\) of a View"
# Documents and headings that sentences name.
HEADINGS = {"CONTRIBUTING.md": "## Recipe: a new element type"}

COMPILES = {
    "plain": "pantile::matmul(exec, 1.0, a, b, 0.0, c);",
    "without instance": "pantile::matmul(1.0, a, b, 0.0, c);",
    "integer scalars on reals": "pantile::matmul(exec, 1, a, b, 0, c);",
    "const inputs": "pantile::matmul(exec, 1.0, ca, cb, 0.0, c);",
    "mixed reals": "pantile::matmul(exec, 1.0, fa, b, 0.0, c);",
    "chosen accumulator": "pantile::matmul<double>(exec, 1.0, fa, fa, 0.0, fa);",
    "real operand in a complex product": "pantile::matmul(exec, 1.0, a, zb, 0.0, zc);",
    "integers": "pantile::matmul(exec, 2, ia, ib, -1, ic);",
    "the other integers of 64 bits":
        "pantile::matmul(exec, 2, lla, llb, -1, llc); pantile::add(exec, 1, ua, 1, ub, uc);",
    "options": "pantile::matmul(exec, 1.0, a, b, 0.0, c, {.op_a = pantile::Op::transpose, .tile = {16, 16, 16}});",
    "explanation": "(void)pantile::explain::matmul(exec, 1.0, a, b, 0.0, c);",
    "layout of strides": "pantile::matmul(exec, 1.0, plain, plain, 0.0, c); pantile::fill(exec, plain, 1.0);",
    "histogram":
        "pantile::histogram(exec, samples, counts); "
        "pantile::histogram(exec, pairs, pairs, "
        "{.out_of_range = pantile::OutOfRange::count, .ignored = ignored.data()});",
    "weighted histogram":
        "pantile::histogram(exec, samples, fx, x); pantile::histogram(exec, samples, x, fx, {.teams = 1});",
    "fill": "pantile::fill(exec, c, Sum{}); pantile::fill(exec, zc, 2); pantile::fill(exec, ic, 2.5);",
    "reverse": "pantile::reverse(exec, cx, x); pantile::reverse(exec, zx);",
    "transfers":
        "pantile::copy(c, a); pantile::copy(exec, c, ca, {.in_flight = 2});"
        "pantile::copy(exec, c, pantile::to_device(exec, a));"
        "pantile::copy_to_host(exec, c, pantile::device_copy<Kokkos::LayoutLeft>(exec, ca));"
        'pantile::copy(pantile::device_like(exec, a, "like"), pantile::copy_to_host(exec, a));'
        'pantile::copy(c, pantile::device_like<Exec>(a, "like"));',
    "out of core":
        "pantile::out_of_core::ViewSource A(a), B(b); pantile::out_of_core::ViewStore C(c);"
        "pantile::out_of_core::matmul<double>(exec, 1.0, A, B, 0.0, C, {.memory = 1 << 20});"
        "pantile::out_of_core::transpose<double>(exec, A, C, {.memory = 1 << 20});",
    "pipeline": "pantile::pipeline(exec, ca, c, [](Exec const&, auto, auto, std::int64_t) {});"
    "pantile::pipeline(exec, std::tuple(pantile::inout(x)), [](auto const&...) {}, {.depth = 2});",
}

MUST_NOT_COMPILE = {
    "vector as A": ("pantile::matmul(exec, 1.0, x, b, 0.0, c);", RANK),
    "rank 3 as B": ("pantile::matmul(exec, 1.0, a, cube, 0.0, c);", RANK),
    "rank 0 as C": ("pantile::matmul(exec, 1.0, a, b, 0.0, scalar);", RANK),
    "no View": ("pantile::matmul(exec, 1.0, vec, b, 0.0, c);", CALL),
    "const C": ("pantile::matmul(exec, 1.0, a, b, 0.0, cc);", CALL),
    "DualView": ("pantile::matmul(exec, 1.0, dual, b, 0.0, c);",
                 "a DualView is two Views: include pantile/dual_view.hpp"),
    "OffsetView": ("pantile::transpose(exec, offset, c);", "an OffsetView begins where it likes: pass its view()"),
    "const C in explain": ("(void)pantile::explain::matmul(exec, 1.0, a, b, 0.0, cc);", CALL),
    "const C in the explanation of transpose": ("(void)pantile::explain::transpose(exec, a, cc);", CALL),
    "const C in the explanation of add": ("(void)pantile::explain::add(exec, 1.0, a, 1.0, b, cc);", CALL),
    "vector in the explanation of fill": ("(void)pantile::explain::fill(exec, x, 1.0);", RANK),
    "real samples in explain": ("(void)pantile::explain::histogram(exec, x, counts);", SAMPLES),
    "reverse into const in explain": ("(void)pantile::explain::reverse(exec, x, cx);", VECTORS),
    "element type long double": ("pantile::matmul(exec, 1.0, la, lb, 0.0, lc);", ELEMENT),
    "element type bool": ("pantile::matmul(exec, 1, ba, bb, 0, bc);", ELEMENT),
    "no execution space": ("pantile::matmul(Kokkos::HostSpace{}, 1.0, a, b, 0.0, c);", CALL),
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
        "pantile::matmul(exec, std::complex<long double>(1, 0), za, zb, 0, zc);",
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
    "tiled layout of A": ("pantile::matmul(exec, 1.0, tiled, b, 0.0, c);", LAYOUT),
    "tiled layout of C": ("pantile::matmul(exec, 1.0, a, b, 0.0, tiled);", LAYOUT),
    "tiled layout in transpose": ("pantile::transpose(exec, tiled, c);", LAYOUT),
    "tiled layout in add": ("pantile::add(exec, 1.0, tiled, 1.0, b, c);", LAYOUT),
    "tiled layout in fill": ("pantile::fill(exec, tiled, 1.0);", LAYOUT),
    "const destination of a pipeline": ("pantile::pipeline(exec, a, cc, [](auto const&...) {});", PIPELINE),
    "DualView in a pipeline": ("pantile::pipeline(exec, dual, c, [](auto const&...) {});", "a DualView is two Views"),
    "const out array of a pipeline": (
        "pantile::pipeline(exec, std::tuple(pantile::out(cc)), [](auto const&...) {});",
        "the elements of an out array must not be const",
    ),
    "array of a pipeline without a role": (
        "pantile::pipeline(exec, std::tuple(a), [](auto const&...) {});",
        "each array must be made by in, out or inout",
    ),
    "pipeline without arrays": (
        "pantile::pipeline(exec, std::tuple<>(), [](auto const&...) {});",
        "there must be an array",
    ),
    "body of a pipeline without the first row": (
        "pantile::pipeline(exec, a, c, [](Exec const&, auto, auto) {});",
        "the body must be callable with an instance, a chunk of each array, and the first row",
    ),
    "tiled layout in copy": ("pantile::copy(exec, tiled, c);", TRANSFER),
    "const destination of a copy": ("pantile::copy(cc, c);", TRANSFER),
    "copy of another element type": ("pantile::copy(exec, c, fa);", TRANSFER),
    "rank 3 to a device": ("(void)pantile::to_device(exec, cube);", TRANSFER),
    "rank 3 to a device in a layout": ("(void)pantile::to_device<Kokkos::LayoutLeft>(exec, cube);", TRANSFER),
    "OffsetView to a device": ("(void)pantile::device_copy(exec, offset);", "an OffsetView begins where it likes"),
    "vector to the host's matrix": ("pantile::copy_to_host(exec, c, x);", TRANSFER),
    "product out of core of Views": (
        "pantile::out_of_core::matmul<double>(exec, 1.0, a, b, 0.0, c, {.memory = 1 << 20});",
        PLACES,
    ),
    "transposition out of core of Views": (
        "pantile::out_of_core::transpose<double>(exec, a, c, {.memory = 1 << 20});",
        PLACES,
    ),
    "real samples": ("pantile::histogram(exec, x, counts);", SAMPLES),
    "bool samples": ("pantile::histogram(exec, flags, counts);", SAMPLES),
    "const counts": ("pantile::histogram(exec, samples, const_counts);", SAMPLES),
    "counts without atomics at full speed": ("pantile::histogram(exec, samples, short_counts);", SAMPLES),
    "counts of rank 4": ("pantile::histogram(exec, pairs, rank_4);", SAMPLES),
    "complex weights": ("pantile::histogram(exec, samples, zx, x);", SAMPLES),
    "weights of rank 2": ("pantile::histogram(exec, samples, a, x);", SAMPLES),
    "counter that is a View": ("pantile::histogram(exec, samples, counts, ignored);", SAMPLES),
    "tuples of one index": (
        "pantile::histogram(exec, samples, pairs);",
        "counts of rank D > 1 need indices of rank 2",
    ),
    "real weights into integer counts": (
        "pantile::histogram(exec, samples, x, counts);",
        "real weights need real counts",
    ),
    "DualView of samples": ("pantile::histogram(exec, dual, counts);", "a DualView is two Views"),
    "OffsetView in reverse": ("pantile::reverse(exec, offset);", "an OffsetView begins where it likes"),
    "DualView in fill": ("pantile::fill(exec, dual, 1.0);", "a DualView is two Views"),
    "fill of const": ("pantile::fill(exec, cc, 1.0);", CALL),
    "fill of a vector": ("pantile::fill(exec, x, 1.0);", RANK),
    "fill with a function of one coordinate": ("pantile::fill(exec, c, OneCoordinate{});", CALL),
    "complex value into real elements": ("pantile::fill(exec, c, Complex(1, 2));", CALL),
    "value that is no number": ('pantile::fill(exec, c, "1");', CALL),
    "reverse into const": ("pantile::reverse(exec, x, cx);", VECTORS),
    "reverse of const in place": ("pantile::reverse(exec, cx);", VECTORS),
    "reverse of a matrix": ("pantile::reverse(exec, a);", VECTORS),
    "reverse into another element type": (
        "pantile::reverse(exec, x, fx);",
        "x and y must have the same element type",
    ),
    "complex converted to real": (
        "(void)pantile::convert<double>(Complex(1, 2));",
        "a complex element cannot be converted to a real one",
    ),
}

// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Notebook, 2D addition: 36x36 int32 by a grid of 6x6 blocks of 6x6 threads, which is just enough; then 64x64 by the
// same grid, every thread strides over its share (row 13).
//
// Look at the last part: operands of different layouts, a part of a larger matrix, factors, and the result in place.
// Differs from Numba: a grid that is too small leaves nothing out, because only `grid_stride` has one to choose, and it
// strides. Sums of int32 wrap, as NumPy's do; in C++ that is defined for unsigned numbers alone.

#include <pantile/add.hpp>

#include <common/example.hpp>
#include <common/launch.hpp>

#include <cstdint>

using Exec = Kokkos::DefaultExecutionSpace;
using Matrix = Kokkos::View<std::int32_t**, Kokkos::LayoutRight>;
using Algorithm = pantile::AddAlgorithm;
constexpr pantile::LaunchShape six_by_six{.grid = {6, 6}, .block = {6, 6}};

// Sums wrap as NumPy's do.
KOKKOS_INLINE_FUNCTION std::int32_t sum_of(std::int32_t a, std::int32_t b) {
  return static_cast<std::int32_t>(static_cast<std::uint32_t>(a) + static_cast<std::uint32_t>(b));
}

static void add(Matrix const& A, Matrix const& B, Matrix const& C) {
  example::launch(
      "example: add", Exec(), six_by_six, KOKKOS_LAMBDA(example::Thread t) {
        // MENDED: nothing asks whether the thread has an element, since the grid matches; a larger one would write
        // beyond the array.
        if (t.y < C.extent_int(0) && t.x < C.extent_int(1)) C(t.y, t.x) = sum_of(A(t.y, t.x), B(t.y, t.x));
      });
}

static void add_stride(Matrix const& A, Matrix const& B, Matrix const& C) {
  example::launch(
      "example: add_stride", Exec(), six_by_six, KOKKOS_LAMBDA(example::Thread t) {
        // MENDED: `for i in range(x, A.shape[0], stride_x)` lets neighbouring threads take neighbouring rows, elements
        // that lie a row apart. Here x runs along the columns.
        for (int i = t.y; i < C.extent_int(0); i += t.stride_y) {
          for (int j = t.x; j < C.extent_int(1); j += t.stride_x) C(i, j) = sum_of(A(i, j), B(i, j));
        }
      });
}

using Kernel = void (*)(Matrix const&, Matrix const&, Matrix const&);

static void add_arrays(example::Checks& check, char const* what, int n, Kernel kernel,
                       pantile::AddOptions const& options) {
  Matrix const A("A", n, n), B("B", n, n), C("C", n, n);
  example::set_arange(A);
  example::set_arange(B);
  kernel(A, B, C);
  if (n <= 64) example::print(C, true);
  check(example::all_equal(C, [n](int i, int j) { return 2 * (i * n + j); }), what);
  example::compare(
      check, what, C, 0, [&] { kernel(A, B, C); }, [&] { pantile::add(1, A, 1, B, C, options); });
}

static bool add_in_place() {
  Kokkos::View<double**, Kokkos::LayoutLeft> const A("A", 5, 3);
  Kokkos::View<double**, Kokkos::LayoutRight> const large("large", 10, 10);
  example::set(A, [](int i, int j) { return 10 * i + j; });
  example::set(large, [](int i, int j) { return i + j; });
  auto const part = Kokkos::subview(large, Kokkos::make_pair(2, 7), Kokkos::make_pair(4, 7));
  pantile::add(-1.0, A, 0.5, part, A);  // A = -A + part / 2
  Kokkos::fence();
  example::print(A);
  return example::all_equal(A, [](int i, int j) { return -(10 * i + j) + 0.5 * (i + 2 + j + 4); });
}

int main(int argc, char** argv) {
  Kokkos::ScopeGuard const kokkos(argc, argv);
  pantile::AddOptions const strided{.algorithm = Algorithm::grid_stride, .launch = six_by_six};
  example::Checks check;
  add_arrays(check, "36x36: one element per thread", 36, add, {.algorithm = Algorithm::naive});
  add_arrays(check, "64x64: the same grid, strided", 64, add_stride, strided);
  add_arrays(check, "2000x2000: as Pantile chooses", 2000, add_stride, {});
  check(add_in_place(), "A = -A + B/2, A in LayoutLeft, B a part of a LayoutRight matrix");
  return check.status();
}

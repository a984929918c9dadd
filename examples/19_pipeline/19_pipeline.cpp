// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The last step of the stream guides: an array that may be larger than the device's memory goes there in chunks of
// rows, is multiplied, and comes back, while the chunks before and after it are on their way.
//
// Look at Product: it is called for every chunk with an instance, the chunk of each array and the number of its first
// row, and only enqueues. The ring of buffers, streams and events around it is the library's.
// On host backends nothing is copied: the chunks are the arrays' own rows, and there is nothing to hide.

#include <pantile/fill.hpp>
#include <pantile/matmul.hpp>
#include <pantile/pipeline.hpp>

#include <common/example.hpp>

#include <algorithm>
#include <cstdint>
#include <iostream>
#include <tuple>

using Exec = Kokkos::DefaultExecutionSpace;
using Pageable = Kokkos::View<float**, Kokkos::LayoutRight, Kokkos::HostSpace>;
using Pinned = pantile::PinnedView<float**>;
using Weights = Kokkos::View<float**, Kokkos::LayoutRight>;

constexpr int rows = 40'000, n = 64;

// Small whole numbers, so that sums are exact: element (i, j) of a chunk that begins at row `first`.
struct Numbers {
  std::int64_t first;
  KOKKOS_FUNCTION float operator()(std::int64_t i, std::int64_t j) const {
    return static_cast<float>((first + i + 3 * j) % 7);
  }
};

struct Product {
  Weights W;
  template <class In, class Out>
  void operator()(Exec const& stream, In const& a, Out const& c, std::int64_t) const {
    pantile::matmul(stream, 1.0f, a, W, 0.0f, c);
  }
};

// C = A W, rows travelling in chunks; beside it the copies alone and the product alone.
template <class Matrix>
static void multiply(char const* name, Matrix const& A, Matrix const& C, Product const& product,
                     example::Checks& check) {
  Exec const exec;
  // An array that is only written: its rows are made on the device.
  pantile::pipeline(exec, std::tuple(pantile::out(A)),
                    [](Exec const& stream, auto a, std::int64_t first) { pantile::fill(stream, a, Numbers{first}); });

  std::cout << name << ": " << pantile::explain::pipeline(exec, A, C, product);
  auto const overlapped = [&] { pantile::pipeline(exec, A, C, product); };
  auto const copies = [&] { pantile::pipeline(exec, A, C, [](auto const&...) {}); };
  auto const dA = pantile::device_copy(exec, A);
  auto const dC = pantile::device_like(exec, C, "dC");
  auto const kernels = [&] { product(exec, dA, dC, 0); };
  for (int run = 0; run < 2; ++run) {  // the first pays for memory that is kept
    double const copy_time = example::seconds(copies), kernel_time = example::seconds(kernels);
    double const time = example::seconds(overlapped);
    double const hidden = (copy_time + kernel_time - time) / std::min(copy_time, kernel_time);
    if (run == 1) {
      std::printf("  copies alone %.6f s, product alone %.6f s, pipeline %.6f s", copy_time, kernel_time, time);
      bool const copied = pantile::explain::pipeline(exec, A, C, product).bytes_in > 0;
      if (copied) {
        std::printf(": %.0f %% of the smaller one hidden\n", 100 * hidden);
      } else {
        std::printf(": nothing to hide\n");
      }
    }
  }

  // W holds 1 in every element: a row of C is the sum of the row of A.
  check(example::all_equal(C,
                           [&](int i, int) {
                             float sum = 0;
                             for (int k = 0; k < n; ++k) sum += A(i, k);
                             return sum;
                           }),
        name);
}

int main(int argc, char** argv) {
  Kokkos::ScopeGuard const kokkos(argc, argv);
  example::Checks check;
  Weights const W("W", n, n);
  Kokkos::deep_copy(W, 1.0f);
  Product const product{W};
  Pageable const A("A", rows, n), C("C", rows, n);
  multiply("pageable arrays", A, C, product, check);
  Pinned const pA = pantile::pinned<float>("pA", rows, n), pC = pantile::pinned<float>("pC", rows, n);
  multiply("pinned arrays", pA, pC, product, check);
  check(Numbers{0}(5, 1) == A(5, 1) && Numbers{0}(rows - 1, n - 1) == pA(rows - 1, n - 1), "made in chunks");
  return check.status();
}

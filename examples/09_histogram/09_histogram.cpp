// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// NumbaPro CUDA guide, atomic operations: `fill_bins`, where every thread of the grid strides over the indices and adds
// one to the bin that it finds there (row 11); on uint32 and float32, in global or shared memory, with a tuple as
// index.
//
// Look at the last part. Numba's atomic add writes where the index points to, be it outside of the array; here an index
// out of range is refused, or counted where the caller asks for their number. It is never written.
// Differs from Numba: whether every block gathers counts in shared memory first is an option and not another kernel.
// Integer counts are the same at every run; float sums depend on the order of additions in their last bits.

#include <pantile/histogram.hpp>

#include <common/example.hpp>

#include <cstdint>

using Exec = Kokkos::DefaultExecutionSpace;
using pantile::HistogramAlgorithm;

static void count(Exec const& exec, example::Checks& check) {
  int const samples = 10000, bins = 10;
  Kokkos::View<int*> const indices("indices", samples);
  example::set(indices, [](int i) { return (i * i) % 10; });  // 0 1 4 9 6 5 6 9 4 1, again and again
  int const expected[bins] = {1000, 2000, 0, 0, 2000, 1000, 2000, 0, 0, 2000};

  Kokkos::View<std::uint32_t*> const bin_counts("bin_counts", bins);
  for (auto strategy : {HistogramAlgorithm::global_atomic, HistogramAlgorithm::scratch}) {
    pantile::histogram(exec, indices, bin_counts, {.algorithm = strategy});
    exec.fence();
    example::print(bin_counts, true);
    check(example::all_equal(bin_counts, [&](int bin) { return expected[bin]; }), to_string(strategy));
  }

  Kokkos::View<float*> const weights("weights", samples), sums("sums", bins);
  Kokkos::deep_copy(weights, 0.25f);
  pantile::histogram(exec, indices, weights, sums);
  exec.fence();
  example::print(sums, true);
  check(example::all_equal(sums, [&](int bin) { return expected[bin] / 4.0f; }), "float32 weights");
}

static void count_tuples(Exec const& exec, example::Checks& check) {
  int const samples = 600;
  Kokkos::View<int**, Kokkos::LayoutRight> const tuples("tuples", samples, 2);  // one (row, column) per sample
  example::set(tuples, [](int i, int d) { return d == 0 ? i % 3 : i % 4; });
  Kokkos::View<std::uint32_t**, Kokkos::LayoutRight> const grid_counts("grid_counts", 3, 4);
  pantile::histogram(exec, tuples, grid_counts);
  exec.fence();
  example::print(grid_counts, true);
  check(example::all_equal(grid_counts, [](int, int) { return 50; }), "2D bins by index tuples");
}

static void out_of_range(Exec const& exec, example::Checks& check) {
  Kokkos::View<int*> const indices("indices", 8);
  example::set(indices, [](int i) { return i - 2; });  // -2 ... 5
  Kokkos::View<std::uint32_t*> const bin_counts("bin_counts", 4);
  try {
    pantile::histogram(exec, indices, bin_counts);
    check(false, "out of range: refused");
  } catch (pantile::Error const& error) {
    std::printf("%s\n", error.rule().c_str());
    check(example::all_equal(bin_counts, [](int) { return 0; }), "out of range: refused, nothing is written");
  }
  Kokkos::View<std::uint64_t> const ignored("ignored");
  pantile::histogram(exec, indices, bin_counts,
                     {.out_of_range = pantile::OutOfRange::count, .ignored = ignored.data()});
  exec.fence();
  example::print(bin_counts, true);
  check(example::all_equal(bin_counts, [](int) { return 1; }), "the others are counted");
  check(example::on_host(ignored)() == 4, "four samples are ignored");
}

int main(int argc, char** argv) {
  Kokkos::ScopeGuard const kokkos(argc, argv);
  Exec const exec;
  example::Checks check;
  count(exec, check);
  count_tuples(exec, check);
  out_of_range(exec, check);
  return check.status();
}

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
using Policy = Kokkos::TeamPolicy<Exec>;
using Member = Policy::member_type;
using Indices = Kokkos::View<int*>;
using Bins = Kokkos::View<std::uint32_t*>;
using pantile::HistogramAlgorithm;

// i, stride = cuda.grid(1), cuda.gridsize(1), and the loop over the indices by that stride.
static void fill_bins(Exec const& exec, Indices const& indices, Bins const& bin_counts) {
  Kokkos::deep_copy(exec, bin_counts, 0);
  auto const policy = Policy(exec, 64, Kokkos::AUTO);
  Kokkos::parallel_for(
      "example: fill_bins", policy, KOKKOS_LAMBDA(Member const& member) {
        int const start = member.team_rank() + member.league_rank() * member.team_size();
        int const stride = member.team_size() * member.league_size();
        for (int i = start; i < indices.extent_int(0); i += stride) {
          int const bin = indices(i);
          // MENDED: the guide adds at bin_counts[indices[i]] whatever the index is, beyond the array too.
          if (bin >= 0 && bin < bin_counts.extent_int(0)) Kokkos::atomic_inc(&bin_counts(bin));
        }
      });
}

static void count(Exec const& exec, int samples, bool print, example::Checks& check) {
  int const bins = 10;
  Indices const indices("indices", samples);
  example::set(indices, [](std::size_t i) { return static_cast<int>(i * i % 10); });  // 0 1 4 9 6 5 6 9 4 1, again
  int const expected[bins] = {1, 2, 0, 0, 2, 1, 2, 0, 0, 2};                          // of ten

  Bins const bin_counts("bin_counts", bins);
  for (auto algorithm : {HistogramAlgorithm::global_atomic, HistogramAlgorithm::scratch}) {
    example::compare(
        check, to_string(algorithm), bin_counts, 0, [&] { fill_bins(exec, indices, bin_counts); },
        [&] { pantile::histogram(exec, indices, bin_counts, {.algorithm = algorithm}); });
    if (print) example::print(bin_counts, true);
    check(example::all_equal(bin_counts, [&](int bin) { return expected[bin] * (samples / 10); }), "fill_bins");
  }

  Kokkos::View<float*> const weights("weights", samples), sums("sums", bins);
  Kokkos::deep_copy(weights, 0.25f);
  pantile::histogram(exec, indices, weights, sums);
  exec.fence();
  if (print) example::print(sums, true);
  check(example::all_equal(sums, [&](int bin) { return expected[bin] * (samples / 10) / 4.0f; }), "float32 weights");
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
  count(exec, 10'000, true, check);
  count(exec, 1'000'000, false, check);
  count_tuples(exec, check);
  out_of_range(exec, check);
  return check.status();
}

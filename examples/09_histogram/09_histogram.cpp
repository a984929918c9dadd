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
using Weights = Kokkos::View<float*>;
using Sums = Kokkos::View<float*>;
using Tuples = Kokkos::View<int**, Kokkos::LayoutRight>;  // one (row, column) per sample
using Grid = Kokkos::View<std::uint32_t**, Kokkos::LayoutRight>;
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

// The same in shared memory, on float32: each block gathers sums of its own, then adds them to those of all. What
// shared memory holds at first nobody knows.
static void fill_bins_shared(Exec const& exec, Indices const& indices, Weights const& weights, Sums const& bin_sums) {
  using Shared = Kokkos::View<float*, Exec::scratch_memory_space, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
  Kokkos::deep_copy(exec, bin_sums, 0);
  int const bins = bin_sums.extent_int(0);
  auto const policy = Policy(exec, 64, Kokkos::AUTO).set_scratch_size(0, Kokkos::PerTeam(Shared::shmem_size(bins)));
  Kokkos::parallel_for(
      "example: fill_bins, shared", policy, KOKKOS_LAMBDA(Member const& member) {
        Shared const sums(member.team_scratch(0), bins);
        Kokkos::parallel_for(Kokkos::TeamThreadRange(member, bins), [&](int bin) { sums(bin) = 0; });
        member.team_barrier();
        int const start = member.team_rank() + member.league_rank() * member.team_size();
        int const stride = member.team_size() * member.league_size();
        for (int i = start; i < indices.extent_int(0); i += stride) {
          int const bin = indices(i);
          if (bin >= 0 && bin < bins) Kokkos::atomic_add(&sums(bin), weights(i));
        }
        member.team_barrier();
        Kokkos::parallel_for(Kokkos::TeamThreadRange(member, bins),
                             [&](int bin) { Kokkos::atomic_add(&bin_sums(bin), sums(bin)); });
      });
}

// A tuple is the index: atomic.add(ary, (i, j), 1).
static void fill_bins_by_tuples(Exec const& exec, Tuples const& tuples, Grid const& grid_counts) {
  Kokkos::deep_copy(exec, grid_counts, 0);
  Kokkos::parallel_for(
      "example: fill_bins, tuples", Kokkos::RangePolicy<Exec>(exec, 0, tuples.extent_int(0)), KOKKOS_LAMBDA(int s) {
        int const i = tuples(s, 0), j = tuples(s, 1);
        bool const inside = i >= 0 && i < grid_counts.extent_int(0) && j >= 0 && j < grid_counts.extent_int(1);
        if (inside) Kokkos::atomic_inc(&grid_counts(i, j));
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

  Weights const weights("weights", samples);
  Sums const sums("sums", bins);
  Kokkos::deep_copy(weights, 0.25f);  // sums of quarters are exact in any order
  example::compare(
      check, "float32 weights", sums, 0, [&] { fill_bins_shared(exec, indices, weights, sums); },
      [&] { pantile::histogram(exec, indices, weights, sums); });
  if (print) example::print(sums, true);
  check(example::all_equal(sums, [&](int bin) { return expected[bin] * (samples / 10) / 4.0f; }), "float32 weights");
}

static void count_tuples(Exec const& exec, example::Checks& check) {
  int const samples = 600;
  Tuples const tuples("tuples", samples, 2);
  example::set(tuples, [](int i, int d) { return d == 0 ? i % 3 : i % 4; });
  Grid const grid_counts("grid_counts", 3, 4);
  example::compare(
      check, "2D bins", grid_counts, 0, [&] { fill_bins_by_tuples(exec, tuples, grid_counts); },
      [&] { pantile::histogram(exec, tuples, grid_counts); });
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

// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file  Counting samples beside a copy, whose rate, read and written, is what reading alone can hope for, and the
///        guide's kernel in CUDA C. numba_kernels.py and cupy_peers.py measure cases of the same names.
#include <gpu/device.hpp>

#include <pantile/histogram.hpp>

#if defined(PANTILE_PERF_CUDA_C)
#include <cuda_c/histogram.hpp>
#endif

#include <memory>

namespace pantile::perf {

namespace {

using Counts = Vector<std::uint32_t>;
using Ignored = Kokkos::View<std::uint64_t, Exec::memory_space>;

enum class Spread { uniform, skewed, constant };

char const* name_of(Spread spread) {
  return spread == Spread::uniform ? "uniform" : spread == Spread::skewed ? "skewed" : "constant";
}

/// skewed: the fourth power of a uniform number, so that a sixteenth of 256 bins takes half of the samples.
template <class T>
struct DrawSamples {
  T* samples;
  std::int64_t bins;
  Spread spread;
  KOKKOS_FUNCTION void operator()(std::int64_t i) const {
    double const u = static_cast<double>(random_bits(static_cast<std::uint64_t>(i)) >> 11) * 0x1p-53;
    double const share = spread == Spread::uniform ? u : spread == Spread::skewed ? u * u * u * u : 0.4;
    samples[i] = static_cast<T>(share * static_cast<double>(bins));
  }
};

template <class T>
struct CountOne {
  T const* samples;
  std::uint32_t* counts;
  KOKKOS_FUNCTION void operator()(std::int64_t i) const {
    Kokkos::atomic_inc(&counts[static_cast<std::size_t>(samples[i])]);
  }
};

struct NotEqual {
  Counts a, b;
  KOKKOS_FUNCTION bool operator()(std::int64_t i, std::int64_t) const { return a(i) != b(i); }
};

template <class T>
struct DrawnSamples {
  Exec exec;
  std::int64_t size, bins;
  std::vector<Vector<T>> samples;
  Counts counts, expected;
  Ignored ignored{"pantile::perf::ignored"};
  HistogramOptions const counting_ignored{.out_of_range = OutOfRange::count, .ignored = ignored.data()};

  DrawnSamples(std::int64_t how_many, std::int64_t how_many_bins, Spread spread)
      : size(how_many),
        bins(how_many_bins),
        counts(make_vector<std::uint32_t>(bins)),
        expected("pantile::perf::expected", bins) {
    std::int64_t const sets = sets_for(static_cast<double>(size) * sizeof(T));
    for (std::int64_t set = 0; set < sets; ++set) {
      samples.push_back(make_vector<T>(size));
      Kokkos::parallel_for("pantile::perf::draw_samples", Range<Exec>(exec, 0, size),
                           DrawSamples<T>{samples.back().data(), bins, spread});
    }
    Kokkos::parallel_for("pantile::perf::count_one", Range<Exec>(exec, 0, size),
                         CountOne<T>{samples[0].data(), expected.data()});
    exec.fence("pantile::perf: operands");
  }
  [[nodiscard]] Vector<T> const& of(std::int64_t i) const {
    return samples[static_cast<std::size_t>(i) % samples.size()];
  }
};

/// \param  checked  refuse samples out of range, by a pass of its own before the counting; otherwise they are ignored
template <class T>
Contest counting_contest(std::int64_t size, std::int64_t bins, Spread spread, bool checked) {
  auto const o = std::make_shared<DrawnSamples<T>>(size, bins, spread);
  Exec const exec = o->exec;
  double const bytes = static_cast<double>(size) * sizeof(T);
  auto const judge = [o] { return none_differs(o->exec, o->bins, 1, NotEqual{o->counts, o->expected}); };
  Contest contest("GB/s", bytes * 1e-9);
  contest.before_judged_call([o] { spoil(o->exec, o->counts); });
  if (checked) {
    contest.plan(to_string(explain::histogram(exec, o->of(0), o->counts)));
    contest.own(timed(exec, [o](std::int64_t i) { histogram(o->exec, o->of(i), o->counts); }), judge);
  } else {
    contest.plan(to_string(explain::histogram(exec, o->of(0), o->counts, o->counting_ignored)));
    contest.own(timed(exec, [o](std::int64_t i) { histogram(o->exec, o->of(i), o->counts, o->counting_ignored); }),
                judge);
  }
#if defined(PANTILE_PERF_CUDA_C)
  auto const twin = [o](std::int64_t i) {
    cuda_c::fill_bins(o->size, o->bins, o->of(i).data(), o->counts.data(), native_stream(o->exec));
  };
  contest.peer("cuda_c", timed(exec, twin), judge);
#endif
  bound_by_copy(contest, bytes);
  return contest;
}

template <class T>
void add_counting(char const* element, std::int64_t size, std::int64_t bins, Spread spread, bool checked = false) {
  add_case(std::string(checked ? "histogram_checked/" : "histogram/") + element + "/" + std::to_string(bins) + "/" +
               name_of(spread),
           [=] { return counting_contest<T>(size, bins, spread, checked); });
}

bool const histogram_registered = on_start([] {
  bool const smoke = settings().smoke();
  std::int64_t const size = smoke ? 10007 : std::int64_t{1} << 28;
  for (std::int64_t const bins : {256, 65536, 32, 1024}) {
    for (Spread const spread : {Spread::uniform, Spread::skewed, Spread::constant}) {
      bool const first_look = bins == 256 || spread == Spread::uniform;
      if (settings().full() || (first_look && !(smoke && bins == 65536))) {
        add_counting<std::int32_t>("int32", size, bins, spread);
      }
    }
  }
  add_counting<std::int32_t>("int32", size, 256, Spread::uniform, true);
  add_counting<std::uint8_t>("uint8", size, 256, Spread::uniform);
  if (settings().full()) add_counting<std::uint8_t>("uint8", size, 256, Spread::skewed);
});

}  // namespace

}  // namespace pantile::perf

// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file  histogram beside a plain loop and NumPy's bincount: uniform, equal and skewed samples.
#include <peers/numpy.hpp>
#include <support/contest.hpp>
#include <support/operands.hpp>
#include <support/settings.hpp>

#include <pantile/histogram.hpp>

#include <cstdint>
#include <string>

namespace {

using pantile::perf::Host;
using pantile::perf::Numpy;
using pantile::perf::settings;

using Samples = Kokkos::View<std::int32_t*, Kokkos::HostSpace>;
using Counts = Kokkos::View<std::uint32_t*, Kokkos::HostSpace>;

struct Case {
  std::int64_t samples;
  int bins;          ///< a power of two
  std::string kind;  ///< uniform, equal, skewed: as numpy_peer.py makes them
  bool refusing;     ///< the face that looks for samples out of range first, or the one that ignores them
};

Samples make_samples(Case const& which) {
  Samples const samples(Kokkos::view_alloc(Kokkos::WithoutInitializing, "samples"), which.samples);
  auto const mask = static_cast<std::uint64_t>(which.bins - 1);
  auto const equal = static_cast<std::int32_t>(which.bins / 2);
  bool const is_equal = which.kind == "equal", is_skewed = which.kind == "skewed";
  Kokkos::parallel_for("pantile::perf::samples", Kokkos::RangePolicy<Host>(0, which.samples), [=](std::int64_t s) {
    std::uint64_t bits = pantile::perf::random_bits(static_cast<std::uint64_t>(s));
    if (is_skewed) bits = bits & (bits >> 20) & (bits >> 40);
    samples(s) = is_equal ? equal : static_cast<std::int32_t>(bits & mask);
  });
  Kokkos::fence();
  return samples;
}

/// Sum of the counts, each times its bin's number from one, as numpy_peer.py forms it.
std::string checksum(Counts const& counts) {
  std::uint64_t sum = 0;
  for (std::size_t bin = 0; bin < counts.size(); ++bin) sum += counts(bin) * static_cast<std::uint64_t>(bin + 1);
  return std::to_string(sum);
}

void plain_loop(Samples const& samples, Counts const& counts) {
  Kokkos::deep_copy(counts, 0u);
  std::int32_t const* const sample = samples.data();
  std::uint32_t* const count = counts.data();
  auto const total = static_cast<std::int64_t>(samples.size());
  for (std::int64_t s = 0; s < total; ++s) ++count[sample[s]];
}

void histogram_contest(benchmark::State& state, Case const& which) {
  Samples const samples = make_samples(which);
  Counts const counts("counts", which.bins), expected("expected", which.bins);
  Kokkos::View<std::uint64_t, Kokkos::HostSpace> const ignored("ignored");
  plain_loop(samples, expected);
  auto const verdict = [=](auto const& computed) {
    return computed() == checksum(expected) ? "" : std::string("the counts' checksum is not the plain loop's");
  };
  auto const own_verdict = [=] { return verdict([=] { return checksum(counts); }); };

  pantile::perf::Contest contest("Gsample/s", 1e-9 * static_cast<double>(which.samples));
  contest.before_first_call([=] { Kokkos::deep_copy(counts, 7u); });
  Host const exec;
  if (which.refusing) {
    contest.own(pantile::perf::timed([=] { pantile::histogram(exec, samples, counts); }), own_verdict);
  } else {
    pantile::HistogramOptions const counting_ignored{.out_of_range = pantile::OutOfRange::count,
                                                     .ignored = ignored.data()};
    contest.own(pantile::perf::timed([=] { pantile::histogram(exec, samples, counts, counting_ignored); }),
                own_verdict);
  }
  contest.peer("plain_loop", pantile::perf::timed([=] { plain_loop(samples, counts); }), own_verdict);
  if (Numpy* const numpy = Numpy::process()) {
    std::string const task =
        "histogram " + std::to_string(which.samples) + " " + std::to_string(which.bins) + " " + which.kind;
    contest.peer("numpy", numpy->watch(task), [=] { return verdict([=] { return numpy->ask("checksum"); }); });
  }
  contest.run(state, settings());
}

bool const registered = pantile::perf::on_start([] {
  std::int64_t const samples = settings().smoke() ? 1000 : settings().full() ? 1 << 26 : 1 << 23;
  for (auto const& [bins, kind] :
       {std::pair<int, char const*>{256, "uniform"}, {256, "equal"}, {65536, "uniform"}, {65536, "skewed"}}) {
    for (bool const refusing : {true, false}) {
      std::string const name = std::string("histogram/") + (refusing ? "refusing" : "ignoring") + "/" +
                               std::to_string(bins) + "_bins_" + kind;
      Case const which{samples, bins, kind, refusing};
      pantile::perf::add_case(name, [which](benchmark::State& state) { histogram_contest(state, which); });
    }
  }
});

}  // namespace

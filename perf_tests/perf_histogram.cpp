// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file  histogram beside a plain loop and NumPy's bincount: uniform, equal and skewed samples.
#include <peers/numpy.hpp>
#include <support/random.hpp>

#include <pantile/histogram.hpp>

namespace pantile::perf {

namespace {

using Samples = Kokkos::View<std::int32_t*, Kokkos::HostSpace>;
using Counts = Kokkos::View<std::uint32_t*, Kokkos::HostSpace>;

struct Counted {
  std::int64_t samples;
  int bins;          ///< a power of two
  std::string kind;  ///< uniform, equal, skewed: as numpy_peer.py makes them
  bool refusing;     ///< the face that looks for samples out of range first, or the one that ignores them
};

Samples make_samples(Counted const& which) {
  Samples const samples(Kokkos::view_alloc(Kokkos::WithoutInitializing, "samples"), which.samples);
  auto const mask = static_cast<std::uint64_t>(which.bins - 1);
  auto const equal = static_cast<std::int32_t>(which.bins / 2);
  bool const is_equal = which.kind == "equal", is_skewed = which.kind == "skewed";
  Kokkos::parallel_for("pantile::perf::samples", Kokkos::RangePolicy<Host>(0, which.samples), [=](std::int64_t s) {
    std::uint64_t bits = random_bits(static_cast<std::uint64_t>(s));
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

Contest histogram_contest(Counted const& which) {
  Samples const samples = make_samples(which);
  Counts const counts("counts", which.bins), expected("expected", which.bins);
  Kokkos::View<std::uint64_t, Kokkos::HostSpace> const ignored("ignored");
  plain_loop(samples, expected);
  auto const judge = [expected](auto const& computed) {
    return Verdict{computed == checksum(expected) ? "" : "the counts' checksum is not the plain loop's"};
  };
  auto const judge_counts = [=] { return judge(checksum(counts)); };

  Contest contest("Gsample/s", 1e-9 * static_cast<double>(which.samples));
  contest.before_judged_call([=] { Kokkos::deep_copy(counts, 7u); });
  Host const exec;
  if (which.refusing) {
    contest.own(timed(exec, [=] { histogram(exec, samples, counts); }), judge_counts);
  } else {
    contest.own(timed(exec,
                      [=] {
                        histogram(exec, samples, counts,
                                  {.out_of_range = pantile::OutOfRange::count, .ignored = ignored.data()});
                      }),
                judge_counts);
  }
  contest.peer("plain_loop", timed(exec, [=] { plain_loop(samples, counts); }), judge_counts);
  if (Numpy* const numpy = Numpy::process()) {
    std::string const task =
        "histogram " + std::to_string(which.samples) + " " + std::to_string(which.bins) + " " + which.kind;
    contest.peer("numpy", numpy->watch(task), [=] { return judge(numpy->ask("checksum")); });
  }
  return contest;
}

bool const registered = on_start([] {
  std::int64_t const samples = settings().smoke() ? 1000 : settings().full() ? 1 << 26 : 1 << 23;
  for (auto const& [bins, kind] :
       {std::pair<int, char const*>{256, "uniform"}, {256, "equal"}, {65536, "uniform"}, {65536, "skewed"}}) {
    for (bool const refusing : {true, false}) {
      std::string const name = std::string("histogram/") + (refusing ? "refusing" : "ignoring") + "/" +
                               std::to_string(bins) + "_bins_" + kind;
      Counted const which{samples, bins, kind, refusing};
      add_case(name, [which] { return histogram_contest(which); });
    }
  }
});

}  // namespace

}  // namespace pantile::perf

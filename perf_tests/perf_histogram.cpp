// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file  histogram beside a plain loop and NumPy's bincount: uniform, equal and skewed samples; weights, pairs and few
///        samples beside a plain loop.
#include <peers/numpy.hpp>
#include <support/random.hpp>

#include <pantile/histogram.hpp>

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>

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

using Pairs = Kokkos::View<std::int32_t**, Kokkos::LayoutRight, Kokkos::HostSpace>;
using Sums = Kokkos::View<double**, Kokkos::LayoutRight, Kokkos::HostSpace>;

/// The loop that a caller would write: checks each index, adds the weight.
void checked_loop(Pairs const& pairs, double const* weights, Sums const& sums) {
  Kokkos::deep_copy(sums, 0.0);
  auto const rows = static_cast<unsigned>(sums.extent(0)), cols = static_cast<unsigned>(sums.extent(1));
  auto const total = static_cast<std::int64_t>(pairs.extent(0));
  bool const is_pair = pairs.extent(1) == 2;
  std::int32_t const* const index = pairs.data();
  double* const sum = sums.data();
  if (is_pair) {
    for (std::int64_t s = 0; s < total; ++s) {
      auto const i = static_cast<unsigned>(index[2 * s]), j = static_cast<unsigned>(index[2 * s + 1]);
      if (i < rows && j < cols) sum[i * cols + j] += 1;
    }
  } else {
    for (std::int64_t s = 0; s < total; ++s) {
      if (auto const i = static_cast<unsigned>(index[s]); i < cols) sum[i] += weights[s];
    }
  }
}

/// Weighted samples of single indices where `rows` is 1, else pairs that are counted. Weights are integers: every order
/// of additions gives the same sums.
Contest checked_contest(std::int64_t samples, int rows, int cols, bool refusing) {
  int const columns = rows == 1 ? 1 : 2;
  Pairs const pairs("pairs", samples, columns);
  Kokkos::View<double*, Kokkos::HostSpace> const weights("weights", samples);
  for (std::int64_t s = 0; s < samples; ++s) {
    std::uint64_t const bits = random_bits(static_cast<std::uint64_t>(s));
    weights(s) = static_cast<double>(bits >> 60);
    for (int d = 0; d < columns; ++d) {
      pairs(s, d) =
          static_cast<std::int32_t>((bits >> (20 * d)) % static_cast<unsigned>(d + 1 == columns ? cols : rows));
    }
  }
  Sums const sums("sums", rows, cols), expected("expected", rows, cols);
  checked_loop(pairs, weights.data(), expected);
  auto const judge = [=] {
    bool const equal = std::equal(sums.data(), sums.data() + sums.size(), expected.data());
    return Verdict{equal ? "" : "a sum is not the plain loop's"};
  };
  Contest contest("Gsample/s", 1e-9 * static_cast<double>(samples));
  contest.before_judged_call([=] { Kokkos::deep_copy(sums, 7.0); });
  Host const exec;
  HistogramOptions const options{.out_of_range = refusing ? OutOfRange::refuse : OutOfRange::ignore};
  if (rows == 1) {
    auto const index = Kokkos::subview(pairs, Kokkos::ALL, 0);
    auto const bins = Kokkos::subview(sums, 0, Kokkos::ALL);
    contest.own(timed(exec, [=] { histogram(exec, index, weights, bins, options); }), judge);
  } else {
    contest.own(timed(exec, [=] { histogram(exec, pairs, sums, options); }), judge);
  }
  contest.peer("plain_loop", timed(exec, [=] { checked_loop(pairs, weights.data(), sums); }), judge);
  return contest;
}

void add_checked_cases(std::int64_t most) {
  for (bool const refusing : {true, false}) {
    std::string const way = refusing ? "histogram/refusing/" : "histogram/ignoring/";
    for (std::int64_t const samples : {std::int64_t{1000}, most}) {
      for (auto const& [rows, cols] : {std::pair(1, 256), {1, 65536}, {16, 16}, {256, 256}}) {
        std::string const name = way + std::to_string(samples) + (rows == 1 ? "_weights/" : "_pairs/") +
                                 std::to_string(rows) + "x" + std::to_string(cols) + "_bins";
        add_case(name, [samples = samples, rows = rows, cols = cols, refusing] {
          return checked_contest(samples, rows, cols, refusing);
        });
      }
    }
  }
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
  add_checked_cases(samples == 1000 ? 3000 : samples);
});

}  // namespace

}  // namespace pantile::perf

// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <support/contest.hpp>
#include <support/quantile.hpp>

#include <algorithm>
#include <cmath>

namespace pantile::perf {

namespace {

/// A first call pays for threads, pages and buffers; above this many seconds that no longer matters and it counts.
constexpr double long_call = 0.2;

/// Rounds longer than this are the few largest cases: they get two.
constexpr double long_round = 8;

}  // namespace

/// Find how many calls make a sample, starting from one; returns the seconds that a sample takes.
double Contest::calibrate(Contestant& contestant, double wanted) const {
  for (;;) {
    double seconds = contestant.watch(contestant.calls);
    // Once more, lest a sample that something else interrupted makes all later ones short.
    if (seconds < 10 * wanted) seconds = std::min(seconds, contestant.watch(contestant.calls));
    if (seconds >= 0.8 * wanted) return seconds;
    double const factor = std::clamp(wanted / std::max(seconds, 1e-9), 1.3, 50.0);
    contestant.calls = static_cast<std::int64_t>(std::ceil(static_cast<double>(contestant.calls) * factor));
  }
}

/// The first call of each: it is judged, and counted where it is long.
std::string Contest::first_call(Contestant& contestant) const {
  if (m_reset) m_reset();
  double const seconds = contestant.watch(1);
  if (seconds >= long_call) contestant.seconds.push_back(seconds);
  return contestant.verdict ? contestant.verdict() : "";
}

void Contest::run(benchmark::State& state, Settings const& settings) {
  double round_seconds = 0;
  for (Contestant& contestant : m_contestants) {
    if (std::string const wrong = first_call(contestant); !wrong.empty()) {
      state.SkipWithError((contestant.name + ": " + wrong).c_str());
      return;
    }
    bool const counted = !contestant.seconds.empty();
    round_seconds += counted ? contestant.seconds.front() : calibrate(contestant, settings.sample_seconds);
  }
  double const affordable = settings.budget_seconds / round_seconds;
  int const least = round_seconds > long_round ? std::min(2, settings.least_rounds) : settings.least_rounds;
  int const rounds = static_cast<int>(std::clamp<double>(affordable, least, settings.most_rounds));
  std::size_t const count = m_contestants.size();
  for (int round = 0; round < rounds; ++round) {
    for (std::size_t turn = 0; turn < count; ++turn) {
      Contestant& contestant = m_contestants[(static_cast<std::size_t>(round) + turn) % count];
      bool const enough = contestant.seconds.size() >= static_cast<std::size_t>(rounds);
      if (enough) continue;  // its first, long call was one of the rounds
      contestant.seconds.push_back(contestant.watch(contestant.calls) / static_cast<double>(contestant.calls));
    }
  }
  for (Contestant const& contestant : m_contestants) {
    double const median = quantile(contestant.seconds, 0.5);
    double const quartiles = quantile(contestant.seconds, 0.75) - quantile(contestant.seconds, 0.25);
    // What bounds is what the machine can do at its best; an implementation does what it mostly does.
    bool const bounds = !contestant.verdict;
    state.counters[contestant.name] = contestant.amount / (bounds ? quantile(contestant.seconds, 0) : median);
    state.counters["spread:" + contestant.name] = quartiles / median;
  }
  state.counters["rounds"] = rounds;
  state.SetLabel(m_unit);
  double const own = quantile(m_contestants.front().seconds, 0.5);
  for ([[maybe_unused]] auto _ : state) state.SetIterationTime(own);
}

}  // namespace pantile::perf

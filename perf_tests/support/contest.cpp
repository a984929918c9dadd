// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <support/contest.hpp>
#include <support/quantile.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace pantile::perf {

namespace {

/// Rounds longer than this are the few largest cases: they get two.
constexpr double long_round = 8;

/// Find how many calls make a sample, starting from one; returns the seconds that a sample takes.
double calibrate(Stopwatch const& watch, std::int64_t& calls, double wanted) {
  for (;;) {
    double seconds = watch(calls);
    // Once more, lest a sample that something else interrupted makes all later ones short.
    if (seconds < 10 * wanted) seconds = std::min(seconds, watch(calls));
    if (seconds >= 0.8 * wanted) return seconds;
    double const factor = std::clamp(wanted / std::max(seconds, 1e-9), 1.3, 50.0);
    calls = static_cast<std::int64_t>(std::ceil(static_cast<double>(calls) * factor));
  }
}

}  // namespace

/// One call, whose result is judged; its seconds.
double Contest::judged_call(Contestant& contestant) {
  if (m_reset) m_reset();
  double const seconds = contestant.watch(1);
  if (!contestant.judge) return seconds;
  Verdict const verdict = contestant.judge();
  contestant.wrong = verdict.wrong;
  for (auto const& [key, value] : verdict.figures) {
    m_figures[contestant.kind == Kind::own ? key : contestant.name + " " + key] = value;
  }
  return seconds;
}

/// In the order of the rounds.
std::vector<double> Contest::rates_of(Contestant const& contestant) {
  std::vector<double> rates;
  for (double const seconds : contestant.seconds) rates.push_back(contestant.amount / seconds);
  return rates;
}

double Contest::seconds(std::string const& name) const {
  for (Contestant const& contestant : m_contestants) {
    if (contestant.name == name && !contestant.seconds.empty()) return quantile(contestant.seconds, 0.5);
  }
  return std::numeric_limits<double>::quiet_NaN();
}

JsonObject Contest::run(std::string const& name, Settings const& settings) {
  std::vector<Contestant*> right;
  for (Contestant& contestant : m_contestants) {
    double const seconds = judged_call(contestant);
    if (!contestant.wrong.empty()) continue;
    right.push_back(&contestant);
    if (seconds >= settings.long_call) contestant.seconds.push_back(seconds);
  }
  double round_seconds = 1e-9;
  for (Contestant* const c : right) {
    round_seconds += c->seconds.empty() ? calibrate(c->watch, c->calls, settings.sample_seconds) : c->seconds.front();
  }
  int const least = round_seconds > long_round ? std::min(2, settings.least_rounds) : settings.least_rounds;
  auto const rounds =
      static_cast<std::size_t>(std::clamp<double>(settings.case_seconds / round_seconds, least, settings.most_rounds));
  for (std::size_t round = 0; round < rounds; ++round) {
    for (std::size_t turn = 0; turn < right.size(); ++turn) {
      Contestant& contestant = *right[(round + turn) % right.size()];
      if (contestant.seconds.size() >= rounds) continue;  // its first, long call was one of the rounds
      contestant.seconds.push_back(contestant.watch(contestant.calls) / static_cast<double>(contestant.calls));
    }
  }
  // Once more, now that memory and plans that calls leave behind have been used by all.
  for (Contestant* const contestant : right) {
    if (contestant->kind == Kind::own) judged_call(*contestant);
  }
  for (auto const& [key, value] : m_asked) m_figures[key] = value(*this);
  return report(name, static_cast<int>(rounds));
}

JsonObject Contest::report(std::string const& name, int rounds) const {
  JsonObject line, peers, bounds, spreads, samples, errors, figures;
  line.add("case", name);
  line.add("unit", m_unit);
  for (Contestant const& contestant : m_contestants) {
    if (!contestant.wrong.empty()) {
      errors.add(contestant.name, contestant.wrong);
      continue;
    }
    double const median = quantile(contestant.seconds, 0.5);
    double const quartiles = quantile(contestant.seconds, 0.75) - quantile(contestant.seconds, 0.25);
    double const counted = contestant.kind == Kind::bound ? quantile(contestant.seconds, 0) : median;
    JsonObject& place = contestant.kind == Kind::own ? line : contestant.kind == Kind::peer ? peers : bounds;
    place.add(contestant.name, contestant.amount / counted);
    spreads.add(contestant.name, quartiles / median);
    if (contestant.kind == Kind::own) samples.add(contestant.name, rates_of(contestant));
  }
  for (auto const& [key, value] : m_figures) figures.add(key, value);
  line.add("peers", peers);
  line.add("bounds", bounds);
  line.add("spread", spreads);
  line.add("samples", samples);
  line.add("checks", figures);
  line.add("wrong", errors);
  line.add("rounds", rounds);
  line.add("plan", m_plan);
  return line;
}

Program& program() {
  static Program all;
  return all;
}

}  // namespace pantile::perf

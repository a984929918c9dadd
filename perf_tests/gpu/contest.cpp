// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gpu/contest.hpp>
#include <support/quantile.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <sstream>

namespace pantile::perf::gpu {

namespace {

/// JSON knows neither NaN nor infinities.
std::string number(double value) {
  if (!std::isfinite(value)) return "null";
  char text[32];
  std::snprintf(text, sizeof text, "%.6g", value);
  return text;
}

/// Pairs of a JSON object, as they come.
class Object {
 public:
  void add(std::string const& key, std::string const& value) {
    m_text << (m_empty ? "" : ", ") << json_text(key) << ": " << value;
    m_empty = false;
  }
  [[nodiscard]] std::string text() const { return "{" + m_text.str() + "}"; }

 private:
  std::ostringstream m_text;
  bool m_empty = true;
};

}  // namespace

std::string json_text(std::string const& text) {
  std::string result = "\"";
  for (char const c : text) {
    if (c == '"' || c == '\\') {
      result += '\\';
      result += c;
    } else if (static_cast<unsigned char>(c) < 0x20) {
      result += c == '\n' ? "\\n" : " ";
    } else {
      result += c;
    }
  }
  return result + '"';
}

/// Seconds that one call takes among so many in a row.
double Contest::sample(Contestant const& contestant) {
  instance().fence("pantile::perf: before");
  auto const begin = std::chrono::steady_clock::now();
  for (std::int64_t i = 0; i < contestant.calls; ++i) contestant.call(i);
  instance().fence("pantile::perf: after");
  std::chrono::duration<double> const taken = std::chrono::steady_clock::now() - begin;
  return taken.count() / static_cast<double>(contestant.calls);
}

/// Find how many calls make a sample; the seconds that a sample takes.
double Contest::calibrate(Contestant& contestant) {
  double const wanted = settings().sample_seconds;
  for (;;) {
    auto const calls = static_cast<double>(contestant.calls);
    double const taken = std::min(sample(contestant), sample(contestant)) * calls;
    if (taken >= 0.8 * wanted) return taken;
    contestant.calls =
        static_cast<std::int64_t>(std::ceil(calls * std::clamp(wanted / std::max(taken, 1e-9), 1.3, 50.0)));
  }
}

/// One call, untimed: its result is judged.
void Contest::judge(Contestant& contestant) {
  if (m_reset) m_reset();
  contestant.call(0);
  instance().fence("pantile::perf: a call that is judged");
  if (!contestant.judge) return;
  Verdict const verdict = contestant.judge();
  contestant.wrong = verdict.wrong;
  for (auto const& [key, value] : verdict.figures) {
    m_figures[contestant.name == "pantile" ? key : contestant.name.substr(5) + " " + key] = value;
  }
}

std::string Contest::run(std::string const& name) {
  Settings const& set = settings();
  double round_seconds = 0;
  for (Contestant& contestant : m_contestants) judge(contestant);
  for (Contestant& contestant : m_contestants) {
    if (contestant.wrong.empty()) round_seconds += calibrate(contestant);
  }
  double const affordable = set.case_seconds / std::max(round_seconds, 1e-9);
  int const rounds = static_cast<int>(std::clamp<double>(affordable, set.least_rounds, set.most_rounds));
  std::size_t const count = m_contestants.size();
  for (int round = 0; round < rounds; ++round) {
    for (std::size_t turn = 0; turn < count; ++turn) {
      Contestant& contestant = m_contestants[(static_cast<std::size_t>(round) + turn) % count];
      if (contestant.wrong.empty()) contestant.seconds.push_back(sample(contestant));
    }
  }
  // Once more, now that memory and plans that calls leave behind have been used by all.
  for (Contestant& contestant : m_contestants) {
    if (contestant.name == "pantile" && contestant.wrong.empty()) judge(contestant);
  }

  Object line, peers, bounds, spreads, errors, figures;
  line.add("case", json_text(name));
  line.add("unit", json_text(m_unit));
  for (Contestant const& contestant : m_contestants) {
    auto const colon = contestant.name.find(':');
    std::string const kind = contestant.name.substr(0, colon);
    std::string const who = colon == std::string::npos ? contestant.name : contestant.name.substr(colon + 1);
    if (!contestant.wrong.empty()) {
      errors.add(who, json_text(contestant.wrong));
      continue;
    }
    double const median = quantile(contestant.seconds, 0.5);
    double const quartiles = quantile(contestant.seconds, 0.75) - quantile(contestant.seconds, 0.25);
    // What bounds is what the machine can do at its best; an implementation does what it mostly does.
    double const rate = contestant.amount / (kind == "bound" ? quantile(contestant.seconds, 0) : median);
    if (kind == "pantile") line.add("pantile", number(rate));
    if (kind == "peer") peers.add(who, number(rate));
    if (kind == "bound") bounds.add(who, number(rate));
    spreads.add(who, number(quartiles / median));
  }
  for (auto const& [key, value] : m_figures) figures.add(key, number(value));
  line.add("peers", peers.text());
  line.add("bounds", bounds.text());
  line.add("spread", spreads.text());
  line.add("checks", figures.text());
  line.add("wrong", errors.text());
  line.add("rounds", std::to_string(rounds));
  line.add("plan", json_text(m_plan));
  return line.text();
}

}  // namespace pantile::perf::gpu

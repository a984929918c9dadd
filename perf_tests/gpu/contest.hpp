// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  Pantile, its peers and the machine's bounds taking turns on a device, in one process.

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace pantile::perf::gpu {

using Exec = Kokkos::DefaultExecutionSpace;

/// smoke: do the programs still work (also on a host); quick: a first look; full: what is reported.
enum class Scale { smoke, quick, full };

struct Settings {
  Scale scale = Scale::full;
  double sample_seconds = 4e-3;  ///< a sample repeats its call until it lasts about as long: a fence is 0.2 % of it
  double case_seconds = 0.35;    ///< of one case, within the following numbers of rounds
  int least_rounds = 3;
  int most_rounds = 15;

  [[nodiscard]] bool full() const { return scale == Scale::full; }
  [[nodiscard]] bool smoke() const { return scale == Scale::smoke; }
};

/// \brief  Holds the settings and the one instance that everything is enqueued on; while Kokkos is initialised.
class Session {
 public:
  explicit Session(Settings const& settings);
  ~Session();
  Session(Session const&) = delete;
  Session& operator=(Session const&) = delete;
};

/// Those of the session.
Settings const& settings();
Exec const& instance();
/// The instance's stream as the vendor's libraries want it; null on hosts.
void* native_stream();

/// Enqueues a contestant's i-th call; operands that would fit in the cache are rotated by i.
using Call = std::function<void(std::int64_t i)>;

/// What is known of a result: an error text where it is wrong, else figures to be reported.
struct Verdict {
  std::string wrong;
  std::map<std::string, double> figures;
};
using Judge = std::function<Verdict()>;

/// \brief  One case: the contestants are timed in turns, and the medians of their rates are reported.
///
/// Each round starts with another contestant, so that none always finds the caches and clocks of the same predecessor.
/// A contestant whose first result is wrong is reported with the error and loses its rate; the others go on. Pantile's
/// is judged after the last round too.
class Contest {
 public:
  /// \param  unit    of the rates, such as GFLOP/s
  /// \param  amount  what one call does, in that unit's numerator
  Contest(std::string unit, double amount) : m_unit(std::move(unit)), m_amount(amount) {}

  /// Spoil the results before each call that is judged, so that the verdict on it is its own.
  void before_judged_call(std::function<void()> reset) { m_reset = std::move(reset); }
  /// What `explain` says of Pantile's call.
  void plan(std::string text) { m_plan = std::move(text); }

  void own(Call call, Judge judge) { add("pantile", std::move(call), std::move(judge), m_amount); }
  void peer(std::string const& name, Call call, Judge judge) {
    add("peer:" + name, std::move(call), std::move(judge), m_amount);
  }
  /// A limit of the machine, with an amount of its own; it leaves no result to judge.
  void bound(std::string const& name, Call call, double amount) {
    add("bound:" + name, std::move(call), nullptr, amount);
  }

  /// Times everything; the case as one line of JSON.
  std::string run(std::string const& name);

 private:
  struct Contestant {
    std::string name;
    Call call;
    Judge judge;
    double amount;
    std::string wrong{};
    std::int64_t calls = 1;
    std::vector<double> seconds{};  ///< per call, one for each round
  };

  void add(std::string name, Call call, Judge judge, double amount) {
    m_contestants.push_back({std::move(name), std::move(call), std::move(judge), amount});
  }
  static double sample(Contestant const& contestant);
  static double calibrate(Contestant& contestant);
  void judge(Contestant& contestant);

  std::string m_unit, m_plan;
  double m_amount;
  std::function<void()> m_reset;
  std::vector<Contestant> m_contestants;
  std::map<std::string, double> m_figures;
};

/// One case of the program; its body makes operands, fills the contest and returns what Contest::run gives.
struct Case {
  std::string name;
  std::function<std::string(std::string const& name)> body;
};

/// The cases of the program's parts, in the order of their importance.
std::vector<Case>& cases();
inline void add_case(std::string name, std::function<std::string(std::string const&)> body) {
  cases().push_back({std::move(name), std::move(body)});
}

void add_matmul_cases();
void add_matmul_form_cases();
void add_low_precision_matmul_cases();
void add_ladder_cases();
void add_transpose_cases();
void add_add_cases();
void add_histogram_cases();

/// A string as JSON spells it, with its quotes.
std::string json_text(std::string const& text);

}  // namespace pantile::perf::gpu

// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  Pantile, its peers and the machine's bounds taking turns in one process, on a host or a device.

#include <support/json.hpp>
#include <support/settings.hpp>

#include <Kokkos_Core.hpp>

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace pantile::perf {

using Host = Kokkos::DefaultHostExecutionSpace;
using Exec = Kokkos::DefaultExecutionSpace;
constexpr bool on_device = !std::is_same_v<Exec, Host>;

inline int host_threads() { return Host().concurrency(); }

/// Seconds that so many calls in a row take.
using Stopwatch = std::function<double(std::int64_t calls)>;

/// What is known of a result: an error text where it is wrong, else figures to be reported.
struct Verdict {
  std::string wrong{};
  std::map<std::string, double> figures{};
};
/// Judges the result of the last call.
using Judge = std::function<Verdict()>;

/// \brief  A stopwatch around `work()` or, with operands that take turns, `work(call)`, between fences of the instance.
///         The loop is compiled with the work: nothing is called through a pointer between the calls.
template <class Space, class Work>
Stopwatch timed(Space const& exec, Work work) {
  return [exec, work = std::move(work)](std::int64_t calls) mutable {
    exec.fence("pantile::perf: before");
    auto const begin = std::chrono::steady_clock::now();
    for (std::int64_t call = 0; call < calls; ++call) {
      if constexpr (std::is_invocable_v<Work&, std::int64_t>) {
        work(call);
      } else {
        work();
      }
    }
    exec.fence("pantile::perf: after");
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  };
}

/// \brief  One case: the contestants are timed in turns, and the medians of their rates are reported (of a bound, which
///         is what the machine can do at its best, the best), of Pantile those of all rounds too.
///
/// Every contestant works on the same operands. Each round starts with another one, so that none always finds the
/// caches and clocks of the same predecessor. A contestant whose first result is wrong is reported with the error and
/// loses its rate; the others go on. Pantile's is judged after the last round too.
class Contest {
 public:
  /// \param  unit    of the rates, such as GFLOP/s
  /// \param  amount  what one call does, in that unit's numerator
  Contest(std::string unit, double amount) : m_unit(std::move(unit)), m_amount(amount) {}

  /// Spoil the results before each call that is judged, so that the verdict on it is its own.
  void before_judged_call(std::function<void()> reset) { m_reset = std::move(reset); }
  /// What `explain` says of Pantile's call.
  void plan(std::string text) { m_plan = std::move(text); }

  void own(Stopwatch watch, Judge judge) { add(Kind::own, "pantile", std::move(watch), std::move(judge), m_amount); }
  void peer(std::string name, Stopwatch watch, Judge judge) {
    add(Kind::peer, std::move(name), std::move(watch), std::move(judge), m_amount);
  }
  /// A limit of the machine, with an amount of its own; it leaves no result to judge.
  void bound(std::string name, Stopwatch watch, double amount) {
    add(Kind::bound, std::move(name), std::move(watch), nullptr, amount);
  }
  /// A figure that is asked for after the last round.
  void figure(std::string name, std::function<double(Contest const&)> value) {
    m_asked.emplace_back(std::move(name), std::move(value));
  }

  /// Median seconds of a contestant's call; NaN where there is none.
  [[nodiscard]] double seconds(std::string const& name) const;

  /// Times everything; what is known of the case.
  JsonObject run(std::string const& name, Settings const& settings);

 private:
  enum class Kind { own, peer, bound };
  struct Contestant {
    Kind kind;
    std::string name;
    Stopwatch watch;
    Judge judge;
    double amount;
    std::string wrong{};
    std::int64_t calls = 1;
    std::vector<double> seconds{};  ///< per call, one for each round
  };

  void add(Kind kind, std::string name, Stopwatch watch, Judge judge, double amount) {
    m_contestants.push_back({kind, std::move(name), std::move(watch), std::move(judge), amount});
  }
  double judged_call(Contestant& contestant);
  static std::vector<double> rates_of(Contestant const& contestant);
  [[nodiscard]] JsonObject report(std::string const& name, int rounds) const;

  std::string m_unit, m_plan;
  double m_amount;
  std::function<void()> m_reset;
  std::vector<Contestant> m_contestants;
  std::map<std::string, double> m_figures;
  std::vector<std::pair<std::string, std::function<double(Contest const&)>>> m_asked;
};

/// One case of the program, made when it is its turn.
struct Case {
  std::string name;
  std::function<Contest()> make;
  Settings settings;
};

/// What the parts of a program put together.
struct Program {
  std::vector<std::function<void()>> starters;
  Settings settings;
  std::vector<Case> cases;
  std::vector<std::string> shapes;  ///< of --shape, for the starter that takes them away
  JsonObject context;               ///< what a reader of the results must know to judge them
};
Program& program();

inline Settings const& settings() { return program().settings; }

inline void add_case(std::string name, std::function<Contest()> make, Settings const& how = settings()) {
  program().cases.push_back({std::move(name), std::move(make), how});
}

/// Have `add` register cases and context once the settings are known; for initialisers of namespace scope.
inline bool on_start(std::function<void()> add) {
  program().starters.push_back(std::move(add));
  return true;
}

}  // namespace pantile::perf

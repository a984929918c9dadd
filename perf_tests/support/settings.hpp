// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  How thorough a run is, and the cases of a program, which depend on it.

#include <functional>

namespace pantile::perf {

/// smoke: do the programs still work; quick: a first look; full: what is reported.
enum class Scale { smoke, quick, full };

struct Settings {
  Scale scale = Scale::full;
  double sample_seconds = 2e-3;  ///< a sample repeats its call until it lasts about as long
  double budget_seconds = 0.8;   ///< of one case, within the following numbers of rounds
  int least_rounds = 3;
  int most_rounds = 15;

  [[nodiscard]] bool full() const { return scale == Scale::full; }
  [[nodiscard]] bool smoke() const { return scale == Scale::smoke; }
};

/// Those that main() read from the command line (`--scale=smoke|quick|full`).
Settings const& settings();

/// Have `add` register a program's cases once the settings are known; for initialisers of namespace scope.
bool on_start(std::function<void()> add);

}  // namespace pantile::perf

// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  How thorough a run is.

#include <limits>

namespace pantile::perf {

/// smoke: do the programs still work; quick: a first look; full: what is reported.
enum class Scale { smoke, quick, full };

struct Settings {
  Scale scale = Scale::full;
  double sample_seconds = 2e-3;  ///< a sample repeats its call until it lasts about as long
  double case_seconds = 0.8;     ///< of one case, within the following numbers of rounds
  int least_rounds = 3;
  int most_rounds = 15;
  double long_call = 0.2;  ///< a first call, which pays for threads, pages and buffers, counts above so many seconds
  int drawn = 1024;        ///< elements of a product that are computed anew in double

  [[nodiscard]] bool full() const { return scale == Scale::full; }
  [[nodiscard]] bool smoke() const { return scale == Scale::smoke; }
};

/// \brief  Those of hosts and of devices, where a fence is 0.2 % of a sample, a first call loads machine code, however
///         long that takes, and a check has many threads.
inline Settings settings_for(Scale scale, bool device) {
  if (scale == Scale::smoke) return {scale, 0, 0, 1, 1, 0, 64};
  Settings chosen{.scale = scale};
  if (device) {
    chosen.sample_seconds = 4e-3;
    chosen.case_seconds = 0.35;
    chosen.long_call = std::numeric_limits<double>::infinity();
    chosen.drawn = 4096;
  }
  if (scale == Scale::quick) {
    chosen.case_seconds = device ? 0.12 : 0.2;
    chosen.most_rounds = 7;
  }
  return chosen;
}

}  // namespace pantile::perf

// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  What is said of work that goes on: the part that is done, and how long the rest may take.

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <string>
#include <utility>

namespace pantile::driver {

class ProgressText {
 public:
  using Clock = std::chrono::steady_clock;

  explicit ProgressText(std::string what) : m_what(std::move(what)) {}

  /// From a second after the first call on with an estimate, by what was done since that call: a run that is resumed
  /// begins with what is done.
  std::string at(Clock::time_point now, std::uint64_t done, std::uint64_t total) {
    double const part = total == 0 ? 1.0 : static_cast<double>(done) / static_cast<double>(total);
    if (m_begin < 0) {
      m_begin = part;
      m_start = now;
    }
    double const seconds = std::chrono::duration<double>(now - m_start).count();
    char text[64];
    int length = std::snprintf(text, sizeof text, ": %.0f %%", 100 * part);
    if (seconds >= 1 && part > m_begin && done < total) {
      length += std::snprintf(text + length, sizeof text - static_cast<std::size_t>(length), ", about %.0f s left",
                              seconds * (1 - part) / (part - m_begin));
    }
    return m_what + std::string(text, static_cast<std::size_t>(length));
  }

 private:
  std::string m_what;
  double m_begin = -1;
  Clock::time_point m_start{};
};

}  // namespace pantile::driver

// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <cstdint>
#include <functional>

namespace pantile::driver {

/// Called about every 64 MiB and once at the end, where done == total. In bytes: of the array, or of the
/// text where text is read. It may throw to stop the work: a reader then frees its memory, a writer leaves
/// no file.
using Progress = std::function<void(std::uint64_t done, std::uint64_t total)>;

/// Counts bytes and calls a Progress at the promised distance.
class ProgressMeter {
 public:
  static constexpr std::uint64_t step = std::uint64_t{64} << 20;

  ProgressMeter(Progress const& progress, std::uint64_t total) : m_progress(progress), m_total(total) {}

  void advance(std::uint64_t bytes) {
    m_done += bytes;
    if (m_done - m_reported < step || m_done >= m_total) return;
    m_reported = m_done;
    if (m_progress) m_progress(m_done, m_total);
  }

  void finish() const {
    if (m_progress) m_progress(m_total, m_total);
  }

 private:
  Progress const& m_progress;
  std::uint64_t m_total;
  std::uint64_t m_done = 0;
  std::uint64_t m_reported = 0;
};

}  // namespace pantile::driver

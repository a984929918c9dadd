// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "arguments.hpp"
#include "io/progress.hpp"
#include "report.hpp"

#include <filesystem>
#include <string>
#include <string_view>

namespace pantile::driver {

/// \brief  One run of the program: Kokkos from the moment that it is needed until the end, progress, and the report.
class Session {
 public:
  explicit Session(CommonArguments const& common);
  ~Session();
  Session(Session const&) = delete;
  Session& operator=(Session const&) = delete;

  [[nodiscard]] CommonArguments const& common() const { return m_common; }
  Report& report() { return m_report; }

  /// Initialises Kokkos with the threads that were asked for; prints and records the time. Files are read before, where
  /// a device computes their headers, so that what is wrong with them is said before anything is set up.
  void start_kokkos();

  /// Reports "`what` 43 %" on stderr while it is a terminal, or with --progress a line for each step; after a second
  /// also how long the rest will take. Keep the session alive while it is used.
  [[nodiscard]] Progress progress(std::string what) const;

  /// Refuses a --report that would overwrite this file, under whatever name.
  void require_not_report(std::filesystem::path const& path) const;

  /// Writes --report, where asked for.
  void write_report() const;

 private:
  void show_progress(std::string_view text, bool last) const;

  CommonArguments m_common;
  Report m_report;
  bool m_terminal = false;
  bool m_started = false;
  mutable bool m_line_open = false;
};

}  // namespace pantile::driver

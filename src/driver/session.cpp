// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "session.hpp"

#include "errors.hpp"
#include "io/file_error.hpp"
#include "io/file_stream.hpp"
#include "io/matrix_file.hpp"
#include "io/progress_text.hpp"
#include "version_text.hpp"

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <initializer_list>
#include <system_error>
#include <utility>

#include <unistd.h>

namespace pantile::driver {

namespace {

/// Kokkos' OpenMP backend takes its threads from here where nobody tells it a number. The first number of a list
/// counts; what is no number, OpenMP ignores itself.
void require_few_openmp_threads() {
  char const* const variable = std::getenv("OMP_NUM_THREADS");
  if (variable == nullptr) return;
  std::string_view text(variable);
  text.remove_prefix(std::min(text.find_first_not_of(" \t"), text.size()));
  long long value = 0;
  auto const parsed = std::from_chars(text.data(), text.data() + text.size(), value);
  if (parsed.ec != std::errc::result_out_of_range && value <= most_threads) return;
  throw InputError("the environment variable OMP_NUM_THREADS must not be more than " + std::to_string(most_threads) +
                   ", it is " + in_quotes(variable));
}

/// Refuses a variable that is there and has none of these values, which are lower case.
void require_word(char const* name, std::initializer_list<std::string_view> words, bool any_case) {
  char const* const text = std::getenv(name);
  if (text == nullptr) return;
  auto const same = [any_case](char a, char b) {
    return a == b || (any_case && std::tolower(static_cast<unsigned char>(a)) == b);
  };
  std::string all;
  for (std::string_view const word : words) {
    if (std::ranges::equal(std::string_view(text), word, same)) return;
    all += (all.empty() ? "" : ", ") + std::string(word);
  }
  throw InputError("the environment variable " + std::string(name) + " must be one of " + all + ", not " +
                   in_quotes(text));
}

/// Kokkos aborts on a variable that it cannot parse; a user of this program gets a sentence.
void require_good_environment() {
  require_few_openmp_threads();
  for (char const* const name : {"KOKKOS_DISABLE_WARNINGS", "KOKKOS_PRINT_CONFIGURATION", "KOKKOS_TUNE_INTERNALS"}) {
    require_word(name, {"yes", "true", "1", "no", "false", "0"}, true);
  }
  require_word("KOKKOS_MAP_DEVICE_ID_BY", {"mpi_rank", "random"}, false);
  struct Rule {
    char const* name;
    int least, most;
  };
  for (auto const& [name, least, most] :
       {Rule{"KOKKOS_NUM_THREADS", 1, most_threads}, Rule{"KOKKOS_DEVICE_ID", 0, INT_MAX}}) {
    char const* const text = std::getenv(name);
    if (text == nullptr) continue;
    char const* const end = text + std::strlen(text);
    int value = 0;
    auto const parsed = std::from_chars(text, end, value);
    if (parsed.ec == std::errc{} && parsed.ptr == end && value >= least && value <= most) continue;
    throw InputError("the environment variable " + std::string(name) + " must be a whole number from " +
                     std::to_string(least) + " to " + std::to_string(most) + ", not " + in_quotes(text));
  }
}

}  // namespace

Session::Session(CommonArguments const& common)
    : m_common(common),
      m_report(is_standard_stream(common.report) || is_standard_stream(common.output) ? stderr : stdout),
      m_terminal(::isatty(STDERR_FILENO) == 1) {
  if (!common.report.empty()) require_writable(common.report);
  m_report.set("pantile", version_text(header_version));
}

Session::~Session() {
  if (m_line_open) std::fputs("\r\033[K", stderr);
  if (m_started) Kokkos::finalize();
}

void Session::start_kokkos() {
  if (m_started) return;
  require_good_environment();
  // Kokkos' warnings (threads that are not bound) are for its own users; ours reads the times and `pantile info`.
  auto settings = Kokkos::InitializationSettings().set_disable_warnings(true);
  if (m_common.threads > 0) settings.set_num_threads(m_common.threads);
  Kokkos::Timer const timer;
  Kokkos::initialize(settings);
  m_started = true;
  double const seconds = timer.seconds();

  Kokkos::DefaultExecutionSpace const exec;
  std::string const machine = std::string(exec.name()) + ", concurrency " + std::to_string(exec.concurrency());
  m_report.set("kokkos.space", exec.name());
  m_report.set("kokkos.concurrency", exec.concurrency());
  m_report.set("time.set_up", seconds);
  m_report.line("set-up", format_seconds(seconds) + " (" + machine + ")");
}

Progress Session::progress(std::string what) const {
  if (!m_terminal && !m_common.progress) return {};
  return [this, text = ProgressText(std::move(what))](std::uint64_t done, std::uint64_t total) mutable {
    show_progress(text.at(ProgressText::Clock::now(), done, total), done >= total);
  };
}

void Session::show_progress(std::string_view text, bool last) const {
  int const length = static_cast<int>(text.size());
  if (!m_terminal) {
    std::fprintf(stderr, "%.*s\n", length, text.data());
  } else if (last) {
    // Work that was over at once shows nothing at all.
    if (m_line_open) std::fputs("\r\033[K", stderr);
    m_line_open = false;
  } else {
    std::fprintf(stderr, "\r\033[K%.*s", length, text.data());
    m_line_open = true;
  }
  std::fflush(stderr);
}

void Session::require_not_report(std::filesystem::path const& path) const {
  if (m_common.report.empty() || is_standard_stream(m_common.report)) return;
  if (!is_same_file(m_common.report, file_of(path))) return;
  throw InputError("--report must name neither an operand nor the output: " + path_in_quotes(path));
}

void Session::write_report() const {
  if (!m_common.report.empty()) m_report.write_json(m_common.report);
}

}  // namespace pantile::driver

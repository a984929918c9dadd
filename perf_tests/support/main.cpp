// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file  Runs a program's contests: a line of JSON for each case as soon as it is known, after {"begin": its name}.
///
/// A case that throws is reported and the next one begins. A fault of a device ends the process: whoever started it
/// reads the last line begun and starts it again with --after=NAME.
#include <support/contest.hpp>
#include <support/number.hpp>

#include <pantile/version.hpp>

#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <ctime>
#include <exception>
#include <fstream>
#include <iostream>
#include <regex>
#include <sstream>
#include <stdexcept>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

namespace pantile::perf {

namespace {

struct Arguments {
  Scale scale = Scale::full;
  std::string filter = ".", out, after;
  double seconds = 1e9;
  std::vector<std::string> shapes;
  bool list = false;
};

constexpr char const* usage =
    "options: [--scale=smoke|quick|full] [--filter=REGEX] [--out=FILE] [--seconds=N] [--after=CASE] [--list]\n"
    "         [--shape=ELEMENT/MxNxK]...\n"
    "\nEach case is a line of JSON at the end of FILE (else on standard output). After N seconds no other case "
    "begins.\n"
    "With --after, only the cases behind CASE. With --shape (perf_matmul), such products and no other case:\n"
    "--shape=double/12x200x50000.";

Scale scale_named(std::string const& name) {
  if (name == "smoke") return Scale::smoke;
  if (name == "quick") return Scale::quick;
  if (name == "full") return Scale::full;
  throw std::invalid_argument("--scale must be smoke, quick or full");
}

std::string regex_of(std::string const& text) try {
  (void)std::regex(text);
  return text;
} catch (std::regex_error const& error) {
  throw std::invalid_argument("--filter='" + text + "' is no regular expression: " + error.what());
}

Arguments read_arguments(int argc, char** argv) {
  Arguments arguments;
  for (int i = 1; i < argc; ++i) {
    std::string const word = argv[i];
    std::string const key = word.substr(0, word.find('='));
    std::string const value = key.size() < word.size() ? word.substr(key.size() + 1) : "";
    if (key == "--scale") {
      arguments.scale = scale_named(value);
    } else if (key == "--filter") {
      arguments.filter = regex_of(value);
    } else if (key == "--out") {
      arguments.out = value;
    } else if (key == "--after") {
      arguments.after = value;
    } else if (key == "--seconds") {
      arguments.seconds = number(value, 0.0, "--seconds");
    } else if (key == "--shape") {
      arguments.shapes.push_back(value);
    } else if (key == "--list") {
      arguments.list = true;
    } else if (!key.starts_with("--kokkos-")) {
      throw std::invalid_argument("unknown option " + word + "\n" + usage);
    }
  }
  return arguments;
}

/// The processors that the calling thread may run on, such as 0-3,8.
std::string own_processors() {
  std::ostringstream text;
#if defined(__linux__)
  cpu_set_t set;
  CPU_ZERO(&set);
  if (sched_getaffinity(0, sizeof set, &set) != 0) return "unknown";
  for (int first = 0; first < CPU_SETSIZE; ++first) {
    if (!CPU_ISSET(first, &set)) continue;
    int last = first;
    while (last + 1 < CPU_SETSIZE && CPU_ISSET(last + 1, &set)) ++last;
    text << (text.str().empty() ? "" : ",") << first;
    if (last > first) text << '-' << last;
    first = last;
  }
#endif
  return text.str();
}

/// Those of each host thread, or once what all may run on.
std::string affinity() {
  std::vector<std::string> of_thread(static_cast<std::size_t>(host_threads()));
  std::string* const texts = of_thread.data();
  Kokkos::parallel_for("pantile::perf::affinity", Kokkos::RangePolicy<Host>(0, host_threads()),
                       [=](int thread) { texts[thread] = own_processors(); });
  if (std::equal(of_thread.begin() + 1, of_thread.end(), of_thread.begin())) return of_thread.front();
  std::string all;
  for (std::string const& one : of_thread) all += (all.empty() ? "" : "; ") + one;
  return all;
}

/// What every reader needs to judge the figures.
void add_context(JsonObject& context) {
  std::array<char, 32> date{};
  std::time_t const now = std::time(nullptr);
  std::strftime(date.data(), date.size(), "%Y-%m-%dT%H:%M:%SZ", std::gmtime(&now));
  context.add("date", date.data());
  double load = 0;
  if (getloadavg(&load, 1) == 1) context.add("load_avg", load);
#if defined(_SC_LEVEL1_DCACHE_SIZE)
  JsonObject caches;
  caches.add("L1d", static_cast<double>(sysconf(_SC_LEVEL1_DCACHE_SIZE)));
  caches.add("L2", static_cast<double>(sysconf(_SC_LEVEL2_CACHE_SIZE)));
  caches.add("L3", static_cast<double>(sysconf(_SC_LEVEL3_CACHE_SIZE)));
  context.add("caches", caches);
#endif
  std::ostringstream version, configuration;
  version << header_version.major << '.' << header_version.minor << '.' << header_version.patch;
  Kokkos::print_configuration(configuration);
  context.add("pantile_version", version.str());
  context.add("kokkos_version", KOKKOS_VERSION);
  context.add("space", Exec::name());
  context.add("concurrency", Exec().concurrency());
  context.add("host_concurrency", host_threads());
  context.add("team_scratch", Kokkos::TeamPolicy<Exec>::scratch_size_max(0));
  context.add("kokkos_configuration", configuration.str());
  context.add("compiler", PANTILE_PERF_COMPILER);
  context.add("flags", PANTILE_PERF_FLAGS);
  context.add("affinity", affinity());
}

/// Where the lines go. A disk that is full ends the program: a file that lacks cases must not look whole.
class Lines {
 public:
  explicit Lines(std::string name) : m_name(std::move(name)) {
    if (m_name.empty()) return;
    m_file.open(m_name, std::ios::app);
    require(m_file);
  }
  void say(std::string const& line) {
    std::ostream& out = m_name.empty() ? std::cout : m_file;
    out << line << std::endl;
    require(out);
  }

 private:
  void require(std::ostream const& out) const {
    if (out) return;
    throw std::runtime_error("cannot write " + (m_name.empty() ? "the standard output" : m_name) + ": " +
                             std::generic_category().message(errno));
  }

  std::string m_name;
  std::ofstream m_file;
};

void run_cases(Arguments const& arguments, Lines& lines) {
  std::regex const wanted(arguments.filter);
  auto const begin = std::chrono::steady_clock::now();
  auto const seconds_since = [](auto then) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - then).count();
  };
  bool reached = arguments.after.empty();
  for (Case const& one : program().cases) {
    bool const chosen = reached && std::regex_search(one.name, wanted);
    reached = reached || one.name == arguments.after;
    if (!chosen) continue;
    JsonObject line;
    line.add("case", one.name);
    if (seconds_since(begin) > arguments.seconds) {
      line.add("skipped", "no time was left");
      lines.say(line.text());
      continue;
    }
    lines.say("{\"begin\": " + json_text(one.name) + "}");
    auto const now = std::chrono::steady_clock::now();
    try {
      line = one.make().run(one.name, one.settings);
    } catch (std::exception const& error) {
      line.add("error", error.what());
    }
    line.add("seconds", seconds_since(now));
    lines.say(line.text());
  }
}

int run(Arguments const& arguments) {
  program().settings = settings_for(arguments.scale, on_device);
  add_context(program().context);
  program().shapes = arguments.shapes;
  for (auto const& start : program().starters) start();
  if (!program().shapes.empty()) throw std::invalid_argument("this program takes no --shape");
  if (arguments.list) {
    for (Case const& one : program().cases) std::cout << one.name << '\n';
    return 0;
  }
  Lines lines(arguments.out);
  JsonObject head;
  head.add("context", program().context);
  lines.say(head.text());
  run_cases(arguments, lines);
  return 0;
}

}  // namespace

}  // namespace pantile::perf

int main(int argc, char** argv) try {
  auto const arguments = pantile::perf::read_arguments(argc, argv);
  Kokkos::ScopeGuard const kokkos(argc, argv);
  return pantile::perf::run(arguments);
} catch (std::exception const& error) {
  std::cerr << argv[0] << ": " << error.what() << '\n';
  return 1;
}

// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <concepts>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace pantile::driver {

using ReportValue = std::variant<bool, std::int64_t, double, std::string>;

/// Named values, in order. A name with a dot, "time.read", is a value inside an object of the JSON file.
class Fields {
 public:
  void set(std::string_view name, ReportValue value) { m_values.emplace_back(name, std::move(value)); }
  void set(std::string_view name, char const* value) { set(name, ReportValue(std::string(value))); }
  template <std::integral T>
    requires(!std::same_as<T, bool>)
  void set(std::string_view name, T value) {
    set(name, ReportValue(static_cast<std::int64_t>(value)));
  }

  [[nodiscard]] std::vector<std::pair<std::string, ReportValue>> const& values() const { return m_values; }

 private:
  std::vector<std::pair<std::string, ReportValue>> m_values;
};

/// \brief  What a run found out. Lines are printed at once; values are kept for --report.
class Report : public Fields {
 public:
  explicit Report(std::FILE* text) : m_text(text) {}

  /// Prints "  key   text", keys aligned.
  void line(std::string_view key, std::string_view text) const;

  /// Where lines are printed.
  [[nodiscard]] std::FILE* text() const { return m_text; }

  /// A new entry of the list `rungs` of the JSON file.
  Fields& add_rung() { return m_rungs.emplace_back(); }

  /// Writes the JSON file, whole or not at all, or to the standard output. Throws FileError.
  void write_json(std::filesystem::path const& path) const;

 private:
  std::FILE* m_text;
  std::vector<Fields> m_rungs;
};

/// "1.23 ms"
std::string format_seconds(double seconds);

/// "45.6 GFLOP/s": value / 1e9, with a unit.
std::string format_giga(double value, std::string_view unit);

}  // namespace pantile::driver

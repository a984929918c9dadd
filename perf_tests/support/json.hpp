// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  What lines of results are written with.

#include <cmath>
#include <cstdio>
#include <string>

namespace pantile::perf {

/// A string as JSON spells it, with its quotes.
inline std::string json_text(std::string const& text) {
  std::string result = "\"";
  for (char const c : text) {
    if (c == '"' || c == '\\') result += '\\';
    if (static_cast<unsigned char>(c) >= 0x20) {
      result += c;
    } else {
      result += c == '\n' ? "\\n" : " ";
    }
  }
  return result + '"';
}

/// An object on one line; its members stand in the order in which they are added.
class JsonObject {
 public:
  void add(std::string const& key, std::string const& text) { put(key, json_text(text)); }
  void add(std::string const& key, JsonObject const& object) { put(key, object.text()); }
  /// JSON knows neither NaN nor infinities.
  void add(std::string const& key, double number) {
    char digits[32];
    std::snprintf(digits, sizeof digits, "%.10g", number);
    put(key, std::isfinite(number) ? digits : "null");
  }
  [[nodiscard]] std::string text() const { return "{" + m_members + "}"; }

 private:
  void put(std::string const& key, std::string const& value) {
    m_members += (m_members.empty() ? "" : ", ") + json_text(key) + ": " + value;
  }

  std::string m_members;
};

}  // namespace pantile::perf

// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  What lines of results are written with.

#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

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

/// JSON knows neither NaN nor infinities.
inline std::string json_number(double number, int digits) {
  char text[32];
  std::snprintf(text, sizeof text, "%.*g", digits, number);
  return std::isfinite(number) ? text : "null";
}

/// An object on one line; its members stand in the order in which they are added.
class JsonObject {
 public:
  void add(std::string const& key, std::string const& text) { put(key, json_text(text)); }
  void add(std::string const& key, JsonObject const& object) { put(key, object.text()); }
  void add(std::string const& key, double number) { put(key, json_number(number, 10)); }
  /// To five digits each.
  void add(std::string const& key, std::vector<double> const& numbers) {
    std::string list;
    for (double const number : numbers) list += (list.empty() ? "" : ", ") + json_number(number, 5);
    put(key, "[" + list + "]");
  }
  void add(std::string const& key, std::vector<JsonObject> const& objects) {
    std::string list;
    for (JsonObject const& object : objects) list += (list.empty() ? "" : ", ") + object.text();
    put(key, "[" + list + "]");
  }
  [[nodiscard]] std::string text() const { return "{" + m_members + "}"; }

 private:
  void put(std::string const& key, std::string const& value) {
    m_members += (m_members.empty() ? "" : ", ") + json_text(key) + ": " + value;
  }

  std::string m_members;
};

}  // namespace pantile::perf

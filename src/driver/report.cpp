// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "report.hpp"

#include "io/file_stream.hpp"

#include <nlohmann/json.hpp>

namespace pantile::driver {

namespace {

nlohmann::ordered_json to_json(Fields const& fields) {
  nlohmann::ordered_json object = nlohmann::ordered_json::object();
  for (auto const& [name, value] : fields.values()) {
    nlohmann::ordered_json* place = &object;
    std::string_view rest = name;
    for (auto dot = rest.find('.'); dot != rest.npos; dot = rest.find('.')) {
      place = &(*place)[std::string(rest.substr(0, dot))];
      rest.remove_prefix(dot + 1);
    }
    std::visit([&](auto const& v) { (*place)[std::string(rest)] = v; }, value);
  }
  return object;
}

std::string format(char const* pattern, double value, std::string_view unit) {
  char text[64];
  std::snprintf(text, sizeof text, pattern, value, static_cast<int>(unit.size()), unit.data());
  return text;
}

}  // namespace

void Report::line(std::string_view key, std::string_view text) const {
  std::fprintf(m_text, "  %-12.*s %.*s\n", static_cast<int>(key.size()), key.data(), static_cast<int>(text.size()),
               text.data());
}

void Report::write_json(std::filesystem::path const& path) const {
  auto object = to_json(*this);
  if (!m_rungs.empty()) {
    auto& list = object["rungs"] = nlohmann::ordered_json::array();
    for (Fields const& rung : m_rungs) list.push_back(to_json(rung));
  }
  OutputFile file(path);
  // Paths may hold bytes that are no UTF-8; they are replaced rather than refused.
  file.write(object.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n");
  file.commit();
}

std::string format_seconds(double seconds) {
  if (seconds < 1e-3) return format("%.3g %.*s", seconds * 1e6, "us");
  if (seconds < 1) return format("%.3g %.*s", seconds * 1e3, "ms");
  return format("%.3f %.*s", seconds, "s");
}

std::string format_giga(double value, std::string_view unit) {
  value *= 1e-9;
  return format(value < 100 ? "%.3g %.*s" : "%.0f %.*s", value, unit);
}

}  // namespace pantile::driver

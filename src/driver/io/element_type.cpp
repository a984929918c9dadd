// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "io/element_type.hpp"

#include <algorithm>
#include <bit>
#include <charconv>
#include <system_error>
#include <vector>

#include "io/file_error.hpp"

namespace pantile::driver {

namespace {

constexpr bool table_follows_enum() {
  for (std::size_t i = 0; i < element_infos.size(); ++i) {
    if (static_cast<std::size_t>(element_infos[i].type) != i) return false;
  }
  return true;
}
static_assert(table_follows_enum());
static_assert(std::endian::native == std::endian::little || std::endian::native == std::endian::big,
              "pantile::driver: .npy files know only little and big byte order");

/// How many bytes the number in NumPy's code stands for: characters of a string have four.
std::size_t bytes_per_count(char kind) { return kind == 'U' ? 4 : 1; }

std::string count_text(ElementType const& type) {
  return std::to_string(type.size() / bytes_per_count(element_info(type).kind));
}

/// NumPy's units of time with a number in front, as in [ns] and [25s]; or none.
bool is_unit(std::string_view text) {
  constexpr std::array<std::string_view, 13> units{"Y",  "M",  "W",  "D",  "h",  "m", "s",
                                                   "ms", "us", "ns", "ps", "fs", "as"};
  if (text.empty()) return true;
  constexpr std::size_t longest_unit = 15;
  if (text.size() > longest_unit || !text.starts_with('[') || !text.ends_with(']')) return false;
  text = text.substr(1, text.size() - 2);
  text.remove_prefix(std::min(text.find_first_not_of("0123456789"), text.size()));
  return std::ranges::find(units, text) != units.end();
}

}  // namespace

std::string element_name(ElementType const& type) {
  ElementInfo const& info = element_info(type);
  std::string const name(info.name);
  return name + (info.size == 0 ? count_text(type) : type.words());
}

std::string npy_descr(ElementType const& type) {
  if (type == ElementType::record) return type.words();
  ElementInfo const& info = element_info(type);
  char const native = std::endian::native == std::endian::little ? '<' : '>';
  return std::string{info.component_size == 1 ? '|' : native, info.kind} + count_text(type) + type.words();
}

std::optional<ElementType> parse_npy_code(std::string_view code) {
  if (code.size() < 2 || code[1] == '0') return std::nullopt;
  std::uint32_t count = 0;
  auto const [end, error] = std::from_chars(code.data() + 1, code.data() + code.size(), count);
  std::string_view const unit(end, static_cast<std::size_t>(code.data() + code.size() - end));
  if (error != std::errc{}) return std::nullopt;
  std::size_t const size = bytes_per_count(code[0]) * count;
  for (ElementInfo const& info : element_infos) {
    if (info.kind != code[0] || (info.size != 0 && info.size != size)) continue;
    bool const timed = info.kind == 'M' || info.kind == 'm';
    if (!(timed ? is_unit(unit) : unit.empty())) return std::nullopt;
    return ElementType(info.type, size, std::string(unit));
  }
  return std::nullopt;
}

std::string element_names() {
  std::vector<std::string> names;
  for (ElementInfo const& info : element_infos) names.emplace_back(info.name);
  return joined(names, ", ");
}

}  // namespace pantile::driver

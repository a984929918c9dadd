// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <interpreter/ptx/text.hpp>

#include <cctype>
#include <charconv>

namespace pantile_interpreter::ptx {

namespace {

bool is_space(char letter) { return std::isspace(static_cast<unsigned char>(letter)) != 0; }

std::optional<std::uint64_t> digits(std::string_view text, int base) {
  std::uint64_t value = 0;
  auto const [stop, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  if (text.empty() || error != std::errc{} || stop != text.data() + text.size()) return std::nullopt;
  return value;
}

}  // namespace

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
  return text;
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> pieces;
  if (trimmed(text).empty()) return pieces;
  int depth = 0;
  std::size_t first = 0;
  for (std::size_t at = 0; at < text.size(); ++at) {
    char const letter = text[at];
    if (letter == '(' || letter == '[' || letter == '{') ++depth;
    if (letter == ')' || letter == ']' || letter == '}') --depth;
    if (letter == separator && depth == 0) {
      pieces.push_back(trimmed(text.substr(first, at - first)));
      first = at + 1;
    }
  }
  pieces.push_back(trimmed(text.substr(first)));
  return pieces;
}

std::vector<std::string_view> words(std::string_view text) {
  std::vector<std::string_view> found;
  std::size_t at = 0;
  while (at < text.size()) {
    while (at < text.size() && is_space(text[at])) ++at;
    std::size_t const first = at;
    while (at < text.size() && !is_space(text[at])) ++at;
    if (at > first) found.push_back(text.substr(first, at - first));
  }
  return found;
}

std::optional<std::uint64_t> number(std::string_view text) {
  bool const negative = text.size() > 1 && text.front() == '-';
  if (negative) text.remove_prefix(1);
  if (text.size() > 1 && text.back() == 'U') text.remove_suffix(1);
  if (text.empty() || std::isdigit(static_cast<unsigned char>(text.front())) == 0) return std::nullopt;
  std::optional<std::uint64_t> value;
  char const kind = text.size() > 2 && text.front() == '0' ? text[1] : ' ';
  switch (kind) {
    case 'x':
    case 'X':
    case 'f':
    case 'F':
    case 'd':
    case 'D': value = digits(text.substr(2), 16); break;
    case 'b':
    case 'B': value = digits(text.substr(2), 2); break;
    default: value = digits(text, text.size() > 1 && text.front() == '0' ? 8 : 10);
  }
  if (value && negative) value = std::uint64_t{0} - *value;
  return value;
}

std::string without_comments(std::string_view text) {
  std::string plain(text);
  for (std::size_t at = 0; at + 1 < plain.size(); ++at) {
    if (plain[at] != '/') continue;
    bool const line = plain[at + 1] == '/';
    if (!line && plain[at + 1] != '*') continue;
    std::size_t const found = line ? plain.find('\n', at) : plain.find("*/", at + 2);
    std::size_t const end = found == std::string::npos ? plain.size() : line ? found : found + 2;
    for (; at < end; ++at) {
      if (plain[at] != '\n') plain[at] = ' ';
    }
    --at;
  }
  return plain;
}

bool is_name_part(char letter) {
  return std::isalnum(static_cast<unsigned char>(letter)) != 0 || letter == '_' || letter == '$' || letter == '%';
}

}  // namespace pantile_interpreter::ptx

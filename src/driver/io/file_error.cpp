// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "io/file_error.hpp"

namespace pantile::driver {

namespace {

std::string escaped(std::string_view text, bool keep_high_bytes) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string result;
  for (char const c : text) {
    auto const byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte == 0x7f || (byte > 0x7f && !keep_high_bytes)) {
      result += "\\x";
      result += digits[byte >> 4];
      result += digits[byte & 15];
    } else {
      result += c;
    }
  }
  return result;
}

}  // namespace

std::string in_quotes(std::string_view text) {
  constexpr std::size_t longest = 60;
  return "'" + escaped(text.substr(0, longest), false) + (text.size() > longest ? "...'" : "'");
}

std::string path_in_quotes(std::filesystem::path const& path) {
  constexpr std::size_t longest = 400, kept = 60;
  std::string_view const name = path.native();
  if (name.size() <= longest) return "'" + escaped(name, true) + "'";
  // Not in the middle of a character of UTF-8.
  auto const continues = [&](std::size_t i) { return (static_cast<unsigned char>(name[i]) & 0xc0) == 0x80; };
  std::size_t head = kept, tail = name.size() - kept;
  while (head > 0 && continues(head)) --head;
  while (tail < name.size() && continues(tail)) ++tail;
  return "'" + escaped(name.substr(0, head), true) + "..." + escaped(name.substr(tail), true) + "'";
}

std::string joined(std::vector<std::string> const& words, std::string_view separator) {
  std::string text;
  for (std::string const& word : words) text.append(text.empty() ? "" : separator).append(word);
  return text;
}

}  // namespace pantile::driver

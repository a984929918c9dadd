// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  Arrays as NumPy 1 prints them (no exponents), so that output can be laid beside that of the source documents.

#include <algorithm>
#include <charconv>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace example {

template <class T>
constexpr std::string_view dtype_name() {
  if constexpr (std::same_as<T, std::int32_t>) return "int32";
  if constexpr (std::same_as<T, std::uint32_t>) return "uint32";
  if constexpr (std::same_as<T, float>) return "float32";
  return "";  // NumPy's own defaults, int64 and float64, are not named
}

/// One number; floating point with the fewest digits that give it back, eight decimals at most: 6 is "6.".
template <class T>
std::string format_number(T value) {
  char text[64];
  if constexpr (std::floating_point<T>) {
    auto end = std::to_chars(text, text + sizeof text, value, std::chars_format::fixed).ptr;
    auto const point = std::find(text, end, '.');
    if (end - point > 9) end = std::to_chars(text, text + sizeof text, value, std::chars_format::fixed, 8).ptr;
    std::string digits(text, end);
    if (digits.find('.') == std::string::npos) return digits + ".";
    digits.erase(digits.find_last_not_of('0') + 1);
    return digits;
  } else {
    return {text, std::to_chars(text, text + sizeof text, value).ptr};
  }
}

/// Lines of one array: NumPy breaks a row before the line would pass 75 characters.
class LineBreaker {
 public:
  LineBreaker(std::string indent, std::size_t width) : m_indent(std::move(indent)), m_width(width) {}

  void add(std::string const& word) {
    if (m_line.size() + word.size() > m_width && m_line.size() > m_indent.size()) {
      m_line.erase(m_line.find_last_not_of(' ') + 1);
      m_text += m_line + '\n';
      m_line = m_indent;
    }
    m_line += word;
  }
  void add_separator(std::string_view separator) { m_line += separator; }
  void begin_row() { m_line = m_indent; }
  std::string take_row() {
    std::string row = std::exchange(m_text, "") + m_line;
    return row.substr(m_indent.size());
  }

 private:
  std::string m_indent, m_text, m_line;
  std::size_t m_width;
};

/// \brief  rows x cols numbers behind `at(i, j)` as NumPy prints them: one width, decimal points below each other, and
///         of more than 1000 numbers only the three outermost rows and columns.
/// \param  vector  one row that is an array of rank 1
/// \param  repr    as a notebook shows the value, array([[..]], dtype=int32); otherwise as print() does
template <class T, class At>
std::string format_array(std::size_t rows, std::size_t cols, bool vector, bool repr, At const& at) {
  constexpr std::size_t edge = 3;
  auto const hidden = [large = rows * cols > 1000](std::size_t i, std::size_t n) {
    return large && n > 2 * edge && i >= edge && i < n - edge;
  };
  auto const point = [](std::string const& text) { return std::min(text.find('.'), text.size()); };
  std::size_t before = 0, after = 0;  // most characters before and after the decimal point
  for (std::size_t i = 0; i < rows; ++i) {
    if (hidden(i, rows)) continue;
    for (std::size_t j = 0; j < cols; ++j) {
      if (hidden(j, cols)) continue;
      std::string const text = format_number(T(at(i, j)));
      before = std::max(before, point(text));
      after = std::max(after, text.size() - point(text));
    }
  }
  std::string const comma = repr ? "," : "", outer((repr ? 6 : 0) + 1, ' ');
  LineBreaker lines(outer + (vector ? "" : " "), 74 - (repr ? 1 : 0) - (vector ? 0 : 1));
  std::string out = repr ? "array([" : "[";
  for (std::size_t i = 0; i < rows; ++i) {
    if (i > 0) out += outer;
    if (hidden(i, rows)) {
      out += "..." + comma + "\n" + outer;
      i = rows - edge;
    }
    lines.begin_row();
    for (std::size_t j = 0; j < cols; ++j) {
      if (hidden(j, cols)) {
        lines.add("...");
        lines.add_separator(comma + " ");
        j = cols - edge;
      }
      std::string text = format_number(T(at(i, j)));
      text.insert(0, before - point(text), ' ');
      text.resize(before + after, ' ');
      lines.add(text);
      if (j + 1 < cols) lines.add_separator(comma + " ");
    }
    out += vector ? lines.take_row() : "[" + lines.take_row() + "]";
    if (i + 1 < rows) out += comma + "\n";
  }
  out += "]";
  if (!repr) return out;
  if (dtype_name<T>().empty()) return out + ")";
  std::string const dtype = "dtype=" + std::string(dtype_name<T>()) + ")";
  std::size_t const last_line = out.size() - (out.rfind('\n') + 1) + 1;
  return out + (last_line + dtype.size() + 1 > 75 ? ",\n      " : ", ") + dtype;
}

}  // namespace example

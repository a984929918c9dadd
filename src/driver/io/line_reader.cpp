// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "io/line_reader.hpp"

#include <algorithm>
#include <span>

#include "io/file_error.hpp"

namespace pantile::driver {

namespace {

constexpr std::string_view blanks = " \t";
constexpr std::size_t buffer_size = std::size_t{1} << 20;
static_assert(LineReader::longest_line < buffer_size);

}  // namespace

LineReader::LineReader(InputFile& file, Progress const& progress)
    : m_file(file), m_meter(progress, file.size()), m_buffer(std::min<std::uint64_t>(buffer_size, file.remaining())) {}

void LineReader::refill() {
  std::copy(m_buffer.begin() + static_cast<std::ptrdiff_t>(m_begin),
            m_buffer.begin() + static_cast<std::ptrdiff_t>(m_end), m_buffer.begin());
  m_end -= m_begin;
  m_begin = 0;
  std::size_t const got = m_file.read_some(std::as_writable_bytes(std::span(m_buffer).subspan(m_end)));
  m_end += got;
  m_meter.advance(got);
}

bool LineReader::next(std::string_view& line) {
  if (m_end - m_begin <= longest_line && m_file.remaining() > 0) refill();
  if (m_begin == m_end) return false;
  ++m_number;
  std::string_view const ready(m_buffer.data() + m_begin, m_end - m_begin);
  std::size_t const newline = ready.substr(0, longest_line + 1).find('\n');
  std::size_t const length = std::min(newline, ready.size());
  if (length > longest_line) {
    fail_reading(m_file.path(), "line ", m_number, " is longer than ", longest_line, " bytes");
  }
  m_begin += std::min(length + 1, ready.size());
  line = ready.substr(0, length);
  if (line.ends_with('\r')) line.remove_suffix(1);
  return true;
}

bool LineReader::next_filled(std::string_view& line) {
  while (next(line)) {
    if (line.find_first_not_of(blanks) != std::string_view::npos) return true;
  }
  return false;
}

std::string_view take_word(std::string_view& line) {
  line.remove_prefix(std::min(line.find_first_not_of(blanks), line.size()));
  std::string_view const word = line.substr(0, line.find_first_of(blanks));
  line.remove_prefix(word.size());
  return word;
}

}  // namespace pantile::driver

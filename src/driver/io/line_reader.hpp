// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "io/file_stream.hpp"
#include "io/progress.hpp"

namespace pantile::driver {

/// The lines of a text file, one after the other, through a buffer of fixed size.
class LineReader {
 public:
  /// Longest line in bytes. Matrix Market allows 1024; comments in the wild are longer.
  static constexpr std::size_t longest_line = std::size_t{64} << 10;

  LineReader(InputFile& file, Progress const& progress);

  /// Moves to the next line, of which `line` is valid until the next call and holds no line end (\n or
  /// \r\n). False at the end of the file. Throws FileError for a line that is too long.
  bool next(std::string_view& line);

  /// Moves to the next line that is not blank.
  bool next_filled(std::string_view& line);

  /// The number of the line last given, from 1.
  std::uint64_t number() const { return m_number; }

  /// Bytes of the file that no call has given yet.
  std::uint64_t remaining() const { return m_file.remaining() + (m_end - m_begin); }

  void finish() const { m_meter.finish(); }

 private:
  void refill();

  InputFile& m_file;
  ProgressMeter m_meter;
  std::vector<char> m_buffer;
  std::size_t m_begin = 0;
  std::size_t m_end = 0;
  std::uint64_t m_number = 0;
};

/// Takes the next word, up to a space or tab, from the front of `line`; empty when none is left.
std::string_view take_word(std::string_view& line);

}  // namespace pantile::driver

// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file  Pieces of PTX text: what the parser and the decoder both need.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pantile_interpreter::ptx {

std::string_view trimmed(std::string_view text);

/// Split where `separator` stands outside of all brackets, each piece trimmed; no pieces for empty text.
std::vector<std::string_view> split(std::string_view text, char separator);

/// Split at white space.
std::vector<std::string_view> words(std::string_view text);

/// The bits of a number as PTX writes them: 12, -3, 0x1f, 017, 0b11, 7U, 0f3F800000, 0d3FF0000000000000.
std::optional<std::uint64_t> number(std::string_view text);

/// The same text with comments as blanks, so that lines keep their numbers.
std::string without_comments(std::string_view text);

/// May this be a part of a name? `%` and `$` may.
bool is_name_part(char letter);

}  // namespace pantile_interpreter::ptx

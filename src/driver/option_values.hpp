// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  What the texts of options mean: numbers, tiles, launches and bins. All throw UsageError.

#include "errors.hpp"
#include "io/file_error.hpp"

#include <pantile/policy.hpp>

#include <charconv>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

namespace pantile::driver {

template <class Number>
std::string range_text(Number least, Number most) {
  return std::to_string(least) + " to " + std::to_string(most);
}

/// A whole number; nothing where the text is none. Throws UsageError outside the range.
template <class Number>
std::optional<Number> parse_number(std::string_view text, Number least, Number most) {
  Number number = 0;
  auto const [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error == std::errc::invalid_argument || end != text.data() + text.size()) return std::nullopt;
  if (error == std::errc{} && number >= least && number <= most) return number;
  throw UsageError(in_quotes(text) + " is not from " + range_text(least, most));
}

/// 512M: bytes, or with K, M, G or T that power of 1024, at least one.
std::uint64_t parse_bytes(std::string const& text);
/// 20 for all three edges, or 64x64x16.
MatmulTile parse_matmul_tile(std::string const& text);
/// 64x4
Extent2 parse_extent(std::string const& text);
/// 256 or 16x16
std::vector<std::int64_t> parse_bins(std::string const& text);
/// 50x50,32x32
LaunchShape parse_launch(std::string const& text);

}  // namespace pantile::driver

// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "option_values.hpp"

#include <limits>

namespace pantile::driver {

namespace {

/// An option's text and what it should look like.
struct Given {
  std::string const& text;
  char const* form;

  [[noreturn]] void refuse() const { throw UsageError(in_quotes(text) + " is not of the form " + form); }
};

/// Whole numbers of at least `least` between x's, as in 16x8, from a part of what was given. Throws UsageError.
template <class Number>
std::vector<Number> parse_edges(Given const& given, std::string_view part, Number least) {
  std::vector<Number> edges;
  while (true) {
    std::string_view const word = part.substr(0, part.find('x'));
    auto const edge = parse_number<Number>(word, least, std::numeric_limits<Number>::max());
    if (!edge) given.refuse();
    edges.push_back(*edge);
    if (word.size() == part.size()) return edges;
    part.remove_prefix(word.size() + 1);
  }
}

}  // namespace

std::uint64_t parse_bytes(std::string const& text) {
  constexpr std::string_view units = "KMGT";
  Given const given{text, "1000000, 512M or 2G (bytes; K, M, G and T are powers of 1024)"};
  std::string_view digits = text;
  auto const unit = digits.empty() ? units.npos : units.find(digits.back());
  if (unit != units.npos) digits.remove_suffix(1);
  int const shift = unit == units.npos ? 0 : 10 * (static_cast<int>(unit) + 1);
  auto const number = parse_number<std::uint64_t>(digits, 1, (std::uint64_t{1} << 63) >> shift);
  if (!number) given.refuse();
  return *number << shift;
}

MatmulTile parse_matmul_tile(std::string const& text) {
  Given const given{text, "20 or 64x64x16 (rows x columns x depth)"};
  auto const edges = parse_edges<int>(given, text, 1);
  if (edges.size() == 1) return {edges[0], edges[0], edges[0]};
  if (edges.size() != 3) given.refuse();
  return {edges[0], edges[1], edges[2]};
}

Extent2 parse_extent(std::string const& text) {
  Given const given{text, "64x4"};
  auto const edges = parse_edges<int>(given, text, 1);
  if (edges.size() != 2) given.refuse();
  return {edges[0], edges[1]};
}

std::vector<std::int64_t> parse_bins(std::string const& text) {
  auto bins = parse_edges<std::int64_t>({text, "256 or 16x16"}, text, 0);
  if (bins.size() > 2) throw UsageError(in_quotes(text) + " has more than two dimensions");
  return bins;
}

LaunchShape parse_launch(std::string const& text) {
  Given const given{text, "GXxGY,BXxBY (blocks and threads, columns first)"};
  auto const comma = text.find(',');
  if (comma == text.npos) given.refuse();
  std::string_view const both = text;
  auto const grid = parse_edges<int>(given, both.substr(0, comma), 1);
  auto const block = parse_edges<int>(given, both.substr(comma + 1), 1);
  if (grid.size() != 2 || block.size() != 2) given.refuse();
  return {{grid[0], grid[1]}, {block[0], block[1]}};
}

}  // namespace pantile::driver

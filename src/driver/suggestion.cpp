// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "command_table.hpp"
#include "io/file_error.hpp"

#include <algorithm>
#include <cstddef>

namespace pantile::driver {

namespace {

/// Letters replaced, left out, added, or swapped with the next one: the restricted distance of Damerau (Comm. ACM 7,
/// 1964).
std::size_t distance(std::string_view a, std::string_view b) {
  // Rows of the table of distances between beginnings: of a to two letters less, to one less, and to all so far.
  std::vector<std::size_t> before(b.size() + 1), last(b.size() + 1), now(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) now[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    before.swap(last);
    last.swap(now);
    now[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      std::size_t const replaced = last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      now[j] = std::min({replaced, last[j] + 1, now[j - 1] + 1});
      bool const swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) now[j] = std::min(now[j], before[j - 2] + 1);
    }
  }
  return now[b.size()];
}

}  // namespace

std::string suggestion(std::string_view given, std::vector<std::string> const& words) {
  std::size_t nearest = std::max<std::size_t>(1, given.size() / 3) + 1;
  std::string_view best;
  for (std::string_view const word : words) {
    bool const begun = given.size() >= 3 && word.starts_with(given);
    std::size_t const away = begun ? 1 : distance(given, word);
    if (away >= nearest || away >= word.size()) continue;
    nearest = away;
    best = word;
  }
  return best.empty() ? "" : "; did you mean " + in_quotes(best) + "?";
}

}  // namespace pantile::driver

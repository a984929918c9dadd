// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  Medians and their like of a few samples.

#include <algorithm>
#include <cstddef>
#include <vector>

namespace pantile::perf {

/// The value below which this share of the values lies, on the line between the two nearest; there is at least one.
inline double quantile(std::vector<double> values, double share) {
  std::sort(values.begin(), values.end());
  double const place = share * static_cast<double>(values.size() - 1);
  auto const low = static_cast<std::size_t>(place);
  std::size_t const high = std::min(low + 1, values.size() - 1);
  return values[low] + (place - static_cast<double>(low)) * (values[high] - values[low]);
}

}  // namespace pantile::perf

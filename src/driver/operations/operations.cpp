// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "operations/operations.hpp"
#include "operations/device_array.hpp"

#include <pantile/impl/kokkos_ext/device_handles.hpp>

#include <algorithm>

namespace pantile::driver {

double Measurement::second_run() const {
  if (later_runs.empty()) return first_run;
  std::vector<double> sorted = later_runs;
  std::sort(sorted.begin(), sorted.end());
  std::size_t const middle = sorted.size() / 2;
  return sorted.size() % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

bool const computes_on_device = !AccessibleFrom<HostBytes<std::byte>, Exec>;

std::optional<std::uint64_t> free_device_memory() { return impl::kokkos_ext::free_device_memory<Exec>(); }

std::string common_element_names() {
  std::string names;
  for (ElementType::Id const type : common_elements) {
    if (!names.empty()) names += type == common_elements.back() ? " and " : ", ";
    names += element_name(type);
  }
  return names;
}

}  // namespace pantile::driver

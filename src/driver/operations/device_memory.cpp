// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "operations/device_array.hpp"
#include "operations/operations.hpp"

#include <pantile/impl/kokkos_ext/device_memory.hpp>

namespace pantile::driver {

bool const computes_on_device = !AccessibleFrom<HostBytes<std::byte>, Exec>;

std::optional<std::uint64_t> free_device_memory() { return impl::kokkos_ext::free_device_memory<Exec>(); }

}  // namespace pantile::driver

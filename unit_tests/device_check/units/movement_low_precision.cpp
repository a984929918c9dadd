// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file  Elements of one and two bytes as devices transpose them: not held by the library.
#include <pantile/transpose.hpp>

#include <cstdint>

namespace pantile::impl::transpose {
template void run(Kokkos::DefaultExecutionSpace const&, Problem<std::uint8_t> const&, Plan const&);
template void run(Kokkos::DefaultExecutionSpace const&, Problem<Kokkos::Experimental::half_t> const&, Plan const&);
}  // namespace pantile::impl::transpose

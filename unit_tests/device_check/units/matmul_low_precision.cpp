// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file  Elements of low precision as devices multiply them: not held by the library.
#include <pantile/matmul.hpp>

#include <cstdint>

using Half = Kokkos::Experimental::half_t;
using Brain = Kokkos::Experimental::bhalf_t;

namespace pantile::impl::matmul {
using Halves = Problem<Half, Half, Half, float>;
using Brains = Problem<Brain, Brain, float, float>;
using Bytes = Problem<std::int8_t, std::int8_t, std::int32_t, std::int32_t>;
template void run(Kokkos::DefaultExecutionSpace const&, Halves const&, Plan const&);
template void run(Kokkos::DefaultExecutionSpace const&, Brains const&, Plan const&);
template void run(Kokkos::DefaultExecutionSpace const&, Bytes const&, Plan const&);
}  // namespace pantile::impl::matmul

// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file  bfloat16 with results in float, as devices multiply them: for scripts/check_device, not held by the library.
#include <pantile/matmul.hpp>

using Brain = Kokkos::Experimental::bhalf_t;
template void pantile::impl::matmul::run(Kokkos::DefaultExecutionSpace const&,
                                         pantile::impl::matmul::Problem<Brain, Brain, float, float> const&,
                                         pantile::impl::matmul::Plan const&);

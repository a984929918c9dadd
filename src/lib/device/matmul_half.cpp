// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file  IEEE half, as devices multiply them: for scripts/check_device, not held by the library.
#include <pantile/matmul.hpp>

using Half = Kokkos::Experimental::half_t;
template void pantile::impl::matmul::run(Kokkos::DefaultExecutionSpace const&,
                                         pantile::impl::matmul::Problem<Half, Half, Half, float> const&,
                                         pantile::impl::matmul::Plan const&);

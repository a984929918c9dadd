// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file  Bytes with results in 32 bits, as devices multiply them: for scripts/check_device, not held by the library.
#include <pantile/matmul.hpp>

#include <cstdint>

template void pantile::impl::matmul::run(Kokkos::DefaultExecutionSpace const&,
                                         pantile::impl::matmul::Problem<std::int8_t, std::int8_t, std::int32_t, std::int32_t> const&,
                                         pantile::impl::matmul::Plan const&);

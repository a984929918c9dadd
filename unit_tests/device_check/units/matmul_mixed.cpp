// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file  Mixed types as devices multiply them: not held by the library.
#include <pantile/matmul.hpp>

#include <cstdint>

using Half = Kokkos::Experimental::half_t;

namespace pantile::impl::matmul {
using HalvesToFloat = Problem<Half, Half, float, float>;
using UnsignedBytes = Problem<std::uint8_t, std::uint8_t, std::uint32_t, std::uint32_t>;
using BytesOfBothSigns = Problem<std::int8_t, std::uint8_t, std::int32_t, std::int32_t>;
using FloatsToDouble = Problem<float, float, double, double>;
using HalfByFloat = Problem<Half, float, float, float>;
using RealByComplex = Problem<double, Kokkos::complex<double>, Kokkos::complex<double>, Kokkos::complex<double>>;
template void run(Kokkos::DefaultExecutionSpace const&, HalvesToFloat const&, Plan const&);
template void run(Kokkos::DefaultExecutionSpace const&, UnsignedBytes const&, Plan const&);
template void run(Kokkos::DefaultExecutionSpace const&, BytesOfBothSigns const&, Plan const&);
template void run(Kokkos::DefaultExecutionSpace const&, FloatsToDouble const&, Plan const&);
template void run(Kokkos::DefaultExecutionSpace const&, HalfByFloat const&, Plan const&);
template void run(Kokkos::DefaultExecutionSpace const&, RealByComplex const&, Plan const&);
}  // namespace pantile::impl::matmul

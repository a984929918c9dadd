// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  As which type kernels see the elements of an operand.

#include <pantile/element.hpp>

#include <Kokkos_Core.hpp>

#include <complex>
#include <type_traits>

namespace pantile::impl {

/// \brief  The type as which kernels of Exec take elements T. Hosts take complex numbers aligned as their real parts:
///         more is promised neither by BLAS nor by an unmanaged View. Devices load Kokkos' by one access.
template <class Exec, class T>
struct OperandElement : KokkosElement<T> {};
template <class Exec, class T>
  requires std::is_same_v<typename Exec::memory_space, Kokkos::HostSpace>
struct OperandElement<Exec, Kokkos::complex<T>> {
  using type = std::complex<T>;
};
template <class Exec, class T>
  requires std::is_same_v<typename Exec::memory_space, Kokkos::HostSpace>
struct OperandElement<Exec, std::complex<T>> {
  using type = std::complex<T>;
};
template <class Exec, class T>
struct OperandElement<Exec, T const> {
  using type = typename OperandElement<Exec, T>::type const;
};
template <class Exec, class T>
using operand_t = typename OperandElement<Exec, T>::type;

}  // namespace pantile::impl

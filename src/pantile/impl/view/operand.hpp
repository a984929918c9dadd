// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  As which type kernels see the elements of an operand.

#include <pantile/element.hpp>

#include <Kokkos_Core.hpp>

#include <type_traits>

namespace pantile::impl {

/// \brief  A complex number in memory, aligned as its real part. As std::complex is, whose functions are for hosts
///         alone: nvcc compiles kernels of host spaces for devices too. May alias Kokkos' and the standard's.
template <class R>
class [[gnu::may_alias]] PackedComplex {
 public:
  PackedComplex() = default;
  KOKKOS_INLINE_FUNCTION constexpr explicit PackedComplex(R re, R im = R(0)) : m_re(re), m_im(im) {}
  [[nodiscard]] KOKKOS_INLINE_FUNCTION constexpr R real() const { return m_re; }
  [[nodiscard]] KOKKOS_INLINE_FUNCTION constexpr R imag() const { return m_im; }

 private:
  R m_re, m_im;
};

template <class R>
struct KokkosElement<PackedComplex<R>> {
  using type = Kokkos::complex<R>;
};
template <class R>
struct RealOf<PackedComplex<R>> {
  using type = R;
};

/// \brief  The type as which kernels of Exec take elements T. Hosts take complex numbers aligned as their real parts:
///         more is promised neither by BLAS nor by an unmanaged View. Devices load Kokkos' by one access.
template <class Exec, class T>
struct OperandElement : KokkosElement<T> {};
template <class Exec, class T>
  requires(is_complex_v<T> && std::is_same_v<typename Exec::memory_space, Kokkos::HostSpace>)
struct OperandElement<Exec, T> {
  using type = PackedComplex<typename RealOf<T>::type>;
};
template <class Exec, class T>
struct OperandElement<Exec, T const> {
  using type = typename OperandElement<Exec, T>::type const;
};
template <class Exec, class T>
using operand_t = typename OperandElement<Exec, T>::type;

}  // namespace pantile::impl

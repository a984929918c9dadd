// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  What libraries without Kokkos call an element: std::complex lies in memory as Kokkos::complex does.

#include <Kokkos_Core.hpp>

#include <complex>

namespace pantile::perf {

/// The standard library's twin of an element, and the real type of its parts.
template <class T>
struct Twin {
  using type = T;
  using real = T;
};
template <class Real>
struct Twin<Kokkos::complex<Real>> {
  using type = std::complex<Real>;
  using real = Real;
};

template <class T>
typename Twin<T>::type* twin(T* data) {
  return reinterpret_cast<typename Twin<T>::type*>(data);
}

}  // namespace pantile::perf

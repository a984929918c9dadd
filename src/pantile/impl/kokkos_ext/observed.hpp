// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  Work without a launch, which tools see all the same.

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <string>

namespace pantile::impl::kokkos_ext {

/// \brief  f(), which a tool that listens sees as a kernel of this instance. The same code runs whether one listens or
///         not.
/// \param  name  () -> label; asked for only where a tool listens
template <class Exec, class Name, class F>
void as_kernel(Exec const& exec, Name const& name, F const& f) {
  if (!Kokkos::Tools::profileLibraryLoaded()) {
    f();
    return;
  }
  std::uint64_t kernel = 0;
  Kokkos::Tools::beginParallelFor(name(), Kokkos::Tools::Experimental::device_id(exec), &kernel);
  f();
  Kokkos::Tools::endParallelFor(kernel);
}

}  // namespace pantile::impl::kokkos_ext

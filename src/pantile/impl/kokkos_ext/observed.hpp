// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  Work without a launch, which tools see all the same.

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <new>
#include <string>

namespace pantile::impl::kokkos_ext {

/// What a tool is told of a kernel.
struct KernelFacts {
  template <class Exec>
  KernelFacts(std::string const& label_, Exec const& exec)
      : label(label_), device(Kokkos::Tools::Experimental::device_id(exec)) {}

  std::string label;
  std::uint32_t device;
};

/// \brief  While it lives, a tool that listens sees a kernel. The same code runs whether one listens or not.
class ObservedKernel {
 public:
  /// \param  facts    () -> KernelFacts; asked for only where a tool listens. Without memory for them the work is not
  ///                  seen
  /// \param  listens  does a tool? To be asked before a caller has its registers full of operands
  template <class Facts>
  [[gnu::always_inline]] explicit ObservedKernel(Facts const& facts,
                                                 bool listens = Kokkos::Tools::profileLibraryLoaded())
      : m_seen(listens) {
    if (m_seen) begin(facts);
  }
  [[gnu::always_inline]] ~ObservedKernel() {
    if (m_seen) Kokkos::Tools::endParallelFor(m_kernel);
  }
  ObservedKernel(ObservedKernel const&) = delete;
  ObservedKernel& operator=(ObservedKernel const&) = delete;

 private:
  template <class Facts>
  [[gnu::noinline]] void begin(Facts const& facts) {
    try {
      KernelFacts const known = facts();
      Kokkos::Tools::beginParallelFor(known.label, known.device, &m_kernel);
    } catch (std::bad_alloc const&) {
      m_seen = false;
    }
  }

  bool m_seen;
  std::uint64_t m_kernel = 0;
};

}  // namespace pantile::impl::kokkos_ext

// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  Work done without Kokkos' launch that Kokkos Tools sees as a kernel.

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <new>
#include <string>

namespace pantile::impl::kokkos_ext {

/// What is reported to tools about a kernel, and about the region around it if that has no other.
struct KernelFacts {
  template <class Exec>
  [[gnu::cold]] KernelFacts(std::string const& label_, Exec const& exec, std::string const& region_ = "")
      : label(label_), device(Kokkos::Tools::Experimental::device_id(exec)), region(region_) {}

  std::string label;
  std::uint32_t device;
  std::string region;
};

/// \brief  Reports a kernel to the loaded tool, from construction to destruction. The work is the same either way.
class ObservedKernel {
 public:
  /// \param  facts    () -> KernelFacts; called only where a tool is loaded. Without memory for its result nothing is
  ///                  reported
  /// \param  listens  is a tool loaded? A caller that would have to spill registers for the question asks it before
  template <class Facts>
  [[gnu::always_inline]] explicit ObservedKernel(Facts const& facts,
                                                 bool listens = Kokkos::Tools::profileLibraryLoaded())
      : m_seen(listens) {
    if (m_seen) begin(&facts, [](void const* asked) { return (*static_cast<Facts const*>(asked))(); });
  }
  [[gnu::always_inline]] ~ObservedKernel() {
    if (m_seen) end(m_kernel, m_has_region);
  }
  ObservedKernel(ObservedKernel const&) = delete;
  ObservedKernel& operator=(ObservedKernel const&) = delete;

 private:
  [[gnu::noinline, gnu::cold]] void begin(void const* facts, KernelFacts (*ask)(void const*)) {
    m_has_region = false;
    try {
      KernelFacts const known = ask(facts);
      if (!known.region.empty()) {
        Kokkos::Profiling::pushRegion(known.region);
        m_has_region = true;
      }
      Kokkos::Tools::beginParallelFor(known.label, known.device, &m_kernel);
    } catch (std::bad_alloc const&) {
      if (m_has_region) Kokkos::Profiling::popRegion();
      m_seen = false;
    }
  }
  [[gnu::noinline, gnu::cold]] static void end(std::uint64_t kernel, bool has_region) {
    Kokkos::Tools::endParallelFor(kernel);
    if (has_region) Kokkos::Profiling::popRegion();
  }

  bool m_seen;
  bool m_has_region;  // of what is seen
  std::uint64_t m_kernel = 0;
};

}  // namespace pantile::impl::kokkos_ext

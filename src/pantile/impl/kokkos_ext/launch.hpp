// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  A 2D range whose first index is the fast one, the same on every supported Kokkos; and work without a launch,
///        which tools see all the same.

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstdint>
#include <new>
#include <string>

namespace pantile::impl::kokkos_ext {

template <class Exec>
using FastSlowPolicy = Kokkos::MDRangePolicy<Exec, Kokkos::Rank<2, Kokkos::Iterate::Left, Kokkos::Iterate::Left>,
                                             Kokkos::IndexType<std::int64_t>>;

/// \brief  Range over (fast, slow); functors take (fast index, slow index). Until Kokkos 5.1 the GPU backends mapped
///         the first index to the fast thread index whatever Iterate said (kokkos PR 8638), and had 32 threads a block
///         by default (kokkos issue 6071 and PR 8731).
template <class Exec>
FastSlowPolicy<Exec> fast_slow_policy(Exec const& exec, std::int64_t fast, std::int64_t slow, std::int64_t fast_tile,
                                      std::int64_t slow_tile, std::int64_t first_fast = 0) {
  auto const fit = [](std::int64_t tile, std::int64_t extent) {
    return std::max<std::int64_t>(1, std::min(tile, extent));
  };
  return FastSlowPolicy<Exec>(exec, {first_fast, std::int64_t{0}}, {first_fast + fast, slow},
                              {fit(fast_tile, fast), fit(slow_tile, slow)});
}

/// \brief  kernel(fast index, slow index) for all of fast x slow; one launch for each `slice` of the fast extent, since
///         HIP takes fewer than 2^32 threads along one direction of a launch (AMD, HIP documentation,
///         hipModuleLaunchKernel).
template <class Exec, class Kernel>
void for_fast_slow(std::string const& name, Exec const& exec, std::int64_t fast, std::int64_t slow,
                   std::int64_t fast_tile, std::int64_t slow_tile, Kernel const& kernel,
                   std::int64_t slice = std::int64_t{1} << 31) {
  std::int64_t first = 0;
  do {
    std::int64_t const length = std::min(slice, fast - first);
    Kokkos::parallel_for(name, fast_slow_policy(exec, length, slow, fast_tile, slow_tile, first), kernel);
    first += length;
  } while (first < fast);
}

/// What is reported to tools about a kernel, and about the region around it if that has no other.
struct KernelFacts {
  template <class Exec>
  [[gnu::cold]] KernelFacts(std::string const& label_, Exec const& exec, std::string const& region_ = "")
      : label(label_), device(Kokkos::Tools::Experimental::device_id(exec)), region(region_) {}

  std::string label;
  std::uint32_t device;
  std::string region;
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

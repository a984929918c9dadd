// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  Pinned host memory, which a device's copy engine accesses directly: for arrays of your own, and the pool of
///        chunks that copies of pageable arrays use.

#include <pantile/concepts.hpp>
#include <pantile/policy.hpp>

#include <pantile/impl/transfer/call.hpp>

#include <Kokkos_Core.hpp>

#include <concepts>
#include <cstddef>
#include <string>

namespace pantile {

/// \brief  The types that `pinned` and `mapped` return: `PinnedView<double**>` for a matrix, `PinnedView<int*>`.
template <class DataType, class Layout = Kokkos::LayoutRight>
using PinnedView = impl::transfer::HostMemory<impl::transfer::Host, DataType, Layout>;
template <class DataType, class Layout = Kokkos::LayoutRight, ExecutionSpace Exec = Kokkos::DefaultExecutionSpace>
using MappedView = impl::transfer::HostMemory<Exec, DataType, Layout>;

/// \brief  An uninitialised View of host memory that a device's copy engine reads and writes directly, so that copies
///         are fast and overlap with the host's work. Ordinary host memory where the backends have no other.
/// \tparam Layout  LayoutRight or LayoutLeft
template <class T, class Layout = Kokkos::LayoutRight, std::convertible_to<std::size_t>... Extents>
  requires(sizeof...(Extents) == 1 || sizeof...(Extents) == 2)
[[nodiscard]] auto pinned(std::string const& label, Extents... extents) {
  return impl::transfer::host_memory<impl::transfer::Host, T, Layout>(label, extents...);
}

/// \brief  The same memory, which kernels on Exec access directly, from a device over the bus; for data that is used
///         once.
template <class T, class Layout = Kokkos::LayoutRight, ExecutionSpace Exec = Kokkos::DefaultExecutionSpace,
          std::convertible_to<std::size_t>... Extents>
  requires(sizeof...(Extents) == 1 || sizeof...(Extents) == 2)
[[nodiscard]] auto mapped(std::string const& label, Extents... extents) {
  return impl::transfer::host_memory<Exec, T, Layout>(label, extents...);
}

/// \brief  Bytes of pinned memory that are kept for later copies and not in use: at most `keep_bytes` of the latest
///         copies' TransferOptions. Always zero where there is no device.
///
/// Copies between a device and pageable memory, TransferScope and pipeline take chunks from one pool per process, which
/// is thread safe. No copy waits for chunks of another one: if none is free, memory is allocated. Kept memory is freed
/// when Kokkos is finalised.
[[nodiscard]] inline std::size_t kept_staging_bytes() { return impl::transfer::pinned_pool().free_bytes(); }

/// Frees that memory now; waits for the device where copies still use it.
inline void free_staging() { impl::transfer::pinned_pool().trim(); }

}  // namespace pantile

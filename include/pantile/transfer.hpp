// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  Copies of Views between host and device, of any strides and layouts. transfer_scope.hpp copies arrays to a
///        device and back around a call, pipeline.hpp overlaps copies with kernels.

#include <pantile/concepts.hpp>
#include <pantile/error.hpp>
#include <pantile/pinned.hpp>
#include <pantile/policy.hpp>
#include <pantile/transfer_report.hpp>

#include <pantile/impl/transfer/call.hpp>

#include <Kokkos_Core.hpp>

#include <concepts>
#include <source_location>
#include <string>
#include <type_traits>

namespace pantile {

/// A View that can be transferred: rank 1 or 2, of an element type or any other trivially copyable type.
template <class T>
concept TransferView =
    StridedView<T> && (T::rank() == 1 || T::rank() == 2) &&
    (Element<typename T::non_const_value_type> || (std::is_trivially_copyable_v<typename T::non_const_value_type> &&
                                                   std::is_copy_assignable_v<typename T::non_const_value_type>));

/// Views of one rank and element type, of which the first can be written.
template <class Destination, class Source>
concept TransferOperands = Mutable<Destination> && Destination::rank() == Source::rank() &&
                           std::same_as<typename Destination::value_type, typename Source::non_const_value_type>;

/// \brief  destination(i, j) = source(i, j) for any layouts, strides and memory spaces; destination first, as in
///         Kokkos::deep_copy, which throws where this function packs.
///
/// \param  exec         execution-space instance on which the work is enqueued
/// \param  destination  (m, n) or (n)
/// \param  source       the same extents and element type; const or not
/// \param  options      chunks between a device and pageable memory
///
/// \pre    destination must have the extents of source; neither is null
/// \pre    destination must be exactly source (then nothing is done) or not overlap it, and must not overlap itself
/// \pre    in_flight must be at least 1
/// \throws pantile::Error  when one of these does not hold; then destination is untouched
///
/// \par Asynchrony   the paths none, direct and kernel return when the work is enqueued on exec, without a fence. Host
///                   backends run their work in the call. With pageable host memory the host waits: on the direct path
///                   for the driver (kokkos issue 8099); on the chunked path for exec's earlier work and for all chunks
///                   but the last ones, and for those too if the device packs. The staged path fences exec before it
///                   frees its staging memory, and before and after a host kernel that packs. If exec is a host
///                   instance that cannot access one of the Views, the default instance of that View's space does the
///                   work, and both are fenced.
/// \par Allocation   staged: a packed copy on each side that is not contiguous in the order of the copy; chunked: a
///                   packed copy of one chunk on the device, and pinned chunks where the pool has none free
///                   (pinned.hpp). explain::copy says how many bytes
/// \par Aliasing     see the preconditions
/// \par Determinism  bits are copied
/// \par Index width  64 bits throughout
/// \par Source       the idea: MAGMA's magma_setmatrix_transpose and magma_getmatrix_transpose; tiles as in transpose
template <ExecutionSpace Exec, TransferView Destination, TransferView Source>
  requires TransferOperands<Destination, Source>
void copy(Exec const& exec, Destination const& destination, Source const& source, TransferOptions const& options,
          std::source_location where = std::source_location::current()) {
  impl::transfer::copy("copy", exec, destination, source, where, options);
}
template <ExecutionSpace Exec, TransferView Destination, TransferView Source>
  requires TransferOperands<Destination, Source>
void copy(Exec const& exec, Destination const& destination, Source const& source,
          std::source_location where = std::source_location::current()) {
  impl::transfer::copy("copy", exec, destination, source, where);
}

/// \brief  The same on the default instance of the side that lies on a device, else of destination's execution space.
template <TransferView Destination, TransferView Source>
  requires TransferOperands<Destination, Source>
void copy(Destination const& destination, Source const& source,
          std::source_location where = std::source_location::current()) {
  copy(impl::transfer::DefaultExec<Destination, Source>{}, destination, source, where);
}

/// Catches arguments that are no Views to copy: does not compile, and says what to write. So for the functions below.
template <class... Arguments>
void copy(Arguments const&...) {
  impl::transfer::refuse_arguments<Arguments...>();
}

/// \brief  The View's elements for kernels on exec, read-only: the View itself if it is in exec's memory (nothing is
///         copied then, as `explain::to_device` says), otherwise a copy in exec's memory.
///
/// The result is const on every backend, since writing to it would change the View on some of them. For data that a
/// kernel changes there are `device_copy`, `device_like` and TransferScope's inout and out.
///
/// \tparam Layout     layout of the result, converted on the way; by default the View's own. A LayoutStride copy is
///                    packed, in the order of the View's faster direction
/// \param  host_view  must not be null. Pinned memory counts as host memory, memory shared by both as device memory
/// \throws pantile::Error  if it is null
/// \par Asynchrony and allocation  as `copy`, and the result's memory. An alias lives as long as the View's memory.
template <class Layout = SameLayout, ExecutionSpace Exec, TransferView View>
[[nodiscard]] auto to_device(Exec const& exec, View const& host_view,
                             std::source_location where = std::source_location::current()) {
  using Result = impl::transfer::Input<Exec, View, Layout>;
  return impl::transfer::bring<Result>("to_device", exec, host_view, where);
}

/// \brief  A writable copy in exec's memory, never the View itself. Otherwise as `to_device`.
template <class Layout = SameLayout, ExecutionSpace Exec, TransferView View>
[[nodiscard]] auto device_copy(Exec const& exec, View const& view,
                               std::source_location where = std::source_location::current()) {
  using Result = impl::transfer::Copied<Exec, View, Layout>;
  return impl::transfer::bring<Result>("device_copy", exec, view, where);
}

/// \brief  The View's elements for the host, read-only: the View itself if it is in host or shared memory, otherwise a
///         copy. Fence exec before reading, in either case: kernels may still write.
/// \tparam Layout  as of `to_device`
template <class Layout = SameLayout, ExecutionSpace Exec, TransferView View>
[[nodiscard]] auto copy_to_host(Exec const& exec, View const& device_view,
                                std::source_location where = std::source_location::current()) {
  using Result = impl::transfer::Input<impl::transfer::Host, View, Layout>;
  return impl::transfer::bring<Result>("copy_to_host", exec, device_view, where);
}

/// \brief  `copy` to a View in host memory; fence exec before reading it.
template <ExecutionSpace Exec, TransferView Destination, TransferView Source>
  requires TransferOperands<Destination, Source>
void copy_to_host(Exec const& exec, Destination const& host_destination, Source const& device_source,
                  std::source_location where = std::source_location::current()) {
  static_assert(AccessibleFrom<Destination, impl::transfer::Host>,
                "pantile::copy_to_host: the destination's memory must be accessible from the host");
  impl::transfer::copy("copy_to_host", exec, host_destination, device_source, where);
}

/// \brief  An uninitialised View in exec's memory with the extents and layout of the View (LayoutStride: packed).
template <ExecutionSpace Exec, TransferView View>
[[nodiscard]] auto device_like(Exec const& exec, View const& view, std::string const& label) {
  using Result = typename impl::transfer::Copied<Exec, View>::mutable_type;
  return impl::transfer::allocate_like<Result>(exec, label, view);
}
template <ExecutionSpace Exec, TransferView View>
[[nodiscard]] auto device_like(View const& view, std::string const& label) {
  return device_like(Exec{}, view, label);
}

template <class Layout = SameLayout, class... Arguments>
void to_device(Arguments const&...) {
  impl::transfer::refuse_arguments<Arguments...>();
}
template <class Layout = SameLayout, class... Arguments>
void device_copy(Arguments const&...) {
  impl::transfer::refuse_arguments<Arguments...>();
}
template <class Layout = SameLayout, class... Arguments>
void copy_to_host(Arguments const&...) {
  impl::transfer::refuse_arguments<Arguments...>();
}

namespace explain {

/// \brief  What `pantile::copy` would do with these arguments; same checks and errors, nothing is copied.
template <ExecutionSpace Exec, TransferView Destination, TransferView Source>
  requires TransferOperands<Destination, Source>
TransferReport copy(Exec const&, Destination const& destination, Source const& source,
                    TransferOptions const& options = {}, std::source_location where = std::source_location::current()) {
  using Path = impl::transfer::RouteFor<Exec, Destination, Source>;
  auto const problem = impl::transfer::checked_problem("copy", destination, source, where, options);
  auto const plan = Path::plan(problem, options);
  return impl::transfer::describe_plan<typename Path::DriverExec, typename Destination::value_type>(plan);
}

/// \brief  What `pantile::to_device` would do; its path is alias where nothing is copied.
template <class Layout = SameLayout, ExecutionSpace Exec, TransferView View>
TransferReport to_device(Exec const&, View const& host_view,
                         std::source_location where = std::source_location::current()) {
  using Result = impl::transfer::Input<Exec, View, Layout>;
  return impl::transfer::describe_bring<Result, Exec>("to_device", host_view, where);
}

/// \brief  What `pantile::copy_to_host` would do.
template <class Layout = SameLayout, ExecutionSpace Exec, TransferView View>
TransferReport copy_to_host(Exec const&, View const& device_view,
                            std::source_location where = std::source_location::current()) {
  using Result = impl::transfer::Input<impl::transfer::Host, View, Layout>;
  return impl::transfer::describe_bring<Result, Exec>("copy_to_host", device_view, where);
}

}  // namespace explain
}  // namespace pantile

#if defined(PANTILE_USE_LIBRARY)
#include <pantile/instances/transfer.hpp>
#endif

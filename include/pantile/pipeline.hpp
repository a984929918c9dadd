// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  Copies of arrays to a device and back in chunks of rows, overlapped with kernels on other chunks.

#include <pantile/concepts.hpp>
#include <pantile/error.hpp>
#include <pantile/policy.hpp>
#include <pantile/transfer.hpp>
#include <pantile/transfer_report.hpp>
#include <pantile/transfer_scope.hpp>

#include <pantile/impl/transfer/pipeline_call.hpp>

#include <Kokkos_Core.hpp>

#include <concepts>
#include <ranges>
#include <source_location>
#include <span>
#include <tuple>

namespace pantile {

/// \brief  For each chunk of rows: copies the rows of the in and inout arrays to exec's device, calls the body, which
///         enqueues work on them, and copies the rows of the out and inout arrays back. Chunks overlap.
///
/// \code
///   using pantile::in, pantile::out;
///   auto const sum = [](Exec const& q, auto a, auto b, auto c, std::int64_t) { pantile::add(q, 1.0, a, 1.0, b, c); };
///   pantile::pipeline(exec, std::tuple(in(A), in(B), out(C)), sum);
/// \endcode
///
/// \param  exec     determines the device. The chunks take turns on `depth` instances made from it
/// \param  arrays   made by in, out and inout: (m, n_i) or (m), of any element types, layouts and strides
/// \param  body     called as body(instance, chunk..., first_row) with the arrays' chunks in order: (r, n_i) or (r),
///                  unmanaged, in the layout of their array. in's are read-only, out's have unspecified content. It
///                  enqueues work on `instance` only, does not wait for it, and keeps no chunk. The result for a chunk
///                  must not depend on other chunks
/// \param  options  rows of a chunk; chunks in flight
///
/// \pre    the arrays must have the same number of rows; none is null
/// \pre    a written array must not overlap itself or another one
/// \pre    depth and chunk_rows must not be negative
/// \throws pantile::Error  when one of these does not hold; then nothing was touched
/// \throws what the body throws, after everything that was enqueued is done; then the content of out and inout arrays
///         is unspecified
///
/// Where the arrays are in exec's memory, as on host backends, nothing is copied: the body gets subviews of the arrays,
/// one chunk after the other, on exec itself. Without rows the body is not called. Copies overlap with kernels where
/// the arrays are pinned. Pageable arrays are copied once more by the host, chunk by chunk, into or out of pinned
/// memory; that overlaps too, but the host may be the bottleneck (`explain::pipeline` warns).
///
/// \par Asynchrony   returns when the results are in the arrays. Waits first for earlier work on exec, unless nothing
///                   is copied
/// \par Allocation   per call: instances, and device memory for depth chunks of each array; for pageable arrays pinned
///                   chunks from the pool of pinned.hpp. None where nothing is copied
/// \par Determinism  as the body's; the same bits for any `depth`
/// \par Source       the overlap of copies and kernels in CUDA's and Numba's guides to streams, here by chunks of rows
template <ExecutionSpace Exec, class... Arrays, class Body>
void pipeline(Exec const& exec, std::tuple<Arrays...> const& arrays, Body const& body,
              PipelineOptions const& options = {}, std::source_location where = std::source_location::current()) {
  std::apply([&](auto const&... each) { impl::transfer::make_pipeline<Exec>(options, where, each...).run(exec, body); },
             arrays);
}

/// A contiguous range of instances: std::vector, std::array, what Kokkos::Experimental::partition_space returns.
template <class Range>
concept InstanceRange =
    std::ranges::contiguous_range<Range const> && ExecutionSpace<std::ranges::range_value_t<Range const>>;

/// \brief  The same on the caller's instances, on which chunks take turns. A call allocates memory for chunks only. It
///         waits first for earlier work on all instances; where nothing is copied the first one does all, after the
///         others' earlier work.
/// \pre    instances must not be empty; all are of one device; options.depth, which they decide, is zero
template <InstanceRange Instances, class... Arrays, class Body>
void pipeline(Instances const& instances, std::tuple<Arrays...> const& arrays, Body const& body,
              PipelineOptions const& options = {}, std::source_location where = std::source_location::current()) {
  using Exec = std::ranges::range_value_t<Instances const>;
  std::span<Exec const> const given(instances);
  auto const mine = impl::transfer::on_instances(given.size(), options, where);
  std::apply([&](auto const&... each) { impl::transfer::make_pipeline<Exec>(mine, where, each...).run(given, body); },
             arrays);
}

/// \brief  One array in and one out: body(instance, source's chunk, destination's chunk, first_row).
template <ExecutionSpace Exec, TransferView Source, TransferView Destination, class Body>
  requires Mutable<Destination>
void pipeline(Exec const& exec, Source const& source, Destination const& destination, Body const& body,
              PipelineOptions const& options = {}, std::source_location where = std::source_location::current()) {
  pipeline(exec, std::tuple(in(source), out(destination)), body, options, where);
}

/// Catches arguments that pipeline does not take: does not compile, and says what to write.
template <class... Arguments>
void pipeline(Arguments const&...) {
  impl::transfer::refuse_pipeline<Arguments...>();
}

namespace explain {

/// \brief  What `pantile::pipeline` would do; same checks and errors, nothing is done.
template <ExecutionSpace Exec, class... Arrays>
PipelineReport pipeline(Exec const&, std::tuple<Arrays...> const& arrays, PipelineOptions const& options = {},
                        std::source_location where = std::source_location::current()) {
  return std::apply(
      [&](auto const&... each) { return impl::transfer::make_pipeline<Exec>(options, where, each...).report(); },
      arrays);
}
template <InstanceRange Instances, class... Arrays>
PipelineReport pipeline(Instances const& instances, std::tuple<Arrays...> const& arrays,
                        PipelineOptions const& options = {},
                        std::source_location where = std::source_location::current()) {
  auto const mine = impl::transfer::on_instances(std::ranges::size(instances), options, where);
  return std::apply(
      [&](auto const&... each) {
        return impl::transfer::make_pipeline<std::ranges::range_value_t<Instances const>>(mine, where, each...)
            .report();
      },
      arrays);
}
/// The same with the body, which is not called.
template <ExecutionSpace Exec, class... Arrays, class Body>
  requires(!std::same_as<Body, PipelineOptions>)
PipelineReport pipeline(Exec const& exec, std::tuple<Arrays...> const& arrays, Body const&,
                        PipelineOptions const& options = {},
                        std::source_location where = std::source_location::current()) {
  return pipeline(exec, arrays, options, where);
}
template <InstanceRange Instances, class... Arrays, class Body>
  requires(!std::same_as<Body, PipelineOptions>)
PipelineReport pipeline(Instances const& instances, std::tuple<Arrays...> const& arrays, Body const&,
                        PipelineOptions const& options = {},
                        std::source_location where = std::source_location::current()) {
  return pipeline(instances, arrays, options, where);
}
template <ExecutionSpace Exec, TransferView Source, TransferView Destination, class Body>
  requires Mutable<Destination>
PipelineReport pipeline(Exec const& exec, Source const& source, Destination const& destination, Body const&,
                        PipelineOptions const& options = {},
                        std::source_location where = std::source_location::current()) {
  return pipeline(exec, std::tuple(in(source), out(destination)), options, where);
}

}  // namespace explain
}  // namespace pantile

// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  Histograms: counting or weighted, bins of rank 1, 2 or 3 that samples name by index or index tuple.

#include <pantile/concepts.hpp>
#include <pantile/error.hpp>
#include <pantile/explain.hpp>
#include <pantile/policy.hpp>

#include <pantile/impl/histogram/call.hpp>

#include <Kokkos_Core.hpp>

#include <concepts>
#include <cstdint>
#include <source_location>

namespace pantile {

/// Index of a sample's bin (rank 1), or one index tuple per row (rank 2, samples by D); an integer type of
/// up to 64 bits.
template <class T>
concept SampleIndices =
    StridedView<T> && (T::rank() == 1 || T::rank() == 2) && std::integral<typename T::value_type> &&
    sizeof(typename T::value_type) <= sizeof(std::uint64_t) && !std::same_as<typename T::non_const_value_type, bool>;

/// What each sample adds; integer or real.
template <class T>
concept SampleWeights = VectorView<T> && !is_complex_v<typename T::value_type>;

/// The bins: rank 1, 2 or 3, of a type with fast atomic addition.
template <class T>
concept HistogramBins =
    StridedView<T> && Mutable<T> && T::rank() >= 1 && T::rank() <= 3 &&
    (std::same_as<typename T::value_type, std::int32_t> || std::same_as<typename T::value_type, std::uint32_t> ||
     std::same_as<typename T::value_type, std::int64_t> || std::same_as<typename T::value_type, std::uint64_t> ||
     std::same_as<typename T::value_type, float> || std::same_as<typename T::value_type, double>);

/// \brief  counts(i) = number of samples s with indices(s) = i; with tuples, counts(i, j, ...) = number of samples with
///         indices(s, :) = (i, j, ...).
///
/// \param  exec     execution-space instance on which all work is enqueued
/// \param  indices  (samples) for counts of rank 1, (samples, D) for counts of rank D; const or not
/// \param  counts   the bins; overwritten, or added to with `.accumulate = true`
/// \param  options  algorithm (automatic, global_atomic, scratch), out_of_range (refuse, ignore, count), ignored,
///                  accumulate, teams, workspace
///
/// \pre    columns of indices equal the rank of counts; with OutOfRange::refuse, which is the default, each index is
///         from 0 to below its extent of counts
/// \pre    counts does not overlap indices or itself; no operand is null; teams is not negative; the bins fit into team
///         scratch where algorithm scratch is requested by name
/// \pre    options.ignored is given if and only if out_of_range is OutOfRange::count; it overlaps no operand and points
///         to memory that exec can access, which is not checked; options.workspace as matmul's
/// \throws pantile::Error  when one of these does not hold; then counts and *ignored are untouched. For a sample out of
///         range the text has the position and index of the first one, and the extents of the bins
///
/// \par Numerics     integer counts wrap modulo 2^w; float counts stop growing by ones at 2^24, double at 2^53
/// \par Asynchrony   with OutOfRange::refuse the call fences exec once, to know that all samples are in range before
///                   anything is written; the rest is enqueued. Otherwise the call never fences. It returns when the
///                   work is enqueued; the Views, and *ignored, must live until it is done
/// \par Allocation   on hosts workspace at the first call, kept for later ones; if that fails std::bad_alloc is thrown,
///                   and counts are untouched. On devices memory for the bins where refuse collects counts there until
///                   the check is done, once per instance, kept for later calls. With options.workspace nothing is
///                   allocated but Kokkos' own memory for reductions, which refuse uses
/// \par Determinism  integer counts are the same for any number of threads, algorithm and run. Real counts are added in
///                   an order that changes from run to run, unless one thread adds them all: on hosts `.teams = 1`
///                   gives rising sample order and the same bits on every run
/// \par Index width  64 bits throughout
/// \par Source       Numba CUDA user guide: fill_bins, atomic.add, also with a tuple index
template <ExecutionSpace Exec, SampleIndices ViewI, HistogramBins ViewC>
void histogram(Exec const& exec, ViewI const& indices, ViewC const& counts, HistogramOptions const& options = {},
               std::source_location where = std::source_location::current()) {
  impl::histogram::execute(exec, impl::histogram::Call{indices, counts, options, where});
}

/// \brief  The same with weights: counts(i) = sum of weights(s) over the samples s with indices(s) = i.
///
/// Each weight is converted to the element type of counts and added. weights has as many elements as there are samples
/// and does not overlap counts; real weights need real counts (checked at compile time). NaN and Inf propagate.
template <ExecutionSpace Exec, SampleIndices ViewI, SampleWeights ViewW, HistogramBins ViewC>
void histogram(Exec const& exec, ViewI const& indices, ViewW const& weights, ViewC const& counts,
               HistogramOptions const& options = {}, std::source_location where = std::source_location::current()) {
  impl::histogram::execute(exec, impl::histogram::Call{indices, counts, options, where, weights});
}

/// \brief  Both on the default instance of counts' execution space.
template <SampleIndices ViewI, HistogramBins ViewC>
void histogram(ViewI const& indices, ViewC const& counts, HistogramOptions const& options = {},
               std::source_location where = std::source_location::current()) {
  histogram(typename ViewC::execution_space{}, indices, counts, options, where);
}
template <SampleIndices ViewI, SampleWeights ViewW, HistogramBins ViewC>
void histogram(ViewI const& indices, ViewW const& weights, ViewC const& counts, HistogramOptions const& options = {},
               std::source_location where = std::source_location::current()) {
  histogram(typename ViewC::execution_space{}, indices, weights, counts, options, where);
}

/// Catches arguments that are no samples and bins: does not compile, and says what to write.
template <class... Arguments>
void histogram(Arguments const&...) {
  impl::histogram::refuse_arguments<Arguments...>();
}

namespace explain {

/// \brief  What `pantile::histogram` would do with these arguments; the same O(1) checks and errors. Nothing is
///         launched, and samples are not checked.
template <ExecutionSpace Exec, SampleIndices ViewI, HistogramBins ViewC>
Explanation histogram(Exec const& exec, ViewI const& indices, ViewC const& counts, HistogramOptions const& options = {},
                      std::source_location where = std::source_location::current()) {
  return impl::histogram::explain_call(exec, impl::histogram::Call{indices, counts, options, where});
}
template <ExecutionSpace Exec, SampleIndices ViewI, SampleWeights ViewW, HistogramBins ViewC>
Explanation histogram(Exec const& exec, ViewI const& indices, ViewW const& weights, ViewC const& counts,
                      HistogramOptions const& options = {},
                      std::source_location where = std::source_location::current()) {
  return impl::histogram::explain_call(exec, impl::histogram::Call{indices, counts, options, where, weights});
}

/// \brief  Both on the default instance of counts' execution space.
template <SampleIndices ViewI, HistogramBins ViewC>
Explanation histogram(ViewI const& indices, ViewC const& counts, HistogramOptions const& options = {},
                      std::source_location where = std::source_location::current()) {
  return explain::histogram(typename ViewC::execution_space{}, indices, counts, options, where);
}
template <SampleIndices ViewI, SampleWeights ViewW, HistogramBins ViewC>
Explanation histogram(ViewI const& indices, ViewW const& weights, ViewC const& counts,
                      HistogramOptions const& options = {},
                      std::source_location where = std::source_location::current()) {
  return explain::histogram(typename ViewC::execution_space{}, indices, weights, counts, options, where);
}

/// Catches arguments that `pantile::histogram` does not take: does not compile, and says what to write.
template <class... Arguments>
Explanation histogram(Arguments const&...) {
  impl::histogram::refuse_arguments<Arguments...>();
  return {};
}

}  // namespace explain
}  // namespace pantile

#if defined(PANTILE_USE_LIBRARY)
#include <pantile/instances/histogram.hpp>
#endif

// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  From the caller's arguments to a checked, normalised histogram and its plan; from a plan to its explanation.

#include <pantile/concepts.hpp>
#include <pantile/explain.hpp>
#include <pantile/impl/histogram/launch.hpp>
#include <pantile/impl/view/check.hpp>
#include <pantile/impl/view/overlap_batch.hpp>
#if defined(PANTILE_HAS_DEVICES)
#include <pantile/impl/histogram/launch_device.hpp>
#endif

#include <cstdint>
#include <source_location>
#include <string>
#include <type_traits>

namespace pantile::impl::histogram {

/// For the overload that takes any arguments: does not compile, and says why.
template <class... Arguments>
constexpr void refuse_arguments() {
  refuse_no_views<Arguments...>();
  static_assert(has_no_views<Arguments...>,
                "pantile: no histogram of these arguments: they are ([instance,] indices: integers of rank 1, or of "
                "rank 2 with a tuple in each row[, weights: integers or reals of rank 1], counts: not const, of rank 1 "
                "to 3, integers of 32 or 64 bits, float or double[, options])");
}

/// The caller's arguments.
template <class ViewI, class ViewC, class ViewW = Absent>
struct Call {
  ViewI indices;
  ViewC counts;
  HistogramOptions options;
  std::source_location where;
  ViewW weights{};

  using I = typename ViewI::non_const_value_type;
  using T = typename ViewC::value_type;
  using W = typename ViewW::non_const_value_type;
  static constexpr bool weighted = !std::is_same_v<W, Absent>;

  /// Are samples out of range an error?
  [[nodiscard]] bool refuses() const { return options.out_of_range == OutOfRange::refuse; }

  /// The operands' names and shapes for error texts.
  [[nodiscard]] auto checker() const {
    return Checker("histogram", where, [this] {
      std::string text = describe("indices", indices);
      if constexpr (weighted) text += ", " + describe("weights", weights);
      return text + ", " + describe("counts", counts);
    });
  }
};

// Spelled out for compilers that do not yet deduce aggregates.
template <class ViewI, class ViewC>
Call(ViewI, ViewC, HistogramOptions, std::source_location) -> Call<ViewI, ViewC>;
template <class ViewI, class ViewC, class ViewW>
Call(ViewI, ViewC, HistogramOptions, std::source_location, ViewW) -> Call<ViewI, ViewC, ViewW>;

template <class View>
auto to_bins(View const& counts) {
  using Word = compute_t<typename View::value_type>;
  Bins<Word, static_cast<int>(View::rank())> bins;
  bins.data = reinterpret_cast<Word*>(counts.data());  // signed and unsigned of one width may alias
  for (std::size_t d = 0; d < View::rank(); ++d) {
    bins.extent[d] = static_cast<Index>(counts.extent(d));
    bins.stride[d] = static_cast<Index>(counts.stride(d));
  }
  return bins;
}

/// \brief  The bins' bytes. Exact for bins of rank 1 and 2; those of rank 3 are taken for all bytes from first to last.
template <class Word, int Rank>
Footprint footprint_of(Bins<Word, Rank> const& bins) {
  if (bins.count() == 0) return {};
  if constexpr (Rank == 1) {
    return footprint(Vector<Word>{bins.data, bins.extent[0], bins.stride[0]});
  } else if constexpr (Rank == 2) {
    return footprint(Matrix<Word>{bins.data, bins.extent[0], bins.extent[1], bins.stride[0], bins.stride[1]});
  } else {
    Index span = 1;
    for (int d = 0; d < Rank; ++d) span += (bins.extent[d] - 1) * bins.stride[d];
    return footprint(Vector<Word>{bins.data, span, 1});
  }
}

/// Each bin has memory of its own.
template <class Word, int Rank>
void check_distinct(Checker const& check, Bins<Word, Rank> const& bins) {
  auto const *const n = bins.extent, *const s = bins.stride;
  if constexpr (Rank == 1) check.distinct("counts", Matrix<Word>{bins.data, 1, n[0], 0, s[0]});
  if constexpr (Rank == 2) check.distinct("counts", Matrix<Word>{bins.data, n[0], n[1], s[0], s[1]});
  if constexpr (Rank == 3) {
    check.require(has_distinct_elements(Batch<Word>{{bins.data, n[1], n[2], s[1], s[2]}, {s[0]}}, n[0]),
                  [] { return std::string("counts must not overlap itself: two of its elements share memory"); });
  }
}

/// Options that no call may have, whatever its operands.
inline void check_options(Checker const& check, HistogramOptions const& options) {
  check.require(options.teams >= 0, [] { return std::string("teams must not be negative"); });
  require_enumerator(check, "algorithm", options.algorithm);
  require_enumerator(check, "out_of_range", options.out_of_range);
  require_used(check, "ignored", options.ignored != nullptr, options.out_of_range, {OutOfRange::count}, "out_of_range");
  check.require(options.ignored != nullptr || options.out_of_range != OutOfRange::count,
                [] { return std::string("ignored must not be null with out_of_range count"); });
}

/// Check everything that is O(1).
template <class Exec, class ViewI, class ViewC, class ViewW>
auto checked_problem(Call<ViewI, ViewC, ViewW> const& call) {
  using This = Call<ViewI, ViewC, ViewW>;
  using I = typename This::I;
  using W = typename This::W;
  using T = typename This::T;
  static_assert(AccessibleFrom<ViewI, Exec> && AccessibleFrom<ViewC, Exec>,
                "pantile::histogram: the memory of indices and counts must be accessible from the execution space");
  static_assert(ViewI::rank() == 2 || ViewC::rank() == 1,
                "pantile::histogram: counts of rank D > 1 need indices of rank 2, samples by D");
  Problem<I, W, compute_t<T>, static_cast<int>(ViewC::rank())> p{
      to_const_matrix(call.indices), {}, to_bins(call.counts), call.options.ignored, call.options.accumulate};

  auto const check = call.checker();
  auto const number = [](Index value) { return std::to_string(value); };
  check.require(p.indices.cols == static_cast<Index>(ViewC::rank()), [&] {
    return "columns of indices (" + number(p.indices.cols) + ") must equal the rank of counts (" +
           number(ViewC::rank()) + ")";
  });
  check_options(check, call.options);
  check.memory("indices", call.indices);
  check.memory("counts", call.counts);
  check_distinct(check, p.bins);
  Footprint const bins = footprint_of(p.bins);
  Footprint const counter = footprint(Vector<std::uint64_t>{p.ignored, p.ignored == nullptr ? 0 : 1, 1});
  check.disjoint("counts", bins, "indices", footprint(p.indices));
  check.disjoint("counts", bins, "ignored", counter);
  check.disjoint("ignored", counter, "indices", footprint(p.indices));
  if constexpr (This::weighted) {
    static_assert(AccessibleFrom<ViewW, Exec>,
                  "pantile::histogram: the memory of weights must be accessible from the execution space");
    static_assert(!is_integer_v<T> || is_integer_v<W>, "pantile::histogram: real weights need real counts");
    p.weights.values = to_vector(typename ViewW::const_type(call.weights));
    check.require(p.weights.values.size == p.samples(), [&] {
      return "length of weights (" + number(p.weights.values.size) + ") must equal the number of samples (" +
             number(p.samples()) + ")";
    });
    check.memory("weights", call.weights);
    check.disjoint("counts", bins, "weights", footprint(p.weights.values));
    check.disjoint("ignored", counter, "weights", footprint(p.weights.values));
  }
  return p;
}

template <class Exec, class CallT, class I, class W, class Word, int Rank>
Plan checked_plan(Exec const& exec, CallT const& call, Problem<I, W, Word, Rank> const& p) {
  return call.checker().accepted(choose(arch::machine(exec), {p.samples(), p.bins.count(), sizeof(Word), call.options,
                                                              counts<arch::Current<Exec>>(p), call.refuses()}));
}

/// Refuse samples out of range; waits for exec.
template <class Exec, class CallT, class I, class W, class Word, int Rank>
void check_samples(Exec const& exec, CallT const& call, Problem<I, W, Word, Rank> const& p, Labels const& names) {
  Index const bad = first_outside(exec, p, names.check);
  call.checker().require(bad == all_in_range, [&] {
    std::string extents;
    for (int d = 0; d < Rank; ++d) extents += (d == 0 ? "" : "x") + std::to_string(p.bins.extent[d]);
    return "sample " + std::to_string(bad) + " has index " + read_tuple(exec, p.indices, bad, names.check) +
           ", which is outside the " + extents + " bins";
  });
}

/// One call: check, plan, check the samples where they may be refused, run.
template <class Exec, class CallT>
void execute(Exec const& exec, CallT const& call) {
  auto problem = checked_problem<Exec>(call);
  auto const plan = checked_plan(exec, call, problem);
  Labels const& names = labels<Exec, typename CallT::W, typename CallT::T>();
  if (plan.one_pass && run_checked<arch::Current<Exec>>(exec, problem, plan, names)) return;
  if (call.refuses()) check_samples(exec, call, problem, names);
  problem.known_inside = call.refuses();
  run(exec, problem, plan, names);
}

/// Plan -> what the user reads.
template <class Exec, class CallT>
Explanation explain_call(Exec const& exec, CallT const& call) {
  auto const p = checked_problem<Exec>(call);
  auto const plan = checked_plan(exec, call, p);
  using I = typename CallT::I;
  using T = typename CallT::T;
  using W = typename CallT::W;
  bool const copies = plan.algorithm == HistogramAlgorithm::scratch;
  Explanation e;
  e.operation = "histogram";
  e.algorithm = to_string(plan.algorithm);
  e.path = labels<Exec, W, T>().of(plan);
  e.reason = plan.reason;
  e.tile = copies ? (plan.copies > 1 ? std::to_string(plan.copies) + " x " : "") + std::to_string(p.bins.count()) +
                        " bins" + (plan.one_pass ? ", checked in the same pass" : "")
                  : "-";
  e.league_size = static_cast<std::size_t>(plan.teams) * (copies ? 1 : plan.team_size);
  e.team_size = copies ? plan.team_size : 1;
  plan.describe(e);
  auto const samples = static_cast<double>(p.samples());
  double weight_size = 0;
  if constexpr (CallT::weighted) weight_size = sizeof(W);
  e.flops = samples;
  e.bytes = samples * (static_cast<double>(p.indices.cols) * sizeof(I) + weight_size) +
            static_cast<double>(p.bins.count()) * sizeof(T) * (p.accumulate ? 2 : 1);
  return e;
}

}  // namespace pantile::impl::histogram

// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  From a plan to kernels on the caller's instance.

#include <pantile/impl/arch/current.hpp>
#include <pantile/impl/histogram/kernel.hpp>
#include <pantile/impl/histogram/kernel_counting.hpp>
#include <pantile/impl/histogram/policy.hpp>
#include <pantile/impl/histogram/problem.hpp>
#include <pantile/impl/launch/teams.hpp>
#include <pantile/impl/view/label.hpp>

#include <Kokkos_Core.hpp>
#include <Kokkos_Profiling_ScopedRegion.hpp>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <type_traits>

namespace pantile::impl::histogram {

/// Labels of one instantiation. They name the caller's count type, not the unsigned one that is computed in.
struct Labels {
  std::string check, clear, global_atomic, scratch;

  [[nodiscard]] std::string const& of(Plan const& plan) const {
    return plan.algorithm == HistogramAlgorithm::scratch ? scratch : global_atomic;
  }
};

/// Made once per space, weight and count type, so that calls allocate nothing.
template <class Exec, class W, class T>
Labels const& labels() {
  static Labels const all = [] {
    std::string elements = element_name_v<T>;
    if constexpr (!std::is_same_v<W, Absent> && !std::is_same_v<W, T>) {
      elements = std::string(element_name_v<W>) + "->" + elements;
    }
    auto const make = [&](char const* variant) {
      return kernel_label("histogram", variant, arch::space_name<Exec>(), elements);
    };
    return Labels{make("check"), make("clear"), make("global_atomic"), make("scratch")};
  }();
  return all;
}

template <class Exec>
using WorkerRange = Kokkos::RangePolicy<Exec, Kokkos::IndexType<Index>>;

/// The largest position there is: no sample has it.
inline constexpr Index all_in_range = std::numeric_limits<Index>::max();

/// Position of the first sample that is out of range, or all_in_range. Waits for the answer, and with it for exec.
template <class Exec, class I, class W, class Word, int Rank>
Index first_outside(Exec const& exec, Problem<I, W, Word, Rank> const& p, std::string const& name) {
  Index first = all_in_range;
  if (p.samples() == 0) return first;
  auto const reduce = [&](Index count, auto const& kernel) {
    Kokkos::parallel_reduce(name, WorkerRange<Exec>(exec, 0, count), kernel, Kokkos::Min<Index>(first));
  };
  if constexpr (!arch::Current<Exec>::device) {
    bool const counting = counts<arch::Current<Exec>>(p);
    auto const* const kernels = counting ? arch::host_kernels<arch::HistogramKernels>() : nullptr;
    Index const piece = counting ? arch::host::check_piece : tile::ceil_div<Index>(p.samples(), exec.concurrency());
    reduce(tile::ceil_div(p.samples(), piece), HostCheckKernel<I, Word, Rank>{p.indices, p.bins, kernels, piece});
  } else {
    if constexpr (counting_types<I, W, Word, Rank>) {
      if (counts<arch::Current<Exec>>(p)) return first_outside_counted(exec, p, name);
    }
    reduce(p.samples(), CheckKernel<I, Word, Rank>{p.indices, p.bins});
  }
  return first;
}

/// "(3,-1)": the index tuple of sample s, wherever it lies in memory. For error texts: waits for exec.
template <class Exec, class I>
[[gnu::cold]] std::string read_tuple(Exec const& exec, Matrix<I const> const& indices, Index s,
                                     std::string const& name) {
  using Wide = std::conditional_t<std::is_signed_v<I>, std::int64_t, std::uint64_t>;
  std::string text;
  for (Index d = 0; d < indices.cols; ++d) {
    Wide value = 0;
    I const* const index = indices.data + s * indices.row_stride + d * indices.col_stride;
    Kokkos::parallel_reduce(name, WorkerRange<Exec>(exec, 0, 1), ReadKernel<I, Wide>{index}, Kokkos::Max<Wide>(value));
    text += (d == 0 ? "(" : ",") + std::to_string(value);
  }
  return text + ")";
}

template <class Arch>
using TeamBounds = Kokkos::LaunchBounds<Arch::device ? arch::device::histogram_team_size : 1, 1>;

/// Copies of the bins on a host.
template <class Arch, class Exec, class I, class Word>
  requires(!Arch::device)
void launch_copies(Exec const& exec, Problem<I, Absent, Word, 1> const& p, Plan const& plan,
                   launch::TeamScratch<false> const& scratch, std::string const& name) {
  CountingKernel<I, Word> const kernel{p, arch::host_kernels<arch::HistogramKernels>(), plan.scratch_level,
                                       plan.copies};
  scratch.template launch<TeamBounds<Arch>>(exec, plan.over(plan.teams), kernel, name);
}

template <class Arch, class Exec, class I, class W, class Word, int Rank>
void launch_scratch(Exec const& exec, Problem<I, W, Word, Rank> const& p, Plan const& plan,
                    launch::TeamScratch<Arch::device> const& scratch, std::string const& name) {
  if constexpr (counting_types<I, W, Word, Rank>) {
    if (plan.copies > 0) return launch_copies<Arch>(exec, p, plan, scratch, name);
  }
  ScratchKernel<!Arch::device, I, W, Word, Rank> const kernel{p, plan.scratch_level, plan.interleaved};
  scratch.template launch<TeamBounds<Arch>>(exec, plan.over(plan.teams), kernel, name);
}

/// No kernels count such a problem and check it in one pass.
template <class Arch, class Exec, class P>
bool run_checked(Exec const&, P const&, Plan const&, Labels const&) {
  return false;
}

/// \brief  Count and check in one pass over the samples, where the plan's algorithm is the host's own kernels and the
///         bins are few: the sums wait on the stack. False, with counts untouched, if a sample is out of range; waits
///         for exec.
template <class Arch, class Exec, class I, class Word>
  requires(!Arch::device && counting_types<I, Absent, Word, 1>)
bool run_checked(Exec const& exec, Problem<I, Absent, Word, 1> const& p, Plan const& plan, Labels const& names) {
  static std::string const call = region_label("histogram");
  Kokkos::Profiling::ScopedRegion const region(call);
  std::uint64_t sums[arch::host::stack_bins + 1];
  Index const bins = p.bins.count();
  Kokkos::View<std::uint64_t*, Kokkos::HostSpace, Kokkos::MemoryUnmanaged> const result(
      sums, static_cast<std::size_t>(bins + 1));
  CountingSumKernel<I> const kernel{p.indices,   arch::host_kernels<arch::HistogramKernels>(),
                                    bins,        plan.teams,
                                    plan.copies, static_cast<unsigned>(bins + 1)};
  Kokkos::parallel_reduce(names.of(plan), WorkerRange<Exec>(exec, 0, plan.teams), kernel, result);
  exec.fence("pantile::histogram: all samples are read");
  if (sums[bins] != 0) return false;
  for (Index b = 0; b < bins; ++b) {
    Word const count = static_cast<Word>(sums[b]);
    p.bins.at(b) = p.accumulate ? p.bins.at(b) + count : count;
  }
  return true;
}

/// \brief  Run the plan. Everything that is instantiated per element type and space is behind this function.
/// \tparam Arch  normally the machine of Exec; tests pass a device's traits to run its kernels on the host
template <class Exec, class I, class W, class Word, int Rank, class Arch = arch::Current<Exec>>
void run(Exec const& exec, Problem<I, W, Word, Rank> const& p, Plan const& plan, Labels const& names) {
  std::string const& name = names.of(plan);
  static std::string const call = region_label("histogram");
  Kokkos::Profiling::ScopedRegion const region(call);
  // All that can fail is done before the first write.
  std::optional<launch::TeamScratch<Arch::device>> scratch;
  if (plan.algorithm == HistogramAlgorithm::scratch && p.samples() > 0) scratch.emplace(exec, plan.over(plan.teams));
  if (!p.accumulate && (p.bins.count() > 0 || p.ignored != nullptr)) {
    Index const most = Arch::device ? p.bins.count() : Index{exec.concurrency()};
    Index const workers = std::max<Index>(1, std::min(p.bins.count(), most));
    launch::workers<Arch::device>(exec, workers, ClearKernel<Word, Rank>{p.bins, p.ignored, workers, Arch::device},
                                  names.clear);
  }
  if (p.samples() == 0) return;
  if (scratch) {
    launch_scratch<Arch>(exec, p, plan, *scratch, name);
    return;
  }
  Index const workers = Index{plan.teams} * plan.team_size;
  if (plan.alone) {
    GlobalKernel<true, I, W, Word, Rank> const kernel{p, workers, plan.interleaved};
    launch::workers<Arch::device>(exec, workers, kernel, name);
  } else {
    GlobalKernel<false, I, W, Word, Rank> const kernel{p, workers, plan.interleaved};
    launch::workers<Arch::device>(exec, workers, kernel, name);
  }
}

}  // namespace pantile::impl::histogram

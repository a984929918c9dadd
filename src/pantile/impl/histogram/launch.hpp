// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  From a plan to kernels on the caller's instance.

#include <pantile/impl/arch/current.hpp>
#include <pantile/impl/arch/host/caches.hpp>
#include <pantile/impl/arch/host/tuning/machine.hpp>
#include <pantile/impl/histogram/kernel.hpp>
#include <pantile/impl/histogram/kernel_counting.hpp>
#include <pantile/impl/histogram/policy.hpp>
#include <pantile/impl/histogram/problem.hpp>
#include <pantile/impl/kokkos_ext/observed_kernel.hpp>
#include <pantile/impl/launch/teams.hpp>
#include <pantile/impl/view/label.hpp>

#include <Kokkos_Core.hpp>
#include <Kokkos_Profiling_ScopedRegion.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <new>
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
    HostCheckKernel<I, Word, Rank> const kernel{p.indices, p.bins, arch::host_kernels<arch::HistogramKernels>()};
    if (kernel.pieces() > 1 && !launch::runs_inline(exec)) {
      reduce(kernel.pieces(), kernel);
    } else {
      kokkos_ext::ObservedKernel const observed([&] { return kokkos_ext::KernelFacts(name, exec); });
      for (Index piece = 0; piece < kernel.pieces(); ++piece) kernel(piece, first);
    }
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

/// Copies of the bins that devices count into, interleaved: launch_device.hpp.
template <class Arch, class Exec, class I, class Word>
  requires(Arch::device)
void launch_copies(Exec const&, Problem<I, Absent, Word, 1> const&, Plan const&, std::string const& name);

/// Threads for so many bins, each a word to write and perhaps some to read.
template <class Exec>
Index bin_workers(Exec const& exec, Index bins, std::size_t bin_size) {
  return bins * static_cast<Index>(bin_size) <= arch::host::launch_bytes ? 1 : Index{exec.concurrency()};
}

/// \brief  Count on a host into copies of the bins, those of the counting kernels in rounds before 32 bits overflow.
/// \return false, with counts untouched, if the plan checks in the same pass and a sample is out of range
template <class Exec, class I, class W, class Word, int Rank>
bool count_in_copies(Exec const& exec, Problem<I, W, Word, Rank> const& p, Plan const& plan,
                     arch::HistogramKernels const* kernels, std::string const& name) {
  Index const workers = std::min<Index>(plan.teams, exec.concurrency());
  std::size_t const stride = tile::round_up(plan.scratch_bytes, launch::HostWorkspaces::alignment);
  auto const lease = launch::HostWorkspaces::get().take(static_cast<std::size_t>(workers) * stride, plan.workspace);
  if (lease.data() == nullptr) throw std::bad_alloc();
  CopiesKernel<I, W, Word, Rank> kernel{p, kernels, plan.copies, lease.data(), stride, workers};
  Index const round = plan.copies > 0 ? workers * counted_in_32_bits : p.samples();
  std::uint64_t outside = 0;
  for (Index begin = 0; begin < p.samples(); begin += round) {
    kernel.problem.indices.data = p.indices.data + begin * p.indices.row_stride;
    kernel.problem.indices.rows = std::min(round, p.samples() - begin);
    launch::units(exec, workers, workers == 1, kernel, name);
    for (Index worker = 0; worker < workers; ++worker) outside += kernel.outside(worker);
    if (plan.one_pass && outside != 0) return false;
    Index const mergers = bin_workers(exec, p.bins.count() * (workers + 1), sizeof(Word));
    launch::units(
        exec, mergers, mergers == 1, [&](Index worker) { kernel.merge(worker, mergers); }, name);
    kernel.problem.accumulate = true;
  }
  if (p.ignored != nullptr) *p.ignored = outside + (p.accumulate ? *p.ignored : 0);
  return true;
}

/// Run the plan on a host; as count_in_copies().
template <class Exec, class I, class W, class Word, int Rank>
bool run_on_host(Exec const& exec, Problem<I, W, Word, Rank> const& p, Plan const& plan, Labels const& names) {
  auto const* const kernels = arch::host_kernels<arch::HistogramKernels>();
  std::string const& name = names.of(plan);
  if (plan.algorithm == HistogramAlgorithm::scratch && p.samples() > 0) {
    return count_in_copies(exec, p, plan, kernels, name);
  }
  Index const bins = p.bins.count();
  if (!p.accumulate) {
    // What one thread counts into comes from no other core's cache.
    bool const close = plan.alone && bins * static_cast<Index>(sizeof(Word)) <= arch::near_caches().second;
    Index const workers = close ? 1 : bin_workers(exec, bins, sizeof(Word));
    auto const clear = [&](Index worker) {
      Share const share = Share::of(worker, workers, bins, false);
      p.bins.each(share.begin, share.end, [](Word& bin, Index) { bin = Word(0); });
    };
    launch::units(exec, workers, workers == 1, clear, names.clear);
    if (p.ignored != nullptr) *p.ignored = 0;
  }
  if (plan.alone) {
    auto const count = [&](Index) {
      std::uint64_t const outside = count_alone(kernels, p, p.bins, {0, p.samples(), 1});
      if (p.ignored != nullptr) *p.ignored += outside;
    };
    launch::units(exec, 1, true, count, name);
  } else {
    launch::units(exec, plan.teams, false, GlobalKernel<I, W, Word, Rank>{p, plan.teams, false}, name);
  }
  return true;
}

/// Run the plan on a device.
template <class Arch, class Exec, class I, class W, class Word, int Rank>
void run_on_device(Exec const& exec, Problem<I, W, Word, Rank> const& p, Plan const& plan, Labels const& names) {
  std::string const& name = names.of(plan);
  if (!p.accumulate && (p.bins.count() > 0 || p.ignored != nullptr)) {
    Index const workers = std::max<Index>(1, p.bins.count());
    launch::workers<true>(exec, workers, ClearKernel<Word, Rank>{p.bins, p.ignored, workers}, names.clear);
  }
  if (p.samples() == 0) return;
  if (plan.algorithm != HistogramAlgorithm::scratch) {
    Index const workers = Index{plan.teams} * plan.team_size;
    launch::workers<true>(exec, workers, GlobalKernel<I, W, Word, Rank>{p, workers, true}, name);
    return;
  }
  if constexpr (counting_types<I, W, Word, Rank>) {
    if (plan.copies > 0) return launch_copies<Arch>(exec, p, plan, name);
  }
  using Bounds = Kokkos::LaunchBounds<arch::device::histogram_team_size, 1>;
  ScratchKernel<I, W, Word, Rank> const kernel{p, plan.scratch_level};
  launch::teams<true, Bounds>(exec, plan.over(plan.teams), kernel, name);
}

/// \brief  Run the plan. Everything that is instantiated per element type and space is behind this function.
/// \tparam Arch  normally the machine of Exec; tests pass a device's traits to run its kernels on the host
/// \return as count_in_copies()
template <class Exec, class I, class W, class Word, int Rank, class Arch = arch::Current<Exec>>
bool run(Exec const& exec, Problem<I, W, Word, Rank> const& p, Plan const& plan, Labels const& names) {
  static std::string const call = region_label("histogram");
  Kokkos::Profiling::ScopedRegion const region(call);
  if constexpr (!Arch::device) {
    return run_on_host(exec, p.last_fastest(), plan, names);
  } else {
    run_on_device<Arch>(exec, p, plan, names);
    return true;
  }
}

/// \brief  Count and check in one pass over the samples, where the plan says so: a device has none but for the counting
///         kernels. False, with counts untouched, if a sample is out of range; waits for exec.
template <class Arch, class Exec, class I, class W, class Word, int Rank>
bool run_checked(Exec const& exec, Problem<I, W, Word, Rank> const& p, Plan const& plan, Labels const& names) {
  if constexpr (Arch::device) {
    return false;
  } else {
    return run(exec, p, plan, names);
  }
}

}  // namespace pantile::impl::histogram

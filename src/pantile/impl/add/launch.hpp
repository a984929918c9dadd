// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  From a plan to kernels on the caller's instance.

#include <pantile/impl/add/kernel.hpp>
#include <pantile/impl/add/kernel_blocked.hpp>
#include <pantile/impl/add/policy.hpp>
#include <pantile/impl/add/problem.hpp>
#include <pantile/impl/arch/current.hpp>
#include <pantile/impl/arch/host/caches.hpp>
#include <pantile/impl/arch/host/tuning/movement.hpp>
#include <pantile/impl/launch/per_element.hpp>
#include <pantile/impl/view/label.hpp>
#if defined(PANTILE_HAS_DEVICES)
#include <pantile/impl/add/kernel_packed.hpp>
#endif

#include <Kokkos_Core.hpp>
#include <Kokkos_Profiling_ScopedRegion.hpp>

#include <cstddef>
#include <string>

namespace pantile::impl::add {

/// The question to the pure policy for this problem on this architecture.
template <class Arch, class TA, class TB, class TC, class Accumulator>
Query make_query(Problem<TA, TB, TC, Accumulator> const& p, AddOptions const& options) {
  Query query{.rows = p.c.rows,
              .cols = p.c.cols,
              .exchanged = p.exchanged,
              .one_row = p.is_one_row(),
              .crossing = p.is_crossing(),
              .bytes = p.bytes(),
              .options = options};
  if constexpr (Arch::device) {
    query.packs = packs_of(p);
  } else {
    auto const at = [](auto const* data) { return static_cast<void const*>(data); };
    int const streams = 1 + (p.reads_a() ? 1 : 0) + (p.reads_b() ? 1 : 0);
    bool const in_place =
        (p.reads_a() && at(p.a.data) == at(p.c.data)) || (p.reads_b() && at(p.b.data) == at(p.c.data));
    query.blocked = is_blocked(p);
    query.prefetches = query.crossing && query.bytes > arch::near_caches().second;
    // A row that is shorter than some lines is hardly worth whole ones.
    bool const long_rows =
        p.is_one_row() || p.c.cols * static_cast<Index>(sizeof(TC)) >= arch::host::streamed_sum_row_bytes;
    query.past = !in_place && long_rows && !query.crossing &&
                 p.c.count() * static_cast<Index>(sizeof(TC)) > arch::last_level_cache() / streams;
  }
  return query;
}

/// Label of the variant, made once per instantiation.
template <class Exec, class TA, class TB, class TC>
std::string const& label(Plan const& plan) {
  static auto const all = variant_labels<AddAlgorithm>("add", arch::space_name<Exec>(), element_names<TA, TB, TC>());
  return all[static_cast<std::size_t>(plan.algorithm)];
}

template <class Exec, class TA, class TB, class TC, class Accumulator>
void run_row_pieces(Exec const& exec, Problem<TA, TB, TC, Accumulator> const& p, Plan const& plan,
                    std::string const& name) {
  if (p.is_contiguous()) {
    RowKernel<TA, TB, TC, Accumulator, true> const kernel(p);
    launch::row_blocks(exec, p.c.rows, p.c.cols, plan.tile, plan.on_caller, kernel, name);
  } else {
    RowKernel<TA, TB, TC, Accumulator, false> const kernel(p);
    launch::row_blocks(exec, p.c.rows, p.c.cols, plan.tile, plan.on_caller, kernel, name);
  }
}

/// Run the plan. Everything that is instantiated per element type and space is behind this function.
template <class Exec, class TA, class TB, class TC, class Accumulator>
void run(Exec const& exec, Problem<TA, TB, TC, Accumulator> const& given, Plan const& plan) {
  std::string const& name = label<Exec, TA, TB, TC>(plan);
  static std::string const call = region_label("add");
  Kokkos::Profiling::ScopedRegion const region(call);
  auto const p = plan.as_one_row ? given.as_one_row() : given;
  ElementKernel<TA, TB, TC, Accumulator> const element(p);
  if (plan.algorithm == AddAlgorithm::grid_stride) {
    launch::grid_stride(exec, p.c.rows, p.c.cols, plan.launch, element, name);
    return;
  }
  if constexpr (arch::Current<Exec>::device) {
    if (plan.algorithm == AddAlgorithm::blocked) {
      run_packed(exec, p, plan, name);
      return;
    }
  } else {
    if constexpr (host_types<TA, TB, TC, Accumulator>) {
      if (plan.algorithm == AddAlgorithm::blocked) {
        run_blocked(exec, p, plan, name);
        return;
      }
    }
    if (plan.algorithm == AddAlgorithm::tiled) {
      run_row_pieces(exec, p, plan, name);
      return;
    }
  }
  launch::per_element(exec, p.c.rows, p.c.cols, plan.tile, element, name);
}

}  // namespace pantile::impl::add

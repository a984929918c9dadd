// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  From a plan to kernels on the caller's instance.

#include <pantile/impl/arch/current.hpp>
#include <pantile/impl/arch/device_tuning.hpp>
#include <pantile/impl/launch/per_element.hpp>
#include <pantile/impl/launch/teams.hpp>
#include <pantile/impl/transpose/batch/problem.hpp>
#include <pantile/impl/transpose/kernel_blocked.hpp>
#include <pantile/impl/transpose/kernel_permuted.hpp>
#include <pantile/impl/transpose/kernel_simple.hpp>
#include <pantile/impl/transpose/kernel_tiled.hpp>
#include <pantile/impl/transpose/policy.hpp>
#include <pantile/impl/transpose/problem.hpp>
#include <pantile/impl/view/label.hpp>
#if defined(PANTILE_HAS_DEVICES)
#include <pantile/impl/transpose/launch_packed.hpp>
#endif

#include <Kokkos_Core.hpp>
#include <Kokkos_Profiling_ScopedRegion.hpp>

#include <cstddef>
#include <cstdint>
#include <string>

namespace pantile::impl::transpose {

/// The question to the pure policy for this problem on this architecture.
template <class Arch, class T>
Query make_query(Problem<T> const& p, TransposeOptions const& options) {
  Query query{.rows = p.source.rows,
              .cols = p.source.cols,
              .element_size = sizeof(T),
              .copy = p.is_copy(),
              .one_row = p.is_one_row(),
              .in_place = p.in_place,
              .default_edge = Arch::transpose_edge,
              .options = options};
  if constexpr (Arch::device) {
    query.packed = packed_tile(p);
    query.blocked = query.packed.threads > 0;
  } else {
    ask_host_kernels(p, query);
  }
  return query;
}

/// Label of the variant, made once per instantiation.
template <class Exec, class T>
std::string const& label(Plan const& plan, bool in_place) {
  static auto const all = [](std::string const& ending) {
    return variant_labels<TransposeAlgorithm>("transpose", arch::space_name<Exec>(), element_name_v<T>, ending);
  };
  static auto const make = [](char const* variant) {
    return kernel_label("transpose", variant, arch::space_name<Exec>(), element_name_v<T>);
  };
  static std::string const copy = make("copy"), permuted = make("permuted_in_place");
  static auto const apart = all(""), within = all("_in_place");
  if (plan.copy) return copy;
  if (plan.permutes) return permuted;
  return (in_place ? within : apart)[static_cast<std::size_t>(plan.algorithm)];
}

using TeamBounds = Kokkos::LaunchBounds<arch::device::most_tile_threads, 1>;

template <class Exec, class Kernel>
void launch_teams(Exec const& exec, Plan const& plan, Kernel const& kernel, std::string const& name) {
  launch::teams<arch::Current<Exec>::device, TeamBounds>(exec, plan.over(plan.tiles), kernel, name);
}

template <class Exec, class T>
void run_copy(Exec const& exec, Problem<T> const& given, Plan const& plan, std::string const& name) {
  Problem<T> const p = plan.as_one_row ? given.as_one_row() : given;
  Index const rows = p.source.rows, cols = p.source.cols;
  if constexpr (arch::Current<Exec>::device) {
    launch::per_element(exec, rows, cols, plan.range_tile, ElementKernel<T>{p}, name);
  } else if (p.source.col_stride == 1 && p.target.col_stride == 1) {
    launch::row_blocks(exec, rows, cols, plan.range_tile, plan.on_caller, RowKernel<T, true>{p}, name);
  } else {
    launch::row_blocks(exec, rows, cols, plan.range_tile, plan.on_caller, RowKernel<T, false>{p}, name);
  }
}

template <class Exec, class T>
void run_naive(Exec const& exec, Problem<T> const& p, Plan const& plan, std::string const& name) {
  if (p.in_place) {
    launch::per_element(exec, p.target.rows, p.target.cols, plan.range_tile, ElementPairKernel<T>{p}, name);
  } else {
    // Along the target: a write of part of a cache line costs more than a read of it.
    Problem<T> const along_target = p.transposed();
    launch::per_element(exec, along_target.target.rows, along_target.target.cols, plan.range_tile,
                        ElementKernel<T>{along_target}, name);
  }
}

template <class Exec, class T>
void run_tiled(Exec const& exec, BatchProblem<T> const& p, Plan const& plan, std::string const& name) {
  constexpr bool device = arch::Current<Exec>::device;
  std::size_t const bytes = plan.scratch_bytes - tile::scratch_alignment;
  TileShape const shape{plan.tile, plan.ld, bytes / 2 / sizeof(T), bytes, plan.scratch_level};
  if (p.first.in_place) {
    launch_teams(exec, plan, TilePairKernel<T, device>{p, shape}, name);
  } else if (p.first.source.col_stride == 1 && p.first.target.row_stride == 1) {
    launch_teams(exec, plan, TiledKernel<T, device, true>{p, shape}, name);
  } else {
    launch_teams(exec, plan, TiledKernel<T, device, false>{p, shape}, name);
  }
}

/// Steps within columns, rows and columns, each one a kernel.
template <class Exec, class T>
void run_permuted(Exec const& exec, Problem<T> const& p, Plan const& plan, std::string const& name) {
  auto const permutation = Permutation::of(p.source.rows, p.source.cols);
  launch::Teams const rows = plan.over(plan.tiles);
  launch::Teams const groups = plan.over(plan.groups);
  LineMemory const memory{plan.scratch_bytes - tile::scratch_alignment, plan.scratch_level};
  // All that can fail is done before the first step.
  launch::TeamScratch<arch::Current<Exec>::device> const scratch(exec, rows.league > groups.league ? rows : groups);
  auto const columns = [&](bool rotation) {
    PermuteColumnsKernel<T> const kernel{p.target.data, permutation, rotation, plan.unit_cols, memory};
    scratch.template launch<TeamBounds>(exec, groups, kernel, name);
  };
  bool const shuffles_first = permutation.inverse;
  if (shuffles_first || permutation.rotates()) columns(!shuffles_first);
  PermuteRowsKernel<T> const kernel{p.target.data, permutation, is_complex_v<T> && p.conjugates, memory};
  scratch.template launch<TeamBounds>(exec, rows, kernel, name);
  if (!shuffles_first || permutation.rotates()) columns(shuffles_first);
}

/// Run the plan. Everything that is instantiated per element type and space is behind this function.
template <class Exec, class T>
void run(Exec const& exec, Problem<T> const& p, Plan const& plan) {
  std::string const& name = label<Exec, T>(plan, p.in_place);
  static std::string const call = region_label("transpose");
  Kokkos::Profiling::ScopedRegion const region(call);
  if (plan.copy) {
    run_copy(exec, p, plan, name);
  } else if (plan.permutes) {
    run_permuted(exec, p, plan, name);
  } else if (plan.algorithm == TransposeAlgorithm::naive) {
    run_naive(exec, p, plan, name);
  } else if (plan.algorithm == TransposeAlgorithm::blocked) {
    if constexpr (arch::Current<Exec>::device) {
      run_packed(exec, p, plan, name);
    } else {
      run_blocked(exec, p, plan, name);
    }
  } else {
    run_tiled(exec, BatchProblem<T>{p, 1, {}, {}}, plan, name);
  }
}

}  // namespace pantile::impl::transpose

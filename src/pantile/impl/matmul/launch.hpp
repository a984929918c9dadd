// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  From a plan to kernels on the caller's instance.

#include <pantile/impl/arch/current.hpp>
#include <pantile/impl/backend/kokkos_kernels.hpp>
#include <pantile/impl/launch/per_element.hpp>
#include <pantile/impl/launch/teams.hpp>
#include <pantile/impl/matmul/host/launch.hpp>
#include <pantile/impl/matmul/labels.hpp>
#include <pantile/impl/matmul/policy.hpp>
#include <pantile/impl/matmul/problem.hpp>
#include <pantile/impl/matmul/simple/per_element.hpp>
#include <pantile/impl/matmul/simple/tiled.hpp>
#include <pantile/impl/view/label.hpp>
#if defined(PANTILE_HAS_DEVICES)
#include <pantile/impl/matmul/device/launch.hpp>
#endif

#include <Kokkos_Core.hpp>
#include <Kokkos_Profiling_ScopedRegion.hpp>

#include <array>
#include <span>
#include <string>

namespace pantile::impl::matmul {

/// The register tiles compiled for an arch and compute type, fewest registers first. Hosts need only the widest.
template <class Arch, class Compute>
std::span<MicroVariant const> micro_variants() {
  static constexpr arch::MicroTile one{1, 1};
  static constexpr arch::MicroTile wide = Arch::template micro_tile<Compute>();
  static constexpr std::array<MicroVariant, 2> all{{{one, Arch::launch_bound(one)}, {wide, Arch::launch_bound(wide)}}};
  return std::span(all).subspan(Arch::device ? 0 : 1);
}

/// The tiles of the blocked variant on devices.
template <class Arch, class TA, class TB, class Compute>
std::span<arch::DeviceTile const> device_tiles() {
  using Tiles = typename Arch::template MatmulTiles<TA, TB, Compute>;
  return std::span(Tiles::shapes).first(Tiles::count);
}

/// The question to the pure policy for this problem on this architecture.
template <class Arch, class TA, class TB, class TC, class Accumulator>
Query make_query(Problem<TA, TB, TC, Accumulator> const& p, MatmulOptions const& options) {
  using Compute = compute_t<Accumulator>;
  Query query{.m = p.m(),
              .n = p.n(),
              .k = p.k(),
              .c_along_columns = !p.c.fast_along_row(),
              .scales_only = p.scales_only(),
              .compute_size = sizeof(Compute),
              .variants = micro_variants<Arch, Compute>(),
              .default_edge = Arch::template matmul_edge<Compute>,
              .default_depth = Arch::matmul_depth,
              .vendor_refusal = backend::gemm_refusal<TA, TB, TC, Accumulator>(p),
              .options = options};
  if constexpr (Arch::device) {
    query.device_tiles =
        query.c_along_columns ? device_tiles<Arch, TB, TA, Compute>() : device_tiles<Arch, TA, TB, Compute>();
    query.tuning = Arch::tuning;
  } else {
    query.host = host_facts(p);
  }
  return query;
}

/// Label of the variant.
template <class Exec, class TA, class TB, class TC>
std::string const& label(Plan const& plan) {
  return label<Exec, TA, TB, TC>(plan.scales_only ? MatmulAlgorithm::automatic : plan.algorithm);
}

/// Run the tiled kernel with a register tile of Rows x Cols.
template <class Arch, int Rows, int Cols, class Exec, class TA, class TB, class TC, class Accumulator>
void launch_tiled(Exec const& exec, Problem<TA, TB, TC, Accumulator> const& p, Plan const& plan,
                  std::string const& name) {
  using Kernel = TiledKernel<TA, TB, TC, Accumulator, Rows, Cols, Arch::device>;
  using Bounds = Kokkos::LaunchBounds<Arch::launch_bound({Rows, Cols}), 1>;
  Kernel const kernel{p, Epilogue<TC, Accumulator>(p.alpha, p.beta), plan.tile,
                      plan.scratch_bytes - tile::scratch_alignment, plan.scratch_level};
  launch::teams<Arch::device, Bounds>(exec, plan.over(plan.tiles), kernel, name);
}

/// The kernels that take a problem the way round that its plan says.
template <class Arch, class Exec, class TA, class TB, class TC, class Accumulator>
void launch_as_planned(Exec const& exec, Problem<TA, TB, TC, Accumulator> const& p, Plan const& plan,
                       std::string const& name) {
  using Compute = compute_t<Accumulator>;
  static constexpr arch::MicroTile wide = Arch::template micro_tile<Compute>();
  Epilogue<TC, Accumulator> const epilogue(p.alpha, p.beta);
  ElementKernel<TA, TB, TC, Accumulator> const element{{p.a, p.b, p.conj_a, p.conj_b}, p.c, epilogue};
  if (plan.scales_only) {
    launch::per_element(exec, p.c.rows, p.c.cols, ScaleKernel<TC, Accumulator>{p.c, epilogue}, name);
    return;
  }
  switch (plan.algorithm) {
    case MatmulAlgorithm::blocked:
      if constexpr (Arch::device) {
        launch_on_device(typename Arch::template MatmulTiles<TA, TB, Compute>{}, exec, p, plan, name);
      }
      break;
    case MatmulAlgorithm::grid_stride: launch::grid_stride(exec, p.c.rows, p.c.cols, plan.launch, element, name); break;
    case MatmulAlgorithm::tiled:
      if constexpr (Arch::device) {
        if (plan.micro == arch::MicroTile{1, 1}) {
          launch_tiled<Arch, 1, 1>(exec, p, plan, name);
          break;
        }
      }
      launch_tiled<Arch, wide.rows, wide.cols>(exec, p, plan, name);
      break;
    default: launch::per_element(exec, p.c.rows, p.c.cols, element, name);
  }
}

/// \brief  Run the plan. Everything that is instantiated per element type and space is behind this function.
/// \tparam Arch  normally the machine of Exec; tests pass a device's traits, and include device/launch.hpp, to run its
///               tiles on the host
template <class Exec, class TA, class TB, class TC, class Accumulator, class Arch = arch::Current<Exec>>
void run(Exec const& exec, Problem<TA, TB, TC, Accumulator> const& p, Plan const& plan) {
  std::string const& name = label<Exec, TA, TB, TC>(plan);
  static std::string const call = region_label("matmul");
  Kokkos::Profiling::ScopedRegion const region(call);
  if (plan.algorithm == MatmulAlgorithm::vendor) return backend::gemm(exec, p);
  if constexpr (!Arch::device && HostElement<compute_t<Accumulator>>::available) {
    if (plan.algorithm == MatmulAlgorithm::blocked) return launch_on_host(exec, p, plan.host, plan.workspace, name);
  }
  as_planned(p, plan.exchange, [&](auto const& seen) { launch_as_planned<Arch>(exec, seen, plan, name); });
}

}  // namespace pantile::impl::matmul

// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  From a plan to kernels on the caller's instance. Not in the compiled library: the function is the caller's.

#include <pantile/impl/arch/current.hpp>
#include <pantile/impl/fill/kernel.hpp>
#include <pantile/impl/fill/policy.hpp>
#include <pantile/impl/launch/per_element.hpp>
#include <pantile/impl/view/label.hpp>

#include <Kokkos_Core.hpp>
#include <Kokkos_Profiling_ScopedRegion.hpp>

#include <cstddef>
#include <string>

namespace pantile::impl::fill {

/// Label of the variant, made once per space and element.
template <class Exec, class T>
std::string const& label(Plan const& plan) {
  static auto const all = variant_labels<FillAlgorithm>("fill", arch::space_name<Exec>(), element_name_v<T>);
  return all[static_cast<std::size_t>(plan.algorithm)];
}

template <bool Transposed, class Exec, class T, class F>
void launch_naive(Exec const& exec, Problem<T, F> const& p, Plan const& plan, std::string const& name) {
  ElementKernel<T, F, Transposed> const kernel{p};
  if constexpr (arch::Current<Exec>::device) {
    launch::per_element(exec, p.c.rows, p.c.cols, plan.tile, kernel, name);
  } else {
    launch::row_blocks(exec, p.c.rows, p.c.cols, plan.tile, plan.on_caller, kernel, name);
  }
}

template <class Exec, class T, class F>
void run(Exec const& exec, Problem<T, F> const& p, Plan const& plan, Coordinates coordinates) {
  std::string const& name = label<Exec, T>(plan);
  static std::string const call = region_label("fill");
  Kokkos::Profiling::ScopedRegion const region(call);
  if (plan.algorithm == FillAlgorithm::naive) {
    if (plan.transposed) {
      launch_naive<true>(exec, Problem<T, F>{p.c.transposed(), p.f}, plan, name);
    } else {
      launch_naive<false>(exec, p, plan, name);
    }
  } else if (coordinates == Coordinates::element) {
    launch::grid_stride(exec, p.c.rows, p.c.cols, plan.launch, ElementKernel<T, F, false>{p}, name);
  } else {
    auto const& [grid, block] = plan.launch;
    launch::grid_stride(exec, p.c.rows, p.c.cols, plan.launch,
                        ThreadKernel<T, F>{p, Index{grid.x} * block.x, Index{grid.y} * block.y}, name);
  }
}

}  // namespace pantile::impl::fill

// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  One copying kernel on an instance that reaches both sides.

#include <pantile/impl/arch/current.hpp>
#include <pantile/impl/kokkos_ext/launch.hpp>
#include <pantile/impl/transfer/kernel.hpp>
#include <pantile/impl/transfer/policy.hpp>
#include <pantile/impl/view/label.hpp>
#include <pantile/impl/view/matrix.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstddef>
#include <string>

namespace pantile::impl::transfer {

/// Names of one element type on one space, made once.
struct Labels {
  VariantLabels<TransferPath> paths;  ///< of regions
  std::string copy, pack, unpack;     ///< of kernels

  [[nodiscard]] std::string const& of(TransferPath path) const { return paths[static_cast<std::size_t>(path)]; }
};

/// Name of an element, or how large it is.
template <class T>
std::string element_text() {
  if constexpr (Element<T>) {
    return element_name_v<T>;
  } else {
    return std::to_string(sizeof(T)) + " bytes";
  }
}

template <class Exec, class T>
Labels const& labels() {
  static Labels const all = [] {
    auto const make = [](char const* variant) {
      return kernel_label("transfer", variant, arch::space_name<Exec>(), element_text<T>());
    };
    return Labels{variant_labels<TransferPath>("transfer", arch::space_name<Exec>(), element_text<T>()), make("copy"),
                  make("pack"), make("unpack")};
  }();
  return all;
}

/// \brief  destination = source by one kernel. Everything that is instantiated per element type and space is behind it.
/// \tparam Arch  normally the machine of Exec; tests pass a device's traits to run its kernels on the host
template <class Exec, class T, class Arch = arch::Current<Exec>>
void run(Exec const& exec, Matrix<T> const& destination, Matrix<T const> const& source, std::string const& name) {
  using Element = operand_t<Exec, T>;
  bool const along_row = destination.fast_along_row();
  auto const to = as_operand<Exec>(along_row ? destination : destination.transposed());
  auto const from = as_operand<Exec>(along_row ? source : source.transposed());
  KernelPlan const plan =
      choose_kernel(Arch::device, from.fast_along_row(), to.rows, to.cols, sizeof(T), Arch::transpose_edge);
  tile::TileGrid const blocks{to.rows, to.cols, plan.block_rows, plan.block_cols};
  if constexpr (!Arch::device) {
    Kokkos::parallel_for(name, Kokkos::RangePolicy<Exec, Kokkos::IndexType<Index>>(exec, 0, blocks.count()),
                         BlockKernel<Element>{to, from, blocks});
  } else {
    if (!plan.transposed) {
      kokkos_ext::for_fast_slow(name, exec, to.cols, to.rows, plan.block_cols, plan.block_rows,
                                ElementKernel<Element>{to, from});
      return;
    }
    using Policy = Kokkos::TeamPolicy<Exec, Kokkos::LaunchBounds<arch::device::copying_team_size, 1>>;
    using Kernel = TransposingKernel<Element>;
    auto const league =
        static_cast<int>(std::min<Index>(blocks.count(), tile::league_limit));  // the kernel strides over the rest
    Policy policy(exec, league, std::min(plan.team_size, arch::Current<Exec>::max_team_size));
    policy.set_scratch_size(0, Kokkos::PerTeam(static_cast<int>(
                                   Kernel::scratch_bytes(plan.block_rows, plan.block_cols) + tile::scratch_alignment)));
    Kokkos::parallel_for(name, policy, Kernel{to, from, blocks});
  }
}

}  // namespace pantile::impl::transfer

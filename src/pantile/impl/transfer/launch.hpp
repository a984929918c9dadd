// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  One copying kernel on an instance that can access both sides.

#include <pantile/impl/arch/current.hpp>
#include <pantile/impl/launch/units.hpp>
#include <pantile/impl/tile/shape.hpp>
#include <pantile/impl/transfer/policy.hpp>
#include <pantile/impl/transpose/kernel_blocked.hpp>
#include <pantile/impl/view/label.hpp>
#include <pantile/impl/view/matrix.hpp>
#if defined(PANTILE_HAS_DEVICES)
#include <pantile/impl/transfer/launch_device.hpp>
#endif

#include <Kokkos_Core.hpp>

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

/// \brief  One block per index, row by row. Blocks are wide when both sides are fast along rows, so that the
///         inner loop streams; square when the source is transposed, so that its cache lines are used up before they
///         leave.
template <class T>
struct BlockKernel {
  Matrix<T> destination;
  Matrix<T const> source;
  tile::TileGrid blocks;

  KOKKOS_INLINE_FUNCTION void operator()(Index index) const {
    tile::Block const block = blocks.block(index);
    for (int i = 0; i < block.rows; ++i) {
      T* const to = destination.data + (block.row + i) * destination.row_stride + block.col * destination.col_stride;
      T const* const from = source.data + (block.row + i) * source.row_stride + block.col * source.col_stride;
      if (destination.col_stride == 1 && source.col_stride == 1) {
        for (int j = 0; j < block.cols; ++j) to[j] = from[j];
      } else {
        for (Index j = 0; j < block.cols; ++j) to[j * destination.col_stride] = from[j * source.col_stride];
      }
    }
  }
};

/// \brief  By the host's kernels of transpositions, where destination and source run through memory differently and
///         these know such elements.
/// \return false if not; then nothing was done
template <class Exec, class T>
bool run_transposing(Exec const& exec, Matrix<T> const& to, Matrix<T const> const& from, std::string const& name) {
  auto const p = transpose::Problem<T>{from, to, false, false}.along_source();
  transpose::Query query{.rows = p.source.rows, .cols = p.source.cols, .element_size = sizeof(T)};
  if (p.is_copy()) return false;
  transpose::ask_host_kernels(p, query);
  if (query.blocked) transpose::run_blocked(exec, p, transpose::choose(arch::machine(exec), query), name);
  return query.blocked;
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
  if constexpr (Arch::device) {
    run_on_device(exec, to, from, plan, name);
  } else {
    if (run_transposing(exec, to, from, name)) return;
    tile::TileGrid const blocks{to.rows, to.cols, plan.block_rows, plan.block_cols};
    bool const on_caller = launch::is_for_caller(arch::machine(exec), 2 * to.count() * static_cast<Index>(sizeof(T)));
    launch::units(exec, blocks.count(), on_caller, BlockKernel<Element>{to, from, blocks}, name);
  }
}

}  // namespace pantile::impl::transfer

// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  Kokkos::DualView as an operand: synchronised where it is read, marked as modified where it is written.

#include <pantile/data_operands.hpp>
#include <pantile/operands.hpp>

#include <Kokkos_Core.hpp>
#include <Kokkos_DualView.hpp>

#include <type_traits>

namespace pantile {

/// A DualView of rank 1, 2 or 3 of an element type.
template <class T>
concept DualViewOperand = Kokkos::is_dual_view_v<T> && OperandView<typename T::t_dev>;

/// \brief  A call reads and writes a DualView in the memory of its instance; without an instance, in the device's.
///
/// What the call reads is synchronised to that side first, which copies and fences if the other side was modified; what
/// it writes is marked as modified there. A result that is not read (beta = 0) is not synchronised: changes on the
/// other side are discarded.
/// \throws std::exception  by Kokkos, where a DualView of const elements would have to be copied
template <DualViewOperand T>
struct operand_traits<T> {
  using execution_space = typename T::execution_space;

  template <ExecutionSpace Exec>
  static auto input(Exec const& /*exec*/, T x) {
    x.template sync<side<Exec>>();
    return x.template view<side<Exec>>();
  }
  template <ExecutionSpace Exec>
  static auto output(Exec const& exec, T x, bool reads) {
    if (reads) return input(exec, x);
    return x.template view<side<Exec>>();
  }
  template <ExecutionSpace Exec>
  static void written(Exec const& /*exec*/, T x) {
    x.clear_sync_state();
    x.template modify<side<Exec>>();
  }

 private:
  /// The side that kernels on Exec can access; the device's where they can access both.
  template <class Exec>
  using side = std::conditional_t<AccessibleFrom<typename T::t_dev, Exec>, typename T::t_dev::device_type,
                                  typename T::t_host::device_type>;
};

}  // namespace pantile

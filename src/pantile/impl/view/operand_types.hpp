// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  The element types of an operation on A, B and C.

#include <pantile/concepts.hpp>
#include <pantile/impl/view/matrix.hpp>

namespace pantile::impl {

/// The element types of a call as its kernels see them.
template <class AskedAccumulator, class Exec, class ViewA, class ViewB, class ViewC>
struct OperandTypes {
  static_assert(AccessibleFrom<ViewA, Exec> && AccessibleFrom<ViewB, Exec> && AccessibleFrom<ViewC, Exec>,
                "pantile: the memory of A, B and C must be accessible from the execution space");
  using TA = operand_t<Exec, typename ViewA::non_const_value_type>;
  using TB = operand_t<Exec, typename ViewB::non_const_value_type>;
  using TC = operand_t<Exec, typename ViewC::value_type>;
  using Accumulator = typename AccumulatorFor<AskedAccumulator, TA, TB, TC>::type;
  static_assert(Element<Accumulator>, "pantile: the accumulator must be an element type");
  static_assert(is_complex_v<Accumulator> || (!is_complex_v<TA> && !is_complex_v<TB>),
                "pantile: a real accumulator cannot take complex operands");
  static_assert(is_complex_v<TC> || !is_complex_v<Accumulator>,
                "pantile: a complex result cannot be stored in a real C");
  template <template <class, class, class, class> class P>
  using Of = P<TA, TB, TC, Accumulator>;
};

}  // namespace pantile::impl

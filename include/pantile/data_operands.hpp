// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  `fill`, `reverse`, `histogram` and `copy` of operands that are no Views (operand_traits, operands.hpp).

#include <pantile/fill.hpp>
#include <pantile/histogram.hpp>
#include <pantile/operands.hpp>
#include <pantile/reverse.hpp>
#include <pantile/transfer.hpp>

#include <Kokkos_Core.hpp>

#include <source_location>
#include <string_view>

namespace pantile {

/// \brief  `fill` of an operand that is no View; all else as in pantile/fill.hpp.
template <ExecutionSpace Exec, AdaptedMatrix C, class FunctionOrValue>
void fill(Exec const& exec, C const& c, FunctionOrValue const& what, FillOptions const& options = {},
          std::source_location where = std::source_location::current()) {
  fill(exec, impl::output_view(exec, c, false, "fill: C", where), what, options, where);
  impl::mark_written(exec, c);
}
template <AdaptedMatrix C, class FunctionOrValue>
void fill(C const& c, FunctionOrValue const& what, FillOptions const& options = {},
          std::source_location where = std::source_location::current()) {
  fill(operand_space_t<C>{}, c, what, options, where);
}

/// \brief  `reverse` where at least one operand is no View; all else as in pantile/reverse.hpp.
template <ExecutionSpace Exec, DataOperand X, DataOperand Y>
  requires(AdaptedOperand<X> || AdaptedOperand<Y>)
void reverse(Exec const& exec, X const& x, Y const& y, ReverseOptions const& options = {},
             std::source_location where = std::source_location::current()) {
  reverse(exec, impl::input_view(exec, x, "reverse: x", where), impl::output_view(exec, y, false, "reverse: y", where),
          options, where);
  impl::mark_written(exec, y);
}
template <DataOperand X, DataOperand Y>
  requires(AdaptedOperand<X> || AdaptedOperand<Y>)
void reverse(X const& x, Y const& y, ReverseOptions const& options = {},
             std::source_location where = std::source_location::current()) {
  reverse(operand_space_t<Y>{}, x, y, options, where);
}
/// In place.
template <ExecutionSpace Exec, AdaptedOperand X>
void reverse(Exec const& exec, X const& x, ReverseOptions const& options = {},
             std::source_location where = std::source_location::current()) {
  reverse(exec, impl::output_view(exec, x, true, "reverse: x", where), options, where);
  impl::mark_written(exec, x);
}
template <AdaptedOperand X>
void reverse(X const& x, ReverseOptions const& options = {},
             std::source_location where = std::source_location::current()) {
  reverse(operand_space_t<X>{}, x, options, where);
}

/// \brief  `histogram` where at least one operand is no View; all else as in pantile/histogram.hpp. Counts are
///         copied to exec's memory first if they are added to.
template <ExecutionSpace Exec, DataOperand I, DataOperand C>
  requires(AdaptedOperand<I> || AdaptedOperand<C>)
void histogram(Exec const& exec, I const& indices, C const& counts, HistogramOptions const& options = {},
               std::source_location where = std::source_location::current()) {
  histogram(exec, impl::input_view(exec, indices, "histogram: indices", where),
            impl::output_view(exec, counts, options.accumulate, "histogram: counts", where), options, where);
  impl::mark_written(exec, counts);
}
template <ExecutionSpace Exec, DataOperand I, DataOperand W, DataOperand C>
  requires(AdaptedOperand<I> || AdaptedOperand<W> || AdaptedOperand<C>)
void histogram(Exec const& exec, I const& indices, W const& weights, C const& counts,
               HistogramOptions const& options = {}, std::source_location where = std::source_location::current()) {
  histogram(exec, impl::input_view(exec, indices, "histogram: indices", where),
            impl::input_view(exec, weights, "histogram: weights", where),
            impl::output_view(exec, counts, options.accumulate, "histogram: counts", where), options, where);
  impl::mark_written(exec, counts);
}
template <DataOperand I, DataOperand C>
  requires(AdaptedOperand<I> || AdaptedOperand<C>)
void histogram(I const& indices, C const& counts, HistogramOptions const& options = {},
               std::source_location where = std::source_location::current()) {
  histogram(operand_space_t<C>{}, indices, counts, options, where);
}
template <DataOperand I, DataOperand W, DataOperand C>
  requires(AdaptedOperand<I> || AdaptedOperand<W> || AdaptedOperand<C>)
void histogram(I const& indices, W const& weights, C const& counts, HistogramOptions const& options = {},
               std::source_location where = std::source_location::current()) {
  histogram(operand_space_t<C>{}, indices, weights, counts, options, where);
}

/// \brief  `copy` of operands of which one at least is no View, each where it is without an instance: an mdspan in the
///         host's memory, a DualView on its device. With an instance, pass the Views that are meant.
template <DataOperand Destination, DataOperand Source>
  requires(AdaptedOperand<Destination> || AdaptedOperand<Source>)
void copy(Destination const& destination, Source const& source,
          std::source_location where = std::source_location::current()) {
  auto const exec = operand_space_t<Destination>{};
  pantile::copy(impl::output_view(exec, destination, false, "copy: destination", where),
                impl::input_view(operand_space_t<Source>{}, source, "copy: source", where),
                where);  // std has a copy of three arguments
  impl::mark_written(exec, destination);
}

}  // namespace pantile

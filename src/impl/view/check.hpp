// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  The checks that every face makes, and the words in which they fail.

#include <pantile/error.hpp>
#include <pantile/impl/view/overlap.hpp>

#include <cstddef>
#include <source_location>
#include <string>
#include <string_view>

namespace pantile::impl {

/// "A 'label' 3x4 strides (4,1)", for error texts.
template <class View>
std::string describe(std::string_view name, View const& view) {
  std::string extents, strides;
  for (std::size_t r = 0; r < View::rank(); ++r) {
    extents += (r == 0 ? "" : "x") + std::to_string(view.extent(r));
    strides += (r == 0 ? "" : ",") + std::to_string(view.stride(r));
  }
  if (View::rank() == 0) extents = "scalar";
  return std::string(name) + " '" + view.label() + "' " + extents + " strides (" + strides + ")";
}

/// \brief  Collects what a failing check must say. Building the text costs only when a rule is broken.
///
/// \code
///   Checker check{"matmul", where, [&] { return describe("A", a) + ", " + describe("C", c); }};
///   check.require(a.rows == c.rows, [&] { return "rows of op(A) ..."; });
/// \endcode
template <class Operands>
class Checker {
 public:
  Checker(char const* operation, std::source_location where, Operands operands)
      : m_operation(operation), m_where(where), m_operands(operands) {}

  template <class Rule>
  void require(bool holds, Rule const& rule) const {
    if (!holds) throw Error(m_operation, rule(), m_operands(), m_where);
  }

  /// A View without memory is refused unless it has no elements.
  template <class View>
  void not_null(std::string_view name, View const& view) const {
    require(view.data() != nullptr || view.size() == 0,
            [&] { return std::string(name) + " must not be null: its View has extents but no memory"; });
  }

  /// Written and read operand must not share memory.
  void disjoint(std::string_view written, Footprint const& w, std::string_view read, Footprint const& r) const {
    require(!may_overlap(w, r), [&] {
      return std::string(written) + " must not overlap " + std::string(read) + ": they share memory";
    });
  }

 private:
  char const* m_operation;
  std::source_location m_where;
  Operands m_operands;
};

}  // namespace pantile::impl

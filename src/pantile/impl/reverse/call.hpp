// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  From the caller's arguments to a checked, normalised reverse and its plan; from a plan to its explanation.

#include <pantile/concepts.hpp>
#include <pantile/explain.hpp>
#include <pantile/impl/reverse/launch.hpp>
#include <pantile/impl/view/check.hpp>

#include <concepts>
#include <source_location>
#include <string>
#include <type_traits>

namespace pantile::impl::reverse {

/// For the overload that takes any arguments: does not compile, and says why.
template <class... Arguments>
constexpr void refuse_arguments() {
  refuse_no_views<Arguments...>();
  static_assert(has_no_views<Arguments...>,
                "pantile: no reversal of these arguments: they are ([instance,] x[, y][, options]), Views of rank 1 of "
                "an element type, and the elements of the one that is written are not const");
}

template <class T>
void check_vector(Checker const& check, char const* name, auto const& view, Vector<T> const& written) {
  check.memory(name, view);
  check.distinct(name, Matrix<T>{written.data, 1, written.size, 0, written.stride});
}

inline auto tile_rule() { return std::string("tile must not be negative"); }

/// From x into y. Operands' names and shapes go into error texts through check.
template <class Exec, class ViewX, class ViewY>
auto checked_problem(Checker const& check, ViewX const& x, ViewY const& y, ReverseOptions const& options) {
  static_assert(AccessibleFrom<ViewX, Exec> && AccessibleFrom<ViewY, Exec>,
                "pantile::reverse: the memory of x and y must be accessible from the execution space");
  using T = operand_t<Exec, typename ViewY::value_type>;
  static_assert(std::same_as<operand_t<Exec, typename ViewX::non_const_value_type>, T>,
                "pantile::reverse: x and y must have the same element type");
  Problem<T> p{as_operand<Exec>(to_vector(typename ViewX::const_type(x))), as_operand<Exec>(to_vector(y)), false};
  check.require(p.x.size == p.y.size, [&] {
    return "length of x (" + std::to_string(p.x.size) + ") must equal length of y (" + std::to_string(p.y.size) + ")";
  });
  check.require(options.tile >= 0, tile_rule);
  check.memory("x", x);
  check_vector(check, "y", y, p.y);
  check.disjoint("y", footprint(p.y), "x", footprint(p.x));
  return p;
}

/// In place.
template <class Exec, class ViewX>
auto checked_problem(Checker const& check, ViewX const& x, ReverseOptions const& options) {
  static_assert(AccessibleFrom<ViewX, Exec>,
                "pantile::reverse: the memory of x must be accessible from the execution space");
  using T = operand_t<Exec, typename ViewX::value_type>;
  Vector<T> const v = as_operand<Exec>(to_vector(x));
  check.require(options.tile >= 0, tile_rule);
  check_vector(check, "x", x, v);
  return Problem<T>{{v.data, v.size, v.stride}, v, true};
}

template <class Exec, class T>
Plan checked_plan(Exec const& exec, Checker const& check, Problem<T> const& p, ReverseOptions const& options) {
  return check.accepted(choose(arch::machine(exec), {p.x.size, p.in_place, sizeof(T), options}));
}

template <class ViewX, class ViewY>
auto make_checker(ViewX const& x, ViewY const& y, std::source_location where) {
  return Checker("reverse", where, [&x, &y] { return describe("x", x) + ", " + describe("y", y); });
}
template <class ViewX>
auto make_checker(ViewX const& x, std::source_location where) {
  return Checker("reverse", where, [&x] { return describe("x", x); });
}

/// One call on (x, y) or (x): check, plan, run.
template <class Exec, class... Views>
void execute(Exec const& exec, ReverseOptions const& options, std::source_location where, Views const&... views) {
  auto const check = make_checker(views..., where);
  auto const problem = checked_problem<Exec>(check, views..., options);
  auto const plan = checked_plan(exec, check, problem, options);
  if (plan.chunks > 0) run(exec, problem, plan);
}

/// Plan -> what the user reads.
template <class Exec, class... Views>
Explanation explain_call(Exec const& exec, ReverseOptions const& options, std::source_location where,
                         Views const&... views) {
  auto const check = make_checker(views..., where);
  auto const p = checked_problem<Exec>(check, views..., options);
  auto const plan = checked_plan(exec, check, p, options);
  using T = std::remove_cvref_t<decltype(*p.y.data)>;
  Explanation e;
  e.operation = "reverse";
  e.algorithm = "tiled";
  e.path = label<Exec, T>(p.in_place);
  e.reason = plan.reason;
  e.tile = std::to_string(plan.chunk);
  e.league_size = static_cast<std::size_t>(plan.over(plan.chunks).league);
  e.team_size = plan.team_size;
  plan.describe(e);
  e.bytes = 2.0 * static_cast<double>(p.x.size) * sizeof(T);
  return e;
}

}  // namespace pantile::impl::reverse

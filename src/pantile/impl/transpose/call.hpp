// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  From the caller's arguments to a checked, normalised problem and its plan; from a plan to its explanation.

#include <pantile/concepts.hpp>
#include <pantile/explain.hpp>
#include <pantile/impl/transpose/launch.hpp>
#include <pantile/impl/view/check.hpp>

#include <algorithm>
#include <source_location>
#include <string>
#include <type_traits>

namespace pantile::impl::transpose {

/// The operands' names and shapes for error texts.
template <class ViewA, class ViewB>
auto make_checker(ViewA const& A, ViewB const& B, std::source_location where) {
  return Checker("transpose", where, [&] { return describe("A", A) + ", " + describe("B", B); });
}
template <class View>
auto make_checker(View const& A, std::source_location where) {
  return Checker("transpose", where, [&] { return describe("A", A); });
}

inline void check_options(Checker const& check, TransposeOptions const& options) {
  check.require(options.tile >= 0 && options.rows_per_thread >= 0,
                [] { return std::string("tile and rows_per_thread must not be negative"); });
  using enum TransposeAlgorithm;
  require_used(check, "tile", options.tile != 0, options.algorithm, {automatic, tiled, padded});
  require_used(check, "rows_per_thread", options.rows_per_thread != 0, options.algorithm, {automatic, tiled, padded});
}

/// The matrix as its own source and target, fast along its rows: in place that is the same work either way.
template <class T>
Problem<T> in_place_problem(Matrix<T> const& given, bool conjugates) {
  Matrix<T> const matrix = given.fast_along_row() ? given : given.transposed();
  Matrix<T const> const source{matrix.data, matrix.rows, matrix.cols, matrix.row_stride, matrix.col_stride};
  return {source.transposed(), matrix, conjugates, true};
}

/// Rows, or columns, that follow each other without a gap.
template <class T>
bool is_dense(Matrix<T> const& x) {
  return (x.col_stride == 1 && x.row_stride == x.cols) || (x.row_stride == 1 && x.col_stride == x.rows);
}

/// The element type of a call as its kernels see it.
template <class Exec, class ViewA, class ViewB>
struct OperandType {
  using type = operand_t<Exec, typename ViewB::value_type>;
  static_assert(AccessibleFrom<ViewA, Exec> && AccessibleFrom<ViewB, Exec>,
                "pantile::transpose: the memory of A and B must be accessible from the execution space");
  static_assert(std::is_same_v<operand_t<Exec, typename ViewA::non_const_value_type>, type>,
                "pantile::transpose: A and B must have the same element type");
};
template <class Exec, class ViewA, class ViewB>
using operand_element = typename OperandType<Exec, ViewA, ViewB>::type;

/// B is as wide as A is high, and the other way round.
inline void check_shapes(Checker const& check, Shape const& a, Shape const& b) {
  check.require(b.rows == a.cols && b.cols == a.rows, [&] {
    return "B must be " + std::to_string(a.cols) + "x" + std::to_string(a.rows) + " (columns of A by rows of A)";
  });
}

/// A to B, whose memory is checked to be apart, or the same in a way that can be in place. The source of the result is
/// fast along its rows.
template <class T>
Problem<T> apart_or_in_place(Checker const& check, Matrix<T const> const& a, Matrix<T> const& b, bool conjugates) {
  if (same_elements(b, a)) return in_place_problem(b, conjugates);
  Problem<T> const problem = Problem<T>{a, b.transposed(), conjugates, false}.along_source();
  // Every element stays where it is: a copy onto itself.
  if (same_elements(problem.target, problem.source)) return problem;
  if (a.data == b.data && is_dense(a) && is_dense(b)) return problem.within_memory();
  check.require(are_apart(b, a), [] {
    return std::string(
        "B must be exactly A, or A's memory seen as columns by rows where both are dense, or not overlap "
        "A: they share memory");
  });
  return problem;
}

/// Check everything that does not depend on the machine.
template <class Exec, MatrixView ViewA, MatrixView ViewB>
auto checked_problem(ViewA const& A, ViewB const& B, TransposeOptions const& options, std::source_location where) {
  using T = operand_element<Exec, ViewA, ViewB>;
  Matrix<T const> const a = as_operand<Exec>(to_const_matrix(A));
  Matrix<T> const b = as_operand<Exec>(to_matrix(B));
  auto const check = make_checker(A, B, where);
  check_shapes(check, a, b);
  check.memory("A", A);
  check.memory("B", B);
  check.distinct("B", b);
  check_options(check, options);
  return apart_or_in_place(check, a, b, options.conjugate);
}

inline void check_square(Checker const& check, Shape const& a) {
  check.require(a.rows == a.cols, [&] {
    return "A must be square to be transposed in place, it is " + std::to_string(a.rows) + "x" + std::to_string(a.cols);
  });
}

/// Check a square matrix that is transposed in place.
template <class Exec, MatrixView View>
auto checked_problem(View const& A, TransposeOptions const& options, std::source_location where) {
  static_assert(AccessibleFrom<View, Exec>,
                "pantile::transpose: the memory of A must be accessible from the execution space");
  auto const a = as_operand<Exec>(to_matrix(A));
  auto const check = make_checker(A, where);
  check_square(check, a);
  check.memory("A", A);
  check.distinct("A", a);
  check_options(check, options);
  return in_place_problem(a, options.conjugate);
}

/// A matrix is one problem.
template <class T, class F>
void dispatch(Problem<T> const& p, F const& f) {
  f(p);
}

/// The plan for this instance; a plan that cannot run is an error that names the operands.
template <class Exec, class T>
Plan checked_plan(Exec const& exec, Problem<T> const& p, Checker const& check, TransposeOptions const& options) {
  return check.accepted(choose(arch::machine(exec), make_query<arch::Current<Exec>>(p, options)));
}

/// Plan -> what the user reads.
template <class Exec, class T>
Explanation describe_plan(Problem<T> const& p, Plan const& plan) {
  Explanation e;
  e.operation = "transpose";
  e.algorithm = to_string(plan.algorithm);
  e.path = label<Exec, T>(plan, p.in_place);
  e.reason = plan.reason;
  e.league_size = static_cast<std::size_t>(p.source.count());
  if (plan.permutes) {
    e.tile = "rows of " + std::to_string(std::max(p.source.rows, p.source.cols)) + " and " +
             std::to_string(plan.unit_cols) + " columns at a time";
    e.league_size = static_cast<std::size_t>(plan.tiles);
    e.team_size = plan.team_size;
  } else if (plan.algorithm == TransposeAlgorithm::naive) {
    e.tile = std::to_string(plan.range_tile.x) + "x" + std::to_string(plan.range_tile.y) +
             (plan.as_one_row ? " of all elements as one row" : "");
    if (plan.copy && !arch::Current<Exec>::device) {
      auto const [rows, cols] = launch::walk(plan.as_one_row, p.source.rows, p.source.cols);
      e.league_size = static_cast<std::size_t>(launch::row_tiles(rows, cols, plan.range_tile).count());
    }
  } else if (plan.algorithm == TransposeAlgorithm::blocked && !arch::Current<Exec>::device) {
    e.tile = std::to_string(plan.rows.edge) + "x" + std::to_string(plan.cols.edge) +
             (plan.path == Path::stage    ? ", through a buffer"
              : plan.path == Path::stream ? ", past the cache"
                                          : "") +
             (plan.on_caller ? ", on the calling thread" : "");
    e.league_size = static_cast<std::size_t>(plan.tiles);
  } else {
    e.tile = std::to_string(plan.tile) + "x" + std::to_string(plan.tile) +
             (plan.ld > plan.tile ? ", rows padded to " + std::to_string(plan.ld) : "") +
             (plan.pack > 0 ? ", " + std::to_string(plan.pack) + " elements at a time" : "") +
             (plan.rows_per_thread > 1 ? ", " + std::to_string(plan.rows_per_thread) + " rows per thread" : "");
    e.league_size = static_cast<std::size_t>(plan.tiles);
    e.team_size = plan.team_size;
  }
  plan.describe(e);
  e.flops = 0;
  e.bytes = 2.0 * static_cast<double>(p.source.count()) * sizeof(T);
  return e;
}

}  // namespace pantile::impl::transpose

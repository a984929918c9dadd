// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  Checks that all faces make, and their texts: static assertions on argument types, one sentence instead of a
///        list of overloads, and errors about values at run time.

#include <pantile/concepts.hpp>
#include <pantile/error.hpp>
#include <pantile/impl/view/overlap.hpp>

#include <Kokkos_Core.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <new>
#include <source_location>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace pantile::impl {

template <class T>
concept DualViewLike = requires {
  typename T::t_dev;
  typename T::t_host;
};
template <class T>
concept OffsetViewLike = requires { typename T::begins_type; };

/// A View whose rank, layout or elements are not those of a matrix.
template <class T>
concept ViewOfOtherRank = Kokkos::is_view_v<T> && T::rank() != 2;
template <class T>
concept ViewWithoutStrides = Kokkos::is_view_v<T> && !StridedView<T>;
template <class T>
concept ViewOfNoElements = Kokkos::is_view_v<T> && !Element<typename T::non_const_value_type>;

/// What is like a View and none.
template <class... Arguments>
inline constexpr bool has_no_views = ((DualViewLike<Arguments> || OffsetViewLike<Arguments>) || ...);
template <class... Arguments>
constexpr void refuse_no_views() {
  static_assert(!(DualViewLike<Arguments> || ...),
                "pantile: a DualView is two Views: include pantile/dual_view.hpp (the operations take it then, "
                "copies without an instance), or pass its view_device() or view_host(), synchronised before");
  static_assert(!(OffsetViewLike<Arguments> || ...),
                "pantile: an OffsetView begins where it likes: pass its view(), which begins at zero");
}

/// \brief  For the overload of an operation on matrices that takes any arguments, and is chosen where no other one
///         fits: does not compile, and says why.
template <class... Arguments>
constexpr void refuse_arguments() {
  constexpr bool never = sizeof...(Arguments) > 100000;
  if constexpr (has_no_views<Arguments...>) {
    refuse_no_views<Arguments...>();
  } else if constexpr ((ViewOfOtherRank<Arguments> || ...)) {
    static_assert(never,
                  "pantile: a matrix is a View of rank 2: pass one that Kokkos::subview makes of this one (where the "
                  "documentation has vectors or batches, all operands are those that it names together)");
  } else if constexpr ((ViewOfNoElements<Arguments> || ...)) {
    static_assert(never,
                  "pantile: no element type: specialise pantile::element_traits for it (pantile/element.hpp, and "
                  "CONTRIBUTING, Recipe: a new element type)");
  } else if constexpr ((ViewWithoutStrides<Arguments> || ...)) {
    static_assert(never,
                  "pantile: a matrix has LayoutRight, LayoutLeft or LayoutStride: copy this one into such a View");
  } else {
    static_assert(never,
                  "pantile: no call with these arguments: they are ([instance,] operands in the order of the "
                  "documentation[, options]), and the elements of the result are not const");
  }
}

/// "A 'label' 3x4 strides (4,1)", for error texts.
[[gnu::cold]] inline std::string describe(std::string_view name, std::string const& label,
                                          std::span<std::size_t const> extent, std::span<std::size_t const> stride) {
  std::string extents, strides;
  for (std::size_t r = 0; r < extent.size(); ++r) {
    extents += (r == 0 ? "" : "x") + std::to_string(extent[r]);
    strides += (r == 0 ? "" : ",") + std::to_string(stride[r]);
  }
  if (extent.empty()) extents = "scalar";
  return std::string(name) + " '" + label + "' " + extents + " strides (" + strides + ")";
}
template <class View>
[[gnu::cold]] std::string describe(std::string_view name, View const& view) {
  std::array<std::size_t, View::rank()> extent, stride;
  for (std::size_t r = 0; r < View::rank(); ++r) {
    extent[r] = static_cast<std::size_t>(view.extent(r));
    stride[r] = static_cast<std::size_t>(view.stride(r));
  }
  return describe(name, view.label(), extent, stride);
}

/// Rows and columns of a matrix of any element type, for checks of them.
struct Shape {
  Index rows, cols;

  template <class T>
  Shape(Matrix<T> const& matrix) : rows(matrix.rows), cols(matrix.cols) {}
  Shape(Index rows_, Index cols_) : rows(rows_), cols(cols_) {}
};

/// op(A), op(B) and C of a product fit each other.
/// \param  rules  a Checker, or what has its require()
template <class Rules>
void check_product(Rules& rules, Shape const& a, Shape const& b, Shape const& c) {
  auto const number = [](Index value) { return std::to_string(value); };
  rules.require(a.cols == b.rows, [&] {
    return "columns of op(A) (" + number(a.cols) + ") must equal rows of op(B) (" + number(b.rows) + ")";
  });
  rules.require(c.rows == a.rows && c.cols == b.cols, [&] {
    return "C must be " + number(a.rows) + "x" + number(b.cols) + " (rows of op(A) by columns of op(B))";
  });
}

/// Collects what a failing check must say, from Checker("matmul", where, [&] { return describe("A", a); }) and
/// require(a.rows == c.rows, [&] { return "rows of op(A) ..."; }). Building the text costs only when a rule is broken.
/// One type for all operands, so that checks are compiled once.
class Checker {
 public:
  /// \param  operands  a lambda of a few references, which must live as long as this
  template <class Operands>
  Checker(char const* operation, std::source_location where, Operands const& operands)
      : m_operation(operation),
        m_where(where),
        m_describe([](void const* held) { return (*std::launder(static_cast<Operands const*>(held)))(); }) {
    static_assert(sizeof(Operands) <= sizeof m_operands && alignof(Operands) <= alignof(void*) &&
                  std::is_trivially_copyable_v<Operands>);
    ::new (static_cast<void*>(m_operands)) Operands(operands);
  }

  template <class Rule>
  void require(bool holds, Rule const& rule) const {
    if (!holds) refuse(rule);
  }

  /// The plan, where it can run.
  template <class Plan>
  [[nodiscard]] Plan accepted(Plan plan) const {
    require(plan.refusal.empty(), [&] { return plan.refusal; });
    return plan;
  }

  /// A View without memory is refused unless it has no elements (extents tell: size() of a null View is zero since
  /// Kokkos 5, whatever its extents), and one of a device's whose elements kernels cannot load.
  template <class View>
  void memory(std::string_view name, View const& view) const {
    bool no_elements = false;
    constexpr int rank = static_cast<int>(View::rank());
    for (int r = 0; r < rank; ++r) no_elements = no_elements || view.extent(static_cast<std::size_t>(r)) == 0;
    require(view.data() != nullptr || no_elements,
            [&] { return std::string(name) + " must not be null: its View has extents but no memory"; });
    // What MatrixPointers have in the place of data is addresses, which the host may not read.
    if constexpr (is_loaded_whole<View> && std::is_same_v<decltype(view.data()), typename View::value_type*>) {
      constexpr std::size_t size = alignof(kokkos_element_t<typename View::non_const_value_type>);
      require(reinterpret_cast<std::uintptr_t>(view.data()) % size == 0, [&] {
        return std::string(name) + " must be aligned to " + std::to_string(size) +
               " bytes: devices load an element at once";
      });
    }
  }

  /// A written operand has each of its elements once: no zero stride, no rows that run into each other.
  template <class T>
  void distinct(std::string_view name, Matrix<T> const& written) const {
    require(has_distinct_elements(written),
            [&] { return std::string(name) + " must not overlap itself: two of its elements share memory"; });
  }

  /// Written and read operand must not share memory.
  void disjoint(std::string_view written, Footprint const& w, std::string_view read, Footprint const& r) const {
    require(!share_memory(w, r),
            [&] { return std::string(written) + " must not overlap " + std::string(read) + ": they share memory"; });
  }

  template <class W, class R>
  void disjoint(std::string_view written, Matrix<W> const& w, std::string_view read, Matrix<R> const& r) const {
    if (!ranges_apart(w, r)) disjoint(written, footprint(w), read, footprint(r));
  }

  /// Written and read matrix must be the same elements in the same order, or not share memory.
  template <class W, class R>
  void same_or_disjoint(std::string_view written, Matrix<W> const& w, std::string_view read, Matrix<R> const& r) const {
    require(same_elements(w, r) || are_apart(w, r), [&] {
      return std::string(written) + " must be exactly " + std::string(read) + " or not overlap it: they share memory";
    });
  }

 private:
  template <class Rule>
  [[noreturn, gnu::cold]] void refuse(Rule const& rule) const {
    throw Error(m_operation, rule(), m_describe(m_operands), m_where);
  }

  char const* m_operation;
  std::source_location m_where;
  std::string (*m_describe)(void const*);
  alignas(void*) std::byte m_operands[3 * sizeof(void*)];
};

/// call() of a face by another one, in whose name it refuses: the operands of both have the same names.
template <class Call>
void refused_as(char const* operation, Call const& call) {
  try {
    call();
  } catch (Error const& refusal) {
    throw Error(operation, refusal);
  }
}

}  // namespace pantile::impl

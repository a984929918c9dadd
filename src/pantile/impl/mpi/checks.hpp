// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  What must hold of distributed operands, and what the compiler says of Views that ScaLAPACK does not take.

#include <pantile/concepts.hpp>
#include <pantile/mpi/distribution.hpp>
#include <pantile/policy.hpp>

#include <pantile/impl/mpi/agreement.hpp>
#include <pantile/impl/mpi/pblas.hpp>
#include <pantile/impl/view/check.hpp>

#include <Kokkos_Core.hpp>

#include <limits>
#include <string>
#include <type_traits>

namespace pantile::impl::mpi {

using pantile::mpi::DistributedMatrix;
using pantile::mpi::Distribution;
using pantile::mpi::LocalExtents;

template <class View>
using element_t = kokkos_element_t<typename View::non_const_value_type>;
template <class View>
constexpr bool is_row_major = std::is_same_v<typename View::array_layout, Kokkos::LayoutRight>;
/// The host computes with the View itself, and MPI sends from it.
template <class View>
constexpr bool on_host = AccessibleFrom<View, Kokkos::DefaultHostExecutionSpace>;

template <class T>
constexpr Number number_of = is_complex_v<T> ? (sizeof(T) == 2 * sizeof(float) ? Number::c : Number::z)
                                             : (sizeof(T) == sizeof(float) ? Number::s : Number::d);

template <class First, class... Others>
constexpr void require_orders() {
  using Layout = typename First::array_layout;
  static_assert(
      !std::is_same_v<Layout, Kokkos::LayoutStride> && (std::is_same_v<Layout, typename Others::array_layout> && ...),
      "pantile::mpi: the local Views of a call are all LayoutLeft or all LayoutRight: copy the others by "
      "pantile::copy, which sends no messages");
}

template <class First, class... Others>
constexpr void require_numbers() {
  using T = element_t<First>;
  static_assert((std::is_same_v<T, float> || std::is_same_v<T, double> ||
                 is_complex_v<T>)&&(std::is_same_v<T, element_t<Others>> && ...),
                "pantile::mpi: elements are float, double or a complex of them, of one type in all operands: ScaLAPACK "
                "has no others");
}

/// "A 'label' 4x3 strides (1,4) of 9x9 in blocks of 2x2 on a grid of 2x3, at (0,1)".
template <class View>
std::string describe(char const* name, DistributedMatrix<View> const& matrix) {
  return impl::describe(name, matrix.local) + " of " + matrix.distribution.description();
}

/// The local View has this rank's extents.
template <class View>
void require_extents(Agreement& agreement, char const* name, DistributedMatrix<View> const& matrix) {
  LocalExtents const mine = matrix.distribution.local_extents();
  LocalExtents const given{matrix.local.extent(0), matrix.local.extent(1)};
  agreement.require(given == mine, [&] {
    auto const text = [](LocalExtents e) { return std::to_string(e.rows) + "x" + std::to_string(e.cols); };
    return std::string("the local View of ") + name + " must be " + text(mine) + ", this rank's part, not " +
           text(given);
  });
  agreement.same(matrix.distribution);
}

/// All ranks have one distribution, over which ScaLAPACK can go.
template <class View>
void require_part(Agreement& agreement, char const* name, DistributedMatrix<View> const& matrix) {
  require_extents(agreement, name, matrix);
  auto const local = to_const_matrix(matrix.local);
  bool const empty = local.count() == 0;
  auto const require = [&](bool holds, char const* rule) {
    agreement.require(empty || holds, [&] { return std::string("the local View of ") + name + " must " + rule; });
  };
  require(local.data != nullptr, "not be null: it has extents but no memory");
  require(has_distinct_elements(local), "not overlap itself: two of its elements share memory");
  Index const span = (local.rows - 1) * local.row_stride + (local.cols - 1) * local.col_stride + 1;
  require(span <= std::numeric_limits<int>::max(), "span less than 2^31 elements: ScaLAPACK counts them in 32 bits");
  agreement.same(is_row_major<View>);
  agreement.same(on_host<View>);  // ranks take as many steps
}

template <class Written, class Read>
void require_apart(Agreement& agreement, char const* written, DistributedMatrix<Written> const& w, char const* read,
                   DistributedMatrix<Read> const& r) {
  agreement.require(are_apart(to_const_matrix(w.local), to_const_matrix(r.local)), [&] {
    return std::string("the local View of ") + written + " must not overlap that of " + read + ": they share memory";
  });
}

/// Extents, operators and grids of a product.
void require_product(Agreement& agreement, Distribution const& a, Distribution const& b, Distribution const& c, Op op_a,
                     Op op_b, bool is_complex);

/// Extents and grids of a transposition.
void require_transposed(Agreement& agreement, Distribution const& a, Distribution const& b);

/// Of a redistribution.
void require_same_extents(Agreement& agreement, Distribution const& a, Distribution const& b);

/// Of an addition.
void require_one_distribution(Agreement& agreement, Distribution const& a, Distribution const& b,
                              Distribution const& c);

}  // namespace pantile::impl::mpi

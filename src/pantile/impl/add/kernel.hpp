// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  The additions: element by element, and a chunk of a row at a time.

#include <pantile/impl/add/problem.hpp>
#include <pantile/impl/compiler_ext/hints.hpp>

#include <Kokkos_Core.hpp>

#include <type_traits>

namespace pantile::impl::add {

/// alpha * a + beta * b of single elements; an operand whose flag is false is not read.
template <class TA, class TB, class TC, class Accumulator>
struct Combine {
  using Compute = compute_t<Accumulator>;
  Compute alpha;
  Compute beta;

  template <bool ReadsA, bool ReadsB>
  KOKKOS_INLINE_FUNCTION TC value([[maybe_unused]] TA const* a, [[maybe_unused]] TB const* b) const {
    Compute sum(0);
    if constexpr (ReadsA) sum = alpha * convert<Compute>(*a);
    if constexpr (ReadsA && ReadsB) sum = multiply_add(beta, convert<Compute>(*b), sum);
    if constexpr (!ReadsA && ReadsB) sum = beta * convert<Compute>(*b);
    return convert<TC>(convert<Accumulator>(sum));
  }
};

/// Problem and arithmetic, as both kernels need them.
template <class TA, class TB, class TC, class Accumulator>
struct KernelBase {
  Problem<TA, TB, TC, Accumulator> problem;
  Combine<TA, TB, TC, Accumulator> combine;
  bool reads_a;
  bool reads_b;

  explicit KernelBase(Problem<TA, TB, TC, Accumulator> const& p)
      : problem(p),
        combine{convert<compute_t<Accumulator>>(p.alpha), convert<compute_t<Accumulator>>(p.beta)},
        reads_a(p.reads_a()),
        reads_b(p.reads_b()) {}

 protected:
  /// f(true_type or false_type for A, likewise for B): what is read becomes known to the compiler.
  template <class F>
  KOKKOS_INLINE_FUNCTION void with_reads(F const& f) const {
    if (reads_a && reads_b) {
      f(std::true_type{}, std::true_type{});
    } else if (reads_a) {
      f(std::true_type{}, std::false_type{});
    } else if (reads_b) {
      f(std::false_type{}, std::true_type{});
    } else {
      f(std::false_type{}, std::false_type{});
    }
  }
};

/// \brief  One element of C. Source: the course notebook's strided 2D addition, any shape and launch.
template <class TA, class TB, class TC, class Accumulator>
struct ElementKernel : KernelBase<TA, TB, TC, Accumulator> {
  using KernelBase<TA, TB, TC, Accumulator>::KernelBase;

  KOKKOS_INLINE_FUNCTION void operator()(Index j, Index i) const {
    TC& out = this->problem.c(i, j);
    this->with_reads([&](auto with_a, auto with_b) {
      out = this->combine.template value<with_a.value, with_b.value>(address(this->problem.a, i, j),
                                                                     address(this->problem.b, i, j));
    });
  }

 private:
  template <class T>
  KOKKOS_INLINE_FUNCTION static T const* address(Matrix<T const> const& matrix, Index i, Index j) {
    return matrix.data + i * matrix.row_stride + j * matrix.col_stride;
  }
};

/// \brief  Neighbours in a row of C, in one loop without a call in it.
/// \tparam Contiguous  what is read and written has unit stride along rows
template <class TA, class TB, class TC, class Accumulator, bool Contiguous>
struct RowKernel : KernelBase<TA, TB, TC, Accumulator> {
  using KernelBase<TA, TB, TC, Accumulator>::KernelBase;
  using Stride = std::conditional_t<Contiguous, UnitStride, Index>;

  KOKKOS_INLINE_FUNCTION void operator()(Index i, Index j, Index count) const {
    this->with_reads([&](auto with_a, auto with_b) { this->template piece<with_a.value, with_b.value>(i, j, count); });
  }

 private:
  template <class T>
  KOKKOS_INLINE_FUNCTION static Stride along(Matrix<T> const& matrix) {
    if constexpr (Contiguous)
      return {};
    else
      return matrix.col_stride;
  }

  template <bool ReadsA, bool ReadsB>
  KOKKOS_INLINE_FUNCTION void piece(Index i, Index j, Index count) const {
    auto const& a = this->problem.a;
    auto const& b = this->problem.b;
    auto const& c = this->problem.c;
    auto const step_a = along(a);
    auto const step_b = along(b);
    auto const step_c = along(c);
    TA const* const from_a = ReadsA ? a.data + i * a.row_stride + j * step_a : nullptr;
    TB const* const from_b = ReadsB ? b.data + i * b.row_stride + j * step_b : nullptr;
    TC* const to_c = c.data + i * c.row_stride + j * step_c;
    auto const combination = this->combine;
    compiler_ext::independent_loop(count, [=](Index k) {
      to_c[k * step_c] = combination.template value<ReadsA, ReadsB>(ReadsA ? from_a + k * step_a : nullptr,
                                                                    ReadsB ? from_b + k * step_b : nullptr);
    });
  }
};

}  // namespace pantile::impl::add

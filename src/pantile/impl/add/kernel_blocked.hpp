// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  The host's own kernels (arch/host/ukernel/add/kernel.hpp), shared among its threads piece by piece.

#include <pantile/impl/add/policy.hpp>
#include <pantile/impl/add/problem.hpp>
#include <pantile/impl/arch/host/ukernel/add/table.hpp>
#include <pantile/impl/launch/per_element.hpp>
#include <pantile/impl/launch/units.hpp>

#include <cstdint>
#include <string>
#include <type_traits>

namespace pantile::impl::add {

/// The numbers that the host's kernels see in elements T; void where they know none.
template <class T>
struct HostReal {
  using Real = typename RealOf<T>::type;
  using type = std::conditional_t<std::is_same_v<Real, float> || std::is_same_v<Real, double>, Real, void>;
};
template <class T>
  requires(std::is_integral_v<T> && (sizeof(T) == 4 || sizeof(T) == 8))
struct HostReal<T> {
  using type = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
};

template <class T, class Real>
auto host_rows(arch::AddKernels const& kernels) -> void (*)(arch::adding::Rows<Real> const&) {
  constexpr bool complex = is_complex_v<T>;
  if constexpr (std::is_same_v<Real, float>) return complex ? kernels.complex_float_rows : kernels.float_rows;
  if constexpr (std::is_same_v<Real, double>) return complex ? kernels.complex_double_rows : kernels.double_rows;
  if constexpr (std::is_same_v<Real, std::uint32_t>) return kernels.word_rows;
  if constexpr (std::is_same_v<Real, std::uint64_t>) return kernels.long_rows;
}

/// Do the host's kernels know these types?
template <class TA, class TB, class TC, class Accumulator>
inline constexpr bool host_types =
    std::is_same_v<TA, TC> && std::is_same_v<TB, TC> && std::is_same_v<Accumulator, kokkos_element_t<TC>> &&
    !std::is_void_v<typename HostReal<TC>::type>;

/// Can the host's kernels do it?
template <class TA, class TB, class TC, class Accumulator>
bool is_blocked(Problem<TA, TB, TC, Accumulator> const& p) {
  if constexpr (host_types<TA, TB, TC, Accumulator>) {
    return p.is_contiguous() && (p.reads_a() || p.reads_b()) && arch::host_kernels<arch::AddKernels>() != nullptr;
  } else {
    return false;
  }
}

/// A tile of rows x cols.
template <class Real>
struct BlockedKernel {
  void (*kernel)(arch::adding::Rows<Real> const&);
  arch::adding::Rows<Real> whole;
  Extent2 tile;
  int parts;

  void operator()(Index unit) const {
    Index const across = tile::ceil_div<Index>(whole.cols, tile.x);
    Index const row = unit / across * tile.y, col = unit % across * tile.x;
    arch::adding::Rows<Real> part = whole;
    part.a += (row * whole.a_ld + col) * parts;
    if (part.b != nullptr) part.b += (row * whole.b_ld + col) * parts;
    part.c += (row * whole.c_ld + col) * parts;
    part.rows = tile::smaller<Index>(tile.y, whole.rows - row);
    part.cols = tile::smaller<Index>(tile.x, whole.cols - col);
    kernel(part);
  }
};

template <class Exec, class T, class Accumulator>
void run_blocked(Exec const& exec, Problem<T, T, T, Accumulator> const& p, Plan const& plan, std::string const& name) {
  using Real = typename HostReal<T>::type;
  constexpr int parts = is_complex_v<T> ? 2 : 1;
  // Where one operand is read only, it comes first.
  Matrix<T const> const& first = p.reads_a() ? p.a : p.b;
  bool const both = p.reads_a() && p.reads_b();
  arch::adding::Rows<Real> rows{};
  rows.a = reinterpret_cast<Real const*>(first.data);
  rows.b = both ? reinterpret_cast<Real const*>(p.b.data) : nullptr;
  rows.c = reinterpret_cast<Real*>(p.c.data);
  rows.a_ld = first.row_stride;
  rows.b_ld = p.b.row_stride;
  rows.c_ld = p.c.row_stride;
  rows.rows = p.c.rows;
  rows.cols = p.c.cols;
  rows.past = plan.past;
  auto const split = [](Accumulator const& scalar, Real(&into)[2]) {
    if constexpr (parts == 2) {
      into[0] = scalar.real();
      into[1] = scalar.imag();
    } else {
      into[0] = static_cast<Real>(scalar);
    }
  };
  split(p.reads_a() ? p.alpha : p.beta, rows.alpha);
  split(p.beta, rows.beta);
  Index const units = launch::row_block_count(rows.rows, rows.cols, plan.tile);
  BlockedKernel<Real> const kernel{host_rows<T, Real>(*arch::host_kernels<arch::AddKernels>()), rows, plan.tile, parts};
  launch::units(exec, units, plan.on_caller, kernel, name);
}

}  // namespace pantile::impl::add

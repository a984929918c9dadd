// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  The host's own kernels (arch/host/ukernel/add/kernel.hpp), shared among its threads by chunks of rows.

#include <pantile/impl/add/policy.hpp>
#include <pantile/impl/add/problem.hpp>
#include <pantile/impl/arch/host/tuning/machine.hpp>
#include <pantile/impl/arch/host/ukernel/add/table.hpp>
#include <pantile/impl/arch/host/ukernel/transpose/table.hpp>
#include <pantile/impl/launch/per_element.hpp>
#include <pantile/impl/launch/units.hpp>

#include <cstddef>
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

/// Can the host's kernels do it? What runs across C is transposed tile by tile.
template <class TA, class TB, class TC, class Accumulator>
bool is_blocked(Problem<TA, TB, TC, Accumulator> const& p) {
  if constexpr (host_types<TA, TB, TC, Accumulator>) {
    auto const taken = [](auto const& x) { return x.col_stride == 1 || (x.row_stride == 1 && !x.fast_along_row()); };
    bool const all_taken = p.c.col_stride == 1 && (!p.reads_a() || taken(p.a)) && (!p.reads_b() || taken(p.b));
    return all_taken && (p.reads_a() || p.reads_b()) && arch::host_kernels<arch::AddKernels>() != nullptr;
  } else {
    return false;
  }
}

/// An operand of an addition, and how a tile of C finds it.
template <class Real>
struct Operand {
  Real const* data = nullptr;
  Index ld = 0;  ///< in elements, from row to row, or from column to column of what runs across C
  arch::TransposeKernel const* crosses = nullptr;  ///< transposes what runs across C
};

/// A tile of rows x cols.
template <class Real>
struct BlockedKernel {
  void (*kernel)(arch::adding::Rows<Real> const&);
  arch::adding::Rows<Real> whole;  ///< a and b are those of a tile
  Operand<Real> a, b;
  tile::TileGrid tiles;
  int parts;
  bool prefetches;  ///< of what runs across C, the next tile

  void operator()(Index unit) const {
    auto const [row, col, rows, cols] = tiles.block(unit);
    arch::adding::Rows<Real> part = whole;
    part.c += (row * whole.c_ld + col) * parts;
    part.rows = rows;
    part.cols = cols;
    alignas(64) Real a_tile[crossing_numbers], b_tile[crossing_numbers];
    part.a = place(a, row, col, part, a_tile, part.a_ld);
    if (b.data != nullptr) part.b = place(b, row, col, part, b_tile, part.b_ld);
    kernel(part);
  }

 private:
  static constexpr Index crossing_numbers = 2 * arch::host::crossing_cols * arch::host::crossing_rows;

  /// An operand at (row, col): where it lies, or transposed into `to` where it runs across C.
  Real const* place(Operand<Real> const& x, Index row, Index col, arch::adding::Rows<Real> const& part, Real* to,
                    Index& ld) const {
    if (x.crosses == nullptr) {
      ld = x.ld;
      return x.data + (row * x.ld + col) * parts;
    }
    Index const size = parts * static_cast<Index>(sizeof(Real));
    auto const* const from = reinterpret_cast<std::byte const*>(x.data) + (col * x.ld + row) * size;
    if (prefetches && col + tiles.tile_cols < whole.cols)
      prefetch(from + tiles.tile_cols * x.ld * size, x.ld * size, part);
    x.crosses->move(
        {from, x.ld * size, reinterpret_cast<std::byte*>(to), tiles.tile_cols * size, part.cols, part.rows});
    ld = tiles.tile_cols;
    return to;
  }

  void prefetch(std::byte const* from, Index ld, arch::adding::Rows<Real> const& part) const {
    for (Index j = 0; j < part.cols; ++j) {
      for (Index at = 0; at < part.rows * parts * static_cast<Index>(sizeof(Real)); at += 64)
        __builtin_prefetch(from + j * ld + at);
    }
  }
};

template <class Exec, class T, class Accumulator>
void run_blocked(Exec const& exec, Problem<T, T, T, Accumulator> const& p, Plan const& plan, std::string const& name) {
  using Real = typename HostReal<T>::type;
  constexpr int parts = is_complex_v<T> ? 2 : 1;
  auto const* const transposing =
      arch::find_transpose_kernel(*arch::host_kernels<arch::TransposeKernels>(), sizeof(T), false);
  auto const operand = [transposing](Matrix<T const> const& x) {
    auto const* const data = reinterpret_cast<Real const*>(x.data);
    if (x.col_stride == 1) return Operand<Real>{data, x.row_stride, nullptr};
    return Operand<Real>{data, x.col_stride, transposing};
  };
  // Where one operand is read only, it comes first.
  Operand<Real> const first = operand(p.reads_a() ? p.a : p.b);
  Operand<Real> const second = p.reads_a() && p.reads_b() ? operand(p.b) : Operand<Real>{};
  arch::adding::Rows<Real> rows{};
  rows.c = reinterpret_cast<Real*>(p.c.data);
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
  tile::TileGrid const tiles = launch::row_tiles(rows.rows, rows.cols, plan.tile);
  BlockedKernel<Real> const kernel{
      host_rows<T, Real>(*arch::host_kernels<arch::AddKernels>()), rows, first, second, tiles, parts, plan.prefetches};
  launch::units(exec, tiles.count(), plan.on_caller, kernel, name);
}

}  // namespace pantile::impl::add

// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  What is computed with the panels that MatmulLoop brings: a tile of sums in exec's memory.

#include <pantile/element.hpp>
#include <pantile/impl/arch/device_tuning.hpp>
#include <pantile/impl/kokkos_ext/launch.hpp>
#include <pantile/impl/out_of_core/matmul.hpp>
#include <pantile/impl/out_of_core/plan.hpp>
#include <pantile/impl/out_of_core/tile_view.hpp>
#include <pantile/tile_store.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

namespace pantile::impl::out_of_core {

/// to = from, converted.
template <class To, class From>
struct Convert {
  To to;
  From from;

  KOKKOS_FUNCTION void operator()(std::int64_t j, std::int64_t i) const {
    to(i, j) = pantile::convert<typename To::value_type>(from(i, j));
  }
};

/// \tparam Calls  the library's faces: multiply(exec, alpha, A, B, beta, C), copy(exec, to, from), and to_device(exec,
///                view), which is the view itself on hosts
template <class T, class TC, class Accumulator, class Exec, class Calls>
class TileProduct {
 public:
  TileProduct(Exec const& exec, MatmulPlan const& plan, MatmulStores const& stores, Calls const& calls,
              Accumulator alpha, Accumulator beta)
      : m_exec(exec),
        m_stores(stores),
        m_calls(calls),
        m_alpha(alpha),
        m_beta(beta),
        m_sums(Kokkos::view_alloc("pantile::out_of_core: tile of C", Kokkos::WithoutInitializing),
               static_cast<std::size_t>(plan.tile_rows * plan.tile_cols)),
        m_strip(Kokkos::view_alloc("pantile::out_of_core: strip of C", Kokkos::WithoutInitializing),
                converts ? plan.strip_bytes / sizeof(TC) : 0) {}

  void begin(Part const& tile) {
    m_tile = packed<Accumulator, Memory>(m_sums.data(), tile.rows, tile.cols, m_stores.c.shape().order);
  }

  void use_a(Step const& step, std::byte const* panel) {
    m_a = bring(panel, step.a.rows, step.a.cols, m_stores.a.shape().order, m_stores.a_transposed);
  }
  void use_b(Step const& step, std::byte const* panel) {
    m_b = bring(panel, step.b.rows, step.b.cols, m_stores.b.shape().order, m_stores.b_transposed);
  }

  void multiply(Step const& step, Part const& strip) {
    if (step.depth == 0) {
      m_a = bring(nullptr, step.c.rows, 0, Order::rows, m_stores.a_transposed);
      m_b = bring(nullptr, 0, step.c.cols, Order::rows, m_stores.b_transposed);
    }
    std::int64_t const in_a = step.begin - step.a.col, in_b = step.begin - step.b.row;
    auto const a = m_stores.a_transposed ? part_of(m_a, in_a, step.depth, strip.row, strip.rows)
                                         : part_of(m_a, strip.row, strip.rows, in_a, step.depth);
    auto const b = m_stores.b_transposed ? part_of(m_b, strip.col, strip.cols, in_b, step.depth)
                                         : part_of(m_b, in_b, step.depth, strip.col, strip.cols);
    m_calls.multiply(m_exec, m_alpha, a, b, step.first ? m_beta : Accumulator(1), of_tile(strip));
    m_exec.fence("pantile::out_of_core: a step of k");
  }

  void add_old(Part const& strip, std::byte const* elements) {
    auto const from =
        packed(reinterpret_cast<TC const*>(elements), strip.rows, strip.cols, m_stores.c_in->shape().order);
    if constexpr (converts) {
      auto const here = strip_view(strip);
      m_calls.copy(m_exec, here, from);
      convert(of_tile(strip), here);
    } else {
      m_calls.copy(m_exec, of_tile(strip), from);
    }
    m_exec.fence("pantile::out_of_core: old values");
  }

  void take(Part const& strip, std::byte* elements) {
    auto const to = packed(reinterpret_cast<TC*>(elements), strip.rows, strip.cols, m_stores.c.shape().order);
    if constexpr (converts) {
      auto const here = strip_view(strip);
      convert(here, of_tile(strip));
      m_calls.copy(m_exec, to, here);
    } else {
      m_calls.copy(m_exec, to, of_tile(strip));
    }
    m_exec.fence("pantile::out_of_core: new values");
  }

 private:
  using Memory = typename Exec::memory_space;
  static constexpr bool converts = !std::is_same_v<TC, Accumulator>;
  using Panel = decltype(std::declval<Calls>().to_device(std::declval<Exec>(), TileView<T const, Kokkos::HostSpace>()));

  Panel bring(std::byte const* panel, std::int64_t rows, std::int64_t cols, Order order, bool transposed) const {
    if (transposed) std::swap(rows, cols);
    return m_calls.to_device(m_exec, packed(reinterpret_cast<T const*>(panel), rows, cols, order));
  }

  [[nodiscard]] TileView<Accumulator, Memory> of_tile(Part const& strip) const {
    return part_of(m_tile, strip.row, strip.rows, strip.col, strip.cols);
  }
  [[nodiscard]] TileView<TC, Memory> strip_view(Part const& strip) const {
    return packed<TC, Memory>(m_strip.data(), strip.rows, strip.cols, m_stores.c.shape().order);
  }

  template <class To, class From>
  void convert(To const& to, From const& from) const {
    auto const rows = static_cast<std::int64_t>(to.extent(0)), cols = static_cast<std::int64_t>(to.extent(1));
    kokkos_ext::for_fast_slow("pantile::out_of_core[convert]", m_exec, cols, rows, arch::device::range_threads, 1,
                              Convert<To, From>{to, from});
  }

  Exec m_exec;
  MatmulStores const& m_stores;
  Calls m_calls;
  Accumulator m_alpha, m_beta;
  Kokkos::View<Accumulator*, Memory> m_sums;
  Kokkos::View<TC*, Memory> m_strip;
  TileView<Accumulator, Memory> m_tile;
  Panel m_a, m_b;
};

}  // namespace pantile::impl::out_of_core

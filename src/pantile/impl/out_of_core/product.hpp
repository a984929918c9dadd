// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  A product by tiles: the plan, and the products of panels, which are summed in a tile in exec's memory.

#include <pantile/element.hpp>
#include <pantile/impl/arch/device_tuning.hpp>
#include <pantile/impl/kokkos_ext/range_2d.hpp>
#include <pantile/impl/out_of_core/call.hpp>
#include <pantile/impl/out_of_core/matmul.hpp>
#include <pantile/impl/out_of_core/plan.hpp>
#include <pantile/impl/out_of_core/tile_view.hpp>
#include <pantile/matmul.hpp>
#include <pantile/tile_store.hpp>
#include <pantile/transfer.hpp>

#include <Kokkos_Core.hpp>
#include <Kokkos_Profiling_ScopedRegion.hpp>

#include <cstddef>
#include <cstdint>
#include <source_location>
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

/// \brief  What MatmulLoop calls: products of panels, by pantile::matmul, into a tile of sums.
/// \tparam T, TC  elements of A and B, of C
template <class T, class TC, class Accumulator, class Exec>
class TileProduct {
 public:
  TileProduct(Exec const& exec, MatmulPlan const& plan, MatmulStores const& stores, MatmulOptions const& how,
              std::source_location where, Accumulator alpha, Accumulator beta)
      : m_exec(exec),
        m_stores(stores),
        m_how(how),
        m_where(where),
        m_alpha(alpha),
        m_beta(beta),
        m_sums(Kokkos::view_alloc("pantile::out_of_core: tile of C", Kokkos::WithoutInitializing),
               static_cast<std::size_t>(plan.tile_rows * plan.tile_cols)),
        m_strip(Kokkos::view_alloc("pantile::out_of_core: strip of C", Kokkos::WithoutInitializing),
                converts ? plan.strip_bytes / sizeof(TC) : 0) {}

  void begin(Part const& tile) { m_tile = packed<Accumulator, Memory>(m_sums.data(), tile, m_stores.c.shape().order); }

  void use_a(Step const& step, std::byte const* panel) {
    m_a = bring(panel, step.a, m_stores.a.shape().order, m_stores.a_transposed);
  }
  void use_b(Step const& step, std::byte const* panel) {
    m_b = bring(panel, step.b, m_stores.b.shape().order, m_stores.b_transposed);
  }

  void multiply(Step const& step, Part const& strip) {
    if (step.depth == 0) {
      m_a = bring(nullptr, {0, 0, step.c.rows, 0}, Order::rows, m_stores.a_transposed);
      m_b = bring(nullptr, {0, 0, 0, step.c.cols}, Order::rows, m_stores.b_transposed);
    }
    Part const a{strip.row, step.begin - step.a.col, strip.rows, step.depth};
    Part const b{step.begin - step.b.row, strip.col, step.depth, strip.cols};
    pantile::matmul<Accumulator>(m_exec, m_alpha, part_of(m_a, m_stores.a_transposed ? a.transposed() : a),
                                 part_of(m_b, m_stores.b_transposed ? b.transposed() : b),
                                 step.first ? m_beta : Accumulator(1), part_of(m_tile, strip), m_how, m_where);
    m_exec.fence("pantile::out_of_core: a step of k");
  }

  void add_old(Part const& strip, std::byte const* elements) {
    auto const here = in_elements(strip);
    auto const old = packed(reinterpret_cast<TC const*>(elements), strip, m_stores.c_in->shape().order);
    pantile::copy(m_exec, here, old, m_where);
    if constexpr (converts) convert(part_of(m_tile, strip), here);
    m_exec.fence("pantile::out_of_core: old values");
  }

  void take(Part const& strip, std::byte* elements) {
    auto const here = in_elements(strip);
    if constexpr (converts) convert(here, part_of(m_tile, strip));
    auto const result = packed(reinterpret_cast<TC*>(elements), strip, m_stores.c.shape().order);
    pantile::copy(m_exec, result, here, m_where);
    m_exec.fence("pantile::out_of_core: new values");
  }

 private:
  using Memory = typename Exec::memory_space;
  static constexpr bool converts = !std::is_same_v<TC, Accumulator>;
  using Panel = decltype(pantile::to_device(std::declval<Exec>(), TileView<T const, Kokkos::HostSpace>()));

  /// The panel in exec's memory; on hosts where it lies.
  Panel bring(std::byte const* panel, Part const& part, Order order, bool transposed) const {
    auto const* const elements = reinterpret_cast<T const*>(panel);
    return pantile::to_device(m_exec, packed(elements, transposed ? part.transposed() : part, order), m_where);
  }

  /// The strip where it has C's elements, in exec's memory: of the tile itself, or beside it.
  [[nodiscard]] auto in_elements(Part const& strip) const {
    if constexpr (converts) {
      return packed<TC, Memory>(m_strip.data(), strip, m_stores.c.shape().order);
    } else {
      return part_of(m_tile, strip);
    }
  }

  template <class To, class From>
  void convert(To const& to, From const& from) const {
    auto const rows = static_cast<std::int64_t>(to.extent(0)), cols = static_cast<std::int64_t>(to.extent(1));
    kokkos_ext::for_fast_slow("pantile::out_of_core[convert]", m_exec, cols, rows, arch::device::range_threads, 1,
                              Convert<To, From>{to, from});
  }

  Exec m_exec;
  MatmulStores const& m_stores;
  MatmulOptions m_how;
  std::source_location m_where;
  Accumulator m_alpha, m_beta;
  Kokkos::View<Accumulator*, Memory> m_sums;
  Kokkos::View<TC*, Memory> m_strip;
  TileView<Accumulator, Memory> m_tile;
  Panel m_a, m_b;
};

/// The tiles of a call, after the checks.
template <class T, class TC, class Sum, class Alpha, class Beta>
MatmulPlan plan_call(Alpha const& alpha, TileSource& a, TileSource& b, Beta const& beta, TileSource& c_in, TileSink& c,
                     OutOfCoreOptions const& options, MatmulOptions const& how, std::source_location where) {
  bool const reads_a_and_b = to_scalar<Sum>(alpha) != Sum(0), reads_c = to_scalar<Sum>(beta) != Sum(0);
  return checked_plan(stores_of(a, b, reads_c ? &c_in : nullptr, c, how), {sizeof(T), sizeof(TC), sizeof(Sum)},
                      reads_a_and_b, options, where);
}

template <class T, class TC, class Sum, class Exec, class Alpha, class Beta>
void multiply(Exec const& exec, Alpha const& alpha, TileSource& a, TileSource& b, Beta const& beta, TileSource& c_in,
              TileSink& c, OutOfCoreOptions const& options, MatmulOptions const& how, std::source_location where) {
  Kokkos::Profiling::ScopedRegion const region("pantile::out_of_core::matmul");
  auto const plan = plan_call<T, TC, Sum>(alpha, a, b, beta, c_in, c, options, how, where);
  auto const factor = to_scalar<Sum>(alpha), keep = to_scalar<Sum>(beta);
  auto const stores = stores_of(a, b, keep == Sum(0) ? nullptr : &c_in, c, how);
  TileProduct<T, TC, Sum, Exec> product(exec, plan, stores, how, where, factor, keep);
  MatmulLoop(plan, stores, options).run(product);
}

}  // namespace pantile::impl::out_of_core

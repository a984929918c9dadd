// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  The loop over the tiles of a product: one thread reads panels ahead, one writes strips of C, the calling
///        thread computes.

#include <pantile/impl/out_of_core/plan.hpp>
#include <pantile/impl/out_of_core/ring.hpp>
#include <pantile/impl/out_of_core/schedule.hpp>
#include <pantile/out_of_core_plan.hpp>
#include <pantile/tile_store.hpp>

#include <cstddef>
#include <cstdint>

namespace pantile::impl::out_of_core {

/// The threads of a product, and their buffers.
class MatmulLoop {
 public:
  MatmulLoop(MatmulPlan const& plan, MatmulStores const& stores, OutOfCoreOptions const& options)
      : m_plan(plan),
        m_stores(stores),
        m_options(options),
        m_a(m_crew, plan.keeps_a ? 1 : 2, plan.a_bytes, plan.a_in_strips ? plan.strips() : 1, part_bytes(stores.a)),
        m_b(m_crew, plan.keeps_b ? 1 : 2, plan.b_bytes, plan.b_in_strips ? plan.strips() : 1, part_bytes(stores.b)),
        m_old(m_crew, stores.c_in != nullptr ? 2 : 0, plan.strip_bytes),
        m_new(m_crew, 2, plan.strip_bytes) {}

  /// \brief  Calls `compute` in the calling thread, where each call is done when it returns: begin(tile); use_a(step,
  ///         panel) and use_b where they are new; add_old(strip, elements) where old values count; multiply(step, part
  ///         of the tile); take(strip, elements) to fill them.
  template <class Compute>
  void run(Compute& compute) {
    m_crew.work([&] {
      m_crew.start([this] { read(); });
      m_crew.start([this] { write(); });
      for_each_step(m_plan, m_options.first_tile, [&](Step const& step) {
        if (step.first) compute.begin(step.c);
        if (step.loads_a) compute.use_a(step, m_a.to_empty(parts(step, m_plan.a_in_strips)));
        if (step.loads_b) compute.use_b(step, m_b.to_empty(parts(step, m_plan.b_in_strips)));
        bool const adds = step.first && m_stores.c_in != nullptr;
        Part const tile{0, 0, step.c.rows, step.c.cols};
        if (adds || step.last) {
          for_each_strip(m_plan, tile, [&](Part const& strip) { multiply_strip(compute, step, strip, adds); });
        } else {
          compute.multiply(step, tile);
        }
        give_back(step, false);
        tell(step);
      });
    });
  }

 private:
  /// Of a panel that is filled in strips.
  [[nodiscard]] std::size_t part_bytes(TileSource const& source) const {
    return static_cast<std::size_t>(m_plan.strip * m_plan.k) * source.shape().element_bytes;
  }
  [[nodiscard]] std::int64_t parts(Step const& step, bool in_strips) const {
    return in_strips ? strips_of(m_plan, step.c) : 1;
  }

  /// Panels that no later step has, or a strip's part of them.
  void give_back(Step const& step, bool strip) {
    if (step.frees_a && m_plan.a_in_strips == strip) m_a.emptied();
    if (step.frees_b && m_plan.b_in_strips == strip) m_b.emptied();
  }

  /// The first and the last step go strip by strip, so that others are read or written at the same time.
  template <class Compute>
  void multiply_strip(Compute& compute, Step const& step, Part const& strip, bool adds) {
    if (adds) {
      compute.add_old(strip, m_old.to_empty());
      m_old.emptied();
    }
    compute.multiply(step, strip);
    if (!step.last) return;
    give_back(step, true);
    compute.take(strip, m_new.to_fill(m_stores.c.begin_in_block(inside(step.c, strip))));
    m_new.filled();
  }

  void tell(Step const& step) const {
    if (!m_options.on_progress) return;
    double const steps = static_cast<double>(m_plan.steps());
    double const done =
        static_cast<double>(step.tile) + (step.last ? 1 : static_cast<double>(step.begin / m_plan.depth + 1) / steps);
    m_options.on_progress(done / static_cast<double>(m_plan.tiles()));
  }

  void read() {
    for_each_step(m_plan, m_options.first_tile, [&](Step const& step) {
      auto const read_a = [&] {
        if (step.loads_a) fill_panel(m_a, m_stores.a, m_stores.a_transposed, step.a, m_plan.a_in_strips);
      };
      // What a panel that stays waits for does not hold up the other one.
      if (!m_plan.keeps_a) read_a();
      if (step.loads_b) fill_panel(m_b, m_stores.b, m_stores.b_transposed, step.b, m_plan.b_in_strips);
      if (m_plan.keeps_a) read_a();
      if (step.first && m_stores.c_in != nullptr) {
        for_each_strip(m_plan, step.c, [&](Part const& strip) { fill(m_old, *m_stores.c_in, strip); });
      }
    });
  }

  void fill_panel(Ring& ring, TileSource& source, bool transposed, Part const& panel, bool in_strips) const {
    for_each_part(m_plan, panel, in_strips,
                  [&](Part const& part) { fill(ring, source, transposed ? part.transposed() : part); });
  }

  static void fill(Ring& ring, TileSource& source, Part const& part) {
    source.read(part, ring.to_fill(source.begin_in_block(part)));
    ring.filled();
  }

  void write() {
    for (std::int64_t tile = m_options.first_tile; tile < m_plan.tiles(); ++tile) {
      for_each_strip(m_plan, tile_of(m_plan, tile), [&](Part const& strip) {
        m_stores.c.write(strip, m_new.to_empty());
        m_new.emptied();
      });
      if (m_options.on_tile) m_options.on_tile(tile + 1);
    }
  }

  MatmulPlan const& m_plan;
  MatmulStores const& m_stores;
  OutOfCoreOptions const& m_options;
  Crew m_crew;
  Ring m_a, m_b, m_old, m_new;
};

}  // namespace pantile::impl::out_of_core

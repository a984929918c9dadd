// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  A product by ScaLAPACK, on the host: of parts on devices slab by slab, while the one before is taken back to
///        the device and the next one brought.

#include <pantile/transfer.hpp>

#include <pantile/impl/arch/host/tuning/mpi.hpp>
#include <pantile/impl/kokkos_ext/memory.hpp>
#include <pantile/impl/mpi/checks.hpp>
#include <pantile/impl/mpi/edge.hpp>
#include <pantile/impl/mpi/pblas.hpp>
#include <pantile/impl/mpi/slab_plan.hpp>
#include <pantile/impl/mpi/staging.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>

namespace pantile::impl::mpi {

/// A part in slabs, or as a whole: itself where the host reaches it, else in pinned memory.
template <class View>
class SlabOperand {
 public:
  SlabOperand(DistributedMatrix<View> const& matrix, Cut cut, Slabs const& slabs)
      : m_matrix(matrix), m_cut(cut), m_slabs(cut == Cut::none ? Slabs{} : slabs) {
    if constexpr (!on_host<View>) {  // no slab is larger than the first
      m_memory.reserve(static_cast<int>(std::min<std::int64_t>(m_slabs.count(), 2)), window(0).size() * sizeof(Element),
                       false);
    }
  }

  /// Enqueues the way to the host; of what is whole, with the first slab.
  template <class Exec>
  void bring(Exec const& exec, std::int64_t slab) {
    if constexpr (!on_host<View>) {
      if (slab < m_slabs.count()) pantile::copy(exec, pinned(slab), window(slab));
    }
  }
  /// And back; of what is whole, with the last slab of the product.
  template <class Exec>
  void take_back(Exec const& exec, std::int64_t slab, bool is_last) {
    if constexpr (!on_host<View>) {
      if (m_cut != Cut::none || is_last) pantile::copy(exec, window(slab), pinned(slab));
    }
  }

  /// Until the next call.
  [[nodiscard]] Part part(std::int64_t slab) {
    auto const& d = m_matrix.distribution;
    m_distribution = DistributionAccess::like(d, m_cut == Cut::rows ? m_slabs.length(slab) : d.rows(),
                                              m_cut == Cut::cols ? m_slabs.length(slab) : d.cols());
    if constexpr (on_host<View>) {
      return part_of(*m_distribution, window(slab));
    } else {
      return part_of(*m_distribution, pinned(slab));
    }
  }

 private:
  using Element = typename View::non_const_value_type;
  using Window = Kokkos::View<typename View::value_type**, typename View::array_layout, typename View::device_type,
                              Kokkos::MemoryUnmanaged>;
  using Pinned = Kokkos::View<Element**, typename View::array_layout, kokkos_ext::PinnedSpace, Kokkos::MemoryUnmanaged>;

  /// Local rows or columns that are the slab's, which begins a block at the first place.
  [[nodiscard]] auto range(Direction along, int place, std::int64_t slab) const {
    along.extent = m_slabs.begin(slab);
    std::size_t const begin = along.local_extent(place);
    along.extent = m_slabs.length(slab);
    return std::pair(begin, begin + along.local_extent(place));
  }
  [[nodiscard]] Window window(std::int64_t slab) const {
    auto const& d = m_matrix.distribution;
    std::pair<std::size_t, std::size_t> rows(0, m_matrix.local.extent(0)), cols(0, m_matrix.local.extent(1));
    if (m_cut == Cut::rows) rows = range(along_rows(d), d.grid().row(), slab);
    if (m_cut == Cut::cols) cols = range(along_cols(d), d.grid().col(), slab);
    return Kokkos::subview(m_matrix.local, rows, cols);
  }
  [[nodiscard]] Pinned pinned(std::int64_t slab) {
    auto const like = window(slab);
    return Pinned(reinterpret_cast<Element*>(m_memory.of(slab)), like.extent(0), like.extent(1));
  }

  DistributedMatrix<View> const& m_matrix;
  Cut m_cut;
  Slabs m_slabs;
  Turns<kokkos_ext::PinnedSpace> m_memory;
  std::optional<Distribution> m_distribution;
};

/// C = alpha op_a(A) op_b(B) + beta C.
template <class Exec, class ViewA, class ViewB, class ViewC>
class Product {
 public:
  using T = element_t<ViewC>;
  struct Scalars {
    T alpha, beta;
  };

  /// Not collective: takes the memory, and brings the first slabs. The matrices must live as long as this.
  Product(Exec const& exec, Op op_a, Op op_b, Scalars const& scalars, DistributedMatrix<ViewA> const& a,
          DistributedMatrix<ViewB> const& b, DistributedMatrix<ViewC> const& c,
          std::size_t slab_bytes = arch::host::product_slab_bytes)
      : m_exec(exec),
        m_op_a(op_a),
        m_op_b(op_b),
        m_scalars(scalars),
        m_plan(plan_product({{&a.distribution, &b.distribution, &c.distribution},
                             {!on_host<ViewA>, !on_host<ViewB>, !on_host<ViewC>},
                             sizeof(T)},
                            op_a, op_b, slab_bytes)),
        m_a(a, m_plan.cuts[0], m_plan.slabs),
        m_b(b, m_plan.cuts[1], m_plan.slabs),
        m_c(c, m_plan.cuts[2], m_plan.slabs) {
    bring(0);
    fence();
  }

  /// Collective, and once: C is there when it returns.
  void run() {
    std::int64_t const last = m_plan.slabs.count() - 1;
    T const one(1);
    for (std::int64_t slab = 0; slab <= last; ++slab) {
      if (slab > 0) m_c.take_back(m_exec, slab - 1, false);
      if (slab < last) bring(slab + 1);
      T const& beta = slab > 0 && m_plan.cuts_sums() ? one : m_scalars.beta;
      gemm(number_of<T>, m_op_a, m_op_b, &m_scalars.alpha, m_a.part(slab), m_b.part(slab), &beta, m_c.part(slab));
      fence();
    }
    m_c.take_back(m_exec, last, true);
    fence();
  }

 private:
  void bring(std::int64_t slab) {
    if (!(m_scalars.alpha == T(0))) {
      m_a.bring(m_exec, slab);
      m_b.bring(m_exec, slab);
    }
    if (!(m_scalars.beta == T(0))) m_c.bring(m_exec, slab);
  }
  /// The host reads what has been brought, and its memory is left alone.
  void fence() const { m_exec.fence("pantile::mpi: slabs on their way"); }

  Exec m_exec;
  Op m_op_a, m_op_b;
  Scalars m_scalars;
  ProductPlan m_plan;
  SlabOperand<ViewA> m_a;
  SlabOperand<ViewB> m_b;
  SlabOperand<ViewC> m_c;
};

}  // namespace pantile::impl::mpi

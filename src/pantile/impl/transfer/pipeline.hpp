// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  Chunks of rows copied in, passed to the body, and copied back, by several instances in turn.

#include <pantile/impl/transfer/block_pool.hpp>
#include <pantile/impl/transfer/call.hpp>
#include <pantile/impl/transfer/chunks.hpp>
#include <pantile/impl/transfer/pipeline_plan.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace pantile::impl::transfer {

/// The rows of a View; a vector's rows are its elements.
template <class View>
auto row_range(View const& view, RowRange rows) {
  std::pair<std::int64_t, std::int64_t> const range(rows.first, rows.first + rows.count);
  if constexpr (View::rank() == 1) {
    return Kokkos::subview(view, range);
  } else {
    return Kokkos::subview(view, range, Kokkos::ALL);
  }
}

/// \brief  An instance that takes its turn. Tests have one that works late.
template <class Exec>
class Lane {
 public:
  explicit Lane(Exec const& exec) : m_exec(exec) {}

  [[nodiscard]] Exec const& exec() const { return m_exec; }
  /// Asynchronous between a device and pinned memory: one bulk copy, or one kernel.
  template <class ToSpace, class FromSpace, class T>
  void copy(Problem<T> const& p) const {
    using Path = Route<Exec, T, ToSpace, FromSpace>;
    Path const route(m_exec, p, Path::plan(p, {.chunk_bytes = 0}));
    route.run();
    route.wait_for_staging();
  }
  void fence() const { m_exec.fence("pantile::pipeline: a chunk"); }

 private:
  Exec m_exec;
};

/// \brief  An array of a pipeline, and its chunks' memory on every lane. The pinned block of a lane serves both ways:
///         its content has left for the device before the result arrives, in the lane's order.
/// \tparam Result  what the body is given: the array's own rows where `Result::alias`, else a packed chunk. See Arrival
template <class Result, Role role, class View>
class Port {
 public:
  using T = typename View::non_const_value_type;
  using Exec = typename Result::Exec;
  static constexpr bool aliased = Result::alias;
  using Chunk = Kokkos::View<typename Result::type::data_type, typename Result::Layout,
                             Kokkos::Device<Exec, typename Result::Space>, Kokkos::MemoryUnmanaged>;

  /// \param  staged  its chunks pass through pinned memory
  Port(View const& array, bool staged) : m_array(array), m_staged(staged && !Result::alias) {}

  [[nodiscard]] PipelineArray facts() const {
    return {row_elements() * sizeof(T), role != Role::out, role != Role::in, Result::alias, m_staged};
  }
  [[nodiscard]] View const& array() const { return m_array; }

  /// Memory for a chunk on each lane.
  template <class Instances>
  void prepare(Instances const& instances, PipelinePlan const& plan) {
    if constexpr (!Result::alias) {
      std::size_t const count = row_elements() * static_cast<std::size_t>(plan.chunk_rows);
      for (auto const& exec : instances) {
        m_memory.emplace_back(Kokkos::view_alloc(exec, Kokkos::WithoutInitializing, "pantile::pipeline::chunk"), count);
      }
      if (!m_staged || count == 0) return;
      m_pinned.reserve(static_cast<int>(m_memory.size()), count * sizeof(T), TransferOptions{}.keep_bytes);
      for (PinnedBlock& block : m_pinned.blocks()) (void)free_chunk<T>(block);
    }
  }

  [[nodiscard]] Chunk chunk(std::size_t lane, RowRange rows) const {
    auto const own = row_range(m_array, rows);
    if constexpr (Result::alias) {
      return own;
    } else {
      return Chunk(m_memory[lane].data(), packed_layout<typename Result::Layout>(own));
    }
  }

  /// Enqueue the way in; the host has read the rows when it returns if they are staged.
  template <class AnyLane>
  void bring(AnyLane const& to, std::size_t lane, RowRange rows) {
    if constexpr (!Result::alias && role != Role::out) {
      auto const own = to_const_matrix(row_range(m_array, rows));
      if (own.count() == 0) return;
      auto const here = chunk_matrix<T>(lane, rows, m_memory[lane].data());
      if (m_staged) {
        copy_on_host(chunk_matrix<T>(lane, rows, pinned_data(lane)), own, labels<Host, T>().pack);
        to.template copy<typename Result::Space, kokkos_ext::PinnedSpace>(
            Problem<T>{here, chunk_matrix<T const>(lane, rows, pinned_data(lane))});
      } else {
        to.template copy<typename Result::Space, typename View::memory_space>(Problem<T>{here, own});
      }
    }
  }

  /// Enqueue the way back; to pinned memory only if the rows are staged.
  template <class AnyLane>
  void take(AnyLane const& from, std::size_t lane, RowRange rows) {
    if constexpr (!Result::alias && role != Role::in) {
      Matrix<T> const own = to_matrix(row_range(m_array, rows));
      if (own.count() == 0) return;
      auto const there = chunk_matrix<T const>(lane, rows, m_memory[lane].data());
      if (m_staged) {
        from.template copy<kokkos_ext::PinnedSpace, typename Result::Space>(
            Problem<T>{chunk_matrix<T>(lane, rows, pinned_data(lane)), there});
      } else {
        from.template copy<typename View::memory_space, typename Result::Space>(Problem<T>{own, there});
      }
    }
  }

  /// The rest of the way back, after a fence of the lane.
  void unload(std::size_t lane, RowRange rows) {
    if constexpr (!Result::alias && role != Role::in) {
      Matrix<T> const own = to_matrix(row_range(m_array, rows));
      if (!m_staged || own.count() == 0) return;
      copy_on_host(own, chunk_matrix<T const>(lane, rows, pinned_data(lane)), labels<Host, T>().unpack);
    }
  }

 private:
  [[nodiscard]] std::size_t row_elements() const { return static_cast<std::size_t>(to_matrix(m_array).cols); }
  [[nodiscard]] T* pinned_data(std::size_t lane) { return reinterpret_cast<T*>(m_pinned.blocks()[lane].memory.data()); }
  /// A chunk at this address, packed as the body sees it.
  template <class U>
  [[nodiscard]] Matrix<U> chunk_matrix(std::size_t lane, RowRange rows, U* data) const {
    auto const like = to_matrix(chunk(lane, rows));
    return {data, like.rows, like.cols, like.row_stride, like.col_stride};
  }

  View m_array;
  bool m_staged;
  std::vector<Kokkos::View<T*, typename Exec::memory_space>> m_memory;
  Chunks m_pinned;
};

/// \brief  All chunks, lane after lane. The host waits for a lane only where it must touch the lane's pinned memory.
///         When it returns, and when it throws, all lanes are done.
template <class AnyLane, class Body, class... Ports>
void run_pipeline(std::span<AnyLane const> lanes, PipelinePlan const& plan, Body const& body, Ports&... ports) {
  auto const depth = static_cast<std::int64_t>(lanes.size());
  auto const finish = [&](std::int64_t chunk) {
    auto const lane = static_cast<std::size_t>(chunk % depth);
    lanes[lane].fence();
    (ports.unload(lane, plan.range(chunk)), ...);
  };
  try {
    for (std::int64_t chunk = 0; chunk < plan.chunks; ++chunk) {
      if (plan.staged && chunk >= depth) finish(chunk - depth);
      auto const lane = static_cast<std::size_t>(chunk % depth);
      RowRange const rows = plan.range(chunk);
      (ports.bring(lanes[lane], lane, rows), ...);
      body(lanes[lane].exec(), ports.chunk(lane, rows)..., rows.first);
      (ports.take(lanes[lane], lane, rows), ...);
    }
    for (std::int64_t chunk = std::max<std::int64_t>(0, plan.chunks - depth); chunk < plan.chunks; ++chunk) {
      finish(chunk);
    }
  } catch (...) {
    for (AnyLane const& lane : lanes) {
      try {
        lane.fence();
      } catch (...) {  // the first failure is the one to tell
      }
    }
    throw;
  }
}

}  // namespace pantile::impl::transfer

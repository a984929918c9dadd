// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  Executes the plan: one kernel, one bulk copy, a copy through chunks, or pack, bulk copy, unpack.

#include <pantile/policy.hpp>

#include <pantile/impl/arch/current.hpp>
#include <pantile/impl/transfer/block_pool.hpp>
#include <pantile/impl/transfer/launch.hpp>
#include <pantile/impl/transfer/places.hpp>
#include <pantile/impl/transfer/problem.hpp>
#if defined(PANTILE_HAS_DEVICES)
#include <pantile/impl/transfer/chunks.hpp>
#endif

#include <Kokkos_Core.hpp>
#include <Kokkos_Profiling_ScopedRegion.hpp>

#include <cstddef>
#include <string>
#include <type_traits>

namespace pantile::impl::transfer {

/// The given instance, or the default one where another space is wanted.
template <class Wanted, class Given>
Wanted instance(Given const& given) {
  if constexpr (std::is_same_v<Wanted, Given>) {
    return given;
  } else {
    return Wanted{};
  }
}

/// \brief  A transfer whose memory is allocated when it is made, but for the chunks, which a scope's transfers share.
/// \tparam Exec  of the caller's instance; where it is no device's and cannot access both sides, Driver's default works
template <class Exec, class T, class ToSpace, class FromSpace, bool AlwaysStages = false>
class Route {
 public:
  using DriverExec = Driver<Exec, ToSpace, FromSpace>;
  using ToWorker = Worker<DriverExec, ToSpace>;
  using FromWorker = Worker<DriverExec, FromSpace>;
  static constexpr bool one_kernel = reaches<DriverExec, ToSpace> && reaches<DriverExec, FromSpace>;
  static constexpr bool foreign = !std::is_same_v<DriverExec, Exec>;
  static constexpr bool chunked = has_chunks<DriverExec>;
  static constexpr bool stages = AlwaysStages || chunked || !one_kernel;  ///< plans may have packed copies

  static Plan plan(Problem<T> const& p, TransferOptions const& options = {}) {
    Plan plan =
        choose(make_query(p, memory_kind<ToSpace>(), memory_kind<FromSpace>(), arch::Current<DriverExec>::device,
                          one_kernel, chunked ? options.chunk_bytes : 0, options.in_flight));
    if (foreign && plan.path != TransferPath::none) plan.blocks = true;
    return plan;
  }

  /// \param  chunks  of the plan's number and size; used where the path is chunked, and must live as long as this
  Route(Exec const& exec, Problem<T> const& p, Plan const& plan, Chunks* chunks = nullptr)
      : m_exec(exec), m_driver(instance<DriverExec>(exec)), m_problem(p), m_plan(plan), m_chunks(chunks) {
    if constexpr (stages) {
      bool const pieces = plan.path == TransferPath::chunked;
      auto const count = pieces ? plan.piece_bytes / sizeof(T) : static_cast<std::size_t>(p.source.count());
      if (plan.pack) m_packed = staging<FromWorker>(count);
      if (plan.unpack) m_unpacked = staging<ToWorker>(count);
    }
  }

  /// Enqueue the transfer. May be called again.
  void run() const {
    if (m_plan.path == TransferPath::none) return;
    auto const& names = labels<DriverExec, T>();
    Kokkos::Profiling::ScopedRegion const region(names.of(m_plan.path));
    if constexpr (foreign) m_exec.fence("pantile::transfer: the work before, on the caller's instance");
    if (m_plan.path == TransferPath::kernel) {
      if constexpr (one_kernel) impl::transfer::run(m_driver, m_problem.destination, m_problem.source, names.copy);
    } else if (m_plan.path == TransferPath::chunked) {
      if constexpr (chunked) {
        move_in_pieces<ToSpace, FromSpace>(m_driver, m_problem, m_plan, m_chunks->blocks(), m_packed.data(),
                                           m_unpacked.data(), names);
      }
    } else {
      if constexpr (stages) pack(names.pack);
      bulk();
      if constexpr (stages) unpack(names.unpack);
    }
    if constexpr (foreign) m_driver.fence("pantile::transfer: the copy, on an instance of its own");
  }

  /// Wait until the staging memory is not in use.
  void wait_for_staging() const {
    if (m_plan.pack || m_plan.unpack) m_driver.fence("pantile::transfer: before staging memory is freed");
  }

 private:
  /// Pageable on hosts: to pin memory for a single use costs more than it saves.
  template <class WorkerExec>
  using Staging = Kokkos::View<T*, typename WorkerExec::memory_space>;

  template <class WorkerExec>
  Staging<WorkerExec> staging(std::size_t count) const {
    std::string const label = "pantile::transfer::staging";
    if constexpr (std::is_same_v<WorkerExec, DriverExec>) {  // of several devices, on that of the instance
      return Staging<WorkerExec>(Kokkos::view_alloc(m_driver, Kokkos::WithoutInitializing, label), count);
    } else {
      return Staging<WorkerExec>(Kokkos::view_alloc(Kokkos::WithoutInitializing, label), count);
    }
  }

  void pack(std::string const& name) const {
    if (!m_plan.pack) return;
    if (m_plan.pack_on_host) m_driver.fence("pantile::transfer: before the host packs");
    auto const worker = instance<FromWorker>(m_driver);
    impl::transfer::run(worker, packed_like(m_problem.source, m_packed.data(), m_plan.order), m_problem.source, name);
    if (m_plan.pack_on_host) worker.fence("pantile::transfer: the host has packed");
  }

  void unpack(std::string const& name) const {
    if (!m_plan.unpack) return;
    if (m_plan.unpack_on_host) m_driver.fence("pantile::transfer: before the host unpacks");
    auto const worker = instance<ToWorker>(m_driver);
    impl::transfer::run(worker, m_problem.destination,
                        packed_like<T const>(m_problem.destination, m_unpacked.data(), m_plan.order), name);
    if (m_plan.unpack_on_host) worker.fence("pantile::transfer: the host has unpacked");
  }

  void bulk() const {
    if (m_plan.unpack) {
      bulk_into<typename ToWorker::memory_space>(m_unpacked.data());
    } else {
      bulk_into<ToSpace>(m_problem.destination.data);
    }
  }
  template <class Space>
  void bulk_into(T* to) const {
    if (m_plan.pack) {
      copy_bytes<Space, typename FromWorker::memory_space>(m_driver, to, m_packed.data(), m_plan.bytes);
    } else {
      copy_bytes<Space, FromSpace>(m_driver, to, m_problem.source.data, m_plan.bytes);
    }
  }

  Exec m_exec;
  DriverExec m_driver;
  Problem<T> m_problem;
  Plan m_plan;
  Chunks* m_chunks;
  Staging<FromWorker> m_packed;
  Staging<ToWorker> m_unpacked;
};

}  // namespace pantile::impl::transfer

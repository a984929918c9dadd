// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  Chooses the path of a transfer: a pure function from facts to a plan. Nothing is copied here and no Kokkos is
///        needed, so that tests can ask about memory spaces that their machine does not have.

#include <pantile/transfer_report.hpp>

#include <pantile/impl/arch/device_tuning.hpp>
#include <pantile/impl/arch/host/tuning/transfer.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace pantile::impl::transfer {

/// The order in which the elements of a matrix lie one after the other.
enum class Order { rows, columns };

/// \brief  Kinds of memory.
///  - host: pageable; - pinned: host memory that the device's copy engine and kernels reach;
///  - shared: migrates between both; - device: for the device alone
enum class Memory { host, pinned, shared, device };

/// One end of a transfer.
struct Side {
  Memory memory = Memory::host;
  bool by_rows = true;       ///< contiguous, row after row
  bool by_columns = false;   ///< contiguous, column after column; both for vectors
  Order fast = Order::rows;  ///< the direction in which neighbours lie closest

  [[nodiscard]] constexpr bool packed(Order order) const { return order == Order::rows ? by_rows : by_columns; }
};

/// Everything that a choice may depend on.
struct Query {
  std::int64_t rows = 0, cols = 0;
  std::size_t element_size = 8;
  bool same_elements = false;  ///< destination and source are one and the same
  bool device = false;         ///< the instance that drives the transfer is a device's
  bool one_kernel = true;      ///< its kernels reach both sides
  Side destination{}, source{};
  std::size_t chunk_bytes = 0;  ///< of a pinned chunk; zero where there are none
  int in_flight = 1;            ///< chunks of one copy
};

/// What happens.
struct Plan {
  TransferPath path = TransferPath::none;
  char const* reason = "";
  Order order = Order::rows;    ///< direct, staged, chunked: order of the elements in the bulk copy
  bool pack = false;            ///< staged, chunked: a packed copy at the source; chunked: of a piece, on the device
  bool unpack = false;          ///< likewise at the destination
  bool pack_on_host = false;    ///< the device does not reach the source: a host kernel packs, between fences
  bool unpack_on_host = false;  ///< likewise
  std::size_t bytes = 0;
  std::size_t piece_bytes = 0;  ///< chunked: what travels at a time
  int chunks = 0;               ///< chunked: chunks in use
  std::size_t staging_bytes = 0;
  bool blocks = false;
  bool pageable = false;
};

/// What staging a side costs, in units that only rank: on the host it is slower and the host waits; transposing
/// on the way costs extra. Pinned and shared memory is packed by the device's kernels.
constexpr int staging_cost(Side const& side, Order order) {
  if (side.packed(order)) return 0;
  using namespace arch::host;
  bool const on_host = side.memory == Memory::host, along = side.fast == order;
  return (on_host ? host_staging_cost : device_staging_cost) + (along     ? 0
                                                                : on_host ? host_transposing_cost
                                                                          : device_transposing_cost);
}

/// The order for the bulk copy that stages least: on the device rather than on the host, one side rather than two.
constexpr Order staging_order(Side const& destination, Side const& source) {
  auto const cost = [&](Order order) { return staging_cost(destination, order) + staging_cost(source, order); };
  return cost(Order::columns) < cost(Order::rows) ? Order::columns : Order::rows;
}

/// Does the copy go through pinned chunks? One side is pageable, the other the device's, and it is worth the pieces.
constexpr bool wants_chunks(Query const& query, std::size_t bytes) {
  bool const to_host = query.destination.memory == Memory::host, from_host = query.source.memory == Memory::host;
  Memory const other = to_host ? query.source.memory : query.destination.memory;
  return query.device && to_host != from_host && other != Memory::pinned && bytes >= arch::host::least_chunked_bytes &&
         query.chunk_bytes >= query.element_size;
}

/// \brief  The chunked plan: the host copies along its own fast direction, which costs it the same whether its rows are
///         padded or not; the device transposes and spreads what arrives.
constexpr void choose_chunks(Query const& query, Plan& plan) {
  Side const &to = query.destination, &from = query.source;
  bool const to_host = to.memory == Memory::host;
  Side const &host = to_host ? to : from, &device = to_host ? from : to;
  plan.path = TransferPath::chunked;
  plan.reason = "the host's memory is pageable: moved in pieces through pinned chunks";
  plan.order = host.fast;
  for (Order const order : {Order::columns, Order::rows}) {
    if (host.packed(order) && device.packed(order)) plan.order = order;
  }
  plan.pack = to_host && !from.packed(plan.order);
  plan.unpack = !to_host && !to.packed(plan.order);
  plan.piece_bytes =
      std::min(query.chunk_bytes, std::max(arch::host::least_chunked_bytes / 2, plan.bytes / arch::host::least_pieces));
  plan.piece_bytes = std::max(plan.piece_bytes, query.element_size);
  std::size_t const pieces = (plan.bytes + plan.piece_bytes - 1) / plan.piece_bytes;
  plan.chunks = static_cast<int>(std::min(static_cast<std::size_t>(query.in_flight), pieces));
  plan.staging_bytes = plan.piece_bytes * static_cast<std::size_t>(plan.chunks + (plan.pack || plan.unpack ? 1 : 0));
  plan.pageable = true;
  plan.blocks = true;
}

/// Choose the way.
constexpr Plan choose(Query const& query) {
  Side const &to = query.destination, &from = query.source;
  Plan plan;
  if (query.rows == 0 || query.cols == 0) {
    plan.reason = "there are no elements";
    return plan;
  }
  if (query.same_elements) {
    plan.reason = "destination and source are the same elements";
    return plan;
  }
  plan.bytes = static_cast<std::size_t>(query.rows) * static_cast<std::size_t>(query.cols) * query.element_size;
  if (wants_chunks(query, plan.bytes)) {
    choose_chunks(query, plan);
    return plan;
  }
  bool const pageable = query.device && (to.memory == Memory::host || from.memory == Memory::host);
  for (Order const order : {Order::columns, Order::rows}) {
    if (!to.packed(order) || !from.packed(order)) continue;
    plan.path = TransferPath::direct;
    plan.reason = "both are contiguous in the same order";
    plan.order = order;
    plan.pageable = pageable;
    plan.blocks = !query.device || pageable;
  }
  if (plan.path == TransferPath::direct) return plan;
  if (query.one_kernel) {
    plan.path = TransferPath::kernel;
    plan.reason = "strides or layouts differ, and kernels of the instance reach both";
    plan.blocks = !query.device;
    return plan;
  }
  plan.path = TransferPath::staged;
  plan.reason = "strides or layouts differ, and no kernel reaches both: packed copies are moved";
  plan.order = staging_order(to, from);
  plan.pack = !from.packed(plan.order);
  plan.unpack = !to.packed(plan.order);
  plan.pack_on_host = plan.pack && from.memory == Memory::host;
  plan.unpack_on_host = plan.unpack && to.memory == Memory::host;
  plan.staging_bytes = plan.bytes * ((plan.pack ? 1 : 0) + (plan.unpack ? 1 : 0));
  plan.pageable = pageable;
  plan.blocks = true;
  return plan;
}

/// How one kernel copies: the block of the matrix that a team (device) or a thread (host) takes at a time.
struct KernelPlan {
  bool transposed = false;  ///< destination and source are fast along different directions: blocks that suit both
  int block_rows = 1;
  int block_cols = 1;
  int team_size = 1;  ///< transposed, on devices
};

/// \brief  Choose the block. rows x cols are those of the problem transposed so that the destination is fast along
///         rows.
/// \param  edge  tile edge of the machine's transposes
constexpr KernelPlan choose_kernel(bool device, bool same_direction, std::int64_t rows, std::int64_t cols,
                                   std::size_t element_size, int edge) {
  // A skinny matrix has no tiles to speak of, and elements above 16 bytes fill a cache line's share without them.
  bool const transposed = !same_direction && std::min(rows, cols) >= arch::device::least_copied_edge &&
                          element_size <= arch::device::most_copied_element;
  if (transposed) return {true, edge, edge, device ? arch::device::copying_team_size : 1};
  if (device) return {false, arch::device::copied_rows, arch::device::copied_cols, 1};
  std::int64_t const elements =
      std::max<std::int64_t>(1, arch::host::copied_block_bytes / static_cast<std::int64_t>(element_size));
  std::int64_t const across = std::clamp<std::int64_t>(cols, 1, elements);
  return {false, static_cast<int>(std::max<std::int64_t>(1, elements / across)), static_cast<int>(across), 1};
}

}  // namespace pantile::impl::transfer

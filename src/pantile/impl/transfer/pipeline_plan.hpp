// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  How a pipeline divides its arrays into chunks: a pure function from facts to a plan. No Kokkos.

#include <pantile/policy.hpp>

#include <pantile/impl/arch/host/tuning/transfer.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

namespace pantile::impl::transfer {

/// What a pipeline has to know of an array.
struct PipelineArray {
  std::size_t row_bytes = 0;
  bool in = false, out = false;
  bool alias = false;   ///< the body is given the array's own rows
  bool staged = false;  ///< its chunks pass through pinned memory, filled and emptied by the host
};

/// Rows that travel together.
struct RowRange {
  std::int64_t first = 0, count = 0;
};

struct PipelinePlan {
  std::int64_t rows = 0, chunk_rows = 0, chunks = 0;
  int depth = 1;
  bool overlapped = false;  ///< something travels; otherwise the caller's instance does everything
  bool staged = false;
  std::size_t bytes_in = 0, bytes_out = 0, device_bytes = 0, pinned_bytes = 0;

  [[nodiscard]] RowRange range(std::int64_t chunk) const {
    std::int64_t const first = chunk * chunk_rows;
    return {first, std::min(chunk_rows, rows - first)};
  }
};

/// \brief  Bytes of the largest array's chunk where the caller does not say. The first chunk's way in and the last's
///         way out overlap with no kernel.
constexpr std::size_t chunk_bytes_of(std::size_t array_bytes) {
  return std::clamp(array_bytes / arch::host::pipeline_chunks, arch::host::least_chunk_bytes,
                    arch::host::most_chunk_bytes);
}

constexpr PipelinePlan choose_pipeline(std::int64_t rows, std::span<PipelineArray const> arrays,
                                       PipelineOptions const& options) {
  PipelinePlan plan;
  plan.rows = rows;
  if (rows == 0) return plan;
  auto const row_count = static_cast<std::size_t>(rows);
  std::size_t largest = 1;
  for (PipelineArray const& array : arrays) largest = std::max(largest, array.row_bytes);
  std::int64_t const fitting = static_cast<std::int64_t>(chunk_bytes_of(row_count * largest) / largest);
  plan.chunk_rows = std::clamp<std::int64_t>(options.chunk_rows > 0 ? options.chunk_rows : fitting, 1, rows);
  plan.chunks = (rows + plan.chunk_rows - 1) / plan.chunk_rows;
  std::size_t device = 0, pinned = 0;
  for (PipelineArray const& array : arrays) {
    if (array.alias) continue;
    plan.overlapped = true;
    plan.staged = plan.staged || array.staged;
    device += array.row_bytes;
    pinned += array.staged ? array.row_bytes : 0;
    plan.bytes_in += array.in ? row_count * array.row_bytes : 0;
    plan.bytes_out += array.out ? row_count * array.row_bytes : 0;
  }
  int const depth = options.depth > 0 ? options.depth : arch::host::pipeline_depth;
  if (plan.overlapped) plan.depth = static_cast<int>(std::min<std::int64_t>(depth, plan.chunks));
  std::size_t const in_memory = static_cast<std::size_t>(plan.depth) * static_cast<std::size_t>(plan.chunk_rows);
  plan.device_bytes = in_memory * device;
  plan.pinned_bytes = in_memory * pinned;
  return plan;
}

}  // namespace pantile::impl::transfer

// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  The host's plan for a product: the query it is chosen for, its fields, and how it partitions C among threads.

#include <pantile/impl/arch/host/tuning/machine.hpp>
#include <pantile/impl/arch/host/tuning/matmul.hpp>
#include <pantile/impl/arch/host/ukernel/gemm/functions.hpp>
#include <pantile/impl/tile/shape.hpp>

#include <algorithm>
#include <cstdint>

namespace pantile::impl::matmul {

using arch::GemmBlocks;

/// Of an operand, as the caller has it. Strides in elements.
struct OperandFacts {
  std::int64_t row_stride = 0, col_stride = 1;
  bool must_pack = false;  ///< kernels cannot take it where it lies: converted, or grouped
  /// Do rows (columns) begin off a vector register's alignment, so that loads are split across two cache lines?
  bool misaligned_rows = false, misaligned_cols = false;

  [[nodiscard]] constexpr bool unit_rows() const { return row_stride == 1; }
  [[nodiscard]] constexpr bool unit_cols() const { return col_stride == 1; }
  [[nodiscard]] constexpr bool repeats() const { return col_stride == 0; }  ///< its columns are one and the same
  [[nodiscard]] constexpr OperandFacts transposed() const {
    return {col_stride, row_stride, must_pack, misaligned_cols, misaligned_rows};
  }
};

/// What the choice depends on beside m, n and k. Extents in elements.
struct HostFacts : arch::GemmShape {
  bool available = false;  ///< there are kernels for the type that sums are formed in
  int element_bytes = 8;   ///< of a sum
  int real_products = 1;   ///< multiplications per product: 4 for complex elements
  OperandFacts a, b, c;
  /// C is faster along its columns: kernels, which write rows, compute C^T = B^T A^T. So is C^T of a C along its rows:
  /// what streams an operand may compute that, while register tiles would compute C.
  bool c_along_columns = false;
  bool c_is_sum = true;  ///< C's elements are of the sums' type
  bool reads_c = false;  ///< beta is not zero
  std::int64_t first_level_bytes = arch::host::unknown_first_level_bytes;
  std::int64_t second_level_bytes = arch::host::unknown_second_level_bytes;
  std::int64_t last_level_bytes = arch::host::unknown_last_level_bytes;  ///< beyond which nothing stays in that cache
  std::int64_t cache_bytes = arch::host::unknown_last_level_bytes;       ///< of it that may be relied on

  [[nodiscard]] constexpr int parts() const { return real_products == 1 ? 1 : 2; }  ///< numbers in an element
  [[nodiscard]] constexpr bool must_pack() const { return a.must_pack || b.must_pack; }
  [[nodiscard]] constexpr bool must_pack_a() const { return must_pack() || a.repeats(); }
  /// Can sums be formed in C?
  [[nodiscard]] constexpr bool sums_in_c() const { return c_is_sum && c.unit_cols(); }
  /// No operand needs conversion.
  [[nodiscard]] constexpr bool as_they_are() const { return !must_pack() && c_is_sum; }
  /// Of the same product seen as C^T = B^T A^T.
  [[nodiscard]] constexpr HostFacts transposed() const {
    HostFacts facts = *this;
    facts.a = b.transposed();
    facts.b = a.transposed();
    facts.c = c.transposed();
    facts.c_along_columns = !c_along_columns;
    return facts;
  }
};

/// A product, of which such facts hold. Bytes and work are doubles: those of large extents do not fit 64 bits.
struct HostQuery : HostFacts {
  std::int64_t m, n, k;

  [[nodiscard]] constexpr double a_bytes() const { return bytes_of(m, k); }
  [[nodiscard]] constexpr double b_bytes() const { return bytes_of(k, n); }
  [[nodiscard]] constexpr double c_bytes() const { return bytes_of(m, n); }
  [[nodiscard]] constexpr std::int64_t b_row_bytes() const { return b.row_stride * element_bytes; }
  /// Products of real numbers, or of k-packs.
  [[nodiscard]] constexpr double work() const {
    return static_cast<double>(m) * static_cast<double>(n) * static_cast<double>(k) * real_products / k_pack;
  }
  [[nodiscard]] constexpr HostQuery transposed() const { return {HostFacts::transposed(), n, m, k}; }

 private:
  [[nodiscard]] constexpr double bytes_of(std::int64_t rows, std::int64_t cols) const {
    return static_cast<double>(rows) * static_cast<double>(cols) * element_bytes;
  }
};

/// The threads of a host.
struct HostThreads {
  int count = 1;            ///< that may work at once
  int per_cache = 1 << 20;  ///< that share a last-level cache
};

enum class Path {
  tiles,            ///< register tiles, BLIS's loops
  skinny_rows,      ///< few rows: B's rows are streamed once and added to sums in workspace
  skinny_dots,      ///< few rows: B's columns are streamed once, in dot products
  rank_k,           ///< few products in a sum: C's rows are streamed once, past the cache
  column_rows,      ///< few columns of a tiny product: as skinny_rows has C^T
  column_dots,      ///< the same as skinny_dots has it
  transposed_tiles  ///< the same in register tiles of C^T, transposed in registers
};

/// How the kernels take a product: all of the plan of a tiny one, which is a few calls of them on the calling thread.
struct TinyPlan {
  Path path = Path::tiles;
  bool exchange = false;  ///< compute C^T = B^T A^T, of which all else here speaks
  bool pack_b = false;
  int edge_cols = 0;  ///< columns at the right edge that are computed in dot products

  /// Does it take memory on the stack: a packed panel of B, or what is held of few rows?
  [[nodiscard]] constexpr bool needs_workspace() const {
    return pack_b || (path != Path::tiles && path != Path::transposed_tiles);
  }
  friend constexpr bool operator==(TinyPlan const&, TinyPlan const&) = default;
};

/// Elements of any size in whole cache lines; bytes that what is of different threads lies apart, in workspace.
inline constexpr std::int64_t elements_of_lines = 16, bytes_apart = 128;

/// \brief  k in slices, whose sums are formed beside C and added in rising k: more to share out than a small C has.
struct HostSlices {
  int count = 1;
  std::int64_t depth = 0;            ///< of each slice but the last
  int grid_rows = 1, grid_cols = 1;  ///< parts of C that threads take of a slice
  int threads = 1;
  std::int64_t block_rows = 0, block_cols = 0;  ///< of C, one thread alone: all slices of a block before the next one
  std::int64_t row_stride = 0;                  ///< elements of sums
  std::int64_t bytes = 0;                       ///< of a slice's sums

  [[nodiscard]] constexpr int parts() const { return count * grid_rows * grid_cols; }
};

/// Bytes of a group of so many threads, in front of its workspace.
constexpr std::int64_t progress_bytes(int threads) { return 64 * (2 + std::int64_t{threads}); }

/// A thread's workspace on its stack: packed B, what dot products of the last columns hold, and its group's progress.
inline constexpr std::int64_t stack_workspace_bytes = 2 * arch::host::stack_packed_bytes + progress_bytes(1);

/// How it is done. The sums of an element depend on path, edge_cols, blocks.kc and slices.depth, which follow from m, n
/// and k: same bits however many threads. A group of them walks its part of C in shared blocks, block_depth at a time:
/// all pack the block's B, and have a share of the tasks into which its C is cut.
struct HostPlan : arch::GemmPanels, TinyPlan {
  bool tiny = false;       ///< TinyPlan says all
  bool on_caller = false;  ///< on the calling thread, without a launch
  bool pack_a = false;
  arch::GemmHints hints{};
  GemmBlocks blocks{1, 1, 1};        ///< of a task
  int grid_rows = 1, grid_cols = 1;  ///< parts of C: one for each group of threads; other paths: for each thread
  int workers = 1;                   ///< threads of a group
  std::int64_t block_rows = 1, block_cols = 1, block_depth = 1;
  std::int64_t task_rows = 1, task_cols = 1;  ///< at most
  std::int64_t pack_cols = 1;                 ///< of B that a thread packs at a time
  std::int64_t sums_stride = 0;              ///< of sums in workspace, from where C takes them; 0: they are formed in C
  std::int64_t b_bytes = 0, sums_bytes = 0;  ///< of a group's workspace
  std::int64_t worker_bytes = 0;             ///< of a thread's: packed A, or what dot products hold
  HostSlices slices{};  ///< of several each is a product by itself, for which one thread does what else stands here
  char const* reason = "";

  [[nodiscard]] constexpr bool in_c() const { return sums_stride == 0; }
  /// Do blocks of one depth follow each other, because A stays packed while B is streamed?
  [[nodiscard]] constexpr bool depth_first() const { return in_c() && pack_a && pack_b && block_rows <= blocks.mc; }
  [[nodiscard]] constexpr int groups() const { return path == Path::tiles ? grid_rows * grid_cols : 1; }
  [[nodiscard]] constexpr int threads() const {
    if (slices.count > 1) return slices.threads;
    return path == Path::tiles ? groups() * workers : grid_rows * grid_cols;
  }
  /// Is there more than one phase, or memory that threads of a group share? Else each thread has a task of its own.
  [[nodiscard]] constexpr bool shares() const { return path == Path::tiles && (pack_b || !in_c() || edge_cols > 0); }
  /// Bytes of a group's own workspace.
  [[nodiscard]] constexpr std::int64_t group_bytes() const {
    return shares() ? progress_bytes(workers) + b_bytes + sums_bytes : 0;
  }
  /// A group's own workspace and its threads' behind it. Tiles prefetch beyond the last panel of B: there lies nothing
  /// that threads of other groups write.
  [[nodiscard]] constexpr std::int64_t group_stride() const {
    return group_bytes() + (path == Path::tiles ? workers : threads()) * worker_bytes;
  }
  /// Has each of several threads so little workspace of its own that it lies on the thread's stack, which is near?
  [[nodiscard]] constexpr bool on_stacks() const {
    std::int64_t const bytes = group_bytes() + worker_bytes;
    bool const alone = threads() > 1 && slices.count == 1 && (!shares() || workers == 1);
    return alone && bytes > 0 && bytes <= stack_workspace_bytes;
  }
  [[nodiscard]] constexpr std::int64_t workspace_bytes() const {
    if (slices.count == 1) return on_stacks() ? 0 : groups() * group_stride();
    return (slices.threads == 1 ? 2 : slices.count) * slices.bytes + slices.threads * slice_worker_bytes();
  }
  /// How a thread computes its part of a slice, and its workspace for that.
  [[nodiscard]] constexpr HostPlan of_slice() const {
    HostPlan plan = *this;
    plan.slices = {};
    return plan;
  }
  [[nodiscard]] constexpr std::int64_t slice_worker_bytes() const {
    return tile::round_up(of_slice().workspace_bytes(), bytes_apart);
  }
};

/// Of the calling thread's stack, where no other memory can be allocated, a panel of packed B; beside it lies what dot
/// products of the last columns hold, or sums beside C, and a few rows of sums of slices.
inline constexpr std::int64_t most_panel_bytes =
    arch::host::most_stack_bytes - arch::host::stack_packed_bytes - arch::host::stack_sums_bytes - progress_bytes(1);

/// Begin of one of so many parts of an extent, cut at multiples of a unit.
constexpr std::int64_t part_begin(std::int64_t extent, std::int64_t unit, std::int64_t part, std::int64_t parts) {
  std::int64_t const units = tile::ceil_div(extent, unit);
  return std::min(extent, units * part / parts * unit);
}

/// A range of rows, columns or products.
struct Range {
  std::int64_t begin, end;
  [[nodiscard]] constexpr std::int64_t size() const { return end - begin; }
};

constexpr Range part_of(Range const& whole, std::int64_t unit, std::int64_t part, std::int64_t parts) {
  if (parts == 1) return whole;
  return {whole.begin + part_begin(whole.size(), unit, part, parts),
          whole.begin + part_begin(whole.size(), unit, part + 1, parts)};
}

/// Steps of this size in an extent. Divisions are a part of the time of small products.
constexpr std::int64_t steps(std::int64_t extent, std::int64_t size) {
  return extent <= size ? (extent > 0 ? 1 : 0) : tile::ceil_div(extent, size);
}

/// The part of C that group number `group` computes, without the columns at the right edge.
struct GroupRanges {
  Range rows, cols;
};
constexpr GroupRanges group_ranges(HostPlan const& plan, std::int64_t m, std::int64_t n, int group) {
  if (plan.groups() == 1) return {{0, m}, {0, n - plan.edge_cols}};
  return {part_of({0, m}, plan.panel_rows, group / plan.grid_cols, plan.grid_rows),
          part_of({0, n - plan.edge_cols}, plan.panel_cols, group % plan.grid_cols, plan.grid_cols)};
}

/// A shared block of a group and how it is cut.
struct SharedBlock {
  Range rows, cols, depth;
  std::int64_t packs;                 ///< pieces of B to be packed
  std::int64_t task_rows, task_cols;  ///< tasks down and across
  [[nodiscard]] constexpr std::int64_t tasks() const { return task_rows * task_cols; }
};

/// The blocks of a group, in their order.
class BlockWalk {
 public:
  constexpr BlockWalk(HostPlan const& plan, GroupRanges const& of, std::int64_t k)
      : m_plan(plan),
        m_of(of),
        m_k(k),
        m_down(steps(of.rows.size(), plan.block_rows)),
        m_across(steps(of.cols.size(), plan.block_cols)),
        m_deep(steps(k, plan.block_depth)) {}

  [[nodiscard]] constexpr std::int64_t count() const { return m_down * m_across * m_deep; }

  [[nodiscard]] constexpr SharedBlock operator[](std::int64_t index) const {
    std::int64_t p = 0, across = 0, down = 0;
    if (index > 0) {
      p = m_plan.depth_first() ? index / (m_down * m_across) : index % m_deep;
      std::int64_t const rest = m_plan.depth_first() ? index % (m_down * m_across) : index / m_deep;
      across = rest / m_down;
      down = rest % m_down;
    }
    Range const rows = step(m_of.rows, m_plan.block_rows, down), cols = step(m_of.cols, m_plan.block_cols, across);
    return {rows,
            cols,
            step({0, m_k}, m_plan.block_depth, p),
            m_plan.pack_b ? steps(cols.size(), m_plan.pack_cols) : 0,
            steps(rows.size(), m_plan.task_rows),
            steps(cols.size(), m_plan.task_cols)};
  }

 private:
  static constexpr Range step(Range const& whole, std::int64_t size, std::int64_t index) {
    std::int64_t const begin = whole.begin + index * size;
    return {begin, std::min(whole.end, begin + size)};
  }

  HostPlan const& m_plan;
  GroupRanges m_of;
  std::int64_t m_k, m_down, m_across, m_deep;
};

}  // namespace pantile::impl::matmul

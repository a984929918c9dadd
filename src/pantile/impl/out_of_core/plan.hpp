// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  The tiles of operands that do not fit into memory: pure functions from extents and a budget to a plan.

#include <pantile/out_of_core_plan.hpp>
#include <pantile/tile_store.hpp>

#include <pantile/impl/arch/host/tuning/out_of_core.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace pantile::impl::out_of_core {

using namespace pantile::out_of_core;

/// What the plan of a transposition depends on: A is (rows, cols).
struct TransposeQuery {
  std::int64_t rows = 0, cols = 0;
  Order a_order = Order::rows, b_order = Order::rows;
  std::size_t element_bytes = 0;
  std::size_t memory = 0;  ///< bytes that the tiles may take
};

/// What the plan of a product depends on: C (m, n), op(A) (m, k), op(B) (k, n). Orders are those of op(A) and op(B).
struct MatmulQuery {
  std::int64_t m = 0, n = 0, k = 0;
  Order a_order = Order::rows, b_order = Order::rows, c_order = Order::rows, c_in_order = Order::rows;
  std::size_t input_bytes = 0;        ///< of an element of A or B
  std::size_t output_bytes = 0;       ///< of an element of C
  std::size_t accumulator_bytes = 0;  ///< of a sum
  bool reads_c = false;               ///< whether old values of C are added
  std::size_t memory = 0;             ///< bytes that the tiles may take
};

constexpr std::int64_t parts_of(std::int64_t extent, std::int64_t edge) {
  return edge == 0 ? 0 : (extent + edge - 1) / edge;
}

/// Buffers begin at multiples of a cache line.
constexpr std::size_t buffer_bytes(std::int64_t elements, std::size_t element_bytes) {
  return (static_cast<std::size_t>(elements) * element_bytes + 63) / 64 * 64;
}

/// Edges that cut an extent into equal parts, from all of it down to least_edge: 1, 2, 3 parts and so on, then `growth`
/// times as many each time.
inline std::vector<std::int64_t> edges_of(std::int64_t extent, double growth = impl::arch::host::tried_edges_growth) {
  std::vector<std::int64_t> edges;
  for (double parts = 1; extent > 0; parts = std::max(parts + 1, std::floor(parts * growth))) {
    std::int64_t const edge = parts_of(extent, static_cast<std::int64_t>(parts));
    if (edge <= impl::arch::host::least_edge) break;
    if (edges.empty() || edge < edges.back()) edges.push_back(edge);
  }
  if (extent > 0) edges.push_back(std::min(impl::arch::host::least_edge, extent));
  return edges;
}

/// Contiguous runs of a part: its lines, or one where it has whole lines of its matrix.
constexpr double runs(std::int64_t rows, std::int64_t cols, std::int64_t all_rows, std::int64_t all_cols, Order order) {
  bool const by_rows = order == Order::rows;
  if (by_rows ? cols == all_cols : rows == all_rows) return 1;
  return static_cast<double>(by_rows ? rows : cols);
}

/// Lines (rows or columns, whichever are contiguous) that are read at a time.
constexpr std::int64_t strip_of(std::int64_t lines, std::int64_t line_bytes) {
  std::int64_t const least = parts_of(impl::arch::host::least_strip_bytes, line_bytes);
  return std::clamp(parts_of(lines, impl::arch::host::most_strips), std::min(least, lines), lines);
}

inline TransposePlan tiles_of(TransposeQuery const& q, std::int64_t rows, std::int64_t cols,
                              std::int64_t tile_buffers) {
  TransposePlan plan{.tile_rows = rows,
                     .tile_cols = cols,
                     .row_tiles = parts_of(q.rows, rows),
                     .col_tiles = parts_of(q.cols, cols),
                     .tile_buffers = tile_buffers,
                     .tile_bytes = buffer_bytes(rows * cols, q.element_bytes)};
  bool const by_rows = q.a_order == Order::rows;
  std::int64_t const lines = by_rows ? rows : cols, line = by_rows ? cols : rows;
  plan.strip = strip_of(lines, line * static_cast<std::int64_t>(q.element_bytes));
  plan.strip_bytes = buffer_bytes(plan.strip * line, q.element_bytes);
  plan.memory = static_cast<std::size_t>(tile_buffers) * plan.tile_bytes + 2 * plan.strip_bytes;
  plan.bytes_read = plan.bytes_written =
      static_cast<double>(q.rows) * static_cast<double>(q.cols) * static_cast<double>(q.element_bytes);
  bool const whole_lines = line == (by_rows ? q.cols : q.rows);
  plan.runs_read = static_cast<double>(plan.tiles() * (whole_lines ? parts_of(lines, plan.strip) : lines));
  // In A's indices: the rows of B are the columns of A.
  plan.runs_written = static_cast<double>(plan.tiles()) * runs(rows, cols, q.rows, q.cols, transposed(q.b_order));
  return plan;
}

/// Runs, counted as bytes, and a share of the bytes that are not read and written at the same time.
inline double cost(TransposePlan const& plan) {
  double const alone = plan.tile_buffers == 1 ? plan.bytes_written : static_cast<double>(plan.tile_bytes);
  return impl::arch::host::read_piece_bytes * plan.runs_read +
         impl::arch::host::written_piece_bytes * plan.runs_written +
         impl::arch::host::alone_share * (alone + static_cast<double>(plan.strip_bytes));
}

/// Plans of a product for given tiles, and their costs.
class MatmulVariants {
 public:
  /// \param  least_strip  rows (columns) of a strip at least, where the tile has them
  MatmulVariants(MatmulQuery const& query, std::int64_t least_strip) : m_query(query), m_least_strip(least_strip) {}

  [[nodiscard]] MatmulPlan tiles(std::int64_t rows, std::int64_t cols, std::int64_t depth, bool keeps_a,
                                 bool keeps_b) const {
    MatmulQuery const& q = m_query;
    MatmulPlan plan{.m = q.m, .n = q.n, .k = q.k, .tile_rows = rows, .tile_cols = cols, .depth = depth};
    plan.keeps_a = keeps_a;
    plan.keeps_b = plan.down_columns = keeps_b;
    plan.strips_of_rows = q.c_order == Order::rows;
    plan.strip = strip_of(plan.strips_of_rows ? rows : cols);
    plan.a_in_strips = keeps_a && plan.strips_of_rows && q.a_order == Order::rows;
    plan.b_in_strips = keeps_b && !plan.strips_of_rows && q.b_order == Order::columns;
    plan.a_bytes = buffer_bytes(rows * (keeps_a ? q.k : depth), q.input_bytes);
    plan.b_bytes = buffer_bytes((keeps_b ? q.k : depth) * cols, q.input_bytes);
    plan.c_bytes = buffer_bytes(rows * cols, q.accumulator_bytes);
    plan.strip_bytes = buffer_bytes(plan.strip * (plan.strips_of_rows ? cols : rows), q.output_bytes);
    plan.memory = plan.c_bytes + (keeps_a ? 1 : 2) * plan.a_bytes + (keeps_b ? 1 : 2) * plan.b_bytes +
                  (q.reads_c ? 4 : 2) * plan.strip_bytes;
    count_traffic(plan);
    return plan;
  }

  /// \brief  Bytes and runs of files, what cannot be overlapped (the first panels, the last tile's strips, what tiles
  ///         wait for), and small shares of what is moved in memory: of the panels, so that tiles and strips are not
  ///         skinny, and of C in each step, so that a step adds hundreds of products to each sum.
  [[nodiscard]] double cost(MatmulPlan const& plan) const {
    double const c = static_cast<double>(plan.m) * static_cast<double>(plan.n);
    double const most_busy = impl::arch::host::most_busy_share * (a_all() + b_all() + plan.bytes_written);
    // Only the last step of a tile is computed strip by strip, each written while the next is computed.
    std::size_t const last = plan.steps() == 1 ? plan.strip_bytes : plan.c_bytes;
    return plan.bytes_read + plan.bytes_written + impl::arch::host::piece_bytes * plan.runs +
           std::min(impl::arch::host::busy_piece_bytes * plan.runs, most_busy) + waits(plan) +
           static_cast<double>(plan.a_bytes + plan.b_bytes + last) + impl::arch::host::moved_share * plan.bytes_moved +
           static_cast<double>(plan.steps() * 2) * c * static_cast<double>(m_query.accumulator_bytes) *
               impl::arch::host::step_share;
  }

 private:
  [[nodiscard]] double a_all() const {
    return static_cast<double>(m_query.m) * static_cast<double>(m_query.k) * static_cast<double>(m_query.input_bytes);
  }
  [[nodiscard]] double b_all() const {
    return static_cast<double>(m_query.k) * static_cast<double>(m_query.n) * static_cast<double>(m_query.input_bytes);
  }

  /// Panels that stay, and C; less what is read and written in strips while the last steps are computed.
  [[nodiscard]] double waits(MatmulPlan const& plan) const {
    double const a = plan.keeps_a ? a_all() : 0, b = plan.keeps_b ? b_all() : 0;
    double const strips = (plan.a_in_strips ? a : 0) + (plan.b_in_strips ? b : 0) + plan.bytes_written;
    double const products = static_cast<double>(plan.m) * static_cast<double>(plan.n) * static_cast<double>(plan.k);
    double const meanwhile = products / static_cast<double>(plan.steps()) / impl::arch::host::products_per_byte;
    return a + b + plan.bytes_written - std::min(strips, meanwhile);
  }

  /// Many strips overlap well; but none so skinny that moving its operands costs more than multiplying them.
  [[nodiscard]] std::int64_t strip_of(std::int64_t edge) const {
    return parts_of(edge, std::clamp<std::int64_t>(edge / m_least_strip, 1, impl::arch::host::most_strips));
  }

  /// Bytes of A and B that all products pack: each product of a strip packs the whole panel of one operand.
  [[nodiscard]] double moved(MatmulPlan const& plan, double a_panels, double b_panels) const {
    double const steps = static_cast<double>(plan.steps());
    double const in_strips = std::min(steps, m_query.reads_c ? 2.0 : 1.0);
    double const times = (steps - in_strips + in_strips * static_cast<double>(plan.strips())) / steps;
    return a_panels * (plan.strips_of_rows ? 1 : times) + b_panels * (plan.strips_of_rows ? times : 1);
  }

  void count_traffic(MatmulPlan& plan) const {
    MatmulQuery const& q = m_query;
    double const row_tiles = static_cast<double>(plan.row_tiles()), col_tiles = static_cast<double>(plan.col_tiles());
    double const steps = static_cast<double>(plan.steps());
    double const a_loads = plan.keeps_a ? 1 : col_tiles, b_loads = plan.keeps_b ? 1 : row_tiles;
    double const c = static_cast<double>(q.m) * static_cast<double>(q.n) * static_cast<double>(q.output_bytes);
    std::int64_t const strip_rows = plan.strips_of_rows ? plan.strip : plan.tile_rows;
    std::int64_t const strip_cols = plan.strips_of_rows ? plan.tile_cols : plan.strip;
    double const in_tile = static_cast<double>(plan.strips()), strips = row_tiles * col_tiles * in_tile;
    plan.bytes_written = c;
    plan.bytes_read = a_loads * a_all() + b_loads * b_all() + (q.reads_c ? c : 0);
    plan.bytes_moved = moved(plan, col_tiles * a_all(), row_tiles * b_all());
    plan.runs = strips * runs(strip_rows, strip_cols, q.m, q.n, q.c_order) +
                (q.reads_c ? strips * runs(strip_rows, strip_cols, q.m, q.n, q.c_in_order) : 0);
    if (q.k == 0) return;
    double const a_reads = !plan.keeps_a ? steps : plan.a_in_strips ? in_tile : 1;
    double const b_reads = !plan.keeps_b ? steps : plan.b_in_strips ? in_tile : 1;
    plan.runs +=
        a_loads * row_tiles * a_reads * runs(plan.tile_rows, plan.keeps_a ? q.k : plan.depth, q.m, q.k, q.a_order) +
        b_loads * col_tiles * b_reads * runs(plan.keeps_b ? q.k : plan.depth, plan.tile_cols, q.k, q.n, q.b_order);
  }

  MatmulQuery m_query;
  std::int64_t m_least_strip;
};

/// Keeps the cheapest plan that fits into the memory, and the smallest plan of all.
template <class Plan>
class Choice {
 public:
  explicit Choice(std::size_t memory) : m_memory(memory) {}

  void offer(Plan const& plan, double cost) {
    if (m_smallest.memory == 0 || plan.memory < m_smallest.memory) m_smallest = plan;
    if (plan.memory > m_memory || (m_found && cost >= m_cost)) return;
    m_best = plan;
    m_cost = cost;
    m_found = true;
  }

  [[nodiscard]] bool fits() const { return m_found; }
  [[nodiscard]] Plan const& best() const { return m_found ? m_best : m_smallest; }

 private:
  std::size_t m_memory;
  Plan m_best{}, m_smallest{};
  double m_cost = 0;
  bool m_found = false;
};

/// Tiles with strips of at least so many rows (columns); skinny strips take the least memory.
inline Choice<MatmulPlan> choose_tiles(MatmulQuery const& query, std::int64_t least_strip) {
  Choice<MatmulPlan> choice(query.memory);
  MatmulVariants const variants(query, least_strip);
  auto const depths =
      query.k == 0 ? std::vector<std::int64_t>{0} : edges_of(query.k, impl::arch::host::tried_depths_growth);
  auto const offer = [&](std::int64_t rows, std::int64_t cols, std::int64_t depth) {
    for (auto const [keeps_a, keeps_b] : {std::pair(false, false), std::pair(true, false), std::pair(false, true)}) {
      MatmulPlan const plan = variants.tiles(rows, cols, depth, keeps_a, keeps_b);
      choice.offer(plan, variants.cost(plan));
    }
  };
  for (std::int64_t const rows : edges_of(query.m)) {
    for (std::int64_t const cols : edges_of(query.n)) {
      for (std::int64_t const depth : depths) offer(rows, cols, depth);
    }
  }
  return choice;
}

/// The least cost among tiles that the budget holds; the smallest tiles where it holds none.
inline TransposePlan plan_transpose(TransposeQuery const& query) {
  Choice<TransposePlan> choice(query.memory);
  for (std::int64_t const rows : edges_of(query.rows)) {
    for (std::int64_t const cols : edges_of(query.cols)) {
      for (std::int64_t const tile_buffers : {1, 2}) {
        auto const plan = tiles_of(query, rows, cols, tile_buffers);
        choice.offer(plan, cost(plan));
      }
    }
  }
  return choice.best();
}

/// The same for a product.
inline MatmulPlan plan_matmul(MatmulQuery const& query) {
  auto const choice = choose_tiles(query, impl::arch::host::least_strip);
  return choice.fits() ? choice.best() : choose_tiles(query, 1).best();
}

}  // namespace pantile::impl::out_of_core

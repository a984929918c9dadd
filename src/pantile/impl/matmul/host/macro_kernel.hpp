// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  The loops around the kernels of blocks, by any number of threads. Source of the blocking: K. Goto, R. van de
///        Geijn, ACM TOMS 34(3), 2008; of loops that threads share: T. Smith et al., "Anatomy of High-Performance
///        Many-Threaded Matrix Multiplication", IPDPS 2014.

#include <pantile/impl/arch/host/spin.hpp>
#include <pantile/impl/launch/host_workspace.hpp>
#include <pantile/impl/matmul/host/plan.hpp>
#include <pantile/impl/matmul/host/product.hpp>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <new>

namespace pantile::impl::matmul {

/// A counter in a cache line of its own, where it lies at the start of one. (nvcc 12.4 cannot construct in place what
/// is declared to be aligned so.)
template <class T>
struct Counter {
  std::atomic<T> value{0};
  std::byte unused[64 - sizeof(std::atomic<T>)];
};

/// How far a group has come, at the start of its workspace. A phase packs a shared block's B, or does its tasks: a
/// thread waits only for work of earlier phases, all of which running threads have taken, so that any number of threads
/// gets a group's work done, one after the other too.
struct Progress {
  Counter<Index> packed;    ///< pieces of B so far
  Counter<Index> computed;  ///< tasks so far
};

/// \brief  What has been taken of a thread's shares: the phase, and how much of its share in that. The same share in
///         like phases, so that it finds its part of C in its own cache; then what others have not begun. Behind the
///         progress, one for each thread of the group.
class Share {
 public:
  /// The number of a piece of the share in this phase, which has `count` of them; -1 if all are taken. All pieces of
  /// earlier phases have been taken.
  Index take(Index phase, Index count) {
    std::uint64_t const now = static_cast<std::uint64_t>(phase) << 32;
    std::uint64_t seen = m_taken.value.load(std::memory_order_relaxed);
    for (;;) {
      std::uint64_t const next = std::max(seen, now);
      if (static_cast<Index>(next >> 32) > phase || static_cast<Index>(next - now) >= count) return -1;
      if (m_taken.value.compare_exchange_weak(seen, next + 1, std::memory_order_relaxed))
        return static_cast<Index>(next - now);
    }
  }

 private:
  Counter<std::uint64_t> m_taken;
};
static_assert(sizeof(Progress) + sizeof(Share) == progress_bytes(1));

/// \brief  All of a product with k in one, with workspace of plan.workspace_bytes(), aligned to 64 bytes.
template <class R>
class MacroKernel {
 public:
  MacroKernel(HostProduct<R> const& product, HostPlan const& plan, std::byte* workspace)
      : m_product(product), m_plan(plan), m_workspace(workspace) {
    for (int group = 0; group < plan.groups() && plan.shares() && !plan.on_stacks(); ++group) {
      begin_group(workspace + group * plan.group_stride());
    }
  }

  /// Thread number `worker` works, for its own group first and then for the others.
  void operator()(int worker) const {
    if (m_plan.on_stacks()) {
      return launch::with_stack<stack_workspace_bytes>([&](std::byte* workspace) { work_alone(worker, workspace); });
    }
    if (!m_plan.shares()) return own_task(worker, m_workspace + worker * m_plan.worker_bytes);
    int const groups = m_plan.groups(), own = worker / m_plan.workers;
    int const number = worker % m_plan.workers;
    std::byte* const group = m_workspace + own * m_plan.group_stride();
    Worker self{group + m_plan.group_bytes() + number * m_plan.worker_bytes, number, -1, -1, -1};
    for (int step = 0; step < groups; ++step) {
      int const of = (own + step) % groups;
      self.row = -1;
      work_for(of, m_workspace + of * m_plan.group_stride(), self);
    }
  }

 private:
  /// A thread's workspace, and which part of A is packed there.
  struct Worker {
    std::byte* workspace;
    int number;  ///< in its group
    Index row, rows, depth;
  };
  using Call = arch::GemmCall<R>;

  void begin_group(std::byte* workspace) const {
    ::new (workspace) Progress;
    for (int one = 0; one < m_plan.workers; ++one) ::new (workspace + sizeof(Progress) + sizeof(Share) * one) Share;
  }

  /// A thread that shares nothing, with workspace of its own.
  void work_alone(int worker, std::byte* workspace) const {
    if (!m_plan.shares()) return own_task(worker, workspace);
    begin_group(workspace);
    Worker self{workspace + m_plan.group_bytes(), 0, -1, -1, -1};
    work_for(worker, workspace, self);
  }

  /// Nothing is shared: the task of a thread is known.
  void own_task(int worker, std::byte* workspace) const {
    if (m_plan.path != Path::tiles) return stream_columns(worker, workspace);
    Worker self{workspace, worker, -1, -1, -1};
    auto const& whole = m_product.whole;
    SharedBlock const block = BlockWalk(m_plan, {{0, whole.m}, {0, whole.n}}, whole.k)[0];
    if (worker < block.tasks()) task(block, worker, nullptr, nullptr, self);
  }

  /// A thread's columns of a product that streams an operand.
  void stream_columns(int worker, std::byte* workspace) const {
    Range const cols = part_of({0, m_product.whole.n}, m_plan.panel_cols, worker, m_plan.threads());
    if (cols.size() == 0) return;
    Call call = m_product.whole;
    call.n = cols.size();
    call.b = reinterpret_cast<R const*>(m_product.b.at(cols.begin, 0));
    call.c += cols.begin * call.c_cs * m_product.parts;
    call.workspace = workspace;
    m_product.streaming(call);
  }

  /// \param  at  the group's workspace
  void work_for(int group, std::byte* at, Worker& self) const {
    auto& progress = *std::launder(reinterpret_cast<Progress*>(at));
    auto* const shares = std::launder(reinterpret_cast<Share*>(at + sizeof(Progress)));
    std::byte* const packed_b = at + progress_bytes(m_plan.workers);
    auto* const sums = reinterpret_cast<R*>(packed_b + m_plan.b_bytes);
    auto const ranges = group_ranges(m_plan, m_product.whole.m, m_product.whole.n, group);
    BlockWalk const walk(m_plan, ranges, m_product.whole.k);
    Index packs = 0, tasks = 0, phase = 0;  // pieces of B and tasks of the blocks before this one
    for (Index index = 0; index < walk.count(); ++index) {
      SharedBlock const block = walk[index];
      take_part(shares, phase++, block.packs, self, [&](Index piece) {
        arch::spin_until(progress.computed.value, tasks);  // the last block's B has been read
        pack_b(block, piece, packed_b);
        progress.packed.value.fetch_add(1, std::memory_order_release);
      });
      packs += block.packs;
      take_part(shares, phase++, block.tasks(), self, [&](Index number) {
        arch::spin_until(progress.packed.value, packs);
        arch::spin_until(progress.computed.value, tasks);
        task(block, number, packed_b, sums, self);
        progress.computed.value.fetch_add(1, std::memory_order_release);
      });
      tasks += block.tasks();
    }
    take_part(shares, phase, edge_parts(group), self, [&](Index part) {
      edge_columns(part_of(ranges.rows, m_plan.panel_rows, part, edge_parts(group)), self);
    });
  }

  /// f(piece) for pieces of a phase that no thread has taken: of the own share, then of the others'.
  template <class F>
  void take_part(Share* shares, Index phase, Index count, Worker const& self, F const& f) const {
    for (int step = 0; step < m_plan.workers && count > 0; ++step) {
      Index const of = (self.number + step) % m_plan.workers;
      Index const begin = count * of / m_plan.workers, end = count * (of + 1) / m_plan.workers;
      for (Index piece; (piece = shares[of].take(phase, end - begin)) >= 0;) f(begin + piece);
    }
  }

  void pack_b(SharedBlock const& block, Index piece, std::byte* to) const {
    Index const begin = piece * m_plan.pack_cols, cols = tile::smaller(m_plan.pack_cols, block.cols.size() - begin);
    m_product.b.pack_block(block.cols.begin + begin, cols, block.depth.begin, block.depth.size(),
                           to + panel_bytes(begin, block.depth.size()));
  }
  /// Of columns of B, whole panels, that are packed to this depth.
  [[nodiscard]] Index panel_bytes(Index cols, Index depth) const {
    return cols * (tile::ceil_div<Index>(depth, m_plan.k_pack) + m_plan.behind) * m_plan.position_bytes;
  }

  /// A task of a block: its depth in steps of kc, columns in steps of nc and rows in steps of mc, as far as these are
  /// less.
  void task(SharedBlock const& block, Index number, std::byte const* packed_b, R* sums, Worker& self) const {
    Range const rows = part_of(block.rows, m_plan.panel_rows, number % block.task_rows, block.task_rows);
    Range const cols = part_of(block.cols, m_plan.panel_cols, number / block.task_rows, block.task_cols);
    GemmBlocks const& size = m_plan.blocks;
    Call call = m_product.whole;
    call.packed_a = m_plan.pack_a;
    call.packed_b = m_plan.pack_b;
    R* c = call.c + (rows.begin * call.c_rs + cols.begin) * m_product.parts;
    if (!m_plan.in_c()) {
      call.c_rs = m_plan.sums_stride;
      c = sums + ((rows.begin - block.rows.begin) * call.c_rs + cols.begin - block.cols.begin) * m_product.parts;
      call.alpha[0] = R(1);
      call.alpha[1] = R(0);
      call.reads_c = false;
    }
    for (Index j = cols.begin; j < cols.end; j += size.nc) {
      call.n = tile::smaller(size.nc, cols.end - j);
      for (Index p = block.depth.begin; p < block.depth.end; p += size.kc) {
        call.k = tile::smaller(size.kc, block.depth.end - p);
        Call now = p > 0 ? added(call) : call;
        now.b = reinterpret_cast<R const*>(m_plan.pack_b ? packed_b + panel_bytes(j - block.cols.begin, call.k)
                                                         : m_product.b.at(j, p));
        for (Index i = rows.begin; i < rows.end; i += size.mc) {
          now.m = tile::smaller(size.mc, rows.end - i);
          now.a = reinterpret_cast<R const*>(m_plan.pack_a ? pack_a(i, now.m, p, now.k, self) : m_product.a.at(i, p));
          now.c = c + ((i - rows.begin) * now.c_rs + j - cols.begin) * m_product.parts;
          m_product.block(now);
        }
      }
    }
    if (!m_plan.in_c() && block.depth.end == m_product.whole.k) {
      m_product.store_block(c, m_plan.sums_stride, rows.begin, rows.size(), cols.begin, cols.size());
    }
  }

  /// The same call for products that are added to those of earlier depths.
  static Call added(Call call) {
    call.beta[0] = R(1);
    call.beta[1] = R(0);
    call.reads_c = true;
    return call;
  }

  std::byte const* pack_a(Index row, Index rows, Index begin, Index depth, Worker& self) const {
    if (self.row != row || self.rows != rows || self.depth != begin) {
      m_product.a.pack_block(row, rows, begin, depth, self.workspace);
      self.row = row;
      self.rows = rows;
      self.depth = begin;
    }
    return self.workspace;
  }

  /// The group that has the last columns splits them among its threads.
  [[nodiscard]] Index edge_parts(int group) const {
    return m_plan.edge_cols > 0 && group % m_plan.grid_cols == m_plan.grid_cols - 1 ? m_plan.workers : 0;
  }

  /// A few columns, in dot products of A's rows.
  void edge_columns(Range const& rows, Worker& self) const {
    if (rows.size() == 0) return;
    Call call = m_product.whole;
    Index const col = call.n - m_plan.edge_cols;
    call.m = rows.size();
    call.n = m_plan.edge_cols;
    call.a = reinterpret_cast<R const*>(m_product.a.at(rows.begin, 0));
    call.b = reinterpret_cast<R const*>(m_product.b.at(col, 0));
    call.c += (rows.begin * call.c_rs + col * call.c_cs) * m_product.parts;
    call.workspace = self.workspace;
    m_product.streaming(call);
  }

  HostProduct<R> const& m_product;
  HostPlan const& m_plan;
  std::byte* m_workspace;
};

}  // namespace pantile::impl::matmul

// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  A pool of memory blocks that transfers reuse, each with an event of the last work that uses it.

#include <pantile/impl/kokkos_ext/event.hpp>
#include <pantile/impl/kokkos_ext/memory.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <exception>
#include <iterator>
#include <mutex>
#include <span>
#include <utility>
#include <vector>

namespace pantile::impl::transfer {

/// \brief  Memory, and when it may be touched again: `ready.wait()` first, whoever used it last.
template <class Space, class Event>
struct Block {
  Kokkos::View<std::byte*, Space> memory;
  Event ready;
};

/// \brief  Safe to use from several threads at once. Never waits for a block that another transfer holds, so that no
///         two can wait for each other: what is bounded is the memory that is kept when transfers are done.
template <class Space, class Event>
class BlockPool {
 public:
  using Block = transfer::Block<Space, Event>;

  /// \brief  A block of at least so many bytes: the smallest of those that are free, else a new one.
  /// \param  bytes  more than 0
  Block take(std::size_t bytes) {
    {
      std::lock_guard const lock(m_mutex);
      auto best = m_free.end();
      for (auto it = m_free.begin(); it != m_free.end(); ++it) {
        bool const fits = it->memory.size() >= bytes;
        if (fits && (best == m_free.end() || it->memory.size() < best->memory.size())) best = it;
      }
      if (best != m_free.end()) {
        Block found = std::move(*best);
        m_free.erase(best);
        m_free_bytes -= found.memory.size();
        return found;
      }
    }
    try {
      return make(bytes);
    } catch (std::exception const&) {  // what is kept may be what is missing
      trim();
      return make(bytes);
    }
  }

  /// Keep it for later, or, where more than keep_bytes would be kept, wait until it is not in use and free it.
  void give_back(Block&& block, std::size_t keep_bytes) {
    {
      std::lock_guard const lock(m_mutex);
      if (m_open && m_free_bytes + block.memory.size() <= keep_bytes) {
        m_free_bytes += block.memory.size();
        m_free.push_back(std::move(block));
        return;
      }
    }
    free(block);
  }

  /// Free what is free.
  void trim() {
    std::vector<Block> old;
    {
      std::lock_guard const lock(m_mutex);
      old.assign(std::make_move_iterator(m_free.begin()), std::make_move_iterator(m_free.end()));
      m_free.clear();
      m_free_bytes = 0;
    }
    for (Block& block : old) free(block);
  }

  /// Free what is free, and from now on what is given back.
  void close() {
    {
      std::lock_guard const lock(m_mutex);
      m_open = false;
    }
    trim();
  }

  [[nodiscard]] std::size_t free_bytes() const {
    std::lock_guard const lock(m_mutex);
    return m_free_bytes;
  }

 private:
  Block make(std::size_t bytes) {
    using Bytes = Kokkos::View<std::byte*, Space>;
    Block made{Bytes(Kokkos::view_alloc(Kokkos::WithoutInitializing, "pantile::transfer::pinned"), bytes), Event()};
    std::lock_guard const lock(m_mutex);
    m_free.reserve(m_made + 1);  // so that give_back cannot fail
    ++m_made;
    return made;
  }

  void free(Block& block) {
    block.ready.wait("pantile::transfer: before staging memory is freed");
    block = Block{};
    std::lock_guard const lock(m_mutex);
    --m_made;
  }

  mutable std::mutex m_mutex;
  std::vector<Block> m_free;
  std::size_t m_free_bytes = 0, m_made = 0;
  bool m_open = true;
};

using PinnedPool = BlockPool<kokkos_ext::PinnedSpace, kokkos_ext::Event<Kokkos::DefaultExecutionSpace>>;
using PinnedBlock = PinnedPool::Block;

/// \brief  The pinned memory of this process. Freed when Kokkos is finalised; the pool itself is never destroyed, since
///         Views must not outlive Kokkos.
inline PinnedPool& pinned_pool() {
  static PinnedPool* const pool = [] {
    auto* const made = new PinnedPool;
    Kokkos::push_finalize_hook([made] { made->close(); });
    return made;
  }();
  return *pool;
}

/// Chunks for one copy, or for those of one scope; given back when it ends.
class Chunks {
 public:
  Chunks() = default;
  Chunks(Chunks&&) = default;
  Chunks& operator=(Chunks&&) = delete;
  ~Chunks() { release(); }

  /// Have at least so many chunks. Those of one object are asked for with equal bytes, above 0.
  void reserve(int count, std::size_t bytes, std::size_t keep_bytes) {
    m_keep_bytes = keep_bytes;
    while (static_cast<int>(m_blocks.size()) < count) {
      m_blocks.reserve(static_cast<std::size_t>(count));
      m_blocks.push_back(pinned_pool().take(bytes));
    }
  }
  void release() {
    for (PinnedBlock& block : m_blocks) pinned_pool().give_back(std::move(block), m_keep_bytes);
    m_blocks.clear();
  }

  [[nodiscard]] std::span<PinnedBlock> blocks() { return m_blocks; }

 private:
  std::vector<PinnedBlock> m_blocks;
  std::size_t m_keep_bytes = 0;
};

}  // namespace pantile::impl::transfer

// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  A chunked copy between a device and pageable host memory: while one chunk is transferred, the host fills the
///        next pinned chunk, or empties the last.

#include <pantile/impl/kokkos_ext/event.hpp>
#include <pantile/impl/kokkos_ext/memory.hpp>
#include <pantile/impl/tile/shape.hpp>
#include <pantile/impl/transfer/block_pool.hpp>
#include <pantile/impl/transfer/launch.hpp>
#include <pantile/impl/transfer/places.hpp>
#include <pantile/impl/transfer/problem.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <climits>
#include <cstddef>
#include <span>
#include <string>

namespace pantile::impl::transfer {

/// \brief  Pieces of whole rows, or of parts of one row, of at most so many bytes; at least one element each.
inline tile::TileGrid pieces_of(Index rows, Index cols, std::size_t element_size, std::size_t piece_bytes) {
  Index const elements = std::clamp<Index>(static_cast<Index>(piece_bytes / element_size), 1, INT_MAX);
  Index const across = std::clamp<Index>(cols, 1, elements);
  return {rows, cols, static_cast<int>(std::clamp<Index>(elements / across, 1, std::max<Index>(1, rows))),
          static_cast<int>(across)};
}

template <class T>
Matrix<T> part(Matrix<T> const& m, tile::Block const& b) {
  return {m.data + b.row * m.row_stride + b.col * m.col_stride, b.rows, b.cols, m.row_stride, m.col_stride};
}

/// \brief  The host's copy between its own memory and a chunk, by all its threads; done when it returns.
template <class T>
void copy_on_host(Matrix<T> const& to, Matrix<T const> const& from, std::string const& name) {
  Host const host;
  run(host, to, from, name);
  host.fence("pantile::transfer: the host has copied a piece");
}

/// \brief  The device's end of a chunked copy: an instance, on which pieces are sent and received in order.
/// \tparam Exec  copies bytes between Device and Pinned asynchronously, and its kernels reach Device
template <class Exec, class T, class Device, class Pinned>
class Line {
 public:
  using Event = kokkos_ext::Event<Exec>;

  /// \param  spare  room for a piece in the device's memory where its matrix is not contiguous there, else null
  Line(Exec const& exec, T* spare, Labels const& names) : m_exec(exec), m_spare(spare), m_names(names) {}

  void send(Matrix<T> const& to, T const* chunk) const {
    T* const arrival = m_spare != nullptr ? m_spare : to.data;
    copy_bytes<Device, Pinned>(m_exec, arrival, chunk, static_cast<std::size_t>(to.count()) * sizeof(T));
    if (m_spare != nullptr) run(m_exec, to, packed_like<T const>(to, m_spare, Order::rows), m_names.unpack);
  }
  void receive(T* chunk, Matrix<T const> const& from) const {
    if (m_spare != nullptr) run(m_exec, packed_like(from, m_spare, Order::rows), from, m_names.pack);
    T const* const departure = m_spare != nullptr ? m_spare : from.data;
    copy_bytes<Pinned, Device>(m_exec, chunk, departure, static_cast<std::size_t>(from.count()) * sizeof(T));
  }
  void mark(Event& event) const { event.record(m_exec); }

 private:
  Exec m_exec;
  T* m_spare;
  Labels const& m_names;
};

/// Wait until the chunk is not in use, and give its memory.
template <class T, class Chunk>
T* free_chunk(Chunk& chunk) {
  chunk.ready.wait("pantile::transfer: before a chunk is used again");
  return reinterpret_cast<T*>(chunk.memory.data());
}

/// A step of the line that touches the chunk, and its mark: also where the step fails, since what it has enqueued is
/// done.
template <class DeviceLine, class Chunk, class Step>
void run_marked(DeviceLine const& line, Chunk& chunk, Step const& step) {
  try {
    step();
  } catch (...) {
    line.mark(chunk.ready);
    throw;
  }
  line.mark(chunk.ready);
}

/// \brief  Host to device. When it returns the host's memory may be changed; the last pieces are still on their way,
///         and their chunks are marked.
template <class DeviceLine, class T, class Chunk>
void send_pieces(DeviceLine const& line, Matrix<T> const& to, Matrix<T const> const& from, tile::TileGrid const& pieces,
                 std::span<Chunk> chunks, std::string const& name) {
  for (Index p = 0; p < pieces.count(); ++p) {
    Chunk& chunk = chunks[static_cast<std::size_t>(p) % chunks.size()];
    tile::Block const block = pieces.block(p);
    T* const memory = free_chunk<T>(chunk);
    Matrix<T const> const source = part(from, block);
    copy_on_host(packed_like(source, memory, Order::rows), source, name);
    run_marked(line, chunk, [&] { line.send(part(to, block), memory); });
  }
}

/// Device to host. When it returns the host's memory has the elements.
template <class DeviceLine, class T, class Chunk>
void receive_pieces(DeviceLine const& line, Matrix<T> const& to, Matrix<T const> const& from,
                    tile::TileGrid const& pieces, std::span<Chunk> chunks, std::string const& name) {
  Index const count = pieces.count(), depth = static_cast<Index>(chunks.size());
  for (Index p = 0; p < count + depth; ++p) {
    Chunk& chunk = chunks[static_cast<std::size_t>(p % depth)];
    T* const memory = free_chunk<T>(chunk);  // and so piece p - depth has arrived in it
    if (Index const arrived = p - depth; arrived >= 0 && arrived < count) {
      Matrix<T> const destination = part(to, pieces.block(arrived));
      copy_on_host(destination, packed_like<T const>(destination, memory, Order::rows), name);
    }
    if (p >= count) continue;
    run_marked(line, chunk, [&] { line.receive(memory, part(from, pieces.block(p))); });
  }
}

/// \brief  All of a planned copy. The host fills chunks from memory that earlier work on the instance may write, hence
///         the fence; what it empties has been waited for, piece by piece.
/// \param  packed, unpacked  room for a piece in the device's memory where the plan packs or unpacks it
template <class ToSpace, class FromSpace, class Exec, class T>
void move_in_pieces(Exec const& exec, Problem<T> const& p, Plan const& plan, std::span<PinnedBlock> all, T* packed,
                    T* unpacked, Labels const& names) {
  bool const transposed = plan.order == Order::columns;
  auto to = transposed ? p.destination.transposed() : p.destination;
  auto from = transposed ? p.source.transposed() : p.source;
  if (side_of(to, Memory::host).by_rows && side_of(from, Memory::host).by_rows) {
    to = to.as_one_row();
    from = from.as_one_row();
  }
  auto const pieces = pieces_of(to.rows, to.cols, sizeof(T), plan.piece_bytes);
  auto const chunks = all.first(static_cast<std::size_t>(plan.chunks));
  auto const& host_names = labels<Host, T>();
  if constexpr (memory_kind<FromSpace>() == Memory::host) {
    exec.fence("pantile::transfer: before the host packs");
    Line<Exec, T, ToSpace, kokkos_ext::PinnedSpace> const line(exec, unpacked, names);
    send_pieces(line, to, from, pieces, chunks, host_names.pack);
  } else {
    Line<Exec, T, FromSpace, kokkos_ext::PinnedSpace> const line(exec, packed, names);
    receive_pieces(line, to, from, pieces, chunks, host_names.unpack);
  }
}

}  // namespace pantile::impl::transfer

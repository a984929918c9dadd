// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  B = A, A^T or A^H over ranks, where parts lie on devices: in rounds, kernels pack a tile of A into messages
///        and unpack received ones into B, while MPI transfers the messages of another round.

#include <pantile/mpi/distribution.hpp>
#include <pantile/transpose.hpp>

#include <pantile/impl/arch/current.hpp>
#include <pantile/impl/arch/device_tuning.hpp>
#include <pantile/impl/arch/host/tuning/mpi.hpp>
#include <pantile/impl/kokkos_ext/range_2d.hpp>
#include <pantile/impl/mpi/checks.hpp>
#include <pantile/impl/mpi/exchange_plan.hpp>
#include <pantile/impl/mpi/gpu_aware.hpp>
#include <pantile/impl/mpi/staging.hpp>

#include <mpi.h>
#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>

namespace pantile::impl::mpi {

enum class Move { as_it_is, transposed };

/// An element of a View, or of a tile, from or into the messages of a round.
template <class T, bool packs>
struct MessageKernel {
  std::conditional_t<packs, T const, T>* elements;
  std::int64_t fast_stride, slow_stride;
  std::conditional_t<packs, T, T const>* messages;
  Line const *fast, *slow;
  std::int64_t fast_count;

  KOKKOS_FUNCTION void operator()(std::int64_t i, std::int64_t j) const {
    Line const f = fast[i], s = slow[j];
    std::int64_t const place = s.group_begin * fast_count + std::int64_t(s.group_size) * f.group_begin +
                               (j - s.group_begin) * f.group_size + (i - f.group_begin);
    auto& element = elements[f.local * fast_stride + s.local * slow_stride];
    if constexpr (packs) {
      messages[place] = element;
    } else {
      element = messages[place];
    }
  }
};

/// What a side's kernels need: messages of two rounds, and the lines of all.
template <class View, class Exec, bool packs>
class ExchangeEnd {
 public:
  using T = element_t<View>;
  using Instance = Reaching<View, Exec>;
  using Space = typename Instance::memory_space;

  ExchangeEnd(Exec const& exec, ExchangeSide const& side, std::int64_t rounds)
      : instance(reaching<View>(exec)), m_side(side), m_fast(uploaded(side.fast)), m_slow(uploaded(side.slow)) {
    m_messages.reserve(static_cast<int>(std::min<std::int64_t>(rounds, 2)), side.largest() * sizeof(T),
                       !on_host<View> && mpi_takes_memory_of(arch::space_name<Instance>()));
  }

  Instance const instance;

  [[nodiscard]] void* memory(std::int64_t round) { return m_messages.of(round); }
  [[nodiscard]] Messages messages(FastSlow window) const { return m_side.messages(window); }

  /// Enqueues a round, whose elements are the matrix's, of B's shape or a part of it, from the window on.
  template <class U>
  void run(std::int64_t round, FastSlow window, Matrix<U> const& matrix) {
    auto const i = static_cast<std::size_t>(window.fast), j = static_cast<std::size_t>(window.slow);
    auto const fast = static_cast<std::int64_t>(m_side.fast.size(i));
    auto const slow = static_cast<std::int64_t>(m_side.slow.size(j));
    if (fast == 0 || slow == 0) return;
    using Operand = operand_t<Instance, T>;
    static std::string const label =
        kernel_label("mpi::exchange", packs ? "pack" : "unpack", arch::space_name<Instance>(), element_name_v<T>);
    using Elements = std::conditional_t<packs, Operand const*, Operand*>;
    MessageKernel<Operand, packs> const kernel{reinterpret_cast<Elements>(matrix.data),
                                               is_row_major<View> ? matrix.col_stride : matrix.row_stride,
                                               is_row_major<View> ? matrix.row_stride : matrix.col_stride,
                                               reinterpret_cast<Operand*>(m_messages.of(round)),
                                               m_fast.data() + m_side.fast.begins[i],
                                               m_slow.data() + m_side.slow.begins[j],
                                               fast};
    kokkos_ext::for_fast_slow(label, instance, fast, slow, arch::device::block_cols, arch::device::block_rows, kernel);
  }

 private:
  Kokkos::View<Line*, Space> uploaded(Lines const& lines) const {
    auto const count = lines.lines.size();
    Kokkos::View<Line*, Space> result(Kokkos::view_alloc(instance, Kokkos::WithoutInitializing, "pantile::mpi::lines"),
                                      count);
    Kokkos::deep_copy(instance, result,
                      Kokkos::View<Line const*, Kokkos::HostSpace, Kokkos::MemoryUnmanaged>(lines.lines.data(), count));
    return result;
  }

  ExchangeSide const& m_side;
  Kokkos::View<Line*, Space> m_fast, m_slow;
  Turns<Space> m_messages;
};

/// A round's messages between all ranks, under way while the host does other things.
class Delivery {
 public:
  Delivery(MPI_Comm communicator, std::size_t element_bytes) : m_communicator(communicator) {
    MPI_Type_contiguous(static_cast<int>(element_bytes), MPI_BYTE, &m_element);
    MPI_Type_commit(&m_element);
  }
  Delivery(Delivery&&) = delete;
  Delivery& operator=(Delivery&&) = delete;
  ~Delivery() {
    wait();
    MPI_Type_free(&m_element);
  }

  /// Collective. Nobody touches either memory until wait() has returned.
  void start(Messages sent, void const* from, Messages received, void* to) {
    m_sent = std::move(sent);
    m_received = std::move(received);
    MPI_Ialltoallv(from, m_sent.counts.data(), m_sent.places.data(), m_element, to, m_received.counts.data(),
                   m_received.places.data(), m_element, m_communicator, &m_request);
  }
  void wait() { MPI_Wait(&m_request, MPI_STATUS_IGNORE); }

 private:
  MPI_Comm m_communicator;
  MPI_Datatype m_element = MPI_DATATYPE_NULL;
  MPI_Request m_request = MPI_REQUEST_NULL;
  Messages m_sent, m_received;
};

/// \tparam Exec  the caller's, whose work on the Views is waited for
template <Move move, class Exec, class ViewA, class ViewB>
class Exchange {
 public:
  /// Not collective: takes the memory, and packs the first round. The matrices must live as long as this.
  Exchange(Exec const& exec, DistributedMatrix<ViewA> const& a, DistributedMatrix<ViewB> const& b, bool conjugate,
           std::size_t tile_bytes = arch::host::exchange_tile_bytes)
      : m_a(a),
        m_b(b),
        m_conjugate(conjugate),
        m_plan(a.distribution, b.distribution, move == Move::transposed, is_row_major<ViewB>,
               static_cast<std::int64_t>(tile_bytes / sizeof(T))),
        m_sent(exec, m_plan.sent, m_plan.rounds()),
        m_received(exec, m_plan.received, m_plan.rounds()),
        m_tile(Kokkos::view_alloc(m_sent.instance, Kokkos::WithoutInitializing, "pantile::mpi::tile"),
               move == Move::transposed ? m_plan.sent.largest() : 0) {
    exec.fence("pantile::mpi: the work before, on the caller's instance");
    if (m_plan.rounds() > 0) pack(0);
    fence();
  }
  Exchange(Exchange&&) = delete;
  Exchange& operator=(Exchange&&) = delete;

  /// Collective, and once: B is there when it returns.
  void run() {
    Delivery delivery(m_b.distribution.grid().communicator(), sizeof(T));
    std::int64_t const rounds = m_plan.rounds();
    for (std::int64_t round = 0; round < rounds; ++round) {
      FastSlow const window = m_plan.window(round);
      delivery.start(m_sent.messages(window), m_sent.memory(round), m_received.messages(window),
                     m_received.memory(round));
      if (round > 0) unpack(round - 1);
      if (round + 1 < rounds) pack(round + 1);
      delivery.wait();
      fence();
    }
    if (rounds > 0) unpack(rounds - 1);
    fence();
  }

 private:
  using T = element_t<ViewB>;
  using Layout = typename ViewB::array_layout;
  using SentEnd = ExchangeEnd<ViewA, Exec, true>;
  using ReceivedEnd = ExchangeEnd<ViewB, Exec, false>;

  void fence() const {
    m_sent.instance.fence("pantile::mpi: the kernels of a round");
    m_received.instance.fence("pantile::mpi: the kernels of a round");
  }

  /// This rank's tile of A.
  [[nodiscard]] auto tile_of_a(FastSlow window) const {
    constexpr bool fast_is_rows = is_row_major<ViewB> == (move == Move::transposed);
    auto const range = [](std::int64_t index, std::int64_t tile, std::size_t extent) {
      auto const begin = std::min(static_cast<std::size_t>(index * tile), extent);
      return std::pair(begin, std::min(begin + static_cast<std::size_t>(tile), extent));
    };
    FastSlow const tile = m_plan.tile;
    std::size_t const rows = m_a.local.extent(0), cols = m_a.local.extent(1);
    auto const of_rows = fast_is_rows ? range(window.fast, tile.fast, rows) : range(window.slow, tile.slow, rows);
    auto const of_cols = fast_is_rows ? range(window.slow, tile.slow, cols) : range(window.fast, tile.fast, cols);
    return Kokkos::subview(m_a.local, of_rows, of_cols);
  }

  void pack(std::int64_t round) {
    FastSlow const window = m_plan.window(round);
    auto const from = tile_of_a(window);
    if (from.size() == 0) return;
    if constexpr (move == Move::transposed) {
      using Tile = Kokkos::View<typename ViewB::non_const_value_type**, Layout, typename SentEnd::Space,
                                Kokkos::MemoryUnmanaged>;
      Tile const tile(m_tile.data(), from.extent(1), from.extent(0));
      pantile::transpose(m_sent.instance, from, tile, {.conjugate = m_conjugate});
      m_sent.run(round, window, to_matrix(tile));
    } else {
      m_sent.run(round, window, to_matrix(from));
    }
  }

  void unpack(std::int64_t round) { m_received.run(round, m_plan.window(round), to_matrix(m_b.local)); }

  DistributedMatrix<ViewA> const& m_a;
  DistributedMatrix<ViewB> const& m_b;
  bool m_conjugate;
  ExchangePlan m_plan;
  SentEnd m_sent;
  ReceivedEnd m_received;
  Kokkos::View<typename ViewB::non_const_value_type*, typename SentEnd::Space> m_tile;
};

}  // namespace pantile::impl::mpi

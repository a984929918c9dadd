// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file  What moves parts of devices, by the default execution space's kernels: on hosts too, which the faces leave to
///        others.

#include <mpi/ranks.hpp>
#include <support/matcher.hpp>
#include <support/tool_events.hpp>

#include <pantile/pinned.hpp>

#include <pantile/impl/mpi/exchange.hpp>

#include <gmock/gmock.h>

#include <array>
#include <cstdint>
#include <cstdlib>
#include <numeric>
#include <string>
#include <vector>

namespace pantile::testing {
namespace {

using impl::mpi::Exchange;
using impl::mpi::ExchangePlan;
using impl::mpi::FastSlow;
using impl::mpi::Messages;
using impl::mpi::Move;
using mpi::BlockSize;
using mpi::Distribution;
using mpi::ProcessGrid;

constexpr std::array<std::array<BlockSize, 2>, 4> pairs_of_blocks{{
    {BlockSize{2, 2}, BlockSize{2, 2}},
    {BlockSize{3, 5}, BlockSize{5, 3}},
    {BlockSize{3, 4}, BlockSize{2, 7}},
    {BlockSize{64, 1}, BlockSize{64, 64}},
}};

/// Every shape, and two that ranks are outside of.
std::vector<ProcessGrid> grids() {
  auto result = all_grids();
  if (world_size() > 1) result.push_back(ProcessGrid(MPI_COMM_WORLD, 1, 1));
  if (world_size() > 2) result.push_back(ProcessGrid(MPI_COMM_WORLD, world_size() - 1, 1));
  return result;
}

template <class F>
void for_each_plan(F const& f) {
  for (ProcessGrid const& from : grids()) {
    for (ProcessGrid const& to : grids()) {
      for (auto const& [block_a, block_b] : pairs_of_blocks) {
        for (bool const transposed : {false, true}) {
          for (bool const row_major : {false, true}) {
            for (std::int64_t const elements : {1, 20, 1000}) {
              Distribution const a(from, 13, 7, block_a), b(to, transposed ? 7 : 13, transposed ? 13 : 7, block_b);
              f(ExchangePlan(a, b, transposed, row_major, elements), elements);
            }
          }
        }
      }
    }
  }
}

std::vector<int> told_by_others(std::vector<int> const& mine) {
  std::vector<int> theirs(mine.size());
  MPI_Alltoall(mine.data(), 1, MPI_INT, theirs.data(), 1, MPI_INT, MPI_COMM_WORLD);
  return theirs;
}

int sum(std::vector<int> const& counts) { return std::accumulate(counts.begin(), counts.end(), 0); }

/// Messages lie side by side, in some order.
bool is_packed(Messages const& messages) {
  int const all = sum(messages.counts);
  std::vector<int> covered(static_cast<std::size_t>(all), 0);
  for (std::size_t rank = 0; rank < messages.counts.size(); ++rank) {
    for (int i = 0; i < messages.counts[rank]; ++i) ++covered.at(static_cast<std::size_t>(messages.places[rank] + i));
  }
  return std::all_of(covered.begin(), covered.end(), [](int times) { return times == 1; });
}

TEST(MpiExchangePlan, WhatOneSendsTheOtherExpects) {
  for_each_plan([](ExchangePlan const& plan, std::int64_t elements) {
    int sent_in_all = 0;
    for (std::int64_t round = 0; round < plan.rounds(); ++round) {
      FastSlow const window = plan.window(round);
      Messages const sent = plan.sent.messages(window), received = plan.received.messages(window);
      EXPECT_EQ(told_by_others(sent.counts), received.counts);
      EXPECT_TRUE(is_packed(sent));
      EXPECT_TRUE(is_packed(received));
      EXPECT_LE(sum(sent.counts), elements);
      EXPECT_LE(static_cast<std::size_t>(sum(received.counts)), plan.received.largest());
      sent_in_all += sum(sent.counts);
    }
    MPI_Allreduce(MPI_IN_PLACE, &sent_in_all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    EXPECT_EQ(sent_in_all, 13 * 7);
  });
}

template <Move move, class T, class Layout>
void expect_moved(ProcessGrid const& from, ProcessGrid const& to, std::array<BlockSize, 2> blocks,
                  std::size_t elements) {
  SCOPED_TRACE(std::to_string(from.rows()) + "x" + std::to_string(from.cols()) + " to " + std::to_string(to.rows()) +
               "x" + std::to_string(to.cols()) + ", " + std::to_string(elements));
  constexpr bool transposed = move == Move::transposed;
  auto const values = whole_numbers<T>(23, 29, 1), expected = transposed ? applied(Op::transpose, values) : values;
  HostMatrix<T> const before(expected.rows, expected.cols);
  auto const over = [](ProcessGrid const& grid, HostMatrix<T> const& x, BlockSize block) {
    return Distribution(grid, static_cast<std::int64_t>(x.rows), static_cast<std::int64_t>(x.cols), block);
  };
  Dealt<T, Layout> const a(over(from, values, blocks[0]), values, 2), b(over(to, before, blocks[1]), before, 1);
  using View = typename Dealt<T, Layout>::View;
  using Exec = typename View::execution_space;
  Exchange<move, Exec, View, View>(Exec{}, a.matrix, b.matrix, false, elements * sizeof(T)).run();
  EXPECT_TRUE(equal(b.gathered(), expected));
  EXPECT_TRUE(equal(a.gathered(), values));
  EXPECT_TRUE(b.surroundings_intact());
}

TEST(MpiExchange, TransposesInRounds) {
  for (ProcessGrid const& grid : grids()) {
    for (auto const& blocks : pairs_of_blocks) {
      for (std::size_t const elements : {20, 110, 1000}) {
        expect_moved<Move::transposed, double, Kokkos::LayoutLeft>(grid, grid, blocks, elements);
        expect_moved<Move::transposed, double, Kokkos::LayoutRight>(grid, grid, blocks, elements);
      }
    }
  }
}

TEST(MpiExchange, RedistributesInRounds) {
  for (ProcessGrid const& from : grids()) {
    for (ProcessGrid const& to : grids()) {
      expect_moved<Move::as_it_is, std::int32_t, Kokkos::LayoutLeft>(from, to, pairs_of_blocks[2], 60);
      expect_moved<Move::as_it_is, std::int32_t, Kokkos::LayoutRight>(from, to, pairs_of_blocks[1], 110);
    }
  }
}

// A round is packed before the one before it is unpacked, since its messages are under way meanwhile.
TEST(MpiExchange, PacksBeforeMessagesHaveCome) {
  ProcessGrid const one(MPI_COMM_WORLD, 1, 1);
  Dealt<double, Kokkos::LayoutLeft> const a({one, 8, 96, {8, 8}}, HostMatrix<double>(8, 96)),
      b({one, 8, 96, {8, 8}}, HostMatrix<double>(8, 96));
  using View = typename Dealt<double, Kokkos::LayoutLeft>::View;
  using Exec = typename View::execution_space;
  std::string order;
  {
    Exchange<Move::as_it_is, Exec, View, View> exchange(Exec{}, a.matrix, b.matrix, false, 8 * 32 * sizeof(double));
    ToolEvents const events;
    exchange.run();
    for (auto const& event : events.of(ToolEvents::Kind::kernel)) {
      order += event.label.find("[unpack,") != std::string::npos ? "u" : "p";
    }
  }
  EXPECT_EQ(order, world_rank() == 0 ? "pupupuu" : "");  // of four rounds, but for the first pack
}

TEST(MpiGpuAware, TheEnvironmentDecides) {
  char const* const said = std::getenv("PANTILE_MPI_GPU_AWARE");
  std::string const before = said == nullptr ? "" : said;
  setenv("PANTILE_MPI_GPU_AWARE", "1", 1);
  EXPECT_TRUE(impl::mpi::mpi_takes_memory_of("cuda"));
  setenv("PANTILE_MPI_GPU_AWARE", "0", 1);
  EXPECT_FALSE(impl::mpi::mpi_takes_memory_of("cuda"));
  unsetenv("PANTILE_MPI_GPU_AWARE");
  EXPECT_FALSE(impl::mpi::mpi_takes_memory_of("openmp"));
  setenv("PANTILE_MPI_GPU_AWARE", before.c_str(), 1);
}

/// What f() takes of these names.
template <class F>
std::uint64_t bytes_of(std::vector<std::string> const& names, F const& f) {
  free_staging();
  ToolEvents const events;
  f();
  std::uint64_t bytes = 0;
  for (auto const& event : events.of(ToolEvents::Kind::allocation)) {
    if (std::find(names.begin(), names.end(), event.label) != names.end()) bytes += event.bytes;
  }
  return bytes;
}

// Two tiles to send and as much to receive, whatever the parts; pinned, or where MPI takes it from the device.
TEST(MpiExchange, TakesMemoryForFourTiles) {
  ProcessGrid const grid(MPI_COMM_WORLD, world_size(), 1);
  std::int64_t const n = 64 * world_size();
  Dealt<double, Kokkos::LayoutLeft> const a({grid, n, 96, {8, 8}}, HostMatrix<double>(n, 96)),
      b({grid, n, 96, {16, 8}}, HostMatrix<double>(n, 96));
  using View = typename Dealt<double, Kokkos::LayoutLeft>::View;
  using Exec = typename View::execution_space;
  std::size_t const tile = 64 * 16 * sizeof(double);  // of a part of 64x96
  bool const aware = !impl::mpi::on_host<View> && impl::mpi::mpi_takes_memory_of("cuda");
  auto const bytes = bytes_of({aware ? "pantile::mpi::turns" : "pantile::transfer::pinned"}, [&] {
    Exchange<Move::as_it_is, Exec, View, View>(Exec{}, a.matrix, b.matrix, false, tile).run();
  });
  constexpr std::uint64_t header = 512;  // Kokkos' own of each allocation
  EXPECT_GE(bytes, 4 * tile);
  EXPECT_LE(bytes, 4 * (tile + header));
}

}  // namespace
}  // namespace pantile::testing

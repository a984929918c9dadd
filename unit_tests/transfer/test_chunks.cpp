// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Copies in pieces through chunks, with a device that does nothing before it must: what is used too early is wrong.
#include <support/matcher.hpp>
#include <support/matrices.hpp>
#include <support/tool_events.hpp>
#include <transfer/late.hpp>

#include <pantile/pinned.hpp>
#include <pantile/transfer.hpp>

#include <pantile/impl/transfer/block_pool.hpp>
#include <pantile/impl/transfer/chunks.hpp>

#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace {

using namespace pantile::testing;
using namespace pantile::impl::transfer;
using pantile::TransferPath;
using pantile::impl::Index;
using pantile::impl::Matrix;
using pantile::impl::tile::TileGrid;
using HostExec = Kokkos::DefaultHostExecutionSpace;
using Kind = ToolEvents::Kind;

struct LateEvent {
  LateQueue* queue = nullptr;
  std::size_t mark = 0;
  void wait(std::string const&) {
    if (queue != nullptr) queue->run_to(mark);
    queue = nullptr;
  }
};

/// Line's calls, late. With a spare, pieces pass through it as on a device whose matrix is not contiguous.
template <class T>
struct LateLine {
  LateQueue& queue;
  T* spare;
  Labels const& names;

  using Real = Line<HostExec, T, Kokkos::HostSpace, Kokkos::HostSpace>;
  void send(Matrix<T> const& to, T const* chunk) const {
    queue.enqueue([real = Real(HostExec{}, spare, names), to, chunk] { real.send(to, chunk); });
  }
  void receive(T* chunk, Matrix<T const> const& from) const {
    queue.enqueue([real = Real(HostExec{}, spare, names), chunk, from] { real.receive(chunk, from); });
  }
  void mark(LateEvent& event) const { event = {&queue, queue.put}; }
};

using Shape = std::pair<int, int>;
using LateChunk = Block<Kokkos::HostSpace, LateEvent>;

std::vector<LateChunk> make_chunks(int count, std::size_t bytes) {
  std::vector<LateChunk> chunks;
  for (int i = 0; i < count; ++i) chunks.push_back({Kokkos::View<std::byte*, Kokkos::HostSpace>("chunk", bytes), {}});
  return chunks;
}

template <class T>
struct Ends {
  HostMatrix<T> values;
  Placed<T, HostExec> from, to;
  Ends(std::size_t rows, std::size_t cols, Placement source, Placement destination)
      : values(random_matrix<T>(rows, cols, 5)), from("from", values, source), to("to", rows, cols, destination) {}
  Matrix<T const> source() const { return pantile::impl::to_const_matrix(from.view()); }
  Matrix<T> destination() const { return pantile::impl::to_matrix(to.view()); }
};

/// Copy in pieces, with the spare where the device's end is not contiguous by rows. Returns the number of pieces.
template <class T>
Index copy_late(Ends<T> const& ends, bool send, int depth, std::size_t piece_bytes) {
  LateQueue queue;
  auto const to = ends.destination();
  auto const from = ends.source();
  bool const packed = send ? side_of(to, Memory::device).by_rows : side_of(from, Memory::device).by_rows;
  std::vector<T> spare(packed ? 0 : piece_bytes / sizeof(T));
  LateLine<T> const line{queue, packed ? nullptr : spare.data(), labels<HostExec, T>()};
  auto chunks = make_chunks(depth, piece_bytes);
  TileGrid const pieces = pieces_of(to.rows, to.cols, sizeof(T), piece_bytes);
  if (send) {
    send_pieces(line, to, from, pieces, std::span(chunks), "pantile::test");
    // The host's array may be changed now, though the device has not read the last chunks.
    Kokkos::deep_copy(ends.from.view(), T(0));
  } else {
    receive_pieces(line, to, from, pieces, std::span(chunks), "pantile::test");
  }
  if (send) queue.run_to(queue.put);
  EXPECT_TRUE(queue.work.empty());
  return pieces.count();
}

TEST(Pieces, CoverTheMatrixAndKeepWithinTheirSize) {
  constexpr Shape shapes[] = {{0, 4}, {1, 1}, {1, 100}, {100, 1}, {7, 16}, {8, 17}, {3, 15}, {5, 33}};
  for (auto const [rows, cols] : shapes) {
    for (std::size_t const bytes : {std::size_t(8), std::size_t(128), std::size_t(1000)}) {
      TileGrid const pieces = pieces_of(rows, cols, 8, bytes);
      Index covered = 0;
      for (Index p = 0; p < pieces.count(); ++p) {
        auto const block = pieces.block(p);
        covered += Index(block.rows) * block.cols;
        EXPECT_LE(std::size_t(block.rows) * std::size_t(block.cols) * 8, bytes);
        EXPECT_TRUE(block.rows == 1 || block.cols == cols) << "contiguous where the matrix is";
      }
      EXPECT_EQ(covered, Index(rows) * cols);
    }
  }
  EXPECT_EQ(pieces_of(4, 16, 8, 256).count(), 2) << "two rows at a time";
  EXPECT_EQ(pieces_of(5, 16, 8, 256).count(), 3);
  EXPECT_EQ(pieces_of(1, 1, 64, 8).count(), 1) << "an element larger than a piece is a piece";
}

TEST(Chunks, EveryPlacementBothWaysAtEveryDepth) {
  int several = 0;
  // 16 elements of 4 bytes a piece: rows of 5, of exactly 16, of 17 and of 40 elements.
  constexpr Shape shapes[] = {{1, 1}, {9, 5}, {4, 16}, {3, 17}, {2, 40}, {1, 100}, {33, 1}};
  for (auto const [rows, cols] : shapes) {
    for (Placement const from : all_placements) {
      for (Placement const to : all_placements) {
        for (int const depth : {1, 2, 3}) {
          for (bool const send : {true, false}) {
            Ends<float> const ends(rows, cols, from, to);
            several += copy_late(ends, send, depth, 64) > depth ? 1 : 0;
            EXPECT_TRUE(equal(ends.to.values(), ends.values))
                << rows << "x" << cols << " from " << int(from) << " to " << int(to) << " depth " << depth << send;
            EXPECT_TRUE(ends.to.surroundings_intact());
          }
        }
      }
    }
  }
  EXPECT_GT(several, 500) << "chunks are used again";
}

TEST(Chunks, SendingLeavesTheLastPiecesToTheDevice) {
  Ends<double> const ends(8, 16, Placement::right, Placement::right);
  LateQueue queue;
  LateLine<double> const line{queue, nullptr, labels<HostExec, double>()};
  auto chunks = make_chunks(2, 128);
  send_pieces(line, ends.destination(), ends.source(), pieces_of(8, 16, 8, 128), std::span(chunks), "pantile::test");
  EXPECT_EQ(queue.put, 8u);
  EXPECT_EQ(queue.done, 6u) << "each chunk has been waited for before it was used again, the last two have not";
}

TEST(Chunks, AnotherCopyWaitsForTheOneBeforeInItsChunk) {
  Ends<double> const first(1, 16, Placement::right, Placement::right), second(1, 16, Placement::left, Placement::right);
  LateQueue one, other;
  auto chunks = make_chunks(1, 128);
  auto const pieces = pieces_of(1, 16, 8, 128);
  send_pieces(LateLine<double>{one, nullptr, labels<HostExec, double>()}, first.destination(), first.source(), pieces,
              std::span(chunks), "pantile::test");
  receive_pieces(LateLine<double>{other, nullptr, labels<HostExec, double>()}, second.destination(), second.source(),
                 pieces, std::span(chunks), "pantile::test");
  EXPECT_TRUE(equal(first.to.values(), first.values)) << "sent before its chunk was overwritten";
  EXPECT_TRUE(equal(second.to.values(), second.values));
}

/// A line whose pieces fail from the second on, each after it was enqueued.
struct FailingLine : LateLine<double> {
  mutable int pieces = 0;
  void fail() const {
    if (++pieces > 1) throw std::runtime_error("the device is gone");
  }
  void send(Matrix<double> const& to, double const* chunk) const {
    LateLine<double>::send(to, chunk);
    fail();
  }
  void receive(double* chunk, Matrix<double const> const& from) const {
    LateLine<double>::receive(chunk, from);
    fail();
  }
};

// What has been enqueued goes on: the next copy that has the chunk must wait for it.
TEST(Chunks, OfACopyThatFailsAreMarkedAllTheSame) {
  for (bool const sends : {true, false}) {
    Ends<double> const failed(2, 16, Placement::right, Placement::right);
    LateQueue queue;
    FailingLine const line{{queue, nullptr, labels<HostExec, double>()}};
    auto chunks = make_chunks(2, 128);
    auto const pieces = pieces_of(2, 16, 8, 128);
    auto const copy =
        sends ? &send_pieces<FailingLine, double, LateChunk> : &receive_pieces<FailingLine, double, LateChunk>;
    EXPECT_THROW(copy(line, failed.destination(), failed.source(), pieces, std::span(chunks), "pantile::test"),
                 std::runtime_error);
    for (LateChunk const& chunk : chunks) EXPECT_EQ(chunk.ready.queue, &queue) << sends;
    EXPECT_EQ(chunks[1].ready.mark, queue.put) << sends;
    queue.run_to(queue.put);
  }
}

TEST(Event, OfAHostFencesOnceAndOnlyAfterAMark) {
  pantile::impl::kokkos_ext::Event<HostExec> event;
  ToolEvents const events;
  event.wait("never marked");
  EXPECT_EQ(events.count(Kind::fence), 0u);
  event.record(HostExec{});
  event.wait("marked");
  event.wait("marked");
  EXPECT_EQ(events.count(Kind::fence, "marked"), 1u);
}

// --- The pool ------------------------------------------------------------------------------------------------

using LatePool = BlockPool<Kokkos::HostSpace, LateEvent>;

TEST(Pool, GivesTheSameMemoryAgain) {
  LatePool pool;
  auto block = pool.take(100);
  void const* const memory = block.memory.data();
  pool.give_back(std::move(block), 1000);
  EXPECT_EQ(pool.free_bytes(), 100u);
  ToolEvents const events;
  auto again = pool.take(60);
  EXPECT_EQ(again.memory.data(), memory) << "a larger block serves too";
  EXPECT_EQ(pool.free_bytes(), 0u);
  EXPECT_EQ(events.count(Kind::allocation), 0u);
  auto const another = pool.take(60);
  EXPECT_EQ(events.count(Kind::allocation, "pantile::transfer::pinned"), 1u) << "it does not wait for the first";
  EXPECT_NE(another.memory.data(), memory);
}

TEST(Pool, TakesTheSmallestThatFits) {
  LatePool pool;
  std::vector<LatePool::Block> blocks;
  for (std::size_t const bytes : {300, 100, 200}) blocks.push_back(pool.take(bytes));
  for (auto& block : blocks) pool.give_back(std::move(block), 1000);
  EXPECT_EQ(pool.take(150).memory.size(), 200u);
  EXPECT_EQ(pool.take(150).memory.size(), 300u);
  EXPECT_EQ(pool.free_bytes(), 100u);
}

TEST(Pool, KeepsNoMoreThanAskedAndFreesNothingInUse) {
  LatePool pool;
  LateQueue queue;
  bool sent = false;
  auto kept = pool.take(100), freed = pool.take(100);
  queue.enqueue([&] { sent = true; });
  freed.ready = {&queue, queue.put};
  pool.give_back(std::move(kept), 150);
  pool.give_back(std::move(freed), 150);
  EXPECT_EQ(pool.free_bytes(), 100u);
  EXPECT_TRUE(sent) << "waited for before it was freed";
  auto late = pool.take(100);
  sent = false;
  queue.enqueue([&] { sent = true; });
  late.ready = {&queue, queue.put};
  pool.give_back(std::move(late), 150);
  EXPECT_FALSE(sent) << "not waited for while it is kept";
  pool.trim();
  EXPECT_TRUE(sent);
  EXPECT_EQ(pool.free_bytes(), 0u);
}

TEST(Pool, KeepsAsMuchAsAsked) {
  LatePool pool;
  auto first = pool.take(100), second = pool.take(50), third = pool.take(1);
  pool.give_back(std::move(first), 150);
  pool.give_back(std::move(second), 150);
  EXPECT_EQ(pool.free_bytes(), 150u);
  pool.give_back(std::move(third), 150);
  EXPECT_EQ(pool.free_bytes(), 150u);
}

TEST(Pool, ClosedItKeepsNothing) {
  LatePool pool;
  auto block = pool.take(100), out = pool.take(100);
  pool.give_back(std::move(block), 1000);
  pool.close();
  EXPECT_EQ(pool.free_bytes(), 0u);
  pool.give_back(std::move(out), 1000);
  EXPECT_EQ(pool.free_bytes(), 0u);
}

TEST(Pool, SeveralThreadsNeverShareABlock) {
  PinnedPool pool;
  std::vector<std::thread> threads;
  std::vector<int> shared(4, 0);
  for (std::size_t t = 0; t < shared.size(); ++t) {
    threads.emplace_back([&pool, &mistakes = shared[t], mark = std::byte(t + 1)] {
      for (int turn = 0; turn < 500; ++turn) {
        auto block = pool.take(64 + 64 * (turn % 2));
        for (std::size_t i = 0; i < 64; ++i) block.memory.data()[i] = mark;
        std::this_thread::yield();
        for (std::size_t i = 0; i < 64; ++i) mistakes += block.memory.data()[i] != mark ? 1 : 0;
        pool.give_back(std::move(block), turn % 3 == 0 ? 64 : 1000);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (int const mistakes : shared) EXPECT_EQ(mistakes, 0);
  EXPECT_LE(pool.free_bytes(), 1000u);
  pool.trim();
}

TEST(Chunks, AreTakenOnceAndReturned) {
  using HeldChunks = pantile::impl::transfer::Chunks;
  pantile::free_staging();
  {
    HeldChunks chunks;
    chunks.reserve(0, 4096, 10000);
    EXPECT_TRUE(chunks.blocks().empty());
    chunks.reserve(2, 4096, 10000);
    chunks.reserve(1, 4096, 10000);
    EXPECT_EQ(chunks.blocks().size(), 2u);
    EXPECT_EQ(pantile::kept_staging_bytes(), 0u);
    HeldChunks const moved = std::move(chunks);
  }
  EXPECT_EQ(pantile::kept_staging_bytes(), 8192u);
  ToolEvents const events;
  {
    HeldChunks chunks;
    chunks.reserve(2, 4096, 5000);
  }
  EXPECT_EQ(events.count(Kind::allocation), 0u) << "nothing is allocated after the first use";
  EXPECT_EQ(pantile::kept_staging_bytes(), 4096u) << "no more than wanted is kept";
  pantile::free_staging();
  EXPECT_EQ(pantile::kept_staging_bytes(), 0u);
}

TEST(Chunks, PlayNoPartOnHosts) {
  Kokkos::View<double**, Kokkos::LayoutRight, Kokkos::HostSpace> const a("a", 600, 600), b("b", 600, 600);
  auto const report = pantile::explain::copy(HostExec{}, a, b, {.chunk_bytes = 1 << 20});
  EXPECT_EQ(report.path, TransferPath::direct);
  EXPECT_FALSE(report.pageable);
  EXPECT_EQ(report.staging_bytes, 0u);
  ToolEvents const events;
  pantile::copy(HostExec{}, a, b, {.chunk_bytes = 1 << 20});
  EXPECT_EQ(events.count(Kind::allocation), 0u);
}

}  // namespace

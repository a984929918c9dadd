// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file  Where operands lie: files behind a header, Views of any strides, and the contiguous runs of their parts.
#include <out_of_core/cases.hpp>

#include <pantile/impl/out_of_core/read_ahead.hpp>
#include <pantile/impl/out_of_core/ring.hpp>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <future>
#include <system_error>
#include <thread>
#include <tuple>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <sched.h>
#include <unistd.h>

namespace {

using namespace pantile::testing;
namespace out_of_core = pantile::out_of_core;
using pantile::impl::out_of_core::ReadAhead;

/// An open file without a name.
class File {
 public:
  File() : m_stream(std::tmpfile()) {}
  ~File() { std::fclose(m_stream); }
  File(File&&) = delete;
  File& operator=(File&&) = delete;
  [[nodiscard]] int descriptor() const { return ::fileno(m_stream); }

 private:
  std::FILE* m_stream;
};

TEST(Runs, AreThePiecesOfAPart) {
  using Run = std::tuple<std::uint64_t, std::uint64_t, std::uint64_t>;
  auto const runs = [](Order order, Part const& part) {
    std::vector<Run> found;
    out_of_core::for_each_run({.rows = 5, .cols = 7, .order = order, .element_bytes = 4}, part,
                              [&](std::uint64_t place, std::uint64_t packed, std::uint64_t bytes) {
                                found.emplace_back(place, packed, bytes);
                              });
    return found;
  };
  EXPECT_THAT(runs(Order::rows, {1, 2, 2, 3}), ::testing::ElementsAre(Run{36, 0, 12}, Run{64, 12, 12}));
  EXPECT_THAT(runs(Order::columns, {1, 2, 2, 3}), ::testing::ElementsAre(Run{44, 0, 8}, Run{64, 8, 8}, Run{84, 16, 8}));
  EXPECT_THAT(runs(Order::rows, {1, 0, 3, 7}), ::testing::ElementsAre(Run{28, 0, 84}));
  EXPECT_THAT(runs(Order::columns, {0, 3, 5, 2}), ::testing::ElementsAre(Run{60, 0, 40}));
  EXPECT_THAT(runs(Order::rows, {1, 2, 0, 3}), ::testing::IsEmpty());
}

TEST(FileStore, PartsComeBackAndLeaveTheRestAlone) {
  for (Order const order : orders) {
    File file;
    StoreShape const shape{.rows = 300, .cols = 200, .order = order, .element_bytes = sizeof(int)};
    WatchedStore<int> expected(300, 200, order);
    ASSERT_EQ(::ftruncate(file.descriptor(), 128 + 300 * 200 * 4), 0);
    out_of_core::FileStore store(file.descriptor(), "a file", 128, shape);
    for (Part const& part : {Part{0, 0, 300, 200}, Part{17, 23, 150, 99}, Part{299, 199, 1, 1}, Part{5, 0, 90, 200}}) {
      std::vector<int> tile(static_cast<std::size_t>(part.count())), back(tile.size());
      for (std::size_t i = 0; i < tile.size(); ++i) tile[i] = static_cast<int>(i) + part.rows;
      store.write(part, reinterpret_cast<std::byte*>(tile.data()));
      expected.write(part, reinterpret_cast<std::byte*>(tile.data()));
      store.read(part, reinterpret_cast<std::byte*>(back.data()));
      EXPECT_EQ(back, tile);
    }
    std::vector<int> all(expected.elements.size());
    store.read({0, 0, 300, 200}, reinterpret_cast<std::byte*>(all.data()));
    EXPECT_EQ(all, expected.elements);
  }
}

/// Pieces so large that they go past the cache of files, between others that go through it, at any place in a block.
TEST(FileStore, LargePiecesComeBackAndLeaveTheRestAlone) {
  constexpr std::int64_t rows = 40, cols = 100003;  // 7.6 MiB
  StoreShape const shape{.rows = rows, .cols = cols, .order = Order::rows, .element_bytes = sizeof(std::int16_t)};
  for (std::uint64_t const offset : {0, 126, 4096}) {
    std::string name = (std::filesystem::temp_directory_path() / "pantile_storeXXXXXX").string();
    int const file = ::mkstemp(name.data());
    ASSERT_GE(file, 0);
    ::unlink(name.c_str());
    ASSERT_EQ(::ftruncate(file, static_cast<off_t>(offset + rows * cols * 2)), 0);
    out_of_core::FileStore store(file, "a file", offset, shape);
    ::close(file);
    WatchedStore<std::int16_t> expected(rows, cols, Order::rows);
    for (Part const& part : {Part{0, 0, rows, cols}, Part{3, 0, 11, cols}, Part{14, 0, 1, cols}, Part{20, 5, 7, 90001},
                             Part{33, 0, 7, cols}}) {
      std::vector<std::int16_t> tile(static_cast<std::size_t>(part.count())), back(tile.size());
      for (std::size_t i = 0; i < tile.size(); ++i) tile[i] = static_cast<std::int16_t>(i * 31 + part.row);
      store.write(part, reinterpret_cast<std::byte*>(tile.data()));
      expected.write(part, reinterpret_cast<std::byte*>(tile.data()));
      store.read(part, reinterpret_cast<std::byte*>(back.data()));
      ASSERT_EQ(back, tile);
    }
    std::vector<std::int16_t> all(expected.elements.size());
    store.read({0, 0, rows, cols}, reinterpret_cast<std::byte*>(all.data()));
    EXPECT_EQ(all, expected.elements);
  }
}

/// The same where memory begins in a block as the file does, as operations have it, and anywhere else.
TEST(FileStore, LargePiecesComeBackFromAndToAnyMemory) {
  constexpr std::int64_t rows = 30, cols = 100003;
  constexpr std::uint64_t offset = 126;
  StoreShape const shape{.rows = rows, .cols = cols, .order = Order::rows, .element_bytes = sizeof(std::int16_t)};
  std::string name = "pantile_storeXXXXXX";  // on a disk, where the folder for temporary files may be none
  int const file = ::mkstemp(name.data());
  ASSERT_GE(file, 0);
  int const direct = ::open(name.c_str(), O_RDONLY | O_DIRECT);
  if (direct >= 0) ::close(direct);
  ::unlink(name.c_str());
  ASSERT_EQ(::ftruncate(file, static_cast<off_t>(offset + shape.bytes())), 0);
  out_of_core::FileStore store(file, "a file", offset, shape);
  WatchedStore<std::int16_t> expected(rows, cols, Order::rows);
  Part const large{3, 0, 17, cols}, whole{0, 0, rows, cols};
  std::size_t const wish = store.begin_in_block(large);
  EXPECT_EQ(wish, direct < 0 ? 0 : (offset + 3 * cols * 2) % out_of_core::block_bytes);
  EXPECT_EQ(store.begin_in_block({3, 0, 1, cols}), 0U);  // not so large
  EXPECT_EQ(store.begin_in_block({3, 1, 17, cols - 1}), 0U);
  pantile::impl::out_of_core::Crew crew;
  pantile::impl::out_of_core::Ring ring(crew, 1, shape.bytes());
  int filled = 0;
  for (std::size_t const begin : {wish, wish + 2, std::size_t{0}, std::size_t{4094}}) {
    std::byte* const memory = ring.to_fill(begin);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(memory) % out_of_core::block_bytes, begin);
    auto* const elements = reinterpret_cast<std::int16_t*>(memory);
    for (std::int64_t i = 0; i < large.count(); ++i) elements[i] = static_cast<std::int16_t>(i * 31 + filled);
    store.write(large, memory);
    expected.write(large, memory);
    std::fill_n(elements, whole.count(), std::int16_t{-1});
    store.read(large, memory);
    EXPECT_TRUE(std::equal(elements, elements + large.count(), expected.elements.begin() + 3 * cols)) << begin;
    EXPECT_EQ(elements[large.count()], -1);  // nothing behind it
    store.read(whole, memory);
    EXPECT_TRUE(std::equal(elements, elements + whole.count(), expected.elements.begin())) << begin;
    ++filled;
    ring.filled();
    EXPECT_EQ(ring.to_empty(), memory);
    ring.emptied();
  }
  ::close(file);
}

TEST(FileStore, SaysWhereALargePieceEnds) {
  StoreShape const shape{.rows = 4, .cols = 1 << 20, .order = Order::rows, .element_bytes = 1};
  File file;
  ASSERT_EQ(::ftruncate(file.descriptor(), (3 << 20) + 77), 0);
  std::vector<std::byte> tile(4 << 20);
  out_of_core::FileStore store(file.descriptor(), "short.npy", 0, shape);
  EXPECT_THAT(
      [&] {
        store.read({0, 0, 4, 1 << 20}, tile.data());
      },
      ::testing::ThrowsMessage<std::runtime_error>(
          "cannot read 'short.npy': it ends at byte 3145805, 1048499 bytes too early"));
}

TEST(FileStore, SaysWhatFailsAndWhere) {
  File file;
  StoreShape const shape{.rows = 10, .cols = 10, .order = Order::rows, .element_bytes = 8};
  ASSERT_EQ(::ftruncate(file.descriptor(), 500), 0);
  std::vector<std::byte> tile(800);
  out_of_core::FileStore store(file.descriptor(), "short.npy", 0, shape);
  EXPECT_THAT(
      [&] {
        store.read({0, 0, 10, 10}, tile.data());
      },
      ::testing::ThrowsMessage<std::runtime_error>(
          "cannot read 'short.npy': it ends at byte 500, 300 bytes too early"));
  int const full = ::open("/dev/full", O_RDWR);
  ASSERT_GE(full, 0);
  out_of_core::FileStore disk(full, "full.npy", 0, shape);
  ::close(full);
  EXPECT_THAT(
      [&] {
        disk.write({0, 0, 10, 10}, tile.data());
      },
      ::testing::ThrowsMessage<std::system_error>(::testing::HasSubstr("cannot write 'full.npy': No space left")));
  EXPECT_THROW(out_of_core::FileStore(-1, "none.npy", 0, shape), std::system_error);
}

/// What the system is told of while parts of a file are read: (first byte, bytes) of each call.
using Told = std::vector<std::pair<std::uint64_t, std::uint64_t>>;

class Reader {
 public:
  explicit Reader(StoreShape const& shape) : m_shape(shape), m_told(header + shape.bytes() + 2 * ReadAhead::block) {}

  /// Expects that every piece was told of before it is read.
  Told read(Part const& part) {
    Told told;
    std::int64_t done = 0, untold = 0;
    m_ahead.begin(m_shape, part);
    out_of_core::for_each_run(m_shape, part, [&](std::uint64_t place, std::uint64_t, std::uint64_t bytes) {
      m_ahead.before_run(m_shape, header, done++, [&](std::uint64_t first, std::uint64_t count) {
        told.emplace_back(first, count);
        std::fill_n(m_told.begin() + static_cast<std::ptrdiff_t>(first), count, true);
      });
      auto const piece = m_told.begin() + static_cast<std::ptrdiff_t>(header + place);
      if (std::find(piece, piece + static_cast<std::ptrdiff_t>(bytes), false) !=
          piece + static_cast<std::ptrdiff_t>(bytes)) {
        ++untold;
      }
    });
    EXPECT_EQ(untold, done > 1 ? 0 : done);
    return told;
  }

  static constexpr std::uint64_t header = 128;

 private:
  StoreShape m_shape;
  ReadAhead m_ahead;
  std::vector<bool> m_told;
};

TEST(ReadAheadOfParts, TellsOfEachPieceOnce) {
  Reader reader({.rows = 2000, .cols = 4000, .order = Order::rows, .element_bytes = 8});
  EXPECT_THAT(reader.read({0, 0, 10, 4000}), ::testing::IsEmpty());  // one piece
  EXPECT_THAT(reader.read({10, 5, 1, 400}), ::testing::IsEmpty());
  EXPECT_THAT(reader.read({10, 5, 0, 400}), ::testing::IsEmpty());
  Told const told = reader.read({10, 100, 1000, 3000});
  ASSERT_EQ(told.size(), 1000U);
  for (std::size_t i = 0; i < told.size(); ++i) {
    EXPECT_EQ(told[i], std::pair(std::uint64_t{Reader::header + ((10 + i) * 4000 + 100) * 8}, std::uint64_t{24000}));
  }
}

TEST(ReadAheadOfParts, TellsOfBlocksWhereTheyFollowEachOther) {
  for (Order const order : orders) {
    StoreShape const shape{.rows = 4000, .cols = 4000, .order = order, .element_bytes = 8};
    Reader reader(shape);
    auto const part = [&](std::int64_t begin) {
      Part const rows{3, begin, 700, 200};
      return order == Order::rows ? rows : rows.transposed();
    };
    EXPECT_EQ(reader.read(part(0)).size(), 700U);
    std::size_t calls = 0;
    std::uint64_t end = Reader::header + (3 * 4000 + 200) * 8;  // of what is told of the first line
    for (std::int64_t begin = 200; begin < 4000; begin += 200) {
      for (auto const& [first, bytes] : reader.read(part(begin))) {
        ++calls;
        EXPECT_EQ((first + bytes) % ReadAhead::block, 0U);
        if (first >= Reader::header + 4 * 4000 * 8) continue;
        EXPECT_EQ(first, end);
        end = first + bytes;
      }
    }
    EXPECT_LE(calls, 700U * (4000 * 8 / ReadAhead::block + 2));
    EXPECT_EQ(reader.read(part(1200)).front().second, 1600U);  // not behind the part before
  }
}

#if defined(CPU_SETSIZE)
/// A thread that is bound, as those are that compute, does not bind those that read and write for it.
TEST(Crew, RunsWhereverAThreadOfTheProcessMay) {
  cpu_set_t every, one, seen;
  ASSERT_EQ(::sched_getaffinity(0, sizeof every, &every), 0);
  if (CPU_COUNT(&every) < 2) GTEST_SKIP() << "one processor";
  CPU_ZERO(&one);
  for (int cpu = 0; CPU_COUNT(&one) == 0; ++cpu) {
    if (CPU_ISSET(cpu, &every)) CPU_SET(cpu, &one);
  }
  std::promise<void> end;
  std::thread other([&] { end.get_future().wait(); });
  ASSERT_EQ(::sched_setaffinity(0, sizeof one, &one), 0);
  pantile::impl::out_of_core::Crew crew;
  crew.work([&] { crew.start([&] { ::sched_getaffinity(0, sizeof seen, &seen); }); });
  EXPECT_EQ(::sched_setaffinity(0, sizeof every, &every), 0);
  end.set_value();
  other.join();
  EXPECT_TRUE(CPU_EQUAL(&seen, &every)) << CPU_COUNT(&seen) << " of " << CPU_COUNT(&every);
}
#endif

/// A buffer may begin up to a block later than the one before: its parts wait for the part behind them too.
TEST(Ring, FillsPartsWhereNothingIsInUse) {
  pantile::impl::out_of_core::Crew crew;
  pantile::impl::out_of_core::Ring ring(crew, 1, 3 * 5000, 3, 5000);
  std::atomic<int> emptied{0};
  std::vector<int> emptied_before;
  std::vector<std::byte*> filled;
  crew.work([&] {
    crew.start([&] {
      for (int part = 0; part < 8; ++part) {  // the last buffer has two
        filled.push_back(ring.to_fill(part < 3 ? 64 : 4032));
        emptied_before.push_back(emptied);
        ring.filled();
      }
    });
    for (int const parts : {3, 3, 2}) {
      std::byte* const buffer = ring.to_empty(parts);
      EXPECT_EQ(reinterpret_cast<std::uintptr_t>(buffer) % out_of_core::block_bytes, emptied == 0 ? 64U : 4032U);
      for (int part = 0; part < parts; ++part) {
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
        ++emptied;
        ring.emptied();
      }
    }
  });
  EXPECT_THAT(emptied_before, ::testing::ElementsAre(0, 0, 0, 2, 3, 3, 5, 6));
  for (std::size_t part = 0; part < 8; ++part) EXPECT_EQ(filled[part], filled[part / 3 * 3] + part % 3 * 5000) << part;
}

TEST(ViewStore, TakesEveryLayout) {
  Kokkos::View<double**, Kokkos::LayoutRight, Kokkos::HostSpace> right("right", 40, 30), from("from", 40, 30);
  Kokkos::View<double**, Kokkos::LayoutLeft, Kokkos::HostSpace> left("left", 30, 40);
  for (std::size_t i = 0; i < 40; ++i) {
    for (std::size_t j = 0; j < 30; ++j) from(i, j) = static_cast<double>(100 * i + j);
  }
  Kokkos::View<double const**, Kokkos::LayoutRight, Kokkos::HostSpace> const read_only = from;
  out_of_core::ViewSource source(read_only);
  out_of_core::ViewStore to_left(left);
  out_of_core::transpose<double>(Exec(), source, to_left, {.memory = 8192});
  auto const rows = Kokkos::subview(right, Kokkos::ALL, Kokkos::pair<int, int>(3, 20));
  out_of_core::ViewStore part(rows);
  auto const columns = Kokkos::subview(left, Kokkos::pair<int, int>(3, 20), Kokkos::ALL);
  out_of_core::ViewStore back(columns);
  EXPECT_EQ(part.shape().order, Order::rows);
  EXPECT_EQ(to_left.shape().order, Order::columns);
  out_of_core::transpose<double>(Exec(), back, part, {.memory = 8192});
  for (std::size_t i = 0; i < 40; ++i) {
    for (std::size_t j = 0; j < 30; ++j) {
      ASSERT_EQ(left(j, i), from(i, j));
      ASSERT_EQ(right(i, j), j >= 3 && j < 20 ? from(i, j) : 0);
    }
  }
}

}  // namespace

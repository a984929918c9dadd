// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file  When operations of streams run: not before somebody waits, and in the order that CUDA promises.
#include <interpreter/runtime/streams.hpp>

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>

namespace {

using pantile_interpreter::runtime::Operation;
using pantile_interpreter::runtime::Stream;
using pantile_interpreter::runtime::Streams;
using pantile_interpreter::runtime::When;

/// Streams whose operations append a letter.
struct Letters {
  Streams streams{When::late};
  std::string done;
  Operation::Pointer add(Stream& stream, char letter) {
    return streams.add(stream, [this, letter] { done += letter; });
  }
};

TEST(Streams, NothingRunsBeforeSomebodyWaits) {
  Letters letters;
  Stream& stream = *letters.streams.create(true);
  letters.add(stream, 'a');
  letters.add(stream, 'b');
  EXPECT_EQ(letters.done, "");
  letters.streams.finish(stream);
  EXPECT_EQ(letters.done, "ab");
  letters.streams.finish(stream);
  EXPECT_EQ(letters.done, "ab");
}

TEST(Streams, AnotherStreamsFenceDoesNotHelp) {
  Letters letters;
  Stream& first = *letters.streams.create(true);
  Stream& second = *letters.streams.create(true);
  letters.add(first, 'a');
  letters.add(second, 'b');
  letters.streams.finish(second);
  EXPECT_EQ(letters.done, "b");
}

TEST(Streams, AtOnceLeavesNothingOpen) {
  Streams streams(When::at_once);
  bool ran = false;
  streams.add(*streams.create(true), [&] { ran = true; });
  EXPECT_TRUE(ran);
}

TEST(Streams, TheLegacyStreamAndBlockingStreamsWaitForEachOther) {
  Letters letters;
  Stream& blocking = *letters.streams.create(true);
  Stream& other = *letters.streams.create(true);
  letters.add(blocking, 'a');
  letters.add(letters.streams.legacy(), 'b');
  letters.add(other, 'c');
  letters.streams.finish(other);
  EXPECT_EQ(letters.done, "abc");
}

TEST(Streams, ANonBlockingStreamIsAlone) {
  Letters letters;
  Stream& lone = *letters.streams.create(false);
  letters.add(lone, 'a');
  letters.add(letters.streams.legacy(), 'b');
  letters.streams.finish(letters.streams.legacy());
  EXPECT_EQ(letters.done, "b");
  letters.add(letters.streams.legacy(), 'c');
  letters.streams.finish(lone);
  EXPECT_EQ(letters.done, "ba");
}

TEST(Streams, AnEventHoldsBackWhatIsAddedAfterwards) {
  Letters letters;
  Stream& producer = *letters.streams.create(false);
  Stream& consumer = *letters.streams.create(false);
  auto const event = letters.add(producer, 'p');
  letters.add(producer, 'q');
  letters.add(consumer, 'a');
  letters.streams.wait_for(consumer, event);
  letters.add(consumer, 'b');
  letters.streams.finish(consumer);
  ASSERT_EQ(letters.done.size(), 3U) << "q need not run";
  EXPECT_EQ(letters.done.back(), 'b');
}

TEST(Streams, AStreamThatOnlyWaitsIsFinishedWithTheEvent) {
  Letters letters;
  Stream& producer = *letters.streams.create(false);
  Stream& consumer = *letters.streams.create(false);
  letters.streams.wait_for(consumer, letters.add(producer, 'p'));
  EXPECT_FALSE(letters.streams.advance(consumer));
  letters.streams.finish(consumer);
  EXPECT_EQ(letters.done, "p");
}

TEST(Streams, WhoAsksAgainAndAgainGetsOn) {
  Letters letters;
  Stream& stream = *letters.streams.create(true);
  letters.add(stream, 'a');
  letters.add(stream, 'b');
  EXPECT_FALSE(letters.streams.advance(stream));
  EXPECT_EQ(letters.done, "a");
  EXPECT_TRUE(letters.streams.advance(stream));
  EXPECT_EQ(letters.done, "ab");
  EXPECT_TRUE(letters.streams.advance(stream));
}

TEST(Streams, ADestroyedStreamsWorkIsStillDone) {
  Letters letters;
  Stream* const stream = letters.streams.create(true);
  letters.add(*stream, 'a');
  EXPECT_TRUE(letters.streams.destroy(stream));
  EXPECT_FALSE(letters.streams.exists(stream));
  EXPECT_FALSE(letters.streams.destroy(stream));
  EXPECT_EQ(letters.done, "");
  letters.add(letters.streams.legacy(), 'b');
  letters.streams.finish(letters.streams.legacy());
  EXPECT_EQ(letters.done, "ab");
}

TEST(Streams, EverythingIsFinishedAtOnce) {
  Letters letters;
  Stream* const gone = letters.streams.create(false);
  letters.add(*gone, 'a');
  letters.streams.destroy(gone);
  letters.add(*letters.streams.create(false), 'b');
  letters.add(letters.streams.legacy(), 'c');
  letters.streams.finish_all();
  EXPECT_EQ(letters.done.size(), 3U);
}

TEST(Streams, AFailureIsReportedOnce) {
  Streams streams(When::late);
  Stream& stream = *streams.create(true);
  streams.add(stream, [] { throw std::runtime_error("planted"); });
  EXPECT_THROW(streams.finish(stream), std::runtime_error);
  EXPECT_NO_THROW(streams.finish(stream));
}

/// What is not ordered happens in both orders, what is ordered never does.
TEST(Streams, SeedsHaveOtherStreamsGetAhead) {
  bool ahead = false, behind = false;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    Streams streams(When::late, seed);
    std::string done;
    auto const append = [&](char letter) { return [&done, letter] { done += letter; }; };
    Stream& first = *streams.create(false);
    Stream& second = *streams.create(false);
    streams.add(first, append('a'));
    auto const event = streams.add(first, append('b'));
    streams.add(second, append('x'));
    streams.wait_for(second, event);
    streams.add(second, append('y'));
    streams.finish(event);
    ahead |= done.find('x') != std::string::npos;
    behind |= done.find('x') == std::string::npos;
    streams.finish_all();
    EXPECT_LT(done.find('a'), done.find('b'));
    EXPECT_LT(done.find('b'), done.find('y'));
    EXPECT_LT(done.find('x'), done.find('y'));
    EXPECT_EQ(done.size(), 4U);
  }
  EXPECT_TRUE(ahead);
  EXPECT_TRUE(behind);
}

TEST(Streams, ChainsAsLongAsAProgram) {
  Streams streams(When::late);
  Stream& stream = *streams.create(true);
  int count = 0;
  for (int k = 0; k < 200000; ++k) streams.add(stream, [&] { ++count; });
  streams.finish(stream);
  EXPECT_EQ(count, 200000);
}

}  // namespace

// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file  A call from Python works on one stream, and waits for each other one on which an array is made.
#include <python/streams.hpp>

#include <gmock/gmock.h>

namespace {

using pantile::python::order_of;
using pantile::python::Streams;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

int memory[3];
void *const s1 = &memory[0], *const s2 = &memory[1], *const s3 = &memory[2];
void* const legacy = reinterpret_cast<void*>(std::uintptr_t{1});  // as __cuda_array_interface__ has it

TEST(PythonStreams, NoneIsWaitedForWhereAllAreOne) {
  for (void* const stream : {s1, s2}) {
    Streams const streams = order_of({stream, stream, stream});
    EXPECT_EQ(streams.work, stream);
    EXPECT_THAT(streams.awaited, IsEmpty());
  }
}

TEST(PythonStreams, TheDefaultOneHasTwoNames) {
  for (auto const& made_on : {std::vector<void*>{}, {nullptr, nullptr}, {legacy, nullptr}, {nullptr, legacy, legacy}}) {
    Streams const streams = order_of(made_on);
    EXPECT_EQ(streams.work, nullptr);
    EXPECT_THAT(streams.awaited, IsEmpty());
  }
}

TEST(PythonStreams, EachOtherOneIsWaitedForOnce) {
  Streams const streams = order_of({s1, s2, s3, s2, s1});
  EXPECT_EQ(streams.work, s1);
  EXPECT_THAT(streams.awaited, ElementsAre(s2, s3));
}

TEST(PythonStreams, TheDefaultOneIsWaitedForToo) {
  for (void* const by_default : {static_cast<void*>(nullptr), legacy}) {
    Streams const first = order_of({by_default, s2, s1});
    EXPECT_EQ(first.work, s2);
    EXPECT_THAT(first.awaited, ElementsAre(legacy, s1));
    Streams const last = order_of({s2, by_default});
    EXPECT_EQ(last.work, s2);
    EXPECT_THAT(last.awaited, ElementsAre(legacy));
  }
}

}  // namespace

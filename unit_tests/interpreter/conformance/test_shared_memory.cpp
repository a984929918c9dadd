// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <interpreter/machine/shared_memory.hpp>

#include <gtest/gtest.h>

namespace {

using pantile_interpreter::Accessor;
using pantile_interpreter::SharedMemory;
using Problem = SharedMemory::Problem;

constexpr int one = 1, two = 2;

TEST(SharedMemory, tells_reads_of_bytes_that_nobody_wrote) {
  SharedMemory memory(16, false);
  memory.begin();
  EXPECT_EQ(memory.read(0, 4, {.thread = 0}), Problem::uninitialised);
  EXPECT_EQ(memory.write(0, 4, {.thread = 0}, &one), Problem::none);
  EXPECT_EQ(memory.read(0, 4, {.thread = 0}), Problem::none);
  EXPECT_EQ(memory.read(0, 8, {.thread = 0}), Problem::uninitialised);
}

TEST(SharedMemory, a_barrier_orders_a_write_before_a_read) {
  for (bool const barrier : {false, true}) {
    SharedMemory memory(16, true);
    memory.begin();
    ASSERT_EQ(memory.write(0, 4, {.thread = 0}, &one), Problem::none);
    if (barrier) memory.order_all();
    EXPECT_EQ(memory.read(0, 4, {.thread = 40}), barrier ? Problem::none : Problem::race);
  }
}

TEST(SharedMemory, a_barrier_orders_a_read_before_a_write) {
  for (bool const barrier : {false, true}) {
    SharedMemory memory(16, true);
    memory.begin();
    ASSERT_EQ(memory.write(0, 4, {.thread = 40}, &one), Problem::none);
    memory.order_all();
    ASSERT_EQ(memory.read(0, 4, {.thread = 0}), Problem::none);
    if (barrier) memory.order_all();
    EXPECT_EQ(memory.write(0, 4, {.thread = 40}, &two), barrier ? Problem::none : Problem::race);
  }
}

TEST(SharedMemory, copies_may_be_read_once_they_have_ended) {
  SharedMemory memory(16, true);
  memory.begin();
  ASSERT_EQ(memory.begin_copy(0, 16, {.thread = 0}), Problem::none);
  EXPECT_EQ(memory.read(0, 4, {.thread = 0}), Problem::copy_under_way);
  memory.end_copy(0, 16, {.thread = 0});
  EXPECT_EQ(memory.read(0, 4, {.thread = 0}), Problem::none);
}

}  // namespace

// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <interpreter/machine/fault.hpp>
#include <interpreter/machine/memory.hpp>

#include <gtest/gtest.h>

namespace {

using pantile_interpreter::Fault;
using pantile_interpreter::Memory;

TEST(Memory, gives_aligned_addresses_even_for_nothing) {
  Memory memory;
  auto const first = memory.allocate(1), nothing = memory.allocate(0), second = memory.allocate(1);
  EXPECT_EQ(first % Memory::alignment, 0U);
  EXPECT_EQ(second % Memory::alignment, 0U);
  EXPECT_NE(nothing, 0U);
  EXPECT_NE(nothing, first);
  EXPECT_NE(nothing, second);
}

TEST(Memory, lies_at_its_addresses_where_the_host_reaches_it) {
  Memory memory(true);
  auto const block = memory.allocate(sizeof(int));
  auto* const element = reinterpret_cast<int*>(block);
  int const sent = 5;
  memory.write(block, &sent, sizeof sent);
  EXPECT_EQ(*element, 5);
  *element = 7;
  int arrived = 0;
  memory.read(&arrived, block, sizeof arrived);
  EXPECT_EQ(arrived, 7);
  EXPECT_NE(memory.access<sizeof(int)>(memory.allocate(sizeof(int)), Memory::Access::read, true), nullptr);
}

TEST(Memory, frees_once) {
  Memory memory;
  auto const block = memory.allocate(16);
  EXPECT_FALSE(memory.free(block + 1));
  EXPECT_TRUE(memory.free(block));
  EXPECT_FALSE(memory.free(block));
}

TEST(Memory, refuses_kernels_what_was_freed_or_never_allocated) {
  Memory memory;
  auto const block = memory.allocate(8);
  EXPECT_NE(memory.access<8>(block, Memory::Access::write, true), nullptr);
  EXPECT_EQ(memory.access<8>(block + 4, Memory::Access::write, true), nullptr);
  EXPECT_EQ(memory.access<1>(block - 1, Memory::Access::write, true), nullptr);
  ASSERT_TRUE(memory.free(block));
  EXPECT_FALSE(memory.contains(block));
  EXPECT_EQ(memory.access<8>(block, Memory::Access::write, true), nullptr);
}

TEST(Memory, refuses_reads_of_bytes_that_nobody_wrote) {
  Memory memory;
  auto const block = memory.allocate(8);
  EXPECT_EQ(memory.access<4>(block, Memory::Access::read, true), nullptr);
  EXPECT_NE(memory.access<4>(block, Memory::Access::read, false), nullptr);
  EXPECT_NE(memory.access<4>(block, Memory::Access::write, true), nullptr);
  EXPECT_NE(memory.access<4>(block, Memory::Access::read, true), nullptr);
  EXPECT_EQ(memory.access<8>(block, Memory::Access::read, true), nullptr);
}

TEST(Memory, copies_leave_uninitialised_bytes_uninitialised) {
  Memory memory;
  auto const source = memory.allocate(8), target = memory.allocate(8);
  memory.fill(source, 7, 4);
  memory.fill(target, 9, 8);
  memory.copy(target, source, 8);
  EXPECT_NE(memory.access<4>(target, Memory::Access::read, true), nullptr);
  EXPECT_EQ(memory.access<4>(target + 4, Memory::Access::read, true), nullptr);
}

TEST(Memory, copies_of_the_host_stay_in_allocations) {
  Memory memory;
  auto const block = memory.allocate(4);
  int value = 42, back = 0;
  memory.write(block, &value, sizeof value);
  memory.read(&back, block, sizeof back);
  EXPECT_EQ(back, 42);
  EXPECT_THROW(memory.write(block + 1, &value, sizeof value), Fault);
  ASSERT_TRUE(memory.free(block));
  EXPECT_THROW(memory.read(&back, block, sizeof back), Fault);
}

TEST(Memory, lends_kernels_shared_memory_of_the_host) {
  Memory memory;
  int value = 42;
  auto const address = reinterpret_cast<std::uint64_t>(&value);
  EXPECT_EQ(memory.access<4>(address, Memory::Access::read, true), nullptr);
  memory.share(&value, sizeof value);
  EXPECT_EQ(memory.access<4>(address, Memory::Access::read, true), reinterpret_cast<unsigned char*>(&value));
  EXPECT_EQ(memory.access<8>(address, Memory::Access::read, true), nullptr);
  memory.unshare(&value);
  EXPECT_EQ(memory.access<4>(address, Memory::Access::read, true), nullptr);
}

}  // namespace

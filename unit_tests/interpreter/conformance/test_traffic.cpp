// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is counted: instructions, wavefronts of shared memory, sectors of global memory. Values from the rules in
// ptx/traffic.hpp, by hand.
#include <interpreter/conformance/run.hpp>

#include <gtest/gtest.h>

#include <string_view>

namespace {

using namespace pantile_interpreter;
using pantile_interpreter::testing::prologue;
using pantile_interpreter::testing::Run;

/// The count of the one instruction that begins so, after a warp ran it; it may use %r10, 512 bytes of scratch of which
/// thread t's begin at 16 t, and %w0, where two words of its own are.
InstructionCount counted(std::string const& body, std::string_view begin, unsigned threads = 32) {
  Options options;
  options.traffic = true;
  Run run(".shared .align 16 .b8 scratch[2048];\n" + prologue(2) +
              "mov.u32 %r10, scratch;\nshl.b32 %r11, %r47, 4;\nadd.s32 %r10, %r10, %r11;\n" + body + "\nret;\n",
          options);
  run(threads, std::vector<std::uint64_t>(std::size_t{2} * threads), threads);
  InstructionCount found;
  for (InstructionCount const& count : run.counters().kernels.at("test")) {
    if (std::string_view(count.text).starts_with(begin)) found = count;
  }
  return found;
}

void expect_traffic(Traffic const& traffic, std::uint64_t units, std::uint64_t ideal) {
  EXPECT_EQ(traffic.units, units);
  EXPECT_EQ(traffic.ideal, ideal);
}

TEST(Traffic, WarpsAndLanesThatExecuteAnInstruction) {
  InstructionCount const all = counted("add.s32 %r12, %r47, 1;", "add.s32 %r12", 64);
  EXPECT_EQ(all.warps, 2U);
  EXPECT_EQ(all.lanes, 64U);
  InstructionCount const few = counted("setp.lt.u32 %p1, %r47, 3;\n@%p1 add.s32 %r12, %r47, 1;", "@%p1", 32);
  EXPECT_EQ(few.warps, 1U);
  EXPECT_EQ(few.lanes, 3U);
}

TEST(Traffic, WavefrontsOfSharedMemory) {
  // Words 16 bytes apart: four lanes in each of eight banks. Packs of 16 bytes: a quarter of a warp fills a wavefront.
  expect_traffic(counted("st.shared.u32 [%r10], %r47;", "st.shared").shared, 4, 1);
  expect_traffic(counted("st.shared.v4.u32 [%r10], {%r47, %r47, %r47, %r47};", "st.shared").shared, 4, 4);
  expect_traffic(
      counted("mov.u32 %r10, scratch;\nst.shared.u32 [%r10], 1;\nbar.sync 0;\nld.shared.u32 %r12, [%r10];", "ld.shared")
          .shared,
      1, 1);
}

/// Wavefronts of loads of 16 bytes from the places that lanes compute in %r12.
Traffic wide_loads(std::string const& places, unsigned threads = 32) {
  return counted("mov.u32 %r13, 0;\nst.shared.v4.u32 [%r10], {%r13, %r13, %r13, %r13};\nbar.sync 0;\n" + places +
                     "\nshl.b32 %r12, %r12, 4;\nmov.u32 %r10, scratch;\nadd.s32 %r10, %r10, %r12;\n"
                     "ld.shared.v4.u32 {%r20, %r21, %r22, %r23}, [%r10];",
                 "ld.shared.v4", threads)
      .shared;
}

TEST(Traffic, PairsOfLanesThatLoadTheSamePlace) {
  expect_traffic(wide_loads("mov.u32 %r12, %r47;"), 4, 4);
  expect_traffic(wide_loads("shr.u32 %r12, %r47, 1;"), 2, 2);  // lanes n and n ^ 1
  expect_traffic(wide_loads("shr.u32 %r12, %r47, 2;\nmad.lo.s32 %r12, %r12, 2, 0;\nand.b32 %r13, %r47, 1;\n"
                            "add.s32 %r12, %r12, %r13;"),
                 2, 2);                                            // n and n ^ 2
  expect_traffic(wide_loads("mov.u32 %r12, 0;"), 2, 2);            // all of them
  expect_traffic(wide_loads("and.b32 %r12, %r47, 3;"), 4, 4);      // n and n ^ 4
  expect_traffic(wide_loads("shr.u32 %r12, %r47, 1;", 16), 2, 2);  // no whole warp
}

TEST(Traffic, SectorsOfGlobalMemory) {
  // 16 bytes for each lane: 16 sectors, of which words alone would fill four.
  expect_traffic(counted("ld.global.v2.u64 {%w4, %w5}, [%w0];", "ld.global.v2").global, 16, 16);
  expect_traffic(counted("ld.global.u32 %r12, [%w0];", "ld.global.u32").global, 16, 4);
}

TEST(Traffic, CopiesAreStoresIntoSharedMemoryToo) {
  InstructionCount const packs =
      counted("cp.async.cg.shared.global [%r10], [%w0], 16;\ncp.async.wait_all;", "cp.async.cg");
  expect_traffic(packs.shared, 4, 4);
  expect_traffic(packs.global, 16, 16);
  InstructionCount const words =
      counted("cp.async.ca.shared.global [%r10], [%w0], 4;\ncp.async.wait_all;", "cp.async.ca");
  expect_traffic(words.shared, 4, 1);
  expect_traffic(words.global, 16, 4);
}

TEST(Traffic, CopiesOfZeroesReadNothing) {
  InstructionCount const none = counted(
      "mov.u32 %r12, 0;\ncp.async.cg.shared.global [%r10], [%w0], 16, %r12;\ncp.async.wait_all;", "cp.async.cg");
  expect_traffic(none.shared, 4, 4);
  expect_traffic(none.global, 0, 0);
}

}  // namespace

// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file  Loads, stores, atomics, asynchronous copies, and what they must not do (PTX ISA 8.4, sections 9.7.8
/// and 9.7.12).
#include <interpreter/conformance/run.hpp>

#include <gmock/gmock.h>

#include <string>

namespace pantile_interpreter::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using Words = std::vector<std::uint64_t>;

Words run(std::string const& body, unsigned threads, Words const& in, std::size_t words_out, unsigned ctas = 1,
          Options const& options = {}) {
  return Run(prologue(1) + body + "\nret;\n", options)(threads, in, words_out, ctas);
}
std::string fault_of(std::string const& body, unsigned threads = 1, Words const& in = {1, 2, 3, 4}, unsigned ctas = 1,
                     Options const& options = {}) {
  try {
    (void)run(body, threads, in, 4, ctas, options);
  } catch (Fault const& fault) {
    return fault.what();
  }
  return "no fault";
}

TEST(Faults, NameTheLineOfTheSourcesAndThoseThatCalledIt) {
  std::string const inlined = ".loc\t1 20 7\n.loc\t2 88 5, function_name L, inlined_at 1 20 7\n";
  std::string const files = "\n.file 1 \"/somewhere/kernel.hpp\"\n.file 2 \"loops.hpp\", 1700000000, 99\n";
  std::string const access = "ld.global.u64 %w4, [%w0+4096];\n";
  EXPECT_THAT(fault_of(inlined + access + files),
              HasSubstr("(ld.global.u64 %w4, [%w0+4096]), loops.hpp:88, called at kernel.hpp:20, "));
  EXPECT_THAT(fault_of(inlined + ".loc\t2 0 5\n" + access + files), HasSubstr(", loops.hpp:88, ")) << "line 0 is none";
  EXPECT_THAT(fault_of(inlined + ".loc\t1 21 3\n" + access + files), HasSubstr("+4096]), kernel.hpp:21, CTA"));
  EXPECT_THAT(fault_of(access), HasSubstr("+4096]), CTA")) << "a text without lines";
}

TEST(Loads, ExtendToTheirRegistersBySign) {
  EXPECT_EQ(run("ld.global.s32 %w4, [%w0];\nst.global.u64 [%w1], %w4;", 1, {0x80000000}, 1), Words{0xffffffff80000000});
  EXPECT_EQ(run("ld.global.u32 %w4, [%w0];\nst.global.u64 [%w1], %w4;", 1, {0x80000000}, 1), Words{0x80000000});
  EXPECT_EQ(run("ld.global.s8 %r4, [%w0];\nst.global.u64 [%w1], 0;\nst.global.u32 [%w1], %r4;", 1, {0x80}, 1),
            Words{0xffffff80});
  EXPECT_EQ(run("ld.global.u8 %h4, [%w0+1];\nst.global.u64 [%w1], 0;\nst.global.u8 [%w1+2], %h4;", 1, {0xab00}, 1),
            Words{0xab0000});
}

TEST(Loads, OfVectorsAreInTheOrderOfMemory) {
  EXPECT_EQ(run("ld.global.v4.u32 {%r4, %r5, %r6, %r7}, [%w0];\nst.global.v2.u32 [%w1], {%r7, %r6};\n"
                "st.global.v2.u32 [%w1+8], {%r5, %r4};",
                1, {0x2222222211111111, 0x4444444433333333}, 2),
            (Words{0x3333333344444444, 0x1111111122222222}));
}

TEST(Atomics, AddCompareAndExchange) {
  EXPECT_EQ(
      run("ld.param.u64 %w5, [test_in];\nred.global.add.u64 [%w5], 3;\nred.global.add.u32 [%w5+8], 2;\nbar.sync 0;\n"
          "ld.global.u64 %w6, [%w5];\nld.global.u64 %w7, [%w5+8];\nadd.s64 %w6, %w6, %w7;\nst.global.u64 [%w1], %w6;",
          32, Words(40, 0), 1 + 31)[0],
      32U * 5);
  EXPECT_EQ(
      run("atom.global.cas.b32 %r4, [%w0], 7, 9;\natom.global.exch.b32 %r5, [%w0], 11;\nld.global.u32 %r6, [%w0];\n"
          "mad.lo.s32 %r4, %r4, 100, %r5;\nmad.lo.s32 %r4, %r4, 100, %r6;\nst.global.u64 [%w1], 0;\nst.global.u32 "
          "[%w1], %r4;",
          1, {7}, 1),
      Words{70911});
  EXPECT_EQ(run("mov.b64 %w4, 0d3FF8000000000000;\nred.global.add.f64 [%w0], %w4;\nld.global.u64 %w5, "
                "[%w0];\nst.global.u64 [%w1], %w5;",
                1, {bits(2.25)}, 1),
            Words{bits(3.75)});
}

/// Each of two CTAs leaves a word and counts itself; the last adds both words.
std::string left_to_the_last(std::string const& fence) {
  return "ld.param.u64 %w9, [test_in];\nld.param.u64 %w10, [test_out];\nmov.u64 %w4, 5;\nmul.wide.u32 %w5, %r46, 8;\n"
         "add.s64 %w5, %w5, %w10;\nst.global.u64 [%w5+8], %w4;\n" +
         fence + "\natom.global.add.u32 %r4, [%w9], 1;\nsetp.ne.u32 %p1, %r4, 1;\n@%p1 bra END;\n" + fence +
         "\nld.global.u64 %w6, [%w10+8];\nld.global.u64 %w7, [%w10+16];\nadd.s64 %w6, %w6, %w7;\n"
         "st.global.u64 [%w10], %w6;\nEND:";
}

TEST(Fences, OfTheDeviceOrderWhatOtherCtasRead) {
  Options stop;
  stop.races_are_faults = true;
  EXPECT_EQ(run(left_to_the_last("membar.gl;"), 1, {0}, 3, 2, stop)[0], 10U);
  EXPECT_EQ(fault_of(left_to_the_last("membar.gl;"), 1, {0}, 2, stop), "no fault");
  EXPECT_THAT(fault_of(left_to_the_last("membar.cta;"), 1, {0}, 2, stop), HasSubstr("race"));
  EXPECT_THAT(fault_of(left_to_the_last(""), 1, {0}, 2, stop), HasSubstr("race"));
}

/// 16 bytes to scratch and back, with a wait for all but so many groups.
std::string copied(std::string const& wait) {
  return ".shared .align 16 .b8 scratch[32];\nmov.u32 %r10, scratch;\ncp.async.cg.shared.global [%r10], [%w0], 16;\n"
         "cp.async.commit_group;\ncp.async.ca.shared.global [%r10+16], [%w0+16], 8;\ncp.async.commit_group;\n" +
         wait + "\nld.shared.u64 %w4, [%r10+8];\nst.global.u64 [%w1], %w4;\ncp.async.wait_all;";
}

TEST(AsynchronousCopies, ArriveWhenTheirGroupIsWaitedFor) {
  EXPECT_EQ(run(copied("cp.async.wait_group 1;"), 1, {1, 2, 3, 4}, 1), Words{2});
  EXPECT_EQ(run(copied("cp.async.wait_all;"), 1, {1, 2, 3, 4}, 1), Words{2});
}

TEST(AsynchronousCopies, ThatWereNotWaitedForAreNotRead) {
  EXPECT_THAT(fault_of(copied("")), AllOf(HasSubstr("kernel test"), HasSubstr("ld.shared.u64")));
  EXPECT_NE(fault_of(copied("cp.async.wait_group 2;")), "no fault");
  Options early;
  early.early_copies = true;
  early.races_are_faults = true;
  EXPECT_NE(fault_of(copied(""), 1, {1, 2, 3, 4}, 1, early), "no fault");
}

TEST(AsynchronousCopies, WriteZeroesBehindTheBytesOfTheSource) {
  EXPECT_EQ(run(".shared .align 16 .b8 scratch[16];\nmov.u32 %r10, scratch;\nmov.u32 %r11, 8;\n"
                "cp.async.cg.shared.global [%r10], [%w0], 16, %r11;\ncp.async.wait_all;\nld.shared.v2.u64 {%w4, %w5}, "
                "[%r10];\n"
                "add.s64 %w4, %w4, %w5;\nst.global.u64 [%w1], %w4;",
                1, {5, 6}, 1),
            Words{5});
}

TEST(Faults, NameKernelInstructionLineThreadAndAddress) {
  EXPECT_THAT(fault_of("st.global.u64 [%w1+32], %w1;"),
              AllOf(HasSubstr("kernel test"), HasSubstr("line "), HasSubstr("st.global.u64"), HasSubstr("thread"),
                    HasSubstr("0x")));
  EXPECT_THAT(fault_of("ld.global.u32 %r4, [%w0+2];"), HasSubstr("ld.global.u32"));           // misaligned
  EXPECT_THAT(fault_of("ld.global.v4.u32 {%r4, %r5, %r6, %r7}, [%w0+8];"), HasSubstr("v4"));  // misaligned
  EXPECT_THAT(fault_of("mov.u64 %w4, 0;\nld.global.u32 %r4, [%w4];"), HasSubstr("ld.global.u32"));
  EXPECT_THAT(fault_of("ld.global.u64 %w4, [%w0+32];\nst.global.u64 [%w1], %w4;"), HasSubstr("ld.global.u64"));
  EXPECT_EQ(fault_of("st.global.u64 [%w1], %w1;"), "no fault");
}

TEST(Faults, OfScratch) {
  std::string const scratch = ".shared .align 8 .b8 scratch[16];\nmov.u32 %r10, scratch;\n";
  EXPECT_THAT(fault_of(scratch + "st.shared.u32 [%r10+16], 1;"), HasSubstr("st.shared.u32"));
  EXPECT_THAT(fault_of(scratch + "ld.shared.u32 %r4, [%r10];\nst.global.u32 [%w1], %r4;"), HasSubstr("ld.shared.u32"));
  EXPECT_EQ(fault_of(scratch + "st.shared.u32 [%r10], 1;\nld.shared.u32 %r4, [%r10];\nst.global.u32 [%w1], %r4;"),
            "no fault");
}

TEST(Races, BetweenCtasInGlobalMemory) {
  Options stop;
  stop.races_are_faults = true;
  std::string const first = "ld.param.u64 %w5, [test_out];\n";
  EXPECT_NE(fault_of(first + "mov.u32 %r4, %ctaid.x;\nst.global.u32 [%w5], %r4;", 1, {1, 2, 3, 4}, 3, stop),
            "no fault");
  EXPECT_EQ(fault_of(first + "red.global.add.u32 [%w5], 1;", 1, {1, 2, 3, 4}, 3, stop), "no fault");
  EXPECT_EQ(fault_of("st.global.u64 [%w1], %w1;", 1, {1, 2, 3, 4}, 3, stop), "no fault");
}

TEST(Grids, OfFewerCtasThanAskedForSayTheirSize) {
  Options few;
  few.most_ctas = 2;
  std::string const size = "mov.u32 %r4, %nctaid.x;\nst.global.b64 [%w1], 0;\nst.global.u32 [%w1], %r4;";
  std::uint64_t const untouched = ~std::uint64_t{0};
  EXPECT_EQ(run(size, 1, {1, 2, 3, 4}, 4, 4, few), (Words{2, 2, untouched, untouched}));
  EXPECT_EQ(run(size, 1, {1, 2, 3, 4}, 4, 1, few), (Words{1, untouched, untouched, untouched}));
  EXPECT_EQ(run(size, 1, {1, 2, 3, 4}, 4, 4), (Words{4, 4, 4, 4}));
}

}  // namespace
}  // namespace pantile_interpreter::testing

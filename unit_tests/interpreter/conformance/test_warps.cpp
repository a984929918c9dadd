// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file  What lanes and warps do together: shuffles, votes, barriers, divergence (PTX ISA 8.4, sections 9.7.8
/// and 9.7.12).
#include <interpreter/conformance/run.hpp>

#include <gmock/gmock.h>

#include <string>

namespace pantile_interpreter::testing {
namespace {

using ::testing::HasSubstr;
using Words = std::vector<std::uint64_t>;

/// One word of a warp's every lane, from a body that leaves it in %r4. %r40 is the lane.
Words of_warp(std::string const& body, unsigned threads = 32) {
  return Run(prologue(0) + "mov.u32 %r40, %tid.x;\nmov.u32 %r4, 0;\n" + body +
             "\nst.global.b64 [%w1], 0;\nst.global.b32 [%w1], %r4;\nret;\n")(threads, {}, threads);
}
template <class F>
Words lanes(F const& f, unsigned threads = 32) {
  Words result;
  for (unsigned lane = 0; lane < threads; ++lane) result.push_back(f(lane));
  return result;
}

TEST(Shuffles, TakeFromLanesOfTheirSegment) {
  EXPECT_EQ(of_warp("shfl.sync.idx.b32 %r4, %r40, 5, 31, -1;"), lanes([](unsigned) { return 5; }));
  EXPECT_EQ(of_warp("shfl.sync.bfly.b32 %r4, %r40, 3, 31, -1;"), lanes([](unsigned lane) { return lane ^ 3; }));
  EXPECT_EQ(of_warp("shfl.sync.down.b32 %r4, %r40, 4, 31, -1;"),
            lanes([](unsigned lane) { return lane + 4 < 32 ? lane + 4 : lane; }));
  EXPECT_EQ(of_warp("shfl.sync.up.b32 %r4, %r40, 4, 0, -1;"),
            lanes([](unsigned lane) { return lane < 4 ? lane : lane - 4; }));
  // Segments of eight lanes: the mask 0x18 in bits 8 to 12, the last lane of a segment in bits 0 to 4.
  EXPECT_EQ(of_warp("shfl.sync.idx.b32 %r4, %r40, 2, 0x181f, -1;"),
            lanes([](unsigned lane) { return lane / 8 * 8 + 2; }));
  EXPECT_EQ(of_warp("shfl.sync.down.b32 %r4, %r40, 3, 0x181f, -1;"),
            lanes([](unsigned lane) { return lane % 8 + 3 < 8 ? lane + 3 : lane; }));
  EXPECT_EQ(of_warp("shfl.sync.up.b32 %r4|%p1, %r40, 3, 0x1800, -1;\nselp.b32 %r4, 1, 0, %p1;"),
            lanes([](unsigned lane) { return lane % 8 >= 3 ? 1 : 0; }));
}

TEST(Votes, OfAllOfAnyAndWho) {
  std::string const odd = "and.b32 %r5, %r40, 1;\nsetp.ne.s32 %p1, %r5, 0;\n";
  EXPECT_EQ(of_warp(odd + "vote.sync.ballot.b32 %r4, %p1, -1;"), lanes([](unsigned) { return 0xaaaaaaaa; }));
  EXPECT_EQ(of_warp(odd + "vote.sync.any.pred %p2, %p1, -1;\nselp.b32 %r4, 1, 0, %p2;"),
            lanes([](unsigned) { return 1; }));
  EXPECT_EQ(of_warp(odd + "vote.sync.all.pred %p2, %p1, -1;\nselp.b32 %r4, 1, 0, %p2;"),
            lanes([](unsigned) { return 0; }));
  EXPECT_EQ(of_warp(odd + "@!%p1 bra DONE;\nactivemask.b32 %r4;\nDONE:"),
            lanes([](unsigned lane) { return lane % 2 == 1 ? 0xaaaaaaaa : 0; }));
}

TEST(Divergence, LanesMeetBehindBranchesAndLoops) {
  // Each lane adds one as often as its number says; then all vote.
  EXPECT_EQ(of_warp("mov.u32 %r5, 0;\nLOOP:\nsetp.ge.u32 %p1, %r5, %r40;\n@%p1 bra OUT;\nadd.s32 %r5, %r5, 1;\n"
                    "bra.uni LOOP;\nOUT:\nactivemask.b32 %r6;\nsetp.eq.s32 %p2, %r6, -1;\nselp.b32 %r7, 100, 0, %p2;\n"
                    "add.s32 %r4, %r5, %r7;"),
            lanes([](unsigned lane) { return lane + 100; }));
}

/// Each thread writes its number into scratch, and reads that of the thread 33 further.
std::string read_through_scratch(std::string const& between) {
  return ".shared .align 4 .b8 scratch[512];\nmov.u32 %r10, scratch;\nshl.b32 %r11, %r40, 2;\nadd.s32 %r12, %r10, "
         "%r11;\n"
         "st.shared.u32 [%r12], %r40;\n" +
         between +
         "\nadd.s32 %r13, %r40, 33;\nand.b32 %r13, %r13, 127;\nshl.b32 %r13, %r13, 2;\nadd.s32 %r13, %r10, %r13;\n"
         "ld.shared.u32 %r4, [%r13];";
}

TEST(Barriers, OrderScratchForAllWarps) {
  EXPECT_EQ(of_warp(read_through_scratch("bar.sync 0;"), 128), lanes([](unsigned t) { return (t + 33) % 128; }, 128));
}

std::string fault_of(std::string const& body, unsigned threads, Options const& options = {}) {
  try {
    Run run(prologue(0) + "mov.u32 %r40, %tid.x;\nmov.u32 %r4, 0;\n" + body + "\nret;\n", options);
    (void)run(threads, {}, threads);
  } catch (Fault const& fault) {
    return fault.what();
  }
  return "no fault";
}

TEST(Barriers, ThatAreMissingAreRaces) {
  Options stop;
  stop.races_are_faults = true;
  stop.uninitialised = false;
  std::string const text = fault_of(read_through_scratch(""), 128, stop);
  EXPECT_THAT(text, HasSubstr("kernel test"));
  EXPECT_THAT(text, HasSubstr("shared"));
  EXPECT_EQ(fault_of(read_through_scratch("bar.sync 0;"), 128, stop), "no fault");
  // A barrier of each warp's own lanes orders nothing for other warps.
  EXPECT_NE(fault_of(read_through_scratch("bar.warp.sync -1;"), 128, stop), "no fault");
}

TEST(Barriers, ThatSomeThreadsNeverReachStopTheProgram) {
  std::string const text = fault_of(
      "setp.ge.u32 %p1, %r40, 96;\n@%p1 bra WAIT;\nSPIN:\nbar.sync 1;\nbra.uni END;\nWAIT:\nbar.sync 2;\nEND:", 128);
  EXPECT_THAT(text, HasSubstr("kernel test"));
  EXPECT_NE(text, "no fault");
}

TEST(Barriers, CountAndReduce) {
  // How many of 64 threads have an odd number; does any have 63.
  EXPECT_EQ(of_warp("and.b32 %r5, %r40, 1;\nsetp.ne.s32 %p1, %r5, 0;\nbar.red.popc.u32 %r4, 0, %p1;", 64),
            lanes([](unsigned) { return 32; }, 64));
  EXPECT_EQ(of_warp("setp.eq.s32 %p1, %r40, 63;\nbar.red.or.pred %p2, 0, %p1;\nselp.b32 %r4, 1, 0, %p2;", 64),
            lanes([](unsigned) { return 1; }, 64));
}

TEST(Orders, OfWarpsChangeNoResultThatHasNoRace) {
  auto const numbers_by = [](std::uint64_t seed) {
    Options options;
    options.seed = seed;
    pantile_interpreter::testing::Run run(prologue(0) + "mov.u32 %r40, %tid.x;\n" +
                                              read_through_scratch("bar.sync 0;") +
                                              "\nst.global.b64 [%w1], 0;\nst.global.b32 [%w1], %r4;\nret;\n",
                                          options);
    return run(128, {}, 128);
  };
  for (std::uint64_t seed = 1; seed < 6; ++seed) EXPECT_EQ(numbers_by(seed), numbers_by(0));
}

/// Of a printf, say, that is there for errors.
TEST(Unknown, CallsStopAProgramOnlyWhereTheyAreMade) {
  std::string const call =
      "{\n.reg .b32 temp_param_reg;\n.param .b64 param0;\n%GUARD st.param.b64 [param0+0], %w1;\n.param .b32 retval0;\n"
      "%GUARD call.uni (retval0), vprintf, (param0);\n%GUARD ld.param.b32 %r5, [retval0+0];\n}\n";
  auto const with = [&](std::string const& guard) {
    std::string text = call;
    for (std::size_t at = text.find("%GUARD"); at != std::string::npos; at = text.find("%GUARD"))
      text.replace(at, 6, guard);
    return fault_of("setp.gt.u32 %p1, %r40, 1000;\n" + text, 32);
  };
  EXPECT_EQ(with("@%p1"), "no fault");
  EXPECT_THAT(with("@!%p1"), HasSubstr("does not know calls"));
}

TEST(Unknown, OpcodesAreNamedWithTheirLine) {
  std::string const text = fault_of("tex.1d.v4.f32.s32 {%r1, %r2, %r3, %r4}, [nothing, {%r5}];", 32);
  EXPECT_THAT(text, HasSubstr("tex.1d"));
  EXPECT_THAT(text, HasSubstr("line "));
}

}  // namespace
}  // namespace pantile_interpreter::testing

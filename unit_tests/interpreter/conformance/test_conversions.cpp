// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file  cvt, setp, selp, mov: values from the text of the PTX ISA 8.4, sections 9.7.5 and 9.7.9.
#include <interpreter/conformance/run.hpp>

#include <gtest/gtest.h>

#include <array>
#include <limits>

namespace pantile_interpreter::testing {
namespace {

struct Case {
  char const* instruction;
  std::vector<unsigned> widths;
  std::uint64_t operand, result;
};

void expect(std::vector<Case> const& cases) {
  for (Case const& each : cases) {
    EXPECT_EQ(evaluate(each.instruction, each.widths, {{each.operand}}).at(0), each.result)
        << each.instruction << " of " << each.operand;
  }
}

float const nan = std::numeric_limits<float>::quiet_NaN(), infinity = std::numeric_limits<float>::infinity();

TEST(Conversions, IntegersAreExtendedByTheirSignOrCut) {
  expect({{"cvt.s64.s32 %d, %a;", {8, 4}, 0x80000000, 0xffffffff80000000},
          {"cvt.u64.u32 %d, %a;", {8, 4}, 0x80000000, 0x80000000},
          {"cvt.u32.u64 %d, %a;", {4, 8}, 0x123456789abcdef0, 0x9abcdef0},
          {"cvt.u32.u16 %d, %a;", {4, 2}, 0x8001, 0x8001},
          {"cvt.s32.s16 %d, %a;", {4, 2}, 0x8001, 0xffff8001},
          {"cvt.s32.s8 %d, %a;", {4, 4}, 0x1280, 0xffffff80},
          {"cvt.u16.u32 %d, %a;", {2, 4}, 0x12345678, 0x5678},
          {"cvt.u64.u16 %d, %a;", {8, 2}, 0xfffe, 0xfffe}});
}

TEST(Conversions, FloatsBecomeTheNearestIntegerInRange) {
  expect({{"cvt.rzi.s32.f32 %d, %a;", {4, 4}, bits(-2.9F), bits(-2)},
          {"cvt.rni.s32.f32 %d, %a;", {4, 4}, bits(2.5F), 2},
          {"cvt.rmi.s32.f32 %d, %a;", {4, 4}, bits(-2.1F), bits(-3)},
          {"cvt.rpi.s32.f32 %d, %a;", {4, 4}, bits(2.1F), 3},
          {"cvt.rzi.s32.f32 %d, %a;", {4, 4}, bits(3e9F), 0x7fffffff},
          {"cvt.rzi.s32.f32 %d, %a;", {4, 4}, bits(-infinity), 0x80000000},
          {"cvt.rzi.s32.f32 %d, %a;", {4, 4}, bits(nan), 0},
          {"cvt.rzi.u32.f32 %d, %a;", {4, 4}, bits(-1.0F), 0},
          {"cvt.rzi.s32.f64 %d, %a;", {4, 8}, bits(-7.99), bits(-7)},
          {"cvt.rzi.s64.f64 %d, %a;", {8, 8}, bits(1e300), 0x7fffffffffffffff}});
}

TEST(Conversions, IntegersAreRoundedAsAsked) {
  expect({{"cvt.rn.f32.s32 %d, %a;", {4, 4}, bits(-16777217), bits(-16777216.0F)},
          {"cvt.rn.f32.u32 %d, %a;", {4, 4}, 0xffffffff, bits(4294967296.0F)},
          {"cvt.rn.f64.s64 %d, %a;", {8, 8}, bits(std::int64_t{-5}), bits(-5.0)},
          {"cvt.rn.f64.u32 %d, %a;", {8, 4}, 0xffffffff, bits(4294967295.0)},
          {"cvt.rn.f32.s64 %d, %a;", {4, 8}, (std::uint64_t{1} << 40) + 1, bits(0x1p40F)}});
}

TEST(Conversions, BetweenFloats) {
  expect({{"cvt.f64.f32 %d, %a;", {8, 4}, bits(0.1F), bits(double{0.1F})},
          {"cvt.rn.f32.f64 %d, %a;", {4, 8}, bits(0.1), bits(0.1F)},
          {"cvt.rn.f32.f64 %d, %a;", {4, 8}, bits(1e300), bits(infinity)},
          {"cvt.rn.f16.f32 %d, %a;", {2, 4}, bits(1.0F + 0x1p-11F), 0x3c00},  // half a unit: to even
          {"cvt.rn.f16.f32 %d, %a;", {2, 4}, bits(1.0F + 0x1.8p-11F), 0x3c01},
          {"cvt.rn.f16.f32 %d, %a;", {2, 4}, bits(65520.0F), 0x7c00},  // halfway to 65536
          {"cvt.rn.f16.f32 %d, %a;", {2, 4}, bits(0x1p-24F), 0x0001},
          {"cvt.f32.f16 %d, %a;", {4, 2}, 0x0001, bits(0x1p-24F)},
          {"cvt.f32.f16 %d, %a;", {4, 2}, 0xfc00, bits(-infinity)},
          {"cvt.rn.bf16.f32 %d, %a;", {2, 4}, 0x3f808000, 0x3f80},  // to even
          {"cvt.rn.bf16.f32 %d, %a;", {2, 4}, 0x3f818000, 0x3f82},
          {"cvt.rna.tf32.f32 %d, %a;", {4, 4}, 0x3f801000, 0x3f802000},  // half a unit: away from zero
          {"cvt.rna.tf32.f32 %d, %a;", {4, 4}, 0xbf800fff, 0xbf800000}});
}

struct Comparison {
  char const* name;
  bool less, equal, greater, unordered;
};

TEST(Comparisons, OfFloatsWithAndWithoutNaN) {
  constexpr std::array all{Comparison{"eq", false, true, false, false}, Comparison{"ne", true, false, true, false},
                           Comparison{"lt", true, false, false, false}, Comparison{"le", true, true, false, false},
                           Comparison{"gt", false, false, true, false}, Comparison{"ge", false, true, true, false},
                           Comparison{"equ", false, true, false, true}, Comparison{"neu", true, false, true, true},
                           Comparison{"ltu", true, false, false, true}, Comparison{"leu", true, true, false, true},
                           Comparison{"gtu", false, false, true, true}, Comparison{"geu", false, true, true, true},
                           Comparison{"num", true, true, true, false},  Comparison{"nan", false, false, false, true}};
  for (Comparison const& one : all) {
    std::string const text = std::string("setp.") + one.name + ".f32 %p1, %a, %b;\nselp.b32 %d, 1, 0, %p1;";
    auto const results = evaluate(text, {4, 4, 4},
                                  {{bits(1.0F), bits(2.0F)},
                                   {bits(-0.0F), bits(0.0F)},
                                   {bits(3.0F), bits(-infinity)},
                                   {bits(nan), bits(1.0F)},
                                   {bits(1.0F), bits(nan)}});
    EXPECT_EQ(results, (std::vector<std::uint64_t>{one.less, one.equal, one.greater, one.unordered, one.unordered}))
        << one.name;
  }
}

TEST(Comparisons, OfIntegersBySign) {
  struct Signed {
    char const* name;
    std::vector<std::uint64_t> results;  // of -1 and 1, 1 and 1, 1 and -1
  };
  for (Signed const& one : {Signed{"eq.s32", {0, 1, 0}}, Signed{"ne.s32", {1, 0, 1}}, Signed{"lt.s32", {1, 0, 0}},
                            Signed{"le.s32", {1, 1, 0}}, Signed{"gt.s32", {0, 0, 1}}, Signed{"ge.s32", {0, 1, 1}},
                            Signed{"lt.u32", {0, 0, 1}}, Signed{"le.u32", {0, 1, 1}}, Signed{"gt.u32", {1, 0, 0}},
                            Signed{"ge.u32", {1, 1, 0}}}) {
    std::string const text = std::string("setp.") + one.name + " %p1, %a, %b;\nselp.b32 %d, 1, 0, %p1;";
    EXPECT_EQ(evaluate(text, {4, 4, 4}, {{bits(-1), 1}, {1, 1}, {1, bits(-1)}}), one.results) << one.name;
  }
}

TEST(Comparisons, PredicatesAreCombined) {
  std::vector<std::vector<std::uint64_t>> const rows{{0, 0}, {0, 1}, {1, 0}, {1, 1}};
  auto const combined = [&](std::string const& how) {
    return evaluate("setp.ne.s32 %p2, %a, 0;\nsetp.ne.s32 %p3, %b, 0;\n" + how + "\nselp.b32 %d, 1, 0, %p1;", {4, 4, 4},
                    rows);
  };
  using Words = std::vector<std::uint64_t>;
  EXPECT_EQ(combined("and.pred %p1, %p2, %p3;"), (Words{0, 0, 0, 1}));
  EXPECT_EQ(combined("or.pred %p1, %p2, %p3;"), (Words{0, 1, 1, 1}));
  EXPECT_EQ(combined("xor.pred %p1, %p2, %p3;"), (Words{0, 1, 1, 0}));
  EXPECT_EQ(combined("not.pred %p1, %p2;"), (Words{1, 1, 0, 0}));
  EXPECT_EQ(combined("mov.pred %p1, %p3;"), (Words{0, 1, 0, 1}));
}

TEST(Moves, VectorsPackAndUnpackFromTheLowestBits) {
  EXPECT_EQ(evaluate("mov.b64 %d, {%a, %b};", {8, 4, 4}, {{0x11111111, 0x22222222}}).at(0), 0x2222222211111111);
  EXPECT_EQ(evaluate("mov.b64 {%r20, %r21}, %a;\nmov.u32 %d, %r21;", {4, 8}, {{0x2222222211111111}}).at(0),
            0x22222222U);
  EXPECT_EQ(evaluate("mov.b32 %d, {%a, %b};", {4, 2, 2}, {{0x1111, 0x2222}}).at(0), 0x22221111U);
  EXPECT_EQ(evaluate("mov.f32 %d, 0f3F800000;", {4, 4}, {{0}}).at(0), bits(1.0F));
  EXPECT_EQ(evaluate("mov.f64 %d, 0d3FF0000000000000;", {8, 4}, {{0}}).at(0), bits(1.0));
}

}  // namespace
}  // namespace pantile_interpreter::testing

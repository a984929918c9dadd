// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file  Integers and floating point: values from the text of the PTX ISA 8.4, sections 9.7.1 to 9.7.3.
#include <interpreter/conformance/run.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace pantile_interpreter::testing {
namespace {

struct Case {
  char const* instruction;
  std::vector<unsigned> widths;
  std::vector<std::uint64_t> operands;
  std::uint64_t result;
};

void expect(std::vector<Case> const& cases) {
  for (Case const& each : cases) {
    EXPECT_EQ(evaluate(each.instruction, each.widths, {each.operands}).at(0), each.result) << each.instruction;
  }
}

constexpr std::uint64_t most32 = 0x7fffffff, least32 = 0x80000000, all32 = 0xffffffff, all64 = ~std::uint64_t{0};
constexpr std::uint64_t least64 = std::uint64_t{1} << 63;
std::uint64_t i32(int value) { return bits(value); }
std::uint64_t i64(std::int64_t value) { return bits(value); }

TEST(Integers, SumsAndProductsWrap) {
  expect({{"add.s32 %d, %a, %b;", {4, 4, 4}, {most32, 1}, least32},
          {"add.u32 %d, %a, %b;", {4, 4, 4}, {all32, 2}, 1},
          {"add.s64 %d, %a, %b;", {8, 8, 8}, {all64, 3}, 2},
          {"add.s32 %d, %a, -7;", {4, 4}, {3}, i32(-4)},
          {"sub.s32 %d, %a, %b;", {4, 4, 4}, {least32, 1}, most32},
          {"sub.s64 %d, %a, %b;", {8, 8, 8}, {0, 1}, all64},
          {"mul.lo.s32 %d, %a, %b;", {4, 4, 4}, {0x10001, 0x10003}, 0x40003},
          {"mul.lo.s64 %d, %a, %b;", {8, 8, 8}, {i64(-3), i64(1) << 40}, i64(-3 * (std::int64_t{1} << 40))},
          {"mul.hi.s32 %d, %a, %b;", {4, 4, 4}, {i32(-2), 3}, all32},
          {"mul.hi.u32 %d, %a, %b;", {4, 4, 4}, {all32, all32}, 0xfffffffe},
          {"mul.wide.s32 %d, %a, %b;", {8, 4, 4}, {i32(-2), 3}, i64(-6)},
          {"mul.wide.u32 %d, %a, %b;", {8, 4, 4}, {0xfffffffe, 3}, 0x2fffffffa},
          {"mad.lo.s32 %d, %a, %b, %c;", {4, 4, 4, 4}, {i32(-5), 7, 36}, 1},
          {"neg.s32 %d, %a;", {4, 4}, {least32}, least32},
          {"neg.s64 %d, %a;", {8, 8}, {5}, i64(-5)},
          {"abs.s32 %d, %a;", {4, 4}, {i32(-9)}, 9}});
}

TEST(Integers, QuotientsAreCutAndRemaindersHaveTheDividendsSign) {
  expect({{"div.s32 %d, %a, %b;", {4, 4, 4}, {i32(-7), 2}, i32(-3)},
          {"rem.s32 %d, %a, %b;", {4, 4, 4}, {i32(-7), 2}, i32(-1)},
          {"rem.s32 %d, %a, %b;", {4, 4, 4}, {7, i32(-2)}, 1},
          {"div.u32 %d, %a, %b;", {4, 4, 4}, {i32(-7), 2}, 0x7ffffffc},
          {"rem.u32 %d, %a, %b;", {4, 4, 4}, {i32(-7), 10}, 9},
          {"div.s64 %d, %a, %b;", {8, 8, 8}, {i64(-9), 4}, i64(-2)},
          {"rem.s64 %d, %a, %b;", {8, 8, 8}, {i64(-9), 4}, i64(-1)},
          {"div.u64 %d, %a, %b;", {8, 8, 8}, {all64, 3}, 0x5555555555555555},
          {"rem.u64 %d, %a, %b;", {8, 8, 8}, {all64, 10}, 5}});
}

TEST(Integers, LeastAndGreatestBySign) {
  expect({{"min.s32 %d, %a, %b;", {4, 4, 4}, {i32(-1), 1}, i32(-1)},
          {"min.u32 %d, %a, %b;", {4, 4, 4}, {i32(-1), 1}, 1},
          {"max.s32 %d, %a, %b;", {4, 4, 4}, {i32(-1), 1}, 1},
          {"max.u32 %d, %a, %b;", {4, 4, 4}, {i32(-1), 1}, i32(-1)},
          {"min.s64 %d, %a, %b;", {8, 8, 8}, {least64, 1}, least64},
          {"max.s64 %d, %a, %b;", {8, 8, 8}, {least64, 1}, 1},
          {"min.u64 %d, %a, %b;", {8, 8, 8}, {least64, 1}, 1},
          {"max.u64 %d, %a, %b;", {8, 8, 8}, {least64, 1}, least64}});
}

TEST(Bits, ShiftsBeyondTheWidth) {
  expect({{"shl.b32 %d, %a, %b;", {4, 4, 4}, {3, 31}, least32},
          {"shl.b32 %d, %a, %b;", {4, 4, 4}, {3, 32}, 0},
          {"shl.b64 %d, %a, %b;", {8, 8, 4}, {3, 63}, least64},
          {"shl.b64 %d, %a, %b;", {8, 8, 4}, {3, 64}, 0},
          {"shr.u32 %d, %a, %b;", {4, 4, 4}, {least32, 31}, 1},
          {"shr.u32 %d, %a, %b;", {4, 4, 4}, {least32, 40}, 0},
          {"shr.s32 %d, %a, %b;", {4, 4, 4}, {least32, 31}, all32},
          {"shr.s32 %d, %a, %b;", {4, 4, 4}, {least32, 200}, all32},
          {"shr.s32 %d, %a, %b;", {4, 4, 4}, {most32, 200}, 0},
          {"shr.s64 %d, %a, %b;", {8, 8, 4}, {least64, 70}, all64},
          {"shr.u64 %d, %a, %b;", {8, 8, 4}, {least64, 63}, 1},
          {"shr.u16 %d, %a, %b;", {2, 2, 4}, {0x8000, 15}, 1}});
}

TEST(Bits, LogicAndFields) {
  expect(
      {{"and.b32 %d, %a, %b;", {4, 4, 4}, {0xff00ff00, 0x0ff00ff0}, 0x0f000f00},
       {"or.b32 %d, %a, %b;", {4, 4, 4}, {0xff00ff00, 0x0ff00ff0}, 0xfff0fff0},
       {"xor.b32 %d, %a, %b;", {4, 4, 4}, {0xff00ff00, 0x0ff00ff0}, 0xf0f0f0f0},
       {"not.b32 %d, %a;", {4, 4}, {0}, all32},
       {"not.b64 %d, %a;", {8, 8}, {1}, ~std::uint64_t{1}},
       {"popc.b32 %d, %a;", {4, 4}, {0xf0f0000f}, 12},
       {"clz.b32 %d, %a;", {4, 4}, {0x00010000}, 15},
       {"clz.b32 %d, %a;", {4, 4}, {0}, 32},
       {"brev.b32 %d, %a;", {4, 4}, {0x00000003}, 0xc0000000},
       {"bfe.u32 %d, %a, 8, 12;", {4, 4}, {0x12345678}, 0x456},
       {"bfe.s32 %d, %a, 8, 4;", {4, 4}, {0x00000f00}, all32},
       {"bfi.b32 %d, %a, %b, 8, 8;", {4, 4, 4}, {0xab, 0x11223344}, 0x1122ab44},
       {"bfi.b64 %d, %a, %b, 40, 16;", {8, 8, 8}, {0xabcd, 0x1122334455667788}, 0x11abcd4455667788},
       {"prmt.b32 %d, %a, %b, 0x5410;", {4, 4, 4}, {0x33221100, 0x77665544}, 0x55441100},
       {"prmt.b32 %d, %a, %b, 0x7632;", {4, 4, 4}, {0x33221100, 0x77665544}, 0x77663322},
       {"prmt.b32 %d, %a, %b, 0x9999;", {4, 4, 4}, {0x00008000, 0}, all32},  // bit 3: the byte's sign
       {"lop3.b32 %d, %a, %b, %c, 0x96;", {4, 4, 4, 4}, {0xff00ff00, 0x0ff00ff0, 0x12345678}, 0xf0f0f0f0 ^ 0x12345678},
       {"lop3.b32 %d, %a, %b, %c, 0xe8;", {4, 4, 4, 4}, {0xff00ff00, 0xfff00000, 0x0f0f0f0f}, 0xff000f00}});
}

TEST(Floats, OneRoundingOfASumAndAProduct) {
  float const x = 1 + 0x1p-12F, third = 1.0F / 3;
  double const y = 1 + 0x1p-27;
  expect({{"add.f32 %d, %a, %b;", {4, 4, 4}, {bits(1.0F), bits(0x1p-24F)}, bits(1.0F)},  // half a unit: to even
          {"sub.f32 %d, %a, %b;", {4, 4, 4}, {bits(1.0F), bits(third)}, bits(1.0F - third)},
          {"mul.f32 %d, %a, %b;", {4, 4, 4}, {bits(x), bits(x)}, bits(x * x)},
          {"fma.rn.f32 %d, %a, %b, %c;", {4, 4, 4, 4}, {bits(x), bits(x), bits(-1.0F)}, bits(std::fma(x, x, -1.0F))},
          {"fma.rn.f64 %d, %a, %b, %c;", {8, 8, 8, 8}, {bits(y), bits(y), bits(-1.0)}, bits(std::fma(y, y, -1.0))},
          {"add.f64 %d, %a, %b;", {8, 8, 8}, {bits(0.1), bits(0.2)}, bits(0.1 + 0.2)},
          {"mul.f64 %d, %a, %b;", {8, 8, 8}, {bits(0.1), bits(0.3)}, bits(0.1 * 0.3)},
          {"sub.f64 %d, %a, %b;", {8, 8, 8}, {bits(0.1), bits(0.3)}, bits(0.1 - 0.3)},
          {"neg.f32 %d, %a;", {4, 4}, {bits(0.0F)}, bits(-0.0F)},
          {"neg.f64 %d, %a;", {8, 8}, {bits(2.5)}, bits(-2.5)},
          {"abs.f32 %d, %a;", {4, 4}, {bits(-2.5F)}, bits(2.5F)},
          {"div.rn.f64 %d, %a, %b;", {8, 8, 8}, {bits(1.0), bits(3.0)}, bits(1.0 / 3.0)},
          {"sqrt.rn.f64 %d, %a;", {8, 8}, {bits(2.0)}, bits(std::sqrt(2.0))}});
}

TEST(Floats, SubnormalNumbersStayUnlessTheyAreFlushed) {
  float const least = std::numeric_limits<float>::denorm_min();
  expect({{"add.f32 %d, %a, %b;", {4, 4, 4}, {bits(least), bits(least)}, bits(2 * least)},
          {"add.ftz.f32 %d, %a, %b;", {4, 4, 4}, {bits(least), bits(least)}, bits(0.0F)},
          {"mul.f32 %d, %a, %b;", {4, 4, 4}, {bits(0x1p-100F), bits(0x1p-40F)}, bits(0x1p-140F)}});
}

TEST(Floats, MinimumAndMaximumLeaveNaNOut) {
  float const nan = std::numeric_limits<float>::quiet_NaN();
  expect({{"min.f32 %d, %a, %b;", {4, 4, 4}, {bits(nan), bits(2.0F)}, bits(2.0F)},
          {"max.f32 %d, %a, %b;", {4, 4, 4}, {bits(2.0F), bits(nan)}, bits(2.0F)},
          {"min.f32 %d, %a, %b;", {4, 4, 4}, {bits(0.0F), bits(-0.0F)}, bits(-0.0F)},
          {"max.f32 %d, %a, %b;", {4, 4, 4}, {bits(-0.0F), bits(0.0F)}, bits(0.0F)},
          {"max.f64 %d, %a, %b;", {8, 8, 8}, {bits(-3.0), bits(-4.0)}, bits(-3.0)}});
}

TEST(Halves, PairsAreTwoNumbers) {
  // 1.5 and 2 in the lower and upper half; times 2 and 3, plus 0.5 and 1: 3.5 and 7.
  expect({{"fma.rn.f16x2 %d, %a, %b, %c;", {4, 4, 4, 4}, {0x40003e00, 0x42004000, 0x3c003800}, 0x47004300},
          {"add.f16 %d, %a, %b;", {2, 2, 2}, {0x3c00, 0x1000}, 0x3c00},                    // 1 + 2^-11: to even
          {"mul.f16 %d, %a, %b;", {2, 2, 2}, {0x7bff, 0x4000}, 0x7c00},                    // beyond 65504
          {"fma.rn.f16 %d, %a, %b, %c;", {2, 2, 2, 2}, {0x3c01, 0x3c01, 0xbc00}, 0x1800},  // 2^-9 + 2^-20
          {"fma.rn.f16 %d, %a, %b, %c;", {2, 2, 2, 2}, {0x3c03, 0x3c01, 0xbc00}, 0x1c01}});
}

}  // namespace
}  // namespace pantile_interpreter::testing

// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file  Opcodes that have a form for each type: comparisons, selections, loads and stores of each space and vector,
///        conversions (PTX ISA 8.4, sections 9.7.6, 9.7.9 and 6.4).
#include <interpreter/conformance/run.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <string>

namespace pantile_interpreter::testing {
namespace {

using Words = std::vector<std::uint64_t>;

/// What one thread, or so many, of a kernel with this body stores.
Words run(std::string const& body, Words const& in, std::size_t words_out = 1, unsigned threads = 1) {
  return Run(body)(threads, in, words_out);
}

/// Pairs of which each is compared; as results, a bit for each pair.
template <class T>
void expect_comparisons(char const* type, std::vector<T> const& values) {
  std::vector<std::vector<std::uint64_t>> rows;
  for (T const a : values) {
    for (T const b : values) rows.push_back({bits(a), bits(b)});
  }
  unsigned const width = sizeof(T);
  auto const expect = [&](std::string const& name, std::function<bool(T, T)> const& holds) {
    auto const results =
        evaluate("setp." + name + "." + type + " %p1, %a, %b;\nselp.u32 %d, 1, 0, %p1;", {4, width, width}, rows);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      T const a = values[i / values.size()], b = values[i % values.size()];
      EXPECT_EQ(results[i], holds(a, b) ? 1U : 0U) << name << "." << type << " of " << +a << " and " << +b;
    }
  };
  expect("eq", [](T a, T b) { return a == b; });
  bool const bits_only = type[0] == 'b';
  if constexpr (std::is_floating_point_v<T>) {
    expect("ne", [](T a, T b) { return a < b || a > b; });  // ordered: not for NaN
    expect("neu", [](T a, T b) { return !(a == b); });
  } else {
    expect("ne", [](T a, T b) { return a != b; });
  }
  if (bits_only) return;
  expect("lt", [](T a, T b) { return a < b; });
  expect("le", [](T a, T b) { return a <= b; });
  expect("gt", [](T a, T b) { return a > b; });
  expect("ge", [](T a, T b) { return a >= b; });
}

template <class T>
std::vector<T> ends() {
  return {std::numeric_limits<T>::lowest(), T(-1), T(0), T(1), std::numeric_limits<T>::max()};
}

TEST(Types, ComparisonsGoBySignAndWidth) {
  expect_comparisons<std::int16_t>("s16", ends<std::int16_t>());
  expect_comparisons<std::uint16_t>("u16", ends<std::uint16_t>());
  expect_comparisons<std::uint16_t>("b16", ends<std::uint16_t>());
  expect_comparisons<std::int32_t>("s32", ends<std::int32_t>());
  expect_comparisons<std::uint32_t>("u32", ends<std::uint32_t>());
  expect_comparisons<std::uint32_t>("b32", ends<std::uint32_t>());
  expect_comparisons<std::int64_t>("s64", ends<std::int64_t>());
  expect_comparisons<std::uint64_t>("u64", ends<std::uint64_t>());
  expect_comparisons<std::uint64_t>("b64", ends<std::uint64_t>());
  float const nan = std::numeric_limits<float>::quiet_NaN();
  expect_comparisons<float>("f32", {-1.0F, -0.0F, 0.0F, 1.5F, nan, INFINITY});
  expect_comparisons<double>("f64", {-1.0, -0.0, 0.0, 1.5, nan, INFINITY});
}

/// A type's register and what it is called.
struct Form {
  char const* type;
  unsigned bytes;
};
unsigned register_bytes(Form const& form) { return form.bytes < 2 ? 2 : form.bytes; }
std::uint64_t low(std::uint64_t word, unsigned bytes) {
  return bytes == 8 ? word : word & ((std::uint64_t{1} << 8 * bytes) - 1);
}

TEST(Types, SelectionsOfAnyType) {
  std::uint64_t const a = 0x8123456789abcdef, b = 0x7fedcba987654321;
  for (Form const form : {Form{"b16", 2},
                          {"u16", 2},
                          {"s16", 2},
                          {"b32", 4},
                          {"u32", 4},
                          {"s32", 4},
                          {"f32", 4},
                          {"b64", 8},
                          {"u64", 8},
                          {"s64", 8},
                          {"f64", 8}}) {
    auto const results = evaluate("setp.ne.s32 %p1, %c, 0;\nselp." + std::string(form.type) + " %d, %a, %b, %p1;",
                                  {form.bytes, form.bytes, form.bytes, 4}, {{a, b, 1}, {a, b, 0}});
    EXPECT_EQ(results, (Words{low(a, form.bytes), low(b, form.bytes)})) << form.type;
  }
}

TEST(Types, PredicatesAreCombined) {
  for (auto const& [name, table] : {std::pair<std::string, unsigned>{"and", 8}, {"or", 14}, {"xor", 6}}) {
    auto const results = evaluate(
        "setp.ne.s32 %p1, %a, 0;\nsetp.ne.s32 %p2, %b, 0;\n" + name + ".pred %p3, %p1, %p2;\nselp.u32 %d, 1, 0, %p3;",
        {4, 4, 4}, {{0, 0}, {1, 0}, {0, 1}, {1, 1}});
    for (unsigned i = 0; i < 4; ++i) EXPECT_EQ(results[i], table >> i & 1) << name << i;
  }
  EXPECT_EQ(evaluate("setp.ne.s32 %p1, %a, 0;\nnot.pred %p2, %p1;\nselp.u32 %d, 1, 0, %p2;", {4, 4}, {{0}, {5}}),
            (Words{1, 0}));
}

TEST(Types, LogicOfEveryWidth) {
  std::uint64_t const a = 0xff00ff00ff00ff01, b = 0x0ff00ff00ff00ff1;
  for (unsigned const bytes : {2U, 4U, 8U}) {
    std::string const type = ".b" + std::to_string(8 * bytes) + " %d, %a, %b;";
    EXPECT_EQ(evaluate("and" + type, {bytes, bytes, bytes}, {{a, b}})[0], low(a & b, bytes)) << bytes;
    EXPECT_EQ(evaluate("or" + type, {bytes, bytes, bytes}, {{a, b}})[0], low(a | b, bytes)) << bytes;
    EXPECT_EQ(evaluate("xor" + type, {bytes, bytes, bytes}, {{a, b}})[0], low(a ^ b, bytes)) << bytes;
    EXPECT_EQ(evaluate("not.b" + std::to_string(8 * bytes) + " %d, %a;", {bytes, bytes}, {{a}})[0], low(~a, bytes));
  }
}

/// "{%r4, %r5}", or "%r4" for one.
std::string vector_of(Form const& form, unsigned first, unsigned count) {
  std::string text = count > 1 ? "{" : "";
  for (unsigned i = 0; i < count; ++i) {
    text += (i > 0 ? ", %" : "%") + std::string(register_of(register_bytes(form))) + std::to_string(first + i);
  }
  return text + (count > 1 ? "}" : "");
}

/// Bytes go from memory through a space and back, so many elements at a time.
void expect_moved(std::string const& space, Form const& form, unsigned count) {
  std::string const type = (count > 1 ? ".v" + std::to_string(count) : "") + "." + form.type;
  std::string const first = vector_of(form, 4, count), second = vector_of(form, 10, count);
  std::string body = prologue(2), address = "%w20";
  if (space == "shared" || space == "local") {
    body += "." + space + " .align 16 .b8 box[16];\nmov.u64 %w20, box;\n";
  } else if (space.empty()) {  // generic: here in shared memory
    body += ".shared .align 16 .b8 box[16];\nmov.u64 %w20, box;\ncvta.shared.u64 %w20, %w20;\n";
  } else {
    body += "add.s64 %w20, %w1, 16;\n";
  }
  std::string const in_space = space.empty() ? "" : "." + space;
  body += "ld.global" + type + " " + first + ", [%w0];\nst" + in_space + type + " [" + address + "], " + first +
          ";\nld" + in_space + type + " " + second + ", [" + address + "];\nst.global" + type + " [%w1], " + second +
          ";\nret;\n";
  Words const in{0x8182838485868788, 0x9192939495969798};
  Words const out = run(body, in, 4);
  unsigned const bytes = form.bytes * count;
  for (unsigned b = 0; b < 16; ++b) {
    std::uint64_t const expected = b < bytes ? in[b / 8] >> 8 * (b % 8) & 255 : 255;
    EXPECT_EQ(out[b / 8] >> 8 * (b % 8) & 255, expected) << space << type << " byte " << b;
  }
}

TEST(Types, EveryVectorMovesThroughEverySpace) {
  for (std::string const space : {"global", "shared", "local", ""}) {
    for (Form const form : {Form{"u8", 1},
                            {"s8", 1},
                            {"b8", 1},
                            {"u16", 2},
                            {"s16", 2},
                            {"b16", 2},
                            {"u32", 4},
                            {"s32", 4},
                            {"b32", 4},
                            {"f32", 4},
                            {"u64", 8},
                            {"s64", 8},
                            {"b64", 8},
                            {"f64", 8}}) {
      for (unsigned count = 1; count <= 4 && count * form.bytes <= 16; count *= 2) expect_moved(space, form, count);
    }
  }
}

TEST(Types, VectorsAreAlignedToTheirSize) {
  for (auto const& [type, bytes] :
       {std::pair<std::string, int>{".v2.u32", 8}, {".v4.u16", 8}, {".v2.f64", 16}, {".v4.u8", 4}}) {
    std::string const list = type == ".v2.f64"   ? "{%w4, %w5}"
                             : type == ".v2.u32" ? "{%r4, %r5}"
                                                 : "{%h4, %h5, %h6, %h7}";
    std::string const body =
        prologue(2) + "ld.global" + type + " " + list + ", [%w0+" + std::to_string(bytes / 2) + "];\nret;\n";
    EXPECT_THROW(run(body, {1, 2, 3, 4}), Fault) << type;
  }
}

/// What a load of the parameters gives is what the two addresses there are.
TEST(Types, ParametersByTheirParts) {
  std::string const whole = prologue(1) + "ld.param.u64 %w4, [test_in];\nld.param.u64 %w5, [test_out];\n";
  auto const same = [&](std::string const& parts, std::string const& what) {
    std::string const body =
        whole + parts + "setp.eq.s64 %p1, %w4, %w6;\nselp.u64 %w7, 1, 0, %p1;\nst.global.u64 [%w1], %w7;\nret;\n";
    EXPECT_EQ(run(body, {0}), Words{1}) << what;
  };
  same("ld.param.v2.u32 {%r4, %r5}, [test_in];\nmov.b64 %w6, {%r4, %r5};\n", "v2.u32");
  same("ld.param.v2.f32 {%r4, %r5}, [test_in];\nmov.b64 %w6, {%r4, %r5};\n", "v2.f32");
  same("ld.param.v4.u32 {%r4, %r5, %r6, %r7}, [test_in];\nmov.b64 %w6, {%r4, %r5};\n", "v4.u32");
  same("ld.param.u32 %r4, [test_in];\nld.param.s32 %r5, [test_in+4];\nmov.b64 %w6, {%r4, %r5};\n", "u32, s32");
  same("ld.param.f32 %r4, [test_in];\nld.param.b32 %r5, [test_in+4];\nmov.b64 %w6, {%r4, %r5};\n", "f32, b32");
  same("ld.param.v2.u64 {%w6, %w8}, [test_in];\n", "v2.u64");
  same("ld.param.v2.f64 {%w8, %w9}, [test_in];\nmov.u64 %w6, %w8;\n", "v2.f64");
  same("ld.param.f64 %w6, [test_in];\n", "f64");
  for (std::string const vector : {"", ".v2", ".v4"}) {
    unsigned const count = vector.empty() ? 1 : vector == ".v2" ? 2 : 4;
    for (Form const& form : {Form{"u8", 1}, Form{"u16", 2}}) {
      std::string const load = "ld.param" + vector + "." + form.type + " " + vector_of(form, 4, count);
      std::string parts = "mov.u64 %w6, 0;\n";
      for (unsigned byte = 0; byte < 8; byte += count * form.bytes) {
        parts += load + ", [test_in+" + std::to_string(byte) + "];\n";
        for (unsigned i = 0; i < count; ++i) {
          parts += "cvt.u64.u16 %w8, %h" + std::to_string(4 + i) + ";\nshl.b64 %w8, %w8, " +
                   std::to_string(8 * (byte + i * form.bytes)) + ";\nor.b64 %w6, %w6, %w8;\n";
        }
      }
      same(parts, vector + "." + form.type);
    }
  }
}

TEST(Types, ConstantsAreOfTheModule) {
  auto const body = prologue(1) +
                    "mul.wide.u32 %w4, %r47, 4;\nmov.u64 %w5, table;\nadd.s64 %w5, %w5, %w4;\n"
                    "ld.const.u32 %r4, [%w5];\nst.global.u64 [%w1], 0;\nst.global.u32 [%w1], %r4;\nret;\n";
  pantile_interpreter::testing::Run three(body, {}, ".const .align 4 .u32 table[3] = {7, 4000000000, 9};\n");
  EXPECT_EQ(three(3, {0, 0, 0}, 3), (Words{7, 4000000000, 9}));
}

TEST(Types, AddressesGoToAndFromTheGenericSpace) {
  // Shared and local memory have windows in it, global addresses are the same.
  std::string const there_and_back =
      prologue(1) +
      ".shared .align 8 .b8 box[8];\n.local .align 8 .b8 own[8];\n"
      "mov.u64 %w4, box;\ncvta.shared.u64 %w5, %w4;\ncvta.to.shared.u64 %w6, %w5;\nsetp.eq.s64 %p1, %w4, %w6;\n"
      "mov.u64 %w4, own;\ncvta.local.u64 %w7, %w4;\ncvta.to.local.u64 %w6, %w7;\nsetp.eq.s64 %p2, %w4, %w6;\n"
      "cvta.global.u64 %w8, %w1;\ncvta.to.global.u64 %w6, %w8;\nsetp.eq.s64 %p3, %w1, %w6;\n"
      "isspacep.global %p4, %w8;\nisspacep.global %p5, %w5;\nisspacep.global %p6, %w7;\nnot.pred %p5, %p5;\nnot.pred "
      "%p6, %p6;\n"
      "and.pred %p1, %p1, %p2;\nand.pred %p1, %p1, %p3;\nand.pred %p1, %p1, %p4;\nand.pred %p1, %p1, %p5;\n"
      "and.pred %p1, %p1, %p6;\nselp.u64 %w9, 1, 0, %p1;\nst.global.u64 [%w1], %w9;\nret;\n";
  EXPECT_EQ(run(there_and_back, {0}), Words{1});
}

TEST(Types, AtomicsOfEverySpaceScopeAndType) {
  // Each of 32 threads adds 3 to the first word of what came in.
  auto const total = [](std::string const& instruction, std::uint64_t begin, bool shared) {
    std::string body = prologue(0);
    if (shared) {
      body +=
          ".shared .align 8 .b8 box[8];\nmov.u64 %w20, box;\nsetp.ne.u32 %p1, %r47, 0;\nld.global.u64 %w4, [%w0];\n"
          "@!%p1 st.shared.u64 [%w20], %w4;\nbar.sync 0;\n";
    } else {
      body += "mov.u64 %w20, %w0;\n";
    }
    body += instruction + "\nbar.sync 0;\n";
    body += std::string(shared ? "ld.shared" : "ld.global") + ".u64 %w4, [%w20];\nst.global.u64 [%w1], %w4;\nret;\n";
    return run(body, {begin}, 32, 32)[0];
  };
  for (std::string const kind : {"red.global.add.u32", "red.add.global.relaxed.gpu.u32",
                                 "red.add.global.relaxed.gpu.s32", "red.add.relaxed.gpu.u32", "red.add.u32"}) {
    EXPECT_EQ(total(kind + " [%w20], 3;", 4, false), 100U) << kind;
  }
  for (std::string const kind : {"red.global.add.u64", "red.add.u64"}) {
    EXPECT_EQ(total(kind + " [%w20], 3;", (std::uint64_t{1} << 32) + 4, false), (std::uint64_t{1} << 32) + 100) << kind;
  }
  EXPECT_EQ(total("red.shared.add.u32 [%w20], 3;", 4, true), 100U);
  EXPECT_EQ(total("atom.add.global.relaxed.gpu.u32 %r4, [%w20], 3;", 4, false), 100U);
  // From 9 back to 0: 32 steps from 4 end at 6.
  EXPECT_EQ(total("red.inc.global.relaxed.gpu.u32 [%w20], 9;", 4, false), 6U);
  for (std::string const kind : {"red.add.global.relaxed.gpu.f32", "red.add.relaxed.gpu.f32"}) {
    EXPECT_EQ(total("mov.b32 %r5, 0f40400000;\n" + kind + " [%w20], %r5;", bits(4.0F), false), bits(100.0F)) << kind;
  }
  for (std::string const kind : {"red.add.global.relaxed.gpu.f64", "red.add.relaxed.gpu.f64"}) {
    EXPECT_EQ(total("mov.b64 %w5, 0d4008000000000000;\n" + kind + " [%w20], %w5;", bits(4.0), false), bits(100.0))
        << kind;
  }
}

TEST(Types, ConversionsOfIntegers) {
  std::uint64_t const word = 0x80000000f234f6f8;
  struct Case {
    char const* types;
    unsigned to, from;
    std::uint64_t result;
  };
  for (Case const& each : {Case{"u64.u32", 8, 4, 0xf234f6f8},
                           {"s64.s32", 8, 4, 0xfffffffff234f6f8},
                           {"u32.u64", 4, 8, 0xf234f6f8},
                           {"u32.u16", 4, 2, 0xf6f8},
                           {"s32.s16", 4, 2, 0xfffff6f8},
                           {"u64.u16", 8, 2, 0xf6f8},
                           {"s64.s16", 8, 2, 0xfffffffffffff6f8},
                           {"u16.u32", 2, 4, 0xf6f8},
                           {"s16.s8", 2, 2, 0xfff8},
                           {"s32.s8", 4, 2, 0xfffffff8},
                           {"s64.s8", 8, 2, 0xfffffffffffffff8}}) {
    EXPECT_EQ(evaluate("cvt." + std::string(each.types) + " %d, %a;", {each.to, each.from}, {{word}})[0], each.result)
        << each.types;
  }
}

TEST(Types, ConversionsOfIntegersToReals) {
  std::int64_t const large = (std::int64_t{1} << 53) + 1;
  EXPECT_EQ(evaluate("cvt.rn.f32.s16 %d, %a;", {4, 2}, {{bits(std::int16_t{-300})}})[0], bits(-300.0F));
  EXPECT_EQ(evaluate("cvt.rn.f64.s16 %d, %a;", {8, 2}, {{bits(std::int16_t{-300})}})[0], bits(-300.0));
  EXPECT_EQ(evaluate("cvt.rn.f64.s32 %d, %a;", {8, 4}, {{bits(-7)}})[0], bits(-7.0));
  EXPECT_EQ(evaluate("cvt.rn.f64.u32 %d, %a;", {8, 4}, {{bits(-7)}})[0], bits(4294967289.0));
  EXPECT_EQ(evaluate("cvt.rn.f64.s64 %d, %a;", {8, 8}, {{bits(large)}})[0], bits(9007199254740992.0));  // to even
  EXPECT_EQ(evaluate("cvt.rn.f32.s64 %d, %a;", {4, 8}, {{bits(-large)}})[0], bits(-9007199254740992.0F));
  EXPECT_EQ(evaluate("cvt.rn.f16.s32 %d, %a;", {2, 4}, {{bits(-2049)}})[0], 0xe800U);  // -2048: to even
  EXPECT_EQ(evaluate("cvt.rn.bf16.s32 %d, %a;", {2, 4}, {{bits(257)}})[0], 0x4380U);   // 256: to even
  EXPECT_EQ(evaluate("cvt.f32.bf16 %d, %a;", {4, 2}, {{0xc049}})[0], bits(-3.140625F));
  EXPECT_EQ(evaluate("cvt.rzi.s32.f64 %d, %a;", {4, 8}, {{bits(-2.9)}, {bits(1e300)}, {bits(std::nan(""))}}),
            (Words{0xfffffffe, 0x7fffffff, 0x80000000}));  // NaN of doubles is the highest bit
}

TEST(Types, ProductsOfBytesInFours) {
  std::uint64_t const a = 0xff027f80, b = 0x02ff0180, c = 10;
  auto const sum = [&](bool a_signed, bool b_signed) {
    int total = 10;
    for (int i = 0; i < 4; ++i) {
      int const x = static_cast<int>(a >> 8 * i & 255), y = static_cast<int>(b >> 8 * i & 255);
      total += (a_signed && x > 127 ? x - 256 : x) * (b_signed && y > 127 ? y - 256 : y);
    }
    return bits(total);
  };
  EXPECT_EQ(evaluate("dp4a.s32.s32 %d, %a, %b, %c;", {4, 4, 4, 4}, {{a, b, c}})[0], sum(true, true));
  EXPECT_EQ(evaluate("dp4a.s32.u32 %d, %a, %b, %c;", {4, 4, 4, 4}, {{a, b, c}})[0], sum(true, false));
  EXPECT_EQ(evaluate("dp4a.u32.s32 %d, %a, %b, %c;", {4, 4, 4, 4}, {{a, b, c}})[0], sum(false, true));
  EXPECT_EQ(evaluate("dp4a.u32.u32 %d, %a, %b, %c;", {4, 4, 4, 4}, {{a, b, c}})[0], sum(false, false));
}

TEST(Types, PlacesOfTheHighestBit) {
  std::uint64_t const none = 0xffffffff;
  EXPECT_EQ(evaluate("bfind.u32 %d, %a;", {4, 4}, {{0x00012345}, {0x80000000}, {0}}), (Words{16, 31, none}));
  EXPECT_EQ(evaluate("bfind.s32 %d, %a;", {4, 4}, {{0xfffffff0}, {0x00000010}, {0xffffffff}}), (Words{3, 4, none}));
  EXPECT_EQ(evaluate("bfind.shiftamt.u32 %d, %a;", {4, 4}, {{0x00012345}, {0x80000000}, {0}}), (Words{15, 0, none}));
  EXPECT_EQ(evaluate("bfind.u64 %d, %a;", {4, 8}, {{std::uint64_t{1} << 40}, {1}, {0}}), (Words{40, 0, none}));
}

TEST(Types, AddressesOf32BitsWrap) {
  std::string const body = prologue(1) +
                           ".shared .align 8 .b8 box[8];\nmov.u32 %r4, box;\nsub.s32 %r4, %r4, 1920;\n"
                           "st.shared.u32 [%r4+1920], 77;\nld.shared.u32 %r5, [%r4+1920];\n"
                           "st.global.u64 [%w1], 0;\nst.global.u32 [%w1], %r5;\nret;\n";
  EXPECT_EQ(run(body, {0}), Words{77});
}

TEST(Types, ProductsOfHalfWords) {
  EXPECT_EQ(evaluate("mul.lo.s16 %d, %a, %b;", {2, 2, 2}, {{0x8001, 3}})[0], 0x8003U);
  EXPECT_EQ(evaluate("mul.wide.u16 %d, %a, %b;", {4, 2, 2}, {{0xffff, 0xffff}})[0], 0xfffe0001U);
  std::int64_t const x = std::int64_t{-3} << 40, y = std::int64_t{5} << 40;  // their product is -15 * 2^80
  EXPECT_EQ(evaluate("mul.hi.s64 %d, %a, %b;", {8, 8, 8}, {{bits(x), bits(y)}})[0],
            bits(std::int64_t{-15} * (1 << 16)));
  EXPECT_EQ(evaluate("add.u64 %d, %a, %b;", {8, 8, 8}, {{~std::uint64_t{0}, 3}})[0], 2U);
}

TEST(Types, MovesOfEveryType) {
  std::uint64_t const word = 0x8182838485868788;
  for (Form const form :
       {Form{"u16", 2}, {"b16", 2}, {"u32", 4}, {"b32", 4}, {"f32", 4}, {"u64", 8}, {"b64", 8}, {"f64", 8}}) {
    EXPECT_EQ(evaluate("mov." + std::string(form.type) + " %d, %a;", {form.bytes, form.bytes}, {{word}})[0],
              low(word, form.bytes))
        << form.type;
  }
}

}  // namespace
}  // namespace pantile_interpreter::testing

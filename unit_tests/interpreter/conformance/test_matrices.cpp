// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file  mma.sync: where each lane's registers lie in A, B and C, written out per shape as the PTX ISA 8.4 has it
///        (section 9.7.14), and the products of small integers.
#include <interpreter/conformance/run.hpp>

#include <gtest/gtest.h>

#include <functional>
#include <string>

namespace pantile_interpreter::testing {
namespace {

struct Place {
  int row, column;
};
using Places = std::function<Place(int lane, int element)>;

/// One instruction: registers of A, B and C, elements in each of A's and B's registers, where they lie, and how an
/// integer is written as an element.
struct Matrices {
  char const* opcode;
  int m, n, k;
  int a_registers, b_registers, c_registers, elements;
  unsigned a_bytes, c_bytes;  ///< of a register
  Places a, b, c;
  std::function<std::uint64_t(int)> narrow, wide;
  bool a_unsigned = false, b_unsigned = false;  ///< bytes
};

int a_value(int i, int k) { return (3 * i + 5 * k) % 7 - 3; }
int b_value(int k, int j) { return (2 * k + 3 * j) % 5 - 2; }
int c_value(int i, int j) { return (i * 11 + j * 7) % 13 - 6; }

std::string list(char const* letter, int first, int count) {
  std::string text = "{";
  for (int r = 0; r < count; ++r) text += (r > 0 ? ", %" : "%") + std::string(letter) + std::to_string(first + r);
  return text + "}";
}

void expect_product(Matrices const& x) {
  int const registers = x.a_registers + x.b_registers + x.c_registers;
  char const* const in = register_of(x.a_bytes);
  char const* const out = register_of(x.c_bytes);
  bool const doubles = x.a_bytes == 8;
  std::vector<std::uint64_t> words;
  for (int lane = 0; lane < 32; ++lane) {
    for (int r = 0; r < x.a_registers + x.b_registers; ++r) {
      bool const of_a = r < x.a_registers;
      std::uint64_t word = 0;
      for (int e = 0; e < x.elements; ++e) {
        int const element = (of_a ? r : r - x.a_registers) * x.elements + e;
        Place const at = of_a ? x.a(lane, element) : x.b(lane, element);
        int const value = of_a ? a_value(at.row, at.column) : b_value(at.row, at.column);
        word |= x.narrow(value) << (doubles ? 0 : 32 / x.elements * e);
      }
      words.push_back(word);
    }
    for (int r = 0; r < x.c_registers; ++r) {
      Place const at = x.c(lane, r);
      words.push_back(x.wide(c_value(at.row, at.column)));
    }
  }
  std::string body = prologue(static_cast<unsigned>(registers));
  int const b_first = 4 + x.a_registers, c_first = b_first + x.b_registers;
  for (int r = 0; r < registers; ++r) {
    bool const of_c = r >= x.a_registers + x.b_registers;
    body += std::string("ld.global.b") + std::to_string(8 * (of_c ? x.c_bytes : x.a_bytes)) + " %" + (of_c ? out : in) +
            std::to_string(4 + r) + ", [%w0+" + std::to_string(8 * r) + "];\n";
  }
  body += std::string(x.opcode) + " " + list(out, c_first, x.c_registers) + ", " + list(in, 4, x.a_registers) + ", " +
          list(in, b_first, x.b_registers) + ", " + list(out, c_first, x.c_registers) + ";\n";
  body += "ld.param.u64 %w1, [test_out];\nmul.wide.u32 %w2, %r47, " + std::to_string(8 * x.c_registers) +
          ";\nadd.s64 %w1, %w1, %w2;\n";
  for (int r = 0; r < x.c_registers; ++r) {
    std::string const place = "[%w1+" + std::to_string(8 * r) + "]";
    body += "st.global.b64 " + place + ", 0;\nst.global.b" + std::to_string(8 * x.c_bytes) + " " + place + ", %" + out +
            std::to_string(c_first + r) + ";\n";
  }
  auto const results = Run(body + "ret;\n")(32, words, static_cast<std::size_t>(32 * x.c_registers));
  for (int lane = 0; lane < 32; ++lane) {
    for (int r = 0; r < x.c_registers; ++r) {
      Place const at = x.c(lane, r);
      int sum = c_value(at.row, at.column);
      for (int k = 0; k < x.k; ++k) {
        int const a = a_value(at.row, k), b = b_value(k, at.column);
        sum += (x.a_unsigned ? a & 255 : a) * (x.b_unsigned ? b & 255 : b);
      }
      ASSERT_EQ(results[static_cast<std::size_t>(lane * x.c_registers + r)], x.wide(sum))
          << x.opcode << " lane " << lane << " register " << r;
    }
  }
}

std::uint64_t as_float(int value) { return bits(static_cast<float>(value)); }
std::uint64_t as_double(int value) { return bits(static_cast<double>(value)); }
std::uint64_t as_int(int value) { return bits(value); }
std::uint64_t as_byte(int value) { return static_cast<std::uint8_t>(value); }
/// Of integers up to 8: sign, exponent, the two bits behind the leading one.
std::uint64_t as_half(int value) {
  if (value == 0) return 0;
  unsigned const size = static_cast<unsigned>(value < 0 ? -value : value),
                 power = static_cast<unsigned>(std::bit_width(size)) - 1;
  return (value < 0 ? 0x8000U : 0U) | (15 + power) << 10 | (size << 10 >> power & 0x3ffU);
}
std::uint64_t as_bfloat(int value) { return as_float(value) >> 16; }

/// C of 16 rows: c0, c1 in row lane / 4, c2, c3 eight rows down; columns 2 (lane % 4) and the next.
Place c_of_16(int lane, int i) { return {lane / 4 + (i < 2 ? 0 : 8), lane % 4 * 2 + (i & 1)}; }

TEST(MatrixProducts, Doubles) {
  expect_product({"mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64", 8, 8, 4, 1, 1, 2, 1, 8, 8,
                  [](int lane, int) {
                    return Place{lane / 4, lane % 4};
                  },
                  [](int lane, int) {
                    return Place{lane % 4, lane / 4};
                  },
                  [](int lane, int i) {
                    return Place{lane / 4, lane % 4 * 2 + i};
                  },
                  as_double, as_double});
  expect_product({"mma.sync.aligned.m16n8k4.row.col.f64.f64.f64.f64", 16, 8, 4, 2, 1, 4, 1, 8, 8,
                  [](int lane, int i) {
                    return Place{lane / 4 + 8 * i, lane % 4};
                  },
                  [](int lane, int) {
                    return Place{lane % 4, lane / 4};
                  },
                  c_of_16, as_double, as_double});
}

TEST(MatrixProducts, Tf32) {
  expect_product({"mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32", 16, 8, 8, 4, 2, 4, 1, 4, 4,
                  [](int lane, int i) {
                    return Place{lane / 4 + (i == 0 || i == 2 ? 0 : 8), lane % 4 + (i < 2 ? 0 : 4)};
                  },
                  [](int lane, int i) {
                    return Place{lane % 4 + 4 * i, lane / 4};
                  },
                  c_of_16, as_float, as_float});
}

/// a0, a1 row g, a2, a3 row g + 8, a4, a5 row g, a6, a7 row g + 8; columns from a4 on 8 further.
Place a_of_halves(int lane, int i) {
  return {lane / 4 + ((i & 2) == 0 ? 0 : 8), lane % 4 * 2 + (i & 1) + (i < 4 ? 0 : 8)};
}
Place b_of_halves(int lane, int i) { return {lane % 4 * 2 + (i & 1) + (i < 2 ? 0 : 8), lane / 4}; }

TEST(MatrixProducts, HalvesAndBfloats) {
  expect_product({"mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32", 16, 8, 16, 4, 2, 4, 2, 4, 4, a_of_halves,
                  b_of_halves, c_of_16, as_half, as_float});
  expect_product({"mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32", 16, 8, 16, 4, 2, 4, 2, 4, 4, a_of_halves,
                  b_of_halves, c_of_16, as_bfloat, as_float});
}

TEST(MatrixProducts, Bytes) {
  // a0 to a3 row g, a4 to a7 row g + 8, then both 16 columns further; b0 to b3, then 16 rows further.
  Places const a = [](int lane, int i) {
    return Place{lane / 4 + ((i & 4) == 0 ? 0 : 8), lane % 4 * 4 + (i & 3) + (i < 8 ? 0 : 16)};
  };
  Places const b = [](int lane, int i) { return Place{lane % 4 * 4 + (i & 3) + (i < 4 ? 0 : 16), lane / 4}; };
  for (bool const a_unsigned : {false, true}) {
    for (bool const b_unsigned : {false, true}) {
      std::string const opcode = std::string("mma.sync.aligned.m16n8k32.row.col.s32.") + (a_unsigned ? "u8" : "s8") +
                                 "." + (b_unsigned ? "u8" : "s8") + ".s32";
      expect_product(
          {opcode.c_str(), 16, 8, 32, 4, 2, 4, 4, 4, 4, a, b, c_of_16, as_byte, as_int, a_unsigned, b_unsigned});
    }
  }
}

}  // namespace
}  // namespace pantile_interpreter::testing

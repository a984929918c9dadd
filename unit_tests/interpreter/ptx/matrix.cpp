// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// mma.sync: products of small matrices that a warp holds in its registers. The places of elements are those of the PTX
// ISA's tables, which are one rule for all shapes here: of A and B each register holds the elements of one 32-bit word
// along k (one double), and the next registers of A go 8 rows down, then four words along k; those of B four words
// along k.
#include <interpreter/ptx/small_float.hpp>
#include <interpreter/ptx/typed.hpp>

#include <array>
#include <cstring>

namespace pantile_interpreter::ptx {

namespace {

struct Shape {
  std::string_view name;
  unsigned rows, depth;
};

constexpr unsigned columns = 8, most_rows = 16, most_depth = 32, lanes_in_row = 4;

// Elements as their registers hold them, and as what is multiplied.
struct DoubleElement {
  using Bits = double;
  using Value = double;
  static double value(double bits) { return bits; }
};
struct Tf32Element {  // the 13 lowest bits are not looked at
  using Bits = std::uint32_t;
  using Value = double;
  static double value(std::uint32_t bits) { return std::bit_cast<float>(bits & ~0x1fffU); }
};
template <class Small>
struct SmallElement {
  using Bits = std::uint16_t;
  using Value = double;
  static double value(std::uint16_t bits) { return Small{bits}.value(); }
};
template <class Byte>
struct ByteElement {
  using Bits = Byte;
  using Value = std::int64_t;
  static std::int64_t value(Byte bits) { return bits; }
};

// Doubles are rounded after each step; products of narrower floats are exact here, and their sum is rounded once.
struct DoubleSum {
  using Stored = double;
  using Sum = double;
  static double step(double sum, double a, double b) { return std::fma(a, b, sum); }
  static double result(double sum) { return sum; }
};
struct FloatSum {
  using Stored = float;
  using Sum = double;
  static double step(double sum, double a, double b) { return sum + a * b; }
  static float result(double sum) { return static_cast<float>(sum); }
};
struct IntegerSum {
  using Stored = std::int32_t;
  using Sum = std::int64_t;
  static std::int64_t step(std::int64_t sum, std::int64_t a, std::int64_t b) { return sum + a * b; }
  static std::int32_t result(std::int64_t sum) { return static_cast<std::int32_t>(sum); }
};

// Element e of what a lane holds in a register.
template <class Element>
typename Element::Value element_of(Warp& warp, unsigned slot, unsigned lane, unsigned e) {
  constexpr std::size_t word = sizeof(typename Element::Bits) == 8 ? 8 : 4;
  typename Element::Bits bits;
  std::memcpy(&bits, warp.lanes<unsigned char>(slot) + word * lane + sizeof bits * e, sizeof bits);
  return Element::value(bits);
}

template <class Element>
constexpr unsigned per_register = sizeof(typename Element::Bits) == 8 ? 1 : 4 / sizeof(typename Element::Bits);

template <class A, class B, class C>
struct Product {
  std::array<std::array<typename A::Value, most_depth>, most_rows> a;
  std::array<std::array<typename B::Value, columns>, most_depth> b;

  static void run(Warp& warp, Instruction const& instruction, Mask lanes) {
    if (lanes != all_lanes) {
      warp.fault(instruction, static_cast<unsigned>(std::countr_zero(lanes)), "not all lanes of its warp are here");
    }
    Product product;
    unsigned const rows = instruction.mode, depth = instruction.mode2;
    unsigned const a_count = rows / 8 * (depth / per_register<A> / lanes_in_row);
    unsigned const b_count = depth / per_register<B> / lanes_in_row;
    product.gather(warp, instruction, a_count, b_count, rows / 8);
    product.store(warp, instruction, a_count + b_count, depth, rows / 8);
  }

  void gather(Warp& warp, Instruction const& instruction, unsigned a_count, unsigned b_count, unsigned halves) {
    for (unsigned lane = 0; lane < lanes_per_warp; ++lane) {
      unsigned const group = lane / lanes_in_row, place = lane % lanes_in_row;
      for (unsigned r = 0; r < a_count; ++r) {
        for (unsigned e = 0; e < per_register<A>; ++e) {
          unsigned const k = (r / halves * lanes_in_row + place) * per_register<A> + e;
          a[group + r % halves * 8][k] = element_of<A>(warp, instruction.source(r), lane, e);
        }
      }
      for (unsigned r = 0; r < b_count; ++r) {
        for (unsigned e = 0; e < per_register<B>; ++e) {
          unsigned const k = (r * lanes_in_row + place) * per_register<B> + e;
          b[k][group] = element_of<B>(warp, instruction.source(a_count + r), lane, e);
        }
      }
    }
  }

  // Two neighbouring columns of C in each half of the rows.
  void store(Warp& warp, Instruction const& instruction, unsigned first, unsigned depth, unsigned halves) const {
    using Stored = typename C::Stored;
    for (unsigned r = 0; r < 2 * halves; ++r) {
      auto const* const from = warp.lanes<Stored>(instruction.source(first + r));
      auto* const to = warp.lanes<Stored>(instruction.operand[r]);
      for (unsigned lane = 0; lane < lanes_per_warp; ++lane) {
        unsigned const row = lane / lanes_in_row + r / 2 * 8, column = lane % lanes_in_row * 2 + r % 2;
        auto sum = static_cast<typename C::Sum>(from[lane]);
        for (unsigned k = 0; k < depth; ++k) sum = C::step(sum, a[row][k], b[k][column]);
        to[lane] = C::result(sum);
      }
    }
  }
};

template <class A>
Handler of_bytes(Type b) {
  if (b == Type::s8) return Product<A, ByteElement<std::int8_t>, IntegerSum>::run;
  return b == Type::u8 ? Product<A, ByteElement<std::uint8_t>, IntegerSum>::run : nullptr;
}

Handler handler_of(Type a, Type b, Type c, unsigned depth) {
  using HalfElement = SmallElement<Half>;
  using BfloatElement = SmallElement<Bfloat16>;
  if (a == Type::f64 && b == a && c == a && depth == 4) return Product<DoubleElement, DoubleElement, DoubleSum>::run;
  if (a == Type::tf32 && b == a && c == Type::f32)
    return depth <= 8 ? Product<Tf32Element, Tf32Element, FloatSum>::run : nullptr;
  if (a == Type::f16 && b == a && c == Type::f32)
    return depth <= 16 ? Product<HalfElement, HalfElement, FloatSum>::run : nullptr;
  if (a == Type::bf16 && b == a && c == Type::f32)
    return depth <= 16 ? Product<BfloatElement, BfloatElement, FloatSum>::run : nullptr;
  if (c != Type::s32 || depth < 16) return nullptr;
  if (a == Type::s8) return of_bytes<ByteElement<std::int8_t>>(b);
  return a == Type::u8 ? of_bytes<ByteElement<std::uint8_t>>(b) : nullptr;
}

constexpr std::array shapes{Shape{"m8n8k4", 8, 4}, Shape{"m16n8k4", 16, 4}, Shape{"m16n8k8", 16, 8},
                            Shape{"m16n8k16", 16, 16}, Shape{"m16n8k32", 16, 32}};

}  // namespace

// mma.sync.aligned.SHAPE.row.col.D.A.B.C d, a, b, c
bool decode_matrix(Decoder& decoder, Operation const& operation) {
  if (operation.base() != "mma" || operation.types.size() != 4 || operation.operands.size() != 4) return false;
  Instruction& to = decoder.instruction();
  for (Shape const& shape : shapes) {
    if (!operation.only({"sync", "aligned", "row", "col", shape.name}) || !operation.has(shape.name)) continue;
    auto const& types = operation.types;
    if (types[0] != types[3] || (shape.rows == 8 && types[1] != Type::f64)) return false;
    to.mode = static_cast<std::uint8_t>(shape.rows);
    to.mode2 = static_cast<std::uint8_t>(shape.depth);
    to.handler = handler_of(types[1], types[2], types[3], shape.depth);
    decoder.destination(operation.operands[0]);
    for (std::size_t k = 1; k < 4; ++k) decoder.source(operation.operands[k], k == 3 ? types[3] : Type::b32);
    return true;
  }
  return false;
}

}  // namespace pantile_interpreter::ptx

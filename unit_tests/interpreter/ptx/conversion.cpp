// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Conversions. Registers may be wider than the types, so a handler knows both.
#include <interpreter/ptx/small_float.hpp>
#include <interpreter/ptx/typed.hpp>

#include <cmath>
#include <cstring>
#include <limits>

namespace pantile_interpreter::ptx {

namespace {

enum class Rounding : std::uint8_t { none, nearest, zero, down, up, away };

bool is_float(Type type) {
  return type == Type::f16 || type == Type::bf16 || type == Type::tf32 || type == Type::f32 || type == Type::f64;
}
bool is_signed(Type type) { return type == Type::s8 || type == Type::s16 || type == Type::s32 || type == Type::s64; }
unsigned bits_of_type(Type type) { return static_cast<unsigned>(8 * bytes_of(type)); }

// The lowest bits of a value as a number of a type.
std::int64_t extended(std::uint64_t value, unsigned bits, bool with_sign) {
  unsigned const shift = 64 - bits;
  value <<= shift;
  return with_sign ? static_cast<std::int64_t>(value) >> shift : static_cast<std::int64_t>(value >> shift);
}

template <class To, class From>
void integers(Warp& warp, Instruction const& instruction, Mask lanes) {
  auto const* const from = warp.lanes<From>(instruction.source(0));
  unsigned const from_bits = bits_of_type(instruction.from), to_bits = bits_of_type(instruction.type);
  bool const from_signed = is_signed(instruction.from), to_signed = is_signed(instruction.type);
  set_lanes(warp.lanes<To>(instruction.operand[0]), lanes, [&](unsigned lane) {
    auto const value = static_cast<std::uint64_t>(extended(from[lane], from_bits, from_signed));
    return static_cast<To>(extended(value, to_bits, to_signed));
  });
}

// The common ones, whose registers are as wide as their types.
template <class To, class From>
void plain(Warp& warp, Instruction const& instruction, Mask lanes) {
  auto const* const from = warp.lanes<From>(instruction.source(0));
  set_lanes(warp.lanes<To>(instruction.operand[0]), lanes, [&](unsigned lane) { return static_cast<To>(from[lane]); });
}

std::uint64_t raw(Warp& warp, unsigned slot, unsigned bytes, unsigned lane) {
  std::uint64_t value = 0;
  std::memcpy(&value, warp.lanes<unsigned char>(slot) + std::size_t{bytes} * lane, bytes);
  return value;
}

double float_from(std::uint64_t bits, Type type) {
  switch (type) {
    case Type::f16: return Half{static_cast<std::uint16_t>(bits)}.value();
    case Type::bf16: return Bfloat16{static_cast<std::uint16_t>(bits)}.value();
    case Type::f64: return std::bit_cast<double>(bits);
    default: return std::bit_cast<float>(static_cast<std::uint32_t>(bits));
  }
}

double to_integer_value(double value, Rounding rounding) {
  switch (rounding) {
    case Rounding::nearest: return std::nearbyint(value);
    case Rounding::zero: return std::trunc(value);
    case Rounding::down: return std::floor(value);
    case Rounding::up: return std::ceil(value);
    default: return value;
  }
}

float to_float(double value, Rounding rounding) {
  auto const nearest = static_cast<float>(value);
  double const got = nearest;
  constexpr float infinity = std::numeric_limits<float>::infinity();
  if (rounding == Rounding::zero && std::fabs(got) > std::fabs(value)) return std::nextafter(nearest, 0.0F);
  if (rounding == Rounding::down && got > value) return std::nextafter(nearest, -infinity);
  if (rounding == Rounding::up && got < value) return std::nextafter(nearest, infinity);
  return nearest;
}

// To the nearest of 10 bits of fraction, ties away from zero; the lower bits become 0.
std::uint32_t to_tf32(float value) {
  auto const bits = std::bit_cast<std::uint32_t>(value);
  if ((bits & 0x7f800000U) == 0x7f800000U) return bits;
  return (bits + 0x1000U) & ~0x1fffU;
}

std::uint64_t float_bits(double value, Type type, Rounding rounding) {
  bool const zero = rounding == Rounding::zero;
  switch (type) {
    case Type::f16: return (zero ? Half::towards_zero(value) : Half::nearest(value)).bits;
    case Type::bf16: return (zero ? Bfloat16::towards_zero(value) : Bfloat16::nearest(value)).bits;
    case Type::tf32: return to_tf32(static_cast<float>(value));
    case Type::f64: return std::bit_cast<std::uint64_t>(value);
    default: return std::bit_cast<std::uint32_t>(to_float(value, rounding));
  }
}

// Values beyond the type's become its least or greatest.
std::uint64_t integer_from_float(double value, Type type, Type from, Rounding rounding) {
  unsigned const bits = bits_of_type(type);
  bool const with_sign = is_signed(type);
  if (std::isnan(value)) {
    bool const zero = from != Type::f64 && bits < 64;
    return zero ? 0 : std::uint64_t{1} << (bits - 1);
  }
  value = to_integer_value(value, rounding);
  double const end = std::ldexp(1.0, static_cast<int>(with_sign ? bits - 1 : bits));
  std::uint64_t const greatest = ~std::uint64_t{0} >> (64 - bits + (with_sign ? 1 : 0));
  if (value >= end) return greatest;
  if (with_sign) return value < -end ? ~greatest : static_cast<std::uint64_t>(static_cast<std::int64_t>(value));
  return value <= 0 ? 0 : static_cast<std::uint64_t>(value);
}

double saturated(double value) { return value > 1 ? 1 : value > 0 ? value : 0; }

// Integers beyond the type's become its least or greatest.
std::int64_t clamped(std::int64_t value, bool huge, Type type) {
  unsigned const bits = bits_of_type(type);
  if (bits == 64)
    return is_signed(type) && huge                  ? std::numeric_limits<std::int64_t>::max()
           : !is_signed(type) && !huge && value < 0 ? 0
                                                    : value;
  std::int64_t const greatest = (std::int64_t{1} << (is_signed(type) ? bits - 1 : bits)) - 1;
  std::int64_t const least = is_signed(type) ? -greatest - 1 : 0;
  return huge || value > greatest ? greatest : value < least ? least : value;
}

// mode: Rounding to integers, mode2: of the result; negated: saturate.
std::uint64_t converted(Instruction const& instruction, std::uint64_t bits) {
  auto const integral = static_cast<Rounding>(instruction.mode), rounding = static_cast<Rounding>(instruction.mode2);
  Type const to = instruction.type, from = instruction.from;
  if (!is_float(from)) {
    std::int64_t const value = extended(bits, bits_of_type(from), is_signed(from));
    bool const huge = from == Type::u64 && value < 0;
    if (!is_float(to)) {
      std::int64_t const inside = instruction.negated ? clamped(value, huge, to) : value;
      return static_cast<std::uint64_t>(extended(static_cast<std::uint64_t>(inside), bits_of_type(to), is_signed(to)));
    }
    if (to == Type::f32)
      return std::bit_cast<std::uint32_t>(huge ? static_cast<float>(bits) : static_cast<float>(value));
    return float_bits(huge ? static_cast<double>(bits) : static_cast<double>(value), to, rounding);
  }
  double const value = float_from(bits, from);
  if (!is_float(to)) return integer_from_float(value, to, from, integral);
  double const whole = to_integer_value(value, integral);
  return float_bits(instruction.negated ? saturated(whole) : whole, to, rounding);
}

// Everything else; offset: bytes of the registers, the destination's and in the next byte the source's.
void any(Warp& warp, Instruction const& instruction, Mask lanes) {
  auto const to_bytes = static_cast<unsigned>(instruction.offset & 0xff);
  auto const from_bytes = static_cast<unsigned>(instruction.offset >> 8);
  for_lanes(lanes, [&](unsigned lane) {
    std::uint64_t const value = converted(instruction, raw(warp, instruction.source(0), from_bytes, lane));
    std::memcpy(warp.lanes<unsigned char>(instruction.operand[0]) + std::size_t{to_bytes} * lane, &value, to_bytes);
  });
}

// Two floats into one register, the first into the upper half.
void pair(Warp& warp, Instruction const& instruction, Mask lanes) {
  auto const* const high = warp.lanes<float>(instruction.source(0));
  auto const* const low = warp.lanes<float>(instruction.source(1));
  Type const part = instruction.type == Type::f16x2 ? Type::f16 : Type::bf16;
  auto const rounding = static_cast<Rounding>(instruction.mode2);
  set_lanes(warp.lanes<std::uint32_t>(instruction.operand[0]), lanes, [&](unsigned lane) {
    return static_cast<std::uint32_t>(float_bits(high[lane], part, rounding) << 16 |
                                      float_bits(low[lane], part, rounding));
  });
}

template <class To>
Handler integers_from(unsigned from_bytes) {
  return from_bytes == 2   ? integers<To, std::uint16_t>
         : from_bytes == 4 ? integers<To, std::uint32_t>
                           : integers<To, std::uint64_t>;
}

Handler handler_of(Instruction const& to, unsigned to_bytes, unsigned from_bytes) {
  if (to.negated || to.mode != 0) return any;
  if (!is_float(to.type) && !is_float(to.from)) {
    return to_bytes == 2   ? integers_from<std::uint16_t>(from_bytes)
           : to_bytes == 4 ? integers_from<std::uint32_t>(from_bytes)
                           : integers_from<std::uint64_t>(from_bytes);
  }
  bool const nearest = to.mode2 == static_cast<std::uint8_t>(Rounding::nearest);
  if (to.type == Type::f64 && to.from == Type::f32) return plain<double, float>;
  if (to.type == Type::f32 && to.from == Type::f64 && nearest) return plain<float, double>;
  if (to.type == Type::f32 && to.from == Type::s32 && from_bytes == 4 && nearest) return plain<float, std::int32_t>;
  if (to.type == Type::f64 && to.from == Type::s32 && from_bytes == 4 && nearest) return plain<double, std::int32_t>;
  return any;
}

Rounding rounding_of(Operation const& operation, std::string_view suffix) {
  auto const has = [&](std::string_view way) { return operation.has(std::string(way) + std::string(suffix)); };
  return has("rn")   ? Rounding::nearest
         : has("rz") ? Rounding::zero
         : has("rm") ? Rounding::down
         : has("rp") ? Rounding::up
                     : Rounding::none;
}

// Ways to round that a conversion between these types does not have here.
bool known(Instruction const& to, Operation const& operation) {
  auto const rounding = static_cast<Rounding>(to.mode2);
  bool const exact = rounding == Rounding::none || rounding == Rounding::nearest;
  if (to.type == Type::tf32) return operation.has("rna") && to.from == Type::f32;
  if (operation.has("rna") || to.from == Type::tf32) return false;
  if (is_float(to.type) && !is_float(to.from)) return exact;
  if (to.type == Type::f16 || to.type == Type::bf16) return exact || rounding == Rounding::zero;
  return true;
}

}  // namespace

bool decode_conversion(Decoder& decoder, Operation const& operation) {
  if (operation.base() != "cvt" || operation.types.size() != 2) return false;
  // Subnormal halves and doubles are never flushed; floats' are not known to be.
  if (!operation.only({"rn", "rz", "rm", "rp", "rna", "rni", "rzi", "rmi", "rpi", "sat"})) return false;
  Instruction& to = decoder.instruction();
  to.type = operation.types[0];
  to.from = operation.types[1];
  to.mode = static_cast<std::uint8_t>(rounding_of(operation, "i"));
  to.mode2 = static_cast<std::uint8_t>(rounding_of(operation, ""));
  to.negated = operation.has("sat");
  decoder.destination(operation.operands.at(0));
  for (std::size_t k = 1; k < operation.operands.size(); ++k) decoder.source(operation.operands[k], to.from);
  if (to.type == Type::f16x2 || to.type == Type::bf16x2) {
    if (to.sources != 2 || to.from != Type::f32 || to.negated) return false;
    to.handler = pair;
    return true;
  }
  unsigned const to_bytes = decoder.register_bytes(operation.operands[0]);
  unsigned from_bytes = decoder.register_bytes(operation.operands[1]);
  if (from_bytes == 0) from_bytes = static_cast<unsigned>(std::max<std::size_t>(2, bytes_of(to.from)));
  if (to.sources != 1 || !known(to, operation)) return false;
  to.offset = to_bytes | from_bytes << 8;
  to.handler = handler_of(to, to_bytes, from_bytes);
  return true;
}

}  // namespace pantile_interpreter::ptx

// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arithmetic of halves and bfloat16, single and in pairs.
#include <interpreter/ptx/small_float.hpp>
#include <interpreter/ptx/typed.hpp>

namespace pantile_interpreter::ptx {

namespace {

enum class Arithmetic : std::uint8_t { add, subtract, multiply, fma, minimum, maximum, negate, absolute };

// Sums and products of two are exact in double, so that they are rounded once.
template <class T>
std::uint16_t result(Arithmetic what, T x, T y, T z) {
  double const a = x.value(), b = y.value();
  switch (what) {
    case Arithmetic::add: return T::nearest(a + b).bits;
    case Arithmetic::subtract: return T::nearest(a - b).bits;
    case Arithmetic::multiply: return T::nearest(a * b).bits;
    case Arithmetic::fma: return T::nearest(std::fma(a, b, z.value())).bits;
    case Arithmetic::minimum: return T::nearest(a == b ? (std::signbit(a) ? a : b) : std::fmin(a, b)).bits;
    case Arithmetic::maximum: return T::nearest(a == b ? (std::signbit(a) ? b : a) : std::fmax(a, b)).bits;
    case Arithmetic::negate: return static_cast<std::uint16_t>(x.bits ^ 0x8000);
    case Arithmetic::absolute: return static_cast<std::uint16_t>(x.bits & 0x7fff);
  }
  return 0;
}

template <class T, class Word>
void small_arithmetic(Warp& warp, Instruction const& instruction, Mask lanes) {
  auto const what = static_cast<Arithmetic>(instruction.mode);
  std::array<Word const*, 3> from{};
  for (unsigned k = 0; k < 3; ++k) {
    from[k] = warp.lanes<Word>(instruction.source(k < instruction.sources ? k : 0));
  }
  set_lanes(warp.lanes<Word>(instruction.operand[0]), lanes, [&](unsigned lane) {
    Word all = 0;
    for (unsigned bit = 0; bit < 8 * sizeof(Word); bit += 16) {
      auto const part = [&](unsigned k) { return T{static_cast<std::uint16_t>(from[k][lane] >> bit)}; };
      all = static_cast<Word>(all | static_cast<Word>(result(what, part(0), part(1), part(2))) << bit);
    }
    return all;
  });
}

Handler handler_of(Type type) {
  switch (type) {
    case Type::f16: return small_arithmetic<Half, std::uint16_t>;
    case Type::f16x2: return small_arithmetic<Half, std::uint32_t>;
    case Type::bf16: return small_arithmetic<Bfloat16, std::uint16_t>;
    case Type::bf16x2: return small_arithmetic<Bfloat16, std::uint32_t>;
    default: return nullptr;
  }
}

struct Named {
  std::string_view name;
  Arithmetic what;
  std::size_t operands;
};

constexpr std::array named{Named{"add", Arithmetic::add, 3},      Named{"sub", Arithmetic::subtract, 3},
                           Named{"mul", Arithmetic::multiply, 3}, Named{"fma", Arithmetic::fma, 4},
                           Named{"min", Arithmetic::minimum, 3},  Named{"max", Arithmetic::maximum, 3},
                           Named{"neg", Arithmetic::negate, 2},   Named{"abs", Arithmetic::absolute, 2}};

}  // namespace

bool decode_half(Decoder& decoder, Operation const& operation) {
  if (operation.types.size() != 1 || !operation.only({"rn"})) return false;
  Handler const handler = handler_of(operation.type());
  for (Named const& one : named) {
    if (handler == nullptr || one.name != operation.base() || one.operands != operation.operands.size()) continue;
    decoder.destination(operation.operands[0]);
    for (std::size_t k = 1; k < operation.operands.size(); ++k) decoder.source(operation.operands[k], operation.type());
    decoder.instruction().mode = static_cast<std::uint8_t>(one.what);
    decoder.instruction().handler = handler;
    return true;
  }
  return false;
}

}  // namespace pantile_interpreter::ptx

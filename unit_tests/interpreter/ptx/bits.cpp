// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Logic, shifts, fields of bits, bytes.
#include <interpreter/ptx/typed.hpp>

#include <algorithm>

namespace pantile_interpreter::ptx {

namespace {

struct And {
  template <class T>
  static T of(T a, T b) {
    return a & b;
  }
};
struct Or {
  template <class T>
  static T of(T a, T b) {
    return a | b;
  }
};
struct Xor {
  template <class T>
  static T of(T a, T b) {
    return a ^ b;
  }
};
struct Not {
  template <class T>
  static T of(T a) {
    return static_cast<T>(~a);
  }
};
struct LogicalNot {
  template <class T>
  static T of(T a) {
    return a == 0 ? 1 : 0;
  }
};
struct CountOnes {
  template <class T>
  static int of(T a) {
    return std::popcount(a);
  }
};
struct CountLeadingZeros {
  template <class T>
  static int of(T a) {
    return std::countl_zero(a);
  }
};
/// The highest bit that is not the sign's, or how far it is from the top; all ones where there is none.
template <bool shift>
struct FindBit {
  template <class T>
  static std::uint32_t of(T a) {
    auto const bits = static_cast<std::make_unsigned_t<T>>(a < 0 ? ~a : a);
    auto const from_top = static_cast<std::uint32_t>(std::countl_zero(bits));
    return bits == 0 ? ~std::uint32_t{0} : shift ? from_top : 8 * sizeof(T) - 1 - from_top;
  }
};
struct Reverse {
  template <class T>
  static T of(T a) {
    T reversed = 0;
    for (unsigned bit = 0; bit < 8 * sizeof(T); ++bit) reversed |= (a >> bit & 1) << (8 * sizeof(T) - 1 - bit);
    return reversed;
  }
};

// Shifts by as many bits as there are, or more, leave nothing or the sign.
template <class T>
void shift_left(Warp& warp, Instruction const& instruction, Mask lanes) {
  auto const* const a = warp.lanes<T>(instruction.source(0));
  auto const* const by = warp.lanes<std::uint32_t>(instruction.source(1));
  set_lanes(warp.lanes<T>(instruction.operand[0]), lanes,
            [&](unsigned lane) { return by[lane] >= 8 * sizeof(T) ? T{0} : static_cast<T>(a[lane] << by[lane]); });
}

template <class T>
void shift_right(Warp& warp, Instruction const& instruction, Mask lanes) {
  auto const* const a = warp.lanes<T>(instruction.source(0));
  auto const* const by = warp.lanes<std::uint32_t>(instruction.source(1));
  constexpr std::uint32_t bits = 8 * sizeof(T);
  set_lanes(warp.lanes<T>(instruction.operand[0]), lanes, [&](unsigned lane) {
    if (by[lane] < bits) return static_cast<T>(a[lane] >> by[lane]);
    return static_cast<T>(std::is_signed_v<T> ? a[lane] >> (bits - 1) : 0);
  });
}

struct Extract {
  template <class T>
  static T of(T a, std::uint32_t position, std::uint32_t length) {
    constexpr std::uint32_t bits = 8 * sizeof(T);
    std::uint32_t const first = position & 0xff, count = length & 0xff;
    if (count == 0) return 0;
    bool const sign = std::is_signed_v<T> && (a >> std::min(first + count - 1, bits - 1) & 1) != 0;
    T result = 0;
    for (std::uint32_t bit = 0; bit < bits; ++bit) {
      bool const one = bit < count && first + bit < bits ? (a >> (first + bit) & 1) != 0 : sign;
      result = static_cast<T>(result | (one ? T{1} : T{0}) << bit);
    }
    return result;
  }
};

template <class T>
void extract(Warp& warp, Instruction const& instruction, Mask lanes) {
  auto const* const a = warp.lanes<T>(instruction.source(0));
  auto const* const position = warp.lanes<std::uint32_t>(instruction.source(1));
  auto const* const length = warp.lanes<std::uint32_t>(instruction.source(2));
  set_lanes(warp.lanes<T>(instruction.operand[0]), lanes,
            [&](unsigned lane) { return Extract::of(a[lane], position[lane], length[lane]); });
}

template <class T>
void insert(Warp& warp, Instruction const& instruction, Mask lanes) {
  auto const* const a = warp.lanes<T>(instruction.source(0));
  auto const* const b = warp.lanes<T>(instruction.source(1));
  auto const* const position = warp.lanes<std::uint32_t>(instruction.source(2));
  auto const* const length = warp.lanes<std::uint32_t>(instruction.source(3));
  set_lanes(warp.lanes<T>(instruction.operand[0]), lanes, [&](unsigned lane) {
    constexpr unsigned bits = 8 * sizeof(T);
    unsigned const first = position[lane] & 0xff, count = length[lane] & 0xff;
    if (count == 0 || first >= bits) return b[lane];
    T const field = static_cast<T>((count >= bits ? ~T{0} : (T{1} << count) - 1) << first);
    return static_cast<T>((b[lane] & ~field) | (a[lane] << first & field));
  });
}

struct Permute {
  static std::uint32_t of(std::uint32_t a, std::uint32_t b, std::uint32_t selection) {
    std::uint64_t const both = std::uint64_t{b} << 32 | a;
    std::uint32_t result = 0;
    for (unsigned byte = 0; byte < 4; ++byte) {
      unsigned const control = selection >> (4 * byte) & 15;
      auto one = static_cast<std::uint32_t>(both >> (8 * (control & 7)) & 0xff);
      if ((control & 8) != 0) one = (one & 0x80) != 0 ? 0xff : 0;  // its sign in all bits
      result |= one << (8 * byte);
    }
    return result;
  }
};

void three_way_logic(Warp& warp, Instruction const& instruction, Mask lanes) {
  auto const* const a = warp.lanes<std::uint32_t>(instruction.source(0));
  auto const* const b = warp.lanes<std::uint32_t>(instruction.source(1));
  auto const* const c = warp.lanes<std::uint32_t>(instruction.source(2));
  unsigned const table = instruction.mode;
  set_lanes(warp.lanes<std::uint32_t>(instruction.operand[0]), lanes, [&](unsigned lane) {
    std::uint32_t result = 0;
    for (unsigned term = 0; term < 8; ++term) {
      if ((table >> term & 1) == 0) continue;
      result |= ((term & 4) != 0 ? a[lane] : ~a[lane]) & ((term & 2) != 0 ? b[lane] : ~b[lane]) &
                ((term & 1) != 0 ? c[lane] : ~c[lane]);
    }
    return result;
  });
}

// Two words shifted as one; mode: to the right, mode2: only five bits of the distance count.
void funnel_shift(Warp& warp, Instruction const& instruction, Mask lanes) {
  auto const* const low = warp.lanes<std::uint32_t>(instruction.source(0));
  auto const* const high = warp.lanes<std::uint32_t>(instruction.source(1));
  auto const* const by = warp.lanes<std::uint32_t>(instruction.source(2));
  bool const right = instruction.mode != 0, wrap = instruction.mode2 != 0;
  set_lanes(warp.lanes<std::uint32_t>(instruction.operand[0]), lanes, [&](unsigned lane) {
    std::uint32_t const distance = wrap ? by[lane] & 31 : std::min(by[lane], 32U);
    std::uint64_t const both = std::uint64_t{high[lane]} << 32 | low[lane];
    return static_cast<std::uint32_t>(right ? both >> distance : both << distance >> 32);
  });
}

template <bool signed_a, bool signed_b>
struct DotProduct {
  static std::int32_t part(std::uint32_t word, unsigned byte, bool is_signed) {
    auto const bits = static_cast<std::uint8_t>(word >> (8 * byte));
    return is_signed ? static_cast<std::int8_t>(bits) : std::int32_t{bits};
  }
  static std::uint32_t of(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
    for (unsigned byte = 0; byte < 4; ++byte)
      c += static_cast<std::uint32_t>(part(a, byte, signed_a) * part(b, byte, signed_b));
    return c;
  }
};

using Word = std::uint32_t;

Handler dot_product(Operation const& operation) {
  if (operation.types.size() != 2 || !operation.only({})) return nullptr;
  bool const a = operation.types[0] == Type::s32, b = operation.types[1] == Type::s32;
  if (a) return b ? ternary<DotProduct<true, true>, Word> : ternary<DotProduct<true, false>, Word>;
  return b ? ternary<DotProduct<false, true>, Word> : ternary<DotProduct<false, false>, Word>;
}

Handler logic(std::string_view base, Type type) {
  return for_bits(type, [&]<class T>() -> Handler {
    if (base == "and") return binary<And, T>;
    if (base == "or") return binary<Or, T>;
    if (base == "xor") return binary<Xor, T>;
    if (base == "not") return unary<Not, T>;
    if (base == "cnot") return unary<LogicalNot, T>;
    if (base == "shl") return shift_left<T>;
    return nullptr;
  });
}

Handler counting(std::string_view base, Type type) {
  if (type != Type::b32 && type != Type::b64) return nullptr;
  return for_bits(type, [&]<class T>() -> Handler {
    if (base == "popc") return unary<CountOnes, T, Word>;
    if (base == "clz") return unary<CountLeadingZeros, T, Word>;
    if (base == "brev") return unary<Reverse, T>;
    return nullptr;
  });
}

Handler field(std::string_view base, Type type) {
  if (bytes_of(type) < 4) return nullptr;
  if (base == "bfe") return for_integers(type, []<class T>() -> Handler { return extract<T>; });
  return for_bits(type, []<class T>() -> Handler { return insert<T>; });
}

Handler handler_of(Decoder& decoder, Operation const& operation) {
  std::string_view const base = operation.base();
  if (base == "dp4a") return dot_product(operation);
  if (base == "prmt") return operation.words.size() == 2 ? ternary<Permute, Word> : nullptr;
  if (base == "lop3") return operation.words.size() == 2 ? three_way_logic : nullptr;
  if (base == "shf") {
    if (!operation.only({"l", "r", "wrap", "clamp"})) return nullptr;
    decoder.instruction().mode = operation.has("r") ? 1 : 0;
    decoder.instruction().mode2 = operation.has("wrap") ? 1 : 0;
    return funnel_shift;
  }
  if (base == "bfind" && operation.only({"shiftamt"}) && bytes_of(operation.type()) >= 4) {
    return for_integers(operation.type(), [&]<class T>() -> Handler {
      return operation.has("shiftamt") ? unary<FindBit<true>, T, Word> : unary<FindBit<false>, T, Word>;
    });
  }
  if (operation.words.size() != 2) return nullptr;
  Type const type = operation.type();
  if (base == "shr") return for_integers(type, []<class T>() -> Handler { return shift_right<T>; });
  if (base == "bfe" || base == "bfi") return field(base, type);
  Handler const found = logic(base, type);
  return found != nullptr ? found : counting(base, type);
}

}  // namespace

bool decode_bits(Decoder& decoder, Operation const& operation) {
  if (operation.types.empty() || operation.type() == Type::pred || operation.operands.size() < 2) return false;
  Handler const handler = handler_of(decoder, operation);
  if (handler == nullptr) return false;
  std::string_view const base = operation.base();
  Type const type = operation.type();
  bool const shift = base == "shl" || base == "shr" || base == "shf";
  std::size_t operands = operation.operands.size();
  if (base == "lop3")
    decoder.instruction().mode = static_cast<std::uint8_t>(decoder.immediate(operation.operands[--operands]));
  decoder.destination(operation.operands[0]);
  for (std::size_t k = 1; k < operands; ++k) {
    // Distances, positions and lengths are words.
    bool const word = (shift && k + 1 == operands) || (base == "bfe" && k > 1) || (base == "bfi" && k > 2);
    decoder.source(operation.operands[k], word ? Type::u32 : type);
  }
  decoder.instruction().handler = handler;
  return true;
}

}  // namespace pantile_interpreter::ptx

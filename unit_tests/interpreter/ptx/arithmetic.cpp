// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Integer and floating-point arithmetic of 16 to 64 bits, but for halves.
#include <interpreter/ptx/typed.hpp>

#include <cmath>
#include <limits>

namespace pantile_interpreter::ptx {

namespace {

// Wide enough for products of any two values.
template <class T>
using Twice = std::conditional_t<std::is_signed_v<T>, __int128, unsigned __int128>;

template <class T>
using Unsigned = typename std::conditional_t<std::is_integral_v<T>, std::make_unsigned<T>, std::type_identity<T>>::type;

// Integers wrap; types of 16 bits must not become signed ones.
struct Add {
  template <class T>
  static T of(T a, T b) {
    return static_cast<T>(static_cast<Unsigned<T>>(a) + static_cast<Unsigned<T>>(b));
  }
};

struct Subtract {
  template <class T>
  static T of(T a, T b) {
    return static_cast<T>(static_cast<Unsigned<T>>(a) - static_cast<Unsigned<T>>(b));
  }
};

struct Multiply {
  template <class T>
  static T of(T a, T b) {
    if constexpr (sizeof(T) == 2) return static_cast<T>(std::uint32_t(a) * std::uint32_t(b));
    return static_cast<T>(static_cast<Unsigned<T>>(a) * static_cast<Unsigned<T>>(b));
  }
};

struct MultiplyHigh {
  template <class T>
  static T of(T a, T b) {
    return static_cast<T>((Twice<T>(a) * Twice<T>(b)) >> (8 * sizeof(T)));
  }
};

struct MultiplyAdd {
  template <class T>
  static T of(T a, T b, T c) {
    return Add::of(Multiply::of(a, b), c);
  }
};

struct MultiplyHighAdd {
  template <class T>
  static T of(T a, T b, T c) {
    return Add::of(MultiplyHigh::of(a, b), c);
  }
};

template <class To>
struct MultiplyWide {
  template <class T>
  static To of(T a, T b) {
    return static_cast<To>(static_cast<To>(a) * static_cast<To>(b));
  }
  template <class T>
  static To of(T a, T b, To c) {
    return Add::of(of(a, b), c);
  }
};

struct Fma {
  template <class T>
  static T of(T a, T b, T c) {
    return std::fma(a, b, c);
  }
};

// The value of an integer division by 0 is not defined: all ones is what devices give.
struct Divide {
  template <class T>
  static T of(T a, T b) {
    if constexpr (std::is_integral_v<T>) {
      if (b == 0) return static_cast<T>(-1);
      if (std::is_signed_v<T> && b == static_cast<T>(-1)) return Subtract::of(T{0}, a);
    }
    return static_cast<T>(a / b);
  }
};

struct Remainder {
  template <class T>
  static T of(T a, T b) {
    if (b == 0) return a;
    if (std::is_signed_v<T> && b == static_cast<T>(-1)) return 0;
    return static_cast<T>(a % b);
  }
};

// Of a number and a NaN the number; -0 is below +0.
struct Minimum {
  template <class T>
  static T of(T a, T b) {
    if constexpr (std::is_floating_point_v<T>) {
      if (a == b) return std::signbit(a) ? a : b;
      if (b != b) return a;
      if (a != a) return b;
    }
    return b < a ? b : a;
  }
};

struct Maximum {
  template <class T>
  static T of(T a, T b) {
    if constexpr (std::is_floating_point_v<T>) {
      if (a == b) return std::signbit(a) ? b : a;
      if (b != b) return a;
      if (a != a) return b;
    }
    return a < b ? b : a;
  }
};

template <class Op>
struct OrNan {
  template <class T>
  static T of(T a, T b) {
    return a != a || b != b ? std::numeric_limits<T>::quiet_NaN() : Op::of(a, b);
  }
};

struct Negate {
  template <class T>
  static T of(T a) {
    if constexpr (std::is_integral_v<T>) return Subtract::of(T{0}, a);
    return -a;
  }
};

struct Absolute {
  template <class T>
  static T of(T a) {
    if constexpr (std::is_floating_point_v<T>) return std::fabs(a);
    return a < T{0} ? Negate::of(a) : a;
  }
};

struct Root {
  template <class T>
  static T of(T a) {
    return std::sqrt(a);
  }
};

struct Reciprocal {
  template <class T>
  static T of(T a) {
    return T{1} / a;
  }
};

struct ReciprocalRoot {
  template <class T>
  static T of(T a) {
    return T{1} / std::sqrt(a);
  }
};

struct PowerOfTwo {
  static float of(float a) { return std::exp2(a); }
};

struct LogarithmOfTwo {
  static float of(float a) { return std::log2(a); }
};

struct Sine {
  static float of(float a) { return std::sin(a); }
};

struct Cosine {
  static float of(float a) { return std::cos(a); }
};

// Subnormal numbers count as zeros of their sign, before and after.
template <class Op>
struct Flushed {
  static float flush(float a) { return std::fabs(a) < std::numeric_limits<float>::min() ? std::copysign(0.0F, a) : a; }
  template <class... T>
  static float of(T... a) {
    return flush(Op::of(flush(a)...));
  }
};

template <class Op>
Handler unary_float(Type type, bool flush) {
  if (flush) return type == Type::f32 ? unary<Flushed<Op>, float> : nullptr;
  return for_floats(type, []<class T>() -> Handler { return unary<Op, T>; });
}

template <class Op>
Handler binary_number(Type type, bool flush) {
  if (flush) return type == Type::f32 ? binary<Flushed<Op>, float> : nullptr;
  return for_numbers(type, []<class T>() -> Handler { return binary<Op, T>; });
}

Handler wide_product(Type type, bool sum) {
  switch (type) {
    case Type::u16:
      return sum ? ternary<MultiplyWide<std::uint32_t>, std::uint16_t, std::uint32_t>
                 : binary<MultiplyWide<std::uint32_t>, std::uint16_t, std::uint32_t>;
    case Type::s16:
      return sum ? ternary<MultiplyWide<std::int32_t>, std::int16_t, std::int32_t>
                 : binary<MultiplyWide<std::int32_t>, std::int16_t, std::int32_t>;
    case Type::u32:
      return sum ? ternary<MultiplyWide<std::uint64_t>, std::uint32_t, std::uint64_t>
                 : binary<MultiplyWide<std::uint64_t>, std::uint32_t, std::uint64_t>;
    case Type::s32:
      return sum ? ternary<MultiplyWide<std::int64_t>, std::int32_t, std::int64_t>
                 : binary<MultiplyWide<std::int64_t>, std::int32_t, std::int64_t>;
    default: return nullptr;
  }
}

bool is_float(Type type) { return type == Type::f32 || type == Type::f64; }

Handler product(Operation const& operation) {
  Type const type = operation.type();
  bool const sum = operation.base() != "mul";
  if (operation.has("wide")) return wide_product(type, sum);
  bool const flush = operation.has("ftz");
  if (is_float(type)) {
    if (!sum) return binary_number<Multiply>(type, flush);
    if (flush) return type == Type::f32 ? ternary<Flushed<Fma>, float> : nullptr;
    return for_floats(type, []<class T>() -> Handler { return ternary<Fma, T>; });
  }
  bool const high = operation.has("hi");
  if (!high && !operation.has("lo")) return nullptr;
  return for_integers(type, [&]<class T>() -> Handler {
    if (sum) return high ? ternary<MultiplyHighAdd, T> : ternary<MultiplyAdd, T>;
    return high ? binary<MultiplyHigh, T> : binary<Multiply, T>;
  });
}

Handler extreme(Operation const& operation) {
  bool const least = operation.base() == "min", flush = operation.has("ftz");
  if (operation.has("NaN")) {
    if (flush) return nullptr;
    return for_floats(operation.type(), [&]<class T>() -> Handler {
      return least ? binary<OrNan<Minimum>, T> : binary<OrNan<Maximum>, T>;
    });
  }
  return least ? binary_number<Minimum>(operation.type(), flush) : binary_number<Maximum>(operation.type(), flush);
}

Handler handler_of(Operation const& operation) {
  std::string_view const base = operation.base();
  Type const type = operation.type();
  bool const flush = operation.has("ftz");
  if (base == "add") return binary_number<Add>(type, flush);
  if (base == "sub") return binary_number<Subtract>(type, flush);
  if (base == "div") return binary_number<Divide>(type, flush);
  if (base == "mul" || base == "mad" || base == "fma") return product(operation);
  if (base == "min" || base == "max") return extreme(operation);
  if (base == "rem") return for_integers(type, []<class T>() -> Handler { return binary<Remainder, T>; });
  if (base == "neg" || base == "abs") {
    bool const negate = base == "neg";
    if (flush) return negate ? unary_float<Negate>(type, true) : unary_float<Absolute>(type, true);
    return for_numbers(type, [&]<class T>() -> Handler { return negate ? unary<Negate, T> : unary<Absolute, T>; });
  }
  if (base == "sqrt") return unary_float<Root>(type, flush);
  if (base == "rcp") return unary_float<Reciprocal>(type, flush);
  if (base == "rsqrt") return unary_float<ReciprocalRoot>(type, flush);
  if (type != Type::f32) return nullptr;
  if (base == "ex2") return flush ? unary<Flushed<PowerOfTwo>, float> : unary<PowerOfTwo, float>;
  if (base == "lg2") return flush ? unary<Flushed<LogarithmOfTwo>, float> : unary<LogarithmOfTwo, float>;
  if (base == "sin") return flush ? unary<Flushed<Sine>, float> : unary<Sine, float>;
  if (base == "cos") return flush ? unary<Flushed<Cosine>, float> : unary<Cosine, float>;
  return nullptr;
}

}  // namespace

bool decode_arithmetic(Decoder& decoder, Operation const& operation) {
  if (operation.types.size() != 1 || operation.operands.size() < 2) return false;
  // Approximations are exact here. Other roundings than to nearest are not known.
  if (!operation.only({"rn", "ftz", "lo", "hi", "wide", "full", "approx", "NaN"})) return false;
  Handler const handler = handler_of(operation);
  if (handler == nullptr) return false;
  Type const type = operation.type();
  decoder.destination(operation.operands[0]);
  for (std::size_t k = 1; k < operation.operands.size(); ++k) {
    bool const wide = k == 3 && operation.has("wide");
    decoder.source(operation.operands[k], !wide ? type : bytes_of(type) == 2 ? Type::u32 : Type::u64);
  }
  decoder.instruction().handler = handler;
  return true;
}

}  // namespace pantile_interpreter::ptx

// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file  From an element type's name to a handler for it.

#include <interpreter/ptx/decoder.hpp>
#include <interpreter/ptx/lanes.hpp>

#include <bit>
#include <cstdint>
#include <type_traits>

namespace pantile_interpreter::ptx {

/// choice.template operator()<T>() with the C++ type of an integer type; null for others. Bits count as unsigned.
template <class Choice>
Handler for_integers(Type type, Choice choice) {
  switch (type) {
    case Type::u16:
    case Type::b16: return choice.template operator()<std::uint16_t>();
    case Type::s16: return choice.template operator()<std::int16_t>();
    case Type::u32:
    case Type::b32: return choice.template operator()<std::uint32_t>();
    case Type::s32: return choice.template operator()<std::int32_t>();
    case Type::u64:
    case Type::b64: return choice.template operator()<std::uint64_t>();
    case Type::s64: return choice.template operator()<std::int64_t>();
    default: return nullptr;
  }
}

/// The same for f32 and f64.
template <class Choice>
Handler for_floats(Type type, Choice choice) {
  switch (type) {
    case Type::f32: return choice.template operator()<float>();
    case Type::f64: return choice.template operator()<double>();
    default: return nullptr;
  }
}

template <class Choice>
Handler for_numbers(Type type, Choice choice) {
  Handler const integer = for_integers(type, choice);
  return integer != nullptr ? integer : for_floats(type, choice);
}

/// By size alone, unsigned.
template <class Choice>
Handler for_bits(Type type, Choice choice) {
  switch (bytes_of(type)) {
    case 2: return choice.template operator()<std::uint16_t>();
    case 4: return choice.template operator()<std::uint32_t>();
    case 8: return choice.template operator()<std::uint64_t>();
    default: return nullptr;
  }
}

/// Handlers of element-wise operations; Op::of is the operation. Registers hold the operation's own type.
template <class Op, class T, class To = T>
void unary(Warp& warp, Instruction const& instruction, Mask lanes) {
  auto const* const a = warp.lanes<T>(instruction.source(0));
  set_lanes(warp.lanes<To>(instruction.operand[0]), lanes,
            [&](unsigned lane) { return static_cast<To>(Op::of(a[lane])); });
}

template <class Op, class T, class To = T>
void binary(Warp& warp, Instruction const& instruction, Mask lanes) {
  auto const* const a = warp.lanes<T>(instruction.source(0));
  auto const* const b = warp.lanes<T>(instruction.source(1));
  set_lanes(warp.lanes<To>(instruction.operand[0]), lanes,
            [&](unsigned lane) { return static_cast<To>(Op::of(a[lane], b[lane])); });
}

template <class Op, class T, class To = T>
void ternary(Warp& warp, Instruction const& instruction, Mask lanes) {
  auto const* const a = warp.lanes<T>(instruction.source(0));
  auto const* const b = warp.lanes<T>(instruction.source(1));
  auto const* const c = warp.lanes<To>(instruction.source(2));
  set_lanes(warp.lanes<To>(instruction.operand[0]), lanes,
            [&](unsigned lane) { return static_cast<To>(Op::of(a[lane], b[lane], c[lane])); });
}

}  // namespace pantile_interpreter::ptx

// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Moves within registers, and addresses from one space to another.
#include <interpreter/ptx/typed.hpp>
#include <interpreter/ptx/windows.hpp>

#include <algorithm>
#include <cstring>

namespace pantile_interpreter::ptx {

namespace {

struct Same {
  template <class T>
  static T of(T a) {
    return a;
  }
};

// Parts of a register from several, the first in the lowest bits; sizes in bytes are in mode (whole) and mode2 (part).
void pack(Warp& warp, Instruction const& instruction, Mask lanes) {
  std::size_t const whole = instruction.mode, part = instruction.mode2;
  auto* const to = warp.lanes<unsigned char>(instruction.operand[0]);
  for_lanes(lanes, [&](unsigned lane) {
    std::uint64_t value = 0;
    for (unsigned k = 0; k < instruction.sources; ++k) {
      std::uint64_t one = 0;
      std::memcpy(&one, warp.lanes<unsigned char>(instruction.source(k)) + part * lane, part);
      value |= one << (8 * part * k);
    }
    std::memcpy(to + whole * lane, &value, whole);
  });
}

void unpack(Warp& warp, Instruction const& instruction, Mask lanes) {
  std::size_t const whole = instruction.mode, part = instruction.mode2;
  auto const* const from = warp.lanes<unsigned char>(instruction.source(0));
  for_lanes(lanes, [&](unsigned lane) {
    std::uint64_t value = 0;
    std::memcpy(&value, from + whole * lane, whole);
    for (unsigned k = 0; k < instruction.destinations; ++k) {
      std::uint64_t const one = value >> (8 * part * k);
      std::memcpy(warp.lanes<unsigned char>(instruction.operand[k]) + part * lane, &one, part);
    }
  });
}

bool decode_mov(Decoder& decoder, Operation const& operation) {
  if (operation.words.size() != 2 || operation.types.size() != 1 || operation.operands.size() != 2) return false;
  Instruction& to = decoder.instruction();
  Type const type = operation.type();
  std::size_t const whole = bytes_of(type);
  bool const packs = operation.operands[1].starts_with('{'), unpacks = operation.operands[0].starts_with('{');
  decoder.destination(operation.operands[0]);
  auto const parts = static_cast<std::size_t>(std::count(operation.operands[packs ? 1 : 0].begin(),
                                                         operation.operands[packs ? 1 : 0].end(), ',')) +
                     1;
  if (packs || unpacks) {
    std::size_t const part = whole / parts;
    if (packs == unpacks || part < 2) return false;
    decoder.source(operation.operands[1], packs ? (part == 2 ? Type::b16 : Type::b32) : type);
    to.mode = static_cast<std::uint8_t>(whole);
    to.mode2 = static_cast<std::uint8_t>(part);
    to.handler = packs ? pack : unpack;
    return true;
  }
  decoder.source(operation.operands[1], type);
  to.handler = for_bits(type, []<class T>() -> Handler { return unary<Same, T>; });
  return true;
}

// Generic addresses of global memory are the addresses themselves; other spaces have windows.
void to_generic(Warp& warp, Instruction const& instruction, Mask lanes) {
  std::uint64_t const base = window_of(*warp.cta->memory, instruction.space);
  auto const* const from = warp.lanes<std::uint64_t>(instruction.source(0));
  set_lanes(warp.lanes<std::uint64_t>(instruction.operand[0]), lanes, [&](unsigned lane) { return from[lane] + base; });
}

void from_generic(Warp& warp, Instruction const& instruction, Mask lanes) {
  std::uint64_t const base = window_of(*warp.cta->memory, instruction.space);
  auto const* const from = warp.lanes<std::uint64_t>(instruction.source(0));
  set_lanes(warp.lanes<std::uint64_t>(instruction.operand[0]), lanes, [&](unsigned lane) { return from[lane] - base; });
}

bool decode_cvta(Decoder& decoder, Operation const& operation) {
  if (operation.type() != Type::u64 || !operation.only({"to", "global", "shared", "local", "const", "param"}))
    return false;
  Instruction& to = decoder.instruction();
  to.space = space_of(operation);
  to.handler = operation.has("to") ? from_generic : to_generic;
  decoder.destination(operation.operands.at(0));
  decoder.source(operation.operands.at(1), Type::u64);
  return true;
}

void is_in_space(Warp& warp, Instruction const& instruction, Mask lanes) {
  auto const* const address = warp.lanes<std::uint64_t>(instruction.source(0));
  warp.set_predicate(instruction.predicate[0], lanes, bits_of([&](unsigned lane) {
                       return space_at(*warp.cta->memory, address[lane]) == instruction.space;
                     }));
}

bool decode_isspacep(Decoder& decoder, Operation const& operation) {
  if (!operation.only({"global", "shared", "local", "param"})) return false;
  Instruction& to = decoder.instruction();
  to.space = space_of(operation);
  to.handler = is_in_space;
  decoder.predicate_destination(operation.operands.at(0));
  decoder.source(operation.operands.at(1), Type::u64);
  return true;
}

}  // namespace

Space space_of(Operation const& operation) {
  for (std::string_view const word : operation.words) {
    if (word == "global") return Space::global;
    if (word == "shared") return Space::shared;
    if (word == "local") return Space::local;
    if (word == "param") return Space::parameter;
    if (word == "const") return Space::constant;
  }
  return Space::generic;
}

bool decode_move(Decoder& decoder, Operation const& operation) {
  if (operation.base() == "mov") return decode_mov(decoder, operation);
  if (operation.base() == "cvta") return decode_cvta(decoder, operation);
  if (operation.base() == "isspacep") return decode_isspacep(decoder, operation);
  return false;
}

}  // namespace pantile_interpreter::ptx

// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What lanes of a warp tell each other in registers: shfl, vote, match, redux, activemask. They do not order memory.
#include <interpreter/ptx/meeting.hpp>
#include <interpreter/ptx/text.hpp>
#include <interpreter/ptx/typed.hpp>

#include <algorithm>
#include <array>

namespace pantile_interpreter::ptx {

namespace {

enum class Shuffle : std::uint8_t { up, down, butterfly, index };

// What a lane gets from one that does not take part; the ISA leaves it open.
constexpr std::uint32_t nobodys = 0xcdcdcdcd;

struct Source {
  unsigned lane = 0;
  bool within = true;
};

// PTX ISA, "shfl.sync": c holds the clamp in its low five bits and the mask of segments from bit 8.
Source source_of(Shuffle how, unsigned lane, std::uint32_t b, std::uint32_t c) {
  unsigned const step = b & 31, clamp = c & 31, segment = c >> 8 & 31;
  unsigned const last = (lane & segment) | (clamp & ~segment);
  unsigned const first = lane & segment;
  int from = 0;
  switch (how) {
    case Shuffle::up: from = static_cast<int>(lane) - static_cast<int>(step); break;
    case Shuffle::down: from = static_cast<int>(lane + step); break;
    case Shuffle::butterfly: from = static_cast<int>(lane ^ step); break;
    case Shuffle::index: from = static_cast<int>(first | (step & ~segment)); break;
  }
  bool const within = how == Shuffle::up ? from >= static_cast<int>(last) : from <= static_cast<int>(last);
  return {within ? static_cast<unsigned>(from) : lane, within};
}

void shuffle(Warp& warp, Instruction const& instruction, Mask lanes) {
  lanes = those_who_met(warp, instruction, lanes, warp.lanes<std::uint32_t>(instruction.source(3)));
  if (lanes == 0) return;
  auto const* const a = warp.lanes<std::uint32_t>(instruction.source(0));
  auto const* const b = warp.lanes<std::uint32_t>(instruction.source(1));
  auto const* const c = warp.lanes<std::uint32_t>(instruction.source(2));
  std::array<std::uint32_t, lanes_per_warp> result{};
  Mask within = 0;
  for_lanes(lanes, [&](unsigned lane) {
    Source const from = source_of(static_cast<Shuffle>(instruction.mode), lane, b[lane], c[lane]);
    result[lane] = (lanes >> from.lane & 1) != 0 ? a[from.lane] : nobodys;
    within |= Mask{from.within ? 1U : 0U} << lane;
  });
  auto* const to = warp.lanes<std::uint32_t>(instruction.operand[0]);
  for_lanes(lanes, [&](unsigned lane) { to[lane] = result[lane]; });
  if (instruction.mode2 != 0) warp.set_predicate(instruction.predicate[0], lanes, within);
}

bool decode_shuffle(Decoder& decoder, Operation const& operation) {
  if (!operation.only({"sync", "up", "down", "bfly", "idx"}) || !operation.has("sync") ||
      bytes_of(operation.type()) != 4 || operation.operands.size() != 5) {
    return false;
  }
  Instruction& to = decoder.instruction();
  to.mode = static_cast<std::uint8_t>(operation.has("up")     ? Shuffle::up
                                      : operation.has("down") ? Shuffle::down
                                      : operation.has("bfly") ? Shuffle::butterfly
                                                              : Shuffle::index);
  auto const targets = split(operation.operands[0], '|');
  decoder.destination(targets[0]);
  if (targets.size() > 1) {
    decoder.predicate_destination(targets[1]);
    to.mode2 = 1;
  }
  for (std::size_t k = 1; k < 5; ++k) decoder.source(operation.operands[k], Type::b32);
  to.handler = shuffle;
  return true;
}

enum class Vote : std::uint8_t { all, any, uniform, ballot };

// The masks of the lanes that are here may be several.
void vote(Warp& warp, Instruction const& instruction, Mask lanes) {
  auto const* const masks = warp.lanes<std::uint32_t>(instruction.source(0));
  lanes = those_who_met(warp, instruction, lanes, masks);
  if (lanes == 0) return;
  Mask const given = warp.predicates[instruction.condition[0]];
  Mask const value = instruction.negated ? ~given : given;
  Mask holds = 0;
  for_lanes(lanes, [&](unsigned lane) {
    Mask const asked = masks[lane] & warp.live, yes = value & asked;
    bool answer = false;
    switch (static_cast<Vote>(instruction.mode)) {
      case Vote::all: answer = yes == asked; break;
      case Vote::any: answer = yes != 0; break;
      case Vote::uniform: answer = yes == asked || yes == 0; break;
      case Vote::ballot: warp.lanes<std::uint32_t>(instruction.operand[0])[lane] = yes; break;
    }
    holds |= Mask{answer ? 1U : 0U} << lane;
  });
  if (static_cast<Vote>(instruction.mode) != Vote::ballot) warp.set_predicate(instruction.predicate[0], lanes, holds);
}

bool decode_vote(Decoder& decoder, Operation const& operation) {
  if (!operation.only({"sync", "all", "any", "uni", "ballot"}) || !operation.has("sync") ||
      operation.operands.size() != 3) {
    return false;
  }
  Instruction& to = decoder.instruction();
  to.mode = static_cast<std::uint8_t>(operation.has("all")   ? Vote::all
                                      : operation.has("any") ? Vote::any
                                      : operation.has("uni") ? Vote::uniform
                                                             : Vote::ballot);
  if (operation.has("ballot")) {
    decoder.destination(operation.operands[0]);
  } else {
    decoder.predicate_destination(operation.operands[0]);
  }
  decoder.source(operation.operands[2], Type::b32);
  decoder.predicate_source(operation.operands[1]);
  to.handler = vote;
  return true;
}

// Lanes of the mask that hold the same value; with mode 1, all of them or none.
template <class T>
void match(Warp& warp, Instruction const& instruction, Mask lanes) {
  auto const* const masks = warp.lanes<std::uint32_t>(instruction.source(1));
  lanes = those_who_met(warp, instruction, lanes, masks);
  if (lanes == 0) return;
  auto const* const a = warp.lanes<T>(instruction.source(0));
  std::array<Mask, lanes_per_warp> result{};
  Mask agree = 0;
  for_lanes(lanes, [&](unsigned lane) {
    Mask const asked = masks[lane] & warp.live;
    Mask const same = asked & bits_of([&](unsigned other) { return a[other] == a[lane]; });
    agree |= Mask{same == asked ? 1U : 0U} << lane;
    result[lane] = instruction.mode == 0 || same == asked ? same : 0;
  });
  for_lanes(lanes, [&](unsigned lane) { warp.lanes<std::uint32_t>(instruction.operand[0])[lane] = result[lane]; });
  if (instruction.mode2 != 0) warp.set_predicate(instruction.predicate[0], lanes, agree);
}

bool decode_match(Decoder& decoder, Operation const& operation) {
  if (!operation.only({"sync", "any", "all"}) || !operation.has("sync") || operation.operands.size() != 3) return false;
  Instruction& to = decoder.instruction();
  to.mode = operation.has("all") ? 1 : 0;
  auto const targets = split(operation.operands[0], '|');
  decoder.destination(targets[0]);
  if (targets.size() > 1) {
    decoder.predicate_destination(targets[1]);
    to.mode2 = 1;
  }
  decoder.source(operation.operands[1], operation.type());
  decoder.source(operation.operands[2], Type::b32);
  to.handler = bytes_of(operation.type()) == 4   ? match<std::uint32_t>
               : bytes_of(operation.type()) == 8 ? match<std::uint64_t>
                                                 : nullptr;
  return true;
}

template <class T>
T joined(std::string_view how, T a, T b) {
  if (how == "add") return static_cast<T>(static_cast<std::uint32_t>(a) + static_cast<std::uint32_t>(b));
  if (how == "min") return std::min(a, b);
  if (how == "max") return std::max(a, b);
  if (how == "and") return a & b;
  return how == "or" ? a | b : a ^ b;
}

constexpr std::array<std::string_view, 6> joins{"add", "min", "max", "and", "or", "xor"};

template <class T>
void reduce(Warp& warp, Instruction const& instruction, Mask lanes) {
  auto const* const masks = warp.lanes<std::uint32_t>(instruction.source(1));
  lanes = those_who_met(warp, instruction, lanes, masks);
  auto const* const a = warp.lanes<T>(instruction.source(0));
  std::array<T, lanes_per_warp> result{};
  for_lanes(lanes, [&](unsigned lane) {
    Mask const asked = masks[lane] & warp.live;
    T sum = a[lane];
    for_lanes(asked & ~(Mask{1} << lane),
              [&](unsigned other) { sum = joined(joins[instruction.mode], sum, a[other]); });
    result[lane] = sum;
  });
  for_lanes(lanes, [&](unsigned lane) { warp.lanes<T>(instruction.operand[0])[lane] = result[lane]; });
}

bool decode_reduce(Decoder& decoder, Operation const& operation) {
  auto const how = std::find_if(joins.begin(), joins.end(), [&](std::string_view one) { return operation.has(one); });
  if (how == joins.end() || !operation.only({"sync", *how}) || operation.operands.size() != 3) return false;
  Instruction& to = decoder.instruction();
  to.mode = static_cast<std::uint8_t>(how - joins.begin());
  decoder.destination(operation.operands[0]);
  decoder.source(operation.operands[1], Type::b32);
  decoder.source(operation.operands[2], Type::b32);
  to.handler = operation.type() == Type::s32 ? reduce<std::int32_t> : reduce<std::uint32_t>;
  return bytes_of(operation.type()) == 4;
}

void active(Warp& warp, Instruction const& instruction, Mask lanes) {
  set_lanes(warp.lanes<std::uint32_t>(instruction.operand[0]), lanes, [&](unsigned) { return lanes; });
}

}  // namespace

bool decode_exchange(Decoder& decoder, Operation const& operation) {
  std::string_view const base = operation.base();
  if (base == "shfl") return decode_shuffle(decoder, operation);
  if (base == "vote") return decode_vote(decoder, operation);
  if (base == "match") return decode_match(decoder, operation);
  if (base == "redux") return decode_reduce(decoder, operation);
  if (base != "activemask") return false;
  decoder.destination(operation.operands.at(0));
  decoder.instruction().handler = active;
  return true;
}

}  // namespace pantile_interpreter::ptx

// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Comparisons, selections, logic of predicates.
#include <interpreter/ptx/small_float.hpp>
#include <interpreter/ptx/text.hpp>
#include <interpreter/ptx/typed.hpp>

#include <algorithm>
#include <array>
#include <optional>

namespace pantile_interpreter::ptx {

namespace {

// What is asked of numbers, and whether it holds for NaNs: unordered forms are the opposites' denials.
enum class Relation : std::uint8_t { eq, ne, lt, le, gt, ge, equ, neu, ltu, leu, gtu, geu, num, nan };
enum class Combined : std::uint8_t { alone, conjunction, disjunction, exclusive };

struct NamedRelation {
  std::string_view name;
  Relation relation;
};

constexpr std::array relations{
    NamedRelation{"eq", Relation::eq},   NamedRelation{"ne", Relation::ne},   NamedRelation{"lt", Relation::lt},
    NamedRelation{"le", Relation::le},   NamedRelation{"gt", Relation::gt},   NamedRelation{"ge", Relation::ge},
    NamedRelation{"lo", Relation::lt},   NamedRelation{"ls", Relation::le},   NamedRelation{"hi", Relation::gt},
    NamedRelation{"hs", Relation::ge},   NamedRelation{"equ", Relation::equ}, NamedRelation{"neu", Relation::neu},
    NamedRelation{"ltu", Relation::ltu}, NamedRelation{"leu", Relation::leu}, NamedRelation{"gtu", Relation::gtu},
    NamedRelation{"geu", Relation::geu}, NamedRelation{"num", Relation::num}, NamedRelation{"nan", Relation::nan}};

template <class T, class Get>
Mask compared(Relation relation, Get get) {
  auto const all = [&](auto holds) {
    return bits_of([&](unsigned lane) {
      auto const [a, b] = get(lane);
      return holds(a, b);
    });
  };
  switch (relation) {
    case Relation::eq: return all([](T a, T b) { return a == b; });
    case Relation::ne: return all([](T a, T b) { return a < b || a > b; });
    case Relation::lt: return all([](T a, T b) { return a < b; });
    case Relation::le: return all([](T a, T b) { return a <= b; });
    case Relation::gt: return all([](T a, T b) { return a > b; });
    case Relation::ge: return all([](T a, T b) { return a >= b; });
    case Relation::equ: return all([](T a, T b) { return !(a < b || a > b); });
    case Relation::neu: return all([](T a, T b) { return !(a == b); });
    case Relation::ltu: return all([](T a, T b) { return !(a >= b); });
    case Relation::leu: return all([](T a, T b) { return !(a > b); });
    case Relation::gtu: return all([](T a, T b) { return !(a <= b); });
    case Relation::geu: return all([](T a, T b) { return !(a < b); });
    case Relation::num: return all([](T a, T b) { return a == a && b == b; });
    case Relation::nan: return all([](T a, T b) { return a != a || b != b; });
  }
  return 0;
}

void store(Warp& warp, Instruction const& instruction, Mask lanes, Mask holds) {
  Mask fails = ~holds;
  if (auto const how = static_cast<Combined>(instruction.mode2); how != Combined::alone) {
    Mask const value = warp.predicates[instruction.condition[0]];
    Mask const with = instruction.negated ? ~value : value;
    auto const combine = [&](Mask mask) {
      return how == Combined::conjunction ? mask & with : how == Combined::disjunction ? mask | with : mask ^ with;
    };
    holds = combine(holds);
    fails = combine(fails);
  }
  warp.set_predicate(instruction.predicate[0], lanes, holds);
  if (instruction.from == Type::pred) warp.set_predicate(instruction.predicate[1], lanes, fails);  // p|q
}

template <class T>
void set_predicate(Warp& warp, Instruction const& instruction, Mask lanes) {
  auto const* const a = warp.lanes<T>(instruction.source(0));
  auto const* const b = warp.lanes<T>(instruction.source(1));
  store(warp, instruction, lanes, compared<T>(static_cast<Relation>(instruction.mode), [&](unsigned lane) {
          return std::pair{a[lane], b[lane]};
        }));
}

template <class T>
void set_predicate_small(Warp& warp, Instruction const& instruction, Mask lanes) {
  auto const* const a = warp.lanes<std::uint16_t>(instruction.source(0));
  auto const* const b = warp.lanes<std::uint16_t>(instruction.source(1));
  store(warp, instruction, lanes, compared<double>(static_cast<Relation>(instruction.mode), [&](unsigned lane) {
          return std::pair{T{a[lane]}.value(), T{b[lane]}.value()};
        }));
}

std::optional<Relation> relation_named(std::string_view name) {
  auto const found =
      std::find_if(relations.begin(), relations.end(), [&](auto const& one) { return one.name == name; });
  if (found == relations.end()) return std::nullopt;
  return found->relation;
}

bool decode_set_predicate(Decoder& decoder, Operation const& operation) {
  if (operation.types.size() != 1 || operation.words.size() < 3) return false;
  auto const relation = relation_named(operation.words[1]);
  Type const type = operation.type();
  if (!relation || !operation.only({operation.words[1], "and", "or", "xor"})) return false;
  Instruction& to = decoder.instruction();
  to.handler = for_numbers(type, []<class T>() -> Handler { return set_predicate<T>; });
  if (type == Type::f16) to.handler = set_predicate_small<Half>;
  if (type == Type::bf16) to.handler = set_predicate_small<Bfloat16>;
  to.mode = static_cast<std::uint8_t>(*relation);
  auto const how = operation.has("and")   ? Combined::conjunction
                   : operation.has("or")  ? Combined::disjunction
                   : operation.has("xor") ? Combined::exclusive
                                          : Combined::alone;
  to.mode2 = static_cast<std::uint8_t>(how);
  decoder.predicate_destination(operation.operands.at(0));
  if (operation.operands[0].find('|') != std::string_view::npos) to.from = Type::pred;
  decoder.source(operation.operands.at(1), type);
  decoder.source(operation.operands.at(2), type);
  if (how != Combined::alone) decoder.predicate_source(operation.operands.at(3));
  return to.handler != nullptr;
}

template <class T>
void select(Warp& warp, Instruction const& instruction, Mask lanes) {
  auto const* const a = warp.lanes<T>(instruction.source(0));
  auto const* const b = warp.lanes<T>(instruction.source(1));
  Mask const first = warp.predicates[instruction.condition[0]];
  set_lanes(warp.lanes<T>(instruction.operand[0]), lanes,
            [&](unsigned lane) { return (first >> lane & 1) != 0 ? a[lane] : b[lane]; });
}

bool decode_select(Decoder& decoder, Operation const& operation) {
  if (operation.words.size() != 2 || operation.types.size() != 1) return false;
  Type const type = operation.type();
  decoder.destination(operation.operands.at(0));
  decoder.source(operation.operands.at(1), type);
  decoder.source(operation.operands.at(2), type);
  decoder.predicate_source(operation.operands.at(3));
  if (decoder.instruction().negated) return false;
  decoder.instruction().handler = for_bits(type, []<class T>() -> Handler { return select<T>; });
  return true;
}

enum class PredicateLogic : std::uint8_t { copy, complement, conjunction, disjunction, exclusive, constant };

void predicate_logic(Warp& warp, Instruction const& instruction, Mask lanes) {
  Mask const a = warp.predicates[instruction.condition[0]], b = warp.predicates[instruction.condition[1]];
  Mask value = 0;
  switch (static_cast<PredicateLogic>(instruction.mode)) {
    case PredicateLogic::copy: value = a; break;
    case PredicateLogic::complement: value = ~a; break;
    case PredicateLogic::conjunction: value = a & b; break;
    case PredicateLogic::disjunction: value = a | b; break;
    case PredicateLogic::exclusive: value = a ^ b; break;
    case PredicateLogic::constant: value = instruction.offset != 0 ? all_lanes : 0;
  }
  warp.set_predicate(instruction.predicate[0], lanes, value);
}

bool decode_predicate_logic(Decoder& decoder, Operation const& operation) {
  std::string_view const base = operation.base();
  auto const what = base == "mov"   ? PredicateLogic::copy
                    : base == "not" ? PredicateLogic::complement
                    : base == "and" ? PredicateLogic::conjunction
                    : base == "or"  ? PredicateLogic::disjunction
                    : base == "xor" ? PredicateLogic::exclusive
                                    : PredicateLogic::constant;
  if (what == PredicateLogic::constant || operation.words.size() != 2) return false;
  Instruction& to = decoder.instruction();
  to.handler = predicate_logic;
  to.mode = static_cast<std::uint8_t>(what);
  decoder.predicate_destination(operation.operands.at(0));
  if (auto const value = number(operation.operands.at(1)); value && what == PredicateLogic::copy) {
    to.mode = static_cast<std::uint8_t>(PredicateLogic::constant);
    to.offset = static_cast<std::int64_t>(*value);
    return true;
  }
  for (unsigned k = 1; k < operation.operands.size(); ++k) decoder.predicate_source(operation.operands[k], k - 1);
  return !to.negated;
}

}  // namespace

bool decode_comparison(Decoder& decoder, Operation const& operation) {
  if (operation.base() == "setp") return decode_set_predicate(decoder, operation);
  if (operation.base() == "selp") return decode_select(decoder, operation);
  return operation.type() == Type::pred && decode_predicate_logic(decoder, operation);
}

}  // namespace pantile_interpreter::ptx

// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// atom and red: lanes one after another. Instruction::mode is the operation, mode2 says how many values follow the
// address.
#include <interpreter/ptx/spaces.hpp>
#include <interpreter/ptx/traffic.hpp>
#include <interpreter/ptx/typed.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

namespace pantile_interpreter::ptx {

namespace {

enum class Change : std::uint8_t {
  add,
  minimum,
  maximum,
  increment,
  decrement,
  exchange,
  compare,
  conjunction,
  disjunction,
  exclusive
};

struct NamedChange {
  std::string_view name;
  Change change;
};

constexpr std::array changes{NamedChange{"add", Change::add},        NamedChange{"min", Change::minimum},
                             NamedChange{"max", Change::maximum},    NamedChange{"inc", Change::increment},
                             NamedChange{"dec", Change::decrement},  NamedChange{"exch", Change::exchange},
                             NamedChange{"cas", Change::compare},    NamedChange{"and", Change::conjunction},
                             NamedChange{"or", Change::disjunction}, NamedChange{"xor", Change::exclusive}};

template <class T>
T changed(Change change, T old, T a, T b) {
  if constexpr (std::is_integral_v<T>) {
    using U = std::make_unsigned_t<T>;
    switch (change) {
      case Change::add: return static_cast<T>(static_cast<U>(old) + static_cast<U>(a));
      case Change::increment: return old >= a ? T{0} : static_cast<T>(old + 1);
      case Change::decrement: return old == 0 || old > a ? a : static_cast<T>(old - 1);
      case Change::conjunction: return old & a;
      case Change::disjunction: return old | a;
      case Change::exclusive: return old ^ a;
      case Change::compare: return old == a ? b : old;
      default: break;
    }
  }
  switch (change) {
    case Change::add: return old + a;
    case Change::minimum: return std::min(old, a);
    case Change::maximum: return std::max(old, a);
    default: return a;
  }
}

// Without a destination for red.
template <class T>
void atomic(Warp& warp, Instruction const& instruction, Mask lanes) {
  unsigned const slot = instruction.source(0);
  if (warp.cta->traffic != nullptr) [[unlikely]]
    count_access(warp, instruction, lanes, slot, sizeof(T), Touch::modify);
  auto const* const a = warp.lanes<T>(instruction.source(1));
  auto const* const b = warp.lanes<T>(instruction.source(instruction.sources > 2 ? 2 : 1));
  T* const result = instruction.destinations > 0 ? warp.lanes<T>(instruction.operand[0]) : nullptr;
  for_lanes(lanes, [&](unsigned lane) {
    std::uint64_t const address = address_of(warp, slot, instruction.narrow, instruction.offset, lane);
    unsigned char* const at =
        bytes_at<sizeof(T)>(warp, instruction, {lane, address, instruction.space, true}, Touch::modify);
    T old;
    std::memcpy(&old, at, sizeof(T));
    T const fresh = changed(static_cast<Change>(instruction.mode), old, a[lane], b[lane]);
    std::memcpy(at, &fresh, sizeof(T));
    if (result != nullptr) result[lane] = old;
  });
}

bool fits(Change change, Type type) {
  bool const real = type == Type::f32 || type == Type::f64;
  return !real || change == Change::add || change == Change::exchange;
}

}  // namespace

bool decode_atomic(Decoder& decoder, Operation const& operation) {
  bool const returns = operation.base() == "atom";
  if ((!returns && operation.base() != "red") || operation.types.size() != 1) return false;
  auto const named =
      std::find_if(changes.begin(), changes.end(), [&](NamedChange const& one) { return operation.has(one.name); });
  if (named == changes.end() || !fits(named->change, operation.type()) ||
      !operation.only(
          {named->name, "global", "shared", "relaxed", "acquire", "release", "acq_rel", "cta", "gpu", "sys"})) {
    return false;
  }
  std::size_t const values = named->change == Change::compare ? 2 : 1, first = returns ? 1 : 0;
  if (operation.operands.size() != first + 1 + values) return false;
  Instruction& to = decoder.instruction();
  to.space = space_of(operation);
  to.type = operation.type();
  to.mode = static_cast<std::uint8_t>(named->change);
  if (returns) decoder.destination(operation.operands[0]);
  decoder.address(operation.operands[first]);
  for (std::size_t k = 0; k < values; ++k) decoder.source(operation.operands[first + 1 + k], to.type);
  to.handler = bytes_of(to.type) < 4 ? nullptr : for_numbers(to.type, []<class T>() -> Handler { return atomic<T>; });
  return true;
}

}  // namespace pantile_interpreter::ptx

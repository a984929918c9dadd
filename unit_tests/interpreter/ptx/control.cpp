// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Branches, ends, and calls, which nobody can follow.
#include <interpreter/ptx/control.hpp>
#include <interpreter/ptx/decoder.hpp>
#include <interpreter/ptx/lanes.hpp>

#include <algorithm>

namespace pantile_interpreter::ptx {

namespace {

// Lanes of the running group go to an instruction; the rest goes on behind this one.
void send(Warp& warp, Mask lanes, std::uint32_t to) {
  Group& group = warp.group();
  if (lanes == group.lanes) {
    warp.next = to;
    return;
  }
  group.lanes &= ~lanes;
  group.at = warp.next;
  warp.groups.push_back({to, lanes, Group::Waits::no});
  warp.next = Warp::elsewhere;
}

void branch(Warp& warp, Instruction const& instruction, Mask lanes) { send(warp, lanes, instruction.target); }

void branch_by_index(Warp& warp, Instruction const& instruction, Mask lanes) {
  auto const& table = warp.cta->code->tables[instruction.target];
  auto const* const index = warp.lanes<std::uint32_t>(instruction.source(0));
  Group const before = warp.group();
  std::uint32_t const behind = warp.next;
  Mask rest = lanes;
  std::vector<Group> parts;
  while (rest != 0) {
    auto const first = static_cast<unsigned>(std::countr_zero(rest));
    if (index[first] >= table.size()) warp.fault(instruction, first, "the index is outside of its table");
    Mask const same = rest & bits_of([&](unsigned lane) { return index[lane] == index[first]; });
    parts.push_back({table[index[first]], same, Group::Waits::no});
    rest &= ~same;
  }
  if (Mask const staying = before.lanes & ~lanes; staying != 0) parts.push_back({behind, staying, Group::Waits::no});
  warp.group() = parts.front();
  warp.groups.insert(warp.groups.end(), parts.begin() + 1, parts.end());
  warp.next = Warp::elsewhere;
}

void leave(Warp& warp, Instruction const& instruction, Mask lanes) {
  for (PendingCopy const& copy : warp.copies) {
    if ((lanes >> copy.lane & 1) != 0) {
      warp.fault(instruction, copy.lane, "it ends before it has waited for its asynchronous copies");
    }
  }
  warp.live &= ~lanes;
  Group& group = warp.group();
  group.lanes &= ~lanes;
  group.at = warp.next;
  if (group.lanes == 0) warp.groups.erase(warp.groups.begin() + static_cast<std::ptrdiff_t>(warp.current));
  for (Group& other : warp.groups) {
    if (other.waits == Group::Waits::for_lanes) other.waits = Group::Waits::no;  // perhaps for these
  }
  warp.next = Warp::elsewhere;
}

void trap(Warp& warp, Instruction const& instruction, Mask lanes) {
  warp.fault(instruction, static_cast<unsigned>(std::countr_zero(lanes)), "the program stops itself here");
}

void call(Warp& warp, Instruction const& instruction, Mask lanes) {
  warp.fault(instruction, static_cast<unsigned>(std::countr_zero(lanes)), "the interpreter does not know calls");
}

void nothing(Warp&, Instruction const&, Mask) {}

}  // namespace

std::vector<std::uint32_t> targets(Code const& code, Instruction const& instruction) {
  if (instruction.handler == branch) return {instruction.target};
  if (instruction.handler == branch_by_index) return code.tables[instruction.target];
  return {};
}

bool ends_block(Instruction const& instruction) {
  return instruction.handler == branch || instruction.handler == branch_by_index || instruction.handler == leave;
}

bool falls_through(Instruction const& instruction) { return !ends_block(instruction) || instruction.guard >= 0; }

bool decode_control(Decoder& decoder, Operation const& operation) {
  Instruction& to = decoder.instruction();
  std::string_view const base = operation.base();
  if (base == "bra") {
    if (!operation.only({"uni"})) return false;
    decoder.branch_target(operation.operands.at(0));
    to.handler = branch;
  } else if (base == "brx") {
    if (!operation.only({"idx", "uni"})) return false;
    decoder.source(operation.operands.at(0), Type::u32);
    decoder.branch_table(operation.operands.at(1));
    to.handler = branch_by_index;
  } else if (base == "ret" || base == "exit") {
    to.handler = leave;
  } else if (base == "trap") {
    to.handler = trap;
  } else if (base == "call") {
    to.handler = call;
  } else if (base == "nanosleep" || base == "prefetch" || base == "pmevent") {
    to.handler = nothing;
  } else {
    return false;
  }
  return true;
}

}  // namespace pantile_interpreter::ptx

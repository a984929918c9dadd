// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cp.async: copies from global to shared memory that arrive as late as a thread's waits allow, or at once; before they
// are waited for, nobody may touch their target. Groups are of each thread.
#include <interpreter/ptx/spaces.hpp>
#include <interpreter/ptx/traffic.hpp>
#include <interpreter/ptx/typed.hpp>

#include <algorithm>
#include <cstring>
#include <vector>

namespace pantile_interpreter::ptx {

namespace {

// Instruction::mode2 of a copy.
constexpr std::uint8_t narrow_target = 1, with_valid_bytes = 2;

void move_bytes(Warp& warp, PendingCopy const& copy) {
  unsigned char* const to = warp.cta->shared.bytes() + copy.to;
  std::memset(to, 0, copy.bytes);
  if (copy.valid > 0) warp.cta->memory->read(to, copy.from, copy.valid);
}

// What is read is looked at when the copy begins.
template <unsigned bytes>
void look(Warp& warp, Instruction const& instruction, unsigned lane, std::uint64_t from, unsigned valid) {
  if (valid == bytes) {
    bytes_at<bytes>(warp, instruction, {lane, from, Space::global, false}, Touch::read);
  } else {
    for (unsigned k = 0; k < valid; ++k) {
      bytes_at<1>(warp, instruction, {lane, from + k, Space::global, false}, Touch::read);
    }
  }
}

std::uint64_t target_of(Warp& warp, Instruction const& instruction, unsigned lane) {
  return address_of(warp, instruction.source(0), (instruction.mode2 & narrow_target) != 0,
                    static_cast<std::int32_t>(instruction.target), lane);
}

// Lanes that fill their target with zeros read nothing.
void count_copy(Warp& warp, Instruction const& instruction, Mask lanes, std::uint32_t const* given, unsigned bytes) {
  std::vector<std::uint64_t> targets;
  Mask reading = 0;
  for_lanes(lanes, [&](unsigned lane) {
    targets.push_back(target_of(warp, instruction, lane));
    if (given == nullptr || given[lane] > 0) reading |= Mask{1} << lane;
  });
  count_shared(warp, instruction, targets, bytes);
  count_access(warp, instruction, reading, instruction.source(1), bytes, Touch::read);
}

template <unsigned bytes>
void begin(Warp& warp, Instruction const& instruction, Mask lanes) {
  Cta& cta = *warp.cta;
  auto const* const given =
      (instruction.mode2 & with_valid_bytes) != 0 ? warp.lanes<std::uint32_t>(instruction.source(2)) : nullptr;
  if (cta.traffic != nullptr) [[unlikely]]
    count_copy(warp, instruction, lanes, given, bytes);
  for_lanes(lanes, [&](unsigned lane) {
    unsigned const valid = given == nullptr ? bytes : given[lane];
    if (valid > bytes) warp.fault(instruction, lane, "it copies more bytes than its size");
    std::uint64_t const to = target_of(warp, instruction, lane);
    std::uint64_t const from = address_of(warp, instruction.source(1), instruction.narrow, instruction.offset, lane);
    Place const place{lane, to, Space::shared, false};
    if (to % bytes != 0 || to > cta.shared.size() || bytes > cta.shared.size() - to) {
      refuse(warp, instruction, place, Touch::write, bytes);
    }
    if (valid > 0 && from % bytes != 0)
      refuse(warp, instruction, {lane, from, Space::global, false}, Touch::read, bytes);
    look<bytes>(warp, instruction, lane, from, valid);
    auto const problem = cta.shared.begin_copy(to, bytes, warp.accessors[lane]);
    if (problem != SharedMemory::Problem::none) tell(warp, instruction, place, Touch::write, bytes, problem);
    warp.copies.push_back({to, from, warp.at(instruction), warp.open_group[lane], static_cast<std::uint8_t>(lane),
                           static_cast<std::uint8_t>(bytes), static_cast<std::uint8_t>(valid)});
    if (cta.options->early_copies) move_bytes(warp, warp.copies.back());
  });
}

void commit(Warp& warp, Instruction const&, Mask lanes) {
  for_lanes(lanes, [&](unsigned lane) { ++warp.open_group[lane]; });
}

// All copies of these lanes arrive but for those of the last `target` groups.
void wait(Warp& warp, Instruction const& instruction, Mask lanes) {
  std::erase_if(warp.copies, [&](PendingCopy const& copy) {
    if ((lanes >> copy.lane & 1) == 0) return false;
    if (std::uint64_t{copy.group} + instruction.target >= warp.open_group[copy.lane]) return false;
    if (!warp.cta->options->early_copies) move_bytes(warp, copy);
    warp.cta->shared.end_copy(copy.to, copy.bytes, warp.accessors[copy.lane]);
    return true;
  });
}

void commit_and_wait(Warp& warp, Instruction const& instruction, Mask lanes) {
  commit(warp, instruction, lanes);
  wait(warp, instruction, lanes);
}

bool decode_wait(Decoder& decoder, Operation const& operation) {
  Instruction& to = decoder.instruction();
  if (operation.has("commit_group")) {
    to.handler = commit;
  } else if (operation.has("wait_group")) {
    to.target = static_cast<std::uint32_t>(decoder.immediate(operation.operands.at(0)));
    to.handler = wait;
  } else {
    to.handler = commit_and_wait;
  }
  return true;
}

}  // namespace

bool decode_copy(Decoder& decoder, Operation const& operation) {
  if (operation.base() != "cp" || !operation.has("async")) return false;
  if (operation.only({"async", "commit_group"}) || operation.only({"async", "wait_group"}) ||
      operation.only({"async", "wait_all"})) {
    return decode_wait(decoder, operation);
  }
  if (!operation.only({"async", "ca", "cg", "shared", "shared::cta", "global", "L2::64B", "L2::128B", "L2::256B"}) ||
      operation.operands.size() < 3 || operation.operands.size() > 4) {
    return false;
  }
  Instruction& to = decoder.instruction();
  decoder.address(operation.operands[0]);
  to.target = static_cast<std::uint32_t>(to.offset);
  to.mode2 = to.narrow ? narrow_target : 0;
  decoder.address(operation.operands[1]);
  to.space = Space::global;
  if (operation.operands.size() == 4) {
    decoder.source(operation.operands[3], Type::u32);
    to.mode2 |= with_valid_bytes;
  }
  switch (decoder.immediate(operation.operands[2])) {
    case 4: to.handler = begin<4>; break;
    case 8: to.handler = begin<8>; break;
    case 16: to.handler = begin<16>; break;
    default: return false;
  }
  return true;
}

}  // namespace pantile_interpreter::ptx

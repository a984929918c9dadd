// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Barriers of CTAs and of warps, and fences.
#include <interpreter/ptx/meeting.hpp>

#include <interpreter/ptx/barriers.hpp>
#include <interpreter/ptx/decoder.hpp>
#include <interpreter/ptx/lanes.hpp>

#include <algorithm>

namespace pantile_interpreter::ptx {

Mask those_who_met(Warp& warp, Instruction const& instruction, Mask lanes, std::uint32_t const* masks) {
  Mask ready = 0;
  for_lanes(lanes, [&](unsigned lane) {
    if ((masks[lane] >> lane & 1) == 0) warp.fault(instruction, lane, "its mask of lanes lacks its own");
    if ((masks[lane] & warp.live & ~lanes) == 0) ready |= Mask{1} << lane;
  });
  Mask const waiting = lanes & ~ready;
  if (waiting == 0) return ready;
  Group& group = warp.group();
  if (waiting == group.lanes) {
    warp.wait(instruction, Group::Waits::for_lanes);
    return 0;
  }
  group.lanes &= ~waiting;
  group.at = warp.next;
  warp.groups.push_back({warp.at(instruction), waiting, Group::Waits::for_lanes});
  warp.next = Warp::elsewhere;
  return ready;
}

namespace {

using LaneTimes = std::array<std::array<unsigned, lanes_per_warp>, lanes_per_warp>;

// What these lanes did until now, and what they knew of others, comes before what each of them does next.
void order_lanes(Warp& warp, Mask lanes) {
  unsigned const time = warp.cta->shared.order_some();
  if (lanes == warp.live) {
    for (Accessor& one : warp.accessors) one.warp_time = time, one.lane_times = nullptr;
    return;
  }
  if (warp.lane_times == nullptr) warp.lane_times = std::make_unique<LaneTimes>();
  LaneTimes& times = *warp.lane_times;
  for (unsigned lane = 0; lane < lanes_per_warp; ++lane) {
    if (warp.accessors[lane].lane_times != nullptr) continue;
    times[lane].fill(warp.accessors[lane].warp_time);
    warp.accessors[lane].lane_times = times[lane].data();
  }
  std::array<unsigned, lanes_per_warp> known{};
  for_lanes(lanes, [&](unsigned lane) {
    for (unsigned other = 0; other < lanes_per_warp; ++other) known[other] = std::max(known[other], times[lane][other]);
  });
  for_lanes(lanes, [&](unsigned lane) { known[lane] = time; });
  for_lanes(lanes, [&](unsigned lane) { times[lane] = known; });
}

void meet_lanes(Warp& warp, Instruction const& instruction, Mask lanes) {
  auto const* const masks = warp.lanes<std::uint32_t>(instruction.source(0));
  Mask rest = those_who_met(warp, instruction, lanes, masks);
  while (rest != 0) {
    Mask const group = masks[static_cast<unsigned>(std::countr_zero(rest))] & warp.live;
    order_lanes(warp, group);
    rest &= ~group;
  }
}

// All lanes that live must come: the barriers are aligned.
void arrive(Warp& warp, Instruction const& instruction, Mask lanes, Instruction const* reduction) {
  std::array<std::uint32_t, lanes_per_warp> all{};
  all.fill(warp.live);
  if (those_who_met(warp, instruction, lanes, all.data()) == 0) return;
  auto const first = static_cast<unsigned>(std::countr_zero(lanes));
  warp.arrival.reduction = reduction;
  warp.arrival.barrier = warp.lanes<std::uint32_t>(instruction.source(0))[first];
  warp.arrival.expected = instruction.sources > 1 ? warp.lanes<std::uint32_t>(instruction.source(1))[first] : 0;
  warp.wait(instruction, Group::Waits::for_cta);
}

void meet_cta(Warp& warp, Instruction const& instruction, Mask lanes) { arrive(warp, instruction, lanes, nullptr); }
void meet_and_reduce(Warp& warp, Instruction const& instruction, Mask lanes) {
  arrive(warp, instruction, lanes, &instruction);
}

void fence(Warp& warp, Instruction const&, Mask) {
  if (warp.cta->global_races != nullptr) warp.cta->global_races->fence();
}

void fence_of_cta(Warp&, Instruction const&, Mask) {}

// bar.red.or.pred p, a{, b}, {!}c; bar.red.popc.u32 d, a{, b}, {!}c.
bool decode_reduction(Decoder& decoder, Operation const& operation) {
  std::size_t const count = operation.operands.size();
  if (count < 3 || count > 4) return false;
  Instruction& to = decoder.instruction();
  if (operation.has("popc")) {
    decoder.destination(operation.operands[0]);
    to.mode = static_cast<std::uint8_t>(BarrierReduction::count);
  } else {
    decoder.predicate_destination(operation.operands[0]);
    to.mode = static_cast<std::uint8_t>(operation.has("and") ? BarrierReduction::all : BarrierReduction::any);
  }
  for (std::size_t k = 1; k + 1 < count; ++k) decoder.source(operation.operands[k], Type::u32);
  decoder.predicate_source(operation.operands[count - 1]);
  to.handler = meet_and_reduce;
  return true;
}

bool decode_fence(Decoder& decoder, Operation const& operation) {
  if (!operation.only({"cta", "gl", "gpu", "sys", "sc", "acq_rel"})) return false;
  decoder.instruction().handler = operation.has("cta") ? fence_of_cta : fence;
  return true;
}

}  // namespace

bool decode_barrier(Decoder& decoder, Operation const& operation) {
  std::string_view const base = operation.base();
  if (base == "membar" || base == "fence") return decode_fence(decoder, operation);
  if (base != "bar" && base != "barrier") return false;
  Instruction& to = decoder.instruction();
  if (operation.has("warp")) {
    if (!operation.only({"warp", "sync"})) return false;
    decoder.source(operation.operands.at(0), Type::u32);
    to.handler = meet_lanes;
    return true;
  }
  if (operation.has("red") && operation.only({"cta", "red", "and", "or", "popc", "aligned"})) {
    return decode_reduction(decoder, operation);
  }
  if (!operation.only({"cta", "sync", "aligned"}) || (base == "barrier" && !operation.has("aligned"))) return false;
  for (std::string_view const one : operation.operands) decoder.source(one, Type::u32);
  to.handler = meet_cta;
  return !operation.operands.empty() && operation.operands.size() <= 2;
}

}  // namespace pantile_interpreter::ptx

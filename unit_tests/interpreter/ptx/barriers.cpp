// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <interpreter/ptx/barriers.hpp>

#include <interpreter/ptx/warp.hpp>

#include <bit>

namespace pantile_interpreter::ptx {

namespace {

// The predicate that a lane brings to bar.red.
Mask brought(Warp const& warp) {
  Instruction const& instruction = *warp.arrival.reduction;
  Mask const value = warp.predicates[instruction.condition[0]];
  return (instruction.negated ? ~value : value) & warp.live;
}

struct Reduced {
  bool all = true, any = false;
  unsigned count = 0;
};

void give(Warp& warp, Reduced const& reduced) {
  Instruction const& instruction = *warp.arrival.reduction;
  switch (static_cast<BarrierReduction>(instruction.mode)) {
    case BarrierReduction::all:
      warp.set_predicate(instruction.predicate[0], warp.live, reduced.all ? all_lanes : 0);
      break;
    case BarrierReduction::any:
      warp.set_predicate(instruction.predicate[0], warp.live, reduced.any ? all_lanes : 0);
      break;
    case BarrierReduction::count:
      for (unsigned lane = 0; lane < lanes_per_warp; ++lane) {
        if ((warp.live >> lane & 1) != 0) warp.lanes<std::uint32_t>(instruction.operand[0])[lane] = reduced.count;
      }
  }
}

}  // namespace

void Cta::meet(std::vector<Warp*> const& there) {
  shared.order_all();
  Reduced reduced;
  for (Warp const* warp : there) {
    if (warp->arrival.reduction == nullptr) continue;
    Mask const value = brought(*warp);
    reduced.all = reduced.all && value == warp->live;
    reduced.any = reduced.any || value != 0;
    reduced.count += static_cast<unsigned>(std::popcount(value));
  }
  for (Warp* const warp : there) {
    if (warp->arrival.reduction != nullptr) give(*warp, reduced);
    warp->arrival = {};
    for (Group& group : warp->groups) {
      if (group.waits != Group::Waits::for_cta) continue;
      group.waits = Group::Waits::no;
      ++group.at;
    }
  }
}

void execute(Code const& code, Launch const& launch) {
  Counters& counters = launch.device->counters();
  GlobalRaces* const races = launch.device->global_races();
  if (races != nullptr) races->begin_launch();
  Cta cta(code, launch, races);
  if (launch.device->options().traffic) {
    cta.traffic = &counters.kernels[code.name];
    if (cta.traffic->empty()) {
      for (std::size_t k = 0; k < code.texts.size(); ++k) {
        cta.traffic->push_back({std::string(code.texts[k]), code.lines[k], 0, 0, {}, {}});
      }
    }
  }
  Order order(launch.device->options().seed);
  for (std::uint64_t const number : order.of(launch.grid.count())) {
    Dim3 const grid = launch.grid;
    if (races != nullptr) races->begin_cta(number);
    cta.begin({static_cast<unsigned>(number % grid.x), static_cast<unsigned>(number / grid.x % grid.y),
               static_cast<unsigned>(number / grid.x / grid.y)});
    cta.run(order);
    counters.warp_instructions += cta.steps;
    cta.steps = 0;
  }
}

}  // namespace pantile_interpreter::ptx

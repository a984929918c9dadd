// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <interpreter/ptx/warp.hpp>

#include <algorithm>
#include <bit>
#include <cstring>
#include <map>

namespace pantile_interpreter::ptx {

namespace {

constexpr std::size_t unit_bytes = 128;

// What the dynamic part of shared memory begins at, as the linker aligns it.
std::uint64_t dynamic_begin(Code const& code) { return (code.static_shared + 15) / 16 * 16; }

std::uint64_t special_value(FixedRegister const& fixed, Cta const& cta, unsigned warp, unsigned lane) {
  Dim3 const block = cta.launch->block;
  Dim3 const grid = cta.launch->grid;
  unsigned const thread = warp * lanes_per_warp + lane;
  std::uint64_t const bit = std::uint64_t{1} << lane;
  switch (fixed.what) {
    case Special::constant: return fixed.value;
    case Special::thread_x: return thread % block.x;
    case Special::thread_y: return thread / block.x % block.y;
    case Special::thread_z: return thread / block.x / block.y;
    case Special::threads_x: return block.x;
    case Special::threads_y: return block.y;
    case Special::threads_z: return block.z;
    case Special::cta_x: return cta.id.x;
    case Special::cta_y: return cta.id.y;
    case Special::cta_z: return cta.id.z;
    case Special::ctas_x: return grid.x;
    case Special::ctas_y: return grid.y;
    case Special::ctas_z: return grid.z;
    case Special::lane: return lane;
    case Special::warp: return warp;
    case Special::lanes_below: return bit - 1;
    case Special::lanes_to: return bit | (bit - 1);
    case Special::lanes_from: return ~(bit - 1) & all_lanes;
    case Special::lanes_above: return ~(bit | (bit - 1)) & all_lanes;
    case Special::lane_bit: return bit;
    case Special::dynamic_shared: return cta.dynamic_offset + fixed.value;
    case Special::dynamic_shared_bytes: return cta.launch->dynamic_shared;
    case Special::local:
    case Special::parameter: return fixed.value;
  }
  return 0;
}

bool all_wait_for_cta(Warp const& warp) {
  return std::all_of(warp.groups.begin(), warp.groups.end(),
                     [](Group const& group) { return group.waits == Group::Waits::for_cta; });
}

unsigned waiting_threads(Warp const& warp) {
  unsigned threads = 0;
  for (Group const& group : warp.groups) {
    if (group.waits == Group::Waits::for_cta) threads += static_cast<unsigned>(std::popcount(group.lanes));
  }
  return threads;
}

}  // namespace

Cta::Cta(Code const& what, Launch const& with, GlobalRaces* races)
    : code(&what),
      launch(&with),
      device(with.device),
      memory(&with.device->memory()),
      options(&with.device->options()),
      global_races(races),
      threads(static_cast<unsigned>(with.block.count())),
      dynamic_offset(dynamic_begin(what)),
      shared(dynamic_begin(what) + with.dynamic_shared, with.device->options().races),
      warps((threads + lanes_per_warp - 1) / lanes_per_warp) {
  unsigned index = 0;
  for (Warp& warp : warps) {
    warp.cta = this;
    warp.index = index++;
    warp.predicates.assign(code->predicates, 0);
    warp.register_bytes.assign((code->register_units + 1) * unit_bytes, 0);
    auto const first = reinterpret_cast<std::uintptr_t>(warp.register_bytes.data());
    warp.registers = warp.register_bytes.data() + (unit_bytes - first % unit_bytes) % unit_bytes;
    warp.local.resize(code->local_bytes * lanes_per_warp);
  }
}

void Cta::fill_fixed(Warp& warp) {
  for (FixedRegister const& fixed : code->fixed) {
    for (unsigned lane = 0; lane < lanes_per_warp; ++lane) {
      std::uint64_t const value = special_value(fixed, *this, warp.index, lane);
      std::memcpy(warp.lanes<unsigned char>(fixed.slot) + std::size_t{fixed.bytes} * lane, &value, fixed.bytes);
    }
  }
}

void Cta::begin(Dim3 which) {
  id = which;
  shared.begin();
  for (Warp& warp : warps) {
    unsigned const first = warp.index * lanes_per_warp;
    unsigned const count = std::min(lanes_per_warp, threads - first);
    warp.live = count == lanes_per_warp ? all_lanes : (Mask{1} << count) - 1;
    warp.groups.assign(1, {0, warp.live, Group::Waits::no});
    warp.copies.clear();
    warp.open_group.fill(0);
    warp.lane_times.reset();
    for (unsigned lane = 0; lane < lanes_per_warp; ++lane) warp.accessors[lane] = {first + lane, 0, nullptr};
    std::fill(warp.local.begin(), warp.local.end(), static_cast<unsigned char>(0xcd));
    fill_fixed(warp);
  }
}

std::string Cta::place() const {
  return "CTA (" + std::to_string(id.x) + ", " + std::to_string(id.y) + ", " + std::to_string(id.z) + ")";
}

void Cta::run(Order& order) {
  auto turns = order.of(warps.size());
  for (;;) {
    bool moved = false;
    std::size_t ended = 0;
    order.shuffle(turns);
    for (std::uint64_t const turn : turns) {
      Warp& warp = warps[turn];
      std::uint64_t const before = steps;
      if (!warp.groups.empty() && !all_wait_for_cta(warp)) run_warp(warp, order.steps());
      moved = moved || steps != before;
      if (warp.groups.empty()) ++ended;
    }
    if (ended == warps.size()) return;
    if (!moved && !release_barriers()) stuck();
  }
}

// Barriers whose threads are all there let them go.
bool Cta::release_barriers() {
  struct Barrier {
    unsigned threads = 0, expected = 0;
    std::vector<Warp*> warps;
  };
  std::map<std::uint32_t, Barrier> barriers;
  unsigned live = 0;
  for (Warp& warp : warps) {
    live += static_cast<unsigned>(std::popcount(warp.live));
    if (unsigned const waiting = waiting_threads(warp); waiting > 0) {
      Barrier& barrier = barriers[warp.arrival.barrier];
      barrier.threads += waiting;
      barrier.expected = warp.arrival.expected;
      barrier.warps.push_back(&warp);
    }
  }
  bool released = false;
  for (auto& [number, barrier] : barriers) {
    if (barrier.threads < (barrier.expected == 0 ? live : barrier.expected)) continue;
    if (barrier.expected == 0 && live < threads) continue;  // some ended without coming here
    released = true;
    meet(barrier.warps);
  }
  return released;
}

void Cta::stuck() const {
  unsigned live = 0;
  for (Warp const& warp : warps) live += static_cast<unsigned>(std::popcount(warp.live));
  for (Warp const& warp : warps) {
    for (Group const& group : warp.groups) {
      if (group.waits == Group::Waits::no) continue;
      auto const lane = static_cast<unsigned>(std::countr_zero(group.lanes));
      std::string what = "it waits for lanes of its warp that never come here";
      if (group.waits == Group::Waits::for_cta) {
        what = "it waits at a barrier that not all threads of its CTA come to";
        if (live < threads) what += ": " + std::to_string(threads - live) + " have ended before";
      }
      warp.fault(code->instructions[group.at], lane, what);
    }
  }
  throw Fault("kernel " + code->name + ", " + place() + ": no warp can go on");
}

}  // namespace pantile_interpreter::ptx

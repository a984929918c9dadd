// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file  What runs: a CTA and its warps. A warp keeps its lanes in groups that stand at one instruction each; the
/// group at the lowest instruction runs, and groups that meet become one, so that lanes converge behind a branch.

#include <interpreter/machine/device.hpp>
#include <interpreter/machine/fault.hpp>
#include <interpreter/machine/global_races.hpp>
#include <interpreter/machine/order.hpp>
#include <interpreter/machine/shared_memory.hpp>
#include <interpreter/ptx/instruction.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace pantile_interpreter::ptx {

struct Group {
  enum class Waits : std::uint8_t { no, for_cta, for_lanes };
  std::uint32_t at = 0;
  Mask lanes = 0;
  Waits waits = Waits::no;
};

/// A copy of cp.async that has not been waited for.
struct PendingCopy {
  std::uint64_t to = 0;    // offset in shared memory
  std::uint64_t from = 0;  // global address
  std::uint32_t instruction = 0;
  std::uint32_t group = 0;                      // its number among the lane's groups
  std::uint8_t lane = 0, bytes = 0, valid = 0;  // bytes behind the valid ones become zero
};

/// What a warp brought to a barrier of its CTA.
struct Arrival {
  Instruction const* reduction = nullptr;
  std::uint32_t barrier = 0;
  std::uint32_t expected = 0;  // threads; 0 for all
};

struct Cta;

struct Warp {
  /// Told to the loop that runs it.
  static constexpr std::uint32_t elsewhere = ~std::uint32_t{0};

  Cta* cta = nullptr;
  unsigned index = 0;
  Mask live = 0;
  unsigned char* registers = nullptr;
  std::vector<Mask> predicates;
  std::vector<Group> groups;
  std::size_t current = 0;  // the group that runs
  std::uint32_t next = 0;   // where it goes on; `elsewhere` when the groups say it
  std::vector<unsigned char> register_bytes, local;
  std::vector<PendingCopy> copies;
  std::array<std::uint32_t, lanes_per_warp> open_group{};  // of cp.async, per lane
  Arrival arrival;
  std::array<Accessor, lanes_per_warp> accessors;
  std::unique_ptr<std::array<std::array<unsigned, lanes_per_warp>, lanes_per_warp>> lane_times;

  template <class T>
  [[nodiscard]] T* lanes(unsigned slot) {
    return reinterpret_cast<T*>(registers + std::size_t{slot} * 128);
  }

  void set_predicate(unsigned which, Mask lanes, Mask value) {
    predicates[which] = (predicates[which] & ~lanes) | (value & lanes);
  }
  [[nodiscard]] Group& group() { return groups[current]; }
  [[nodiscard]] std::uint32_t at(Instruction const& instruction) const;
  /// The running group stops here and executes this instruction again when it goes on.
  void wait(Instruction const& instruction, Group::Waits why);
  /// Ends the kernel with a sentence that names instruction, line, CTA and thread.
  [[noreturn]] void fault(Instruction const& instruction, unsigned lane, std::string const& what) const;
  /// Counts a race and tells it once per instruction.
  void race(Instruction const& instruction, unsigned lane, std::string const& what);
};

struct Cta {
  Cta(Code const& code, Launch const& launch, GlobalRaces* global_races);

  Code const* code;
  Launch const* launch;
  Device* device;
  Memory* memory;
  Options const* options;
  GlobalRaces* global_races;  // null if nobody asks
  Dim3 id{0, 0, 0};
  unsigned threads = 0;
  std::uint64_t dynamic_offset = 0;
  SharedMemory shared;
  std::vector<Warp> warps;
  std::vector<InstructionCount>* traffic = nullptr;
  std::uint64_t steps = 0;  // of all its warps

  void begin(Dim3 which);
  /// Runs it to its end.
  void run(Order& order);
  [[nodiscard]] std::string place() const;

 private:
  void fill_fixed(Warp& warp);
  bool release_barriers();
  void meet(std::vector<Warp*> const& there);
  [[noreturn]] void stuck() const;
};

/// Runs a warp until it waits, ends or has taken `steps` instructions.
void run_warp(Warp& warp, std::uint64_t steps);

/// Executes all CTAs of a launch.
void execute(Code const& code, Launch const& launch);

}  // namespace pantile_interpreter::ptx

// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file  A decoded instruction, and a decoded kernel.

#include <interpreter/machine/counters.hpp>
#include <interpreter/machine/device.hpp>
#include <interpreter/ptx/program.hpp>

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace pantile_interpreter::ptx {

struct Warp;
struct Instruction;

/// One bit per lane of a warp.
using Mask = std::uint32_t;
inline constexpr unsigned lanes_per_warp = 32;
inline constexpr Mask all_lanes = ~Mask{0};

/// Executes an instruction for the lanes of a mask, which has at least one.
using Handler = void (*)(Warp&, Instruction const&, Mask);

struct Instruction {
  Handler handler = nullptr;
  std::int64_t offset = 0;   // of an address
  std::uint32_t target = 0;  // of a branch; the second address' offset of a copy
  std::int16_t guard = -1;   // predicate, or -1
  bool guard_not = false;
  std::uint8_t destinations = 0, sources = 0;
  Space space = Space::generic;
  Type type = Type::none, from = Type::none;
  std::uint8_t mode = 0, mode2 = 0;          // what a handler's own file says
  bool negated = false;                      // its last predicate
  bool narrow = false;                       // its last address is in a register of 32 bits
  std::array<std::uint16_t, 16> operand{};   // registers, destinations first; their unit is 128 bytes
  std::array<std::uint16_t, 2> predicate{};  // written
  std::array<std::uint16_t, 2> condition{};  // read

  [[nodiscard]] std::uint16_t source(unsigned k) const { return operand[destinations + k]; }
};

/// A value that is the same in all instructions of a thread: filled in when a CTA begins.
enum class Special : std::uint8_t {
  constant,
  thread_x,
  thread_y,
  thread_z,
  threads_x,
  threads_y,
  threads_z,
  cta_x,
  cta_y,
  cta_z,
  ctas_x,
  ctas_y,
  ctas_z,
  lane,
  warp,
  lanes_below,
  lanes_to,
  lanes_from,
  lanes_above,
  lane_bit,
  dynamic_shared,
  dynamic_shared_bytes,
  local,
  parameter
};

struct FixedRegister {
  std::uint16_t slot = 0;
  std::uint8_t bytes = 4;
  Special what = Special::constant;
  std::uint64_t value = 0;  // the constant, or what is added
};

/// All that execution needs of a kernel.
struct Code {
  std::string name;
  std::string origin;
  std::vector<Instruction> instructions;
  std::vector<std::string_view> texts;  // of each instruction
  std::vector<int> lines;
  std::vector<int> sources;  // of program's sources
  Program const* program = nullptr;
  std::vector<std::vector<std::uint32_t>> tables;  // of brx.idx
  std::vector<FixedRegister> fixed;
  std::size_t register_units = 0;  // of 128 bytes
  std::size_t predicates = 0;
  std::size_t local_bytes = 0;  // of a thread
  std::size_t static_shared = 0;
  std::size_t parameter_bytes = 0;
  int max_threads = 0;
  int min_ctas = 0;
  int max_registers = 0;
};

}  // namespace pantile_interpreter::ptx

// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <interpreter/ptx/warp.hpp>

#include <algorithm>
#include <bit>
#include <cstdio>
#include <map>
#include <set>

namespace pantile_interpreter::ptx {

namespace {

// Groups that spin must not keep others of their warp from running.
constexpr unsigned turns_before_another = 20000;

std::string location(Code const& code, std::uint32_t at) {
  std::string text(code.texts[at]);
  for (char& letter : text) {
    if (letter == '\n' || letter == '\t') letter = ' ';
  }
  std::string const source = code.program->source_text(code.sources[at]);
  return "line " + std::to_string(code.lines[at]) + " of " + code.origin + " (" + text + ")" +
         (source.empty() ? "" : ", " + source);
}

// Is it in the file whose races are not wanted, or called from there?
bool is_left_out(Code const& code, std::uint32_t at) {
  std::string const& file = races_left_out();
  if (file.empty()) return false;
  static std::map<std::pair<Code const*, std::uint32_t>, bool> known;
  auto const [found, fresh] = known.try_emplace({&code, at});
  if (fresh) found->second = code.program->source_text(code.sources[at]).find(file + ":") != std::string::npos;
  return found->second;
}

}  // namespace

std::uint32_t Warp::at(Instruction const& instruction) const {
  return static_cast<std::uint32_t>(&instruction - cta->code->instructions.data());
}

void Warp::wait(Instruction const& instruction, Group::Waits why) {
  group().waits = why;
  group().at = at(instruction);
  next = elsewhere;
}

void Warp::fault(Instruction const& instruction, unsigned lane, std::string const& what) const {
  throw Fault("kernel " + cta->code->name + ", " + location(*cta->code, at(instruction)) + ", " + cta->place() +
              ", thread " + std::to_string(index * lanes_per_warp + lane) + ": " + what);
}

void Warp::race(Instruction const& instruction, unsigned lane, std::string const& what) {
  if (is_left_out(*cta->code, at(instruction))) return;
  if (cta->options->races_are_faults) fault(instruction, lane, "a race: " + what);
  ++cta->device->counters().races;
  static std::set<std::pair<Code const*, std::uint32_t>> told;
  if (!told.insert({cta->code, at(instruction)}).second) return;
  std::fprintf(stderr, "interpreter: race in kernel %s, %s, %s, thread %u: %s\n", cta->code->name.c_str(),
               location(*cta->code, at(instruction)).c_str(), cta->place().c_str(), index * lanes_per_warp + lane,
               what.c_str());
}

namespace {

// Groups at one instruction become one; those that waited for lanes look again who is there.
void merge(std::vector<Group>& groups) {
  std::sort(groups.begin(), groups.end(), [](Group const& a, Group const& b) { return a.at < b.at; });
  std::size_t kept = 0;
  for (std::size_t k = 1; k < groups.size(); ++k) {
    Group& last = groups[kept];
    Group const& one = groups[k];
    bool const cta = one.waits == Group::Waits::for_cta || last.waits == Group::Waits::for_cta;
    if (one.at == last.at && (!cta || one.waits == last.waits)) {
      last.lanes |= one.lanes;
      if (!cta) last.waits = Group::Waits::no;
    } else {
      groups[++kept] = one;
    }
  }
  groups.resize(kept + 1);
}

bool runs(Group const& group) { return group.waits == Group::Waits::no; }

// Returns false if no group can run.
bool choose(Warp& warp, unsigned& turn) {
  auto& groups = warp.groups;
  if (groups.size() > 1) merge(groups);
  auto found = std::find_if(groups.begin(), groups.end(), runs);
  if (found == groups.end()) return false;
  if (++turn >= turns_before_another) {
    turn = 0;
    found = std::find_if(groups.rbegin(), groups.rend(), runs).base() - 1;
  }
  warp.current = static_cast<std::size_t>(found - groups.begin());
  return true;
}

// The first instruction behind the running group where another group stands.
std::uint32_t next_meeting(Warp const& warp) {
  std::uint32_t meeting = Warp::elsewhere;
  for (Group const& group : warp.groups) {
    if (group.at > warp.groups[warp.current].at) meeting = std::min(meeting, group.at);
  }
  return meeting;
}

void count(Warp& warp, std::uint32_t at, Mask lanes) {
  InstructionCount& counted = (*warp.cta->traffic)[at];
  ++counted.warps;
  counted.lanes += static_cast<std::uint64_t>(std::popcount(lanes));
}

// Runs the chosen group until it ends, waits, splits, or comes to another one.
std::uint64_t run_group(Warp& warp, std::uint64_t steps) {
  Instruction const* const code = warp.cta->code->instructions.data();
  std::uint32_t const meeting = next_meeting(warp);
  std::uint32_t at = warp.group().at;
  Mask const lanes = warp.group().lanes;
  std::uint64_t taken = 0;
  while (taken < steps) {
    Instruction const& instruction = code[at];
    Mask active = lanes;
    if (instruction.guard >= 0) {
      Mask const guard = warp.predicates[static_cast<unsigned>(instruction.guard)];
      active &= instruction.guard_not ? ~guard : guard;
    }
    warp.next = at + 1;
    ++taken;
    if (warp.cta->traffic != nullptr) [[unlikely]]
      count(warp, at, active);
    if (active != 0) instruction.handler(warp, instruction, active);
    if (warp.next == Warp::elsewhere) return taken;
    at = warp.next;
    if (at >= meeting) break;
  }
  warp.group().at = at;
  return taken;
}

}  // namespace

void run_warp(Warp& warp, std::uint64_t steps) {
  unsigned turn = 0;
  std::uint64_t taken = 0;
  while (taken < steps && !warp.groups.empty() && choose(warp, turn)) taken += run_group(warp, steps - taken);
  warp.cta->steps += taken;
}

}  // namespace pantile_interpreter::ptx

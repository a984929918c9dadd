// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

/// \file  Which CTA of a launch wrote and which read each byte of global memory last: CTAs that touch the same byte
/// race, if one writes, unless both are atomic, or the later one saw, by an atomic on some word, that the earlier was
/// done.

#include <interpreter/machine/memory.hpp>

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <unordered_map>

namespace pantile_interpreter {

class GlobalRaces {
 public:
  explicit GlobalRaces(Memory const& memory);
  ~GlobalRaces();
  GlobalRaces(GlobalRaces const&) = delete;
  GlobalRaces& operator=(GlobalRaces const&) = delete;

  enum class Access : unsigned char { read, write, atomic };

  void begin_launch();
  /// CTAs are numbered as they begin.
  void begin_cta(std::uint64_t number);
  /// A fence for the whole device: what the CTA did until now is told by its next atomic, and what it saw counts.
  void fence();

  /// True for a race; other() then says with which CTA. Accesses of host memory are not followed.
  bool access(std::uint64_t address, std::size_t bytes, Access kind);
  [[nodiscard]] std::string other() const;

 private:
  using Record = std::uint32_t;
  static constexpr Record several = 0x80000000U;  // read by several CTAs
  static constexpr Record atomic = 0x40000000U;
  static constexpr Record serial_mask = atomic - 1;

  [[nodiscard]] bool stale(Record record) const { return (record & serial_mask) < m_first; }
  bool conflict(Record record);
  bool slow(std::size_t offset, std::size_t bytes, Access kind);
  void publish(std::uint64_t address);

  Memory const* m_memory;
  Record* m_writers = nullptr;
  Record* m_readers = nullptr;
  Record m_first = 1;  // serial number of the launch's first CTA
  Record m_next = 1;
  Record m_own = 0;
  Record m_other = 0;
  bool m_fenced = false;
  std::unordered_map<std::uint64_t, std::set<Record>> m_published;  // address of an atomic -> CTAs that were done there
  std::set<std::uint64_t> m_seen;                                   // such addresses that this CTA has met
};

}  // namespace pantile_interpreter

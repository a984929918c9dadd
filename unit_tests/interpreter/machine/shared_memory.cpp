// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <interpreter/machine/shared_memory.hpp>

#include <algorithm>
#include <cstring>

namespace pantile_interpreter {

namespace {

constexpr unsigned char poison = 0xcd;

// Written as loops over all elements, for vector instructions.
bool all_between(std::uint32_t const* records, std::size_t count, std::uint32_t first, std::uint32_t end) {
  bool all = true;
  for (std::size_t k = 0; k < count; ++k) all &= records[k] - first < end - first;
  return all;
}

bool all_equal(std::uint32_t const* records, std::size_t count, std::uint32_t value) {
  bool all = true;
  for (std::size_t k = 0; k < count; ++k) all &= records[k] == value;
  return all;
}

}  // namespace

SharedMemory::SharedMemory(std::size_t bytes, bool races)
    : m_size(bytes), m_races(races), m_bytes(bytes), m_writers(bytes), m_readers(bytes) {}

void SharedMemory::begin() {
  std::fill(m_bytes.begin(), m_bytes.end(), poison);
  if (m_time > last_time / 2) {
    std::fill(m_writers.begin(), m_writers.end(), 0);
    std::fill(m_readers.begin(), m_readers.end(), 0);
    m_time = 1;
  }
  m_begin = m_barrier = m_time++;
}

bool SharedMemory::ordered(Record record, Accessor const& who) const {
  unsigned const time = record >> who_bits;
  if (time <= m_barrier) return true;
  unsigned const other = record & who_mask;
  if (other == who.thread) return true;
  unsigned const warp = who.thread / Accessor::lanes;
  if (other < many_of_warp) {
    if (other / Accessor::lanes != warp) return false;
    return time <= (who.lane_times == nullptr ? who.warp_time : who.lane_times[other % Accessor::lanes]);
  }
  if (other != many_of_warp + warp && other != atomic_of_warp + warp) return false;
  if (who.lane_times == nullptr) return time <= who.warp_time;
  return time <= *std::min_element(who.lane_times, who.lane_times + Accessor::lanes);
}

SharedMemory::Problem SharedMemory::race(Record with) {
  m_other = with;
  return (with & who_mask) == copy ? Problem::copy_under_way : Problem::race;
}

void SharedMemory::note_read(Record& reader, Accessor const& who) const {
  unsigned const warp = who.thread / Accessor::lanes;
  unsigned const other = reader & who_mask;
  bool const fresh = reader >> who_bits <= m_barrier;
  if (fresh || other == who.thread) {
    reader = record(who.thread);
  } else if (other != several_warps) {
    bool const same_warp = other < many_of_warp ? other / Accessor::lanes == warp : other == many_of_warp + warp;
    reader = record(!same_warp ? several_warps : ordered(reader, who) ? who.thread : many_of_warp + warp);
  }
}

SharedMemory::Problem SharedMemory::read(std::size_t offset, std::size_t bytes, Accessor const& who) {
  Record const first = (m_begin + 1) << who_bits;
  Record const behind_barrier = (m_barrier + 1) << who_bits;
  if (!all_between(&m_writers[offset], bytes, first, behind_barrier)) return read_slowly(offset, bytes, who);
  Record* const readers = &m_readers[offset];
  if (all_equal(readers, bytes, record(many_of_warp + who.thread / Accessor::lanes))) return Problem::none;
  if (all_between(readers, bytes, 0, behind_barrier)) {
    std::fill_n(readers, bytes, record(who.thread));
  } else {
    for (std::size_t k = 0; k < bytes; ++k) note_read(readers[k], who);
  }
  return Problem::none;
}

SharedMemory::Problem SharedMemory::read_slowly(std::size_t offset, std::size_t bytes, Accessor const& who) {
  Problem problem = Problem::none;
  for (std::size_t k = offset; k < offset + bytes; ++k) {
    Record const writer = m_writers[k];
    if (writer >> who_bits <= m_begin) return Problem::uninitialised;
    if ((m_races || (writer & who_mask) == copy) && !ordered(writer, who)) problem = race(writer);
    note_read(m_readers[k], who);
  }
  return problem;
}

SharedMemory::Problem SharedMemory::check_write(std::size_t offset, std::size_t bytes, Accessor const& who,
                                                unsigned char const* value) {
  Record const behind_barrier = (m_barrier + 1) << who_bits;
  if (all_between(&m_writers[offset], bytes, 0, behind_barrier) &&
      all_between(&m_readers[offset], bytes, 0, behind_barrier)) {
    return Problem::none;
  }
  Problem problem = Problem::none;
  for (std::size_t k = offset; k < offset + bytes; ++k) {
    Record const writer = m_writers[k];
    bool const same = value != nullptr && (writer & who_mask) != copy && m_bytes[k] == value[k - offset];
    if ((m_races || (writer & who_mask) == copy) && !same && !ordered(writer, who)) problem = race(writer);
    if (m_races && !ordered(m_readers[k], who)) problem = race(m_readers[k]);
  }
  return problem;
}

SharedMemory::Problem SharedMemory::write(std::size_t offset, std::size_t bytes, Accessor const& who,
                                          void const* value) {
  Problem const problem = check_write(offset, bytes, who, static_cast<unsigned char const*>(value));
  std::fill_n(&m_writers[offset], bytes, record(who.thread));
  return problem;
}

SharedMemory::Problem SharedMemory::modify(std::size_t offset, std::size_t bytes, Accessor const& who) {
  Problem problem = Problem::none;
  unsigned const own = atomic_of_warp + who.thread / Accessor::lanes;
  for (std::size_t k = offset; k < offset + bytes; ++k) {
    Record const writer = m_writers[k];
    if (writer >> who_bits <= m_begin) return Problem::uninitialised;
    unsigned const other = writer & who_mask;
    bool const atomic =
        other == atomic_of_several || (other >= atomic_of_warp && other < atomic_of_warp + Accessor::lanes);
    bool const past = writer >> who_bits <= m_barrier;
    if ((m_races || other == copy) && !atomic && !ordered(writer, who)) problem = race(writer);
    if (m_races && !ordered(m_readers[k], who)) problem = race(m_readers[k]);
    m_writers[k] = record(past || !atomic || other == own ? own : atomic_of_several);
  }
  return problem;
}

SharedMemory::Problem SharedMemory::begin_copy(std::size_t offset, std::size_t bytes, Accessor const& who) {
  Problem const problem = check_write(offset, bytes, who, nullptr);
  std::fill_n(&m_writers[offset], bytes, ((last_time + 1) << who_bits) | copy);
  return problem;
}

void SharedMemory::end_copy(std::size_t offset, std::size_t bytes, Accessor const& who) {
  std::fill_n(&m_writers[offset], bytes, record(who.thread));
}

std::string SharedMemory::other() const {
  unsigned const who = m_other & who_mask;
  if (who < many_of_warp) return "thread " + std::to_string(who);
  if (who < atomic_of_warp) return "several lanes of warp " + std::to_string(who - many_of_warp);
  if (who < atomic_of_warp + Accessor::lanes) return "an atomic of warp " + std::to_string(who - atomic_of_warp);
  if (who == atomic_of_several) return "atomics of several warps";
  return who == copy ? "an asynchronous copy" : "threads of several warps";
}

}  // namespace pantile_interpreter

// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <interpreter/machine/global_races.hpp>

#include <sys/mman.h>

#include <algorithm>
#include <new>

namespace pantile_interpreter {

namespace {

std::uint32_t* reserve(std::uint64_t count) {
  void* const memory = ::mmap(nullptr, count * sizeof(std::uint32_t), PROT_READ | PROT_WRITE,
                              MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) throw std::bad_alloc();
  return static_cast<std::uint32_t*>(memory);
}

bool all_below(std::uint32_t const* records, std::size_t count, std::uint32_t end) {
  bool all = true;
  for (std::size_t k = 0; k < count; ++k) all &= records[k] < end;
  return all;
}

}  // namespace

GlobalRaces::GlobalRaces(Memory const& memory)
    : m_memory(&memory), m_writers(reserve(memory.capacity())), m_readers(reserve(memory.capacity())) {}

GlobalRaces::~GlobalRaces() {
  ::munmap(m_writers, m_memory->capacity() * sizeof(Record));
  ::munmap(m_readers, m_memory->capacity() * sizeof(Record));
}

void GlobalRaces::begin_launch() {
  if (m_next > serial_mask / 2) {
    ::madvise(m_writers, m_memory->capacity() * sizeof(Record), MADV_DONTNEED);
    ::madvise(m_readers, m_memory->capacity() * sizeof(Record), MADV_DONTNEED);
    m_next = 1;
  }
  m_first = m_next;
  m_published.clear();
}

void GlobalRaces::begin_cta(std::uint64_t number) {
  m_own = m_first + static_cast<Record>(number);
  m_next = std::max(m_next, m_own + 1);
  m_fenced = false;
  m_seen.clear();
}

void GlobalRaces::fence() { m_fenced = true; }

// Did this CTA not see that the record's was done?
bool GlobalRaces::conflict(Record record) {
  if (stale(record)) return false;
  Record const other = record & serial_mask;
  if (other == m_own && (record & several) == 0) return false;
  m_other = record;
  if ((record & several) != 0) return true;
  return std::none_of(m_seen.begin(), m_seen.end(), [&](std::uint64_t at) { return m_published[at].contains(other); });
}

bool GlobalRaces::slow(std::size_t offset, std::size_t bytes, Access kind) {
  bool found = false;
  for (std::size_t k = offset; k < offset + bytes; ++k) {
    Record& writer = m_writers[k];
    Record& reader = m_readers[k];
    bool const both_atomic = kind == Access::atomic && (writer & atomic) != 0;
    if (!both_atomic && conflict(writer)) found = true;
    if (kind == Access::read) {
      bool const fresh = stale(reader) || reader == m_own;
      reader = fresh ? m_own : (m_own | several);
    } else {
      if (conflict(reader)) found = true;
      writer = kind == Access::atomic ? (m_own | atomic) : m_own;
    }
  }
  return found;
}

void GlobalRaces::publish(std::uint64_t address) {
  if (m_fenced) m_published[address].insert(m_own);
  if (m_published.contains(address)) m_seen.insert(address);
}

bool GlobalRaces::access(std::uint64_t address, std::size_t bytes, Access kind) {
  if (!m_memory->own(address)) return false;
  if (kind == Access::atomic && (m_fenced || !m_published.empty())) publish(address);
  std::size_t const offset = m_memory->offset(address);
  if (kind == Access::atomic || !all_below(m_writers + offset, bytes, m_first)) return slow(offset, bytes, kind);
  if (kind == Access::read) {
    if (all_below(m_readers + offset, bytes, m_first)) {
      std::fill_n(m_readers + offset, bytes, m_own);
      return false;
    }
    return slow(offset, bytes, kind);
  }
  if (!all_below(m_readers + offset, bytes, m_first)) return slow(offset, bytes, kind);
  std::fill_n(m_writers + offset, bytes, m_own);
  return false;
}

std::string GlobalRaces::other() const {
  if ((m_other & several) != 0) return "several CTAs";
  return "CTA number " + std::to_string((m_other & serial_mask) - m_first);
}

}  // namespace pantile_interpreter

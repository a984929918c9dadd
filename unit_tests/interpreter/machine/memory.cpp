// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <interpreter/machine/memory.hpp>

#include <interpreter/machine/fault.hpp>

#include <sys/mman.h>

#include <algorithm>
#include <new>

namespace pantile_interpreter {

namespace {

constexpr std::uint64_t address_bytes = std::uint64_t{64} << 30;  // of addresses; pages are taken as they are touched
constexpr std::uint64_t windows_bytes = 16 * Memory::window_bytes;
constexpr unsigned char poison = 0xa5;
constexpr std::size_t page = 4096;

void* reserve(std::size_t bytes, int protection) {
  void* const memory = ::mmap(nullptr, bytes, protection, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) throw std::bad_alloc();
  return memory;
}

std::uint64_t rounded(std::uint64_t bytes) {
  return (bytes + Memory::alignment - 1) / Memory::alignment * Memory::alignment;
}

// Zeros, and pages that lie within are given back.
void clear(unsigned char* memory, std::size_t bytes) {
  auto const first = reinterpret_cast<std::uintptr_t>(memory);
  auto const inner = (first + page - 1) / page * page;
  auto const end = (first + bytes) / page * page;
  if (inner < end) {
    ::madvise(reinterpret_cast<void*>(inner), end - inner, MADV_DONTNEED);
    std::memset(memory, 0, inner - first);
    std::memset(reinterpret_cast<void*>(end), 0, first + bytes - end);
  } else {
    std::memset(memory, 0, bytes);
  }
}

// The block of a map from first to size that has this place, or the end.
auto block_of(std::map<std::uint64_t, std::size_t> const& blocks, std::uint64_t place) {
  auto next = blocks.upper_bound(place);
  if (next == blocks.begin()) return blocks.end();
  --next;
  return place - next->first < std::max<std::size_t>(next->second, 1) ? next : blocks.end();
}

std::string bytes_of(std::size_t bytes) { return std::to_string(bytes) + (bytes == 1 ? " byte" : " bytes"); }

}  // namespace

Memory::Memory(bool host_reaches_it) : m_host_reaches_it(host_reaches_it), m_capacity(address_bytes) {
  int const protection = host_reaches_it ? PROT_READ | PROT_WRITE : PROT_NONE;
  m_base = reinterpret_cast<std::uint64_t>(reserve(address_bytes + windows_bytes, protection));
  m_bytes = host_reaches_it ? reinterpret_cast<unsigned char*>(m_base)
                            : static_cast<unsigned char*>(reserve(address_bytes, PROT_READ | PROT_WRITE));
  m_states = static_cast<unsigned char*>(reserve(address_bytes, PROT_READ | PROT_WRITE));
}

Memory::~Memory() {
  ::munmap(reinterpret_cast<void*>(m_base), m_capacity + windows_bytes);
  if (!m_host_reaches_it) ::munmap(m_bytes, m_capacity);
  ::munmap(m_states, m_capacity);
}

// Between blocks lie bytes that belong to none. What was freed is used again when nothing fresh is left.
std::uint64_t Memory::place(std::size_t bytes) {
  std::uint64_t const needed = rounded(std::max<std::size_t>(bytes, 1)) + alignment;
  if (bytes < m_capacity && needed <= m_capacity - m_next) {
    std::uint64_t const found = m_next;
    m_next += needed;
    return found;
  }
  for (auto freed = m_freed.begin(); freed != m_freed.end(); ++freed) {
    if (rounded(freed->second) < rounded(bytes)) continue;
    std::uint64_t const found = freed->first;
    m_freed.erase(freed);
    return found;
  }
  return 0;
}

std::uint64_t Memory::allocate(std::size_t bytes) {
  std::uint64_t const found = place(bytes);
  if (found == 0) return 0;
  m_blocks[found] = bytes;
  std::memset(m_bytes + found, poison, bytes);
  std::memset(m_states + found, m_host_reaches_it ? written : allocated, bytes);
  return m_base + found;
}

bool Memory::free(std::uint64_t address) {
  auto const block = own(address) ? m_blocks.find(offset(address)) : m_blocks.end();
  if (block == m_blocks.end()) return false;
  clear(m_states + block->first, block->second);
  clear(m_bytes + block->first, block->second);
  m_freed.insert(*block);
  m_blocks.erase(block);
  return true;
}

void Memory::share(void* memory, std::size_t bytes) { m_host[reinterpret_cast<std::uint64_t>(memory)] = bytes; }

void Memory::unshare(void* memory) {
  m_host.erase(reinterpret_cast<std::uint64_t>(memory));
  m_host_first = 1;
  m_host_last = 0;
}

unsigned char* Memory::shared_host(std::uint64_t address, std::size_t bytes) {
  if (address < m_host_first || address + bytes > m_host_last || address + bytes < address) {
    auto const block = block_of(m_host, address);
    if (block == m_host.end() || bytes > block->second - (address - block->first)) return nullptr;
    m_host_first = block->first;
    m_host_last = block->first + block->second;
  }
  return reinterpret_cast<unsigned char*>(address);
}

bool Memory::contains(std::uint64_t address) const {
  if (own(address)) return (m_states[offset(address)] & allocated) != 0;
  return block_of(m_host, address) != m_host.end();
}

Memory::Range Memory::range(std::uint64_t address, std::size_t bytes, char const* what) {
  if (bytes == 0) return {};
  if (own(address)) {
    auto const block = block_of(m_blocks, offset(address));
    if (block != m_blocks.end() && bytes <= block->second - (offset(address) - block->first)) {
      return {m_bytes + offset(address), m_states + offset(address)};
    }
  } else if (unsigned char* const host = shared_host(address, bytes); host != nullptr) {
    return {host, nullptr};
  }
  throw Fault(std::string(what) + " of " + bytes_of(bytes) + " at " + hexadecimal(address) + ": " +
              why(address, bytes));
}

void Memory::read(void* target, std::uint64_t source, std::size_t bytes) {
  if (bytes > 0) std::memcpy(target, range(source, bytes, "a copy to the host").bytes, bytes);
}

void Memory::write(std::uint64_t target, void const* source, std::size_t bytes) {
  if (bytes == 0) return;
  Range const to = range(target, bytes, "a copy to the device");
  std::memcpy(to.bytes, source, bytes);
  if (to.states != nullptr) std::memset(to.states, written, bytes);
}

void Memory::copy(std::uint64_t target, std::uint64_t source, std::size_t bytes) {
  if (bytes == 0) return;
  Range const from = range(source, bytes, "a copy within the device, source,");
  Range const to = range(target, bytes, "a copy within the device, target,");
  std::memmove(to.bytes, from.bytes, bytes);
  if (to.states == nullptr) return;
  if (from.states == nullptr) {
    std::memset(to.states, written, bytes);
  } else {
    std::memmove(to.states, from.states, bytes);
  }
}

void Memory::fill(std::uint64_t target, unsigned char value, std::size_t bytes) {
  if (bytes == 0) return;
  Range const to = range(target, bytes, "a fill");
  std::memset(to.bytes, value, bytes);
  if (to.states != nullptr) std::memset(to.states, written, bytes);
}

std::string Memory::why(std::uint64_t address, std::size_t bytes) const {
  auto const& blocks = own(address) ? m_blocks : m_host;
  std::uint64_t const place = own(address) ? offset(address) : address;
  if (auto const block = block_of(blocks, place); block != blocks.end()) {
    std::uint64_t const within = place - block->first;
    std::string const where = "byte " + std::to_string(within) + " of an allocation of " + bytes_of(block->second);
    return bytes > block->second - within ? "it leaves " + where : "nobody has written " + where;
  }
  if (own(address)) {
    if (auto const block = block_of(m_freed, place); block != m_freed.end()) {
      return "it is byte " + std::to_string(place - block->first) + " of " + bytes_of(block->second) +
             " that were freed";
    }
  }
  auto next = blocks.upper_bound(place);
  if (next == blocks.begin()) return "nothing is allocated there";
  --next;
  return "it is " + bytes_of(place - next->first - next->second) + " behind an allocation of " + bytes_of(next->second);
}

}  // namespace pantile_interpreter

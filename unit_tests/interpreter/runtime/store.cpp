// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <interpreter/runtime/store.hpp>

#include <interpreter/runtime/programs.hpp>
#include <interpreter/runtime/runtime.hpp>

#include <cstdlib>
#include <cstring>

namespace pantile_interpreter::runtime {
namespace {

std::size_t capacity_from_environment() {
  char const* const text = std::getenv("PANTILE_INTERPRETER_MEMORY");
  if (text == nullptr) return std::size_t{8192} << 20;
  char* end = nullptr;
  unsigned long long const mebibytes = std::strtoull(text, &end, 10);
  if (end == text || *end != '\0' || mebibytes == 0 || mebibytes > (1ULL << 24)) {
    stop(std::string("PANTILE_INTERPRETER_MEMORY is '") + text + "': it must be a number of MiB");
  }
  return static_cast<std::size_t>(mebibytes) << 20;
}

std::uint64_t address_of(void const* memory) { return reinterpret_cast<std::uint64_t>(memory); }

constexpr std::size_t host_alignment = 4096;  // pinned memory comes in pages

}  // namespace

thread_local int Store::current_device = 0;

int Store::devices() {
  char const* const text = std::getenv("PANTILE_INTERPRETER_DEVICES");
  return text != nullptr && std::strcmp(text, "2") == 0 ? 2 : 1;
}

Store::Store() : m_capacity(capacity_from_environment()) {}

void* Store::allocate_device(std::size_t bytes) {
  if (bytes > m_capacity - m_used) return nullptr;
  auto* const memory = reinterpret_cast<char*>(device().memory().allocate(bytes));
  if (memory == nullptr) return nullptr;
  m_used += bytes;
  m_blocks[memory] = {bytes, Place::device, true};
  return memory;
}

void* Store::allocate_host(std::size_t bytes, Place place) {
  if (bytes > m_capacity - (place == Place::managed ? m_used : 0)) return nullptr;
  void* memory = nullptr;
  if (::posix_memalign(&memory, host_alignment, bytes) != 0) return nullptr;
  std::memset(memory, 0xa5, bytes);  // nobody may count on zeros
  if (place == Place::managed) m_used += bytes;
  device().memory().share(memory, bytes);
  m_blocks[static_cast<char*>(memory)] = {bytes, place, true};
  return memory;
}

bool Store::free_host(void* memory, Place place, bool own) {
  auto const found = m_blocks.find(static_cast<char*>(memory));
  if (found == m_blocks.end() || found->second.place != place || found->second.own != own) return false;
  device().memory().unshare(memory);
  if (place == Place::managed) m_used -= found->second.bytes;
  m_blocks.erase(found);
  if (own) std::free(memory);
  return true;
}

bool Store::free_device(void* memory) {
  auto const found = m_blocks.find(static_cast<char*>(memory));
  if (found == m_blocks.end() || found->second.place != Place::device) return free_host(memory, Place::managed, true);
  m_used -= found->second.bytes;
  m_blocks.erase(found);
  return device().memory().free(address_of(memory));
}

bool Store::free_pinned(void* memory) { return free_host(memory, Place::pinned, true); }

bool Store::register_host(void* memory, std::size_t bytes) {
  auto* const first = static_cast<char*>(memory);
  auto const next = m_blocks.lower_bound(first);
  if (next != m_blocks.end() && next->first < first + bytes) return false;
  if (place_of(memory) != Place::pageable) return false;
  device().memory().share(memory, bytes);
  m_blocks[first] = {bytes, Place::pinned, false};
  return true;
}

bool Store::unregister_host(void* memory) { return free_host(memory, Place::pinned, false); }

Store::Blocks::const_iterator Store::block_of(void const* memory) const {
  auto const* const byte = static_cast<char const*>(memory);
  auto next = m_blocks.upper_bound(byte);
  if (next == m_blocks.begin()) return m_blocks.end();
  --next;
  return byte < next->first + next->second.bytes ? next : m_blocks.end();
}

Place Store::place_of(void const* memory) const {
  auto const block = block_of(memory);
  if (block != m_blocks.end()) return block->second.place;
  return device().memory().contains(address_of(memory)) ? Place::device : Place::pageable;
}

int Store::device_of(void const* memory) const {
  auto const block = block_of(memory);
  return block == m_blocks.end() ? 0 : block->second.device;
}

void Store::copy(void* target, void const* source, std::size_t bytes) {
  Memory& memory = device().memory();
  bool const to_device = place_of(target) != Place::pageable;
  bool const from_device = place_of(source) != Place::pageable;
  if (to_device && from_device) {
    memory.copy(address_of(target), address_of(source), bytes);
  } else if (to_device) {
    memory.write(address_of(target), source, bytes);
  } else if (from_device) {
    memory.read(target, address_of(source), bytes);
  } else {
    std::memmove(target, source, bytes);
  }
}

void Store::fill(void* target, unsigned char value, std::size_t bytes) {
  device().memory().fill(address_of(target), value, bytes);
}

}  // namespace pantile_interpreter::runtime

// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <support/guarded.hpp>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <stdexcept>

#if __has_include(<sys/mman.h>) && __has_include(<unistd.h>)
#define PANTILE_TEST_HAS_GUARDS
#include <sys/mman.h>
#include <unistd.h>
#include <csignal>
#endif

namespace pantile::testing {

#if defined(PANTILE_TEST_HAS_GUARDS)
namespace {

/// What the handler of the signal reads: numbers that are there before it comes, and a text without a terminator of its
/// own.
struct Slot {
  std::atomic<std::uintptr_t> low = 0, high = 0;   // of all pages, inaccessible ones too; 0: free
  std::atomic<std::uintptr_t> begin = 0, end = 0;  // of the operand
  std::array<char, 40> name{};
};
std::array<Slot, 64> slots;

constexpr std::size_t guard_bytes = std::size_t{256} << 10;

/// A line put together without the C library, which a handler may not call.
class Line {
 public:
  Line& operator<<(char const* text) {
    while (*text != '\0' && m_size < m_text.size()) m_text[m_size++] = *text++;
    return *this;
  }
  Line& operator<<(std::uintptr_t number) {
    std::array<char, 24> digits{};
    std::size_t at = digits.size() - 1;
    do {
      digits[--at] = static_cast<char>('0' + number % 10);
      number /= 10;
    } while (number > 0);
    return *this << &digits[at];
  }
  void write() const { [[maybe_unused]] auto const written = ::write(STDERR_FILENO, m_text.data(), m_size); }

 private:
  std::array<char, 200> m_text{};
  std::size_t m_size = 0;
};

void on_fault(int signal, siginfo_t* info, void*) {
  auto const address = reinterpret_cast<std::uintptr_t>(info->si_addr);
  for (Slot const& slot : slots) {
    if (address < slot.low || address >= slot.high) continue;
    Line line;
    line << "guarded memory: " << slot.name.data() << " was touched ";
    if (address < slot.begin) {
      line << slot.begin - address << " bytes before its first byte\n";
    } else {
      line << address - slot.end + 1 << " bytes behind its last byte\n";
    }
    line.write();
    _exit(GuardedMemory::exit_status);
  }
  // None of ours: the program ends as it would have.
  struct sigaction plain {};
  plain.sa_handler = SIG_DFL;
  sigaction(signal, &plain, nullptr);
  raise(signal);
}

void install_handler() {
  static bool const installed = [] {
    struct sigaction action {};
    action.sa_sigaction = on_fault;
    action.sa_flags = SA_SIGINFO;
    return sigaction(SIGSEGV, &action, nullptr) == 0 && sigaction(SIGBUS, &action, nullptr) == 0;
  }();
  if (!installed) throw std::runtime_error("guarded memory: no handler for signals");
}

int take_slot(std::string const& name, std::byte* low, std::size_t bytes) {
  auto const free = std::find_if(slots.begin(), slots.end(), [](Slot const& slot) { return slot.low == 0; });
  if (free == slots.end()) throw std::runtime_error("guarded memory: too many operands at once");
  free->name.fill('\0');
  std::copy_n(name.begin(), std::min(name.size(), free->name.size() - 1), free->name.begin());
  free->low = reinterpret_cast<std::uintptr_t>(low);
  free->high = reinterpret_cast<std::uintptr_t>(low) + bytes;
  return static_cast<int>(free - slots.begin());
}

}  // namespace

bool GuardedMemory::available() { return true; }

GuardedMemory::GuardedMemory(std::string const& name, std::size_t capacity) {
  install_handler();
  auto const page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  std::size_t const guard = (guard_bytes + page - 1) / page * page;
  m_bytes = std::max<std::size_t>(1, (capacity + page - 1) / page) * page;
  void* const all = mmap(nullptr, m_bytes + 2 * guard, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (all == MAP_FAILED) throw std::runtime_error("guarded memory: mmap failed");
  m_begin = static_cast<std::byte*>(all) + guard;
  if (mprotect(m_begin, m_bytes, PROT_READ | PROT_WRITE) != 0)
    throw std::runtime_error("guarded memory: mprotect failed");
  m_slot = take_slot(name, static_cast<std::byte*>(all), m_bytes + 2 * guard);
}

GuardedMemory::~GuardedMemory() {
  Slot& slot = slots[static_cast<std::size_t>(m_slot)];
  auto* const all = reinterpret_cast<std::byte*>(slot.low.load());
  std::size_t const bytes = slot.high - slot.low;
  slot.low = 0;
  slot.high = 0;
  munmap(all, bytes);
}

#else

bool GuardedMemory::available() { return false; }
GuardedMemory::GuardedMemory(std::string const&, std::size_t capacity) : m_bytes(std::max<std::size_t>(1, capacity)) {
  m_ordinary.resize(m_bytes);
  m_begin = m_ordinary.data();
}
GuardedMemory::~GuardedMemory() = default;

#endif

std::byte* GuardedMemory::place(std::size_t bytes, Guard guard, std::size_t gap) {
  if (bytes + gap > m_bytes) throw std::runtime_error("guarded memory: the operand is larger than the capacity");
  m_operand = guard == Guard::behind ? m_begin + m_bytes - gap - bytes : m_begin + gap;
  m_operand_bytes = bytes;
  std::memset(m_begin, std::to_integer<int>(filler), m_bytes);
#if defined(PANTILE_TEST_HAS_GUARDS)
  Slot& slot = slots[static_cast<std::size_t>(m_slot)];
  slot.begin = reinterpret_cast<std::uintptr_t>(m_operand);
  slot.end = reinterpret_cast<std::uintptr_t>(m_operand) + bytes;
#endif
  return m_operand;
}

bool GuardedMemory::surroundings_intact() const {
  auto const untouched = [](std::byte byte) { return byte == filler; };
  return std::all_of(m_begin, m_operand, untouched) &&
         std::all_of(m_operand + m_operand_bytes, m_begin + m_bytes, untouched);
}

}  // namespace pantile::testing

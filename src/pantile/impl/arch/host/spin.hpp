// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  Spin waits for another thread that is running.

#include <pantile/impl/arch/host/tuning/machine.hpp>

#include <atomic>
#include <cstdint>
#include <thread>

namespace pantile::impl::arch {

/// Let the core's other hardware thread go on for a moment.
inline void pause() noexcept {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

/// \brief  Wait until a counter has reached `least`, and see what was written before it did. For work that takes
///         microseconds and is being done: soon the core is offered to other threads, which may be the ones that are
///         waited for.
inline void spin_until(std::atomic<std::int64_t> const& counter, std::int64_t least) noexcept {
  for (int spins = 0; counter.load(std::memory_order_acquire) < least; ++spins) {
    if (spins < host::spins) {
      pause();
    } else {
      std::this_thread::yield();
    }
  }
}

}  // namespace pantile::impl::arch

// SPDX-FileCopyrightText: Pantile contributors
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
/// \file  Numbers of AMD's GPUs by which tiles are chosen: perf_tests/notes/tuning.md.

#include <pantile/impl/arch/device_tuning.hpp>

namespace pantile::impl::arch::hip {

inline constexpr DeviceTuning tuning{.memory_bytes_per_clock = 8, .scratch_of_driver = 0};

}  // namespace pantile::impl::arch::hip
